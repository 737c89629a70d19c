import type { Context } from '../../component.ts';
import type { Actor } from '../../../sim/simulation.ts';
import type { CriCall, CriReply, ContainerStatusRecord, ExecResult, RuntimeChanged, RuntimeView, SandboxStatus } from '../cri.ts';

/** How a container behaves in a test. */
export interface FakeProgram {
  /** Ends by itself so long after its start. */
  exitsAfterMs?: number;
  exitCode?: number;
  /** 'ignore': only the kill at the end of the grace ends it. */
  onStop?: 'exit' | 'ignore';
  stopCode?: number;
  /** The start fails with this text. */
  startError?: string;
  exec?: (command: readonly string[]) => { result: ExecResult; afterMs: number };
}

export interface FakeRuntimeState {
  sandboxes: SandboxStatus[];
  containers: ContainerStatusRecord[];
  calls: string[];
  next: number;
  absent: string[];
  stopping: Record<string, string>;
}

export interface FakeRuntimeOptions {
  node: string;
  programs: Record<string, FakeProgram>;
  absent?: string[];
  pullError?: string;
  http?: RuntimeView['http'];
}

/** A runtime with round figures: a sandbox takes 300 ms, create 50, start 100, an exec 20, a pull 2 s. */
export function fakeRuntime(options: FakeRuntimeOptions): Actor<FakeRuntimeState, Context> {
  return {
    start: () => ({ sandboxes: [], containers: [], calls: [], next: 1, absent: options.absent ?? [], stopping: {} }),
    handle: (state, { kind, payload }, ctx) => {
      const machine: Machine = { state, ctx, options };
      if (kind === 'exit') {
        const { id, code } = payload as { id: string; code: number };
        end(machine, id, code);
      } else if (kind === 'later') {
        const { call, id } = payload as CriCall;
        (calls[call.op] as (machine: Machine, call: CriCall['call'], id: string) => void)(machine, call, id);
      } else if (kind === 'cri') {
        const { call } = payload as CriCall;
        state.calls.push(call.op);
        ctx.schedule({ afterMs: takesMs[call.op] ?? 0, kind: 'later', payload });
      }
    },
  };
}

interface Machine {
  state: FakeRuntimeState;
  ctx: Context;
  options: FakeRuntimeOptions;
}

const takesMs: Partial<Record<CriReply['op'], number>> = {
  'run-sandbox': 300, 'create-container': 50, 'start-container': 100, 'pull-image': 2000, 'stop-sandbox': 100, 'remove-container': 20,
};

function reply({ ctx, options }: Machine, id: string, op: CriReply['op'], result: CriReply['result'] = { ok: true }, afterMs = 0): void {
  ctx.schedule({ to: `kubelet/${options.node}`, afterMs, kind: 'cri-reply', payload: { id, op, result } });
}

function changed({ ctx, options }: Machine, podUid: string, what: RuntimeChanged['what'], containerId?: string): void {
  ctx.schedule({ to: `kubelet/${options.node}`, afterMs: 0, kind: 'runtime-changed', payload: { podUid, what, ...(containerId === undefined ? {} : { containerId }) } });
}

const find = ({ state }: Machine, id: string) => state.containers.find((item) => item.id === id);
const programOf = ({ options }: Machine, container: ContainerStatusRecord): FakeProgram => options.programs[container.name] ?? {};

function end(machine: Machine, id: string, exitCode: number): void {
  const container = find(machine, id);
  if (container === undefined || container.state === 'exited') return;
  Object.assign(container, { state: 'exited', exitCode, reason: exitCode === 0 ? 'Completed' : 'Error', finishedAt: machine.ctx.epochMs });
  changed(machine, container.podUid, 'container-exited', id);
  const waiting = machine.state.stopping[id];
  if (waiting !== undefined) reply(machine, waiting, 'stop-container');
}

type CallTable = { [Op in CriReply['op']]: (machine: Machine, call: Extract<CriCall['call'], { op: Op }>, id: string) => void };

