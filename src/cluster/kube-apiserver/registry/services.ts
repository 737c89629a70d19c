import { invalid } from '../../../api/meta/field-error.ts';
import { invalidStatus, isStatus } from '../../../api/meta/status.ts';
import type { ApiObject } from '../../../api/resources.ts';
import type { Service, ServicePort, ServiceSpec, Status } from '../../../api/schema/types.ts';
import { samePlain } from '../../../sim/plain.ts';
import type { Call } from '../environment.ts';

/** --service-cluster-ip-range 10.96.0.0/16 and --service-node-port-range 30000-32767. */
const serviceNetwork = '10.96';
const addresses = 65_536;
/** Dynamic addresses and ports come from above these bands first. Upstream: pkg/registry/core/service/{ipallocator,portallocator}. */
const staticAddresses = 256;
const firstPort = 30_000;
const lastPort = 32_767;
const staticPorts = 86;

const needsAddress = (spec: ServiceSpec): boolean => spec.type !== 'ExternalName';
const needsNodePorts = (spec: ServiceSpec): boolean =>
  spec.type === 'NodePort' || (spec.type === 'LoadBalancer' && spec.allocateLoadBalancerNodePorts !== false);

const drop = <T extends object>(value: T, ...fields: (keyof T)[]): T => {
  const copy = { ...value };
  for (const field of fields) delete copy[field];
  return copy;
};

export function freshService(object: ApiObject): ApiObject {
  const service = object as Service;
  const { clusterIP, clusterIPs } = service.spec;
  const set = clusterIP !== undefined && clusterIP !== '' && clusterIPs === undefined;
  return { ...service, spec: { ...service.spec, ...(set ? { clusterIPs: [clusterIP] } : {}) } } as ApiObject;
}

/** What was given out stays unless asked for otherwise. Upstream: pkg/registry/core/service/storage: patchAllocatedValues, normalizeClusterIPs, dropTypeDependentFields. */
export function keepAllocations(next: ApiObject, old: ApiObject): ApiObject {
  const before = (old as Service).spec;
  let spec = (next as Service).spec;
  if (spec.clusterIP !== before.clusterIP && samePlain(spec.clusterIPs, before.clusterIPs)) {
    spec = spec.clusterIP ? { ...spec, clusterIPs: [spec.clusterIP, ...(spec.clusterIPs ?? []).slice(1)] } : drop(spec, 'clusterIP', 'clusterIPs');
  }
  if (!spec.clusterIP && spec.clusterIPs === undefined && needsAddress(spec) && needsAddress(before) && before.clusterIPs !== undefined) {
    spec = { ...spec, ...pick(before, 'clusterIP', 'clusterIPs') };
  }
  if (needsAddress(spec) && needsAddress(before)) spec = { ...pick(before, 'ipFamilies', 'ipFamilyPolicy'), ...spec };
  if (needsNodePorts(spec) && needsNodePorts(before)) spec = { ...spec, ports: keepNodePorts(spec.ports ?? [], before.ports ?? []) };
  if (needsAddress(before) && !needsAddress(spec)) {
    spec = drop(spec, 'clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy', 'internalTrafficPolicy');
  }
  if (needsNodePorts(before) && !needsNodePorts(spec)) {
    spec = { ...spec, ports: (spec.ports ?? []).map((port, index) => (port.nodePort === before.ports?.[index]?.nodePort ? drop(port, 'nodePort') : port)) };
  }
  if (spec.type !== 'LoadBalancer' && before.type === 'LoadBalancer') spec = drop(spec, 'allocateLoadBalancerNodePorts', 'loadBalancerClass');
  const external = spec.type === 'NodePort' || spec.type === 'LoadBalancer' || (spec.externalIPs?.length ?? 0) > 0;
  if (!external && spec.externalTrafficPolicy === before.externalTrafficPolicy) spec = drop(spec, 'externalTrafficPolicy');
  return { ...next, spec } as ApiObject;
}

function pick<T extends object, K extends keyof T>(value: T, ...fields: K[]): Partial<Pick<T, K>> {
  const copy: Partial<Pick<T, K>> = {};
  for (const field of fields) if (value[field] !== undefined) copy[field] = value[field];
  return copy;
}

/** A port that names no node port takes the one that the same port had. */
function keepNodePorts(ports: readonly ServicePort[], before: readonly ServicePort[]): ServicePort[] {
  const same = (a: ServicePort, b: ServicePort) => a.port === b.port && (a.protocol ?? 'TCP') === (b.protocol ?? 'TCP');
  const asked = new Set(ports.map(({ nodePort }) => nodePort));
  return ports.map((port) => {
    const nodePort = port.nodePort ? undefined : before.find((old) => same(old, port) && !asked.has(old.nodePort))?.nodePort;
    return nodePort === undefined ? port : { ...port, nodePort };
  });
}

