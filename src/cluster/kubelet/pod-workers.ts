import type { Pod } from '../../api/schema/types.ts';
import { beginRun, proceed } from './run.ts';
import { lastTick, relistPod, requestTick } from './pleg.ts';
import { errorBackOffMs, resyncMs, syncTickMs } from './options.ts';
import { isTerminalPhase, jitter } from './pod-spec.ts';
import { needsResync } from './resync.ts';
import type { Env, PodWorker, Run, Verdict } from './state.ts';
import { stopAllProbes } from './probes/worker.ts';

/** An update for a pod: merged while its worker is busy. Upstream: pkg/kubelet/pod_workers.go UpdatePod, podWorkerLoop. */
export function wake(env: Env, worker: PodWorker): void {
  if (env.state.stopped || worker.rejected || worker.stage === 'finished') return;
  worker.pending = true;
  if (worker.stage === 'idle') next(env, worker);
}

/** Takes the pending update, if any, and waits for a relist newer than the last sync. */
export function next(env: Env, worker: PodWorker): void {
  if (!worker.pending || worker.stage !== 'idle') return;
  worker.pending = false;
  env.ctx.cancel(`sync ${worker.uid}`);
  if (worker.relisted || worker.lastSyncEnd < 0 || lastTick(env) > worker.lastSyncEnd) {
    resume(env, worker);
    return;
  }
  worker.stage = 'waiting';
  env.state.waiting.push(worker.uid);
  requestTick(env);
}

/** Starts the pass that was waited for. */
export function resume(env: Env, worker: PodWorker): void {
  const dirtySince = env.state.dirty[worker.uid];
  if (dirtySince !== undefined && lastTick(env) > dirtySince && relistPod(env, worker) > 0) worker.pending = true;
  worker.stage = 'running';
  worker.relisted = false;
  worker.run = beginRun(env, worker);
  proceed(env, worker);
}

/** The pass is over: requeue, and take what came meanwhile. Upstream: completeSync, completeTerminating, completeTerminated, completeWork. */
export function endRun(env: Env, worker: PodWorker, run: Run, outcome: 'done' | 'phase'): void {
  delete worker.run;
  worker.lastSyncEnd = env.ctx.now;
  if (outcome === 'phase') {
    worker.stage = 'idle';
    worker.pending = true;
  } else if (run.kind === 'terminated') {
    worker.stage = 'finished';
    worker.pending = false;
    if (worker.gone) forget(env, worker);
    return;
  } else {
    worker.stage = 'idle';
    requeue(env, worker, run);
  }
  next(env, worker);
}

function requeue(env: Env, worker: PodWorker, run: Run): void {
  const { ctx } = env;
  if (!run.failed && run.retryAt === undefined) {
    if (needsResync(worker)) syncLater(env, worker, jitter(ctx, resyncMs));
    return;
  }
  const delay = run.retryAt === undefined ? errorBackOffMs : Math.min(Math.max(run.retryAt - ctx.now, 1), resyncMs);
  syncLater(env, worker, jitter(ctx, delay));
}

/** The work queue is looked at once a second. */
export function syncLater(env: Env, worker: PodWorker, delayMs: number): void {
  const { ctx, state } = env;
  const due = ctx.now + delayMs;
  const offset = (((due - state.syncPhase) % syncTickMs) + syncTickMs) % syncTickMs;
  ctx.schedule({ afterMs: delayMs + (offset === 0 ? 0 : syncTickMs - offset), kind: 'sync', key: `sync ${worker.uid}`, payload: { uid: worker.uid } });
}

/** The new object from the watch. */
export function podChanged(env: Env, worker: PodWorker, pod: Pod, meaningful: boolean): void {
  worker.pod = pod;
  if (worker.rejected || worker.stage === 'finished') return;
  if (pod.metadata.deletionTimestamp !== undefined || (worker.work === 'sync' && isTerminalPhase(pod.status.phase))) terminate(env, worker);
  if (meaningful) wake(env, worker);
}

/** sync -> terminating, or a shorter grace while terminating. */
export function terminate(env: Env, worker: PodWorker, verdict?: Verdict): void {
  if (worker.work === 'terminated') return;
  const first = worker.work === 'sync';
  worker.work = 'terminating';
  if (verdict !== undefined && worker.verdict === undefined) worker.verdict = verdict;
  const seconds = effectiveGrace(worker, verdict?.graceSeconds);
  const shorter = worker.graceSeconds === undefined || seconds < worker.graceSeconds;
  worker.graceSeconds = seconds;
  if (first || shorter) {
    const { ctx } = env;
    if (worker.pod.metadata.deletionTimestamp !== undefined || verdict !== undefined || worker.gone) {
      ctx.note('grace', { podUid: worker.uid, seconds, endsAt: ctx.now + seconds * 1000 });
    }
    if (worker.run?.steps[0]?.do === 'volumes') abortVolumeWait(env, worker);
  }
  if (verdict !== undefined || worker.gone) wake(env, worker);
}

/** Of all waits in a sync only that for volumes ends when the pod is to go. */
function abortVolumeWait(env: Env, worker: PodWorker): void {
  const run = worker.run as Run;
  run.steps = [];
  worker.pending = true;
  endRun(env, worker, { ...run, failed: false }, 'done');
}

/** Upstream: calculateEffectiveGracePeriod: it only ever gets shorter, and is at least a second. */
function effectiveGrace({ pod, graceSeconds }: PodWorker, override: number | undefined): number {
  let grace = graceSeconds;
  for (const seconds of [pod.metadata.deletionGracePeriodSeconds, override]) {
    if (seconds !== undefined && (grace === undefined || seconds < grace)) grace = seconds;
  }
  return Math.max(1, grace ?? pod.spec.terminationGracePeriodSeconds ?? 30);
}

/** The object is gone from the API: whatever still runs is taken down with its own grace. */
export function podRemoved(env: Env, worker: PodWorker): void {
  worker.gone = true;
  if (worker.stage === 'finished' || worker.rejected) {
    forget(env, worker);
    return;
  }
  terminate(env, worker);
}

/** Nothing of the pod is kept but its sandbox, for the next garbage collection. */
export function forget(env: Env, worker: PodWorker): void {
  const { state, ctx, node } = env;
  stopAllProbes(env, worker);
  if (state.pods[worker.uid] === worker) state.podCount--;
  delete state.pods[worker.uid];
  state.memoryInUse -= worker.memoryBytes;
  delete state.dirty[worker.uid];
  for (const sandbox of ctx.runtime(node.name)?.sandboxes(worker.uid) ?? []) state.garbage.push(sandbox.id);
  if (state.garbage.length > 0) ctx.schedule({ afterMs: ctx.random('garbage').between(1000, 60_000), kind: 'garbage', key: 'garbage' });
}
