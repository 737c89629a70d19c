import type { ConfigMapProjection, KeyToPath, Pod, Volume } from '../../../api/schema/types.ts';
import { compareText } from '../../../sim/plain.ts';
import type { VolumeCommand, VolumeFile } from '../cri.ts';
import { fieldValue, namedContainer, resourceValueOf } from '../field-ref.ts';
import type { Env, PodWorker } from '../state.ts';
import { decodeBase64 } from './base64.ts';

export type VolumeContent = { files: VolumeFile[]; version: string } | { error: string };

interface Source {
  kind: 'configMap' | 'secret';
  name: string;
  items: readonly KeyToPath[] | undefined;
  optional: boolean;
  mode: number;
}

const defaultMode = 0o644;

/** What kind of volume it is, as far as the runtime needs to know. */
export function volumeKind(volume: Volume): VolumeCommand['kind'] {
  if (volume.emptyDir !== undefined) return 'emptyDir';
  if (volume.configMap !== undefined) return 'configMap';
  if (volume.secret !== undefined) return 'secret';
  if (volume.projected !== undefined) return 'projected';
  if (volume.downwardAPI !== undefined) return 'downwardAPI';
  if (volume.hostPath !== undefined) return 'hostPath';
  return volume.persistentVolumeClaim !== undefined || volume.ephemeral !== undefined ? 'persistentVolumeClaim' : 'other';
}

/** The files of a volume as of now, or why it cannot be set up. Upstream: pkg/volume/{configmap,secret,projected,downwardapi}. */
export function volumeContent(env: Env, worker: PodWorker, volume: Volume): VolumeContent {
  const { namespace = '' } = worker.pod.metadata;
  const { configMap, secret, downwardAPI, projected } = volume;
  if (configMap !== undefined) {
    return keyed(env, namespace, { kind: 'configMap', name: configMap.name ?? '', items: configMap.items, optional: configMap.optional === true, mode: configMap.defaultMode ?? defaultMode });
  }
  if (secret !== undefined) {
    return keyed(env, namespace, { kind: 'secret', name: secret.secretName ?? '', items: secret.items, optional: secret.optional === true, mode: secret.defaultMode ?? defaultMode });
  }
  if (downwardAPI !== undefined) return downward(env, worker, downwardAPI.items ?? [], downwardAPI.defaultMode ?? defaultMode);
  if (projected !== undefined) return projection(env, worker, projected.sources ?? [], projected.defaultMode ?? defaultMode);
  return { files: [], version: '' };
}

type Projection = NonNullable<NonNullable<Volume['projected']>['sources']>[number];

function projection(env: Env, worker: PodWorker, sources: readonly Projection[], mode: number): VolumeContent {
  const { namespace = '' } = worker.pod.metadata;
  const files: VolumeFile[] = [];
  const errors: string[] = [];
  let version = '';
  for (const source of sources) {
    const part = sourceContent(env, worker, namespace, source, mode);
    if ('error' in part) errors.push(part.error);
    else {
      files.push(...part.files);
      version += `${part.version};`;
    }
  }
  if (errors.length > 0) return { error: errors.length === 1 ? (errors[0] as string) : `[${errors.join(', ')}]` };
  return { files, version };
}

function sourceContent(env: Env, worker: PodWorker, namespace: string, { configMap, secret, downwardAPI, serviceAccountToken }: Projection, mode: number): VolumeContent {
  const from = (kind: Source['kind'], { name = '', items, optional }: ConfigMapProjection) =>
    keyed(env, namespace, { kind, name, items, optional: optional === true, mode });
  if (configMap !== undefined) return from('configMap', configMap);
  if (secret !== undefined) return from('secret', secret);
  if (downwardAPI !== undefined) return downward(env, worker, downwardAPI.items ?? [], mode);
  if (serviceAccountToken !== undefined) return { files: [{ path: serviceAccountToken.path, content: `token-of-${worker.pod.spec.serviceAccountName ?? 'default'}`, mode }], version: '' };
  return { files: [], version: '' };
}

function keyed(env: Env, namespace: string, { kind, name, items, optional, mode }: Source): VolumeContent {
  const { live } = env.ctx;
  const object = kind === 'secret' ? live.get('secrets', namespace, name) : live.get('configmaps', namespace, name);
  if (object === undefined) {
    return optional ? { files: [], version: 'absent' } : { error: `${kind === 'secret' ? 'secret' : 'configmap'} "${name}" not found` };
  }
  const read = (value: string) => (kind === 'secret' ? decodeBase64(value) : value);
  const data = object.data ?? {};
  const version = object.metadata.resourceVersion;
  if (items === undefined) {
    return { files: Object.keys(data).sort(compareText).map((key) => ({ path: key, content: read(data[key] as string), mode })), version };
  }
  const files: VolumeFile[] = [];
  for (const item of items) {
    const value = data[item.key];
    if (value !== undefined) files.push({ path: item.path, content: read(value), mode: item.mode ?? mode });
    else if (!optional) return { error: `${kind === 'secret' ? 'references non-existent secret key' : 'configmap references non-existent config key'}: ${item.key}` };
  }
  return { files, version };
}

type DownwardItem = NonNullable<NonNullable<Volume['downwardAPI']>['items']>[number];

function downward(env: Env, worker: PodWorker, items: readonly DownwardItem[], mode: number): VolumeContent {
  const files = items.map((item) => {
    const container = namedContainer(worker.pod, item.resourceFieldRef?.containerName);
    const content = item.fieldRef !== undefined ? fieldValue(env, worker, item.fieldRef.fieldPath)
      : item.resourceFieldRef !== undefined && container !== undefined ? resourceValueOf(env.node, container, item.resourceFieldRef) : '';
    return { path: item.path, content, mode: item.mode ?? mode };
  });
  return { files, version: files.map(({ content }) => content).join('\u0000') };
}

/** Why a claim cannot be used yet. Upstream: pkg/kubelet/volumemanager/populator. */
export function claimProblem(env: Env, pod: Pod, volume: Volume): string | undefined {
  const name = volume.persistentVolumeClaim?.claimName ?? (volume.ephemeral === undefined ? undefined : `${pod.metadata.name}-${volume.name}`);
  if (name === undefined) return undefined;
  const { namespace = '' } = pod.metadata;
  const claim = env.ctx.live.get('persistentvolumeclaims', namespace, name);
  const says = (text: string) => `error processing PVC ${namespace}/${name}: ${text}`;
  if (claim === undefined) return says(`failed to fetch PVC from API server: persistentvolumeclaims "${name}" not found`);
  if (claim.metadata.deletionTimestamp !== undefined && claim.status?.phase !== 'Bound') return says('PVC is being deleted');
  return claim.status?.phase === 'Bound' && claim.spec?.volumeName !== undefined ? undefined : says('PVC is not bound');
}
