import { samePlain } from '../../sim/plain.ts';
import type { LabelSelector, ObjectMeta } from '../schema/types.ts';
import { named, notNegative, present, ruled, sortedEntries, type Errors } from './check.ts';
import { forbidden, invalid, required, tooLong } from './field-error.ts';
import { dns1123LabelProblems, labelKeyProblems, labelValueProblems, type NameRule } from './names.ts';

export const immutableProblem = 'field is immutable';

/** Upstream: apimachinery ValidateImmutableField. Absent and empty are the same. */
export function immutable(errors: Errors, path: string, next: unknown, old: unknown): void {
  if (!samePlain(normal(next), normal(old))) errors.push(invalid(path, next, immutableProblem));
}

const normal = (value: unknown): unknown =>
  value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0) ? undefined : value;

export function validateLabels(errors: Errors, path: string, labels: Readonly<Record<string, string>> | undefined): void {
  for (const [key, value] of sortedEntries(labels)) {
    ruled(errors, path, key, labelKeyProblems);
    ruled(errors, path, value, labelValueProblems);
  }
}

const annotationBytesMax = 256 * 1024;

export function validateAnnotations(errors: Errors, path: string, annotations: Readonly<Record<string, string>> | undefined): void {
  let size = 0;
  for (const [key, value] of sortedEntries(annotations)) {
    size += key.length + value.length;
    for (const problem of labelKeyProblems(key.toLowerCase())) errors.push(invalid(path, key, problem));
  }
  if (size > annotationBytesMax) errors.push(tooLong(path, annotationBytesMax));
}

/** Upstream: apimachinery metav1/validation ValidateLabelSelector. */
export function validateLabelSelector(errors: Errors, path: string, selector: LabelSelector | undefined): void {
  validateLabels(errors, `${path}.matchLabels`, selector?.matchLabels);
  (selector?.matchExpressions ?? []).forEach(({ key = '', operator, values = [] }, index) => {
    const at = `${path}.matchExpressions[${index}]`;
    if (operator === 'In' || operator === 'NotIn') present(errors, `${at}.values`, values, "must be specified when `operator` is 'In' or 'NotIn'");
    else if (operator === 'Exists' || operator === 'DoesNotExist') {
      if (values.length > 0) errors.push(forbidden(`${at}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"));
    } else errors.push(invalid(`${at}.operator`, operator ?? '', 'not a valid selector operator'));
    ruled(errors, `${at}.key`, key, labelKeyProblems);
    values.forEach((value, i) => ruled(errors, `${at}.values[${i}]`, value, labelValueProblems));
  });
}

/** The end of a generateName may be a dash: what follows makes it right. Upstream: maskTrailingDash. */
const masked = (name: string) => (name.length > 1 && name.endsWith('-') ? `${name.slice(0, -2)}a` : name);

function validateOwners(errors: Errors, path: string, owners: ObjectMeta['ownerReferences']): void {
  let first = '';
  (owners ?? []).forEach((owner, index) => {
    const at = `${path}[${index}]`;
    const empty = 'must not be empty';
    if (present(errors, `${at}.apiVersion`, owner.apiVersion, empty) && owner.apiVersion.split('/').length > 2) {
      errors.push(invalid(`${at}.apiVersion`, owner.apiVersion, 'must be <group>/<version> or <version>'));
    }
    present(errors, `${at}.kind`, owner.kind, empty);
    present(errors, `${at}.name`, owner.name, empty);
    present(errors, `${at}.uid`, owner.uid, empty);
    if (owner.apiVersion === 'v1' && owner.kind === 'Event') errors.push(invalid(at, owner, '/v1, Kind=Event is disallowed from being an owner'));
    if (owner.controller !== true) return;
    const name = `${owner.kind}/${owner.name}`;
    if (first === '') first = name;
    else errors.push(invalid(path, owners, `Only one reference can have Controller set to true. Found "true" in references for ${first} and ${name}`));
  });
}

const standardFinalizers = ['kubernetes', 'orphan', 'foregroundDeletion', 'kubernetes.io/pvc-protection', 'kubernetes.io/pv-protection'];

function validateFinalizers(errors: Errors, path: string, finalizers: readonly string[] = []): void {
  for (const finalizer of finalizers) ruled(errors, path, finalizer, labelKeyProblems);
  if (finalizers.includes('orphan') && finalizers.includes('foregroundDeletion')) {
    errors.push(invalid(path, finalizers, 'finalizer orphan and foregroundDeletion cannot be both set'));
  }
}

function validateKubeFinalizers(errors: Errors, path: string, finalizers: readonly string[] = []): void {
  finalizers.forEach((finalizer, index) => {
    if (!finalizer.includes('/') && !standardFinalizers.includes(finalizer)) {
      errors.push(invalid(`${path}[${index}]`, finalizer, 'name is neither a standard finalizer name nor is it fully qualified'));
    }
  });
}

/** Upstream: apimachinery pkg/api/validation/objectmeta.go; pkg/apis/core/validation for the finalizers of the core kinds. */
export function validateObjectMeta(errors: Errors, meta: Partial<ObjectMeta>, namespaced: boolean, rule: NameRule, coreFinalizers = true): void {
  const { generateName = '', name = '' } = meta;
  if (generateName !== '') for (const problem of rule(masked(generateName))) errors.push(invalid('metadata.generateName', generateName, problem));
  if (name === '') errors.push(required('metadata.name', 'name or generateName is required'));
  else ruled(errors, 'metadata.name', name, rule);
  if (namespaced) named(errors, 'metadata.namespace', meta.namespace, dns1123LabelProblems);
  else if (meta.namespace) errors.push(forbidden('metadata.namespace', 'not allowed on this type'));
  notNegative(errors, 'metadata.generation', meta.generation);
  validateLabels(errors, 'metadata.labels', meta.labels);
  validateAnnotations(errors, 'metadata.annotations', meta.annotations);
  validateOwners(errors, 'metadata.ownerReferences', meta.ownerReferences);
  validateFinalizers(errors, 'metadata.finalizers', meta.finalizers);
  if (coreFinalizers) validateKubeFinalizers(errors, 'metadata.finalizers', meta.finalizers);
}

const kept = ['name', 'namespace', 'uid', 'creationTimestamp', 'deletionTimestamp', 'deletionGracePeriodSeconds'] as const;

/** Upstream: ValidateObjectMetaUpdate. */
export function validateObjectMetaUpdate(errors: Errors, meta: ObjectMeta, old: ObjectMeta, coreFinalizers = true): void {
  if (old.deletionTimestamp !== undefined) {
    const added = (meta.finalizers ?? []).filter((finalizer) => !(old.finalizers ?? []).includes(finalizer));
    if (added.length > 0) {
      const list = added.map((item) => JSON.stringify(item)).join(', ');
      errors.push(forbidden('metadata.finalizers', `no new finalizers can be added if the object is being deleted, found new finalizers []string{${list}}`));
    }
  }
  if (!meta.resourceVersion) errors.push(invalid('metadata.resourceVersion', '', 'must be specified for an update'));
  if ((meta.generation ?? 0) < (old.generation ?? 0)) errors.push(invalid('metadata.generation', meta.generation ?? 0, 'must not be decremented'));
  for (const field of kept) immutable(errors, `metadata.${field}`, meta[field], old[field]);
  validateLabels(errors, 'metadata.labels', meta.labels);
  validateAnnotations(errors, 'metadata.annotations', meta.annotations);
  validateOwners(errors, 'metadata.ownerReferences', meta.ownerReferences);
  if (coreFinalizers) validateKubeFinalizers(errors, 'metadata.finalizers', meta.finalizers);
}
