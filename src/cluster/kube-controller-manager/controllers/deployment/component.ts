import { findCondition } from '../../../../api/meta/conditions.ts';
import { controllerOf } from '../../../../api/meta/owners.ts';
import { isEmptySelector, selectorMatches } from '../../../../api/meta/selectors.ts';
import type { Deployment, DeploymentCondition, DeploymentStatus, ReplicaSet } from '../../../../api/schema/types.ts';
import { samePlain } from '../../../../sim/plain.ts';
import type { ApiRequest, Component, Context, WatchChange } from '../../../component.ts';
import {
  controller, createControllerState, enqueue, enqueueAfter, errorText, failed, namespaceTerminating, regarding, type ControllerState, type Reply, type Step,
} from '../../controller.ts';
import { queueKey, splitQueueKey } from '../../workqueue.ts';
import { isActive, isTerminal, ownerOf } from '../replicaset/tally.ts';
import { maxRevision, newSetAnnotations, revisionAnnotation, revisionOf } from './annotations.ts';
import { replicasOf, sumStatus } from './arithmetic.ts';
import { isScalingEvent, resized, scaleAll, scaleNewSet, scaleOldSets, scaleSet, type Scaled } from './scale.ts';
import { activeOf, claimRequests, createSet, sameTemplate, setsOf, withSizes, type Sets } from './sets.ts';
import { calculateStatus, condition, deadlineAt, hasDeadline, isComplete, rolloutStatus, withCondition } from './status.ts';

export type DeploymentState = ControllerState;

export const deployment: Component<DeploymentState> = controller<DeploymentState>({
  reportsAs: 'deployment-controller',
  watches: [{ resource: 'deployments.apps' }, { resource: 'replicasets.apps' }, { resource: 'pods' }],
  start: createControllerState,
  observe,
  sync,
  build: (_state, key, step, context) => laterStatus(key, step, context),
  replied,
});

function observe(state: DeploymentState, change: WatchChange, context: Context): void {
  const { queue } = state;
  if (change.resource === 'deployments.apps') {
    if (change.type !== 'DELETED') enqueue(queue, queueKey(change.object), context);
  } else if (change.resource === 'replicasets.apps') observeSet(state, change as WatchChange<'replicasets.apps'>, context);
  else if (change.type === 'DELETED') recreateGoesOn(state, change as WatchChange<'pods'>, context);
}

function observeSet({ queue }: DeploymentState, { object, previous, type }: WatchChange<'replicasets.apps'>, context: Context): void {
  const namespace = object.metadata.namespace as string;
  for (const owner of [controllerOf(object), previous === undefined ? undefined : controllerOf(previous)]) {
    if (owner?.kind === 'Deployment') enqueue(queue, `${namespace}/${owner.name}`, context);
  }
  if (type === 'DELETED' || controllerOf(object) !== undefined) return;
  for (const candidate of context.view.list('deployments.apps', namespace)) {
    if (selectorMatches(candidate.spec.selector, object.metadata.labels)) enqueue(queue, queueKey(candidate), context);
  }
}

/** A Recreate rollout waits for the last old pod. Upstream: deletePod. */
function recreateGoesOn({ queue }: DeploymentState, { object }: WatchChange<'pods'>, context: Context): void {
  const owner = ownerOf(object, 'ReplicaSet');
  if (owner === undefined) return;
  const { namespace, name } = splitQueueKey(owner.key);
  const set = context.view.get('replicasets.apps', namespace, name);
  const parent = set === undefined ? undefined : controllerOf(set);
  if (parent?.kind !== 'Deployment') return;
  const found = context.view.get('deployments.apps', namespace, parent.name);
  if (found?.spec.strategy?.type === 'Recreate') enqueue(queue, queueKey(found), context);
}

/**
 * One thing at a time, each from a fresh look: what follows a write comes with the change that it makes.
 * Upstream: pkg/controller/deployment/deployment_controller.go syncDeployment.
 */
