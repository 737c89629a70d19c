import { compareText } from '../../sim/plain.ts';
import { formatLabels, formatLabelSelector } from '../meta/selectors.ts';
import type * as T from '../schema/types.ts';
import { accessModesText, firstOf, none, since } from './format.ts';
import type { Cell, RowPrinters } from './table.ts';

/** Upstream: pkg/printers/internalversion/printers.go, one function a kind. The first cell (the name) is put in front by the table. */
export const clusterRows: RowPrinters = {
  namespaces: ({ metadata, status }, now) => [status?.phase ?? '', since(metadata.creationTimestamp, now)],
  nodes: nodeRow,
  services: ({ metadata, spec, status }, now) => [
    spec.type ?? '', spec.clusterIPs?.[0] || none, externalAddresses(spec, status?.loadBalancer), portsText(spec.ports ?? []),
    since(metadata.creationTimestamp, now), formatLabels(spec.selector),
  ],
  endpoints: ({ metadata, subsets }, now) => [firstOf(endpointAddresses(subsets ?? []), 3, none), since(metadata.creationTimestamp, now)],
  'endpointslices.discovery.k8s.io': ({ metadata, addressType, ports, endpoints }, now) => [
    addressType, firstOf((ports ?? []).map(({ port, name }) => String(port ?? name ?? '*')), 3, '<unset>'),
    firstOf((endpoints ?? []).flatMap(({ addresses }) => addresses), 3, '<unset>'), since(metadata.creationTimestamp, now),
  ],
  configmaps: ({ metadata, data, binaryData }, now) => [size(data) + size(binaryData), since(metadata.creationTimestamp, now)],
  secrets: ({ metadata, type, data }, now) => [type ?? '', size(data), since(metadata.creationTimestamp, now)],
  limitranges: ({ metadata }) => [metadata.creationTimestamp ?? '<unknown>'],
  resourcequotas: ({ metadata, status }, now) => [...quotaTexts(status ?? {}), since(metadata.creationTimestamp, now)],
  persistentvolumes: ({ metadata, spec, status }, now) => [
    spec.capacity?.['storage'] ?? '0', accessModesText(spec.accessModes), spec.persistentVolumeReclaimPolicy ?? '',
    metadata.deletionTimestamp === undefined ? (status?.phase ?? '') : 'Terminating',
    spec.claimRef === undefined ? '' : `${spec.claimRef.namespace ?? ''}/${spec.claimRef.name ?? ''}`,
    spec.storageClassName ?? '', spec.volumeAttributesClassName || '<unset>', status?.reason ?? '', since(metadata.creationTimestamp, now),
    spec.volumeMode ?? '<unset>',
  ],
  persistentvolumeclaims: ({ metadata, spec, status }, now) => [
    metadata.deletionTimestamp === undefined ? (status?.phase ?? '') : 'Terminating', spec.volumeName ?? '',
    spec.volumeName ? (status?.capacity?.['storage'] ?? '0') : '', spec.volumeName ? accessModesText(status?.accessModes) : '',
    spec.storageClassName ?? '', spec.volumeAttributesClassName || '<unset>', since(metadata.creationTimestamp, now), spec.volumeMode ?? '<unset>',
  ],
  'leases.coordination.k8s.io': ({ metadata, spec }, now) => [spec?.holderIdentity ?? '', since(metadata.creationTimestamp, now)],
  'priorityclasses.scheduling.k8s.io': ({ metadata, value, globalDefault, preemptionPolicy }, now) => [
    value ?? 0, globalDefault ?? false, since(metadata.creationTimestamp, now), preemptionPolicy ?? '',
  ],
  'storageclasses.storage.k8s.io': ({ metadata, provisioner, reclaimPolicy, volumeBindingMode, allowVolumeExpansion }, now) => [
    provisioner, reclaimPolicy ?? 'Delete', volumeBindingMode ?? '<unset>', allowVolumeExpansion ?? false, since(metadata.creationTimestamp, now),
  ],
  'ingresses.networking.k8s.io': ({ metadata, spec, status }, now) => [
    spec?.ingressClassName ?? none,
    firstOf((spec?.rules ?? []).map(({ host }) => host ?? '').filter((host) => host !== ''), 3, '*'),
    balancerAddresses(status?.loadBalancer), (spec?.tls?.length ?? 0) > 0 ? '80, 443' : '80', since(metadata.creationTimestamp, now),
  ],
  'ingressclasses.networking.k8s.io': ({ metadata, spec }, now) => {
    const parameters = spec?.parameters;
    const group = parameters?.apiGroup === undefined ? '' : `.${parameters.apiGroup}`;
    return [spec?.controller ?? '', parameters === undefined ? none : `${parameters.kind}${group}/${parameters.name}`, since(metadata.creationTimestamp, now)];
  },
  'networkpolicies.networking.k8s.io': ({ metadata, spec }, now) => [formatLabelSelector(spec?.podSelector), since(metadata.creationTimestamp, now)],
};

