import type { EndpointSlice, Service } from '../../api/schema/types.ts';
import type { Random } from '../../sim/random.ts';
import type { KernelContext } from '../../sim/simulation.ts';
import type { SimTime } from '../../sim/time.ts';
import type { Programs } from '../../workload/contract.ts';
import type { View } from '../component.ts';
import { askLocal, createMachine } from '../container-runtime/answering.ts';
import type { Machine } from '../container-runtime/machine.ts';
import { listenerOn, portsAt } from '../container-runtime/ports.ts';
import { currentSandbox, nodeAddress, nodeIndexOf, type RuntimeState } from '../container-runtime/state.ts';
import { connectTimeoutMs, unreachableMs } from '../container-runtime/timings.ts';
import { answerDns, type DnsZone } from '../coredns/dns.ts';
import type { Connection, DnsAnswer, DnsQuestion, HttpAnswer, HttpRequest, Network, Origin } from '../network.ts';
import { chooseEndpoint } from './proxy.ts';

/** What the cluster's network is made of. */
export interface NetworkAccess {
  live: View;
  /** The API as the proxies and the DNS server have seen it, a little old; `live` if not given. */
  seen?: View;
  now(): SimTime;
  epochMs(): number;
  random(bound: number): number;
  runtimeState(node: string): RuntimeState | undefined;
  /** In the order of their indexes. */
  nodes(): readonly string[];
  /** Nodes whose network is down. */
  cutOff(): readonly string[];
  programs: Programs;
  /** Lets a server that was asked have effects beyond its answer (notices to its kubelet). */
  schedule?: KernelContext['schedule'];
}

/** Where a packet ends after the proxy: an address and a port, or a refusal. */
type Target = { ok: true; address: string; port: number } | { ok: false; error: 'refused' | 'timeout' | 'unreachable' };

export function createNetwork(access: NetworkAccess): Network {
  const services = serviceIndex(access);
  const zone = dnsZone(access);
  const network: Network = {
    resolve: (question) => resolve(access, zone, question),
    connect: (from, address, port) => connect(access, services, from, address, port),
    http: (from, request) => http(access, services, from, request, (state) => machineOn(access, state, network)),
  };
  return network;
}

/** The stub resolver asks again after 5 s; most give up then. */
const dnsTimeoutMs = 5000;

function resolve(access: NetworkAccess, zone: DnsZone, { from, name, type }: DnsQuestion): DnsAnswer {
  if (access.cutOff().includes(from.node)) return { code: 'TIMEOUT', addresses: [], latencyMs: dnsTimeoutMs };
  const { code, addresses, forwarded } = answerDns(name, type, zone);
  return { code, addresses, latencyMs: forwarded === true ? 4 + access.random(12) : 1 + access.random(2) };
}

const viewOf = (access: NetworkAccess): View => access.seen ?? access.live;

const slicesOf = (view: View, namespace: string, name: string): EndpointSlice[] =>
  view.by('endpointslices.discovery.k8s.io', 'label', `${namespace}/kubernetes.io/service-name=${name}`);

function dnsZone(access: NetworkAccess): DnsZone {
  return {
    namespaceExists: (namespace) => viewOf(access).get('namespaces', undefined, namespace) !== undefined,
    service: (namespace, name) => viewOf(access).get('services', namespace, name),
    slicesOf: (namespace, name) => slicesOf(viewOf(access), namespace, name),
  };
}

interface ServiceIndex {
  byAddress(address: string): Service | undefined;
  byNodePort(port: number): Service | undefined;
}

