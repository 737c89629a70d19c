import { forbidden, invalid, notSupported, required } from '../meta/field-error.ts';
import { isIp, named, ruled, within, type Errors } from '../meta/check.ts';
import { dns1123LabelProblems, dns1123SubdomainProblems, pathSegmentProblems, portNameProblems, wildcardSubdomainProblems } from '../meta/names.ts';
import { immutable, validateLabelSelector, validateObjectMeta, validateObjectMetaUpdate } from '../meta/object-meta.ts';
import { cidrRule } from '../core-v1/ip-validation.ts';
import { fill } from '../core-v1/pod-defaults.ts';
import type { HTTPIngressPath, Ingress, IngressBackend, IngressClass, IngressSpec, IPBlock, NetworkPolicy, NetworkPolicyPeer, NetworkPolicyPort } from '../schema/types.ts';

/** Ingresses, their classes, network policies. Upstream: pkg/apis/networking. */

export function defaultIngress(ingress: Ingress): void {
  (ingress as { spec?: unknown }).spec ??= {};
  (ingress as { status?: unknown }).status ??= { loadBalancer: {} };
}

function validateBackend(errors: Errors, path: string, backend: IngressBackend | undefined): void {
  const { resource, service } = backend ?? {};
  if (resource !== undefined && service !== undefined) errors.push(invalid(path, '', 'cannot set both resource and service backends'));
  else if (resource !== undefined) {
    for (const field of ['kind', 'name'] as const) named(errors, `${path}.resource.${field}`, resource[field], pathSegmentProblems);
  } else if (service !== undefined) {
    named(errors, `${path}.service.name`, service.name, dns1123LabelProblems);
    const name = service.port?.name ?? '';
    const number = service.port?.number ?? 0;
    if (name !== '' && number !== 0) errors.push(invalid(path, '', 'cannot set both port name & port number'));
    else if (name !== '') ruled(errors, `${path}.service.port.name`, name, portNameProblems);
    else if (number !== 0) within(errors, `${path}.service.port.number`, number, 1, 65_535);
    else errors.push(required(path, 'port name or number is required'));
  } else errors.push(invalid(path, '', 'resource or service backend is required'));
}

const badSequences = ['//', '/./', '/../', '%2f', '%2F'];

function validatePath(errors: Errors, path: string, item: HTTPIngressPath): void {
  const type = item.pathType as string | undefined;
  const value = item.path ?? '';
  if (type === undefined) {
    errors.push(required(`${path}.pathType`, 'pathType must be specified'));
    return;
  }
  const at = `${path}.path`;
  if (type === 'Exact' || type === 'Prefix') {
    if (!value.startsWith('/')) errors.push(invalid(at, value, 'must be an absolute path'));
    for (const sequence of badSequences) if (value.includes(sequence)) errors.push(invalid(at, value, `must not contain '${sequence}'`));
    for (const end of ['/..', '/.']) if (value.endsWith(end)) errors.push(invalid(at, value, `cannot end with '${end}'`));
  } else if (type === 'ImplementationSpecific') {
    if (value !== '' && !value.startsWith('/')) errors.push(invalid(at, value, 'must be an absolute path'));
  } else errors.push(notSupported(`${path}.pathType`, type, ['Exact', 'ImplementationSpecific', 'Prefix']));
  validateBackend(errors, `${path}.backend`, item.backend);
}

const hostRule = (host: string) => (host.includes('*') ? wildcardSubdomainProblems : dns1123SubdomainProblems);

