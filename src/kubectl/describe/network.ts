import type { EndpointSlice, IngressBackend, LoadBalancerIngress, NetworkPolicyPeer, NetworkPolicyPort, Service } from '../../api/schema/types.ts';
import { compareText } from '../../sim/plain.ts';
import { annotationLines, formatLabels, formatLabelSelector, grid, head, labelLines, line, none, orNone, rows, unset } from './lines.ts';
import { get, list, type Describer, type Describers, type Look } from './look.ts';

const slicesOf = (look: Look, namespace: string, service: string): EndpointSlice[] =>
  list(look, 'endpointslices.discovery.k8s.io', namespace, { labelSelector: `kubernetes.io/service-name=${service}` });

/** Ready addresses with a port of this name, three at most. Upstream: describe.go formatEndpointSlices. */
function endpointsText(slices: readonly EndpointSlice[], port: string): string {
  if (slices.length === 0) return none;
  const all = slices.flatMap(({ endpoints, ports }) => {
    const ready = (endpoints ?? []).filter(({ conditions }) => conditions?.ready !== false).map(({ addresses }) => addresses[0] ?? '');
    if ((ports ?? []).length === 0) return ready;
    return (ports ?? []).filter(({ name = '' }) => name === port).flatMap((one) => ready.map((address) => `${address.includes(':') ? `[${address}]` : address}:${one.port ?? 0}`));
  });
  return all.length > 3 ? `${all.slice(0, 3).join(',')} + ${all.length - 3} more...` : all.join(',');
}

const addressOf = ({ ip, ipMode, hostname }: LoadBalancerIngress): string => (ip ? `${ip}${ipMode === undefined ? '' : ` (${ipMode})`}` : (hostname ?? ''));

const services: Describer<'services'> = (service, look) => {
  const { metadata, spec, status } = service;
  const slices = slicesOf(look, metadata.namespace ?? '', metadata.name);
  return [
    head(service),
    rows(0, {
      Selector: formatLabels(spec.selector), Type: spec.type ?? '', 'IP Family Policy': spec.ipFamilyPolicy, 'IP Families': orNone(spec.ipFamilies?.join(',')), IP: spec.clusterIP ?? '',
      IPs: orNone(spec.clusterIPs?.join(',')), 'External IPs': spec.externalIPs?.join(',') || undefined, 'Desired LoadBalancer IP': spec.loadBalancerIP || undefined,
      'External Name': spec.externalName || undefined, 'LoadBalancer Ingress': (status?.loadBalancer?.ingress ?? []).map(addressOf).join(', ') || undefined,
    }),
    ...portsOf(spec).map((port) => rows(0, { ...port.lines, Endpoints: endpointsText(slices, port.name) })),
    rows(0, {
      'Session Affinity': spec.sessionAffinity ?? '', 'External Traffic Policy': spec.externalTrafficPolicy || undefined, 'Internal Traffic Policy': spec.internalTrafficPolicy || undefined,
      'HealthCheck NodePort': spec.healthCheckNodePort || undefined, 'LoadBalancer Source Ranges': spec.loadBalancerSourceRanges?.join(',') || undefined, 'Traffic Distribution': spec.trafficDistribution,
    }),
  ].join('');
};

const portsOf = ({ ports = [] }: Service['spec']) => ports.map(({ name = '', port, protocol = '', targetPort = 0, appProtocol, nodePort }) => ({
  name,
  lines: {
    Port: `${name || unset}\t${port}/${protocol}`, TargetPort: `${targetPort}/${protocol}`, AppProtocol: appProtocol, NodePort: nodePort ? `${name || unset}\t${nodePort}/${protocol}` : undefined,
  },
}));

