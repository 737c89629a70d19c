import { controllerOf, controllerReference } from '../../../../api/meta/owners.ts';
import { selectorMatches } from '../../../../api/meta/selectors.ts';
import type { ApiObject } from '../../../../api/resources.ts';
import type { Pod, ReplicaSet } from '../../../../api/schema/types.ts';
import { samePlain } from '../../../../sim/plain.ts';
import type { ApiRequest, Component, Context, WatchChange } from '../../../component.ts';
import {
  controller, createControllerState, enqueue, enqueueAfter, errorText, failed, namespaceTerminating, regarding, type ControllerState, type Reply, type Step,
} from '../../controller.ts';
import { queueKey, splitQueueKey } from '../../workqueue.ts';
import { claimRequests } from './claim.ts';
import { availability, nextStatus, type Counts, type Failure } from './status.ts';
import { count, emptyTally, isActive, ownerOf, recount, type Tally } from './tally.ts';
import { chooseVictims } from './victims.ts';

/** Upstream: pkg/controller/replicaset/replica_set.go BurstReplicas, SlowStartInitialBatchSize. */
const burst = 500;

export interface ReplicaSetState extends ControllerState {
  /** By uid of the ReplicaSet. */
  tallies: Record<string, Tally>;
  /** Pods asked to be deleted whose deletion has not been seen yet, by key of the ReplicaSet. */
  deleting: Record<string, Record<string, true>>;
  /** Keys whose pods may have to be adopted or released. */
  claims: Record<string, true>;
  failures: Record<string, Failure>;
}

export const replicaSet: Component<ReplicaSetState> = controller<ReplicaSetState>({
  reportsAs: 'replicaset-controller',
  watches: [{ resource: 'replicasets.apps' }, { resource: 'pods', controller: 'ReplicaSet' }],
  start: () => ({ ...createControllerState(), tallies: {}, deleting: {}, claims: {}, failures: {} }),
  observe: (state, change, context) => {
    if (change.resource === 'pods') observePod(state, change as WatchChange<'pods'>, context);
    else observeSet(state, change as WatchChange<'replicasets.apps'>, context);
  },
  sync,
  build: (state, key, step, context) => (step.kind === 'status' ? statusRequest(state, key, step.data as Counts, context) : []),
  replied,
  // The rest of the batches is given up; the status is still written.
  afterFailure: (_state, _key, step, rest) => (step.kind === 'status' ? [] : rest.filter(({ kind }) => kind === 'status')),
});

function observeSet(state: ReplicaSetState, { type, object, previous }: WatchChange<'replicasets.apps'>, context: Context): void {
  const key = queueKey(object);
  const { uid } = object.metadata;
  if (type === 'DELETED') {
    delete state.tallies[uid];
    delete state.deleting[key];
    delete state.failures[key];
    delete state.claims[key];
    return;
  }
  if (type === 'ADDED') {
    state.claims[key] = true;
    state.tallies[uid] ??= emptyTally();
  } else if (previous !== undefined && !samePlain(previous.spec.template?.metadata?.labels, object.spec.template?.metadata?.labels)) {
    state.tallies[uid] = recount(context.view.by('pods', 'owner', uid), object);
  }
  enqueue(state.queue, key, context);
}

function observePod(state: ReplicaSetState, { type, object, previous }: WatchChange<'pods'>, context: Context): void {
  const owner = ownerOf(object, 'ReplicaSet');
  const before = previous === undefined ? undefined : ownerOf(previous, 'ReplicaSet');
  if (before !== undefined) tallyUp(state, previous as Pod, before, -1, context);
  if (owner !== undefined) {
    if (type !== 'DELETED') tallyUp(state, object, owner, 1, context);
    else tallyUp(state, object, owner, -1, context);
    if (type === 'DELETED' || object.metadata.deletionTimestamp !== undefined) forget(state, owner.key, object.metadata.uid);
    if (previous !== undefined && !isSelected(object, owner.key, context)) state.claims[owner.key] = true;
    if (previous === undefined || before?.uid !== owner.uid || matters(previous, object)) enqueue(state.queue, owner.key, context);
  }
  if (before !== undefined && before.uid !== owner?.uid) enqueue(state.queue, before.key, context);
  if (type !== 'DELETED' && controllerOf(object) === undefined && object.metadata.labels !== undefined && isActive(object)) orphan(state, object, previous, context);
}

