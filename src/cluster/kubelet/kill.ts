import type { LifecycleHandler } from '../../api/schema/types.ts';
import { call, nextId } from './calls.ts';
import { httpHook } from './hooks.ts';
import { minimumGraceMs } from './options.ts';
import { findContainer, podEvent, sidecars } from './pod-spec.ts';
import { proceed, type Outcome } from './run.ts';
import type { Env, Kill, KillTarget, PodWorker, Run, Step } from './state.ts';

/** Takes containers down, all at once. Upstream: pkg/kubelet/kuberuntime killContainersWithSyncResult, killContainer. */
export function killStep(env: Env, worker: PodWorker, run: Run, step: Step): Outcome {
  const targets = step.targets ?? [];
  if (step.stage === 'begin') {
    step.stage = 'killing';
    run.kills = {};
    for (const target of targets) beginKill(env, worker, run, target, targets);
  }
  if (targets.some(({ containerId }) => run.kills[containerId]?.stage !== 'done')) return 'wait';
  run.kills = {};
  return 'done';
}

/** Sidecars go after the apps and in reverse order. Upstream: kuberuntime_termination_order.go. */
function prerequisites(worker: PodWorker, name: string, targets: readonly KillTarget[]): string[] {
  const order = sidecars(worker.pod).map((container) => container.name);
  const position = order.indexOf(name);
  if (position < 0) return [];
  const before = new Set([...worker.pod.spec.containers.map((container) => container.name), ...order.slice(position + 1)]);
  return targets.filter((target) => before.has(target.name)).map((target) => target.containerId);
}

export function beginKill(env: Env, worker: PodWorker, run: Run, target: KillTarget, targets: readonly KillTarget[] = []): void {
  const { ctx } = env;
  const graceMs = graceOf(worker, target) * 1000;
  const kill: Kill = { ...target, stage: 'hook', graceMs, startedAt: ctx.now, after: prerequisites(worker, target.name, targets) };
  run.kills[target.containerId] = kill;
  podEvent(env, worker.pod, 'Normal', 'Killing', target.message, target.name);
  const hook = findContainer(worker.pod, target.name)?.container.lifecycle?.preStop;
  if (hook === undefined || graceMs <= 0) return afterHook(env, worker, run, kill);
  runHook(env, worker, kill, hook);
  ctx.schedule({ afterMs: graceMs, kind: 'kill-timer', payload: { uid: worker.uid, containerId: kill.containerId, startedAt: kill.startedAt }, key: `kill ${kill.containerId}` });
}

/** Upstream: setTerminationGracePeriod and the worker's override. */
function graceOf(worker: PodWorker, { graceSeconds, probe, name }: KillTarget): number {
  const { pod } = worker;
  if (graceSeconds !== undefined) return graceSeconds;
  if (pod.metadata.deletionGracePeriodSeconds !== undefined) return pod.metadata.deletionGracePeriodSeconds;
  const container = findContainer(pod, name)?.container;
  const own = probe === 'liveness' ? container?.livenessProbe : probe === 'startup' ? container?.startupProbe : undefined;
  return own?.terminationGracePeriodSeconds ?? pod.spec.terminationGracePeriodSeconds ?? 2;
}

function runHook(env: Env, worker: PodWorker, kill: Kill, hook: LifecycleHandler): void {
  const { ctx } = env;
  const handler = handlerOf(hook);
  ctx.note('hook', { podUid: worker.uid, container: kill.name, hook: 'preStop', handler, phase: 'started' });
  if (hook.exec !== undefined) {
    call(env, worker.uid, 'pre-stop', { op: 'exec', containerId: kill.containerId, command: hook.exec.command ?? [], timeoutMs: 0, purpose: 'hook' }, kill.containerId);
    return;
  }
  let afterMs = (hook.sleep?.seconds ?? 0) * 1000;
  let error: string | undefined;
  if (hook.httpGet !== undefined) {
    const container = findContainer(worker.pod, kill.name)?.container;
    const answer = container === undefined ? { error: 'no container', latencyMs: 0 } : httpHook(env, worker, container, hook.httpGet);
    afterMs = answer.latencyMs;
    error = answer.error;
  } else if (hook.tcpSocket !== undefined) error = 'invalid handler';
  const id = nextId(env, worker.uid, 'pre-stop', kill.containerId);
  ctx.schedule({ afterMs, kind: 'timer', payload: { id, ...(error === undefined ? {} : { error }) } });
}