const endpoints: Describer<'endpoints'> = (object) => [
  head(object),
  'Subsets:\n',
  ...(object.subsets ?? []).map(({ addresses = [], notReadyAddresses = [], ports = [] }) => [
    rows(1, { Addresses: orNone(addresses.map(({ ip }) => ip).join(',')), NotReadyAddresses: orNone(notReadyAddresses.map(({ ip }) => ip).join(',')) }),
    ports.length === 0 ? '' : line(1, 'Ports:') + grid(2, ['Name', 'Port', 'Protocol'], ports.map(({ name, port, protocol = '' }) => [name || unset, port, protocol])),
    '\n',
  ].join('')),
].join('');

const endpointSlices: Describer<'endpointslices.discovery.k8s.io'> = (slice) => {
  const [ports, all] = [slice.ports ?? [], slice.endpoints ?? []];
  return [
    head(slice),
    rows(0, { AddressType: slice.addressType }),
    ports.length === 0 ? 'Ports: <unset>\n' : `Ports:\n${grid(1, ['Name', 'Port', 'Protocol'], ports.map(({ name, port, protocol = '' }) => [name || unset, port ?? unset, protocol]))}`,
    all.length === 0 ? 'Endpoints: <none>\n' : 'Endpoints:\n',
    ...all.map(({ addresses, conditions, hostname, targetRef, nodeName, zone }) => [
      rows(1, { '- Addresses': orNone(addresses.join(', ')) }), line(2, 'Conditions:'), rows(3, { Ready: conditions?.ready ?? unset }),
      rows(2, { Hostname: hostname ?? unset, TargetRef: targetRef === undefined ? undefined : `${targetRef.kind ?? ''}/${targetRef.name ?? ''}`, NodeName: nodeName ?? unset, Zone: zone ?? unset }),
    ].join('')),
  ].join('');
};

/** Upstream: describe.go describeBackendV1. */
function backendText(look: Look, namespace: string, { service, resource }: IngressBackend): string {
  if (service === undefined) return resource === undefined ? '' : `APIGroup: ${resource.apiGroup ?? none}, Kind: ${resource.kind}, Name: ${resource.name}`;
  const { name, port } = service;
  const shown = `${name}:${port?.number || port?.name || ''}`;
  const found = get(look, 'services', namespace, name);
  if (found === undefined) return `${shown} (<error: services "${name}" not found>)`;
  const match = found.spec.ports?.find((one) => (port?.number ? one.port === port.number : one.name === port?.name));
  return `${shown} (${endpointsText(slicesOf(look, namespace, name), match?.name ?? '')})`;
}

const ingresses: Describer<'ingresses.networking.k8s.io'> = (ingress, look) => {
  const { metadata, spec, status } = ingress;
  const namespace = metadata.namespace ?? '';
  const byDefault = spec?.defaultBackend === undefined ? '<default>' : backendText(look, namespace, spec.defaultBackend);
  const addresses = (status?.loadBalancer?.ingress ?? []).map(({ ip, hostname }) => ip || hostname || '').filter(Boolean).sort(compareText);
  const rules = (spec?.rules ?? []).filter(({ http }) => http !== undefined);
  const tls = spec?.tls ?? [];
  return [
    rows(0, { Name: metadata.name }), labelLines('Labels', metadata.labels),
    rows(0, { Namespace: namespace, Address: addresses.join(','), 'Ingress Class': spec?.ingressClassName ?? none, 'Default backend': byDefault }),
    tls.length === 0 ? '' : `TLS:\n${tls.map(({ secretName, hosts = [] }) => line(1, secretName ? `${secretName} terminates ${hosts.join(',')}` : `SNI routes ${hosts.join(',')}`)).join('')}`,
    'Rules:\n', grid(1, ['Host', 'Path', 'Backends'], rules.length === 0 ? [['*', '*', byDefault]] : []),
    ...rules.map(({ host, http }) => `${line(1, `${host || '*'}\t`)}${(http?.paths ?? []).map(({ path = '', backend }) => line(2, `\t${path} \t${backendText(look, namespace, backend)}`)).join('')}`),
    annotationLines('Annotations', metadata.annotations),
  ].join('');
};

