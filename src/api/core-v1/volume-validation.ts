import { forbidden, invalid, required, tooLong } from '../meta/field-error.ts';
import { allPresent, ifOneOf, named, oneMember, oneOf, present, type Errors } from '../meta/check.ts';
import { dns1123LabelProblems, dns1123SubdomainProblems } from '../meta/names.ts';
import { validateAnnotations, validateLabelSelector, validateLabels } from '../meta/object-meta.ts';
import { quantitySign } from '../quantity.ts';
import type { DownwardAPIVolumeFile, HostPathVolumeSource, KeyToPath, ProjectedVolumeSource, Volume, VolumeProjection } from '../schema/types.ts';
import { validateClaimSpec } from './claim-validation.ts';
import { validateFieldRef, validateResourceFieldRef, volumeFieldPaths } from './field-selector-validation.ts';
import { localPath, noBacksteps } from './path-validation.ts';

type Check = (errors: Errors, path: string, source: never, volume: Volume) => void;

const needs = (fields: string): Check => (errors, path, source) => allPresent(errors, path, source, fields);

function validateMode(errors: Errors, path: string, mode: number | undefined): void {
  if (mode !== undefined && (mode < 0 || mode > 0o777)) errors.push(invalid(path, mode, 'must be a number between 0 and 0777 (octal), both inclusive'));
}

function validateItem(errors: Errors, path: string, item: KeyToPath): void {
  allPresent(errors, path, item, 'key path');
  localPath(errors, `${path}.path`, item.path ?? '');
  validateMode(errors, `${path}.mode`, item.mode);
}

const keyed = (name: string): Check => (errors, path, source: { items?: KeyToPath[]; defaultMode?: number }) => {
  allPresent(errors, path, source, name);
  validateMode(errors, `${path}.defaultMode`, source.defaultMode);
  source.items?.forEach((item, index) => validateItem(errors, `${path}.items[${index}]`, item));
};

const hostPathTypes = ['', 'BlockDevice', 'CharDevice', 'Directory', 'DirectoryOrCreate', 'File', 'FileOrCreate', 'Socket'];

export function validateHostPath(errors: Errors, path: string, source: HostPathVolumeSource): void {
  present(errors, `${path}.path`, source.path);
  noBacksteps(errors, `${path}.path`, source.path ?? '');
  ifOneOf(errors, `${path}.type`, source.type, hostPathTypes);
}

export const validateNfs: Check = (errors, path, source: { server: string; path: string }) => {
  allPresent(errors, path, source, 'server path');
  if (!(source.path ?? '').startsWith('/')) errors.push(invalid(`${path}.path`, source.path ?? '', 'must be an absolute path'));
};

export function validateDriverName(errors: Errors, path: string, driver = ''): void {
  if (!present(errors, path, driver)) return;
  if (driver.length > 63) errors.push(tooLong(path, 63));
  for (const problem of dns1123SubdomainProblems(driver.toLowerCase())) errors.push(invalid(path, driver, problem));
}

function validateDownwardFile(errors: Errors, path: string, file: DownwardAPIVolumeFile): void {
  present(errors, `${path}.path`, file.path);
  localPath(errors, `${path}.path`, file.path ?? '');
  if (file.fieldRef !== undefined) {
    validateFieldRef(errors, `${path}.fieldRef`, file.fieldRef, volumeFieldPaths);
    if (file.resourceFieldRef !== undefined) errors.push(invalid(path, 'resource', 'fieldRef and resourceFieldRef can not be specified simultaneously'));
  } else if (file.resourceFieldRef !== undefined) validateResourceFieldRef(errors, `${path}.resourceFieldRef`, file.resourceFieldRef, true);
  else errors.push(required(path, 'one of fieldRef and resourceFieldRef is required'));
  validateMode(errors, `${path}.mode`, file.mode);
}

