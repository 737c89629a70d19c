import { controllerOf } from '../../../../api/meta/owners.ts';
import { selectorMatches } from '../../../../api/meta/selectors.ts';
import type { PodTemplateSpec, Pod, StatefulSet, StatefulSetStatus } from '../../../../api/schema/types.ts';
import { samePlain } from '../../../../sim/plain.ts';
import type { ApiRequest, Component, Context, WatchChange } from '../../../component.ts';
import {
  controller, createControllerState, enqueue, enqueueAfter, errorText, failed, namespaceTerminating, regarding, type ControllerState, type Reply, type Step,
} from '../../controller.ts';
import { currentRevision, revisionsOf, surplusRevisions, templateOf } from '../../history.ts';
import { queueKey, splitQueueKey } from '../../workqueue.ts';
import { availableAt } from '../replicaset/status.ts';
import { ownerOf } from '../replicaset/tally.ts';
import { isAvailable, isGoing, isHealthy, isRunningAndReady, isTerminal, missingClaims, ordinalOf, podName, podRequest, revisionOfPod } from './pods.ts';

export const statefulSet: Component<ControllerState> = controller<ControllerState>({
  reportsAs: 'statefulset-controller',
  watches: [{ resource: 'statefulsets.apps' }, { resource: 'pods', controller: 'StatefulSet' }, { resource: 'controllerrevisions.apps' }, { resource: 'persistentvolumeclaims' }],
  start: createControllerState,
  observe,
  sync,
  replied,
});

function observe({ queue }: ControllerState, change: WatchChange, context: Context): void {
  if (change.resource === 'statefulsets.apps') {
    if (change.type !== 'DELETED') enqueue(queue, queueKey(change.object), context);
  } else if (change.resource === 'controllerrevisions.apps') {
    const owner = controllerOf(change.object);
    if (owner?.kind === 'StatefulSet') enqueue(queue, `${change.object.metadata.namespace}/${owner.name}`, context);
  } else if (change.resource === 'pods') {
    const { object, previous } = change as WatchChange<'pods'>;
    for (const pod of previous === undefined ? [object] : [object, previous]) {
      const owner = ownerOf(pod, 'StatefulSet');
      if (owner !== undefined) enqueue(queue, owner.key, context);
    }
    if (change.type !== 'DELETED' && controllerOf(object) === undefined && previous === undefined) orphan(queue, object, context);
  }
}

function orphan(queue: ControllerState['queue'], pod: Pod, context: Context): void {
  for (const set of context.view.list('statefulsets.apps', pod.metadata.namespace)) if (selectorMatches(set.spec.selector, pod.metadata.labels)) enqueue(queue, queueKey(set), context);
}

/** The replicas by place, those beyond the wanted ones, and the revisions. */
interface Picture {
  set: StatefulSet;
  pods: Pod[];
  first: number;
  replicas: (Pod | undefined)[];
  condemned: Pod[];
  current: string;
  update: string;
  currentTemplate: PodTemplateSpec;
  nowMs: number;
}

/** One action, and what the counts become by it. */
interface Action {
  steps: Step[];
  created?: string;
  deleted?: Pod;
}

const waiting: Action = { steps: [] };