/** Gives out addresses and node ports. Upstream: pkg/registry/core/service/storage/alloc.go. */
export function allocateService(next: ApiObject, old: ApiObject | undefined, call: Call): ApiObject | Status {
  let service = next as Service;
  if (needsAddress(service.spec)) {
    const outcome = withAddress(service, old as Service | undefined, call);
    if (isStatus(outcome)) return outcome;
    service = outcome;
  }
  const { spec } = service;
  if (spec.type === 'LoadBalancer' && spec.externalTrafficPolicy === 'Local' && !spec.healthCheckNodePort) {
    const kept = (old as Service | undefined)?.spec.healthCheckNodePort;
    service = { ...service, spec: { ...spec, healthCheckNodePort: kept || call.env.random('node-port').between(firstPort + staticPorts, lastPort) } };
  }
  if (needsNodePorts(service.spec)) {
    const outcome = withNodePorts(service, old as Service | undefined, call);
    if (isStatus(outcome)) return outcome;
    service = outcome;
  }
  return service as ApiObject;
}

const othersOf = (service: Service, call: Call): Service[] =>
  call.env.store.list('services').filter(({ metadata }) => metadata.name !== service.metadata.name || metadata.namespace !== service.metadata.namespace);

function withAddress(service: Service, old: Service | undefined, call: Call): Service | Status {
  const refusal = service.spec.ipFamilies?.findIndex((family) => family === 'IPv6') ?? -1;
  const unselected = service.spec.clusterIP === 'None' && Object.keys(service.spec.selector ?? {}).length === 0;
  if (refusal >= 0 && !unselected) {
    return invalidStatus(call.info, service.metadata.name, [invalid(`spec.ipFamilies[${refusal}]`, 'IPv6', 'not configured on this cluster')]);
  }
  // Whoever fills the endpoints of a headless Service without a selector may do so for both families.
  const families = {
    ipFamilies: service.spec.ipFamilies ?? (unselected ? ['IPv4', 'IPv6'] : ['IPv4']),
    ipFamilyPolicy: service.spec.ipFamilyPolicy ?? (unselected ? 'RequireDualStack' : 'SingleStack'),
  };
  const asked = service.spec.clusterIPs?.[0] ?? service.spec.clusterIP ?? '';
  if (asked === 'None') return { ...service, spec: { ...service.spec, clusterIP: 'None', clusterIPs: ['None'], ...families } };
  if (asked !== '' && asked === old?.spec.clusterIPs?.[0]) return { ...service, spec: { ...service.spec, clusterIP: asked, clusterIPs: service.spec.clusterIPs ?? [asked], ...families } };
  const taken = new Set(othersOf(service, call).map(({ spec }) => spec.clusterIP));
  const refuse = (why: string) => invalidStatus(call.info, service.metadata.name, [
    invalid('spec.clusterIPs', [asked], `failed to allocate IP ${asked}: ${why}`),
  ]);
  if (asked !== '') {
    if (!inServiceNetwork(asked)) return refuse(`the provided IP (${asked}) is not in the valid range. The range of valid IPs is 10.96.0.0/16`);
    if (taken.has(asked)) return refuse('provided IP is already allocated');
  }
  const address = asked !== '' ? asked : freeAddress(taken, call);
  return { ...service, spec: { ...service.spec, clusterIP: address, clusterIPs: [address], ...families } };
}

function inServiceNetwork(text: string): boolean {
  const parts = text.split('.').map(Number);
  return parts.length === 4 && parts[0] === 10 && parts[1] === 96 && text !== '10.96.0.0' && text !== '10.96.255.255';
}

function freeAddress(taken: ReadonlySet<string | undefined>, call: Call): string {
  const random = call.env.random('service-address');
  for (;;) {
    const offset = staticAddresses + 1 + random.below(addresses - staticAddresses - 2);
    const address = `${serviceNetwork}.${offset >> 8}.${offset & 255}`;
    if (!taken.has(address)) return address;
  }
}

function withNodePorts(service: Service, old: Service | undefined, call: Call): Service | Status {
  const taken = new Set<string>();
  for (const { spec } of othersOf(service, call)) for (const { nodePort, protocol } of spec.ports ?? []) if (nodePort) taken.add(`${protocol ?? 'TCP'}${nodePort}`);
  const kept = new Set((old?.spec.ports ?? []).map(({ nodePort }) => nodePort));
  const random = call.env.random('node-port');
  const ports: ServicePort[] = [];
  for (const [index, port] of (service.spec.ports ?? []).entries()) {
    const protocol = port.protocol ?? 'TCP';
    const asked = port.nodePort ?? 0;
    const refuse = (why: string) => invalidStatus(call.info, service.metadata.name, [invalid(`spec.ports[${index}].nodePort`, asked, why)]);
    if (asked !== 0 && !kept.has(asked)) {
      // A dry run does not look at the range.
      if (!call.dryRun && (asked < firstPort || asked > lastPort)) return refuse('provided port is not in the valid range. The range of valid ports is 30000-32767');
      if (taken.has(protocol + asked)) return refuse('provided port is already allocated');
    }
    // Ports of one Service that differ in protocol alone share a node port.
    const twin = ports.find((other) => other.port === port.port && other.nodePort && !taken.has(protocol + other.nodePort));
    let nodePort = asked || twin?.nodePort || 0;
    while (nodePort === 0 || (asked === 0 && taken.has(protocol + nodePort))) nodePort = random.between(firstPort + staticPorts, lastPort);
    taken.add(protocol + nodePort);
    ports.push({ ...port, nodePort });
  }
  return { ...service, spec: { ...service.spec, ports } };
}
