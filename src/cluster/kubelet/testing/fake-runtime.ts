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
  const { node, programs } = options;
  return {
    start: () => ({ sandboxes: [], containers: [], calls: [], next: 1, absent: options.absent ?? [], stopping: {} }),
    handle: (state, { kind, payload }, ctx) => {
      const reply = (id: string, op: CriReply['op'], result: CriReply['result'], afterMs = 0) => ctx.schedule({ to: `kubelet/${node}`, afterMs, kind: 'cri-reply', payload: { id, op, result } });
      const changed = (podUid: string, what: RuntimeChanged['what'], containerId?: string) =>
        ctx.schedule({ to: `kubelet/${node}`, afterMs: 0, kind: 'runtime-changed', payload: { podUid, what, ...(containerId === undefined ? {} : { containerId }) } });
      const end = (container: ContainerStatusRecord, exitCode: number) => {
        if (container.state === 'exited') return;
        Object.assign(container, { state: 'exited', exitCode, reason: exitCode === 0 ? 'Completed' : 'Error', finishedAt: ctx.epochMs });
        changed(container.podUid, 'container-exited', container.id);
        const waiting = state.stopping[container.id];
        if (waiting !== undefined) reply(waiting, 'stop-container', { ok: true });
      };
      const find = (id: string) => state.containers.find((item) => item.id === id);
      if (kind === 'exit') {
        const { id, code } = payload as { id: string; code: number };
        const container = find(id);
        if (container !== undefined) end(container, code);
      } else if (kind === 'later') {
        const { call, id } = payload as CriCall;
        complete(call, id);
      } else if (kind === 'cri') {
        const { call, id } = payload as CriCall;
        state.calls.push(call.op);
        const takes: Partial<Record<CriReply['op'], number>> = { 'run-sandbox': 300, 'create-container': 50, 'start-container': 100, 'pull-image': 2000, 'stop-sandbox': 100, 'remove-container': 20 };
        ctx.schedule({ afterMs: takes[call.op] ?? 0, kind: 'later', payload });
        void id;
      }
      function complete(call: CriCall['call'], id: string): void {
        if (call.op === 'run-sandbox') {
          const sandbox: SandboxStatus = { id: `s${state.next++}`, podUid: call.podUid, attempt: call.attempt, state: 'ready', ip: `10.244.0.${state.next}`, createdAt: ctx.epochMs };
          state.sandboxes.unshift(sandbox);
          changed(call.podUid, 'sandbox');
          reply(id, call.op, { ok: true, sandboxId: sandbox.id, ip: sandbox.ip as string });
        } else if (call.op === 'stop-sandbox') {
          const sandbox = state.sandboxes.find((item) => item.id === call.sandboxId);
          if (sandbox !== undefined) {
            sandbox.state = 'not-ready';
            changed(sandbox.podUid, 'sandbox');
          }
          reply(id, call.op, { ok: true });
        } else if (call.op === 'pull-image') {
          if (options.pullError !== undefined) reply(id, call.op, { ok: false, error: options.pullError });
          else {
            state.absent = state.absent.filter((image) => image !== call.image);
            reply(id, call.op, { ok: true, imageRef: `${call.image}@sha256:1`, sizeBytes: 1000, tookMs: 2000 });
          }
        } else if (call.op === 'create-container') {
          const sandbox = state.sandboxes.find((item) => item.id === call.sandboxId);
          const { name, kind: type, attempt, image } = call.config;
          const record: ContainerStatusRecord = {
            id: `c${state.next++}`, sandboxId: call.sandboxId, podUid: sandbox?.podUid ?? '', name, kind: type, attempt, state: 'created', image: `docker.io/library/${image}`,
            imageRef: `docker.io/library/${image}@sha256:1`, createdAt: ctx.epochMs, startedAt: 0, finishedAt: 0, exitCode: 0, reason: '', message: '', generation: 1,
          };
          state.containers.unshift(record);
          reply(id, call.op, { ok: true, containerId: record.id });
        } else if (call.op === 'start-container') {
          const container = find(call.containerId) as ContainerStatusRecord;
          const program = programs[container.name] ?? {};
          if (program.startError !== undefined) {
            Object.assign(container, { state: 'exited', exitCode: 128, reason: 'StartError', message: program.startError, finishedAt: ctx.epochMs });
            changed(container.podUid, 'container-exited', container.id);
            reply(id, call.op, { ok: false, error: program.startError });
            return;
          }
          Object.assign(container, { state: 'running', startedAt: ctx.epochMs });
          changed(container.podUid, 'container-started', container.id);
          if (program.exitsAfterMs !== undefined) ctx.schedule({ afterMs: program.exitsAfterMs, kind: 'exit', payload: { id: container.id, code: program.exitCode ?? 0 } });
          reply(id, call.op, { ok: true });
        } else if (call.op === 'stop-container') {
          const container = find(call.containerId) as ContainerStatusRecord;
          if (container.state !== 'running') return reply(id, call.op, { ok: true });
          const program = programs[container.name] ?? {};
          state.stopping[container.id] = id;
          const ignores = program.onStop === 'ignore';
          ctx.schedule({ afterMs: ignores ? call.graceMs : 50, kind: 'exit', payload: { id: container.id, code: ignores ? 137 : (program.stopCode ?? 0) } });
        } else if (call.op === 'exec') {
          const container = find(call.containerId) as ContainerStatusRecord;
          const answer = programs[container.name]?.exec?.(call.command) ?? { result: { exitCode: 0, stdout: '', stderr: '', timedOut: false, steady: true }, afterMs: 20 };
          reply(id, call.op, { ok: true, exec: answer.result }, answer.afterMs);
        } else if (call.op === 'remove-container') {
          const container = find(call.containerId);
          state.containers = state.containers.filter((item) => item.id !== call.containerId);
          reply(id, call.op, { ok: true });
          if (container !== undefined) changed(container.podUid, 'removed', container.id);
        } else if (call.op === 'remove-sandbox') {
          state.sandboxes = state.sandboxes.filter((item) => item.id !== call.sandboxId);
          state.containers = state.containers.filter((item) => item.sandboxId !== call.sandboxId);
        }
      }
    },
  };
}

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