function validateIngressSpec(errors: Errors, spec: IngressSpec): void {
  const rules = spec.rules ?? [];
  if (rules.length === 0 && spec.defaultBackend === undefined) errors.push(invalid('spec', spec.rules, 'either `defaultBackend` or `rules` must be specified'));
  if (spec.defaultBackend !== undefined) validateBackend(errors, 'spec.defaultBackend', spec.defaultBackend);
  rules.forEach((rule, index) => {
    const at = `spec.rules[${index}]`;
    if (rule.host) {
      if (isIp(rule.host)) errors.push(invalid(`${at}.host`, rule.host, 'must be a DNS name, not an IP address'));
      ruled(errors, `${at}.host`, rule.host, hostRule(rule.host));
    }
    if (rule.http === undefined) return;
    if ((rule.http.paths ?? []).length === 0) errors.push(required(`${at}.http.paths`));
    rule.http.paths?.forEach((item, i) => validatePath(errors, `${at}.http.paths[${i}]`, item));
  });
  spec.tls?.forEach((tls, index) => {
    tls.hosts?.forEach((host, i) => ruled(errors, `spec.tls[${index}].hosts[${i}]`, host, hostRule(host)));
    if (tls.secretName) ruled(errors, `spec.tls[${index}].secretName`, tls.secretName, dns1123SubdomainProblems);
  });
  if (spec.ingressClassName !== undefined) ruled(errors, 'spec.ingressClassName', spec.ingressClassName, dns1123SubdomainProblems);
}

const classAnnotation = 'kubernetes.io/ingress.class';

export function validateIngress(errors: Errors, ingress: Ingress): void {
  validateObjectMeta(errors, ingress.metadata, true, dns1123SubdomainProblems);
  validateIngressSpec(errors, ingress.spec);
  const annotation = ingress.metadata.annotations?.[classAnnotation];
  if (annotation !== undefined && ingress.spec.ingressClassName !== undefined && annotation !== ingress.spec.ingressClassName) {
    errors.push(invalid(`annotations.${classAnnotation}`, annotation, 'must match `ingressClassName` when both are specified'));
  }
}

export function validateIngressUpdate(errors: Errors, ingress: Ingress, old: Ingress): void {
  validateObjectMetaUpdate(errors, ingress.metadata, old.metadata);
  validateObjectMeta(errors, ingress.metadata, true, dns1123SubdomainProblems);
  validateIngressSpec(errors, ingress.spec);
}

export function validateIngressClass(errors: Errors, item: IngressClass): void {
  validateObjectMeta(errors, item.metadata, false, dns1123SubdomainProblems);
  const controller = item.spec?.controller ?? '';
  if (controller.length > 250) errors.push({ type: 'FieldValueTooLong', field: 'spec.controller', detail: 'may not be more than 250 bytes' });
  const slash = controller.indexOf('/');
  if (controller === '') errors.push(required('spec.controller'));
  else if (slash < 0 || slash === controller.length - 1) errors.push(invalid('spec.controller', controller, 'must be a domain-prefixed path (such as "acme.io/foo")'));
  else ruled(errors, 'spec.controller', controller.slice(0, slash), dns1123SubdomainProblems);
}

export function validateIngressClassUpdate(errors: Errors, item: IngressClass, old: IngressClass): void {
  validateObjectMetaUpdate(errors, item.metadata, old.metadata);
  immutable(errors, 'spec.controller', item.spec?.controller, old.spec?.controller);
}

export function defaultNetworkPolicy(policy: NetworkPolicy): void {
  (policy as { spec?: unknown }).spec ??= {};
  const spec = policy.spec as NonNullable<NetworkPolicy['spec']>;
  fill(spec, { podSelector: {} });
  for (const rule of [...(spec.ingress ?? []), ...(spec.egress ?? [])]) for (const port of rule.ports ?? []) fill(port, { protocol: 'TCP' });
  if ((spec.policyTypes ?? []).length === 0) spec.policyTypes = (spec.egress ?? []).length > 0 ? ['Ingress', 'Egress'] : ['Ingress'];
}

function validatePolicyPort(errors: Errors, path: string, { protocol, port, endPort }: NetworkPolicyPort): void {
  if (protocol !== undefined && !['TCP', 'UDP', 'SCTP'].includes(protocol)) errors.push(notSupported(`${path}.protocol`, protocol, ['TCP', 'UDP', 'SCTP'], false));
  if (port === undefined) {
    if (endPort !== undefined) errors.push(invalid(`${path}.endPort`, endPort, 'may not be specified when `port` is not specified'));
  } else if (typeof port === 'number') {
    within(errors, `${path}.port`, port, 1, 65_535);
    if (endPort === undefined) return;
    if (endPort < port) errors.push(invalid(`${path}.endPort`, endPort, 'must be greater than or equal to `port`'));
    within(errors, `${path}.endPort`, endPort, 1, 65_535);
  } else {
    if (endPort !== undefined) errors.push(invalid(`${path}.endPort`, endPort, 'may not be specified when `port` is non-numeric'));
    ruled(errors, `${path}.port`, port, portNameProblems);
  }
}

