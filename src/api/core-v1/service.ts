import { samePlain } from '../../sim/plain.ts';
import { duplicate, forbidden, invalid, notSupported, required } from '../meta/field-error.ts';
import { ifOneOf, ipRule, isIp, oneOf, ruled, unique, within, type Errors } from '../meta/check.ts';
import { dns1123LabelProblems, dns1123SubdomainProblems, labelKeyProblems } from '../meta/names.ts';
import { validateLabels, validateObjectMeta, validateObjectMetaUpdate } from '../meta/object-meta.ts';
import type { Service, ServicePort, ServiceSpec } from '../schema/types.ts';
import { familyOf, validateCidr, validateEndpointIp } from './ip-validation.ts';
import { fill } from './pod-defaults.ts';
import { validatePort } from './probe-validation.ts';

export const isHeadless = (spec: ServiceSpec): boolean => spec.clusterIPs?.length === 1 && spec.clusterIPs[0] === 'None';

const external = (spec: ServiceSpec) =>
  spec.type === 'LoadBalancer' || spec.type === 'NodePort' || (spec.type === 'ClusterIP' && (spec.externalIPs ?? []).length > 0);
const needsHealthCheck = (spec: ServiceSpec) => spec.type === 'LoadBalancer' && spec.externalTrafficPolicy === 'Local';

/** Upstream: pkg/apis/core/v1/defaults.go SetDefaults_Service. */
export function defaultService(service: Service): void {
  const spec = (service.spec ??= {});
  fill(spec, { sessionAffinity: 'None', type: 'ClusterIP' });
  if (spec.sessionAffinity === 'None') delete spec.sessionAffinityConfig;
  if (spec.sessionAffinity === 'ClientIP' && spec.sessionAffinityConfig?.clientIP?.timeoutSeconds === undefined) {
    spec.sessionAffinityConfig = { clientIP: { timeoutSeconds: 10_800 } };
  }
  for (const port of spec.ports ?? []) {
    fill(port, { protocol: 'TCP' });
    if (port.targetPort === undefined || port.targetPort === 0 || port.targetPort === '') port.targetPort = port.port ?? 0;
  }
  if (external(spec)) fill(spec, { externalTrafficPolicy: 'Cluster' });
  if (spec.type !== 'ExternalName') fill(spec, { internalTrafficPolicy: 'Cluster' });
  if (spec.type === 'LoadBalancer') fill(spec, { allocateLoadBalancerNodePorts: true });
  (service as { status?: unknown }).status = { loadBalancer: {}, ...service.status };
}

function validateServicePort(errors: Errors, path: string, port: ServicePort, needsName: boolean, names: Set<string>): void {
  if (port.name) {
    ruled(errors, `${path}.name`, port.name, dns1123LabelProblems);
    unique(errors, `${path}.name`, port.name, names);
  } else if (needsName) errors.push(required(`${path}.name`));
  within(errors, `${path}.port`, port.port ?? 0, 1, 65_535);
  oneOf(errors, `${path}.protocol`, port.protocol, ['SCTP', 'TCP', 'UDP']);
  validatePort(errors, `${path}.targetPort`, port.targetPort);
  if (port.appProtocol !== undefined) ruled(errors, `${path}.appProtocol`, port.appProtocol, labelKeyProblems);
}

function validateType(errors: Errors, spec: ServiceSpec): void {
  const headless = isHeadless(spec);
  if ((spec.type === 'LoadBalancer' || spec.type === 'NodePort') && headless) {
    errors.push(invalid('spec.clusterIPs[0]', 'None', `may not be set to 'None' for ${spec.type} services`));
  }
  if (spec.type !== 'ExternalName') return;
  const text = 'may not be set for ExternalName services';
  if ((spec.clusterIPs ?? []).length > 0) errors.push(forbidden('spec.clusterIPs', text));
  if ((spec.ipFamilies ?? []).length > 0) errors.push(forbidden('spec.ipFamilies', text));
  if (spec.ipFamilyPolicy !== undefined) errors.push(forbidden('spec.ipFamilyPolicy', text));
  const name = (spec.externalName ?? '').replace(/\.$/, '');
  if (name === '') errors.push(required('spec.externalName'));
  else ruled(errors, 'spec.externalName', name, dns1123SubdomainProblems);
}

function validateAffinity(errors: Errors, spec: ServiceSpec): void {
  const at = 'spec.sessionAffinityConfig';
  oneOf(errors, 'spec.sessionAffinity', spec.sessionAffinity, ['ClientIP', 'None']);
  if (spec.sessionAffinity === 'None' && spec.sessionAffinityConfig !== undefined) errors.push(forbidden(at, 'must not be set when session affinity is None'));
  if (spec.sessionAffinity !== 'ClientIP') return;
  const seconds = spec.sessionAffinityConfig?.clientIP?.timeoutSeconds;
  if (seconds === undefined) errors.push(required(at, 'when session affinity type is ClientIP'));
  else if (seconds <= 0 || seconds > 86_400) errors.push(invalid(`${at}.clientIP.timeoutSeconds`, seconds, 'must be greater than 0 and less than 86400'));
}

