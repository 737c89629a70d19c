import { findCondition } from '../../../../api/meta/conditions.ts';
import { controllerOf } from '../../../../api/meta/owners.ts';
import { selectorMatches } from '../../../../api/meta/selectors.ts';
import type { Condition, IntOrString, Pod, PodDisruptionBudget, PodDisruptionBudgetStatus } from '../../../../api/schema/types.ts';
import { samePlain } from '../../../../sim/plain.ts';
import { parseRfc3339 } from '../../../../sim/time.ts';
import type { Component, Context, View, WatchChange } from '../../../component.ts';
import { idleWaitMs, queueKey, splitQueueKey } from '../../workqueue.ts';
import { controller, createControllerState, enqueue, enqueueAfter, regarding, type ControllerState, type Step } from '../../controller.ts';
import { isReady, isTerminal } from '../replicaset/tally.ts';

/** Upstream: pkg/controller/disruption/disruption.go DeletionTimeout. */
const deletionTimeoutMs = 120_000;

/** Keeps the status of PodDisruptionBudgets, by which evictions are allowed or refused. */
export const disruption: Component<ControllerState> = controller<ControllerState>({
  reportsAs: 'controllermanager',
  watches: [
    { resource: 'poddisruptionbudgets.policy' }, { resource: 'pods' }, { resource: 'replicasets.apps' }, { resource: 'deployments.apps' }, { resource: 'statefulsets.apps' },
    { resource: 'replicationcontrollers' },
  ],
  start: createControllerState,
  observe,
  sync,
});

function observe({ queue }: ControllerState, change: WatchChange, context: Context): void {
  if (change.resource === 'poddisruptionbudgets.policy') {
    if (change.type !== 'DELETED') enqueue(queue, queueKey(change.object), context, idleWaitMs);
    return;
  }
  if (change.resource !== 'pods') return;
  const { type, object, previous } = change as WatchChange<'pods'>;
  if (type === 'MODIFIED' && previous !== undefined && !matters(previous, object)) return;
  for (const budget of context.view.list('poddisruptionbudgets.policy', object.metadata.namespace)) {
    if (selectorMatches(budget.spec.selector, object.metadata.labels)) enqueue(queue, queueKey(budget), context, idleWaitMs);
  }
}

const matters = (a: Pod, b: Pod): boolean =>
  isReady(a) !== isReady(b) || a.metadata.deletionTimestamp !== b.metadata.deletionTimestamp || a.status.phase !== b.status.phase || !samePlain(a.metadata.labels, b.metadata.labels);

const scaled = (value: IntOrString, total: number): number => (typeof value === 'number' ? value : Math.ceil((Number(value.slice(0, -1)) * total) / 100));

/** How many pods the controllers of these pods want. Upstream: getExpectedScale. */
function expectedScale(pods: readonly Pod[], view: View): number | { error: string } {
  const scales = new Map<string, number>();
  for (const pod of pods) {
    const owner = controllerOf(pod);
    const { namespace = '', name } = pod.metadata;
    if (owner === undefined) return { error: `found no controller ref for pod "${name}"` };
    const set = owner.kind === 'ReplicaSet' ? view.get('replicasets.apps', namespace, owner.name) : undefined;
    const parent = set === undefined ? undefined : controllerOf(set);
    if (parent?.kind === 'Deployment') {
      const deployment = view.get('deployments.apps', namespace, parent.name);
      if (deployment !== undefined) scales.set(parent.uid, deployment.spec.replicas ?? 1);
    } else if (set !== undefined) scales.set(owner.uid, set.spec.replicas ?? 1);
    else if (owner.kind === 'StatefulSet') scales.set(owner.uid, view.get('statefulsets.apps', namespace, owner.name)?.spec.replicas ?? 0);
    else if (owner.kind === 'ReplicationController') scales.set(owner.uid, view.get('replicationcontrollers', namespace, owner.name)?.spec.replicas ?? 0);
  }
  return [...scales.values()].reduce((sum, scale) => sum + scale, 0);
}

