import type { Pod } from '../../api/schema/types.ts';
import { samePlain } from '../../sim/plain.ts';
import type { Component, Context, WatchChange } from '../component.ts';
import type { ProbeType } from '../notes.ts';
import { admit } from './admission.ts';
import { call, parseId } from './calls.ts';
import type { CriReply, RuntimeChanged } from './cri.ts';
import { deadlinePassed } from './deadline.ts';
import { evict, nextLook, usageChanged } from './eviction.ts';
import { pullEnded } from './images.ts';
import { containerStopped, hookEnded, killTimer } from './kill.ts';
import { nodeEvent, nodeReported, renewLease, reportNode } from './node-status.ts';
import { syncTickMs, relistPeriodMs, type KubeletOptions } from './options.ts';
import { lookNow, markDirty, relist, requestTick } from './pleg.ts';
import { forget, podChanged, podRemoved, wake } from './pod-workers.ts';
import { containerChanged, execAnswered, forceProbe, pauseProbes, probeAnswer, probeTick, wakeProbes } from './probes/worker.ts';
import { proceed } from './run.ts';
import { createWorker, type Env, type KubeletState, type PodWorker } from './state.ts';
import { statusWritten, writeNext } from './status/manager.ts';
import { tryMounts } from './volumes/mount.ts';

export { initialNode } from './node-status.ts';
export type { KubeletOptions } from './options.ts';

/** The kubelet of one node. Upstream: pkg/kubelet. */
export function kubelet(node: KubeletOptions): Component<KubeletState> {
  return {
    reportsAs: 'kubelet',
    watches: [{ resource: 'pods', node: node.name }],
    start: (ctx) => start(ctx),
    handle: (state, event, ctx) => {
      if (state.stopped && !heardWhenStopped.has(event.kind)) state.missed.push({ kind: event.kind, payload: event.payload });
      else handlers[event.kind]?.({ state, ctx, node }, event.payload as never);
    },
  };
}

function start(ctx: Context): KubeletState {
  const random = ctx.random('phase');
  ctx.schedule({ afterMs: random.below(10_000), kind: 'lease', key: 'lease' });
  ctx.schedule({ afterMs: 20_000 + random.below(280_000), kind: 'node-report', key: 'node-report' });
  return {
    pods: {}, podCount: 0, relistPhase: random.below(relistPeriodMs), syncPhase: random.below(syncTickMs), measurePhase: random.below(60_000), startedAt: ctx.now, dirty: {}, waiting: [], statusQueue: [], pulls: [],
    nextId: 1, memoryInUse: 0, stopped: false, cutOff: false, garbage: [], missed: [], heldEvents: [], nodeLoop: { cordoned: false, pressure: null, lastReportAt: ctx.now },
  };
}

/** A stopped kubelet hears nothing; what it would have found on its return is kept for it. */
const heardWhenStopped = new Set(['fault', 'lease', 'node-report', 'status', 'relist', 'eviction']);

type Handler = (env: Env, payload: never) => void;

const withWorker = (run: (env: Env, worker: PodWorker, payload: never) => void): Handler => (env, payload) => {
  const worker = env.state.pods[(payload as { uid: string }).uid];
  if (worker !== undefined) run(env, worker, payload);
};

const handlers: Record<string, Handler> = {
  watch: (env, { changes }: { changes: WatchChange[] }) => {
    for (const change of changes) watched(env, change);
  },
  'cri-reply': criReply,
  'runtime-changed': runtimeChanged,
  relist: (env) => relist(env),
  look: withWorker((env, worker) => lookNow(env, worker)),
  status: (env) => writeNext(env),
  'status-written': statusWritten,
  sync: withWorker((env, worker) => wake(env, worker)),
  deadline: withWorker((env, worker) => deadlinePassed(env, worker)),
  mount: withWorker((env, worker) => tryMounts(env, worker)),
  'kill-timer': withWorker((env, worker, payload) => killTimer(env, worker, payload)),
  timer,
  probe: withWorker((env, worker, { key }: { key: string }) => probeTick(env, worker, key)),
  'probe-answer': withWorker((env, worker, { key, id, answer }: { key: string; id: string; answer: Parameters<typeof probeAnswer>[4] }) => probeAnswer(env, worker, key, id, answer)),
  lease: (env) => renewLease(env),
  'node-report': (env) => reportNode(env, 'period'),
  'node-reported': nodeReported,
  eviction: (env) => evict(env),
  measured: (env) => nextLook(env),
  garbage: (env) => collectGarbage(env),
  fault,
};

function watched(env: Env, { type, object }: WatchChange): void {
  const pod = object as unknown as Pod;
  const worker = env.state.pods[pod.metadata.uid];
  if (type === 'DELETED') {
    if (worker !== undefined) podRemoved(env, worker);
  } else if (worker === undefined) podAdded(env, pod);
  else podChanged(env, worker, pod, differsInMeaning(worker.pod, pod));
}

