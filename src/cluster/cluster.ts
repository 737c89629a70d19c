import { resources, type ApiObject } from '../api/resources.ts';
import { must } from '../sim/assert.ts';
import type { SimEvent } from '../sim/queue.ts';
import { Simulation, type Actor, type Checkpoint, type KernelContext } from '../sim/simulation.ts';
import type { RestRequest, RestResponse } from '../kubectl/contract.ts';
import { restRequest } from './client.ts';
import type { Random } from '../sim/random.ts';
import type { SimTime } from '../sim/time.ts';
import type { TraceRecord } from '../sim/trace.ts';
import { programs } from '../workload/programs.ts';
import { bootObjects } from './boot.ts';
import type { ClientUse } from './client-limits.ts';
import type { ApiRequest, ApiResponse, Component, Context } from './component.ts';
import { containerRuntime } from './container-runtime/component.ts';
import type { RuntimeState } from './container-runtime/state.ts';
import { ClusterContext, serverName, type Call } from './context.ts';
import { Store, type Change } from './etcd/store.ts';
import type { RecorderState } from './event-recorder.ts';
import { handleRequest, type ServerEnvironment } from './kube-apiserver/server.ts';
import { controllers } from './kube-controller-manager/registry.ts';
import { scheduler } from './kube-scheduler/component.ts';
import { initialNode, kubelet } from './kubelet/component.ts';
import { expandNodes, type ClusterOptions, type NodeOptions } from './options.ts';
import { traffic } from './traffic.ts';
import { stoppable } from './stoppable.ts';
import { createUser, type UserState } from './user.ts';
import { addRoutes, createRoutes, enqueueChange, holdWatcher, takeArrived, watchersOf, type WatchState } from './watch-hub.ts';

/** The API server's own state beside the store: who watches what, and the event recorders of its clients. */
export interface ServerState {
  watchers: WatchState;
  recorders: Record<string, RecorderState>;
  /** Nodes whose network is down. */
  cutOff: string[];
  /** By client, when its newest request arrives: a later one never overtakes it. */
  arrivals: Record<string, SimTime>;
  use: ClientUse;
}

export interface ClusterHooks {
  onRecord?(record: TraceRecord): void;
  onEvent?(event: SimEvent): void;
}

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
    add('kube-scheduler', stoppable(scheduler as Component<never>));
    for (const { name, component } of controllers) add(name, stoppable(component));
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
      contextFor: (actor, kernel) => new ClusterContext(this, kernel, actor),
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

  /** The API server's own state. */
  get serverState(): ServerState {
    return must(this.simulation.stateOf<ServerState>(serverName), serverName);
  }

  private announce(state: ServerState, position: number, latencyMs: number, wake: (to: string, at: SimTime) => void): void {
    const change = this.store.changeAt(position);
    const now = this.simulation?.now ?? 0;
    for (const watcher of watchersOf(this.routes, change)) {
      const wakeAt = enqueueChange(state.watchers, watcher, position, now + latencyMs);
      if (wakeAt !== undefined) wake(watcher, wakeAt + (this.components.get(watcher)?.patienceMs ?? 0));
    }
  }

  /** Calls the API server at this instant, in the name of an actor, from within an event. */
  request(context: KernelContext, request: ApiRequest, caller: { actor: string; inside: boolean }): ApiResponse {
    return handleRequest(this.environment(context, caller.actor), request, caller);
  }

  environment(context: KernelContext, actor: string): ServerEnvironment {
    return new Environment(this, context, actor);
  }

  /** After each write: whoever watches hears of it a little later. */
  changed(context: KernelContext, _change: Change): void {
    const position = this.store.changeCount - 1;
    this.announce(this.serverState, position, context.random('watch-latency').between(1, 4), (to, at) => {
      context.schedule({ to, afterMs: at - context.now, kind: 'watch' });
    });
  }

  private apiServer(): Actor<ServerState, Context> {
    return {
      start: () => ({ watchers: {}, recorders: {}, cutOff: [], arrivals: {}, use: {} }),
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

  /** The state of the runtime on a node. */
  runtimeState(node: string): RuntimeState | undefined {
    return this.simulation.stateOf<RuntimeState>(`container-runtime/${node}`);
  }

  /** How a component names itself in Events. */
  reporterOf(actor: string): string {
    return this.components.get(actor)?.reportsAs ?? actor;
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

/** What surrounds one request: the clock of the event that it is part of. */
class Environment implements ServerEnvironment {
  readonly store: Store;
  private readonly cluster: Cluster;
  private readonly context: KernelContext;
  readonly actor: string;

  constructor(cluster: Cluster, context: KernelContext, actor: string) {
    this.cluster = cluster;
    this.store = cluster.store;
    this.context = context;
    this.actor = actor;
  }

  get now(): SimTime {
    return this.context.now;
  }

  get epochMs(): number {
    return this.cluster.options.epochMs + this.context.now;
  }

  get cause(): number {
    return this.context.cause;
  }

  random(purpose: string): Random {
    return this.context.random(purpose);
  }

  changed(change: Change): void {
    this.cluster.changed(this.context, change);
  }
}