const size = (record: object | undefined): number => Object.keys(record ?? {}).length;

function nodeRow({ metadata, spec, status }: T.Node, now: number): Cell[] {
  const ready = status.conditions?.find(({ type }) => type === 'Ready');
  const word = ready === undefined ? 'Unknown' : ready.status === 'True' ? 'Ready' : 'NotReady';
  const address = (type: string) => status.addresses?.find((entry) => entry.type === type)?.address ?? none;
  const info = status.nodeInfo;
  const architecture = info?.architecture ? ` (${info.architecture})` : '';
  return [
    spec.unschedulable === true ? `${word},SchedulingDisabled` : word, nodeRoles(metadata.labels ?? {}).join(',') || none,
    since(metadata.creationTimestamp, now), info?.kubeletVersion ?? '', address('InternalIP'), address('ExternalIP'),
    info?.osImage || '<unknown>', info?.kernelVersion ? info.kernelVersion + architecture : '<unknown>', info?.containerRuntimeVersion || '<unknown>',
  ];
}

const rolePrefix = 'node-role.kubernetes.io/';

function nodeRoles(labels: Readonly<Record<string, string>>): string[] {
  const roles = new Set<string>();
  for (const [key, value] of Object.entries(labels)) {
    if (key.startsWith(rolePrefix) && key.length > rolePrefix.length) roles.add(key.slice(rolePrefix.length));
    else if (key === 'kubernetes.io/role' && value !== '') roles.add(value);
  }
  return [...roles].sort(compareText);
}

function balancerAddresses(balancer: { ingress?: { ip?: string; hostname?: string }[] } | undefined): string {
  const addresses = (balancer?.ingress ?? []).map(({ ip, hostname }) => ip || hostname || '').filter((text) => text !== '');
  return [...new Set(addresses)].sort(compareText).join(',');
}

function externalAddresses(spec: T.ServiceSpec, balancer: T.LoadBalancerStatus | undefined): string {
  const own = spec.externalIPs ?? [];
  if (spec.type === 'ExternalName') return spec.externalName ?? '';
  if (spec.type !== 'LoadBalancer') return own.join(',') || none;
  const given = balancerAddresses(balancer);
  return [...(given === '' ? [] : [given]), ...own].join(',') || '<pending>';
}

function portsText(ports: readonly T.ServicePort[]): string {
  const texts = ports.map(({ port, nodePort, protocol }) => `${port}${nodePort ? `:${nodePort}` : ''}/${protocol ?? 'TCP'}`);
  return texts.join(',') || none;
}

function endpointAddresses(subsets: readonly T.EndpointSubset[]): string[] {
  return subsets.flatMap(({ addresses = [], ports = [] }) =>
    ports.length === 0 ? addresses.map(({ ip }) => ip) : ports.flatMap(({ port }) => addresses.map(({ ip }) => `${ip}:${port}`)));
}

function quotaTexts({ hard = {}, used = {} }: T.ResourceQuotaStatus): [requests: string, limits: string] {
  const texts = { requests: [] as string[], limits: [] as string[] };
  for (const name of Object.keys(hard).sort(compareText)) {
    texts[name.startsWith('limits.') ? 'limits' : 'requests'].push(`${name}: ${used[name] ?? '0'}/${hard[name]}`);
  }
  return [texts.requests.join(', '), texts.limits.join(', ')];
}
