import { unreachable } from '../../sim/assert.ts';
import { triggerReadiness, startProbes, stopProbesForTermination, stopAllProbes, wakeProbes } from './probes/worker.ts';
import { call } from './calls.ts';
import { computeActions, type PodActions } from './compute-actions.ts';
import { watchDeadline } from './deadline.ts';
import { podEvent, isTerminalPhase } from './pod-spec.ts';
import { inspect, lookSoon } from './pleg.ts';
import { endRun, terminate } from './pod-workers.ts';
import { verdictOf } from './probes/results.ts';
import { killStep } from './kill.ts';
import { completeResize, considerResize, resizeInPlace, resizeNeedsRestart, resizeStep } from './resize.ts';
import { sandboxStep } from './sandbox.ts';
import { startStep } from './start-container.ts';
import type { Env, KillTarget, PodWorker, Run, Step, StepName } from './state.ts';
import { finalStatus, setStatus } from './status/manager.ts';
import { generateStatus, initializedBefore } from './status/generate.ts';
import { unmountAll, volumesReady } from './volumes/mount.ts';

/** 'wait': an answer or a timer continues the step. 'abort': nothing of this pass is done any more. */
export type Outcome = 'done' | 'wait' | 'abort';

export const newStep = (name: StepName, more: Partial<Step> = {}): Step => ({ do: name, stage: 'begin', ...more });

/** Upstream: pkg/kubelet/kubelet.go SyncPod, SyncTerminatingPod, SyncTerminatedPod up to the first thing that takes time. */
export function beginRun(env: Env, worker: PodWorker): Run {
  const run: Run = { kind: worker.work, startedAt: env.ctx.now, steps: [], actions: 0, failed: false, kills: {} };
  if (worker.work === 'sync') {
    considerResize(env, worker);
    const status = generateStatus(env, worker, false);
    setStatus(env, worker, status);
    if (worker.restartingAll === 'removed') worker.restartingAll = 'no';
    watchDeadline(env, worker);
    wakeProbes(env, worker);
    triggerReadiness(env, worker);
    if (!isTerminalPhase(status.phase)) run.steps = [newStep('volumes'), newStep('prepare'), newStep('actions')];
  } else if (worker.work === 'terminating') {
    env.ctx.note('pod-step', { podUid: worker.uid, step: 'terminating' });
    setStatus(env, worker, generateStatus(env, worker, false));
    stopProbesForTermination(env, worker);
    run.steps = [newStep('kill', { targets: runningTargets(worker) }), newStep('stop-sandboxes'), newStep('terminating-end')];
  } else {
    run.steps = [newStep('unmount'), newStep('terminated-end')];
  }
  return run;
}

/** Everything that runs, to be stopped with the pod's grace. */
export function runningTargets(worker: PodWorker, message?: string): KillTarget[] {
  return worker.snapshot.containers
    .filter((record) => record.state === 'running')
    .map((record) => ({
      containerId: record.id, name: record.name, message: message ?? `Stopping container ${record.name}`,
      ...(worker.graceSeconds === undefined ? {} : { graceSeconds: worker.graceSeconds }),
    }));
}

/** Carries on with the pass until something has to be waited for. */
export function proceed(env: Env, worker: PodWorker): void {
  const { run } = worker;
  if (run === undefined) return;
  while (run.steps.length > 0) {
    const step = run.steps[0] as Step;
    const outcome = perform(env, worker, run, step);
    if (worker.run !== run || outcome === 'wait') return;
    delete run.reply;
    delete run.waitsFor;
    if (outcome === 'abort') run.steps = [];
    else if (run.steps[0] === step) run.steps.shift();
  }
  finish(env, worker, run);
}

function perform(env: Env, worker: PodWorker, run: Run, step: Step): Outcome {
  switch (step.do) {
    case 'volumes': return volumesReady(env, worker, run, step);
    case 'prepare': return prepare(env, worker);
    case 'actions': return actions(env, worker, run);
    case 'sandbox': return sandboxStep(env, worker, run, step);
    case 'start': return startStep(env, worker, run, step);
    case 'kill': return killStep(env, worker, run, step);
    case 'stop-sandboxes': return stopSandboxes(env, worker, run, step);
    case 'remove-containers': return removeContainers(env, worker, run, step);
    case 'resize': return resizeStep(env, worker, run, step);
    case 'terminating-end': return terminatingEnd(env, worker);
    case 'unmount': return unmountAll(env, worker, run, step);
    case 'terminated-end': return terminatedEnd(env, worker);
    default: return unreachable(step.do);
  }
}

function finish(env: Env, worker: PodWorker, run: Run): void {
  if (run.kind === 'terminating') {
    if (!run.failed) worker.work = 'terminated';
    return endRun(env, worker, run, run.failed ? 'done' : 'phase');
  }
  if (run.kind === 'sync' && isTerminalPhase(worker.status?.phase)) {
    terminate(env, worker);
    return endRun(env, worker, run, 'phase');
  }
  const resized = run.kind === 'sync' && completeResize(env, worker);
  if (resized || worker.restartingAll === 'removed') worker.pending = true;
  if (run.kind === 'sync' && !run.failed && run.retryAt === undefined && run.actions > 0) lookSoon(env, worker);
  endRun(env, worker, run, 'done');
}

