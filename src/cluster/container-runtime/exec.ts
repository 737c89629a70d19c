import type { CriCall } from '../kubelet/cri.ts';
import { createHost } from './host.ts';
import { exitCodeOf, finishExec, sandboxOf } from './ending.ts';
import { remind, reply, type Caller, type Machine } from './machine.ts';
import { processSpec, stepProcess, type WakeUp } from './processes.ts';
import type { ProcessRecord } from './state.ts';
import { takes } from './timings.ts';

type ExecCall = Extract<CriCall['call'], { op: 'exec' }>;

const rpcError = (text: string) => ({ ok: false as const, error: `rpc error: code = Unknown desc = failed to exec in container: ${text}` });

/**
 * Runs a command in a running container. It runs at this instant; the time that the runtime needs to enter the container comes after it.
 * Upstream: containerd internal/cri/server/container_execsync.go.
 */
export function execInContainer(machine: Machine, caller: Caller, { containerId, command, timeoutMs, purpose }: ExecCall): void {
  const container = machine.state.containers[containerId];
  if (container === undefined) {
    const error = `rpc error: code = NotFound desc = failed to exec in container: an error occurred when try to find container "${containerId}": not found`;
    reply(machine, caller, 'exec', { ok: false, error }, 1);
    return;
  }
  if (container.status.state !== 'running') {
    reply(machine, caller, 'exec', rpcError(`container is in CONTAINER_${container.status.state.toUpperCase()} state`), 1);
    return;
  }
  const sandbox = sandboxOf(machine, container);
  const overheadMs = takes(machine, 'exec');
  const record: ProcessRecord = {
    pid: ++container.nextPid, command: command.join(' '), process: { program: '', state: null }, memoryBytes: 0,
    exec: { ...caller, purpose, stdout: '', stderr: '', steady: true, overheadMs },
  };
  const { command: _command, args: _args, behavior: _behavior, ...spec } = processSpec(container, sandbox, undefined);
  const started = machine.programs.start({ ...spec, command, ports: [], pid1: false }, createHost(machine, container, sandbox, record, { signals: [] }));
  if (!started.ok) {
    const execId = machine.random('ids').text(64, '0123456789abcdef');
    const why = `failed to start exec "${execId}": OCI runtime exec failed: exec failed: unable to start container process: ${started.error}`;
    reply(machine, caller, 'exec', rpcError(why), overheadMs);
    return;
  }
  record.process = started.process;
  container.processes.push(record);
  stepProcess(machine, container, record, { kind: 'start' });
  if (timeoutMs === 0 || !container.processes.includes(record)) return;
  remind(machine, 'exec-timeout', { containerId, pid: record.pid } satisfies WakeUp, Math.max(1, timeoutMs - overheadMs));
}

/** The kubelet's patience is over: the command is killed. */
export function timeOutExec(machine: Machine, { containerId, pid }: WakeUp): void {
  const container = machine.state.containers[containerId];
  const record = container?.processes.find((other) => other.pid === pid);
  if (container === undefined || record === undefined) return;
  container.processes = container.processes.filter((other) => other !== record);
  finishExec(machine, record, exitCodeOf('SIGKILL'), true);
}
