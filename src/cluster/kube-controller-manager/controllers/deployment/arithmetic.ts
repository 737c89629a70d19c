import type { Deployment, IntOrString, ReplicaSet } from '../../../../api/schema/types.ts';

export const replicasOf = (object: Deployment | ReplicaSet): number => object.spec.replicas ?? 1;
export const sumReplicas = (sets: readonly ReplicaSet[]): number => sets.reduce((sum, set) => sum + replicasOf(set), 0);
export const sumStatus = (sets: readonly ReplicaSet[], field: 'replicas' | 'readyReplicas' | 'availableReplicas' | 'terminatingReplicas'): number =>
  sets.reduce((sum, set) => sum + (set.status?.[field] ?? 0), 0);

const isRolling = ({ spec }: Deployment) => spec.strategy?.type !== 'Recreate';

/** Upstream: apimachinery intstr.GetScaledValueFromIntOrPercent. */
function scaled(value: IntOrString | undefined, total: number, up: boolean): number {
  if (value === undefined) return 0;
  if (typeof value === 'number') return value;
  const exact = (Number(value.slice(0, -1)) * total) / 100;
  return up ? Math.ceil(exact) : Math.floor(exact);
}

/** Upstream: pkg/controller/deployment/util ResolveFenceposts. */
function fenceposts({ spec }: Deployment): { surge: number; unavailable: number } {
  const rolling = spec.strategy?.rollingUpdate;
  const total = spec.replicas ?? 1;
  const surge = scaled(rolling?.maxSurge, total, true);
  const unavailable = scaled(rolling?.maxUnavailable, total, false);
  return { surge, unavailable: surge === 0 && unavailable === 0 ? 1 : unavailable };
}

export const maxSurge = (deployment: Deployment): number => (isRolling(deployment) ? fenceposts(deployment).surge : 0);

export function maxUnavailable(deployment: Deployment): number {
  const total = replicasOf(deployment);
  return !isRolling(deployment) || total === 0 ? 0 : Math.min(fenceposts(deployment).unavailable, total);
}

/** Upstream: NewRSNewReplicas. */
export function newSetSize(deployment: Deployment, sets: readonly ReplicaSet[], own: number): number {
  if (!isRolling(deployment)) return replicasOf(deployment);
  const most = replicasOf(deployment) + maxSurge(deployment);
  const current = sumReplicas(sets);
  return current >= most ? own : own + Math.min(most - current, replicasOf(deployment) - own);
}

/** Half away from zero, as Go's math.Round. */
const round = (value: number): number => (value < 0 ? -Math.round(-value) : Math.round(value));

/** A set's share of a change of scale. Upstream: GetReplicaSetProportion, getReplicaSetFraction. */
export function proportion(set: ReplicaSet, deployment: Deployment, toAdd: number, added: number, maxBefore: number): number {
  const size = replicasOf(set);
  if (size === 0 || toAdd === 0 || toAdd === added) return 0;
  const share = replicasOf(deployment) === 0 ? -size : round((size * (replicasOf(deployment) + maxSurge(deployment))) / maxBefore) - size;
  const allowed = toAdd - added;
  return toAdd > 0 ? Math.min(share, allowed) : Math.max(share, allowed);
}