/** Upstream: pkg/controller/statefulset/stateful_set_control.go performUpdate. */
function sync(_state: ControllerState, key: string, context: Context): Step[] {
  const { namespace, name } = splitQueueKey(key);
  const set = context.view.get('statefulsets.apps', namespace, name);
  if (set === undefined) return [];
  const revisions = revisionsOf(context.view, set);
  const { revision, steps } = currentRevision(set, revisions, 'controller.kubernetes.io/hash');
  if (revision === undefined || steps.length > 0) return steps;
  const update = revision.metadata.name;
  const current = set.status?.currentRevision || update;
  const pods = context.view.by('pods', 'owner', set.metadata.uid).filter((pod) => ordinalOf(pod, set) !== undefined);
  const first = set.spec.ordinals?.start ?? 0;
  const count = set.spec.replicas ?? 1;
  const place = (pod: Pod) => (ordinalOf(pod, set) as number) - first;
  const picture: Picture = {
    set, pods, first, current, update, nowMs: context.epochMs,
    replicas: Array.from({ length: count }, (_, index) => pods.find((pod) => place(pod) === index)),
    condemned: pods.filter((pod) => place(pod) < 0 || place(pod) >= count).sort((a, b) => place(b) - place(a)),
    currentTemplate: templateOf(revisions.find(({ metadata }) => metadata.name === current)) ?? set.spec.template,
  };
  const action = set.metadata.deletionTimestamp === undefined ? nextAction(picture, context) : waiting;
  lookAgain(picture, key, context);
  const status = statusStep(picture, action);
  const used = new Set([current, update, ...pods.map(revisionOfPod)]);
  return [...action.steps, ...status, ...(action.steps.length + status.length === 0 ? surplusRevisions(set, revisions, used) : [])];
}

function nextAction(picture: Picture, context: Context): Action {
  const { set, replicas, condemned, first, nowMs } = picture;
  const inTurn = set.spec.podManagementPolicy !== 'Parallel';
  const steps: Step[] = [];
  for (let index = 0; index < replicas.length; index++) {
    const pod = replicas[index];
    if (pod === undefined) {
      const action = create(picture, first + index, context);
      if (inTurn) return action;
      steps.push(...action.steps);
    } else if (isTerminal(pod) && !isGoing(pod)) {
      const action = remove(pod);
      if (inTurn) return action;
      steps.push(...action.steps);
    } else if (inTurn && (isGoing(pod) || !isRunningAndReady(pod) || !isAvailable(pod, set, nowMs))) return waiting;
  }
  if (steps.length > 0) return { steps };
  const lowestUnhealthy = [...replicas, ...[...condemned].reverse()].find((pod) => pod !== undefined && !isHealthy(pod));
  for (const pod of condemned) {
    if (isGoing(pod)) {
      if (inTurn) return waiting;
      continue;
    }
    if (inTurn && !isRunningAndReady(pod) && pod !== lowestUnhealthy) return waiting;
    const action = remove(pod);
    if (inTurn) return action;
    steps.push(...action.steps);
  }
  return steps.length > 0 ? { steps } : update(picture);
}

/** From the highest ordinal down to the partition, as many at a time as may be missing. */
function update(picture: Picture): Action {
  const { set, replicas, update: wanted, nowMs } = picture;
  if (set.spec.updateStrategy?.type === 'OnDelete') return waiting;
  const { partition = 0, maxUnavailable = 1 } = set.spec.updateStrategy?.rollingUpdate ?? {};
  const allowed = typeof maxUnavailable === 'number' ? maxUnavailable : Math.max(1, Math.ceil((Number(maxUnavailable.slice(0, -1)) * replicas.length) / 100));
  let missing = replicas.filter((pod) => pod === undefined || isGoing(pod) || !isAvailable(pod, set, nowMs)).length;
  for (let index = replicas.length - 1; index >= partition - picture.first && index >= 0; index--) {
    const pod = replicas[index];
    if (pod === undefined || isGoing(pod)) continue;
    if (revisionOfPod(pod) !== wanted) {
      const broken = !isAvailable(pod, set, nowMs);
      if (!broken && missing >= allowed) return waiting;
      return remove(pod);
    }
    if (!isHealthy(pod) && ++missing > allowed) return waiting;
  }
  return waiting;
}

