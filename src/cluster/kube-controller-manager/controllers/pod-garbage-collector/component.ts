import type { Pod, PodCondition } from '../../../../api/schema/types.ts';
import { compareText } from '../../../../sim/plain.ts';
import { readyStatus } from '../node-lifecycle/taints.ts';
import type { ApiResponse, Component, Context, WatchChange } from '../../../component.ts';

/** Upstream: pkg/controller/podgc/gc_controller.go gcCheckPeriod, quarantineTime; kube-controller-manager --terminated-pod-gc-threshold. */
const periodMs = 20_000;
const quarantineMs = 40_000;
const threshold = 12_500;

export interface PodGcState {
  phase: number;
  /** Pods that ended, in whatever namespace. */
  ended: number;
  /** Nodes that pods name and that are gone: the tick from which on their pods are removed. */
  missing: Record<string, number>;
  dueAt: number | null;
}

/** Looks every 20 s upstream; here only at the ticks that have something to find. */
export const podGarbageCollector: Component<PodGcState> = {
  reportsAs: 'pod-garbage-collector',
  watches: [{ resource: 'pods' }, { resource: 'nodes' }],
  start: (context) => ({ phase: context.random('phase').below(periodMs), ended: 0, missing: {}, dueAt: null }),
  handle: (state, event, context) => {
    if (event.kind === 'watch') for (const change of (event.payload as { changes: WatchChange[] }).changes) observe(state, change, context);
    else if (event.kind === 'tick') tick(state, context);
    else if (event.kind === 'failed') deleteNow((event.payload as { pod: Pod; response: ApiResponse }).pod, context);
  },
};

const isEnded = ({ status }: Pod): boolean => status.phase === 'Succeeded' || status.phase === 'Failed';
const tickAfter = ({ phase }: PodGcState, time: number): number => (Math.floor((time - phase) / periodMs) + 1) * periodMs + phase;

function lookAt(state: PodGcState, at: number, context: Context): void {
  if (state.dueAt !== null && state.dueAt <= at) return;
  state.dueAt = at;
  context.schedule({ afterMs: Math.max(0, at - context.now), kind: 'tick', key: 'tick' });
}

function observe(state: PodGcState, change: WatchChange, context: Context): void {
  const next = tickAfter(state, context.now);
  if (change.resource === 'nodes') {
    const { type, object } = change as WatchChange<'nodes'>;
    const { name } = object.metadata;
    if (type === 'ADDED') delete state.missing[name];
    else if (type === 'DELETED') quarantine(state, name, context);
    else if (object.spec.taints?.some(({ key }) => key === 'node.kubernetes.io/out-of-service') === true) lookAt(state, next, context);
    return;
  }
  const { type, object, previous } = change as WatchChange<'pods'>;
  state.ended += (type !== 'DELETED' && isEnded(object) ? 1 : 0) - (previous !== undefined && isEnded(previous) ? 1 : type === 'DELETED' && isEnded(object) ? 1 : 0);
  if (state.ended > threshold) lookAt(state, next, context);
  const { nodeName } = object.spec;
  if (type === 'DELETED') return;
  if (nodeName === undefined || nodeName === '') {
    if (object.metadata.deletionTimestamp !== undefined) lookAt(state, next, context);
  } else if ((previous === undefined || previous.spec.nodeName !== nodeName) && context.view.get('nodes', undefined, nodeName) === undefined) quarantine(state, nodeName, context);
}

function quarantine(state: PodGcState, node: string, context: Context): void {
  if (state.missing[node] !== undefined) return;
  state.missing[node] = tickAfter(state, context.now) + quarantineMs;
  lookAt(state, state.missing[node], context);
}

function tick(state: PodGcState, context: Context): void {
  state.dueAt = null;
  const { view, now } = context;
  trimEnded(state, context);
  for (const node in state.missing) {
    const at = state.missing[node] as number;
    if (at > now) {
      lookAt(state, at, context);
      continue;
    }
    delete state.missing[node];
    if (context.live.get('nodes', undefined, node) !== undefined) continue;
    for (const pod of view.by('pods', 'node', node)) fail(pod, 'PodGC: node no longer exists', context);
  }
  for (const pod of view.by('pods', 'node', '')) if (pod.metadata.deletionTimestamp !== undefined) fail(pod, undefined, context);
  for (const node of view.list('nodes')) {
    if (readyStatus(node) === 'True' || node.spec.taints?.some(({ key }) => key === 'node.kubernetes.io/out-of-service') !== true) continue;
    for (const pod of view.by('pods', 'node', node.metadata.name)) if (pod.metadata.deletionTimestamp !== undefined) fail(pod, undefined, context);
  }
}

/** Of too many ended pods the oldest go, evicted ones first. */
function trimEnded(state: PodGcState, context: Context): void {
  const surplus = state.ended - threshold;
  if (surplus <= 0) return;
  const ended = ['Succeeded', 'Failed'].flatMap((phase) => context.view.by('pods', 'phase', phase));
  const evicted = ({ status }: Pod) => (status.reason === 'Evicted' ? 0 : 1);
  ended.sort((a, b) => evicted(a) - evicted(b) || compareText(a.metadata.creationTimestamp, b.metadata.creationTimestamp) || compareText(a.metadata.name, b.metadata.name));
  for (const pod of ended.slice(0, surplus)) deleteNow(pod, context);
}

/** Upstream: markFailedAndDeletePodWithCondition. */
function fail(pod: Pod, message: string | undefined, context: Context): void {
  if (isEnded(pod)) return deleteNow(pod, context);
  const { namespace = '', name, uid, generation } = pod.metadata;
  const condition: PodCondition = {
    type: 'DisruptionTarget', status: 'True', reason: 'DeletionByPodGC', message: message ?? '', lastTransitionTime: context.timestamp, ...(generation === undefined ? {} : { observedGeneration: generation }),
  };
  const status = { phase: 'Failed', ...(message === undefined ? {} : { conditions: [condition] }) };
  context.api({ verb: 'patch', resource: 'pods', namespace, name, subresource: 'status', patch: { type: 'strategic', body: { metadata: { uid }, status } } }, { kind: 'failed', payload: { pod } });
}

function deleteNow({ metadata }: Pod, context: Context): void {
  const { namespace = '', name, uid } = metadata;
  context.api({ verb: 'delete', resource: 'pods', namespace, name, options: { gracePeriodSeconds: 0, preconditions: { uid } } });
}
