import { apiVersionOf, resources, type ResourceInfo } from '../../../api/resources.ts';

const verbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];

/** Kinds that live in their own group's scale or their own request kinds. */
const subresourceKinds: Readonly<Record<string, { kind: string; group?: string; version?: string; verbs: string[] }>> = {
  scale: { kind: 'Scale', group: 'autoscaling', version: 'v1', verbs: ['get', 'patch', 'update'] },
  binding: { kind: 'Binding', verbs: ['create'] },
  eviction: { kind: 'Eviction', group: 'policy', version: 'v1', verbs: ['create'] },
  token: { kind: 'TokenRequest', group: 'authentication.k8s.io', version: 'v1', verbs: ['create'] },
  log: { kind: 'Pod', verbs: ['get'] },
  exec: { kind: 'PodExecOptions', verbs: ['create', 'get'] },
  attach: { kind: 'PodAttachOptions', verbs: ['create', 'get'] },
  portforward: { kind: 'PodPortForwardOptions', verbs: ['create', 'get'] },
  proxy: { kind: '', verbs: ['create', 'delete', 'get', 'patch', 'update'] },
  finalize: { kind: 'Namespace', verbs: ['update'] },
};

interface GroupVersions {
  group: string;
  version: string;
}

const groupVersions: readonly GroupVersions[] = [...new Set(resources.map((info) => apiVersionOf(info)))].map((text) => {
  const slash = text.indexOf('/');
  return { group: slash < 0 ? '' : text.slice(0, slash), version: text.slice(slash + 1) };
});

const versionOf = { major: '1', minor: '37', emulationMajor: '1', emulationMinor: '37', minCompatibilityMajor: '1', minCompatibilityMinor: '36' };

const version = {
  ...versionOf, gitVersion: 'v1.37.2', gitCommit: '$Format:%H$', gitTreeState: 'clean', buildDate: '2026-01-01T00:00:00Z', goVersion: 'go1.26.8', compiler: 'gc',
  platform: 'linux/amd64',
};

/** Answers to /api, /apis, their groups and versions, and /version; undefined for other paths. */
export function discover(path: string): unknown {
  const parts = path.split('/').filter((part) => part !== '');
  if (parts[0] === 'version' && parts.length === 1) return version;
  if (parts[0] === 'api') return parts.length === 1 ? legacyVersions : parts.length === 2 && parts[1] === 'v1' ? resourceList('', 'v1') : undefined;
  if (parts[0] !== 'apis') return undefined;
  if (parts.length === 1) return { kind: 'APIGroupList', apiVersion: 'v1', groups: groupVersions.filter(({ group }) => group !== '').map(apiGroup) };
  const found = groupVersions.find(({ group, version: v }) => group === parts[1] && (parts.length === 2 || v === parts[2]));
  if (found === undefined) return undefined;
  if (parts.length === 2) return { kind: 'APIGroup', apiVersion: 'v1', ...apiGroup(found) };
  return parts.length === 3 ? resourceList(found.group, found.version) : undefined;
}

/** The aggregated form: everything in one answer. */
export function discoverAll(path: string): unknown {
  const core = path.replace(/\/$/, '') === '/api';
  const items = groupVersions.filter(({ group }) => (group === '') === core).map(({ group, version: v }) => ({
    metadata: { name: group, creationTimestamp: null },
    versions: [{ version: v, freshness: 'Current', resources: resources.filter((info) => info.group === group).map(aggregated) }],
  }));
  return { kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.k8s.io/v2', metadata: {}, items };
}

const legacyVersions = {
  kind: 'APIVersions', versions: ['v1'], serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: '10.96.0.1:443' }],
};

function apiGroup({ group, version: v }: GroupVersions) {
  const entry = { groupVersion: `${group}/${v}`, version: v };
  return { name: group, versions: [entry], preferredVersion: entry };
}

const namesOf = (info: ResourceInfo) => ({
  ...(info.shortNames.length > 0 ? { shortNames: info.shortNames } : {}),
  ...(info.inAll ? { categories: ['all'] } : {}),
});

function subresourceOf(info: ResourceInfo, name: string) {
  const { kind, verbs: allowed, ...groupVersion } = subresourceKinds[name] ?? { kind: info.kind, verbs: ['get', 'patch', 'update'] };
  return { kind: kind || `${info.kind}ProxyOptions`, ...groupVersion, verbs: allowed };
}

function resourceList(group: string, v: string) {
  const list = resources.filter((info) => info.group === group && info.version === v).flatMap((info) => [
    { name: info.plural, singularName: info.singular, namespaced: info.namespaced, kind: info.kind, verbs, ...namesOf(info) },
    ...info.subresources.map((name) => ({ name: `${info.plural}/${name}`, singularName: '', namespaced: info.namespaced, ...subresourceOf(info, name) })),
  ]);
  return { kind: 'APIResourceList', apiVersion: 'v1', groupVersion: group === '' ? v : `${group}/${v}`, resources: list };
}

function aggregated(info: ResourceInfo) {
  const kindOf = (kind: string, group = info.group, v = info.version) => ({ group, version: v, kind });
  return {
    resource: info.plural, responseKind: kindOf(info.kind), scope: info.namespaced ? 'Namespaced' : 'Cluster', singularResource: info.singular, verbs, ...namesOf(info),
    subresources: info.subresources.map((name) => {
      const { kind, verbs: allowed, ...other } = subresourceOf(info, name) as { kind: string; verbs: string[]; group?: string; version?: string };
      return { subresource: name, responseKind: kindOf(kind, other.group, other.version), verbs: allowed };
    }),
  };
}
