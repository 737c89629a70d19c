import type { FieldError } from './meta/field-error.ts';
import type { ApiObject, ResourceInfo } from './resources.ts';

/** What a new object breaks, in the order of the real checks. The object is decoded, defaulted and admitted. */
export function validateCreate(_info: ResourceInfo, _object: ApiObject): FieldError[] {
  return [];
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
