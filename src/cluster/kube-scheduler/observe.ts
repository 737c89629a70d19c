import type { ApiObject } from '../../api/resources.ts';
import type { Pod } from '../../api/schema/types.ts';
import { must } from '../../sim/assert.ts';
import { samePlain } from '../../sim/plain.ts';
import type { Context, WatchChange } from '../component.ts';
import { forgetPod, unassume, volumesChanged } from './binding.ts';
import { copyNode, dropNode, placePod, putNode, removePod } from './cache.ts';
import { noNodes } from './failure.ts';
import type { ClusterEvent } from './framework.ts';
import { isAssigned, priorityOf, takesRoom } from './pod-facts.ts';
import { putNamespace } from './pod-groups.ts';
import { plugins } from './profile.ts';
import { activate, park, queuedPod, removeQueued, requeue } from './queue.ts';
import type { QueuedPod, SchedulerState } from './state.ts';

const ownName = 'default-scheduler';

export function observe(state: SchedulerState, change: WatchChange, context: Context): void {
  if (change.resource === 'pods') observePod(state, change as WatchChange<'pods'>, context);
  else if (change.resource === 'nodes') observeNode(state, change as WatchChange<'nodes'>, context);
  else if (change.resource === 'services') observeService(state, change as WatchChange<'services'>);
  else if (change.resource === 'namespaces') {
    const { type, object } = change as WatchChange<'namespaces'>;
    if (type !== 'DELETED') putNamespace(state, object.metadata.name, object.metadata.labels ?? {});
  } else if (['persistentvolumeclaims', 'persistentvolumes', 'storageclasses.storage.k8s.io'].includes(change.resource)) {
    if (change.type === 'DELETED') return;
    volumesChanged(state, context);
    wake(state, { kind: 'storage', object: change.object as ApiObject }, context);
  }
}

function observeService({ services }: SchedulerState, { type, object }: WatchChange<'services'>): void {
  const { namespace = '', name } = object.metadata;
  const { selector } = object.spec;
  if (type !== 'DELETED' && selector !== undefined && Object.keys(selector).length > 0) (services[namespace] ??= {})[name] = selector;
  else delete services[namespace]?.[name];
}

function observeNode(state: SchedulerState, { type, object }: WatchChange<'nodes'>, context: Context): void {
  if (type === 'DELETED') return dropNode(state, object);
  const known = state.nodes[object.metadata.name];
  const before = known?.node === undefined ? undefined : copyNode(known);
  putNode(state, object);
  const node = must(state.nodes[object.metadata.name], 'a node that was just put');
  if (before === undefined) return wake(state, { kind: 'node-add', node }, context);
  const changed = !samePlain(before.node?.spec, object.spec) || !samePlain(before.node?.metadata.labels, object.metadata.labels) || !samePlain(before.allocatable, node.allocatable);
  if (changed) wake(state, { kind: 'node-update', node, before }, context);
}

function observePod(state: SchedulerState, { type, object, previous }: WatchChange<'pods'>, context: Context): void {
  const { uid } = object.metadata;
  const had = previous !== undefined && takesRoom(previous);
  const has = type !== 'DELETED' && takesRoom(object);
  if (type === 'DELETED') {
    forgetPod(state, object, context);
    if (takesRoom(object)) leaveNode(state, object, context);
    return;
  }
  if (!has && !had) return observeWaiting(state, object, previous, context);
  if (has) {
    unassume(state, uid);
    removeQueued(state.queue, uid);
    delete state.nominated[uid];
    if (had && sameFacts(previous, object)) return;
    if (had) removePod(state, previous, previous.spec.nodeName as string);
    placePod(state, object, object.spec.nodeName as string);
    // That a pod is going away frees nothing yet: only its labels and its size count.
    if (!had) wake(state, { kind: 'pod-add', pod: object }, context);
    else if (!samePlain(previous.metadata.labels, object.metadata.labels) || !samePlain(previous.spec, object.spec)) {
      wake(state, { kind: 'pod-update', pod: object, podBefore: previous }, context);
    }
  } else if (previous !== undefined) leaveNode(state, previous, context);
}

/** Nothing that the cache counts differs. */
const sameFacts = (a: Pod, b: Pod): boolean =>
  a.metadata.deletionTimestamp === b.metadata.deletionTimestamp && samePlain(a.metadata.labels, b.metadata.labels) && samePlain(a.spec, b.spec);

function leaveNode(state: SchedulerState, pod: Pod, context: Context): void {
  removePod(state, pod, pod.spec.nodeName as string);
  wake(state, { kind: 'pod-delete', pod }, context);
}

/** A pod without a node: new, or changed while it waits. */
function observeWaiting(state: SchedulerState, pod: Pod, previous: Pod | undefined, { now }: Context): void {
  const { uid } = pod.metadata;
  const { queue } = state;
  if (isAssigned(pod) || pod.status.phase === 'Succeeded' || pod.status.phase === 'Failed') return removeQueued(queue, uid);
  if ((pod.spec.schedulerName || ownName) !== ownName || state.assumed[uid] !== undefined) return;
  const known = queue.pods[uid];
  if (known === undefined) {
    if (pod.metadata.deletionTimestamp !== undefined) return;
    queue.pods[uid] = queuedPod(pod, now);
    if (gated(pod)) park(queue, uid, ['SchedulingGates'], now);
    else activate(queue, uid, now);
    return;
  }
  known.priority = priorityOf(pod);
  const changed = previous === undefined || !samePlain(previous.spec, pod.spec) || !samePlain(previous.metadata.labels, pod.metadata.labels);
  if (changed && known.where === 'unschedulable' && !gated(pod)) activate(queue, uid, now);
}

/** Simplified: there are no resource claims here, so a pod that names one waits for it without a word, as upstream's does. */
const gated = ({ spec }: Pod): boolean => (spec.schedulingGates ?? []).length > 0 || (spec.resourceClaims ?? []).length > 0;

/** Moves the pods that an event may help. Only the plugins that rejected a pod are asked. */
function wake(state: SchedulerState, event: ClusterEvent, context: Context): void {
  const { queue } = state;
  const able = plugins.filter(({ name, wakes }) => wakes !== undefined && queue.rejectedBy[name] !== undefined);
  if (able.length === 0 && !(event.kind === 'node-add' && queue.rejectedBy[noNodes] !== undefined)) return;
  for (const uid in queue.pods) {
    const waiting = queue.pods[uid] as QueuedPod;
    if (waiting.where !== 'unschedulable') continue;
    const pod = context.view.get('pods', waiting.namespace, waiting.name);
    if (pod === undefined) continue;
    const helps = waiting.plugins.includes(noNodes) || able.some(({ name, wakes }) => waiting.plugins.includes(name) && wakes?.(event, pod, state) === true);
    if (helps) requeue(queue, uid, context.now);
  }
}