/** Services by address and node port. A cache: each hit is checked against the store, a miss reads the list anew if it has changed since. */
function serviceIndex(access: NetworkAccess): ServiceIndex {
  let keys = new Map<string, { namespace: string; name: string }>();
  let builtAt = -1;
  const rebuild = () => {
    keys = new Map();
    builtAt = access.live.revision;
    for (const { metadata, spec } of access.live.list('services')) {
      const key = { namespace: metadata.namespace ?? '', name: metadata.name };
      for (const address of [...(spec.clusterIPs ?? []), ...(spec.clusterIP === undefined ? [] : [spec.clusterIP]), ...(spec.externalIPs ?? [])]) keys.set(address, key);
      for (const port of spec.ports ?? []) if (port.nodePort !== undefined) keys.set(`:${port.nodePort}`, key);
    }
  };
  const find = (key: string, matches: (service: Service) => boolean): Service | undefined => {
    for (let round = 0; round < 2; round++) {
      const name = keys.get(key);
      const service = name === undefined ? undefined : access.live.get('services', name.namespace, name.name);
      if (service !== undefined && matches(service)) return service;
      if (builtAt === access.live.revision) return undefined;
      rebuild();
    }
    return undefined;
  };
  return {
    byAddress: (address) => find(address, ({ spec }) => spec.clusterIP === address || spec.externalIPs?.includes(address) === true),
    byNodePort: (port) => find(`:${port}`, ({ spec }) => spec.ports?.some((row) => row.nodePort === port) === true),
  };
}

/** Service addresses: 10.96.0.0/12. */
const isServiceAddress = (address: string): boolean => /^10\.(9[6-9]|10\d|11[01])\./.test(address);

const nodeByAddress = (access: NetworkAccess, address: string): string | undefined =>
  address.startsWith('172.30.') ? access.nodes().find((_, index) => nodeAddress(index) === address) : undefined;

/** What the rules of kube-proxy on the asker's node make of an address. */
function translate(access: NetworkAccess, services: ServiceIndex, from: Origin, address: string, port: number): Target {
  const toNode = nodeByAddress(access, address);
  if (isServiceAddress(address)) {
    const service = services.byAddress(address);
    if (service === undefined) return { ok: false, error: 'timeout' };
    return throughService(access, service, from, (row) => row.port === port, from.node, false);
  }
  if (toNode !== undefined && port >= 30_000 && port <= 32_767) {
    const service = services.byNodePort(port);
    if (service !== undefined) return throughService(access, service, from, (row) => row.nodePort === port, toNode, true);
  }
  return { ok: true, address, port };
}

function throughService(
  access: NetworkAccess, service: Service, from: Origin, isAsked: (row: { port: number; nodePort?: number }) => boolean, node: string, external: boolean,
): Target {
  const servicePort = service.spec.ports?.find(isAsked);
  // A port that the Service does not have has no rule: nothing answers.
  if (servicePort === undefined) return { ok: false, error: 'timeout' };
  const { namespace = '', name } = service.metadata;
  return chooseEndpoint({
    service, servicePort, node, external, slices: slicesOf(viewOf(access), namespace, name), clientAddress: originAddress(access, from), random: access.random,
  });
}

function originAddress(access: NetworkAccess, { node, podUid }: Origin): string {
  const state = access.runtimeState(node);
  const sandbox = state === undefined || podUid === undefined ? undefined : currentSandbox(state, podUid);
  return sandbox === undefined || sandbox.ip === '' ? node : sandbox.ip;
}

/** The node on which an address lives. */
function homeOf(access: NetworkAccess, address: string): string | undefined {
  const index = nodeIndexOf(address);
  return index === undefined ? nodeByAddress(access, address) : access.nodes()[index];
}

type Reach = { ok: true; state: RuntimeState; latencyMs: number } | { ok: false; error: 'refused' | 'timeout' | 'unreachable'; latencyMs: number };

const failures = { refused: 1, timeout: connectTimeoutMs, unreachable: unreachableMs } as const;
const fail = (error: keyof typeof failures): Reach => ({ ok: false, error, latencyMs: failures[error] });

