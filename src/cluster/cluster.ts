import { resources, type ApiObject } from '../api/resources.ts';
import { must } from '../sim/assert.ts';
import type { SimEvent } from '../sim/queue.ts';
import { Simulation, type Actor, type Checkpoint, type KernelContext } from '../sim/simulation.ts';
import type { RestRequest, RestResponse } from '../kubectl/contract.ts';
import { restRequest } from './client.ts';
import { formatRfc3339, formatRfc3339Micro, type SimTime } from '../sim/time.ts';
import type { TraceRecord } from '../sim/trace.ts';
import { programs } from '../workload/programs.ts';
import { bootObjects } from './boot.ts';
import type { ApiRequest, ApiResponse, Component, Context } from './component.ts';
import { containerRuntime } from './container-runtime/component.ts';
import type { RuntimeState } from './container-runtime/state.ts';
import { runtimeView } from './container-runtime/view.ts';
import { Store, type Change } from './etcd/store.ts';
import { createRecorder, recordEvent, type RecorderState } from './event-recorder.ts';
import { handleRequest, type ServerEnvironment } from './kube-apiserver/server.ts';
import { controllers } from './kube-controller-manager/registry.ts';
import { createNetwork } from './kube-proxy/network.ts';
import { scheduler } from './kube-scheduler/component.ts';
import { initialNode, kubelet } from './kubelet/component.ts';
import { expandNodes, type ClusterOptions, type NodeOptions } from './options.ts';
import { traffic } from './traffic.ts';
import { createUser, type UserState } from './user.ts';
import { createView } from './view.ts';
import { addRoutes, createRoutes, enqueueChange, holdWatcher, takeArrived, watchersOf, type WatchState } from './watch-hub.ts';

/** The API server's own state beside the store: who watches what, and the event recorders of its clients. */
export interface ServerState {
  watchers: WatchState;
  recorders: Record<string, RecorderState>;
  /** Nodes whose network is down. */
  cutOff: string[];
  /** By client, when its newest request arrives: a later one never overtakes it. */
  arrivals: Record<string, SimTime>;
}

export interface ClusterHooks {
  onRecord?(record: TraceRecord): void;
  onEvent?(event: SimEvent): void;
}

const serverName = 'kube-apiserver';

/** From a change of an EndpointSlice to the rules of every node. Simplified: the same for all; iptables proxies sync at most once a second. */
const proxyLagMs = 100;

/** A whole simulated cluster. The only file that knows every component. */
export class Cluster {
  readonly store = new Store();
  readonly simulation: Simulation<Context>;
  readonly options: ClusterOptions;
  readonly nodes: readonly NodeOptions[];
  private readonly routes = createRoutes();
  private readonly components = new Map<string, Component<never>>();

  constructor(options: ClusterOptions, hooks: ClusterHooks = {}) {
    this.options = options;
    this.nodes = expandNodes(options.nodes);
    this.fillStore();
    const actors: Record<string, Actor<never, Context>> = {};
    actors[serverName] = this.apiServer() as Actor<never, Context>;
    const add = (name: string, component: Component<never>) => {
      this.components.set(name, component);
      addRoutes(this.routes, name, component.watches);
      actors[name] = this.watching(name, component);
    };
    add('kube-scheduler', scheduler as Component<never>);
    for (const { name, component } of controllers) add(name, component);
    for (const node of this.nodes) {
      actors[`container-runtime/${node.name}`] = containerRuntime({ ...options, node, programs }) as unknown as Actor<never, Context>;
      add(`kubelet/${node.name}`, kubelet(node) as Component<never>);
    }
    for (const spec of options.traffic) actors[`traffic/${spec.name}`] = traffic(spec, options.namespace, this.nodes[0]?.name ?? '') as unknown as Actor<never, Context>;
    actors.user = createUser(this) as Actor<never, Context>;
    this.simulation = new Simulation<Context>({
      seed: options.seed,
      actors,
      world: this.store,
      contextFor: (actor, kernel) => this.contextFor(actor, kernel),
      ...hooks,
    });
    this.announceBoot();
  }

