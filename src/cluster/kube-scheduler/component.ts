import { setCondition, findCondition } from '../../api/meta/conditions.ts';
import type { ApiObject } from '../../api/resources.ts';
import type { Pod, PodCondition } from '../../api/schema/types.ts';
import { must } from '../../sim/assert.ts';
import { samePlain } from '../../sim/plain.ts';
import type { ApiResponse, Component, Context, EventInput, WatchChange } from '../component.ts';
import type { SchedulingDecision } from '../notes.ts';
import { copyNode, dropNode, placePod, putNode, removePod } from './cache.ts';
import { schedule, startCycle, type Outcome } from './cycle.ts';
import { fitError, reasonsOf } from './failure-text.ts';
import type { ClusterEvent } from './framework.ts';
import { isAssigned, podText, priorityOf, takesRoom } from './pod-facts.ts';
import { preempt, type Preemption } from './preemption.ts';
import { plugins } from './profile.ts';
import { activate, failedOnce, flushTick, leftovers, park, popPod, queuedPod, removeQueued, requeue } from './queue.ts';
import { createSchedulerState, type QueuedPod, type SchedulerState } from './state.ts';

const ownName = 'default-scheduler';
/** The film shows at most this many nodes of one decision. */
const notedNodes = 60;

export const scheduler: Component<SchedulerState> = {
  reportsAs: ownName,
  watches: [
    { resource: 'pods' }, { resource: 'nodes' }, { resource: 'namespaces' }, { resource: 'services' }, { resource: 'replicasets.apps' }, { resource: 'statefulsets.apps' },
    { resource: 'replicationcontrollers' }, { resource: 'persistentvolumeclaims' }, { resource: 'persistentvolumes' }, { resource: 'storageclasses.storage.k8s.io' },
    { resource: 'poddisruptionbudgets.policy' },
  ],
  start: createSchedulerState,
  handle: (state, event, context) => {
    switch (event.kind) {
      case 'watch':
        for (const change of (event.payload as { changes: WatchChange[] }).changes) observe(state, change, context);
        break;
      case 'cycle':
        state.cycleDue = false;
        scheduleOne(state, context);
        break;
      case 'bound':
        bound(state, event.payload as BoundReply, context);
        break;
      case 'marked':
        marked(event.payload as MarkedReply, context);
        break;
      case 'flush':
        state.queue.flushAt = null;
        for (const uid of leftovers(state.queue, context.now)) requeue(state.queue, uid, context.now);
        armFlush(state, context);
        break;
    }
    continueWork(state, context);
  },
};

interface BoundReply {
  pod: Pod;
  node: string;
  response: ApiResponse;
}

/** One cycle at a time; a millisecond or so each. */
function continueWork(state: SchedulerState, context: Context): void {
  const { queue } = state;
  if (state.cycleDue) return;
  if (queue.active.length > 0 || queue.backoff.some((uid) => queue.pods[uid]?.isError === false)) {
    state.cycleDue = true;
    context.schedule({ afterMs: context.random('cycle').between(1, 2), kind: 'cycle' });
    return;
  }
  const [first] = queue.backoff;
  if (first === undefined) return;
  const until = (queue.pods[first] as QueuedPod).backoffUntil;
  context.schedule({ afterMs: Math.max(1, until - context.now), kind: 'wake', key: 'wake' });
}

