import { quantityToNumber } from '../../api/quantity.ts';
import type { SignalName } from '../../workload/contract.ts';
import { pressMemory } from './containers.ts';
import { endContainer } from './ending.ts';
import type { Machine } from './machine.ts';
import { signalProcess } from './processes.ts';
import { parseReference } from './reference.ts';
import { killPause } from './sandboxes.ts';
import { currentSandbox, type Container } from './state.ts';

/** A fault as it reaches a runtime: of the scenario's, those that happen on a node, with the pod already found. */
export type RuntimeFault =
  | { node: string; network: 'down' | 'up' }
  | { sandbox: string }
  | { podUid: string; container?: string; kill: string }
  | { podUid: string; container?: string; memory: string }
  | { image: string; pull: 'fail' | 'slow' | 'none'; takes?: string };

export function applyFault(machine: Machine, fault: RuntimeFault): void {
  if ('network' in fault) machine.state.networkDown = fault.network === 'down';
  else if ('sandbox' in fault) {
    const sandbox = currentSandbox(machine.state, fault.sandbox);
    if (sandbox !== undefined) killPause(machine, sandbox);
  } else if ('pull' in fault) setPullFault(machine, fault);
  else {
    const container = runningContainer(machine, fault.podUid, fault.container);
    if (container === undefined) return;
    if ('kill' in fault) killMain(machine, container, fault.kill);
    else if ('memory' in fault) pressMemory(machine, container, Math.max(0, quantityToNumber(fault.memory)));
  }
}

/** By full image name, or by repository if the fault gives no tag. */
function setPullFault(machine: Machine, { image, pull, takes }: Extract<RuntimeFault, { pull: string }>): void {
  const reference = parseReference(image);
  if (typeof reference === 'string') return;
  const key = image.endsWith(reference.tag ?? '\n') || reference.digest !== undefined ? reference.name : reference.repository;
  if (pull === 'none') delete machine.state.pullFaults[key];
  else machine.state.pullFaults[key] = { pull, ...(takes === undefined ? {} : { takes }) };
}

function runningContainer(machine: Machine, podUid: string, name: string | undefined): Container | undefined {
  const ids = machine.state.pods[podUid]?.containers ?? [];
  const running = ids.map((id) => machine.state.containers[id]).filter((container) => container?.status.state === 'running');
  return running.find((container) => name === undefined || container?.status.name === name);
}

const signals: readonly SignalName[] = ['SIGTERM', 'SIGKILL', 'SIGINT', 'SIGQUIT', 'SIGHUP', 'SIGUSR1', 'SIGUSR2', 'SIGWINCH'];
const byNumber: Readonly<Record<string, SignalName>> = { 1: 'SIGHUP', 2: 'SIGINT', 3: 'SIGQUIT', 9: 'SIGKILL', 15: 'SIGTERM' };

/** 'SIGTERM', 'TERM' or '-9': a signal from the node. '1' or 'exit 1': the process ends by itself with this code. */
function killMain(machine: Machine, container: Container, how: string): void {
  const code = /^(?:exit\s+)?(\d+)$/.exec(how.trim())?.[1];
  if (code !== undefined) {
    endContainer(machine, container, Number(code) & 255);
    return;
  }
  const word = how.trim().toUpperCase().replace(/^-/, '');
  const signal = byNumber[word] ?? signals.find((name) => name === word || name === `SIG${word}`) ?? 'SIGKILL';
  const main = container.processes[0];
  if (main !== undefined) signalProcess(machine, container, main, signal);
}
