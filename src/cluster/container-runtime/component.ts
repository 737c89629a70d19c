import { deepFreeze } from '../../sim/plain.ts';
import type { SimEvent } from '../../sim/queue.ts';
import type { Random } from '../../sim/random.ts';
import type { SimTime } from '../../sim/time.ts';
import type { Programs } from '../../workload/contract.ts';
import type { Component, Context } from '../component.ts';
import type { CriCall, CriReply, VolumeCommand } from '../kubelet/cri.ts';
import type { HttpAnswer, HttpRequest, Network } from '../network.ts';
import type { Note, NoteKind } from '../notes.ts';
import { askLocal } from './answering.ts';
import { createContainer, killContainer, removeContainer, runContainer, startContainer, stopContainer, type StartJob } from './containers.ts';
import { execInContainer, timeOutExec } from './exec.ts';
import { applyFault, type RuntimeFault } from './faults.ts';
import { finishPull, pullImage } from './image-store.ts';
import type { Caller, Machine } from './machine.ts';
import { wakeProcess, type WakeUp } from './processes.ts';
import { removeSandbox, runSandbox, stopSandbox } from './sandboxes.ts';
import { createRuntimeState, type Ports, type RegistryEntry, type RuntimeSettings, type RuntimeState } from './state.ts';
import { setVolume } from './volumes.ts';

export interface RuntimeOptions {
  node: { name: string; index: number };
  images: RuntimeSettings['images'];
  workloads: RuntimeSettings['workloads'];
  registry: RuntimeSettings['registry'];
  registryImages: RegistryEntry[];
  programs: Programs;
}

/** The container runtime of one node: containerd with its CRI plugin, and the kernel beneath it. */
export function containerRuntime(options: RuntimeOptions): Component<RuntimeState> {
  const { node, images, workloads, registry, registryImages, programs } = options;
  const settings: RuntimeSettings = deepFreeze({ node: node.name, index: node.index, images, workloads, registry, registryImages });
  return {
    reportsAs: 'containerd',
    watches: [],
    start: () => createRuntimeState(settings),
    handle: (state, event, context) => {
      handlers[event.kind]?.(machineFor(state, context, programs), event);
    },
  };
}

export const machineFor = (state: RuntimeState, context: Context, programs: Programs): Machine => new NodeMachine(state, context, programs);

/** A node's runtime with its clock, network and chance. */
class NodeMachine implements Machine {
  readonly state: RuntimeState;
  readonly programs: Programs;
  private readonly context: Context;

  constructor(state: RuntimeState, context: Context, programs: Programs) {
    this.state = state;
    this.programs = programs;
    this.context = context;
  }

  get now(): SimTime {
    return this.context.now;
  }

  get epochMs(): number {
    return this.context.epochMs;
  }

  get network(): Network {
    return this.context.network;
  }

  random(purpose: string): Random {
    return this.context.random(purpose);
  }

  schedule(event: Parameters<Machine['schedule']>[0]): void {
    this.context.schedule(event);
  }

  note<K extends NoteKind>(kind: K, data: Note<K>): void {
    this.context.note(kind, data);
  }

  askLocal(ports: Ports, question: HttpRequest): HttpAnswer {
    return askLocal(this, ports, question);
  }
}

type Handler = (machine: Machine, event: SimEvent) => void;

const handlers: Readonly<Record<string, Handler>> = {
  cri: (machine, { payload }) => {
    const { id, call, replyTo } = payload as CriCall & { replyTo?: string };
    const caller: Caller = { callId: id, replyTo: replyTo ?? `kubelet/${machine.state.settings.node}` };
    (calls[call.op] as (machine: Machine, caller: Caller, call: CriCall['call']) => void)(machine, caller, call);
  },
  volume: (machine, { payload }) => setVolume(machine, payload as VolumeCommand),
  wake: (machine, { payload }) => wakeProcess(machine, payload as WakeUp),
  start: (machine, { payload }) => runContainer(machine, payload as StartJob),
  kill: (machine, { payload }) => killContainer(machine, payload as string),
  pulled: (machine, { payload }) => finishPull(machine, payload as Parameters<typeof finishPull>[1]),
  'exec-timeout': (machine, { payload }) => timeOutExec(machine, payload as WakeUp),
  fault: (machine, { payload }) => applyFault(machine, payload as RuntimeFault),
};

type CallTable = { [Op in CriReply['op']]: (machine: Machine, caller: Caller, call: Extract<CriCall['call'], { op: Op }>) => void };

const calls: CallTable = {
  'run-sandbox': runSandbox,
  'stop-sandbox': stopSandbox,
  'remove-sandbox': removeSandbox,
  'pull-image': pullImage,
  'create-container': createContainer,
  'start-container': startContainer,
  'stop-container': stopContainer,
  'remove-container': removeContainer,
  exec: execInContainer,
};
