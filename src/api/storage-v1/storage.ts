import { samePlain } from '../../sim/plain.ts';
import { duplicate, forbidden, invalid, notSupported, required } from '../meta/field-error.ts';
import { allPresent, ifOneOf, oneMember, positiveProblem, present, ruled, sortedEntries, unique, type Errors } from '../meta/check.ts';
import { dns1123SubdomainProblems, labelKeyProblems } from '../meta/names.ts';
import { jsonDiff } from '../meta/line-diff.ts';
import { immutable, validateObjectMeta, validateObjectMetaUpdate } from '../meta/object-meta.ts';
import { validateNodeSelector } from '../core-v1/affinity-validation.ts';
import { validateClaimSpec, validateModeValues, volumeModes } from '../core-v1/claim-validation.ts';
import { innerForm } from '../inner-form.ts';
import { defaultClaimSpec, fill, roundResources } from '../core-v1/pod-defaults.ts';
import { noBacksteps } from '../core-v1/path-validation.ts';
import { validateDriverName, validateHostPath, validateNfs } from '../core-v1/volume-validation.ts';
import { compareQuantity, quantityToNumber, quantitySign } from '../quantity.ts';
import type { PersistentVolume, PersistentVolumeClaim, PersistentVolumeClaimSpec, PersistentVolumeSpec, StorageClass } from '../schema/types.ts';

/** Claims, volumes, storage classes. */

export function defaultClaim(claim: PersistentVolumeClaim): void {
  (claim as { spec?: unknown }).spec ??= {};
  (claim as { status?: unknown }).status ??= {};
  fill(claim.status ?? {}, { phase: 'Pending' });
  defaultClaimSpec(claim.spec);
}

export function validateClaim(errors: Errors, claim: PersistentVolumeClaim): void {
  validateObjectMeta(errors, claim.metadata, true, dns1123SubdomainProblems);
  validateClaimSpec(errors, 'spec', claim.spec);
}

const claimFrozen = 'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims';

/** Upstream: ValidatePersistentVolumeClaimUpdate. */
export function validateClaimUpdate(errors: Errors, claim: PersistentVolumeClaim, old: PersistentVolumeClaim): void {
  validateObjectMetaUpdate(errors, claim.metadata, old.metadata);
  validateClaim(errors, claim);
  const next = claim.spec;
  const before = old.spec;
  const bound = claim.status?.phase === 'Bound';
  const { resources, volumeAttributesClassName: _, ...rest } = next;
  const munged: PersistentVolumeClaimSpec = { ...rest };
  const base: PersistentVolumeClaimSpec = { ...before };
  // Binding writes the volume's name; a claim without a class may get one; a bound claim may grow and change its attributes.
  if (!before.volumeName && next.volumeName) base.volumeName = next.volumeName;
  if (before.storageClassName === undefined) delete munged.storageClassName;
  const attributes = bound ? before.volumeAttributesClassName : next.volumeAttributesClassName;
  if (attributes !== undefined) munged.volumeAttributesClassName = attributes;
  const storage = before.resources?.requests?.storage;
  if (resources !== undefined) munged.resources = bound && resources.requests !== undefined && storage !== undefined ? { ...resources, requests: { ...resources.requests, storage } } : resources;
  if (!samePlain(munged, base)) {
    errors.push(forbidden('spec', `${claimFrozen}\n${jsonDiff(innerForm('PersistentVolumeClaimSpec', base), innerForm('PersistentVolumeClaimSpec', munged))}`));
  }
  const size = next.resources?.requests?.storage;
  if (compareQuantity(size, storage) < 0 && compareQuantity(size, old.status?.capacity?.storage) <= 0) {
    errors.push(forbidden('spec.resources.requests.storage', 'field can not be less than status.capacity'));
  }
  immutable(errors, 'volumeMode', next.volumeMode, before.volumeMode);
}

export function defaultVolumeObject(volume: PersistentVolume): void {
  (volume as { spec?: unknown }).spec ??= {};
  (volume as { status?: unknown }).status ??= {};
  fill(volume.status ?? {}, { phase: 'Pending' });
  const spec = volume.spec as PersistentVolumeSpec;
  fill(spec, { persistentVolumeReclaimPolicy: 'Retain', volumeMode: 'Filesystem' });
  if (spec.hostPath !== undefined) fill(spec.hostPath, { type: '' });
  roundResources(spec.capacity);
}

