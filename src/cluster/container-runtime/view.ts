import type { Programs } from '../../workload/contract.ts';
import type { Context } from '../component.ts';
import type { ContainerStatusRecord, RuntimeView, SandboxStatus } from '../kubelet/cri.ts';
import { ask, askLocal } from './answering.ts';
import { machineFor } from './component.ts';
import { layerBytes } from './host.ts';
import { imagePresent } from './image-store.ts';
import type { Machine } from './machine.ts';
import { listenerOn, portsAt } from './ports.ts';
import { memoryOf } from './processes.ts';
import type { Container, RuntimeState, Sandbox } from './state.ts';
import { connectTimeoutMs } from './timings.ts';

export interface ViewAccess {
  context: Context;
  programs: Programs;
}

/** What the kubelet of this node (or a test) can see at this instant. */
export function runtimeView(state: RuntimeState, { context, programs }: ViewAccess): RuntimeView {
  return new MachineView(state, machineFor(state, context, programs));
}

class MachineView implements RuntimeView {
  private readonly state: RuntimeState;
  private readonly machine: Machine;

  constructor(state: RuntimeState, machine: Machine) {
    this.state = state;
    this.machine = machine;
  }

  sandboxes(podUid: string): SandboxStatus[] {
    return sandboxStatuses(this.machine, podUid);
  }

  containers(podUid: string): ContainerStatusRecord[] {
    return containerStatuses(this.state, podUid);
  }

  podUids(): string[] {
    const { pods } = this.state;
    return Object.keys(pods).filter((uid) => sandboxStatuses(this.machine, uid).length > 0 || (pods[uid]?.containers.length ?? 0) > 0);
  }

  imagePresent(image: string): ReturnType<RuntimeView['imagePresent']> {
    return imagePresent(this.state, image);
  }

  connect(address: string, port: number): ReturnType<RuntimeView['connect']> {
    return connect(this.machine, address, port);
  }

  http(request: Parameters<RuntimeView['http']>[0]): ReturnType<RuntimeView['http']> {
    const { state, machine } = this;
    const ports = portsAt(state, request.address);
    return ports === undefined ? machine.network.http({ node: state.settings.node }, request) : askLocal(machine, ports, request, localLatencyMs);
  }

  grpcHealth(address: string, port: number, service: string): ReturnType<RuntimeView['grpcHealth']> {
    return grpcHealth(this.machine, address, port, service);
  }

  volumeUsage(podUid: string, volume: string): number {
    return volumeUsage(this.state, podUid, volume);
  }

  memoryUsage(containerId: string): number {
    const container = this.state.containers[containerId];
    return container === undefined ? 0 : memoryUsage(container);
  }

  logs(containerId: string): ReturnType<RuntimeView['logs']> {
    return this.state.containers[containerId]?.log ?? [];
  }
}

/** From a node to a pod on it. */
const localLatencyMs = 1;

function sandboxStatuses({ state, now }: Machine, podUid: string): SandboxStatus[] {
  const ids = state.pods[podUid]?.sandboxes ?? [];
  const sandboxes = ids.map((id) => state.sandboxes[id]).filter((sandbox): sandbox is Sandbox => sandbox !== undefined && sandbox.visibleAt <= now);
  return sandboxes.reverse().map(({ id, attempt, ready, networked, ip, createdAt }) => ({
    id, podUid, attempt, state: ready ? 'ready' : 'not-ready', ip: networked && ip !== '' ? ip : undefined, createdAt,
  }));
}

function containerStatuses(state: RuntimeState, podUid: string): ContainerStatusRecord[] {
  const ids = state.pods[podUid]?.containers ?? [];
  const statuses: ContainerStatusRecord[] = [];
  for (let index = ids.length - 1; index >= 0; index--) {
    const container = state.containers[ids[index] as string];
    if (container !== undefined) statuses.push({ ...container.status });
  }
  return statuses;
}

function connect(machine: Machine, address: string, port: number): ReturnType<RuntimeView['connect']> {
  const { state, now } = machine;
  const ports = portsAt(state, address);
  if (ports === undefined) {
    const { ok, latencyMs, ...rest } = machine.network.connect({ node: state.settings.node }, address, port);
    const error = 'error' in rest ? (rest.error === 'reset' ? 'refused' : rest.error) : undefined;
    return { ok, latencyMs, steadyUntil: now, ...(error === undefined ? {} : { error }) };
  }
  const listener = listenerOn(state, ports, port);
  if (listener === undefined) return { ok: false, error: 'refused', latencyMs: localLatencyMs };
  const { steadyUntil } = ask(machine, listener, { kind: 'tcp', port });
  return { ok: true, latencyMs: localLatencyMs, ...(steadyUntil === undefined ? {} : { steadyUntil }) };
}

function grpcHealth(machine: Machine, address: string, port: number, service: string): ReturnType<RuntimeView['grpcHealth']> {
  const { state, now } = machine;
  const ports = portsAt(state, address);
  if (ports === undefined) return { outcome: 'timeout', latencyMs: connectTimeoutMs, steadyUntil: now };
  const listener = listenerOn(state, ports, port);
  if (listener === undefined) return { outcome: 'refused', latencyMs: localLatencyMs };
  const answer = ask(machine, listener, { kind: 'grpc-health', port, service });
  const steady = answer.steadyUntil === undefined ? {} : { steadyUntil: answer.steadyUntil };
  if (answer.kind === 'hang') return { outcome: 'timeout', latencyMs: connectTimeoutMs, ...steady };
  // A server that does not speak HTTP/2 closes the connection: the client keeps trying until its time is up.
  if (answer.kind !== 'grpc-health') return { outcome: 'timeout', latencyMs: connectTimeoutMs, ...steady };
  return { outcome: answer.outcome, latencyMs: localLatencyMs + answer.delayMs, ...steady };
}

/** '' stands for the writable layers and logs of all containers. */
function volumeUsage(state: RuntimeState, podUid: string, volume: string): number {
  const pod = state.pods[podUid];
  if (pod === undefined) return 0;
  if (volume !== '') return pod.volumes[volume]?.usedBytes ?? 0;
  return pod.containers.reduce((sum, id) => {
    const container = state.containers[id];
    return container === undefined ? sum : sum + layerBytes(container) + container.log.reduce((bytes, line) => bytes + line.text.length + 1, 0);
  }, 0);
}

/** A process that never says how much it holds still holds something. */
const leastMemoryBytes = 1 << 20;

const memoryUsage = (container: Container): number => (container.processes.length === 0 ? 0 : Math.max(leastMemoryBytes, memoryOf(container)));