/** Also asked by the address allocator, before all other checks. Upstream: ValidateServiceClusterIPsRelatedFields. */
export function validateClusterIps(errors: Errors, spec: ServiceSpec): void {
  if (spec.type === 'ExternalName') return;
  const ips = spec.clusterIPs ?? [];
  const at = 'spec.clusterIPs';
  if (spec.clusterIP) {
    if (ips.length === 0) errors.push(required(at));
    else if (ips[0] !== spec.clusterIP) errors.push(invalid(at, ips, 'first value must match `clusterIP`'));
  } else if (ips.length > 0) errors.push(invalid(at, ips, 'must be empty when `clusterIP` is not specified'));
  const seen = new Set<string>();
  spec.ipFamilies?.forEach((family, index) => {
    if (family !== 'IPv4' && family !== 'IPv6') errors.push(notSupported(`spec.ipFamilies[${index}]`, family, ['IPv4', 'IPv6']));
    unique(errors, `spec.ipFamilies[${index}]`, family, seen);
  });
  ifOneOf(errors, 'spec.ipFamilyPolicy', spec.ipFamilyPolicy, ['PreferDualStack', 'RequireDualStack', 'SingleStack']);
  let bad = false;
  ips.forEach((ip, index) => {
    if (index === 0 && ip === 'None') {
      if (ips.length > 1) {
        bad = true;
        errors.push(invalid(at, ips, "'None' must be the first and only value"));
      }
    } else bad = !ruled(errors, `${at}[${index}]`, ip, ipRule) || bad;
  });
  if (ips.length > 2) errors.push(invalid(at, ips, 'may only hold up to 2 values'));
  if (bad) return;
  if (ips.length > 1 && new Set(ips.map(familyOf)).size < 2) errors.push(invalid(at, ips, 'may specify no more than one IP for each IP family'));
  if (isHeadless(spec)) return;
  ips.forEach((ip, index) => {
    const family = spec.ipFamilies?.[index];
    if (family !== undefined && family !== familyOf(ip)) errors.push(invalid(`${at}[${index}]`, ip, `expected an ${family} value as indicated by \`ipFamilies[${index}]\``));
  });
}

function validateNodePorts(errors: Errors, spec: ServiceSpec): void {
  const ports = spec.ports ?? [];
  if (spec.type === 'ClusterIP') {
    ports.forEach((port, index) => {
      if (port.nodePort) errors.push(forbidden(`spec.ports[${index}].nodePort`, "may not be used when `type` is 'ClusterIP'"));
    });
  }
  const seen = new Set<string>();
  ports.forEach((port, index) => {
    if (!port.nodePort) return;
    const key = `${port.protocol}/${port.nodePort}`;
    if (seen.has(key)) errors.push(duplicate(`spec.ports[${index}].nodePort`, port.nodePort));
    seen.add(key);
  });
  const pairs = new Set<string>();
  ports.forEach((port, index) => {
    const key = `${port.protocol}/${port.port}`;
    // The inner form of a ServicePort with only the two fields that were compared.
    if (pairs.has(key)) errors.push(duplicate(`spec.ports[${index}]`, { Name: '', Protocol: port.protocol ?? '', AppProtocol: null, Port: port.port ?? 0, TargetPort: 0, NodePort: 0 }));
    pairs.add(key);
  });
}

const sourceRanges = 'service.beta.kubernetes.io/load-balancer-source-ranges';

function validateLoadBalancer(errors: Errors, service: Service): void {
  const spec = service.spec ?? {};
  const balancer = spec.type === 'LoadBalancer';
  const only = "may only be used when `type` is 'LoadBalancer'";
  const annotation = service.metadata.annotations?.[sourceRanges];
  if ((spec.loadBalancerSourceRanges ?? []).length > 0) {
    const at = 'spec.LoadBalancerSourceRanges';
    if (!balancer) errors.push(forbidden(at, only));
    spec.loadBalancerSourceRanges?.forEach((range, index) => validateCidr(errors, `${at}[${index}]`, range.trim()));
  } else if (annotation !== undefined) {
    const at = `metadata.annotations[${sourceRanges}]`;
    if (!balancer) errors.push(forbidden(at, only));
    if (annotation.trim() !== '') for (const range of annotation.split(',')) validateCidr(errors, at, range.trim());
  }
  if (spec.allocateLoadBalancerNodePorts !== undefined && !balancer) errors.push(forbidden('spec.allocateLoadBalancerNodePorts', only));
  if (balancer && spec.allocateLoadBalancerNodePorts === undefined) errors.push(required('allocateLoadBalancerNodePorts'));
  if (spec.loadBalancerClass !== undefined) {
    if (balancer) ruled(errors, 'spec.loadBalancerClass', spec.loadBalancerClass, labelKeyProblems);
    else errors.push(forbidden('spec.loadBalancerClass', only));
  }
}

