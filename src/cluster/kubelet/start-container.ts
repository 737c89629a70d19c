import { formatDuration } from '../../api/duration.ts';
import { must } from '../../sim/assert.ts';
import { nextBackOff, remaining } from './back-off.ts';
import { call, nextId } from './calls.ts';
import { containerConfig } from './container-config.ts';
import { ensureImage } from './images.ts';
import { httpHook, describeHook } from './hooks.ts';
import { beginKill } from './kill.ts';
import { findContainer, fullName, newestRecord, podEvent, type AnyContainer } from './pod-spec.ts';
import { pullSecretNames } from './pull-secrets.ts';
import type { Outcome } from './run.ts';
import type { Env, PodWorker, Run, Step } from './state.ts';

/** A container could not be started: the reason shows with the next sync. */
export interface StartFailure {
  reason: string;
  message: string;
}

type Stage = (env: Env, worker: PodWorker, run: Run, step: Step, container: AnyContainer) => Outcome;

/** Upstream: pkg/kubelet/kuberuntime/kuberuntime_container.go startContainer, with doBackOff before it. */
export function startStep(env: Env, worker: PodWorker, run: Run, step: Step): Outcome {
  const { container } = must(findContainer(worker.pod, step.container ?? ''), 'container to start');
  return (stages[step.stage] as Stage)(env, worker, run, step, container);
}

const stages: Record<string, Stage> = {
  begin(env, worker, run, step, container) {
    if (step.kind !== 'ephemeral' && inBackOff(env, worker, run, container)) return failed(worker, run, step, undefined);
    const outcome = ensureImage(env, worker, container);
    if ('failure' in outcome) return fail(env, worker, run, step, outcome.failure);
    if ('waitsFor' in outcome) return waitFor(run, step, 'pulling', outcome.waitsFor);
    step.imageRef = outcome.imageRef;
    return create(env, worker, run, step, container);
  },
  pulling(env, worker, run, step, container) {
    const { reply } = run;
    if (reply === undefined) return 'wait';
    if (!reply.result.ok) {
      const outcome = fail(env, worker, run, step, { reason: 'ErrImagePull', message: reply.result.error });
      tellOfMissingSecrets(env, worker);
      return outcome;
    }
    return create(env, worker, run, step, container);
  },
  creating(env, worker, run, step, container) {
    const { reply } = run;
    if (reply === undefined) return 'wait';
    if (!reply.result.ok) return fail(env, worker, run, step, { reason: 'CreateContainerError', message: reply.result.error });
    step.containerId = must(reply.result.containerId, 'container id');
    worker.specImages[step.containerId] = container.image ?? '';
    worker.actual[container.name] = container.resources ?? {};
    podEvent(env, worker.pod, 'Normal', 'Created', 'Container created', step.container);
    return waitFor(run, step, 'starting', call(env, worker.uid, 'run', { op: 'start-container', containerId: step.containerId }));
  },
  starting(env, worker, run, step, container) {
    const { reply } = run;
    if (reply === undefined) return 'wait';
    if (!reply.result.ok) return fail(env, worker, run, step, { reason: 'RunContainerError', message: reply.result.error });
    podEvent(env, worker.pod, 'Normal', 'Started', 'Container started', step.container);
    return container.lifecycle?.postStart === undefined ? succeeded(worker, step) : postStart(env, worker, run, step, container);
  },
  'hook-running'(env, worker, run, step, container) {
    const { reply } = run;
    if (reply === undefined) return 'wait';
    const hook = must(container.lifecycle?.postStart, 'postStart');
    const text = reply.result.ok ? undefined : describeHook(worker.pod, step.container ?? '', hook, reply.result.error, reply.result.exec);
    return hookEnded(env, worker, run, step, text);
  },
  'hook-answered': (env, worker, run, step) => (run.reply === undefined ? 'wait' : hookEnded(env, worker, run, step, step.text)),
  'hook-kill'(_env, worker, run, step) {
    const kill = run.kills[step.containerId ?? ''];
    if (kill !== undefined && kill.stage !== 'done') return 'wait';
    run.kills = {};
    return failed(worker, run, step, { reason: 'PostStartHookError', message: step.text ?? '' });
  },
};

function waitFor(run: Run, step: Step, stage: string, id: string): Outcome {
  step.stage = stage;
  delete run.reply;
  run.waitsFor = id;
  return 'wait';
}

function create(env: Env, worker: PodWorker, run: Run, step: Step, container: AnyContainer): Outcome {
  const last = newestRecord(worker.snapshot.containers, container.name);
  const old = [...(worker.status?.containerStatuses ?? []), ...(worker.status?.initContainerStatuses ?? [])].find((item) => item.name === container.name);
  const attempt = last !== undefined ? last.attempt + 1 : old !== undefined && old.lastState?.terminated !== undefined ? old.restartCount : 0;
  const config = containerConfig(env, worker, container, step.kind ?? 'app', attempt);
  if ('failure' in config) return fail(env, worker, run, step, config.failure);
  const sandboxId = run.sandboxId ?? worker.snapshot.sandboxes[0]?.id ?? '';
  return waitFor(run, step, 'creating', call(env, worker.uid, 'run', { op: 'create-container', sandboxId, config: config.config }));
}

