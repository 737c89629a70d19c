import { findCondition, removeCondition } from '../../../../api/meta/conditions.ts';
import type { Deployment, DeploymentCondition, DeploymentStatus, ReplicaSet } from '../../../../api/schema/types.ts';
import { parseRfc3339 } from '../../../../sim/time.ts';
import { maxUnavailable, replicasOf, sumReplicas, sumStatus } from './arithmetic.ts';

type Conditions = readonly DeploymentCondition[] | undefined;

export const noDeadline = 2_147_483_647;
export const hasDeadline = ({ spec }: Deployment): boolean => spec.progressDeadlineSeconds !== undefined && spec.progressDeadlineSeconds !== noDeadline;

export const condition = (type: string, status: string, reason: string, message: string, timestamp: string): DeploymentCondition => ({
  type, status, lastUpdateTime: timestamp, lastTransitionTime: timestamp, reason, message,
});

/** Same status and reason: nothing changes. Else it moves to the end. Upstream: pkg/controller/deployment/util SetDeploymentCondition. */
export function withCondition(conditions: Conditions, next: DeploymentCondition): DeploymentCondition[] {
  const old = findCondition(conditions, next.type as string);
  if (old !== undefined && old.status === next.status && old.reason === next.reason) return conditions as DeploymentCondition[];
  const kept = old !== undefined && old.status === next.status && old.lastTransitionTime !== undefined ? { ...next, lastTransitionTime: old.lastTransitionTime } : next;
  return [...removeCondition(conditions, next.type as string), kept];
}

/** Upstream: pkg/controller/deployment/sync.go calculateStatus. */
export function calculateStatus(deployment: Deployment, sets: readonly ReplicaSet[], newSet: ReplicaSet | undefined, timestamp: string): DeploymentStatus {
  const available = sumStatus(sets, 'availableReplicas');
  const enough = available >= replicasOf(deployment) - maxUnavailable(deployment);
  const old = deployment.status ?? {};
  const counts: [keyof DeploymentStatus, number][] = [
    ['replicas', sumStatus(sets, 'replicas')],
    ['updatedReplicas', newSet?.status?.replicas ?? 0],
    ['readyReplicas', sumStatus(sets, 'readyReplicas')],
    ['availableReplicas', available],
    ['unavailableReplicas', Math.max(0, sumReplicas(sets) - available)],
  ];
  return {
    observedGeneration: deployment.metadata.generation ?? 0,
    ...Object.fromEntries(counts.filter(([, value]) => value !== 0)),
    // Unknown as long as a set's controller has not counted yet.
    ...(sets.every((set) => set.status?.terminatingReplicas !== undefined) ? { terminatingReplicas: sumStatus(sets, 'terminatingReplicas') } : {}),
    ...(old.collisionCount === undefined ? {} : { collisionCount: old.collisionCount }),
    conditions: withCondition(old.conditions, enough
      ? condition('Available', 'True', 'MinimumReplicasAvailable', 'Deployment has minimum availability.', timestamp)
      : condition('Available', 'False', 'MinimumReplicasUnavailable', 'Deployment does not have minimum availability.', timestamp)),
  };
}

export function isComplete(deployment: Deployment, status: DeploymentStatus): boolean {
  const desired = replicasOf(deployment);
  return (status.updatedReplicas ?? 0) === desired && (status.replicas ?? 0) === desired && (status.availableReplicas ?? 0) === desired
    && (status.observedGeneration ?? 0) >= (deployment.metadata.generation ?? 0);
}

/** Upstream: DeploymentProgressing. */
function isProgressing({ status: old = {} }: Deployment, next: DeploymentStatus): boolean {
  const oldOnes = (status: DeploymentStatus) => (status.replicas ?? 0) - (status.updatedReplicas ?? 0);
  return (next.updatedReplicas ?? 0) > (old.updatedReplicas ?? 0) || oldOnes(next) < oldOnes(old)
    || (next.readyReplicas ?? 0) > (old.readyReplicas ?? 0) || (next.availableReplicas ?? 0) > (old.availableReplicas ?? 0);
}

/** When the deadline for progress passes, in milliseconds since the epoch. */
export function deadlineAt(deployment: Deployment, conditions: Conditions): number | undefined {
  const progressing = findCondition(conditions, 'Progressing');
  if (!hasDeadline(deployment) || progressing === undefined) return undefined;
  return (parseRfc3339(progressing.lastUpdateTime ?? '') ?? 0) + (deployment.spec.progressDeadlineSeconds as number) * 1000;
}

function isTimedOut(deployment: Deployment, status: DeploymentStatus, nowMs: number): boolean {
  const progressing = findCondition(status.conditions, 'Progressing');
  const at = deadlineAt(deployment, status.conditions);
  if (progressing === undefined || at === undefined || progressing.reason === 'NewReplicaSetAvailable') return false;
  return progressing.reason === 'ProgressDeadlineExceeded' || at < nowMs;
}

/** Upstream: pkg/controller/deployment/progress.go syncRolloutStatus. */
export function rolloutStatus(
  deployment: Deployment, sets: readonly ReplicaSet[], newSet: ReplicaSet | undefined, timestamp: string, nowMs: number,
): DeploymentStatus {
  const status = calculateStatus(deployment, sets, newSet, timestamp);
  const current = findCondition(deployment.status?.conditions, 'Progressing');
  const name = newSet === undefined ? `Deployment "${deployment.metadata.name}"` : `ReplicaSet "${newSet.metadata.name}"`;
  const done = status.replicas === status.updatedReplicas && current?.reason === 'NewReplicaSetAvailable';
  let conditions = status.conditions as DeploymentCondition[];
  if (!hasDeadline(deployment)) conditions = removeCondition(conditions, 'Progressing');
  else if (!done) {
    if (isComplete(deployment, status)) {
      conditions = withCondition(conditions, condition('Progressing', 'True', 'NewReplicaSetAvailable', `${name} has successfully progressed.`, timestamp));
    } else if (isProgressing(deployment, status)) {
      const next = condition('Progressing', 'True', 'ReplicaSetUpdated', `${name} is progressing.`, timestamp);
      if (current?.status === 'True' && current.lastTransitionTime !== undefined) next.lastTransitionTime = current.lastTransitionTime;
      conditions = [...removeCondition(conditions, 'Progressing'), next];
    } else if (isTimedOut(deployment, status, nowMs)) {
      conditions = withCondition(conditions, condition('Progressing', 'False', 'ProgressDeadlineExceeded', `${name} has timed out progressing.`, timestamp));
    }
  }
  status.conditions = withReplicaFailure(conditions, sets, newSet, timestamp);
  return status;
}

/** The new set's trouble first, else any other's. Upstream: getReplicaFailures. */
function withReplicaFailure(conditions: DeploymentCondition[], sets: readonly ReplicaSet[], newSet: ReplicaSet | undefined, timestamp: string): DeploymentCondition[] {
  const of = (set: ReplicaSet | undefined) => findCondition(set?.status?.conditions, 'ReplicaFailure');
  const failure = of(newSet) ?? sets.map(of).find((found) => found !== undefined);
  if (failure === undefined) return findCondition(conditions, 'ReplicaFailure') === undefined ? conditions : removeCondition(conditions, 'ReplicaFailure');
  const next = condition('ReplicaFailure', failure.status as string, failure.reason as string, failure.message ?? '', timestamp);
  return withCondition(conditions, failure.lastTransitionTime === undefined ? next : { ...next, lastTransitionTime: failure.lastTransitionTime, lastUpdateTime: failure.lastTransitionTime });
}