const ingressClasses: Describer<'ingressclasses.networking.k8s.io'> = (object) => {
  const { controller, parameters } = object.spec ?? {};
  return head(object) + rows(0, { Controller: controller ?? '' })
    + (parameters === undefined ? '' : `Parameters:\n${rows(1, { APIGroup: parameters.apiGroup, Kind: parameters.kind, Name: parameters.name })}`);
};

function trafficLines(rules: readonly { ports?: NetworkPolicyPort[]; peers?: NetworkPolicyPeer[] }[] | undefined, way: 'From' | 'To'): string {
  const write = (level: number, text: string) => `    ${line(level, text)}`;
  if (rules === undefined || rules.length === 0) return write(0, `<none> (Selected pods are isolated for ${way === 'From' ? 'ingress' : 'egress'} connectivity)`);
  return rules.map(({ ports = [], peers = [] }) => [
    ports.length === 0 ? write(0, 'To Port: <any> (traffic allowed to all ports)')
      : ports.map(({ port, endPort, protocol = 'TCP' }) => write(0, endPort === undefined ? `To Port: ${port ?? '<nil>'}/${protocol}` : `To Port Range: ${port ?? ''}-${endPort}/${protocol}`)).join(''),
    peers.length === 0 ? write(0, `${way}: <any> (traffic not restricted by ${way === 'From' ? 'source' : 'destination'})`) : peers.map((peer) => write(0, `${way}:`) + peerLines(peer, write)).join(''),
  ].join('')).join(write(0, '----------'));
}

function peerLines({ podSelector, namespaceSelector, ipBlock }: NetworkPolicyPeer, write: (level: number, text: string) => string): string {
  const selected = (namespaceSelector === undefined ? '' : write(1, `NamespaceSelector: ${formatLabelSelector(namespaceSelector)}`))
    + (podSelector === undefined ? '' : write(1, `PodSelector: ${formatLabelSelector(podSelector)}`));
  return selected || (ipBlock === undefined ? '' : `${write(1, 'IPBlock:')}${write(2, `CIDR: ${ipBlock.cidr}`)}${write(2, `Except: ${(ipBlock.except ?? []).join(', ')}`)}`);
}

const networkPolicies: Describer<'networkpolicies.networking.k8s.io'> = ({ metadata, spec }) => {
  const selector = formatLabelSelector(spec?.podSelector);
  const types = spec?.policyTypes ?? [];
  const part = (type: string, word: string, lines: string) => (types.includes(type) ? line(1, `Allowing ${word} traffic:`) + lines : line(1, `Not affecting ${word} traffic`));
  return [
    rows(0, { Name: metadata.name, Namespace: metadata.namespace, 'Created on': `${(metadata.creationTimestamp ?? '').replace('T', ' ').replace('Z', '')} +0000 UTC` }),
    labelLines('Labels', metadata.labels), annotationLines('Annotations', metadata.annotations),
    'Spec:\n', line(1, `PodSelector:     ${selector === none ? '<none> (Allowing the specific traffic to all pods in this namespace)' : selector}`),
    part('Ingress', 'ingress', trafficLines(spec?.ingress?.map(({ ports, from }) => ({ ...(ports === undefined ? {} : { ports }), ...(from === undefined ? {} : { peers: from }) })), 'From')),
    part('Egress', 'egress', trafficLines(spec?.egress?.map(({ ports, to }) => ({ ...(ports === undefined ? {} : { ports }), ...(to === undefined ? {} : { peers: to }) })), 'To')),
    line(1, `Policy Types: ${types.join(', ') || none}`),
  ].join('');
};

export const network: Describers = {
  services, endpoints, 'endpointslices.discovery.k8s.io': endpointSlices, 'ingresses.networking.k8s.io': ingresses, 'ingressclasses.networking.k8s.io': ingressClasses,
  'networkpolicies.networking.k8s.io': networkPolicies,
};