  get epochNow(): number {
    return this.options.epochMs + this.simulation.now;
  }

  private fillStore(): void {
    const by = { at: 0, cause: 0, actor: 'boot' };
    const put = (object: ApiObject) => {
      const info = must(resources.find((row) => row.kind === object.kind && row.version === object.apiVersion.split('/').at(-1)), object.kind);
      this.store.put(info.resource, object, by);
    };
    for (const object of bootObjects(this.options.epochMs, [this.options.namespace])) put(object);
    for (const node of this.nodes) for (const object of initialNode(node, this.options.epochMs)) put(object);
  }

  /** What was there before the film began reaches the watchers as their first list. */
  private announceBoot(): void {
    const state = this.serverState;
    for (let position = 0; position < this.store.changeCount; position++) this.announce(state, position, 0, (to) => {
      this.simulation.input({ at: 0, to, kind: 'watch', payload: null });
    });
  }

  private get serverState(): ServerState {
    return must(this.simulation.stateOf<ServerState>(serverName), serverName);
  }

  private announce(state: ServerState, position: number, latencyMs: number, wake: (to: string, at: SimTime) => void): void {
    const change = this.store.changeAt(position);
    const now = this.simulation?.now ?? 0;
    for (const watcher of watchersOf(this.routes, change)) {
      const wakeAt = enqueueChange(state.watchers, watcher, position, now + latencyMs);
      if (wakeAt !== undefined) wake(watcher, wakeAt);
    }
  }

  /** Calls the API server at this instant, in the name of an actor, from within an event. */
  request(context: KernelContext, request: ApiRequest, caller: { actor: string; inside: boolean }): ApiResponse {
    return handleRequest(this.environment(context, caller.actor), request, caller);
  }

  environment(context: KernelContext, actor: string): ServerEnvironment {
    const cluster = this;
    return {
      store: this.store,
      get now() {
        return context.now;
      },
      get epochMs() {
        return cluster.options.epochMs + context.now;
      },
      get cause() {
        return context.cause;
      },
      actor,
      random: (purpose) => context.random(purpose),
      changed: (change) => this.changed(context, change),
    };
  }

  private changed(context: KernelContext, change: Change): void {
    const latency = context.random('watch-latency');
    const position = this.store.changeCount - 1;
    void change;
    this.announce(this.serverState, position, latency.between(1, 4), (to, at) => {
      context.schedule({ to, afterMs: at - context.now, kind: 'watch' });
    });
  }

  private apiServer(): Actor<ServerState, Context> {
    return {
      start: () => ({ watchers: {}, recorders: {}, cutOff: [], arrivals: {} }),
      handle: (state, event, context) => {
        if (event.kind === 'request') this.serve(event.payload as Call, context);
        else if (event.kind === 'network') this.setNetwork(state, event.payload as { node: string; network: 'down' | 'up' }, context);
      },
    };
  }

  private serve({ from, request, reply }: Call, context: Context): void {
    const response = this.request(context, request, { actor: from, inside: true });
    if (reply !== undefined) context.schedule({ to: from, afterMs: 1, kind: reply.kind, payload: { ...reply.payload, response } });
  }

  private setNetwork(state: ServerState, { node, network }: { node: string; network: 'down' | 'up' }, context: Context): void {
    const down = network === 'down';
    state.cutOff = state.cutOff.filter((name) => name !== node);
    if (down) state.cutOff.push(node);
    const watcher = `kubelet/${node}`;
    const wakeAt = holdWatcher(state.watchers, watcher, down, context.now);
    if (wakeAt !== undefined) context.schedule({ to: watcher, afterMs: wakeAt - context.now, kind: 'watch' });
  }