/** An owned pod that its set selects no more is to be let go. */
function isSelected({ metadata }: Pod, key: string, { view }: Context): boolean {
  const { namespace, name } = splitQueueKey(key);
  const set = view.get('replicasets.apps', namespace, name);
  return set === undefined || selectorMatches(set.spec.selector, metadata.labels);
}

/** A pod without a controller: every set that selects it looks. */
function orphan(state: ReplicaSetState, pod: Pod, previous: Pod | undefined, context: Context): void {
  const unchanged = previous !== undefined && samePlain(previous.metadata.labels, pod.metadata.labels) && controllerOf(previous) === undefined;
  if (unchanged) return;
  for (const set of context.view.list('replicasets.apps', pod.metadata.namespace)) {
    if (!selectorMatches(set.spec.selector, pod.metadata.labels)) continue;
    state.claims[queueKey(set)] = true;
    enqueue(state.queue, queueKey(set), context);
  }
}

function tallyUp(state: ReplicaSetState, pod: Pod, owner: { uid: string; key: string }, sign: 1 | -1, context: Context): void {
  const tally = (state.tallies[owner.uid] ??= emptyTally());
  const { namespace, name } = splitQueueKey(owner.key);
  const set = context.view.get('replicasets.apps', namespace, name);
  count(tally, pod, set?.metadata.uid === owner.uid ? set : undefined, sign);
  const { active, ready, labeled, terminating } = tally;
  if (set === undefined && active === 0 && ready === 0 && labeled === 0 && terminating === 0) delete state.tallies[owner.uid];
}

/** Whether a change of a pod can change anything for its set: the rest of its life is not looked at. */
function matters(before: Pod, after: Pod): boolean {
  const a = emptyTally();
  const b = emptyTally();
  count(a, before, undefined, 1);
  count(b, after, undefined, 1);
  return a.active !== b.active || a.ready !== b.ready || a.terminating !== b.terminating || !samePlain(before.metadata.labels, after.metadata.labels);
}

function forget(state: ReplicaSetState, key: string, uid: string): void {
  const expected = state.deleting[key];
  if (expected === undefined) return;
  delete expected[uid];
  for (const _ in expected) return;
  delete state.deleting[key];
}

/** Upstream: pkg/controller/replicaset/replica_set.go syncReplicaSet. */
function sync(state: ReplicaSetState, key: string, context: Context): Step[] {
  const { namespace, name } = splitQueueKey(key);
  const set = context.view.get('replicasets.apps', namespace, name);
  if (set === undefined) return [];
  const { uid } = set.metadata;
  if (state.claims[key] !== undefined) {
    delete state.claims[key];
    const claims = claimRequests(context.view, set, context.view.by('pods', 'owner', uid));
    if (claims.length > 0) return [{ kind: 'claim', requests: claims }];
  }
  const tally = (state.tallies[uid] ??= emptyTally());
  const steps = state.deleting[key] === undefined && set.metadata.deletionTimestamp === undefined ? manage(state, key, set, tally, context) : [];
  delete state.failures[key];
  steps.push({ kind: 'status', requests: [], data: counts(key, set, tally, context) });
  return steps;
}

function counts(key: string, set: ReplicaSet, tally: Tally, context: Context): Counts {
  const minReadySeconds = set.spec.minReadySeconds ?? 0;
  if (minReadySeconds === 0) return { ...tally, available: tally.ready };
  const { available, nextAt } = availability(context.view.by('pods', 'owner', set.metadata.uid), minReadySeconds, context.epochMs);
  if (nextAt !== undefined) enqueueAfter(key, nextAt - context.epochMs, context);
  return { ...tally, available };
}