function sync(_state: DeploymentState, key: string, context: Context): Step[] {
  const { namespace, name } = splitQueueKey(key);
  const found = context.view.get('deployments.apps', namespace, name);
  if (found === undefined) return [];
  if (isEmptySelector(found.spec.selector)) {
    context.event({ regarding: regarding(found), type: 'Warning', reason: 'SelectingAll', message: 'This deployment is selecting all pods. A non-empty selector is required.' });
    return [];
  }
  const claims = claimRequests(context.view, found);
  if (claims.length > 0) return [{ kind: 'claim', requests: claims }];
  const sets = setsOf(context.view, found);
  if (found.metadata.deletionTimestamp !== undefined) return statusStep(found, syncedStatus(found, sets, context));
  const paused = pausedCondition(found, context);
  if (paused !== undefined) return statusStep(found, { ...found.status, conditions: paused });
  const prepared = prepareNewSet(found, sets, context);
  if (prepared.length > 0) return prepared;
  if (found.spec.paused === true || isScalingEvent(found, sets)) return scaling(found, sets, context);
  return found.spec.strategy?.type === 'Recreate' ? recreate(found, sets, context) : rolling(found, sets, context);
}

/** Upstream: checkPausedConditions. */
function pausedCondition(found: Deployment, { timestamp }: Context): DeploymentCondition[] | undefined {
  const current = findCondition(found.status?.conditions, 'Progressing');
  if (!hasDeadline(found) || current?.reason === 'ProgressDeadlineExceeded') return undefined;
  const known = current?.reason === 'DeploymentPaused';
  if (found.spec.paused === true && !known) {
    return withCondition(found.status?.conditions, condition('Progressing', 'Unknown', 'DeploymentPaused', 'Deployment is paused', timestamp));
  }
  if (found.spec.paused !== true && known) {
    return withCondition(found.status?.conditions, condition('Progressing', 'Unknown', 'DeploymentResumed', 'Deployment is resumed', timestamp));
  }
  return undefined;
}

/** Keeps the revision and annotations of an existing set for this template right. Upstream: getNewReplicaSet. */
function prepareNewSet(found: Deployment, { newSet, old }: Sets, { timestamp }: Context): Step[] {
  if (newSet === undefined) return [];
  const annotations = newSetAnnotations(found, newSet.metadata.annotations ?? {}, maxRevision(old) + 1, true);
  const minReady = found.spec.minReadySeconds ?? 0;
  if (!samePlain(annotations, newSet.metadata.annotations ?? {}) || (newSet.spec.minReadySeconds ?? 0) !== minReady) {
    const { minReadySeconds: _, ...spec } = newSet.spec;
    const object = { ...newSet, metadata: { ...newSet.metadata, annotations }, spec: minReady === 0 ? spec : { ...spec, minReadySeconds: minReady } };
    return [{ kind: 'annotate', requests: [{ verb: 'update', resource: 'replicasets.apps', namespace: newSet.metadata.namespace as string, name: newSet.metadata.name, object }] }];
  }
  const revision = String(revisionOf(newSet));
  const unknown = hasDeadline(found) && findCondition(found.status?.conditions, 'Progressing') === undefined;
  if (found.metadata.annotations?.[revisionAnnotation] === revision && !unknown) return [];
  const status = unknown
    ? { ...found.status, conditions: withCondition(found.status?.conditions, condition('Progressing', 'True', 'FoundNewReplicaSet', `Found new replica set "${newSet.metadata.name}"`, timestamp)) }
    : found.status;
  return statusStep(withRevision(found, revision), status, true);
}

const withRevision = (found: Deployment, revision: string): Deployment => ({
  ...found,
  metadata: { ...found.metadata, annotations: { ...found.metadata.annotations, [revisionAnnotation]: revision } },
});

