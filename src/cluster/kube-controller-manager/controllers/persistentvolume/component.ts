import type { ApiObject } from '../../../../api/resources.ts';
import type { PersistentVolume, PersistentVolumeClaim, Pod } from '../../../../api/schema/types.ts';
import type { SimEvent } from '../../../../sim/queue.ts';
import type { ApiRequest, Component, Context, View, WatchChange } from '../../../component.ts';
import { controller, createControllerState, enqueue, regarding, type ControllerState, type Step } from '../../controller.ts';
import { splitQueueKey } from '../../workqueue.ts';
import { isTerminal } from '../replicaset/tally.ts';
import { bindCompleted, boundByController, isClaimedBy, matchingVolume, selectedNode } from './matching.ts';

/** Upstream: cmd/kube-controller-manager --pvclaimbinder-sync-period. */
const resyncMs = 15_000;

export interface PersistentVolumeState extends ControllerState {
  /** When in each period the claims that are still unbound are looked at again. */
  phase: number;
  resyncDue: boolean;
}

/**
 * Binds claims to volumes, and lets claims and volumes in deletion go when nothing uses them. Keys: 'namespace/name' a claim, '/name' a volume.
 * Upstream: pkg/controller/volume/persistentvolume, pvcprotection, pvprotection. Simplified: nothing is provisioned.
 */
export const persistentVolume: Component<PersistentVolumeState> = controller<PersistentVolumeState>({
  reportsAs: 'persistentvolume-controller',
  watches: [{ resource: 'persistentvolumeclaims' }, { resource: 'persistentvolumes' }, { resource: 'storageclasses.storage.k8s.io' }, { resource: 'pods' }],
  start: (context) => ({ ...createControllerState(), phase: context.random('phase').below(resyncMs), resyncDue: false }),
  observe,
  sync,
  replied: (_state, _key, { response }) => response.code === 404,
  other: resync,
});

const usesClaim = ({ spec }: Pod, name: string): boolean => spec.volumes?.some(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName === name) ?? false;

function observe(state: PersistentVolumeState, change: WatchChange, context: Context): void {
  const { queue } = state;
  const { namespace, name } = change.object.metadata;
  if (change.resource === 'persistentvolumeclaims') {
    const claim = change.object as PersistentVolumeClaim;
    if (change.type !== 'DELETED') enqueue(queue, `${namespace}/${name}`, context);
    if (claim.spec.volumeName) enqueue(queue, `/${claim.spec.volumeName}`, context);
    if (change.type === 'ADDED') arm(state, context);
  } else if (change.resource === 'persistentvolumes') {
    const { claimRef } = (change.object as PersistentVolume).spec;
    enqueue(queue, `/${name}`, context);
    if (claimRef !== undefined) enqueue(queue, `${claimRef.namespace}/${claimRef.name}`, context);
  } else if (change.resource === 'pods' && (change.type === 'DELETED' || isTerminal(change.object as Pod))) {
    for (const { persistentVolumeClaim } of (change.object as Pod).spec.volumes ?? []) if (persistentVolumeClaim !== undefined) enqueue(queue, `${namespace}/${persistentVolumeClaim.claimName}`, context);
  }
}

const isUnbound = ({ spec, metadata }: PersistentVolumeClaim): boolean => !spec.volumeName || metadata.annotations?.[bindCompleted] === undefined;

function arm(state: PersistentVolumeState, context: Context): void {
  if (state.resyncDue) return;
  state.resyncDue = true;
  const next = (Math.floor((context.now - state.phase) / resyncMs) + 1) * resyncMs + state.phase;
  context.schedule({ afterMs: next - context.now, kind: 'resync' });
}

/** As long as a claim is unbound it is tried again and told about, every 15 s. */
function resync(state: PersistentVolumeState, event: SimEvent, context: Context): void {
  if (event.kind !== 'resync') return;
  state.resyncDue = false;
  const unbound = context.view.list('persistentvolumeclaims').filter(isUnbound);
  for (const { metadata } of unbound) enqueue(state.queue, `${metadata.namespace}/${metadata.name}`, context);
  if (unbound.length > 0) arm(state, context);
}

function sync(_state: PersistentVolumeState, key: string, context: Context): Step[] {
  const { namespace, name } = splitQueueKey(key);
  const { view } = context;
  if (namespace === '') {
    const volume = view.get('persistentvolumes', undefined, name);
    return volume === undefined ? [] : syncVolume(volume, view);
  }
  const claim = view.get('persistentvolumeclaims', namespace, name);
  if (claim === undefined) return [];
  if (claim.metadata.deletionTimestamp !== undefined) return release(claim, view);
  return isUnbound(claim) ? bind(claim, context) : [];
}

const step = (kind: string, ...requests: ApiRequest[]): Step[] => [{ kind, requests }];

function withoutFinalizer(resource: 'persistentvolumeclaims' | 'persistentvolumes', { metadata }: ApiObject, finalizer: string): Step[] {
  if (metadata.finalizers?.includes(finalizer) !== true) return [];
  const kept = metadata.finalizers.filter((each) => each !== finalizer);
  const { namespace, name, resourceVersion } = metadata;
  return step('finalizer', {
    verb: 'patch', resource, name, ...(namespace === undefined ? {} : { namespace }),
    patch: { type: 'merge', body: { metadata: { resourceVersion, finalizers: kept.length === 0 ? null : kept } } },
  });
}