/** Upstream: manageReplicas and slowStartBatch. */
function manage(state: ReplicaSetState, key: string, set: ReplicaSet, { active }: Tally, context: Context): Step[] {
  const diff = active - (set.spec.replicas ?? 1);
  const steps: Step[] = [];
  if (diff < 0) {
    const wanted = Math.min(-diff, burst);
    const request = createRequest(set);
    for (let done = 0, batch = 1; done < wanted; done += batch, batch = Math.min(2 * batch, wanted - done)) {
      steps.push({ kind: 'create', requests: Array.from({ length: batch }, () => request) });
    }
  } else if (diff > 0) {
    const { uid, namespace } = set.metadata;
    const pods = context.view.by('pods', 'owner', uid).filter(isActive);
    const victims = chooseVictims(pods, siblingsOf(set, pods, context), Math.min(diff, burst), context.epochMs);
    const expected: Record<string, true> = (state.deleting[key] = {});
    for (const { metadata } of victims) expected[metadata.uid] = true;
    steps.push({
      kind: 'delete',
      requests: victims.map(({ metadata }): ApiRequest => ({ verb: 'delete', resource: 'pods', namespace: namespace as string, name: metadata.name })),
      data: victims.map(({ metadata }) => metadata.uid),
    });
  }
  return steps;
}

function createRequest(set: ReplicaSet): ApiRequest {
  const { namespace = '', name } = set.metadata;
  const { metadata, spec } = set.spec.template ?? {};
  const prefix = `${name}-`;
  return {
    verb: 'create', resource: 'pods', namespace,
    object: {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        generateName: prefix,
        namespace,
        ownerReferences: [controllerReference(set)],
        ...(metadata?.labels === undefined ? {} : { labels: metadata.labels }),
        ...(metadata?.annotations === undefined ? {} : { annotations: metadata.annotations }),
        ...(metadata?.finalizers === undefined ? {} : { finalizers: metadata.finalizers }),
      },
      spec,
    },
  };
}

/** The active pods of all sets of the same Deployment. Upstream: getIndirectlyRelatedPods. */
function siblingsOf(set: ReplicaSet, own: readonly Pod[], { view }: Context): readonly Pod[] {
  const owner = controllerOf(set);
  if (owner === undefined) return own;
  return view.by('replicasets.apps', 'owner', owner.uid).flatMap((sibling) => (
    sibling.metadata.uid === set.metadata.uid ? own : view.by('pods', 'owner', sibling.metadata.uid).filter(isActive)
  ));
}

function replied(state: ReplicaSetState, key: string, { step, request, response }: Reply, context: Context): boolean | void {
  const { namespace, name } = splitQueueKey(key);
  const set = context.view.get('replicasets.apps', namespace, name);
  const report = (type: 'Normal' | 'Warning', reason: string, message: string) => {
    if (set !== undefined) context.event({ regarding: regarding(set), type, reason, message });
  };
  if (step.kind === 'create') {
    if (!failed(response)) report('Normal', 'SuccessfulCreate', `Created pod: ${(response.object as ApiObject).metadata.name}`);
    else if (!namespaceTerminating(response)) {
      report('Warning', 'FailedCreate', `Error creating: ${errorText(response)}`);
      state.failures[key] ??= { reason: 'FailedCreate', message: errorText(response) };
    } else return true;
  } else if (step.kind === 'delete') {
    if (!failed(response)) return report('Normal', 'SuccessfulDelete', `Deleted pod: ${request.name}`);
    const index = step.requests.indexOf(request);
    forget(state, key, (step.data as string[])[index] as string);
    if (response.code === 404) return true;
    report('Warning', 'FailedDelete', `Error deleting: ${errorText(response)}`);
    state.failures[key] ??= { reason: 'FailedDelete', message: errorText(response) };
  } else if (step.kind === 'claim') return response.code === 404;
}

function statusRequest(state: ReplicaSetState, key: string, counted: Counts, context: Context): ApiRequest[] {
  const { namespace, name } = splitQueueKey(key);
  const set = context.view.get('replicasets.apps', namespace, name);
  if (set === undefined) return [];
  const status = nextStatus(set, counted, state.failures[key], context.timestamp);
  if (status === undefined) return [];
  return [{ verb: 'update', resource: 'replicasets.apps', namespace, name, subresource: 'status', object: { ...set, status } }];
}
