import { findCondition, removeCondition } from '../../../../api/meta/conditions.ts';
import type { Pod, ReplicaSet, ReplicaSetStatus } from '../../../../api/schema/types.ts';
import { samePlain } from '../../../../sim/plain.ts';
import { parseRfc3339 } from '../../../../sim/time.ts';
import { isActive, isReady, type Tally } from './tally.ts';

export interface Counts extends Tally {
  available: number;
}

export interface Failure {
  reason: 'FailedCreate' | 'FailedDelete';
  message: string;
}

/** When a ready pod has been ready long enough; undefined if it is not ready. The stamps have whole seconds. */
export function availableAt(pod: Pod, minReadySeconds: number): number | undefined {
  if (!isReady(pod)) return undefined;
  const since = findCondition(pod.status.conditions, 'Ready')?.lastTransitionTime;
  return since === undefined ? undefined : (parseRfc3339(since) ?? 0) + minReadySeconds * 1000;
}

/** Counts the available pods and finds when the next one becomes available. */
export function availability(pods: readonly Pod[], minReadySeconds: number, nowMs: number): { available: number; nextAt?: number } {
  let available = 0;
  let nextAt = Infinity;
  for (const pod of pods) {
    if (!isActive(pod)) continue;
    const at = availableAt(pod, minReadySeconds);
    if (at === undefined) continue;
    if (at <= nowMs) available++;
    else if (at < nextAt) nextAt = at;
  }
  return nextAt === Infinity ? { available } : { available, nextAt };
}

/** The new status, or undefined if nothing changed. Upstream: pkg/controller/replicaset/replica_set_utils.go calculateStatus. */
export function nextStatus(set: ReplicaSet, counts: Counts, failure: Failure | undefined, timestamp: string): ReplicaSetStatus | undefined {
  const old = set.status ?? { replicas: 0 };
  const known = findCondition(old.conditions, 'ReplicaFailure');
  let conditions = old.conditions;
  if (failure !== undefined && known === undefined) {
    conditions = [...(conditions ?? []), { type: 'ReplicaFailure', status: 'True', lastTransitionTime: timestamp, ...failure }];
  } else if (failure === undefined && known !== undefined) conditions = removeCondition(conditions, 'ReplicaFailure');
  const next: ReplicaSetStatus = {
    replicas: counts.active,
    ...some('fullyLabeledReplicas', counts.labeled),
    ...some('readyReplicas', counts.ready),
    ...some('availableReplicas', counts.available),
    terminatingReplicas: counts.terminating,
    ...some('observedGeneration', set.metadata.generation ?? 0),
    ...(conditions !== undefined && conditions.length > 0 ? { conditions } : {}),
  };
  return samePlain(next, old) ? undefined : next;
}

const some = <K extends string>(key: K, value: number): { [key in K]?: number } => (value === 0 ? {} : ({ [key]: value } as { [key in K]: number }));
