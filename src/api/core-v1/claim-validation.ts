import { forbidden, invalid, notSupported, required } from '../meta/field-error.ts';
import { ifOneOf, positiveProblem, present, ruled, type Errors } from '../meta/check.ts';
import { dns1123LabelProblems, dns1123SubdomainProblems } from '../meta/names.ts';
import { validateLabelSelector } from '../meta/object-meta.ts';
import { quantitySign } from '../quantity.ts';
import { samePlain } from '../../sim/plain.ts';
import type { PersistentVolumeClaimSpec } from '../schema/types.ts';

export const accessModes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];
export const volumeModes = ['Block', 'Filesystem'];

export function validateAccessModes(errors: Errors, path: string, modes: readonly string[] | undefined): void {
  present(errors, path, modes ?? [], 'at least 1 access mode is required');
}

export function validateModeValues(errors: Errors, path: string, modes: readonly string[] = []): void {
  for (const mode of modes) if (!accessModes.includes(mode)) errors.push(notSupported(path, mode, accessModes));
  if (modes.includes('ReadWriteOncePod') && modes.some((mode) => mode !== 'ReadWriteOncePod' && accessModes.includes(mode))) {
    errors.push(forbidden(path, 'may not use ReadWriteOncePod with other access modes'));
  }
}

function validateSource(errors: Errors, path: string, source: { apiGroup?: string; kind: string; name: string; namespace?: string } | undefined): void {
  if (source === undefined) return;
  present(errors, `${path}.name`, source.name);
  present(errors, `${path}.kind`, source.kind);
  if (!source.apiGroup && source.kind !== 'PersistentVolumeClaim') {
    errors.push(invalid(path, source.kind ?? '', "must be 'PersistentVolumeClaim' when referencing the default apiGroup"));
  }
  if (source.apiGroup) ruled(errors, `${path}.apiGroup`, source.apiGroup, dns1123SubdomainProblems);
  if (source.namespace) ruled(errors, `${path}.namespace`, source.namespace, dns1123LabelProblems);
}

/** Upstream: ValidatePersistentVolumeClaimSpec; also for claim templates. */
export function validateClaimSpec(errors: Errors, path: string, spec: PersistentVolumeClaimSpec): void {
  validateAccessModes(errors, `${path}.accessModes`, spec.accessModes);
  if (spec.selector !== undefined) validateLabelSelector(errors, `${path}.selector`, spec.selector);
  validateModeValues(errors, `${path}.accessModes`, spec.accessModes);
  const storage = spec.resources?.requests?.storage;
  const at = `${path}.resources[storage]`;
  if (storage === undefined) errors.push(required(at));
  else if (quantitySign(storage) <= 0) errors.push(invalid(at, storage, positiveProblem));
  if (spec.storageClassName) ruled(errors, `${path}.storageClassName`, spec.storageClassName, dns1123SubdomainProblems);
  ifOneOf(errors, `${path}.volumeMode`, spec.volumeMode, volumeModes);
  validateSource(errors, `${path}.dataSource`, spec.dataSource);
  validateSource(errors, `${path}.dataSourceRef`, spec.dataSourceRef);
  if (spec.dataSource !== undefined && spec.dataSourceRef !== undefined && !samePlain(spec.dataSource, spec.dataSourceRef)) {
    const why = spec.dataSourceRef.namespace ? 'may not be specified when dataSourceRef.namespace is specified' : 'must match dataSourceRef';
    errors.push(invalid(path, {}, why));
  }
  if (spec.volumeAttributesClassName) ruled(errors, `${path}.volumeAttributesClassName`, spec.volumeAttributesClassName, dns1123SubdomainProblems);
}
