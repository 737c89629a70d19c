import type { ApiObject, ResourceName } from '../../../api/resources.ts';
import { keyOf } from '../../../api/resources.ts';
import type { Pod, PodSpec, PodStatus } from '../../../api/schema/types.ts';
import { must } from '../../../sim/assert.ts';
import { Simulation, type Actor } from '../../../sim/simulation.ts';
import { defaultEpochMs, formatRfc3339, formatRfc3339Micro } from '../../../sim/time.ts';
import type { ApiRequest, Component, Context, EventInput, WatchChange } from '../../component.ts';
import { Store, type Change } from '../../etcd/store.ts';
import { createView } from '../../view.ts';
import { initialNode, kubelet, type KubeletOptions } from '../component.ts';
import type { KubeletState } from '../state.ts';
import { fakeRuntime, fakeView, type FakeRuntimeOptions, type FakeRuntimeState } from './fake-runtime.ts';

export const testNode: KubeletOptions = { name: 'node-a', index: 0, cpu: '2', memory: '24581220Ki', pods: '110', labels: {}, taints: [] };

interface Call {
  from: string;
  request: ApiRequest;
  reply?: { kind: string; payload?: Record<string, unknown> };
}

/** One kubelet with a fake runtime and the least of an API server. */
export class NodeHarness {
  readonly store = new Store();
  readonly simulation: Simulation<Context>;
  readonly events: { at: number; text: string }[] = [];
  readonly statuses: { at: number; pod: string; status: PodStatus }[] = [];
  readonly notes: { at: number; kind: string; data: unknown }[] = [];
  private readonly options: FakeRuntimeOptions;

  constructor(options: Partial<FakeRuntimeOptions> = {}, seed = 1) {
    this.options = { node: 'node-a', programs: {}, ...options };
    for (const object of initialNode(testNode, defaultEpochMs)) this.store.put(object.kind === 'Node' ? 'nodes' : 'leases.coordination.k8s.io', object, this.by());
    const component = kubelet(testNode) as Component<never>;
    const actors: Record<string, Actor<never, Context>> = {
      api: this.api() as Actor<never, Context>,
      'kubelet/node-a': component,
      'container-runtime/node-a': fakeRuntime(this.options) as Actor<never, Context>,
    };
    this.simulation = new Simulation<Context>({
      seed, actors, world: this.store,
      contextFor: (actor, kernel) => this.contextFor(actor, kernel),
      onRecord: (record) => this.notes.push({ at: record.at, kind: record.kind, data: record.data }),
    });
  }

  private by() {
    return { at: 0, cause: 0, actor: 'test' };
  }

  private api(): Actor<object, Context> {
    const announce = (ctx: Context, change: Change) => {
      if (change.resource !== 'pods') return;
      const object = (change.version.object ?? change.previous) as unknown as Pod;
      if (change.version.object !== undefined) this.statuses.push({ at: ctx.now, pod: object.metadata.name, status: object.status });
      const sent: WatchChange = { type: change.type, resource: 'pods', object: object as never, ...(change.previous === undefined ? {} : { previous: change.previous as never }) };
      ctx.schedule({ to: 'kubelet/node-a', afterMs: 2, kind: 'watch', payload: { changes: [sent] } });
    };
    return {
      start: () => ({}),
      handle: (_state, event, ctx) => {
        const by = { at: ctx.now, cause: 0, actor: 'api' };
        if (event.kind === 'put') announce(ctx, this.store.put('pods', event.payload as ApiObject, by));
        else if (event.kind === 'remove') announce(ctx, this.store.remove(event.payload as never, by));
        else if (event.kind === 'request') {
          const { from, request, reply } = event.payload as Call;
          const key = keyOf(request.resource, request.namespace, must(request.name, 'name'));
          const live = this.store.get(key);
          let code = live === undefined ? 404 : 200;
          if (live !== undefined && request.verb === 'delete') announce(ctx, this.store.remove(key, by));
          else if (live !== undefined && request.verb === 'update') {
            const object = request.object as ApiObject;
            if (object.metadata.resourceVersion !== live.metadata.resourceVersion) code = 409;
            else announce(ctx, this.store.put(request.resource, object, by));
          }
          if (reply !== undefined) ctx.schedule({ to: from, afterMs: 1, kind: reply.kind, payload: { ...reply.payload, response: { code } } });
        }
      },
    };
  }

