import { deepFreeze } from '../../sim/plain.ts';
import type { CriCall, CriReply } from '../kubelet/cri.ts';
import { behaviorOf } from './behaviors.ts';
import { endContainer, exitCodeOf, sandboxOf } from './ending.ts';
import { createHost, fullImageName } from './host.ts';
import { imagePresent } from './image-store.ts';
import { raiseUsage, remind, reply, tellKubelet, type Caller, type Machine } from './machine.ts';
import { killForMemory, processSpec, signalProcess, stepProcess } from './processes.ts';
import { podRecord, type Container, type ProcessRecord,  } from './state.ts';
import { takes } from './timings.ts';

type Call<Op extends CriReply['op']> = Extract<CriCall['call'], { op: Op }>;

export const newId = (machine: Machine): string => machine.random('ids').text(64, '0123456789abcdef');

export function createContainer(machine: Machine, caller: Caller, { sandboxId, config: given }: Call<'create-container'>): void {
  const sandbox = machine.state.sandboxes[sandboxId];
  if (sandbox === undefined) {
    reply(machine, caller, 'create-container', { ok: false, error: `failed to find sandbox id "${sandboxId}": not found` }, 1);
    return;
  }
  const config = deepFreeze(given);
  const presence = imagePresent(machine.state, config.image);
  const id = newId(machine);
  const container: Container = {
    status: {
      id, sandboxId, podUid: sandbox.podUid, name: config.name, kind: config.kind, attempt: config.attempt, state: 'created',
      image: fullImageName(config.image), imageRef: presence.imageRef ?? '', createdAt: machine.epochMs, startedAt: 0, finishedAt: 0,
      exitCode: 0, reason: '', message: '', generation: 0,
      user: { uid: config.runAsUser ?? presence.user ?? 0, gid: 0, supplementalGroups: [0] },
    },
    config, stopSignal: 'SIGTERM', processes: [], nextPid: 0, layer: {}, log: [], partial: { stdout: '', stderr: '' }, stopping: [], extraMemoryBytes: 0, noticedAt: -1,
  };
  machine.state.containers[id] = container;
  podRecord(machine.state, sandbox.podUid).containers.push(id);
  machine.note('container-step', { podUid: sandbox.podUid, container: config.name, step: 'created', containerId: id });
  reply(machine, caller, 'create-container', { ok: true, containerId: id }, takes(machine, 'create'));
}

export interface StartJob extends Caller {
  containerId: string;
}

export function startContainer(machine: Machine, caller: Caller, { containerId }: Call<'start-container'>): void {
  const job: StartJob = { ...caller, containerId };
  remind(machine, 'start', job, takes(machine, 'start'));
}

/** A limit that does not even hold the runtime's own first process. */
const smallestMemoryBytes = 4 * 1024 * 1024;

/** The end of a start: the process runs from here on, or the container never runs. */
export function runContainer(machine: Machine, { containerId, ...caller }: StartJob): void {
  const container = machine.state.containers[containerId];
  if (container === undefined || container.status.state !== 'created') {
    reply(machine, caller, 'start-container', { ok: false, error: `failed to start container "${containerId}": not found` }, 0);
    return;
  }
  const sandbox = sandboxOf(machine, container);
  const record: ProcessRecord = { pid: sandbox.sharedPids ? 7 : 1, command: commandLine(container), process: { program: '', state: null }, memoryBytes: 0 };
  container.nextPid = record.pid;
  if (!sandbox.ready) {
    failStart(machine, container, caller, `sandbox container "${sandbox.id}" is not running`);
    return;
  }
  const limit = container.config.memoryLimitBytes;
  if (limit !== undefined && limit < smallestMemoryBytes) {
    failStart(machine, container, caller, `${taskError}container init was OOM-killed (memory limit too low?)`);
    return;
  }
  const spec = processSpec(container, sandbox, behaviorOf(machine.state.settings, container));
  container.layer[container.config.terminationMessagePath] ??= Object.freeze({ kind: 'file', content: '', size: 0, mode: 0o666, changedAt: machine.now });
  const started = machine.programs.start(spec, createHost(machine, container, sandbox, record, { signals: [] }));
  if (!started.ok) {
    failStart(machine, container, caller, `${taskError}error during container init: ${started.error}`);
    return;
  }
  record.process = started.process;
  container.stopSignal = started.stopSignal;
  container.processes = [record];
  const { status } = container;
  status.state = 'running';
  status.startedAt = machine.epochMs;
  status.generation++;
  const { podUid, name } = status;
  machine.note('container-step', { podUid, container: name, step: 'started', containerId });
  if (started.assumption !== undefined && status.attempt === 0) machine.note('assumption', { podUid, container: name, text: started.assumption });
  tellKubelet(machine, { podUid, containerId, what: 'container-started' });
  reply(machine, caller, 'start-container', { ok: true }, 0);
  container.noticedAt = machine.now;
  stepProcess(machine, container, record, { kind: 'start' });
}

