import type { ContainerStatusRecord } from './cri.ts';
import { relistPeriodMs } from './options.ts';
import { resume, wake } from './pod-workers.ts';
import type { Env, KnownContainer, PodWorker, Snapshot } from './state.ts';
import { call } from './calls.ts';

/**
 * The relist runs each second, but a queue entry exists only while a pod changed or a worker waits: in between its ticks are known by arithmetic.
 * Upstream: pkg/kubelet/pleg/generic.go.
 */
export function lastTick(env: Env): number {
  const { state, ctx } = env;
  return ctx.now - ((((ctx.now - state.relistPhase) % relistPeriodMs) + relistPeriodMs) % relistPeriodMs);
}

const nextTickIn = (env: Env): number => lastTick(env) + relistPeriodMs - env.ctx.now;

/** Something changed in a pod: the next relist will look at it. */
export function markDirty(env: Env, uid: string): void {
  env.state.dirty[uid] ??= env.ctx.now;
  requestTick(env);
}

export function requestTick(env: Env): void {
  if (!env.state.stopped) env.ctx.schedule({ afterMs: nextTickIn(env), kind: 'relist', key: 'relist' });
}

/** The periodic relist: changed pods first, then the workers that wait for it. */
export function relist(env: Env): void {
  const { state } = env;
  if (state.stopped) return;
  for (const uid of Object.keys(state.dirty)) {
    const worker = state.pods[uid];
    delete state.dirty[uid];
    if (worker !== undefined) relistPod(env, worker);
  }
  const { waiting } = state;
  state.waiting = [];
  for (const uid of waiting) {
    const worker = state.pods[uid];
    if (worker?.stage === 'waiting') resume(env, worker);
  }
}

/** When the cache entry of a pod is from. */
export const cachedAt = (env: Env, worker: PodWorker): number => Math.max(worker.snapshot.at, lastTick(env));

/** Looks at one pod now; differences wake its worker. Upstream: generic.go relist, computeEvents. */
export function relistPod(env: Env, worker: PodWorker): void {
  const before = worker.snapshot;
  const after = inspect(env, worker);
  if (worker.stage === 'finished' && worker.gone) return;
  const died = diedSince(before, after);
  const started = after.containers.some((record) => record.state === 'running' && stateBefore(before, record.id) !== 'running')
    || after.sandboxes.some((sandbox) => sandbox.state === 'ready' && before.sandboxes.find((item) => item.id === sandbox.id)?.state !== 'ready');
  const sandboxDied = before.sandboxes.some((sandbox) => sandbox.state === 'ready' && after.sandboxes.find((item) => item.id === sandbox.id)?.state !== 'ready');
  for (const record of died) pruneDead(env, worker, record);
  if (died.length > 0 || started || sandboxDied) wake(env, worker);
}

const stateBefore = ({ containers }: Snapshot, id: string) => containers.find((record) => record.id === id)?.state;

function diedSince(before: Snapshot, after: Snapshot): ContainerStatusRecord[] {
  const exited = after.containers.filter((record) => record.state === 'exited' && stateBefore(before, record.id) !== 'exited');
  const vanished = before.containers.filter((record) => record.state === 'running' && !after.containers.some((item) => item.id === record.id));
  return [...exited, ...vanished];
}

/** Reads the runtime into the pod's cache entry. */
export function inspect(env: Env, worker: PodWorker): Snapshot {
  const view = env.ctx.runtime(env.node.name);
  delete env.state.dirty[worker.uid];
  if (view === undefined) return worker.snapshot;
  worker.snapshot = {
    at: env.ctx.now + 1,
    sandboxes: view.sandboxes(worker.uid).map((sandbox) => ({ ...sandbox })),
    containers: view.containers(worker.uid).map((record) => known(worker, record)),
  };
  const ip = worker.snapshot.sandboxes[0]?.ip;
  if (ip !== undefined && ip !== '') worker.podIP = ip;
  return worker.snapshot;
}

function known(worker: PodWorker, record: ContainerStatusRecord): KnownContainer {
  const specImage = worker.specImages[record.id];
  return specImage === undefined ? { ...record } : { ...record, specImage };
}

/** Of each container the newest dead instance is kept. Upstream: pkg/kubelet/pod_container_deletor.go. */
function pruneDead(env: Env, worker: PodWorker, died: ContainerStatusRecord): void {
  const dead = worker.snapshot.containers.filter((record) => record.name === died.name && record.state === 'exited');
  for (const record of dead.slice(1)) {
    delete worker.specImages[record.id];
    call(env, worker.uid, 'none', { op: 'remove-container', containerId: record.id });
  }
}