  /** Turns 'watch' wake-ups into the changes that have arrived; everything else goes straight to the component. */
  private watching(name: string, component: Component<never>): Actor<never, Context> {
    return {
      start: (context) => component.start(context) as never,
      handle: (state, event, context) => {
        if (event.kind !== 'watch') return component.handle(state, event, context);
        const { changes, wakeAt } = takeArrived(this.serverState.watchers, name, this.store, context.now, component);
        if (wakeAt !== undefined) context.schedule({ afterMs: Math.max(0, wakeAt - context.now), kind: 'watch' });
        if (changes.length > 0) component.handle(state, { ...event, payload: { changes } }, context);
      },
    };
  }

  private contextFor(actor: string, kernel: KernelContext): Context {
    const cluster = this;
    const { epochMs } = this.options;
    const seen = () => this.serverState.watchers[actor]?.seen ?? this.store.revision;
    const network = createNetwork({
      live: createView(this.store, () => this.store.revision),
      // What the proxies and the DNS server have taken over: watches, then a sync of the rules.
      seen: createView(this.store, () => this.store.revisionAt(kernel.now - proxyLagMs)),
      schedule: kernel.schedule,
      now: () => kernel.now,
      epochMs: () => epochMs + kernel.now,
      random: (bound) => kernel.random('network').below(bound),
      runtimeState: (node) => this.simulation.stateOf<RuntimeState>(`container-runtime/${node}`),
      nodes: () => this.nodes.map((node) => node.name),
      cutOff: () => this.serverState.cutOff,
      programs,
    });
    const context: Context = Object.create(kernel, {
      epochMs: { get: () => epochMs + kernel.now },
      timestamp: { get: () => formatRfc3339(epochMs + kernel.now) },
      microTimestamp: { get: () => formatRfc3339Micro(epochMs + kernel.now) },
      view: { value: createView(this.store, seen) },
      live: { value: createView(this.store, () => this.store.revision) },
      network: { value: network },
      api: {
        value: (request: ApiRequest, reply?: Call['reply']) => {
          const payload: Call = { from: actor, request, ...(reply === undefined ? {} : { reply }) };
          kernel.schedule({ to: serverName, afterMs: this.arrivalOf(actor, kernel), kind: 'request', payload });
        },
      },
      event: {
        value: (input: Parameters<Context['event']>[0]) => {
          const state = cluster.serverState;
          const recorder = (state.recorders[actor] ??= createRecorder());
          const component = input.component ?? cluster.components.get(actor)?.reportsAs ?? actor;
          const request = recordEvent(recorder, { ...input, component }, { epochMs: epochMs + kernel.now, actor, random: kernel.random('event-name') });
          if (request !== undefined) context.api(request);
        },
      },
      runtime: {
        value: (node: string) => {
          const state = this.simulation.stateOf<RuntimeState>(`container-runtime/${node}`);
          return state === undefined ? undefined : runtimeView(state, { context, programs });
        },
      },
    }) as Context;
    return context;
  }

  /** How long a request is under way. */
  private arrivalOf(actor: string, kernel: KernelContext): number {
    const { arrivals } = this.serverState;
    const at = Math.max(arrivals[actor] ?? 0, kernel.now + kernel.random('api-latency').between(1, 3));
    arrivals[actor] = at;
    return at - kernel.now;
  }

  /** Continues from a checkpoint of another cluster that was made of the same options and had the same beginning. */
  adopt(other: Cluster, checkpoint: Checkpoint): void {
    this.store.adopt(other.store, (checkpoint.world as { saved: number }).saved);
    this.simulation.restore(checkpoint);
  }

  /** One REST request from outside, at this instant. It has chance of its own: who only asks changes nothing of what comes. */
  outside(request: RestRequest): RestResponse {
    const user = this.simulation.contextOf('user');
    const context = Object.create(user, { random: { value: (purpose: string) => user.random(`outside ${purpose}`) } }) as Context;
    return restRequest(this, context, request);
  }

  /** What the user's commands have printed and are waiting for. */
  get userState(): UserState {
    return must(this.simulation.stateOf<UserState>('user'), 'user');
  }
}

interface Call {
  from: string;
  request: ApiRequest;
  reply?: { kind: string; payload?: Record<string, unknown> };
}