function statusStep(found: Deployment, status: DeploymentStatus, always = false): Step[] {
  if (!always && samePlain(status, found.status)) return [];
  const { namespace, name } = found.metadata;
  return [{ kind: 'status', requests: [{ verb: 'update', resource: 'deployments.apps', namespace: namespace as string, name, subresource: 'status', object: { ...found, status } }] }];
}

/** Scaling steps, then the status that takes their outcome for given. */
const scaledSteps = (kind: 'rollout-status' | 'scale-status', steps: readonly Step[]): Step[] => [...steps, { kind, requests: [], data: steps.map(({ data }) => data) }];

function laterStatus(key: string, step: Step, context: Context): ApiRequest[] {
  const { namespace, name } = splitQueueKey(key);
  const found = context.view.get('deployments.apps', namespace, name);
  if (found === undefined) return [];
  const sizes = new Map((step.data as Scaled[]).map((scaled) => [scaled.name, scaled.to]));
  const sets = withSizes(setsOf(context.view, found), sizes);
  const status = step.kind === 'scale-status' ? syncedStatus(found, sets, context) : rolledStatus(found, sets, context);
  return statusStep(found, status).flatMap(({ requests }) => requests);
}

const syncedStatus = (found: Deployment, { all, newSet }: Sets, { timestamp }: Context): DeploymentStatus => calculateStatus(found, all, newSet, timestamp);
const rolledStatus = (found: Deployment, { all, newSet }: Sets, { timestamp, epochMs }: Context): DeploymentStatus => rolloutStatus(found, all, newSet, timestamp, epochMs);

function scaling(found: Deployment, sets: Sets, context: Context): Step[] {
  const steps = scaleAll(found, sets);
  if (steps.length > 0) return scaledSteps('scale-status', steps);
  const trimmed = found.spec.paused === true ? trimHistory(found, sets) : [];
  return trimmed.length > 0 ? trimmed : statusStep(found, syncedStatus(found, sets, context));
}

function rolling(found: Deployment, sets: Sets, context: Context): Step[] {
  if (sets.newSet === undefined) return makeNewSet(found, sets, context);
  const up = scaleNewSet(found, sets);
  if (up.length > 0) return scaledSteps('rollout-status', up);
  const down = scaleOldSets(found, sets);
  if (resized(down)) return scaledSteps('rollout-status', down);
  return rolloutEnd(found, sets, context);
}

/** Upstream: pkg/controller/deployment/recreate.go. */
function recreate(found: Deployment, sets: Sets, context: Context): Step[] {
  const down = activeOf(sets.old).flatMap((set) => scaleSet(found, set, 0));
  if (down.length > 0) return scaledSteps('rollout-status', down);
  if (oldPodsRun(sets, context)) return statusStep(found, rolledStatus(found, sets, context));
  if (sets.newSet === undefined) return makeNewSet(found, sets, context);
  const up = scaleSet(found, sets.newSet, replicasOf(found));
  if (up.length > 0) return scaledSteps('rollout-status', up);
  return rolloutEnd(found, sets, context);
}

function oldPodsRun({ old }: Sets, { view }: Context): boolean {
  if (sumStatus(old, 'replicas') > 0) return true;
  return old.some((set) => view.by('pods', 'owner', set.metadata.uid).some((pod) => isActive(pod) || !isTerminal(pod)));
}

function rolloutEnd(found: Deployment, sets: Sets, context: Context): Step[] {
  if (isComplete(found, found.status)) {
    const trimmed = trimHistory(found, sets);
    if (trimmed.length > 0) return trimmed;
  }
  const status = rolledStatus(found, sets, context);
  const steps = statusStep(found, status);
  if (steps.length === 0) lookAgainAtDeadline(found, status, context);
  return steps;
}