/** The bits of an IPv4 network; undefined for IPv6, which is not compared. */
function ipv4Bits(cidr: string): { base: number; length: number } | undefined {
  const match = /^(\d+)\.(\d+)\.(\d+)\.(\d+)\/(\d+)$/.exec(cidr);
  if (match === null) return undefined;
  const [a = 0, b = 0, c = 0, d = 0, length = 0] = match.slice(1).map(Number);
  return { base: ((a * 256 + b) * 256 + c) * 256 + d, length };
}

function strictlyInside(inner: string, outer: string): boolean {
  const small = ipv4Bits(inner);
  const large = ipv4Bits(outer);
  if (small === undefined || large === undefined) return small === large;
  let size = 1;
  for (let i = large.length; i < 32; i++) size *= 2;
  return small.length > large.length && Math.floor(small.base / size) === Math.floor(large.base / size);
}

function validateBlock(errors: Errors, path: string, block: IPBlock): void {
  const cidr = block.cidr ?? '';
  if (cidr === '') {
    errors.push(required(`${path}.cidr`));
    return;
  }
  if (!ruled(errors, `${path}.cidr`, cidr, cidrRule)) return;
  block.except?.forEach((except, index) => {
    const at = `${path}.except[${index}]`;
    if (ruled(errors, at, except, cidrRule) && !strictlyInside(except, cidr)) errors.push(invalid(at, except, 'must be a strict subset of `cidr`'));
  });
}

function validatePeer(errors: Errors, path: string, peer: NetworkPolicyPeer): void {
  validateLabelSelector(errors, `${path}.podSelector`, peer.podSelector);
  validateLabelSelector(errors, `${path}.namespaceSelector`, peer.namespaceSelector);
  if (peer.ipBlock !== undefined) validateBlock(errors, `${path}.ipBlock`, peer.ipBlock);
  const count = Object.keys(peer).length;
  if (count === 0) errors.push(required(path, 'must specify a peer'));
  else if (count > 1 && peer.ipBlock !== undefined) errors.push(forbidden(path, 'may not specify both ipBlock and another peer'));
}

function validatePolicySpec(errors: Errors, spec: NonNullable<NetworkPolicy['spec']>): void {
  validateLabelSelector(errors, 'spec.podSelector', spec.podSelector);
  for (const [field, rules] of [['ingress', spec.ingress], ['egress', spec.egress]] as const) {
    rules?.forEach((rule, index) => {
      const at = `spec.${field}[${index}]`;
      rule.ports?.forEach((port, i) => validatePolicyPort(errors, `${at}.ports[${i}]`, port));
      const peers = field === 'ingress' ? (rule as { from?: NetworkPolicyPeer[] }).from : (rule as { to?: NetworkPolicyPeer[] }).to;
      peers?.forEach((peer, i) => validatePeer(errors, `${at}.${field === 'ingress' ? 'from' : 'to'}[${i}]`, peer));
    });
  }
  const types = spec.policyTypes ?? [];
  if (types.length > 2) errors.push(invalid('spec.policyTypes', types, 'may not specify more than two policyTypes'));
  else types.forEach((type, index) => {
    if (type !== 'Ingress' && type !== 'Egress') errors.push(notSupported(`spec.policyTypes[${index}]`, type, ['Ingress', 'Egress'], false));
  });
}

export function validateNetworkPolicy(errors: Errors, policy: NetworkPolicy): void {
  validateObjectMeta(errors, policy.metadata, true, dns1123SubdomainProblems);
  validatePolicySpec(errors, policy.spec as NonNullable<NetworkPolicy['spec']>);
}

export function validateNetworkPolicyUpdate(errors: Errors, policy: NetworkPolicy, old: NetworkPolicy): void {
  validateObjectMetaUpdate(errors, policy.metadata, old.metadata);
  validatePolicySpec(errors, policy.spec as NonNullable<NetworkPolicy['spec']>);
}
