import { validatePodCreate } from './core-v1/pod-validation.ts';
import type { FieldError } from './meta/field-error.ts';
import type { ApiObject, ResourceInfo } from './resources.ts';
import type { Pod } from './schema/types.ts';

/** What a new object breaks, in the order of the real checks. The object is decoded, defaulted and admitted. */
export function validateCreate(info: ResourceInfo, object: ApiObject): FieldError[] {
  const errors: FieldError[] = [];
  if (info.kind === 'Pod') validatePodCreate(errors, object as Pod);
  return errors;
}

export function validateUpdate(_info: ResourceInfo, _object: ApiObject, _old: ApiObject): FieldError[] {
  return [];
}

export function validateStatusUpdate(_info: ResourceInfo, _object: ApiObject, _old: ApiObject): FieldError[] {
  return [];
}

/** Texts of the Warning headers for an accepted object. */
export function warningsFor(_info: ResourceInfo, _object: ApiObject, _old?: ApiObject): string[] {
  return [];
}