/** A claim stays as long as a pod uses it. */
function release(claim: PersistentVolumeClaim, view: View): Step[] {
  const { namespace, name } = claim.metadata;
  const used = view.list('pods', namespace).some((pod) => !isTerminal(pod) && usesClaim(pod, name));
  return used ? [] : withoutFinalizer('persistentvolumeclaims', claim as unknown as ApiObject, 'kubernetes.io/pvc-protection');
}

/** Upstream: pv_controller.go syncUnboundClaim, bind. */
function bind(claim: PersistentVolumeClaim, context: Context): Step[] {
  const { view } = context;
  const { storageClassName = '', volumeName } = claim.spec;
  const storageClass = storageClassName === '' ? undefined : view.get('storageclasses.storage.k8s.io', undefined, storageClassName);
  const tell = (type: 'Normal' | 'Warning', reason: string, message: string): Step[] => {
    context.event({ regarding: regarding(claim as unknown as ApiObject), type, reason, message });
    return [];
  };
  const volumes = view.list('persistentvolumes');
  const wanted = volumeName ? volumes.find(({ metadata }) => metadata.name === volumeName) : undefined;
  const delayed = storageClass?.volumeBindingMode === 'WaitForFirstConsumer' && claim.metadata.annotations?.[selectedNode] === undefined;
  const volume = wanted ?? (delayed ? volumes.find((each) => isClaimedBy(each, claim)) : matchingVolume(volumes, claim));
  if (volume !== undefined) return bindTo(claim, volume);
  if (volumeName) return [];
  if (delayed) {
    const pod = view.list('pods', claim.metadata.namespace).find((each) => usesClaim(each, claim.metadata.name) && !each.spec.nodeName && !isTerminal(each));
    return pod === undefined ? tell('Normal', 'WaitForFirstConsumer', 'waiting for first consumer to be created before binding')
      : tell('Normal', 'WaitForPodScheduled', `waiting for pod ${pod.metadata.name} to be scheduled`);
  }
  if (storageClassName === '') return tell('Normal', 'FailedBinding', 'no persistent volumes available for this claim and no storage class is set');
  if (storageClass === undefined) return tell('Warning', 'ProvisioningFailed', `storageclass.storage.k8s.io "${storageClassName}" not found`);
  if (storageClass.provisioner === 'kubernetes.io/no-provisioner') return [];
  return tell('Normal', 'ExternalProvisioning', `Waiting for a volume to be created either by the external provisioner '${storageClass.provisioner}' or manually by the system administrator. If volume creation is delayed, please verify that the provisioner is running and correctly registered.`);
}

function bindTo(claim: PersistentVolumeClaim, volume: PersistentVolume): Step[] {
  const { namespace = '', name, uid, annotations } = claim.metadata;
  const claimRef = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', namespace, name, uid };
  const { capacity = {}, accessModes = [] } = volume.spec;
  const own = { [bindCompleted]: 'yes', ...(claim.spec.volumeName ? {} : { [boundByController]: 'yes' }) };
  return [
    ...step('volume', { verb: 'patch', resource: 'persistentvolumes', name: volume.metadata.name, patch: { type: 'merge', body: { spec: { claimRef } } } }),
    ...step('volume-status', { verb: 'patch', resource: 'persistentvolumes', name: volume.metadata.name, subresource: 'status', patch: { type: 'merge', body: { status: { phase: 'Bound' } } } }),
    ...step('claim', { verb: 'patch', resource: 'persistentvolumeclaims', namespace, name, patch: { type: 'merge', body: { metadata: { annotations: { ...annotations, ...own } }, spec: { volumeName: volume.metadata.name } } } }),
    ...step('claim-status', { verb: 'patch', resource: 'persistentvolumeclaims', namespace, name, subresource: 'status', patch: { type: 'merge', body: { status: { phase: 'Bound', capacity, accessModes } } } }),
  ];
}

/** Upstream: syncVolume, reclaimVolume. */
function syncVolume(volume: PersistentVolume, view: View): Step[] {
  const { name, deletionTimestamp } = volume.metadata;
  const { claimRef, persistentVolumeReclaimPolicy } = volume.spec;
  const claim = claimRef?.uid === undefined ? undefined : view.get('persistentvolumeclaims', claimRef.namespace, claimRef.name as string);
  const lost = claimRef?.uid !== undefined && claim?.metadata.uid !== claimRef.uid;
  if (deletionTimestamp !== undefined) return claimRef === undefined || lost ? withoutFinalizer('persistentvolumes', volume as unknown as ApiObject, 'kubernetes.io/pv-protection') : [];
  const phase = claimRef === undefined || claimRef.uid === undefined ? 'Available' : lost ? 'Released' : undefined;
  if (phase === 'Released' && persistentVolumeReclaimPolicy === 'Delete') return step('reclaim', { verb: 'delete', resource: 'persistentvolumes', name });
  if (phase === undefined || volume.status?.phase === phase) return [];
  return step('phase', { verb: 'patch', resource: 'persistentvolumes', name, subresource: 'status', patch: { type: 'merge', body: { status: { phase } } } });
}