/** What comes between the volumes and the containers. */
function prepare(env: Env, worker: PodWorker): Outcome {
  startProbes(env, worker);
  return 'done';
}

/** Turns the decisions into steps. Upstream: kuberuntime_manager.go SyncPod. */
function actions(env: Env, worker: PodWorker, run: Run): Outcome {
  const decided = computeActions(worker.pod, worker.snapshot, {
    probe: (container, id, probe) => verdictOf(worker, container, id, probe),
    resize: (container) => resizeNeedsRestart(worker, container),
  });
  const steps: Step[] = [];
  if (decided.restartAll) steps.push(...restartAllSteps(worker));
  else {
    if (decided.killPod) steps.push(...killPodSteps(env, worker, decided));
    else for (const target of decided.kill) steps.push(newStep('kill', { targets: [target] }));
    if (decided.createSandbox) steps.push(newStep('sandbox', { attempt: decided.attempt }));
    if (decided.createSandbox || !decided.killPod) {
      if (resizeInPlace(worker)) steps.push(newStep('resize'));
      const order = { ephemeral: 0, init: 1, sidecar: 1, app: 2 };
      const start = [...decided.start].sort((a, b) => order[a.kind] - order[b.kind]);
      for (const { name, kind } of start) steps.push(newStep('start', { container: name, kind }));
    }
  }
  run.steps.splice(1, 0, ...steps);
  run.actions += steps.length;
  return 'done';
}

function killPodSteps(env: Env, worker: PodWorker, decided: PodActions): Step[] {
  const targets = runningTargets(worker);
  const old = worker.snapshot.sandboxes.length > 0;
  if (decided.createSandbox && old) podEvent(env, worker.pod, 'Normal', 'SandboxChanged', 'Pod sandbox changed, it will be killed and re-created.');
  const steps = targets.length > 0 ? [newStep('kill', { targets })] : [];
  if (worker.snapshot.sandboxes.some((sandbox) => sandbox.state === 'ready')) steps.push(newStep('stop-sandboxes'));
  if (decided.createSandbox && old) steps.push(newStep('remove-containers', { text: 'init' }));
  return steps;
}

/** Everything is killed and taken away, then it starts from the first init container. Upstream: RestartAllContainersOnContainerExits. */
function restartAllSteps(worker: PodWorker): Step[] {
  worker.restartingAll = 'removing';
  const targets = runningTargets(worker, 'killing').map((target) => ({ ...target, graceSeconds: 0 }));
  return [newStep('kill', { targets }), newStep('remove-containers', { text: 'all' })];
}

function removeContainers(env: Env, worker: PodWorker, run: Run, step: Step): Outcome {
  if (step.stage !== 'begin') {
    if (run.reply === undefined) return 'wait';
    if (step.text === 'all') worker.restartingAll = 'removed';
    return 'done';
  }
  step.stage = 'removing';
  for (const record of worker.snapshot.containers) {
    if (step.text === 'all' || record.kind === 'init') run.waitsFor = call(env, worker.uid, 'run', { op: 'remove-container', containerId: record.id });
  }
  return run.waitsFor === undefined ? 'done' : 'wait';
}

function stopSandboxes(env: Env, worker: PodWorker, run: Run, step: Step): Outcome {
  if (step.stage === 'begin') {
    const ready = worker.snapshot.sandboxes.filter((sandbox) => sandbox.state === 'ready');
    const last = ready.pop();
    if (last === undefined) return 'done';
    for (const sandbox of ready) call(env, worker.uid, 'none', { op: 'stop-sandbox', sandboxId: sandbox.id });
    step.stage = 'stopping';
    run.waitsFor = call(env, worker.uid, 'run', { op: 'stop-sandbox', sandboxId: last.id });
    return 'wait';
  }
  if (run.reply === undefined) return 'wait';
  env.ctx.note('pod-step', { podUid: worker.uid, step: 'sandbox-stopped' });
  return 'done';
}

/** Nothing runs any more: the status of the end. */
function terminatingEnd(env: Env, worker: PodWorker): Outcome {
  stopAllProbes(env, worker);
  inspect(env, worker, true);
  if (worker.snapshot.containers.some((record) => record.state === 'running')) {
    if (worker.run !== undefined) worker.run.failed = true;
    return 'abort';
  }
  setStatus(env, worker, generateStatus(env, worker, true));
  env.ctx.note('pod-step', { podUid: worker.uid, step: 'terminated' });
  return 'done';
}

function terminatedEnd(env: Env, worker: PodWorker): Outcome {
  const status = generateStatus(env, worker, true);
  worker.final = true;
  setStatus(env, worker, finalStatus(worker, status, initializedBefore(worker)), true);
  env.ctx.note('pod-step', { podUid: worker.uid, step: 'cleaned' });
  return 'done';
}
