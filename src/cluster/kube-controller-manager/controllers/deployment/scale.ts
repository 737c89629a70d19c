import type { Deployment, ReplicaSet } from '../../../../api/schema/types.ts';
import type { Step } from '../../controller.ts';
import { desiredAnnotation, maxAnnotation, replicaAnnotations } from './annotations.ts';
import { maxSurge, maxUnavailable, newSetSize, proportion, replicasOf, sumReplicas, sumStatus } from './arithmetic.ts';
import { activeOf, byCreation, type Sets } from './sets.ts';

/** What a scaling step tells in its Event once it is done. */
export interface Scaled {
  name: string;
  from: number;
  to: number;
}

/** Gives a set a size and the annotations that go with it; nothing if it has both. Upstream: scaleReplicaSet. */
export function scaleSet(deployment: Deployment, set: ReplicaSet, to: number): Step[] {
  const annotations = { ...set.metadata.annotations, ...replicaAnnotations(deployment) };
  const from = replicasOf(set);
  const stale = [desiredAnnotation, maxAnnotation].some((key) => set.metadata.annotations?.[key] !== annotations[key]);
  if (from === to && !stale) return [];
  const object = { ...set, metadata: { ...set.metadata, annotations }, spec: { ...set.spec, replicas: to } };
  const data: Scaled = { name: set.metadata.name, from, to };
  return [{ kind: 'scale', requests: [{ verb: 'update', resource: 'replicasets.apps', namespace: set.metadata.namespace as string, name: set.metadata.name, object }], data }];
}

export const resized = (steps: readonly Step[]): boolean => steps.some(({ data }) => (data as Scaled).from !== (data as Scaled).to);

export function scaleNewSet(deployment: Deployment, { newSet, all }: Sets): Step[] {
  if (newSet === undefined) return [];
  const size = replicasOf(newSet);
  const desired = replicasOf(deployment);
  if (size === desired) return [];
  return scaleSet(deployment, newSet, size > desired ? desired : newSetSize(deployment, all, size));
}

/** Upstream: pkg/controller/deployment/rolling.go reconcileOldReplicaSets. */
export function scaleOldSets(deployment: Deployment, { newSet, old, all }: Sets): Step[] {
  const active = activeOf(old);
  if (active.length === 0) return [];
  const minAvailable = replicasOf(deployment) - maxUnavailable(deployment);
  const newUnavailable = newSet === undefined ? 0 : replicasOf(newSet) - (newSet.status?.availableReplicas ?? 0);
  const most = sumReplicas(all) - minAvailable - newUnavailable;
  if (most <= 0) return [];
  const sizes = new Map(active.map((set) => [set, replicasOf(set)]));
  let cleaned = 0;
  for (const set of active) {
    const size = replicasOf(set);
    const less = Math.min(most - cleaned, size - (set.status?.availableReplicas ?? 0));
    if (less <= 0) continue;
    sizes.set(set, size - less);
    cleaned += less;
  }
  let spare = sumStatus(all, 'availableReplicas') - minAvailable;
  for (const set of active) {
    const size = sizes.get(set) as number;
    const less = Math.min(size, Math.max(0, spare));
    spare -= less;
    sizes.set(set, size - less);
  }
  return active.flatMap((set) => (sizes.get(set) === replicasOf(set) ? [] : scaleSet(deployment, set, sizes.get(set) as number)));
}

/** Some active set was made for another size of the Deployment. */
export function isScalingEvent(deployment: Deployment, { all }: Sets): boolean {
  return activeOf(all).some((set) => {
    const desired = set.metadata.annotations?.[desiredAnnotation];
    return desired !== undefined && Number(desired) !== replicasOf(deployment);
  });
}

/** Upstream: pkg/controller/deployment/sync.go scale. */
export function scaleAll(deployment: Deployment, sets: Sets): Step[] {
  const { newSet, old, all } = sets;
  const desired = replicasOf(deployment);
  const active = activeOf(all);
  if (active.length <= 1) {
    const only = active[0] ?? newSet ?? old[old.length - 1];
    return only === undefined || replicasOf(only) === desired ? [] : scaleSet(deployment, only, desired);
  }
  if (newSet !== undefined && isSaturated(deployment, newSet)) return activeOf(old).flatMap((set) => scaleSet(deployment, set, 0));
  if (deployment.spec.strategy?.type === 'Recreate') return [];
  const toAdd = (desired > 0 ? desired + maxSurge(deployment) : 0) - sumReplicas(active);
  const ordered = [...active].sort((a, b) => replicasOf(b) - replicasOf(a) || (toAdd > 0 ? byCreation(b, a) : byCreation(a, b)));
  let added = 0;
  const sizes = ordered.map((set) => {
    if (toAdd === 0) return replicasOf(set);
    const share = proportion(set, deployment, toAdd, added, Number(set.metadata.annotations?.[maxAnnotation] ?? deployment.status.replicas ?? 0));
    added += share;
    return replicasOf(set) + share;
  });
  if (toAdd !== 0) sizes[0] = Math.max(0, (sizes[0] as number) + toAdd - added);
  return ordered.flatMap((set, index) => scaleSet(deployment, set, sizes[index] as number));
}

function isSaturated(deployment: Deployment, set: ReplicaSet): boolean {
  const desired = replicasOf(deployment);
  return replicasOf(set) === desired && set.metadata.annotations?.[desiredAnnotation] === String(desired) && (set.status?.availableReplicas ?? 0) === desired;
}
