import { Simulation } from '../../../sim/simulation.ts';
import { defaultEpochMs } from '../../../sim/time.ts';
import type { TraceRecord } from '../../../sim/trace.ts';
import type { Host, Process, ProcessSpec, Programs, ServerAnswer, ServerRequest, StartResult, StepResult, Wake } from '../../../workload/contract.ts';
import type { Context } from '../../component.ts';
import type { ContainerConfig, CriReply, CriRequest, RuntimeChanged, RuntimeView } from '../../kubelet/cri.ts';
import type { Network } from '../../network.ts';
import { containerRuntime, type RuntimeOptions } from '../component.ts';
import type { RuntimeState } from '../state.ts';
import { runtimeView } from '../view.ts';

/** A program of a test: what it does when it is stepped, by the first word of its command. */
export interface FakeProgram {
  start?(spec: ProcessSpec, host: Host): StartResult | undefined;
  step?(wake: Wake, host: Host, state: Record<string, unknown>): StepResult;
  answer?(request: ServerRequest, host: Host, state: Record<string, unknown>): ServerAnswer;
}

interface FakeState {
  name: string;
  own: Record<string, unknown>;
}

const forever: StepResult = { status: 'running' };

/** Programs by command; without one of its own a command runs until it is told to stop. */
export function fakePrograms(table: Readonly<Record<string, FakeProgram>>): Programs {
  const of = (process: Process) => process.state as FakeState;
  return {
    start: (spec, host) => {
      const name = [...(spec.command ?? []), ...(spec.args ?? [])][0] ?? spec.image;
      const refused = table[name]?.start?.(spec, host);
      return refused ?? { ok: true, stopSignal: 'SIGTERM', process: { program: 'fake', state: { name, own: {} } satisfies FakeState } };
    },
    step: (process, wake, host) => {
      const { name, own } = of(process);
      const step = table[name]?.step;
      if (step !== undefined) return step(wake, host, own);
      return wake.kind === 'signal' ? { status: 'exited', exitCode: 0 } : forever;
    },
    answer: (process, request, host) => table[of(process).name]?.answer?.(request, host, of(process).own) ?? { kind: 'accepted', delayMs: 0 },
  };
}

const noNetwork: Network = {
  resolve: () => ({ code: 'NXDOMAIN', addresses: [], latencyMs: 1 }),
  connect: (_from, address, port) => ({ ok: false, error: 'unreachable', latencyMs: 1, address, port }),
  http: (_from, { address, port }) => ({ ok: false, error: 'unreachable', latencyMs: 1, address, port }),
};

export interface TestRuntime {
  readonly simulation: Simulation<Context>;
  readonly state: RuntimeState;
  readonly view: RuntimeView;
  readonly replies: (CriReply & { at: number })[];
  readonly notices: (RuntimeChanged & { at: number })[];
  readonly records: TraceRecord[];
  send(kind: string, payload: unknown): void;
  /** Makes a call and runs on until its answer is there. */
  call(call: CriRequest): CriReply;
  run(ms: number): void;
  /** A sandbox with one running container; its id. */
  startContainer(config?: Partial<ContainerConfig>, pod?: { podUid?: string; sharedPids?: boolean }): string;
}

export const testConfig = (config: Partial<ContainerConfig> = {}): ContainerConfig => ({
  name: 'c', kind: 'app', attempt: 0, image: 'busybox:1.36', env: [], mounts: [], ports: [], readOnlyRootFilesystem: false,
  terminationMessagePath: '/dev/termination-log', terminationMessagePolicy: 'File', hostAliases: [], dns: { searches: [], ndots: 5 }, ...config,
});

/** One node's runtime, driven by hand in the kubelet's place. */
export function testRuntime(programs: Readonly<Record<string, FakeProgram>> = {}, options: Partial<RuntimeOptions> = {}): TestRuntime {
  const all: RuntimeOptions = {
    node: { name: 'node-a', index: 0 }, images: {}, workloads: [], registry: 'playground', registryImages: [], programs: fakePrograms(programs), ...options,
  };
  const replies: TestRuntime['replies'] = [];
  const notices: TestRuntime['notices'] = [];
  const records: TraceRecord[] = [];
  let lastContext: Context | undefined;
  const name = `container-runtime/${all.node.name}`;
  const kubelet = {
    start: (context: Context) => {
      lastContext = context;
      return {};
    },
    handle: (_state: unknown, event: { kind: string; payload: unknown; at: number }) => {
      if (event.kind === 'cri-reply') replies.push({ ...(event.payload as CriReply), at: event.at });
      else notices.push({ ...(event.payload as RuntimeChanged), at: event.at });
    },
  };
  const simulation = new Simulation<Context>({
    seed: 1,
    actors: { [name]: containerRuntime(all) as never, [`kubelet/${all.node.name}`]: kubelet as never },
    world: { checkpoint: () => null, restore: () => undefined },
    contextFor: (_actor, kernel) => Object.create(kernel, { epochMs: { get: () => defaultEpochMs + kernel.now }, network: { value: noNetwork } }) as Context,
    onRecord: (record) => records.push(record),
  });
  let calls = 0;
  const runtime: TestRuntime = {
    simulation, replies, notices, records,
    get state() {
      return simulation.stateOf<RuntimeState>(name) as RuntimeState;
    },
    get view() {
      return runtimeView(runtime.state, { context: lastContext as Context, programs: all.programs });
    },
    send: (kind, payload) => simulation.input({ at: simulation.now, to: name, kind, payload }),
    call: (call) => {
      const id = `call-${++calls}`;
      runtime.send('cri', { id, call });
      for (let tries = 0; tries < 200_000; tries++) {
        const answer = replies.find((reply) => reply.id === id);
        if (answer !== undefined) return answer;
        simulation.runUntil(simulation.nextEventAt ?? simulation.now + 1);
      }
      throw new Error(`no answer to ${call.op}`);
    },
    run: (ms) => {
      simulation.runUntil(simulation.now + ms);
    },
    startContainer: (config = {}, { podUid = 'pod-1', sharedPids = false } = {}) => {
      const sandbox = runtime.view.sandboxes(podUid)[0]?.id ?? idOf(runtime.call({
        op: 'run-sandbox', podUid, namespace: 'default', name: podUid, attempt: 0, hostNetwork: false, hostname: podUid, shareProcessNamespace: sharedPids,
      }), 'sandboxId');
      const containerId = idOf(runtime.call({ op: 'create-container', sandboxId: sandbox, config: testConfig(config) }), 'containerId');
      runtime.call({ op: 'start-container', containerId });
      return containerId;
    },
  };
  return runtime;
}

export function idOf({ result }: CriReply, field: 'sandboxId' | 'containerId'): string {
  const id = result.ok ? result[field] : undefined;
  if (id === undefined) throw new Error(`no ${field}: ${result.ok ? 'ok' : result.error}`);
  return id;
}
