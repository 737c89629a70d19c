import { Kernel } from '../sim/simulation.ts';
import { formatRfc3339, formatRfc3339Micro, type SimTime } from '../sim/time.ts';
import { programs } from '../workload/programs.ts';
import { waitOf } from './client-limits.ts';
import type { Cluster } from './cluster.ts';
import type { ApiRequest, Context, EventInput, View } from './component.ts';
import { runtimeView } from './container-runtime/view.ts';
import { createRecorder, recordEvent } from './event-recorder.ts';
import type { RuntimeView } from './kubelet/cri.ts';
import { createNetwork } from './kube-proxy/network.ts';
import type { Network } from './network.ts';
import { createView } from './view.ts';

export const serverName = 'kube-apiserver';

/** A request on its way to the API server. */
export interface Call {
  from: string;
  request: ApiRequest;
  reply?: { kind: string; payload?: Record<string, unknown> };
}

/** From a change of an EndpointSlice to the rules of every node. Simplified: the same for all; iptables proxies sync at most once a second. */
const proxyLagMs = 100;

/** What each component of a cluster may do. */
export class ClusterContext extends Kernel implements Context {
  readonly view: View;
  readonly live: View;
  private readonly cluster: Cluster;
  private readonly epochStartMs: number;
  private ownNetwork: Network | undefined;

  constructor(cluster: Cluster, kernel: Kernel, actor: string) {
    super(kernel);
    this.cluster = cluster;
    this.epochStartMs = cluster.options.epochMs;
    this.view = createView(cluster.store, () => cluster.serverState.watchers[actor]?.seen ?? cluster.store.revision);
    this.live = createView(cluster.store, () => cluster.store.revision);
  }

  get epochMs(): number {
    return this.epochStartMs + this.now;
  }

  get timestamp(): string {
    return formatRfc3339(this.epochMs);
  }

  get microTimestamp(): string {
    return formatRfc3339Micro(this.epochMs);
  }

  /** Most components never ask. */
  get network(): Network {
    return (this.ownNetwork ??= this.connect());
  }

  private connect(): Network {
    const { cluster } = this;
    return createNetwork({
      live: this.live,
      // What the proxies and the DNS server have taken over: watches, then a sync of the rules.
      seen: createView(cluster.store, () => cluster.store.revisionAt(this.now - proxyLagMs)),
      schedule: (event) => this.schedule(event),
      now: () => this.now,
      epochMs: () => this.epochMs,
      random: (bound) => this.random('network').below(bound),
      runtimeState: (node) => cluster.runtimeState(node),
      nodes: () => cluster.nodes.map((node) => node.name),
      cutOff: () => cluster.serverState.cutOff,
      programs,
    });
  }

  api(request: ApiRequest, reply?: Call['reply']): void {
    const { actor } = this;
    const payload: Call = reply === undefined ? { from: actor, request } : { from: actor, request, reply };
    this.send(payload, actor, waitOf(this.cluster.serverState.use, actor, this.now));
  }

  /** Puts a request on its way, behind those that the client sent before. */
  private send(payload: Call, client: string, waitMs: number): void {
    const { arrivals } = this.cluster.serverState;
    const at: SimTime = Math.max(arrivals[client] ?? 0, this.now + waitMs + this.random('api-latency').between(1, 3));
    arrivals[client] = at;
    this.schedule({ to: serverName, afterMs: at - this.now, kind: 'request', payload });
  }

  event(input: EventInput): void {
    const { actor, cluster } = this;
    const recorder = (cluster.serverState.recorders[actor] ??= createRecorder());
    const component = input.component ?? cluster.reporterOf(actor);
    const request = recordEvent(recorder, { ...input, component }, { epochMs: this.epochMs, actor, random: this.random('event-name') });
    // Recorders have a client of their own.
    if (request !== undefined) this.send({ from: actor, request }, `${actor} events`, 0);
  }

  runtime(node: string): RuntimeView | undefined {
    const state = this.cluster.runtimeState(node);
    return state === undefined ? undefined : runtimeView(state, { context: this, programs });
  }
}