/** Upstream: kuberuntime_manager.go doBackOff. */
function inBackOff(env: Env, worker: PodWorker, run: Run, container: AnyContainer): boolean {
  const { name } = container;
  const exited = worker.snapshot.containers.find((record) => record.name === name && record.state === 'exited');
  if (exited === undefined) return false;
  const { epochMs } = env.ctx;
  const subject = `${container.image} ${JSON.stringify(container.resources ?? {})}`;
  const entry = worker.crash[name];
  const left = remaining(entry, subject, exited.finishedAt, epochMs);
  if (left === 0 || entry === undefined) {
    worker.crash[name] = nextBackOff(entry, subject, exited.finishedAt, epochMs);
    return false;
  }
  podEvent(env, worker.pod, 'Warning', 'BackOff', `Back-off restarting failed container ${name} in pod ${fullName(worker.pod)}`, name);
  worker.reasons[name] = {
    reason: 'CrashLoopBackOff',
    message: `back-off ${formatDuration(entry.windowMs)} restarting failed container=${name} pod=${fullName(worker.pod)}`,
  };
  const retryAt = env.ctx.now + left;
  run.retryAt = run.retryAt === undefined ? retryAt : Math.min(run.retryAt, retryAt);
  env.ctx.note('back-off', { podUid: worker.uid, container: name, of: 'crash', windowMs: entry.windowMs, retryAt });
  return true;
}

function fail(env: Env, worker: PodWorker, run: Run, step: Step, failure: StartFailure): Outcome {
  const text = imageReasons.has(failure.reason) ? failure.reason : failure.message;
  podEvent(env, worker.pod, 'Warning', 'Failed', `Error: ${text}`, step.container);
  return failed(worker, run, step, failure);
}

/** Recorded (074): said after a pull that failed, not at each sync. */
function tellOfMissingSecrets(env: Env, worker: PodWorker): void {
  const { missing } = pullSecretNames(env, worker.pod);
  if (missing.length === 0) return;
  podEvent(env, worker.pod, 'Warning', 'FailedToRetrieveImagePullSecret',
    `Unable to retrieve some image pull secrets (${missing.join(', ')}); attempting to pull the image may not succeed.`);
  env.ctx.note('pod-step', { podUid: worker.uid, step: 'pull-secrets', detail: missing.join(', ') });
}

/** Of these the event names the reason alone. */
const imageReasons = new Set(['ErrImagePull', 'ImagePullBackOff', 'ErrImageNeverPull', 'InvalidImageName', 'ImageInspectError', 'RegistryUnavailable']);

/** A regular init container that fails ends the pass; the others go on with what is next. */
function failed(worker: PodWorker, run: Run, step: Step, failure: StartFailure | undefined): Outcome {
  if (failure !== undefined) {
    worker.reasons[step.container ?? ''] = failure;
    run.failed = true;
  }
  return step.kind === 'init' ? 'abort' : 'done';
}

function succeeded(worker: PodWorker, step: Step): Outcome {
  delete worker.reasons[step.container ?? ''];
  return 'done';
}

/** Upstream: pkg/kubelet/lifecycle/handlers.go. The hook holds back everything that follows. */
function postStart(env: Env, worker: PodWorker, run: Run, step: Step, container: AnyContainer): Outcome {
  const hook = must(container.lifecycle?.postStart, 'postStart');
  const handler = hook.exec !== undefined ? 'exec' : hook.httpGet !== undefined ? 'httpGet' : hook.sleep !== undefined ? 'sleep' : 'tcpSocket';
  env.ctx.note('hook', { podUid: worker.uid, container: container.name, hook: 'postStart', handler, phase: 'started' });
  if (hook.exec !== undefined) {
    const command = hook.exec.command ?? [];
    return waitFor(run, step, 'hook-running', call(env, worker.uid, 'run', { op: 'exec', containerId: step.containerId ?? '', command, timeoutMs: 0, purpose: 'hook' }));
  }
  let afterMs = 0;
  if (hook.sleep !== undefined) afterMs = hook.sleep.seconds * 1000;
  else if (hook.httpGet !== undefined) {
    const answer = httpHook(env, worker, container, hook.httpGet);
    afterMs = answer.latencyMs;
    if (answer.error !== undefined) step.text = describeHook(worker.pod, container.name, hook, answer.error, undefined);
  } else step.text = 'invalid handler: cannot run tcpSocket';
  const id = nextId(env, worker.uid, 'run');
  env.ctx.schedule({ afterMs, kind: 'timer', payload: { id } });
  return waitFor(run, step, 'hook-answered', id);
}

function hookEnded(env: Env, worker: PodWorker, run: Run, step: Step, error: string | undefined): Outcome {
  const container = step.container ?? '';
  const hook = must(findContainer(worker.pod, container)?.container.lifecycle?.postStart, 'postStart');
  const handler = hook.exec !== undefined ? 'exec' : hook.httpGet !== undefined ? 'httpGet' : 'sleep';
  env.ctx.note('hook', {
    podUid: worker.uid, container, hook: 'postStart', handler, phase: error === undefined ? 'finished' : 'failed', ...(error === undefined ? {} : { message: error }),
  });
  if (error === undefined) return succeeded(worker, step);
  podEvent(env, worker.pod, 'Warning', 'FailedPostStartHook', 'PostStartHook failed', container);
  step.text = error;
  step.stage = 'hook-kill';
  delete run.reply;
  beginKill(env, worker, run, { containerId: step.containerId ?? '', name: container, message: 'FailedPostStartHook' });
  const kill = run.kills[step.containerId ?? ''];
  return kill?.stage === 'done' ? (stages['hook-kill'] as Stage)(env, worker, run, step, must(findContainer(worker.pod, container), container).container) : 'wait';
}
