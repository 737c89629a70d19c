import { parseRfc3339 } from '../../sim/time.ts';
import { syncTickMs } from './options.ts';
import { podEvent } from './pod-spec.ts';
import { wake } from './pod-workers.ts';
import type { Env, PodWorker, Verdict } from './state.ts';

const message = 'Pod was active on the node longer than the specified deadline';
const verdict: Verdict = { phase: 'Failed', reason: 'DeadlineExceeded', message, disruption: false };

/** Sets the alarm for activeDeadlineSeconds: the sync ticker's first tick past it. Upstream: pkg/kubelet/active_deadline.go. */
export function watchDeadline(env: Env, worker: PodWorker): void {
  const at = deadlineOf(env, worker);
  if (at === undefined || worker.verdict !== undefined) return;
  const { ctx, state } = env;
  const due = Math.max(at, ctx.now);
  const offset = (((due - state.syncPhase) % syncTickMs) + syncTickMs) % syncTickMs;
  ctx.schedule({ afterMs: due - ctx.now + (offset === 0 ? 0 : syncTickMs - offset), kind: 'deadline', key: `deadline ${worker.uid}`, payload: { uid: worker.uid } });
}

function deadlineOf(env: Env, worker: PodWorker): number | undefined {
  const { activeDeadlineSeconds } = worker.pod.spec;
  const start = worker.status?.startTime ?? worker.pod.status.startTime;
  const startMs = start === undefined ? undefined : parseRfc3339(start);
  if (activeDeadlineSeconds === undefined || startMs === undefined) return undefined;
  return startMs + activeDeadlineSeconds * 1000 - (env.ctx.epochMs - env.ctx.now);
}

export function deadlinePassed(env: Env, worker: PodWorker): void {
  if (worker.work === 'sync') wake(env, worker);
}

/** Asked at each status: past the deadline the pod has failed. */
export function checkDeadline(env: Env, worker: PodWorker): void {
  const at = deadlineOf(env, worker);
  if (at === undefined || env.ctx.now < at || (worker.verdict !== undefined && worker.verdict !== verdict && worker.verdict.reason !== verdict.reason)) return;
  podEvent(env, worker.pod, 'Normal', 'DeadlineExceeded', message);
  worker.verdict = verdict;
}