type SourceCheck = (errors: Errors, path: string, source: never) => void;
const needs = (fields: string): SourceCheck => (errors, path, source) => allPresent(errors, path, source, fields);

const sources: Readonly<Record<string, SourceCheck>> = {
  hostPath: validateHostPath, gcePersistentDisk: needs('pdName'), awsElasticBlockStore: needs('volumeID'), glusterfs: needs('endpoints path'), flocker: () => {},
  nfs: (errors, path, source) => validateNfs(errors, path, source, source), rbd: needs('monitors image'), quobyte: needs('registry volume'), cephfs: needs('monitors'),
  iscsi: needs('targetPortal iqn'), cinder: needs('volumeID'), fc: () => {}, flexVolume: needs('driver'), azureFile: needs('secretName shareName'),
  vsphereVolume: needs('volumePath'), photonPersistentDisk: needs('pdID'), portworxVolume: needs('volumeID'), azureDisk: needs('diskName diskURI'),
  scaleIO: needs('gateway system volumeName'),
  local: (errors, path, source: { path: string }) => {
    if (present(errors, `${path}.path`, source.path)) noBacksteps(errors, `${path}.path`, source.path);
  },
  storageos: needs('volumeName'),
  csi: (errors, path, source: { driver: string; volumeHandle: string }) => {
    validateDriverName(errors, `${path}.driver`, source.driver);
    present(errors, `${path}.volumeHandle`, source.volumeHandle);
  },
};

/** Upstream: ValidatePersistentVolumeSpec. */
function validateVolumeSpec(errors: Errors, spec: PersistentVolumeSpec): void {
  present(errors, 'spec.accessModes', spec.accessModes ?? []);
  validateModeValues(errors, 'spec.accessModes', spec.accessModes);
  const capacity = sortedEntries(spec.capacity);
  if (capacity.length === 0) errors.push(required('spec.capacity'));
  if (spec.capacity?.storage === undefined || capacity.length > 1) errors.push({ ...notSupported('spec.capacity', '', ['storage']), value: capacity.length === 0 ? null : Object.fromEntries(capacity) });
  for (const [name, quantity] of capacity) {
    const at = `spec.capacity[${name}]`;
    if (quantitySign(quantity) < 0) errors.push(invalid(at, quantityToNumber(quantity), 'must be a valid resource quantity'));
    if (quantitySign(quantity) <= 0) errors.push(invalid(at, quantity, positiveProblem));
  }
  if (spec.persistentVolumeReclaimPolicy) ifOneOf(errors, 'spec.persistentVolumeReclaimPolicy', spec.persistentVolumeReclaimPolicy, ['Delete', 'Recycle', 'Retain']);
  const required_ = spec.nodeAffinity?.required;
  if (spec.nodeAffinity !== undefined) {
    if (required_ === undefined) errors.push(required('spec.nodeAffinity.required', 'must specify required node constraints'));
    else validateNodeSelector(errors, 'spec.nodeAffinity.required', required_);
  }
  const count = oneMember(errors, 'spec', spec, Object.keys(sources), 'volume type', (member) => {
    (sources[member] as SourceCheck)(errors, `spec.${member}`, (spec as unknown as Record<string, unknown>)[member] as never);
    if (member === 'local' && required_ === undefined) errors.push(required('spec.nodeAffinity', 'Local volume requires node affinity'));
  });
  if (count === 0) errors.push(required('spec', 'must specify a volume type'));
  if (/^\/+$/.test(spec.hostPath?.path ?? '') && spec.persistentVolumeReclaimPolicy === 'Recycle') {
    errors.push(forbidden('spec.persistentVolumeReclaimPolicy', "may not be 'recycle' for a hostPath mount of '/'"));
  }
  if (spec.storageClassName) ruled(errors, 'spec.storageClassName', spec.storageClassName, dns1123SubdomainProblems);
  ifOneOf(errors, 'spec.volumeMode', spec.volumeMode, volumeModes);
}