const handlerOf = (hook: LifecycleHandler) => (hook.exec !== undefined ? 'exec' : hook.httpGet !== undefined ? 'httpGet' : hook.sleep !== undefined ? 'sleep' : 'tcpSocket');

/** A preStop hook ended; it may have been given up long before. */
export function hookEnded(env: Env, worker: PodWorker, containerId: string, error: string | undefined): void {
  const kill = worker.run?.kills[containerId];
  const name = kill?.name ?? worker.snapshot.containers.find((record) => record.id === containerId)?.name;
  if (name === undefined) return;
  const hook = findContainer(worker.pod, name)?.container.lifecycle?.preStop;
  if (hook !== undefined) {
    env.ctx.note('hook', { podUid: worker.uid, container: name, hook: 'preStop', handler: handlerOf(hook), phase: error === undefined ? 'finished' : 'failed', ...(error === undefined ? {} : { message: error }) });
  }
  if (error !== undefined) podEvent(env, worker.pod, 'Warning', 'FailedPreStopHook', 'PreStopHook failed', name);
  if (kill?.stage !== 'hook' || worker.run === undefined) return;
  afterHook(env, worker, worker.run, kill);
  proceed(env, worker);
}

/** The grace period ran out while a hook ran or while others had to go first. */
export function killTimer(env: Env, worker: PodWorker, { containerId, startedAt }: { containerId: string; startedAt: number }): void {
  const kill = worker.run?.kills[containerId];
  if (kill === undefined || kill.startedAt !== startedAt) return;
  if (kill.stage === 'hook') {
    env.ctx.note('hook', { podUid: worker.uid, container: kill.name, hook: 'preStop', handler: 'exec', phase: 'abandoned' });
  } else if (kill.stage !== 'order') return;
  stop(env, worker, kill);
}

function afterHook(env: Env, worker: PodWorker, run: Run, kill: Kill): void {
  kill.stage = 'order';
  const open = kill.after.some((id) => run.kills[id]?.stage !== 'done');
  if (!open || left(env, kill) <= 0) return stop(env, worker, kill);
  env.ctx.schedule({ afterMs: left(env, kill), kind: 'kill-timer', payload: { uid: worker.uid, containerId: kill.containerId, startedAt: kill.startedAt }, key: `kill ${kill.containerId}` });
}

/** Whole seconds that passed are taken off. */
const left = (env: Env, kill: Kill): number => kill.graceMs - Math.floor((env.ctx.now - kill.startedAt) / 1000) * 1000;

function stop(env: Env, worker: PodWorker, kill: Kill): void {
  kill.stage = 'stopping';
  env.ctx.cancel(`kill ${kill.containerId}`);
  const graceMs = Math.max(minimumGraceMs, left(env, kill));
  call(env, worker.uid, 'kill', { op: 'stop-container', containerId: kill.containerId, graceMs }, kill.containerId);
}

/** The runtime stopped a container: those that waited for it follow. */
export function containerStopped(env: Env, worker: PodWorker, containerId: string): void {
  const { run } = worker;
  const kill = run?.kills[containerId];
  if (run === undefined || kill === undefined) return;
  kill.stage = 'done';
  for (const other of Object.values(run.kills)) {
    if (other.stage === 'order' && other.after.every((id) => run.kills[id] === undefined || run.kills[id]?.stage === 'done')) stop(env, worker, other);
  }
  proceed(env, worker);
}