function expected({ spec }: PodDisruptionBudget, pods: readonly Pod[], view: View): { count: number; healthy: number } | { error: string } {
  if (spec.maxUnavailable !== undefined) {
    const scale = expectedScale(pods, view);
    return typeof scale === 'number' ? { count: scale, healthy: Math.max(0, scale - scaled(spec.maxUnavailable, scale)) } : scale;
  }
  const { minAvailable = 1 } = spec;
  if (typeof minAvailable === 'number') return { count: pods.length, healthy: minAvailable };
  const scale = expectedScale(pods, view);
  return typeof scale === 'number' ? { count: scale, healthy: scaled(minAvailable, scale) } : scale;
}

/** Upstream: trySync. */
function sync(_state: ControllerState, key: string, context: Context): Step[] {
  const { namespace, name } = splitQueueKey(key);
  const budget = context.view.get('poddisruptionbudgets.policy', namespace, name);
  if (budget === undefined) return [];
  const pods = podsOf(budget, context.view);
  if (pods.length === 0) context.event({ regarding: regarding(budget), type: 'Normal', reason: 'NoPods', message: 'No matching pods found' });
  const wanted = expected(budget, pods, context.view);
  if ('error' in wanted) {
    context.event({ regarding: regarding(budget), type: 'Warning', reason: 'CalculateExpectedPodCountFailed', message: `Failed to calculate the number of expected pods: ${wanted.error}` });
    return write(budget, { ...budget.status, disruptionsAllowed: 0, conditions: conditionFor(budget, 'False', 'SyncFailed', context.timestamp, wanted.error) });
  }
  const disrupted = stillDisrupted(budget, pods, key, context);
  const current = pods.filter((pod) => pod.metadata.deletionTimestamp === undefined && disrupted[pod.metadata.name] === undefined && isReady(pod)).length;
  const allowed = wanted.count <= 0 ? 0 : Math.max(0, current - wanted.healthy);
  const status: PodDisruptionBudgetStatus = {
    ...(Object.keys(disrupted).length === 0 ? {} : { disruptedPods: disrupted }),
    observedGeneration: budget.metadata.generation ?? 0,
    disruptionsAllowed: allowed, currentHealthy: current, desiredHealthy: wanted.healthy, expectedPods: wanted.count,
    conditions: conditionFor(budget, allowed > 0 ? 'True' : 'False', allowed > 0 ? 'SufficientPods' : 'InsufficientPods', context.timestamp),
  };
  return write(budget, status);
}

function podsOf({ metadata, spec }: PodDisruptionBudget, view: View): Pod[] {
  const { namespace = '' } = metadata;
  const [pair] = Object.entries(spec.selector?.matchLabels ?? {});
  const pods = pair === undefined ? view.list('pods', namespace) : view.by('pods', 'label', `${namespace}/${pair[0]}=${pair[1]}`);
  return pods.filter((pod) => selectorMatches(spec.selector, pod.metadata.labels) && !isTerminal(pod));
}

/** Evictions that were granted and whose pods are still to go, for at most two minutes. Upstream: buildDisruptedPodMap. */
function stillDisrupted({ status }: PodDisruptionBudget, pods: readonly Pod[], key: string, context: Context): Record<string, string> {
  const left: Record<string, string> = {};
  for (const pod of pods) {
    const since = status?.disruptedPods?.[pod.metadata.name];
    if (since === undefined || pod.metadata.deletionTimestamp !== undefined) continue;
    const until = (parseRfc3339(since) ?? 0) + deletionTimeoutMs;
    if (until < context.epochMs) continue;
    left[pod.metadata.name] = since;
    enqueueAfter(key, until - context.epochMs, context);
  }
  return left;
}

function conditionFor({ metadata, status }: PodDisruptionBudget, value: 'True' | 'False', reason: string, timestamp: string, message = ''): Condition[] {
  const old = findCondition(status?.conditions, 'DisruptionAllowed');
  const next: Condition = {
    type: 'DisruptionAllowed', status: value, reason, message, observedGeneration: metadata.generation ?? 0,
    lastTransitionTime: old?.status === value ? old.lastTransitionTime : timestamp,
  };
  return [...(status?.conditions ?? []).filter(({ type }) => type !== 'DisruptionAllowed'), next];
}

function write(budget: PodDisruptionBudget, status: PodDisruptionBudgetStatus): Step[] {
  if (samePlain(status, budget.status)) return [];
  const { namespace = '', name } = budget.metadata;
  return [{ kind: 'status', requests: [{ verb: 'update', resource: 'poddisruptionbudgets.policy', namespace, name, subresource: 'status', object: { ...budget, status } }] }];
}
