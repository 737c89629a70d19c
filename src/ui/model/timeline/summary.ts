import type { SimTime } from '../../../sim/time.ts';
import type { Film } from '../film/film.ts';

/** Sums over a selected range. */
export interface RangeSummary {
  ms: number;
  passed: number;
  failed: number;
  restarts: number;
  readyMs: number;
  requests: number;
  requestsFailed: number;
}

/** Probe runs, restarts and ready time of one pod (or of all), and all requests, between `a` and `b`. */
export function summarize(film: Film, a: SimTime, b: SimTime, podUid?: string): RangeSummary {
  const sum: RangeSummary = { ms: b - a, passed: 0, failed: 0, restarts: 0, readyMs: 0, requests: 0, requestsFailed: 0 };
  const lanes = podUid === undefined ? [...film.lanesOfKind('probe'), ...film.lanesOfKind('pod')] : film.lanesOfPod(podUid);
  for (const { lane } of lanes) {
    if (lane.kind === 'probe') addProbe(film, sum, lane.id, a, b);
    else if (lane.kind === 'pod') addPod(film, sum, lane.id, a, b);
  }
  for (const { lane } of film.lanesOfKind('requests')) {
    for (const { value } of film.marksBetween(lane.id, a, b - 1)) {
      if (value.kind !== 'request') continue;
      sum.requests += value.ok + value.failed;
      sum.requestsFailed += value.failed;
    }
  }
  return sum;
}

function addProbe(film: Film, sum: RangeSummary, laneId: string, a: SimTime, b: SimTime): void {
  for (const tick of film.probeTicks(laneId, a, b)) {
    if (tick.mark === undefined || tick.mark.outcome === 'success' || tick.mark.outcome === 'warning') sum.passed += 1;
    else sum.failed += 1;
  }
}

function addPod(film: Film, sum: RangeSummary, laneId: string, a: SimTime, b: SimTime): void {
  const end = Math.min(b, film.head);
  let restarts: number | undefined;
  for (const span of film.spansBetween(laneId, a, end)) {
    if (span.value.kind !== 'pod') continue;
    if (restarts !== undefined) sum.restarts += Math.max(0, span.value.restarts - restarts);
    restarts = span.value.restarts;
    if (span.value.tone === 'ready') sum.readyMs += Math.max(0, Math.min(span.until, end) - Math.max(span.from, a));
  }
}
