import { tolerationFor } from '../../../../api/core-v1/node-selection.ts';
import type { Node, Pod, PodCondition, Taint, Toleration } from '../../../../api/schema/types.ts';
import { samePlain } from '../../../../sim/plain.ts';
import type { ApiResponse, Component, Context, WatchChange } from '../../../component.ts';

interface Marked {
  namespace: string;
  name: string;
  startAt: number;
  fireAt: number;
}

export interface TaintEvictionState {
  /** Pods that are to be deleted, by uid. */
  marked: Record<string, Marked>;
}

/** Upstream: pkg/controller/tainteviction/taint_eviction.go. */
export const taintEviction: Component<TaintEvictionState> = {
  reportsAs: 'taint-eviction-controller',
  watches: [{ resource: 'nodes' }, { resource: 'pods' }],
  start: () => ({ marked: {} }),
  handle: (state, event, context) => {
    const payload = event.payload as { changes: WatchChange[]; uid: string; pod: Pod; response: ApiResponse };
    if (event.kind === 'watch') for (const change of payload.changes) observe(state, change, context);
    else if (event.kind === 'evict') evict(state, payload.uid, context);
    else if (event.kind === 'conditioned') deleteMarked(payload.pod, payload.response, context);
  },
};

const evicting = (node: Node | undefined): Taint[] => node?.spec.taints?.filter(({ effect }) => effect === 'NoExecute') ?? [];

function observe(state: TaintEvictionState, change: WatchChange, context: Context): void {
  if (change.resource === 'nodes') {
    const { type, object, previous } = change as WatchChange<'nodes'>;
    if (type === 'DELETED' || samePlain(evicting(previous), evicting(object))) return;
    const taints = evicting(object);
    for (const pod of context.view.by('pods', 'node', object.metadata.name)) consider(state, pod, taints, context);
    return;
  }
  const { type, object, previous } = change as WatchChange<'pods'>;
  if (type === 'DELETED') return forget(state, object.metadata.uid, context);
  const { nodeName } = object.spec;
  if (nodeName === undefined || nodeName === '') return;
  if (previous !== undefined && previous.spec.nodeName === nodeName && samePlain(previous.spec.tolerations, object.spec.tolerations)) return;
  const taints = evicting(context.view.get('nodes', undefined, nodeName));
  if (taints.length > 0 || state.marked[object.metadata.uid] !== undefined) consider(state, object, taints, context);
}

function forget(state: TaintEvictionState, uid: string, context: Context): void {
  if (state.marked[uid] === undefined) return;
  delete state.marked[uid];
  context.cancel(`evict ${uid}`);
}

function cancel(state: TaintEvictionState, pod: Pod, context: Context): void {
  if (state.marked[pod.metadata.uid] === undefined) return;
  forget(state, pod.metadata.uid, context);
  report(pod, `Cancelling deletion of Pod ${pod.metadata.namespace}/${pod.metadata.name}`, context);
}

/** Milliseconds that a pod may stay: 0 now, Infinity for ever. Upstream: GetMatchingTolerations, getMinTolerationTime. */
function stayMs(pod: Pod, taints: readonly Taint[]): number {
  const used: Toleration[] = [];
  for (const taint of taints) {
    const toleration = tolerationFor(pod.spec.tolerations, taint);
    if (toleration === undefined) return 0;
    used.push(toleration);
  }
  let least = Infinity;
  for (const { tolerationSeconds } of used) if (tolerationSeconds !== undefined) least = Math.min(least, Math.max(0, tolerationSeconds));
  return least * 1000;
}

function consider(state: TaintEvictionState, pod: Pod, taints: readonly Taint[], context: Context): void {
  const { uid, namespace = '', name } = pod.metadata;
  if (taints.length === 0) return cancel(state, pod, context);
  const stay = stayMs(pod, taints);
  if (stay === Infinity) return cancel(state, pod, context);
  const known = state.marked[uid];
  const startAt = known?.startAt ?? context.now;
  const fireAt = context.now + stay;
  // A longer stay than before changes nothing: the clock has been running since the first taint.
  if (known !== undefined && stay > 0 && startAt + stay < fireAt) return;
  state.marked[uid] = { namespace, name, startAt, fireAt };
  context.schedule({ afterMs: stay, kind: 'evict', payload: { uid }, key: `evict ${uid}` });
}

function evict(state: TaintEvictionState, uid: string, context: Context): void {
  const marked = state.marked[uid];
  if (marked === undefined) return;
  delete state.marked[uid];
  const pod = context.live.get('pods', marked.namespace, marked.name);
  if (pod === undefined || pod.metadata.uid !== uid || pod.metadata.deletionTimestamp !== undefined) return;
  report(pod, `Marking for deletion Pod ${marked.namespace}/${marked.name}`, context);
  const { generation } = pod.metadata;
  const condition: PodCondition = {
    type: 'DisruptionTarget', status: 'True', reason: 'DeletionByTaintManager', message: 'Taint manager: deleting due to NoExecute taint', lastTransitionTime: context.timestamp,
    ...(generation === undefined ? {} : { observedGeneration: generation }),
  };
  context.api({
    verb: 'patch', resource: 'pods', namespace: marked.namespace, name: marked.name, subresource: 'status',
    patch: { type: 'strategic', body: { metadata: { uid }, status: { conditions: [condition] } } },
  }, { kind: 'conditioned', payload: { pod } });
}

function deleteMarked({ metadata }: Pod, response: ApiResponse, context: Context): void {
  if (response.code < 400) context.api({ verb: 'delete', resource: 'pods', namespace: metadata.namespace as string, name: metadata.name });
}

function report(pod: Pod, message: string, context: Context): void {
  const { namespace = '', name, uid } = pod.metadata;
  context.event({ regarding: { apiVersion: 'v1', kind: 'Pod', namespace, name, uid }, type: 'Normal', reason: 'TaintManagerEviction', message });
}