function create(picture: Picture, ordinal: number, { view }: Context): Action {
  const { set, current, update: wanted, currentTemplate, first } = picture;
  const partition = set.spec.updateStrategy?.rollingUpdate?.partition;
  const old = set.spec.updateStrategy?.type !== 'OnDelete'
    && (partition === undefined ? ordinal < first + (set.status?.currentReplicas ?? 0) : ordinal < first + partition);
  const revision = old ? current : wanted;
  const claims = missingClaims(view, set, ordinal);
  const pod = podRequest(set, old ? currentTemplate : set.spec.template, revision, ordinal);
  return { steps: [...(claims.length === 0 ? [] : [{ kind: 'claim', requests: claims, data: podName(set, ordinal) }]), { kind: 'create', requests: [pod], data: podName(set, ordinal) }], created: revision };
}

function remove(pod: Pod): Action {
  const { namespace = '', name } = pod.metadata;
  return { steps: [{ kind: 'delete', requests: [{ verb: 'delete', resource: 'pods', namespace, name }], data: name }], deleted: pod };
}

/** Upstream: updateStatefulSet's counts, completeRollingUpdate. */
function statusStep(picture: Picture, { created, deleted }: Action): Step[] {
  const { set, pods, current, update: wanted, nowMs } = picture;
  const standing = pods.filter((pod) => !isGoing(pod) && pod !== deleted);
  const of = (revision: string) => standing.filter((pod) => revisionOfPod(pod) === revision).length + (created === revision ? 1 : 0);
  const replicas = pods.length + (created === undefined ? 0 : 1);
  const ready = pods.filter(isRunningAndReady).length;
  const updated = of(wanted);
  const done = updated === replicas && ready === replicas && set.spec.updateStrategy?.type !== 'OnDelete';
  const numbers: [keyof StatefulSetStatus, number][] = [['readyReplicas', ready], ['currentReplicas', done ? updated : of(current)], ['updatedReplicas', updated]];
  const status: StatefulSetStatus = {
    observedGeneration: set.metadata.generation ?? 0,
    replicas,
    ...Object.fromEntries(numbers.filter(([, value]) => value > 0)),
    availableReplicas: pods.filter((pod) => isAvailable(pod, set, nowMs)).length,
    currentRevision: done ? wanted : current,
    updateRevision: wanted,
    collisionCount: set.status?.collisionCount ?? 0,
  };
  if (samePlain(status, set.status)) return [];
  const { namespace = '', name } = set.metadata;
  return [{ kind: 'status', requests: [{ verb: 'update', resource: 'statefulsets.apps', namespace, name, subresource: 'status', object: { ...set, status } }] }];
}

/** At the moment at which the next pod has been ready long enough. */
function lookAgain({ set, pods, nowMs }: Picture, key: string, context: Context): void {
  const minReady = set.spec.minReadySeconds ?? 0;
  if (minReady === 0) return;
  const next = Math.min(...pods.map((pod) => availableAt(pod, minReady) ?? Infinity).filter((at) => at > nowMs));
  if (next !== Infinity) enqueueAfter(key, next - nowMs, context);
}

function replied(_state: ControllerState, key: string, { step, request, response }: Reply, context: Context): boolean | void {
  const { namespace, name } = splitQueueKey(key);
  const set = context.view.get('statefulsets.apps', namespace, name);
  const verb = step.kind === 'delete' ? 'Delete' : 'Create';
  if (set === undefined || !['claim', 'create', 'delete'].includes(step.kind) || namespaceTerminating(response)) return step.kind === 'trim' || (step.kind === 'revision' && response.code === 409);
  if (step.kind === 'delete' && response.code === 404) return true;
  const pod = step.data as string;
  const claim = step.kind === 'claim' ? `Claim ${claimOf(request)} ` : '';
  const what = `${verb} ${claim}Pod ${pod} in StatefulSet ${name}`;
  if (failed(response)) {
    context.event({ regarding: regarding(set), type: 'Warning', reason: `Failed${verb}`, message: `${what} failed error: ${errorText(response)}` });
    return;
  }
  context.event({ regarding: regarding(set), type: 'Normal', reason: `Successful${verb}`, message: `${what} ${claim === '' ? 'successful' : 'success'}` });
}

const claimOf = ({ object }: ApiRequest): string => object?.metadata?.name ?? '';