  private contextFor(actor: string, kernel: object): Context {
    const base = kernel as Context;
    const live = createView(this.store, () => this.store.revision);
    return Object.create(base, {
      epochMs: { get: () => defaultEpochMs + base.now },
      timestamp: { get: () => formatRfc3339(defaultEpochMs + base.now) },
      microTimestamp: { get: () => formatRfc3339Micro(defaultEpochMs + base.now) },
      view: { value: live },
      live: { value: live },
      api: { value: (request: ApiRequest, reply?: Call['reply']) => base.schedule({ to: 'api', afterMs: 2, kind: 'request', payload: { from: actor, request, ...(reply === undefined ? {} : { reply }) } }) },
      event: { value: (event: EventInput) => this.events.push({ at: base.now, text: `${event.type} ${event.reason}${event.regarding.fieldPath === undefined ? '' : ` ${event.regarding.fieldPath}`}: ${event.message}` }) },
      runtime: { value: () => fakeView(must(this.simulation.stateOf<FakeRuntimeState>('container-runtime/node-a'), 'runtime'), this.options) },
    }) as Context;
  }

  get kubelet(): KubeletState {
    return must(this.simulation.stateOf<KubeletState>('kubelet/node-a'), 'kubelet');
  }

  get runtime(): FakeRuntimeState {
    return must(this.simulation.stateOf<FakeRuntimeState>('container-runtime/node-a'), 'runtime');
  }

  pod(name: string): Pod | undefined {
    return this.store.get(keyOf('pods', 'default', name)) as unknown as Pod | undefined;
  }

  create(name: string, spec: PodSpec, metadata: Partial<Pod['metadata']> = {}): void {
    const pod: Pod = {
      apiVersion: 'v1', kind: 'Pod',
      metadata: { name, namespace: 'default', uid: `uid-${name}`, resourceVersion: '', creationTimestamp: formatRfc3339(defaultEpochMs + this.simulation.now), generation: 1, ...metadata },
      spec: { nodeName: 'node-a', restartPolicy: 'Always', terminationGracePeriodSeconds: 30, ...spec },
      status: { phase: 'Pending', qosClass: 'BestEffort' },
    };
    this.simulation.input({ at: this.simulation.now, to: 'api', kind: 'put', payload: pod });
  }

  /** Puts a changed object. */
  change(name: string, edit: (pod: Pod) => Pod): void {
    this.simulation.input({ at: this.simulation.now, to: 'api', kind: 'put', payload: edit(must(this.pod(name), name)) });
  }

  /** As kubectl delete. */
  delete(name: string, graceSeconds = 30): void {
    this.change(name, (pod) => ({
      ...pod,
      metadata: { ...pod.metadata, generation: (pod.metadata.generation ?? 0) + 1, deletionGracePeriodSeconds: graceSeconds, deletionTimestamp: formatRfc3339(defaultEpochMs + this.simulation.now + graceSeconds * 1000) },
    }));
  }

  forceDelete(name: string): void {
    this.simulation.input({ at: this.simulation.now, to: 'api', kind: 'remove', payload: keyOf('pods', 'default', name) });
  }

  run(ms: number): this {
    this.simulation.runUntil(this.simulation.now + ms);
    return this;
  }

  /** Another object than a pod, as if it had been there. */
  put(resource: ResourceName, object: ApiObject): void {
    this.store.put(resource, object, this.by());
  }

  /** Event texts, in order. */
  eventTexts(from = 0): string[] {
    return this.events.filter(({ at }) => at >= from).map(({ text }) => text);
  }

  /** One line a status: phase and container states, as a reader follows them. */
  story(name: string): string[] {
    return this.statuses.filter((item) => item.pod === name).map(({ status }) => {
      const state = (item: { name: string; state?: { running?: unknown; waiting?: { reason?: string }; terminated?: { exitCode: number } }; ready: boolean; restartCount: number }) =>
        `${item.name}=${item.state?.running !== undefined ? 'running' : item.state?.terminated !== undefined ? `exit ${item.state.terminated.exitCode}` : (item.state?.waiting?.reason ?? '')}${item.ready ? ' ready' : ''}${item.restartCount > 0 ? ` #${item.restartCount}` : ''}`;
      const started = status.conditions?.find(({ type }) => type === 'PodReadyToStartContainers')?.status;
      return [status.phase, started === 'True' ? 'sandbox' : '', ...(status.initContainerStatuses ?? []).map(state), ...(status.containerStatuses ?? []).map(state)].filter((part) => part !== '').join(', ');
    });
  }
}