export function validateVolumeObject(errors: Errors, volume: PersistentVolume): void {
  validateObjectMeta(errors, volume.metadata, false, dns1123SubdomainProblems);
  validateVolumeSpec(errors, volume.spec as PersistentVolumeSpec);
}

export function validateVolumeObjectUpdate(errors: Errors, volume: PersistentVolume, old: PersistentVolume): void {
  validateVolumeObject(errors, volume);
  validateObjectMetaUpdate(errors, volume.metadata, old.metadata);
  const next = volume.spec as PersistentVolumeSpec;
  const before = old.spec as PersistentVolumeSpec;
  const source = (spec: PersistentVolumeSpec) => Object.fromEntries(Object.entries(spec).filter(([key]) => sources[key] !== undefined));
  if (!samePlain(source(next), source(before))) {
    const diff = jsonDiff(innerForm('PersistentVolumeSource', before), innerForm('PersistentVolumeSource', next));
    errors.push(forbidden('spec.persistentvolumesource', `spec.persistentvolumesource is immutable after creation\n${diff}`));
  }
  immutable(errors, 'volumeMode', next.volumeMode, before.volumeMode);
  if (before.nodeAffinity !== undefined && !samePlain(next.nodeAffinity, before.nodeAffinity)) {
    const shown = next.nodeAffinity === undefined ? null : innerForm('VolumeNodeAffinity', next.nodeAffinity);
    errors.push(invalid('nodeAffinity', shown, 'field is immutable, except for updating from beta label to GA'));
  }
}

export function defaultStorageClass(item: StorageClass): void {
  fill(item, { reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' });
}

/** Upstream: pkg/apis/storage/validation. */
export function validateStorageClass(errors: Errors, item: StorageClass): void {
  validateObjectMeta(errors, item.metadata, false, dns1123SubdomainProblems);
  const provisioner = item.provisioner ?? '';
  if (present(errors, 'provisioner', provisioner)) ruled(errors, 'provisioner', provisioner.toLowerCase(), labelKeyProblems);
  if (item.reclaimPolicy) ifOneOf(errors, 'reclaimPolicy', item.reclaimPolicy, ['Delete', 'Retain']);
  ifOneOf(errors, 'volumeBindingMode', item.volumeBindingMode, ['Immediate', 'WaitForFirstConsumer']);
  validateTopologies(errors, item);
}

function validateTopologies(errors: Errors, item: StorageClass): void {
  const terms: unknown[] = [];
  item.allowedTopologies?.forEach((term, index) => {
    const path = `allowedTopologies[${index}].matchLabelExpressions`;
    const keys = new Set<string>();
    term.matchLabelExpressions?.forEach((rule, i) => {
      const values = rule.values ?? [];
      present(errors, `${path}[${i}].values`, values);
      values.forEach((value, j) => {
        if (values.indexOf(value) < j) errors.push(duplicate(`${path}[${i}].values[${j}]`, value));
      });
      ruled(errors, `${path}[${i}].key`, rule.key ?? '', labelKeyProblems);
      unique(errors, `${path}[${i}].key`, rule.key ?? '', keys);
    });
    const shape = Object.fromEntries((term.matchLabelExpressions ?? []).map((rule) => [rule.key, (rule.values ?? []).toSorted((a, b) => (a < b ? -1 : 1))]));
    // A term without expressions equals the empty place of every other.
    if (Object.keys(shape).length === 0 || terms.some((other) => samePlain(other, shape))) errors.push(duplicate(path, ''));
    terms.push(shape);
  });
}

export function validateStorageClassUpdate(errors: Errors, item: StorageClass, old: StorageClass): void {
  validateObjectMetaUpdate(errors, item.metadata, old.metadata);
  // Pointers print as null here.
  for (const field of ['parameters', 'provisioner', 'reclaimPolicy', 'volumeBindingMode'] as const) {
    if (!samePlain(item[field], old[field])) errors.push(invalid(field, field === 'provisioner' ? item[field] : null, 'field is immutable'));
  }
  validateTopologies(errors, item);
}