function validateTraffic(errors: Errors, spec: ServiceSpec): void {
  const at = 'spec.externalTrafficPolicy';
  if (external(spec)) oneOf(errors, at, spec.externalTrafficPolicy, ['Cluster', 'Local']);
  else if (spec.externalTrafficPolicy) errors.push(invalid(at, spec.externalTrafficPolicy, 'may only be set for externally-accessible services'));
  const port = spec.healthCheckNodePort ?? 0;
  if (!needsHealthCheck(spec)) {
    if (port !== 0) errors.push(invalid('spec.healthCheckNodePort', port, "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'"));
  } else if (port !== 0) within(errors, 'spec.healthCheckNodePort', port, 1, 65_535);
  const internal = spec.internalTrafficPolicy;
  if (internal === undefined && ['ClusterIP', 'NodePort', 'LoadBalancer'].includes(spec.type ?? '')) errors.push(required('spec.internalTrafficPolicy'));
  ifOneOf(errors, 'spec.internalTrafficPolicy', internal, ['Cluster', 'Local']);
  ifOneOf(errors, 'spec.trafficDistribution', spec.trafficDistribution, ['PreferClose', 'PreferSameZone', 'PreferSameNode'], false);
}

/** Upstream: pkg/apis/core/validation validateService. Addresses and node ports that the server will pick may still be absent. */
function validateSpec(errors: Errors, service: Service): void {
  const spec = service.spec ?? {};
  const ports = spec.ports ?? [];
  if (ports.length === 0 && !isHeadless(spec) && spec.type !== 'ExternalName') errors.push(required('spec.ports'));
  validateType(errors, spec);
  const names = new Set<string>();
  ports.forEach((port, index) => validateServicePort(errors, `spec.ports[${index}]`, port, ports.length > 1, names));
  validateLabels(errors, 'spec.selector', spec.selector);
  validateAffinity(errors, spec);
  validateClusterIps(errors, spec);
  spec.externalIPs?.forEach((ip, index) => {
    const at = `spec.externalIPs[${index}]`;
    if (isIp(ip)) validateEndpointIp(errors, at, ip);
    else ruled(errors, at, ip, ipRule);
  });
  oneOf(errors, 'spec.type', spec.type, ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort']);
  validateNodePorts(errors, spec);
  validateLoadBalancer(errors, service);
  validateTraffic(errors, spec);
}

export function validateService(errors: Errors, service: Service): void {
  validateObjectMeta(errors, service.metadata, true, dns1123LabelProblems);
  validateSpec(errors, service);
}

/** Lists that may grow or shrink at the end but keep their first value. */
function validateKept(errors: Errors, field: 'clusterIPs' | 'ipFamilies', next: ServiceSpec, old: ServiceSpec, what: string): void {
  const after = next[field] ?? [];
  const before = old[field] ?? [];
  const at = `spec.${field}`;
  if (before.length === after.length) {
    before.forEach((value, index) => {
      if (value !== after[index]) errors.push(invalid(`${at}[${field === 'clusterIPs' ? index : 0}]`, after, 'may not change once set'));
    });
  } else {
    if (after.length === 0) errors.push(invalid(`${at}[0]`, after, `primary ${what} can not be unset`));
    else if (before.length > 0 && after[0] !== before[0]) errors.push(invalid(`${at}[0]`, next.clusterIPs ?? [], 'may not change once set'));
    if (before.length > after.length && after.length === 1 && next.ipFamilyPolicy !== 'SingleStack') {
      errors.push(invalid('spec.ipFamilyPolicy', next.ipFamilyPolicy ?? null, `must be set to 'SingleStack' when releasing the secondary ${what}`));
    }
  }
}

export function validateServiceUpdate(errors: Errors, service: Service, old: Service): void {
  validateObjectMetaUpdate(errors, service.metadata, old.metadata);
  const next = service.spec ?? {};
  const before = old.spec ?? {};
  if (next.type !== 'ExternalName' && before.type !== 'ExternalName') {
    const headless = [isHeadless(before), isHeadless(next)];
    if (!(headless[0] && headless[1])) validateKept(errors, 'clusterIPs', next, before, 'clusterIP');
    if (headless[0] === headless[1] && !headless[1]) validateKept(errors, 'ipFamilies', next, before, 'ipFamily');
  }
  if (next.type === 'LoadBalancer' && before.type === 'LoadBalancer' && !samePlain(next.loadBalancerClass, before.loadBalancerClass)) {
    errors.push(invalid('spec.loadBalancerClass', next.loadBalancerClass ?? null, 'may not change once set'));
  }
  if (needsHealthCheck(next) && needsHealthCheck(before) && next.healthCheckNodePort !== before.healthCheckNodePort) {
    errors.push(forbidden('spec.healthCheckNodePort', 'field is immutable'));
  }
  validateSpec(errors, service);
}

export function serviceWarnings(service: Service): string[] {
  const spec = service.spec ?? {};
  return [
    ...((spec.externalIPs ?? []).length > 0 ? ['spec.externalIPs is deprecated and may no longer be implemented in some clusters'] : []),
    ...(isHeadless(spec) && spec.sessionAffinity === 'ClientIP' ? ['spec.SessionAffinity is ignored for headless services'] : []),
    ...(spec.trafficDistribution === 'PreferClose' ? ['spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"'] : []),
  ];
}