const calls: CallTable = {
  'run-sandbox': (machine, { podUid, attempt, op }, id) => {
    const { state, ctx } = machine;
    const sandbox: SandboxStatus = { id: `s${state.next++}`, podUid, attempt, state: 'ready', ip: `10.244.0.${state.next}`, createdAt: ctx.epochMs };
    state.sandboxes.unshift(sandbox);
    changed(machine, podUid, 'sandbox');
    reply(machine, id, op, { ok: true, sandboxId: sandbox.id, ip: sandbox.ip as string });
  },
  'stop-sandbox': (machine, { sandboxId, op }, id) => {
    const sandbox = machine.state.sandboxes.find((item) => item.id === sandboxId);
    if (sandbox !== undefined) {
      sandbox.state = 'not-ready';
      changed(machine, sandbox.podUid, 'sandbox');
    }
    reply(machine, id, op);
  },
  'remove-sandbox': ({ state }, { sandboxId }) => {
    state.sandboxes = state.sandboxes.filter((item) => item.id !== sandboxId);
    state.containers = state.containers.filter((item) => item.sandboxId !== sandboxId);
  },
  'pull-image': (machine, { image, op }, id) => {
    const { state, options } = machine;
    if (options.pullError !== undefined) return reply(machine, id, op, { ok: false, error: options.pullError });
    state.absent = state.absent.filter((name) => name !== image);
    reply(machine, id, op, { ok: true, imageRef: `${image}@sha256:1`, sizeBytes: 1000, tookMs: 2000 });
  },
  'create-container': (machine, { sandboxId, config, op }, id) => {
    const { state, ctx } = machine;
    const { name, kind, attempt, image } = config;
    const record: ContainerStatusRecord = {
      id: `c${state.next++}`, sandboxId, podUid: state.sandboxes.find((item) => item.id === sandboxId)?.podUid ?? '', name, kind, attempt, state: 'created',
      image: `docker.io/library/${image}`, imageRef: `docker.io/library/${image}@sha256:1`, createdAt: ctx.epochMs, startedAt: 0, finishedAt: 0, exitCode: 0, reason: '', message: '', generation: 1,
    };
    state.containers.unshift(record);
    reply(machine, id, op, { ok: true, containerId: record.id });
  },
  'start-container': (machine, { containerId, op }, id) => {
    const { ctx } = machine;
    const container = find(machine, containerId) as ContainerStatusRecord;
    const { startError, exitsAfterMs, exitCode = 0 } = programOf(machine, container);
    if (startError !== undefined) {
      Object.assign(container, { state: 'exited', exitCode: 128, reason: 'StartError', message: startError, finishedAt: ctx.epochMs });
      changed(machine, container.podUid, 'container-exited', containerId);
      return reply(machine, id, op, { ok: false, error: startError });
    }
    Object.assign(container, { state: 'running', startedAt: ctx.epochMs });
    changed(machine, container.podUid, 'container-started', containerId);
    if (exitsAfterMs !== undefined) ctx.schedule({ afterMs: exitsAfterMs, kind: 'exit', payload: { id: containerId, code: exitCode } });
    reply(machine, id, op);
  },
  'stop-container': (machine, { containerId, graceMs, op }, id) => {
    const container = find(machine, containerId) as ContainerStatusRecord;
    if (container.state !== 'running') return reply(machine, id, op);
    const { onStop, stopCode = 0 } = programOf(machine, container);
    machine.state.stopping[containerId] = id;
    const ignores = onStop === 'ignore';
    machine.ctx.schedule({ afterMs: ignores ? graceMs : 50, kind: 'exit', payload: { id: containerId, code: ignores ? 137 : stopCode } });
  },
  exec: (machine, { containerId, command, op }, id) => {
    const container = find(machine, containerId) as ContainerStatusRecord;
    const answer = programOf(machine, container).exec?.(command) ?? { result: { exitCode: 0, stdout: '', stderr: '', timedOut: false, steady: true }, afterMs: 20 };
    reply(machine, id, op, { ok: true, exec: answer.result }, answer.afterMs);
  },
  'remove-container': (machine, { containerId, op }, id) => {
    const container = find(machine, containerId);
    machine.state.containers = machine.state.containers.filter((item) => item.id !== containerId);
    reply(machine, id, op);
    if (container !== undefined) changed(machine, container.podUid, 'removed', containerId);
  },
};

export function fakeView(state: FakeRuntimeState, options: FakeRuntimeOptions): RuntimeView {
  return {
    sandboxes: (uid) => state.sandboxes.filter((item) => item.podUid === uid),
    containers: (uid) => state.containers.filter((item) => item.podUid === uid),
    podUids: () => [...new Set(state.containers.map((item) => item.podUid))],
    imagePresent: (image) => (/[A-Z]/.test(image) ? { present: false, invalid: 'invalid reference format: repository name must be lowercase' } : { present: !state.absent.includes(image), imageRef: `${image}@sha256:1`, sizeBytes: 1000, user: 0 }),
    connect: () => ({ ok: true, latencyMs: 1 }),
    http: options.http ?? (() => ({ ok: true, status: 200, headers: {}, body: 'ok', latencyMs: 1, node: '', podUid: '' })),
    grpcHealth: () => ({ outcome: 'SERVING', latencyMs: 1 }),
    volumeUsage: () => 0,
    memoryUsage: () => 0,
    logs: () => [],
  };
}
