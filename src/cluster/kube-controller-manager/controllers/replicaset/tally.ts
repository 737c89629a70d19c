import { isConditionTrue } from '../../../../api/meta/conditions.ts';
import { controllerOf } from '../../../../api/meta/owners.ts';
import { containsLabels } from '../../../../api/meta/selectors.ts';
import type { Pod, ReplicaSet } from '../../../../api/schema/types.ts';

/** How many pods a ReplicaSet has, kept up to date from changes so that no sync reads them all. */
export interface Tally {
  active: number;
  ready: number;
  labeled: number;
  terminating: number;
}

export const emptyTally = (): Tally => ({ active: 0, ready: 0, labeled: 0, terminating: 0 });

export const isTerminal = ({ status }: Pod): boolean => status.phase === 'Succeeded' || status.phase === 'Failed';

/** Upstream: pkg/controller IsPodActive: a pod that is going away does not count any more. */
export const isActive = (pod: Pod): boolean => !isTerminal(pod) && pod.metadata.deletionTimestamp === undefined;

export const isReady = (pod: Pod): boolean => isConditionTrue(pod.status.conditions, 'Ready');

export const ownerOf = (pod: Pod, kind: string): { uid: string; key: string } | undefined => {
  const owner = controllerOf(pod);
  return owner?.kind === kind ? { uid: owner.uid, key: `${pod.metadata.namespace}/${owner.name}` } : undefined;
};

/** Adds (or takes away) what one pod contributes. Says whether it contributes anything. */
export function count(tally: Tally, pod: Pod, set: ReplicaSet | undefined, sign: 1 | -1): void {
  if (isActive(pod)) {
    tally.active += sign;
    if (isReady(pod)) tally.ready += sign;
    if (containsLabels(pod.metadata.labels, set?.spec.template?.metadata?.labels)) tally.labeled += sign;
  } else if (!isTerminal(pod)) tally.terminating += sign;
}

export function recount(pods: readonly Pod[], set: ReplicaSet): Tally {
  const tally = emptyTally();
  for (const pod of pods) count(tally, pod, set, 1);
  return tally;
}