function validateToken(errors: Errors, path: string, projected: string, token: NonNullable<VolumeProjection['serviceAccountToken']>): void {
  const seconds = token.expirationSeconds ?? 0;
  if (seconds < 600) errors.push(invalid(`${path}.expirationSeconds`, seconds, 'may not specify a duration less than 10 minutes'));
  if (seconds > 4_294_967_296) errors.push(invalid(`${path}.expirationSeconds`, seconds, 'may not specify a duration larger than 2^32 seconds'));
  if (present(errors, `${projected}.path`, token.path)) localPath(errors, `${projected}.path`, token.path);
}

function validateProjected(errors: Errors, path: string, projected: ProjectedVolumeSource): void {
  validateMode(errors, `${path}.defaultMode`, projected.defaultMode);
  const paths = new Set<string>();
  const claim = (target: string | undefined, value: string) => {
    if (!target) return;
    if (paths.has(target)) errors.push(invalid(path, value, 'conflicting duplicate paths'));
    paths.add(target);
  };
  (projected.sources ?? []).forEach((source, index) => {
    const at = `${path}.sources[${index}]`;
    for (const kind of ['secret', 'configMap'] as const) {
      const keys = source[kind];
      if (keys === undefined) continue;
      present(errors, `${at}.${kind}.name`, keys.name);
      keys.items?.forEach((item, i) => {
        validateItem(errors, `${at}.${kind}.items[${i}]`, item);
        claim(item.path, keys.name ?? '');
      });
    }
    for (const file of source.downwardAPI?.items ?? []) {
      validateDownwardFile(errors, `${at}.downwardAPI`, file);
      claim(file.path, file.path);
    }
    if (source.serviceAccountToken !== undefined) validateToken(errors, `${at}.serviceAccountToken`, path, source.serviceAccountToken);
    if (source.clusterTrustBundle !== undefined) {
      validateTrustBundle(errors, `${at}.clusterTrustBundle`, source.clusterTrustBundle);
      claim(source.clusterTrustBundle.path, source.clusterTrustBundle.path);
    }
    if (Object.keys(source).length > 1) errors.push(forbidden(at, 'may not specify more than 1 volume type per source'));
  });
}

/** Simplified: names of bundles and signers are not looked into. */
function validateTrustBundle(errors: Errors, path: string, bundle: NonNullable<VolumeProjection['clusterTrustBundle']>): void {
  if (bundle.name !== undefined && bundle.signerName !== undefined) errors.push(invalid(path, bundle, 'only one of name and signerName may be used'));
  else if (bundle.name === '') errors.push(required(`${path}.name`, 'must be a valid object name'));
  else if (bundle.signerName !== undefined) validateLabelSelector(errors, `${path}.labelSelector`, bundle.labelSelector);
  else if (bundle.name === undefined) errors.push(required(path, 'either name or signerName must be specified'));
  present(errors, `${path}.path`, bundle.path);
  localPath(errors, `${path}.path`, bundle.path ?? '');
}

