import type { ProcessSpec, SignalName, StepResult, Wake } from '../../workload/contract.ts';
import { endContainer, endProcess, exitCodeOf, sandboxOf } from './ending.ts';
import { createHost, type Pending } from './host.ts';
import { remind, type Machine } from './machine.ts';
import type { Container, ProcessRecord, Sandbox } from './state.ts';

export interface WakeUp {
  containerId: string;
  pid: number;
}

/** Lets a process do what it does at this instant, and whatever follows from it at once. */
export function stepProcess(machine: Machine, container: Container, record: ProcessRecord, wake: Wake): void {
  const pending: Pending = { signals: [] };
  const host = createHost(machine, container, sandboxOf(machine, container), record, pending);
  const result = machine.programs.step(record.process, wake, host);
  settleStep(machine, container, record, result);
  killForMemory(machine, container);
  for (const { pid, signal } of pending.signals) signalFromInside(machine, container, pid, signal);
}

function settleStep(machine: Machine, container: Container, record: ProcessRecord, result: StepResult): void {
  if (result.status === 'exited') {
    endProcess(machine, container, record, result.exitCode);
    return;
  }
  if (result.wakeAt === undefined) {
    delete record.wakeAt;
    return;
  }
  // A program that wants to go on at once still has to let time pass, else the world stands still.
  record.wakeAt = Math.max(Math.ceil(result.wakeAt), machine.now + 1);
  const wakeUp: WakeUp = { containerId: container.status.id, pid: record.pid };
  remind(machine, 'wake', wakeUp, record.wakeAt - machine.now, `wake ${container.status.id} ${record.pid}`);
}

/** A timer rang. One that was set anew, or whose process is gone, is ignored. */
export function wakeProcess(machine: Machine, { containerId, pid }: WakeUp): void {
  const container = machine.state.containers[containerId];
  const record = container?.processes.find((other) => other.pid === pid);
  if (container === undefined || record === undefined || record.wakeAt !== machine.now) return;
  delete record.wakeAt;
  stepProcess(machine, container, record, { kind: 'timer' });
}

/** A signal from outside the container: SIGKILL needs no consent. */
export function signalProcess(machine: Machine, container: Container, record: ProcessRecord, signal: SignalName, reason?: string): void {
  if (signal === 'SIGKILL') endProcess(machine, container, record, exitCodeOf(signal), reason);
  else stepProcess(machine, container, record, { kind: 'signal', signal });
}

/** From inside, the first process of a pid namespace cannot be killed by SIGKILL. Upstream: pid_namespaces(7). */
function signalFromInside(machine: Machine, container: Container, pid: number, signal: SignalName): void {
  const record = container.processes.find((other) => other.pid === pid);
  if (record === undefined || (signal === 'SIGKILL' && pid === 1)) return;
  signalProcess(machine, container, record, signal);
}

export const memoryOf = (container: Container): number =>
  container.processes.reduce((sum, record) => sum + record.memoryBytes, container.processes.length === 0 ? 0 : container.extraMemoryBytes);

/** The kernel's OOM killer. The kubelet sets memory.oom.group: all processes of the container go at once (cgroup v2). */
export function killForMemory(machine: Machine, container: Container): void {
  const limit = container.config.memoryLimitBytes;
  if (limit === undefined || container.status.state !== 'running' || memoryOf(container) <= limit) return;
  endContainer(machine, container, exitCodeOf('SIGKILL'), 'OOMKilled');
}

/** What a program is told of the container that it runs in. */
export function processSpec(container: Container, sandbox: Sandbox, behavior: ProcessSpec['behavior']): ProcessSpec {
  const { config } = container;
  const env: Record<string, string> = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', HOSTNAME: sandbox.hostname };
  for (const { name, value } of config.env) env[name] = value;
  return {
    image: config.image, env, ports: config.ports, pid1: !sandbox.sharedPids, run: config.attempt + 1,
    ...(config.command === undefined ? {} : { command: config.command }),
    ...(config.args === undefined ? {} : { args: config.args }),
    ...(config.workingDir === undefined ? {} : { workingDir: config.workingDir }),
    ...(behavior === undefined ? {} : { behavior }),
    ...(config.memoryLimitBytes === undefined ? {} : { memoryLimitBytes: config.memoryLimitBytes }),
    ...(config.stdin === undefined ? {} : { stdin: config.stdin }),
  };
}