/** Upstream: requeueStuckDeployment. */
function lookAgainAtDeadline(found: Deployment, status: DeploymentStatus, context: Context): void {
  const at = deadlineAt(found, status.conditions);
  const reason = findCondition(status.conditions, 'Progressing')?.reason;
  if (at === undefined || isComplete(found, status) || reason === 'ProgressDeadlineExceeded') return;
  enqueueAfter(queueKey(found), Math.max(at - context.epochMs, 0) + 1000, context);
}

/** Upstream: cleanupDeployment: the oldest revisions beyond the limit go, if nothing runs in them. */
function trimHistory(found: Deployment, { old }: Sets): Step[] {
  const limit = found.spec.revisionHistoryLimit;
  if (limit === undefined) return [];
  const kept = old.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  const surplus = kept.length - limit;
  if (surplus <= 0) return [];
  const requests = [...kept].sort((a, b) => revisionOf(a) - revisionOf(b)).slice(0, surplus)
    .filter((set) => replicasOf(set) === 0 && (set.status?.replicas ?? 0) === 0 && (set.metadata.generation ?? 0) <= (set.status?.observedGeneration ?? 0))
    .map(({ metadata }): ApiRequest => ({ verb: 'delete', resource: 'replicasets.apps', namespace: metadata.namespace as string, name: metadata.name }));
  return requests.length === 0 ? [] : [{ kind: 'trim', requests }];
}

function makeNewSet(found: Deployment, sets: Sets, context: Context): Step[] {
  const { request, name, size, revision } = createSet(found, sets);
  const status = hasDeadline(found)
    ? { ...found.status, conditions: withCondition(found.status?.conditions, condition('Progressing', 'True', 'NewReplicaSetCreated', `Created new replica set "${name}"`, context.timestamp)) }
    : found.status;
  return [{ kind: 'create', requests: [request], data: { name, from: 0, to: size } satisfies Scaled }, ...statusStep(withRevision(found, String(revision)), status, true)];
}

function replied(_state: DeploymentState, key: string, { step, response }: Reply, context: Context): boolean | void {
  const { namespace, name } = splitQueueKey(key);
  const found = context.view.get('deployments.apps', namespace, name);
  if (found === undefined) return;
  if (failed(response)) {
    if (step.kind === 'create') return creationFailed(found, step, response, context);
    return step.kind === 'trim' && response.code === 404;
  }
  if (step.kind !== 'scale' && step.kind !== 'create') return;
  const { name: set, from, to } = step.data as Scaled;
  if (from === to) return;
  context.event({ regarding: regarding(found), type: 'Normal', reason: 'ScalingReplicaSet', message: `Scaled ${to > from ? 'up' : 'down'} replica set ${set} from ${from} to ${to}` });
}

/** A name that is taken by another template's set gets a new hash; other refusals are told. */
function creationFailed(found: Deployment, step: Step, response: Reply['response'], context: Context): void {
  const { name } = step.data as Scaled;
  const { namespace = '' } = found.metadata;
  const put = (status: DeploymentStatus) => context.api({ verb: 'update', resource: 'deployments.apps', namespace, name: found.metadata.name, subresource: 'status', object: { ...found, status } });
  if (response.code === 409) {
    const taken: ReplicaSet | undefined = context.live.get('replicasets.apps', namespace, name);
    const own = taken?.spec.template !== undefined && controllerOf(taken)?.uid === found.metadata.uid && sameTemplate(taken.spec.template, found.spec.template);
    if (!own && taken !== undefined) put({ ...found.status, collisionCount: (found.status.collisionCount ?? 0) + 1 });
    return;
  }
  if (namespaceTerminating(response)) return;
  const message = `Failed to create new replica set "${name}": ${errorText(response)}`;
  context.event({ regarding: regarding(found), type: 'Warning', reason: 'ReplicaSetCreateError', message });
  if (hasDeadline(found)) put({ ...found.status, conditions: withCondition(found.status?.conditions, condition('Progressing', 'False', 'ReplicaSetCreateError', message, context.timestamp)) });
}