const checks: Readonly<Record<string, Check>> = {
  emptyDir: (errors, path, source: { sizeLimit?: string }) => {
    if (quantitySign(source.sizeLimit) < 0) errors.push(forbidden(`${path}.sizeLimit`, 'SizeLimit field must be a valid resource quantity'));
  },
  hostPath: validateHostPath,
  gitRepo: needs('repository'),
  gcePersistentDisk: (errors, path, source) => allPresent(errors, path.replace('gcePersistentDisk', 'persistentDisk'), source, 'pdName'),
  awsElasticBlockStore: needs('volumeID'),
  secret: keyed('secretName'),
  nfs: validateNfs,
  iscsi: needs('targetPortal iqn'),
  glusterfs: needs('endpoints path'),
  persistentVolumeClaim: needs('claimName'),
  rbd: needs('monitors image'),
  cinder: needs('volumeID'),
  cephfs: needs('monitors'),
  flocker: () => {},
  quobyte: needs('registry volume'),
  downwardAPI: (errors, path, source: { defaultMode?: number; items?: DownwardAPIVolumeFile[] }) => {
    validateMode(errors, `${path}.defaultMode`, source.defaultMode);
    for (const file of source.items ?? []) validateDownwardFile(errors, path, file);
  },
  fc: () => {},
  flexVolume: needs('driver'),
  configMap: keyed('name'),
  azureFile: needs('secretName shareName'),
  vsphereVolume: needs('volumePath'),
  photonPersistentDisk: needs('pdID'),
  portworxVolume: needs('volumeID'),
  azureDisk: needs('diskName diskURI'),
  storageos: needs('volumeName'),
  projected: validateProjected,
  scaleIO: needs('gateway system volumeName'),
  csi: (errors, path, source: { driver: string; nodePublishSecretRef?: { name?: string } }) => {
    validateDriverName(errors, `${path}.driver`, source.driver);
    if (source.nodePublishSecretRef !== undefined) present(errors, `${path}.nodePublishSecretRef.name`, source.nodePublishSecretRef.name);
  },
  ephemeral: (errors, path, source: NonNullable<Volume['ephemeral']>) => {
    const template = source.volumeClaimTemplate;
    const at = `${path}.volumeClaimTemplate`;
    if (template === undefined) {
      errors.push(required(at));
      return;
    }
    validateAnnotations(errors, `${at}.metadata.annotations`, template.metadata?.annotations);
    validateLabels(errors, `${at}.metadata.labels`, template.metadata?.labels);
    for (const field of Object.keys(template.metadata ?? {})) {
      if (field !== 'annotations' && field !== 'labels') errors.push(forbidden(`${at}.metadata.${field}`, 'cannot be set'));
    }
    validateClaimSpec(errors, `${at}.spec`, template.spec ?? {});
  },
  image: (errors, path, source: { reference?: string; pullPolicy?: string }) => {
    present(errors, `${path}.reference`, source.reference);
    oneOf(errors, `${path}.pullPolicy`, source.pullPolicy, ['Always', 'IfNotPresent', 'Never']);
  },
};

const members = Object.keys(checks);

/** The volumes by name that are all right; the rest leaves errors. Upstream: ValidateVolumes. */
export function validateVolumes(errors: Errors, path: string, volumes: readonly Volume[] = [], podName: string): Map<string, Volume> {
  const good = new Map<string, Volume>();
  const created = podName === '' ? [] : volumes.filter((volume) => volume.ephemeral !== undefined).map((volume) => `${podName}-${volume.name}`);
  volumes.forEach((volume, index) => {
    const at = `${path}[${index}]`;
    const own: Errors = [];
    const count = oneMember(own, at, volume, members, 'volume type', (member) => {
      (checks[member] as Check)(own, `${at}.${member}`, (volume as unknown as Record<string, unknown>)[member] as never, volume);
      if (member !== 'ephemeral' || podName === '' || !volume.name) return;
      const claim = `${podName}-${volume.name}`;
      for (const problem of dns1123SubdomainProblems(claim)) own.push(invalid(`${at}.name`, volume.name, `PVC name "${claim}": ${problem}`));
    });
    if (count === 0) own.push(required(at, 'must specify a volume type'));
    named(own, `${at}.name`, volume.name, dns1123LabelProblems);
    if (good.has(volume.name)) own.push({ type: 'FieldValueDuplicate', field: `${at}.name`, value: volume.name, detail: '' });
    if (own.length === 0) good.set(volume.name, volume);
    errors.push(...own);
    const claimName = volume.persistentVolumeClaim?.claimName;
    if (claimName !== undefined && created.includes(claimName)) {
      errors.push(invalid(`${at}.persistentVolumeClaim.claimName`, claimName, 'must not reference a PVC that gets created for an ephemeral volume'));
    }
  });
  return good;
}
