import type { Pod } from '../../../../api/schema/types.ts';
import { findCondition } from '../../../../api/meta/conditions.ts';
import { compareText } from '../../../../sim/plain.ts';
import { parseRfc3339 } from '../../../../sim/time.ts';
import { isReady } from './tally.ts';

const phaseOrder: Record<string, number> = { Pending: 0, Unknown: 1, Running: 2 };

interface Candidate {
  pod: Pod;
  assigned: number;
  phase: number;
  ready: number;
  cost: number;
  /** Pods of the same controller (and its siblings) on the same node. */
  rank: number;
  readySince: number;
  restarts: number;
  created: number;
}

/**
 * The pods to delete first, first.
 * Upstream: pkg/controller/controller_utils.go ActivePodsWithRanks (LogarithmicScaleDown on).
 */
export function chooseVictims(pods: readonly Pod[], siblings: readonly Pod[], count: number, nowMs: number): Pod[] {
  if (count >= pods.length) return [...pods];
  const perNode: Record<string, number> = {};
  for (const pod of siblings) {
    const node = pod.spec.nodeName;
    if (node !== undefined && isReady(pod)) perNode[node] = (perNode[node] ?? 0) + 1;
  }
  const candidates = pods.map((pod): Candidate => {
    const ready = isReady(pod);
    const since = findCondition(pod.status.conditions, 'Ready')?.lastTransitionTime;
    const node = pod.spec.nodeName ?? '';
    return {
      pod,
      assigned: node === '' ? 0 : 1,
      phase: phaseOrder[pod.status.phase ?? ''] ?? 0,
      ready: ready ? 1 : 0,
      cost: deletionCost(pod),
      rank: perNode[node] ?? 0,
      readySince: ready && since !== undefined ? (parseRfc3339(since) ?? 0) : 0,
      restarts: Math.max(0, ...(pod.status.containerStatuses ?? []).map((status) => status.restartCount), ...(pod.status.initContainerStatuses ?? []).map((status) => status.restartCount)),
      created: parseRfc3339(pod.metadata.creationTimestamp) ?? 0,
    };
  });
  return candidates.sort((a, b) => compareCandidates(a, b, nowMs)).slice(0, count).map(({ pod }) => pod);
}

function compareCandidates(a: Candidate, b: Candidate, nowMs: number): number {
  const uids = () => compareText(a.pod.metadata.uid, b.pod.metadata.uid);
  const first = a.assigned - b.assigned || a.phase - b.phase || a.ready - b.ready || a.cost - b.cost || b.rank - a.rank;
  if (first !== 0) return first;
  if (a.ready === 1 && a.readySince !== b.readySince) {
    const order = byAge(a.readySince, b.readySince, nowMs);
    return order !== 0 ? order : uids();
  }
  if (a.restarts !== b.restarts) return b.restarts - a.restarts;
  if (a.created === b.created) return uids();
  return byAge(a.created, b.created, nowMs) || uids();
}

/** The younger first; ages within the same power of two (of nanoseconds) are alike. Upstream: logarithmicRankDiff. */
const byAge = (a: number, b: number, nowMs: number): number => logRank(nowMs - a) - logRank(nowMs - b);

/** floor(log2) of an age in nanoseconds. */
function logRank(ageMs: number): number {
  if (ageMs <= 0) return 0;
  let rank = 0;
  for (let rest = ageMs * 1_000_000; rest >= 2; rest /= 2) rank++;
  return rank;
}

function deletionCost(pod: Pod): number {
  const text = pod.metadata.annotations?.['controller.kubernetes.io/pod-deletion-cost'];
  return text !== undefined && /^(0|[+-]?[1-9]\d*)$/.test(text) ? Number(text) : 0;
}