/** Upstream: containerd and runc wrap what exec(2) said; recorded without the ': unknown' of older releases. */
const taskError = 'failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: ';

/** Upstream: containerd internal/cri/server/container_start.go: exit code 128, reason StartError, never started. */
function failStart(machine: Machine, container: Container, caller: Caller, error: string): void {
  const { status } = container;
  Object.assign(status, { state: 'exited', exitCode: 128, reason: 'StartError', message: error, finishedAt: machine.epochMs });
  status.generation++;
  const { podUid, id, name } = status;
  machine.note('container-step', { podUid, container: name, step: 'exited', exitCode: 128, reason: 'StartError', containerId: id });
  tellKubelet(machine, { podUid, containerId: id, what: 'container-exited' });
  reply(machine, caller, 'start-container', { ok: false, error }, 0);
}

const commandLine = ({ config }: Container): string => [...(config.command ?? []), ...(config.args ?? [])].join(' ') || config.image;

/**
 * Sends the stop signal, waits, kills. A second call does not send the signal again, but may shorten the wait.
 * Upstream: containerd internal/cri/server/container_stop.go.
 */
export function stopContainer(machine: Machine, caller: Caller, { containerId, graceMs }: Call<'stop-container'>): void {
  const container = machine.state.containers[containerId];
  const main = container?.processes[0];
  if (container === undefined || main === undefined) {
    reply(machine, caller, 'stop-container', { ok: true }, takes(machine, 'afterExit'));
    return;
  }
  const isFirst = container.stopping.length === 0;
  container.stopping.push(caller);
  const { podUid, name } = container.status;
  if (graceMs <= 0) {
    machine.note('signal', { podUid, container: name, signal: 'SIGKILL' });
    endContainer(machine, container, exitCodeOf('SIGKILL'));
    return;
  }
  const killAt = machine.now + graceMs;
  if (container.killAt === undefined || killAt < container.killAt) {
    container.killAt = killAt;
    remind(machine, 'kill', containerId, graceMs, `kill ${containerId}`);
  }
  if (!isFirst) return;
  machine.note('signal', { podUid, container: name, signal: container.stopSignal, killAt });
  signalProcess(machine, container, main, container.stopSignal);
}

/** The grace period is over. */
export function killContainer(machine: Machine, containerId: string): void {
  const container = machine.state.containers[containerId];
  if (container === undefined || container.status.state !== 'running' || container.killAt !== machine.now) return;
  machine.note('signal', { podUid: container.status.podUid, container: container.status.name, signal: 'SIGKILL' });
  endContainer(machine, container, exitCodeOf('SIGKILL'));
}

export function removeContainer(machine: Machine, caller: Caller, { containerId }: Call<'remove-container'>): void {
  forgetContainer(machine, containerId);
  reply(machine, caller, 'remove-container', { ok: true }, takes(machine, 'remove'));
}

export function forgetContainer(machine: Machine, containerId: string): void {
  const { state } = machine;
  const container = state.containers[containerId];
  if (container === undefined) return;
  endContainer(machine, container, exitCodeOf('SIGKILL'));
  delete state.containers[containerId];
  const { podUid, name } = container.status;
  const pod = state.pods[podUid];
  if (pod !== undefined) pod.containers = pod.containers.filter((id) => id !== containerId);
  machine.note('container-step', { podUid, container: name, step: 'removed', containerId });
  tellKubelet(machine, { podUid, containerId, what: 'removed' });
}

/** Memory that a fault puts on a container. */
export function pressMemory(machine: Machine, container: Container, bytes: number): void {
  container.extraMemoryBytes = bytes;
  raiseUsage(machine, container.status.podUid, container.status.id);
  killForMemory(machine, container);
}