/** Whether packets from an origin come to an address, and at whose runtime they arrive. */
function reach(access: NetworkAccess, from: Origin, address: string): Reach {
  const home = homeOf(access, address);
  if (home === undefined) return fail('timeout');
  const cutOff = access.cutOff();
  if (home !== from.node && (cutOff.includes(home) || cutOff.includes(from.node))) return fail('timeout');
  const state = access.runtimeState(home);
  if (state === undefined) return fail('timeout');
  if (portsAt(state, address) === undefined) return fail('unreachable');
  return { ok: true, state, latencyMs: home === from.node ? 0 : 1 };
}

function connect(access: NetworkAccess, services: ServiceIndex, from: Origin, address: string, port: number): Connection {
  const refuse = (error: 'refused' | 'timeout' | 'unreachable', latencyMs: number): Connection => ({ ok: false, error, latencyMs, address, port });
  if (isApiServer(address, port)) return { ok: true, latencyMs: 1, node: '', podUid: '', containerId: '', address, port };
  const target = translate(access, services, from, address, port);
  if (!target.ok) return refuse(target.error, failures[target.error]);
  const reached = reach(access, from, target.address);
  if (!reached.ok) return refuse(reached.error, reached.latencyMs);
  const { state } = reached;
  const ports = portsAt(state, target.address);
  const listener = ports === undefined ? undefined : listenerOn(state, ports, target.port);
  if (listener === undefined) return refuse('refused', reached.latencyMs);
  const { podUid, id } = listener.container.status;
  return { ok: true, latencyMs: reached.latencyMs, node: state.settings.node, podUid, containerId: id, address: target.address, port: target.port };
}

function http(access: NetworkAccess, services: ServiceIndex, from: Origin, request: HttpRequest, machineFor: (state: RuntimeState) => Machine): HttpAnswer {
  const { address, port } = request;
  const refuse = (error: 'refused' | 'timeout' | 'unreachable', latencyMs: number): HttpAnswer => ({ ok: false, error, latencyMs, address, port });
  if (isApiServer(address, port)) return apiServerAnswer;
  const target = translate(access, services, from, address, port);
  if (!target.ok) return refuse(target.error, failures[target.error]);
  const reached = reach(access, from, target.address);
  if (!reached.ok) return refuse(reached.error, reached.latencyMs);
  const ports = portsAt(reached.state, target.address);
  if (ports === undefined) return refuse('unreachable', unreachableMs);
  const answer = askLocal(machineFor(reached.state), ports, { ...request, address: target.address, port: target.port }, reached.latencyMs);
  // Which pod is asked next time is open as soon as a Service stands between.
  const direct = target.address === address && target.port === port;
  return direct || !answer.ok ? answer : { ...answer, steadyUntil: access.now() };
}

/** The API server behind the Service 'kubernetes', and the virtual DNS server's TCP port. */
const isApiServer = (address: string, port: number): boolean => (address === '10.96.0.1' && port === 443) || (address === '10.96.0.10' && port === 53);

const apiServerAnswer: HttpAnswer = {
  ok: true, status: 403, headers: { 'Content-Type': 'application/json' }, latencyMs: 3, node: '', podUid: '',
  body: '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"forbidden: User \\"system:anonymous\\" cannot get path \\"/\\"","reason":"Forbidden","details":{},"code":403}\n',
};

/** The runtime of a node as it answers to others: what it does beyond the answer is told to its kubelet. */
function machineOn(access: NetworkAccess, state: RuntimeState, network: Network): Machine {
  const random: Random = {
    below: access.random,
    between: (low, high) => low + access.random(high - low + 1),
    pick: (items) => items[access.random(items.length)] as (typeof items)[number],
    text: (length, alphabet) => Array.from({ length }, () => alphabet[access.random(alphabet.length)]).join(''),
  };
  return createMachine({
    state,
    programs: access.programs,
    now: access.now(),
    epochMs: access.epochMs(),
    network,
    random: () => random,
    schedule: (event) => access.schedule?.(event),
    note: () => undefined,
  });
}
