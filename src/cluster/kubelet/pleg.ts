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

/** The periodic relist: changed pods first, then the workers that wait for it, then the events: an unblocked worker gets its event on top. */
export function relist(env: Env): void {
  const { state } = env;
  if (state.stopped) return;
  const found: [PodWorker, number][] = [];
  for (const uid of Object.keys(state.dirty)) {
    const worker = state.pods[uid];
    delete state.dirty[uid];
    if (worker !== undefined) found.push([worker, relistPod(env, worker)]);
  }
  const { waiting } = state;
  state.waiting = [];
  for (const uid of waiting) {
    const worker = state.pods[uid];
    if (worker?.stage === 'waiting') resume(env, worker);
  }
  for (const [worker, updates] of found) wakeTimes(env, worker, updates);
}

/** A pass that did something is followed by a look at its pod alone. Upstream: PLEGOnDemandRelist. */
export function lookSoon({ ctx }: Env, { uid }: PodWorker): void {
  ctx.schedule({ afterMs: ctx.random('look').between(8, 25), kind: 'look', key: `look ${uid}`, payload: { uid } });
}

export function lookNow(env: Env, worker: PodWorker): void {
  const updates = relistPod(env, worker);
  if (worker.stage !== 'running') worker.relisted = true;
  if (worker.stage === 'waiting') {
    env.state.waiting = env.state.waiting.filter((uid) => uid !== worker.uid);
    resume(env, worker);
  }
  wakeTimes(env, worker, updates);
}

export function wakeTimes(env: Env, worker: PodWorker, times: number): void {
  for (let i = 0; i < times; i++) wake(env, worker);
}

/**
 * Looks at one pod now; returns how many updates its worker gets. The events of one relist merge, except that the clean-up after each death gives the
 * worker time to take the first (recorded 033). Upstream: generic.go relist, computeEvents.
 */
export function relistPod(env: Env, worker: PodWorker): number {
  const before = worker.snapshot;
  const after = inspect(env, worker);
  if (worker.stage === 'finished' && worker.gone) return 0;
  const died = diedSince(before, after);
  const started = after.containers.filter((record) => record.state === 'running' && stateBefore(before, record.id) !== 'running');
  const sandboxes = [...after.sandboxes, ...before.sandboxes.filter((old) => !after.sandboxes.some((item) => item.id === old.id))];
  const changed = sandboxes.filter(({ id }) => sandboxReady(before, id) !== sandboxReady(after, id));
  for (const record of died) pruneDead(env, worker, record);
  return Math.min(2, died.length + (started.length + changed.length > 0 ? 1 : 0));
}

const sandboxReady = ({ sandboxes }: Snapshot, id: string): boolean => sandboxes.find((sandbox) => sandbox.id === id)?.state === 'ready';
const stateBefore = ({ containers }: Snapshot, id: string) => containers.find((record) => record.id === id)?.state;

function diedSince(before: Snapshot, after: Snapshot): ContainerStatusRecord[] {
  const exited = after.containers.filter((record) => record.state === 'exited' && stateBefore(before, record.id) !== 'exited');
  const vanished = before.containers.filter((record) => record.state === 'running' && !after.containers.some((item) => item.id === record.id));
  return [...exited, ...vanished];
}

/** The runtime takes a moment to notice that a process ended: until then it says running. */
const exitLagMs = 25;

/** Reads the runtime into the pod's cache entry. `settled`: after a stop, which waited for the end. */
export function inspect(env: Env, worker: PodWorker, settled = false): Snapshot {
  const view = env.ctx.runtime(env.node.name);
  delete env.state.dirty[worker.uid];
  if (view === undefined) return worker.snapshot;
  worker.snapshot = {
    sandboxes: view.sandboxes(worker.uid).map((sandbox) => ({ ...sandbox })),
    containers: view.containers(worker.uid).map((record) => known(env, worker, record, settled)),
  };
  const ip = worker.snapshot.sandboxes[0]?.ip;
  if (ip !== undefined && ip !== '') worker.podIP = ip;
  return worker.snapshot;
}

function known(env: Env, worker: PodWorker, record: ContainerStatusRecord, settled: boolean): KnownContainer {
  const specImage = worker.specImages[record.id];
  const copy = specImage === undefined ? { ...record } : { ...record, specImage };
  if (settled || record.state !== 'exited' || record.startedAt === 0 || env.ctx.epochMs - record.finishedAt >= exitLagMs) return copy;
  markDirty(env, worker.uid);
  return { ...copy, state: 'running', finishedAt: 0, exitCode: 0, reason: '', message: '' };
}

/** Of each container the newest dead instance is kept. Upstream: pkg/kubelet/pod_container_deletor.go. */
function pruneDead(env: Env, worker: PodWorker, died: ContainerStatusRecord): void {
  const dead = worker.snapshot.containers.filter((record) => record.name === died.name && record.state === 'exited');
  for (const record of dead.slice(1)) {
    delete worker.specImages[record.id];
    call(env, worker.uid, 'none', { op: 'remove-container', containerId: record.id });
  }
}

