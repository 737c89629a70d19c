import type { SimTime } from '../../sim/time.ts';
import type { Random } from '../../sim/random.ts';
import type { Programs } from '../../workload/contract.ts';
import type { CriReply, RuntimeChanged } from '../kubelet/cri.ts';
import type { HttpAnswer, HttpRequest, Network } from '../network.ts';
import type { Note, NoteKind } from '../notes.ts';
import type { Container, Ports, RuntimeState } from './state.ts';

/** What a node's runtime may use at this instant. Made anew for each event; only `state` stays. */
export interface MachineParts {
  readonly state: RuntimeState;
  readonly programs: Programs;
  readonly now: SimTime;
  readonly epochMs: number;
  readonly network: Network;
  random(purpose: string): Random;
  schedule(event: { to: string; afterMs: number; kind: string; payload: unknown; key?: string }): void;
  note<K extends NoteKind>(kind: K, data: Note<K>): void;
}

export interface Machine extends MachineParts {
  /** An HTTP request that stays within a network namespace of this node. */
  askLocal(ports: Ports, question: HttpRequest): HttpAnswer;
}

/** Who made a CRI call, and where the answer goes. */
export interface Caller {
  callId: string;
  replyTo: string;
}

export const runtimeName = (node: string): string => `container-runtime/${node}`;

/** An event for this runtime itself. */
export function remind(machine: Machine, kind: string, payload: unknown, afterMs: number, key?: string): void {
  machine.schedule({ to: runtimeName(machine.state.settings.node), afterMs, kind, payload, ...(key === undefined ? {} : { key }) });
}

export function reply(machine: Machine, to: Caller, op: CriReply['op'], result: CriReply['result'], afterMs: number): void {
  const payload: CriReply = { id: to.callId, op, result };
  machine.schedule({ to: to.replyTo, afterMs, kind: 'cri-reply', payload });
}

export function tellKubelet(machine: Machine, payload: RuntimeChanged, afterMs = 0): void {
  machine.schedule({ to: `kubelet/${machine.state.settings.node}`, afterMs, kind: 'runtime-changed', payload });
}

/** Something changed that a probe or an exec could notice. One notice a container and millisecond says it all. */
export function raiseGeneration(machine: Machine, container: Container): void {
  container.status.generation++;
  if (container.noticedAt === machine.now || container.status.state !== 'running') return;
  container.noticedAt = machine.now;
  const { podUid, id } = container.status;
  tellKubelet(machine, { podUid, containerId: id, what: 'generation' });
}

/** Memory or disk use changed. */
export function raiseUsage(machine: Machine, podUid: string, containerId?: string): void {
  const pod = machine.state.pods[podUid];
  if (pod === undefined || pod.usageNoticedAt === machine.now) return;
  pod.usageNoticedAt = machine.now;
  tellKubelet(machine, { podUid, ...(containerId === undefined ? {} : { containerId }), what: 'usage' });
}
