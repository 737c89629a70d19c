import { must } from '../../sim/assert.ts';
import type { SignalName } from '../../workload/contract.ts';
import { flushLog, terminationMessage } from './logs.ts';
import { reply, tellKubelet, type Machine } from './machine.ts';
import { closePorts, portsOf } from './ports.ts';
import type { Container, ProcessRecord, Sandbox } from './state.ts';
import { takes } from './timings.ts';

/** Exit codes of a process that a signal ended. */
const signalNumbers: Readonly<Record<SignalName, number>> = {
  SIGHUP: 1, SIGINT: 2, SIGQUIT: 3, SIGKILL: 9, SIGUSR1: 10, SIGUSR2: 12, SIGTERM: 15, SIGWINCH: 28,
};

export const exitCodeOf = (signal: SignalName): number => 128 + signalNumbers[signal];

export const sandboxOf = (machine: Machine, container: Container): Sandbox => must(machine.state.sandboxes[container.status.sandboxId], 'a container without its sandbox');

/** A process is over. With the main one goes the container. */
export function endProcess(machine: Machine, container: Container, record: ProcessRecord, exitCode: number, reason?: string): void {
  if (record.exec === undefined) {
    endContainer(machine, container, exitCode, reason);
    return;
  }
  container.processes = container.processes.filter((other) => other !== record);
  finishExec(machine, record, exitCode, false);
}

/** The container's main process is gone, and with it all others. */
export function endContainer(machine: Machine, container: Container, exitCode: number, reason?: string): void {
  if (container.status.state !== 'running') return;
  const { status } = container;
  const { podUid, id, name } = status;
  const others = container.processes.filter((record) => record.exec !== undefined);
  container.processes = [];
  for (const record of others) finishExec(machine, record, exitCodeOf('SIGKILL'), false);
  closePorts(portsOf(machine.state, sandboxOf(machine, container)), id);
  flushLog(container, machine.epochMs);
  status.state = 'exited';
  status.exitCode = exitCode;
  status.finishedAt = machine.epochMs;
  status.reason = reason ?? (exitCode === 0 ? 'Completed' : 'Error');
  status.message = terminationMessage(container, exitCode);
  status.generation++;
  container.extraMemoryBytes = 0;
  const step = reason === 'OOMKilled' ? 'oom-killed' : exitCode === exitCodeOf('SIGKILL') ? 'killed' : 'exited';
  machine.note('container-step', { podUid, container: name, step, exitCode, reason: status.reason, containerId: id });
  tellKubelet(machine, { podUid, containerId: id, what: 'container-exited' });
  for (const waiting of container.stopping) reply(machine, waiting, 'stop-container', { ok: true }, takes(machine, 'afterExit'));
  container.stopping = [];
  delete container.killAt;
}

/** Tells the caller how a command ended. */
export function finishExec(machine: Machine, record: ProcessRecord, exitCode: number, timedOut: boolean): void {
  const { exec } = record;
  if (exec === undefined) return;
  const { stdout, stderr, steady, overheadMs } = exec;
  reply(machine, exec, 'exec', { ok: true, exec: { exitCode, stdout, stderr, timedOut, steady: steady && !timedOut } }, overheadMs);
}