function podAdded(env: Env, pod: Pod): void {
  const worker = createWorker(pod, env.ctx.now);
  env.state.pods[worker.uid] = worker;
  env.state.podCount++;
  env.ctx.note('pod-step', { podUid: worker.uid, step: 'seen' });
  const fresh = pod.metadata.deletionTimestamp === undefined && pod.status.phase === 'Pending';
  if (fresh && !admit(env, worker)) return;
  podChanged(env, worker, pod, true);
}

/** A change of status alone is no reason to sync. Upstream: pkg/kubelet/config/config.go podsDifferSemantically. */
function differsInMeaning(a: Pod, b: Pod): boolean {
  const x = a.metadata;
  const y = b.metadata;
  return !samePlain(a.spec, b.spec) || x.deletionTimestamp !== y.deletionTimestamp || x.deletionGracePeriodSeconds !== y.deletionGracePeriodSeconds
    || !samePlain(x.labels, y.labels) || !samePlain(x.annotations, y.annotations) || gatesDiffer(a, b);
}

const gatesDiffer = (a: Pod, b: Pod): boolean =>
  (b.spec.readinessGates ?? []).some(({ conditionType }) => statusOf(a, conditionType) !== statusOf(b, conditionType));
const statusOf = (pod: Pod, type: string) => pod.status.conditions?.find((condition) => condition.type === type)?.status;

function criReply(env: Env, reply: CriReply): void {
  const { uid, purpose, detail } = parseId(reply.id);
  if (purpose === 'pull') return pullEnded(env, reply);
  const worker = env.state.pods[uid];
  if (worker === undefined) return;
  if (purpose === 'kill') containerStopped(env, worker, detail);
  else if (purpose === 'pre-stop') hookEnded(env, worker, detail, hookError(reply));
  else if (purpose === 'probe') execAnswered(env, worker, detail, reply);
  else if (purpose === 'run' && worker.run?.waitsFor === reply.id) {
    worker.run.reply = failedHook(reply);
    proceed(env, worker);
  }
}

/** A command that ends with another code than 0 is a failed hook. */
const hookError = ({ result }: CriReply): string | undefined =>
  !result.ok ? result.error : result.exec !== undefined && result.exec.exitCode !== 0 ? `exited with ${result.exec.exitCode}` : undefined;

function failedHook(reply: CriReply): CriReply {
  const { result } = reply;
  if (!result.ok || result.exec === undefined || result.exec.exitCode === 0) return reply;
  return { ...reply, result: { ok: false, error: `exited with ${result.exec.exitCode}`, exec: result.exec } };
}

/** A timer in place of an answer. */
function timer(env: Env, { id, error }: { id: string; error?: string }): void {
  const { uid, purpose, detail } = parseId(id);
  const worker = env.state.pods[uid];
  if (worker === undefined) return;
  if (purpose === 'pre-stop') return hookEnded(env, worker, detail, error);
  if (worker.run?.waitsFor !== id) return;
  worker.run.reply = { id, op: 'exec', result: { ok: true } };
  proceed(env, worker);
}

function runtimeChanged(env: Env, { podUid, containerId, what }: RuntimeChanged): void {
  const worker = env.state.pods[podUid];
  if (what === 'usage') return usageChanged(env, worker);
  if (worker === undefined) return;
  if (what === 'generation') {
    if (containerId !== undefined) containerChanged(env, worker, containerId);
  } else markDirty(env, podUid);
}

function collectGarbage(env: Env): void {
  for (const sandboxId of env.state.garbage) call(env, '', 'none', { op: 'remove-sandbox', sandboxId });
  env.state.garbage = [];
}

type Fault = { kubelet: 'stop' | 'start' } | { network: 'down' | 'up' } | { probe: ProbeType; result: 'fail' | 'timeout' | 'none'; podUid: string; container: string };

function fault(env: Env, payload: Fault): void {
  const { state } = env;
  if ('probe' in payload) {
    const worker = state.pods[payload.podUid];
    if (worker !== undefined) forceProbe(env, worker, payload.container, payload.probe, payload.result);
  } else if ('network' in payload) {
    state.cutOff = payload.network === 'down';
    if (!state.cutOff) reconnect(env);
  } else if (payload.kubelet === 'stop') {
    state.stopped = true;
    for (const worker of Object.values(state.pods)) pauseProbes(env, worker);
  } else if (state.stopped) {
    state.stopped = false;
    nodeEvent(env, 'Normal', 'Starting', 'Starting kubelet.');
    reconnect(env);
    const { missed } = state;
    state.missed = [];
    for (const { kind, payload: old } of missed) handlers[kind]?.(env, old as never);
    for (const worker of Object.values(state.pods)) wakeProbes(env, worker);
  }
}

/** Back again: the lease and the node's status at once, then what was missed. */
function reconnect(env: Env): void {
  renewLease(env);
  reportNode(env, 'change');
  for (const worker of Object.values(env.state.pods)) {
    if (worker.gone && worker.stage === 'finished') forget(env, worker);
    else markDirty(env, worker.uid);
  }
  requestTick(env);
  const { heldEvents } = env.state;
  env.state.heldEvents = [];
  for (const event of heldEvents) env.ctx.event(event);
  writeNext(env);
}