function observe(state: SchedulerState, change: WatchChange, context: Context): void {
  if (change.resource === 'pods') observePod(state, change as WatchChange<'pods'>, context);
  else if (change.resource === 'nodes') observeNode(state, change as WatchChange<'nodes'>, context);
  else if (['persistentvolumeclaims', 'persistentvolumes', 'storageclasses.storage.k8s.io'].includes(change.resource)) {
    if (change.type !== 'DELETED') wake(state, { kind: 'storage', object: change.object as ApiObject }, context);
  }
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
    forgetPod(state, object);
    if (takesRoom(object)) leaveNode(state, object, context);
    return;
  }
  if (!has && !had) return observeWaiting(state, object, previous, context);
  if (has) {
    const assumed = state.assumed[uid];
    if (assumed !== undefined) {
      removePod(state, assumed.pod, assumed.node);
      delete state.assumed[uid];
    }
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

function forgetPod(state: SchedulerState, pod: Pod): void {
  const { uid } = pod.metadata;
  removeQueued(state.queue, uid);
  delete state.nominated[uid];
  const assumed = state.assumed[uid];
  if (assumed === undefined) return;
  removePod(state, assumed.pod, assumed.node);
  delete state.assumed[uid];
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

const noNodes = 'NoNodes';

function scheduleOne(state: SchedulerState, context: Context): void {
  const { queue } = state;
  const uid = popPod(queue, context.now);
  if (uid === undefined) return;
  const { namespace, name } = queue.pods[uid] as QueuedPod;
  const pod = context.view.get('pods', namespace, name);
  if (pod === undefined || pod.metadata.uid !== uid) return removeQueued(queue, uid);
  if (pod.metadata.deletionTimestamp !== undefined) {
    removeQueued(queue, uid);
    return report(context, pod, 'Warning', 'FailedScheduling', 'Scheduling', `skip schedule deleting pod: ${podText(pod)}`);
  }
  const random = (bound: number) => context.random('choice').below(bound);
  const cycle = startCycle(pod, state, context);
  const outcome = schedule(cycle, random);
  if (outcome.node !== undefined) return bind(state, pod, outcome, context);
  const helped = outcome.nodeCount === 0 || outcome.preFilter !== undefined ? undefined : preempt(cycle, outcome, random);
  fail(state, pod, outcome, helped, context);
}

/** Upstream: schedule_one.go assume, bindingCycle. */
function bind(state: SchedulerState, pod: Pod, outcome: Outcome, context: Context): void {
  const { uid, namespace = '', name } = pod.metadata;
  const node = outcome.node as string;
  placePod(state, pod, node);
  state.assumed[uid] = { node, pod };
  delete state.nominated[uid];
  note(context, pod, outcome, 'bound');
  context.api({
    verb: 'create', resource: 'pods', namespace, name, subresource: 'binding',
    object: { apiVersion: 'v1', kind: 'Binding', metadata: { name, namespace, uid }, target: { kind: 'Node', name: node } },
  }, { kind: 'bound', payload: { pod, node } });
}

function bound(state: SchedulerState, { pod, node, response }: BoundReply, context: Context): void {
  const { uid } = pod.metadata;
  const assumed = state.assumed[uid];
  const waiting = state.queue.pods[uid];
  if (response.code < 400) {
    removeQueued(state.queue, uid);
    return report(context, pod, 'Normal', 'Scheduled', 'Binding', `Successfully assigned ${podText(pod)} to ${node}`);
  }
  if (assumed === undefined) return;
  removePod(state, assumed.pod, assumed.node);
  delete state.assumed[uid];
  if (waiting === undefined || response.code === 404) return removeQueued(state.queue, uid);
  failedOnce(waiting, true, context.now);
  requeue(state.queue, uid, context.now);
  const message = `running Bind plugin DefaultBinder: ${response.status?.message ?? ''}`;
  report(context, assumed.pod, 'Warning', 'FailedScheduling', 'Scheduling', message);
  writeCondition(assumed.pod, 'SchedulerError', message, undefined, context);
}

/** Upstream: schedule_one.go handleSchedulingFailure. */
function fail(state: SchedulerState, pod: Pod, outcome: Outcome, helped: Preemption | undefined, context: Context): void {
  const { queue } = state;
  const { uid } = pod.metadata;
  const waiting = queue.pods[uid] as QueuedPod;
  const { preFilter, rejections, nodeCount } = outcome;
  const base = nodeCount === 0 ? 'no nodes available to schedule pods'
    : preFilter !== undefined ? `0/${nodeCount} nodes are available: ${preFilter.reasons.join(', ')}. not found`
      : fitError(nodeCount, reasonsOf(rejections.values()));
  const message = helped === undefined ? base : `${base} ${helped.text}`;
  failedOnce(waiting, false, context.now);
  const rejecting = new Set<string>(preFilter === undefined ? [] : [preFilter.plugin]);
  for (const { plugin } of rejections.values()) rejecting.add(plugin);
  park(queue, uid, nodeCount === 0 ? [noNodes] : [...rejecting], context.now);
  armFlush(state, context);
  report(context, pod, 'Warning', 'FailedScheduling', 'Scheduling', message);
  note(context, pod, outcome, 'unschedulable', message);
  if (helped?.node !== undefined) {
    const { namespace = '', name } = pod.metadata;
    state.nominated[uid] = { node: helped.node, namespace, name, priority: priorityOf(pod) };
    evict(pod, helped, context);
  } else if (helped?.clearNomination === true) delete state.nominated[uid];
  writeCondition(pod, 'Unschedulable', message, helped?.node ?? (helped?.clearNomination === true ? '' : undefined), context);
}

/** Upstream: pkg/scheduler/framework/preemption PreemptPod. */
function evict(pod: Pod, { victims, node }: Preemption, context: Context): void {
  for (const victim of victims) {
    const { namespace = '', name, generation } = victim.metadata;
    const condition: PodCondition = {
      type: 'DisruptionTarget', status: 'True', reason: 'PreemptionByScheduler', message: `${ownName}: preempting to accommodate a higher priority pod`, lastTransitionTime: context.timestamp,
      ...(generation === undefined ? {} : { observedGeneration: generation }),
    };
    context.api({ verb: 'patch', resource: 'pods', namespace, name, subresource: 'status', patch: { type: 'strategic', body: { metadata: { uid: victim.metadata.uid }, status: { conditions: [condition] } } } },
      { kind: 'marked', payload: { victim, by: pod.metadata.uid, node } });
  }
}

interface MarkedReply {
  victim: Pod;
  by: string;
  node: string;
  response: ApiResponse;
}

/** The victim bears its condition: now it is deleted. */
function marked({ victim, by, node, response }: MarkedReply, context: Context): void {
  if (response.code >= 400) return;
  const { namespace = '', name, uid } = victim.metadata;
  context.api({ verb: 'delete', resource: 'pods', namespace, name, options: { preconditions: { uid } } });
  report(context, victim, 'Normal', 'Preempted', 'Preempting', `Preempted by pod ${by} on node ${node}`);
}

function writeCondition(pod: Pod, reason: string, message: string, nominated: string | undefined, context: Context): void {
  const { namespace = '', name, uid, generation } = pod.metadata;
  const next: PodCondition = {
    type: 'PodScheduled', status: 'False', reason, message, lastTransitionTime: context.timestamp, ...(generation === undefined ? {} : { observedGeneration: generation }),
  };
  const known = pod.status.conditions ?? [];
  const conditions = setCondition(known, next);
  const nominationChanges = nominated !== undefined && nominated !== (pod.status.nominatedNodeName ?? '');
  if (conditions === known && !nominationChanges) return;
  const condition = findCondition(conditions, 'PodScheduled') as PodCondition;
  const status = { conditions: [condition], ...(nominationChanges ? { nominatedNodeName: nominated === '' ? null : nominated } : {}) };
  context.api({ verb: 'patch', resource: 'pods', namespace, name, subresource: 'status', patch: { type: 'strategic', body: { metadata: { uid }, status } } });
}

function armFlush({ queue }: SchedulerState, context: Context): void {
  if (queue.flushAt !== null) return;
  let earliest = Infinity;
  for (const uid in queue.pods) {
    const pod = queue.pods[uid] as QueuedPod;
    if (pod.where === 'unschedulable' && !pod.plugins.includes('SchedulingGates')) earliest = Math.min(earliest, pod.at);
  }
  if (earliest === Infinity) return;
  queue.flushAt = flushTick(earliest);
  context.schedule({ afterMs: Math.max(1, queue.flushAt - context.now), kind: 'flush', key: 'flush' });
}

function report(context: Context, pod: Pod, type: 'Normal' | 'Warning', reason: string, action: string, message: string): void {
  const { namespace = '', name, uid, resourceVersion } = pod.metadata;
  const regarding: EventInput['regarding'] = { apiVersion: 'v1', kind: 'Pod', namespace, name, uid, resourceVersion };
  context.event({ regarding, type, reason, message, action });
}

function note(context: Context, pod: Pod, { node, rejections, scored, tied }: Outcome, outcome: SchedulingDecision['outcome'], message?: string): void {
  const nodes: SchedulingDecision['nodes'] = [];
  for (const entry of scored) nodes.push({ node: entry.node, scores: entry.scores, total: entry.total });
  if (scored.length === 0 && node !== undefined) nodes.push({ node });
  if (nodes.length > notedNodes) nodes.sort((a, b) => (b.total ?? 0) - (a.total ?? 0)).length = notedNodes;
  for (const [refused, { plugin, reasons }] of rejections) {
    if (nodes.length >= notedNodes) break;
    nodes.push({ node: refused, filter: plugin, reason: reasons.join(', ') });
  }
  context.note('scheduling', {
    podUid: pod.metadata.uid, outcome, nodes,
    ...(node === undefined ? {} : { node }), ...(message === undefined ? {} : { message }), ...(tied.length === 0 ? {} : { tied: tied.slice(0, notedNodes) }),
  });
}
