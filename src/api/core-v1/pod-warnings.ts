import { quantitySign, isWholeQuantity } from '../quantity.ts';
import { dns1123LabelProblems, labelValueProblems } from '../meta/names.ts';
import { goQuote } from '../meta/go-text.ts';
import { sortedEntries } from '../meta/check.ts';
import type { Container, ContainerPort, NodeSelectorTerm, ObjectMeta, PersistentVolumeClaimSpec, PodAffinity, PodSpec, Volume } from '../schema/types.ts';
import { eachContainer } from './pod-validation.ts';

/** Upstream: pkg/api/pod/warnings.go, in its order. `at` is '' for a pod and 'spec.template.' for a template. */

const deprecatedLabels: Readonly<Record<string, string>> = {
  'beta.kubernetes.io/arch': 'deprecated since v1.14; use "kubernetes.io/arch" instead',
  'beta.kubernetes.io/os': 'deprecated since v1.14; use "kubernetes.io/os" instead',
  'failure-domain.beta.kubernetes.io/region': 'deprecated since v1.17; use "topology.kubernetes.io/region" instead',
  'failure-domain.beta.kubernetes.io/zone': 'deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
  'beta.kubernetes.io/instance-type': 'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead',
  'app.kubernetes.io/created-by': 'deprecated since v1.9',
  'scheduler.alpha.kubernetes.io/preferAvoidPods': 'deprecated since v1.22; use Taints and Tolerations instead',
  'node-role.kubernetes.io/master': 'use "node-role.kubernetes.io/control-plane" instead',
};

const deprecatedAnnotations: Readonly<Record<string, string>> = {
  'scheduler.alpha.kubernetes.io/critical-pod': 'non-functional in v1.16+; use the "priorityClassName" field instead',
  'security.alpha.kubernetes.io/sysctls': 'non-functional in v1.11+; use the "sysctls" field instead',
  'security.alpha.kubernetes.io/unsafe-sysctls': 'non-functional in v1.11+; use the "sysctls" field instead',
};

const deprecatedVolumes: Readonly<Record<string, [shown: string, text: string]>> = {
  photonPersistentDisk: ['photonPersistentDisk', 'deprecated in v1.11, non-functional in v1.16+'],
  gitRepo: ['gitRepo', 'deprecated in v1.11, and disabled by default in v1.33+'],
  scaleIO: ['scaleIO', 'deprecated in v1.16, non-functional in v1.22+'],
  flocker: ['flocker', 'deprecated in v1.22, non-functional in v1.25+'],
  storageos: ['storageOS', 'deprecated in v1.22, non-functional in v1.25+'],
  quobyte: ['quobyte', 'deprecated in v1.22, non-functional in v1.25+'],
  glusterfs: ['glusterfs', 'deprecated in v1.25, non-functional in v1.26+'],
  cephfs: ['cephfs', 'deprecated in v1.28, non-functional in v1.31+'],
  rbd: ['rbd', 'deprecated in v1.28, non-functional in v1.31+'],
};

function termWarnings(term: NodeSelectorTerm | undefined, path: string, checkValues: boolean): string[] {
  return (term?.matchExpressions ?? []).flatMap(({ key, values = [] }, index) => {
    const at = `${path}.matchExpressions[${index}]`;
    return [
      ...(deprecatedLabels[key] === undefined ? [] : [`${at}.key: ${key} is ${deprecatedLabels[key]}`]),
      ...(checkValues ? values.flatMap((value, i) => labelValueProblems(value).map((problem) => `${at}.values[${i}]: ${value} is invalid, ${problem}`)) : []),
    ];
  });
}

function placementWarnings(spec: PodSpec, path: string): string[] {
  const node = spec.affinity?.nodeAffinity;
  const required = `${path}.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms`;
  const preferred = `${path}.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution`;
  return [
    ...sortedEntries(spec.nodeSelector).flatMap(([key]) => (deprecatedLabels[key] === undefined ? [] : [`${path}.nodeSelector[${key}]: ${deprecatedLabels[key]}`])),
    ...(node?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? []).flatMap((term, index) => termWarnings(term, `${required}[${index}]`, false)),
    ...(node?.preferredDuringSchedulingIgnoredDuringExecution ?? []).flatMap((term, index) => termWarnings(term.preference, `${preferred}[${index}].preference`, true)),
    ...(spec.topologySpreadConstraints ?? []).flatMap((constraint, index) => {
      const at = `${path}.topologySpreadConstraints[${index}]`;
      const old = deprecatedLabels[constraint.topologyKey];
      return [
        ...(old === undefined ? [] : [`${at}.topologyKey: ${constraint.topologyKey} is ${old}`]),
        ...(constraint.labelSelector === undefined ? [`${at}.labelSelector: a null labelSelector results in matching no pod`] : []),
      ];
    }),
  ];
}

interface MappedPath {
  path: string;
  source: string;
}

const mapped = (items: readonly { path: string }[] | undefined, source: string): MappedPath[] => (items ?? []).map(({ path }) => ({ path: path.replace(/\/+$/, ''), source }));
const shown = ({ path, source }: MappedPath) => goQuote(path) + (source === '' ? '' : ` (${source})`);

function overlaps(paths: readonly MappedPath[]): string[] {
  return paths.flatMap((item, index) => paths.slice(0, index)
    .filter((other) => item.path !== '' && other.path !== '' && (`${other.path}/`.startsWith(`${item.path}/`) || `${item.path}/`.startsWith(`${other.path}/`)))
    .map((other) => `${shown(item)} with ${shown(other)}`));
}

function overlapWarnings(volume: Volume): string[] {
  const say = (what: string, paths: MappedPath[]) => overlaps(paths).map((text) => `volume ${goQuote(volume.name)} (${what}): overlapping paths: ${text}`);
  const projected: MappedPath[] = [];
  const empty: string[] = [];
  for (const source of volume.projected?.sources ?? []) {
    if (Object.keys(source).length === 0) empty.push(`volume ${goQuote(volume.name)} (Projected) has no sources provided`);
    projected.push(
      ...mapped(source.configMap?.items, `ConfigMap ${goQuote(source.configMap?.name ?? '')}`),
      ...mapped(source.secret?.items, `Secret ${goQuote(source.secret?.name ?? '')}`),
      ...mapped(source.downwardAPI?.items, 'DownwardAPI'),
      ...mapped(source.serviceAccountToken === undefined ? [] : [source.serviceAccountToken], 'ServiceAccountToken'),
    );
  }
  return [
    ...say(`ConfigMap ${goQuote(volume.configMap?.name ?? '')}`, mapped(volume.configMap?.items, '')),
    ...say(`Secret ${goQuote(volume.secret?.secretName ?? '')}`, mapped(volume.secret?.items, '')),
    ...say('DownwardAPI', mapped(volume.downwardAPI?.items, '')),
    ...empty,
    ...say('Projected', projected),
  ];
}

const fraction = (path: string, quantity: string | undefined): string[] =>
  quantity === undefined || quantitySign(quantity) === 0 || isWholeQuantity(quantity) ? [] : [`${path}: fractional byte value ${goQuote(quantity)} is invalid, must be an integer`];

export function claimSpecWarnings(spec: PersistentVolumeClaimSpec | undefined, path: string): string[] {
  return fraction(`${path}.resources.requests[storage]`, spec?.resources?.requests?.storage);
}

function volumeWarnings(volumes: readonly Volume[], path: string): string[] {
  return volumes.flatMap((volume, index) => {
    const at = `${path}.volumes[${index}]`;
    const old = Object.keys(volume).flatMap((key) => (deprecatedVolumes[key] === undefined ? [] : [`${at}.${deprecatedVolumes[key][0]}: ${deprecatedVolumes[key][1]}`]));
    return [...old, ...claimSpecWarnings(volume.ephemeral?.volumeClaimTemplate?.spec, `${at}.ephemeral.volumeClaimTemplate.spec`)];
  });
}

function repeats(list: readonly string[], path: (index: number) => string, what: string): string[] {
  return list.flatMap((value, index) => (list.indexOf(value) < index ? [`${path(index)}: duplicate ${what} ${goQuote(value)}`] : []));
}

function containerWarnings(container: Container, path: string, annotations: Readonly<Record<string, string>>, at: string): string[] {
  const seccomp = `container.seccomp.security.alpha.kubernetes.io/${container.name}`;
  const armor = `container.apparmor.security.beta.kubernetes.io/${container.name}`;
  const annotation = (key: string) => `${at}metadata.annotations[${key}]`;
  const resources = container.resources ?? {};
  const seen = new Set<string>();
  return [
    ...(annotations[seccomp] !== undefined && container.securityContext?.seccompProfile === undefined ? [`${annotation(seccomp)}: non-functional in v1.27+; use the "seccompProfile" field instead`] : []),
    ...(annotations[armor] !== undefined ? [`${annotation(armor)}: deprecated since v1.30; use the "appArmorProfile" field instead`] : []),
    ...['memory', 'ephemeral-storage'].flatMap((name) => [
      ...fraction(`${path}.resources.limits[${name}]`, resources.limits?.[name]),
      ...fraction(`${path}.resources.requests[${name}]`, resources.requests?.[name]),
    ]),
    ...(container.env ?? []).flatMap(({ name, value = '', valueFrom }, index) => {
      const reference = `$(${name})`;
      if (!seen.has(name)) {
        seen.add(name);
        return [];
      }
      return valueFrom !== undefined || value === reference || !value.includes(reference)
        ? [`${path}.env[${index}]: hides previous definition of ${goQuote(name)}, which may be dropped when using apply`] : [];
    }),
  ];
}

function portWarnings(spec: PodSpec, path: string): string[] {
  const all: { field: string; port: ContainerPort }[] = [];
  eachContainer(spec, path, (container, at) => container.ports?.forEach((port, index) => all.push({ field: `${at}.ports[${index}]`, port })));
  const clashes = all.flatMap(({ field, port }, index) => all.slice(0, index)
    .filter(({ port: other }) => other.containerPort === port.containerPort && other.protocol === port.protocol)
    .flatMap(({ field: otherField, port: other }) => {
      if (port.hostIP === other.hostIP && port.hostPort === other.hostPort) return [`${field}: duplicate port definition with ${otherField}`];
      if (!port.hostPort || !other.hostPort) return [`${field}: overlapping port definition with ${otherField}`];
      const ambiguous = port.hostPort === other.hostPort && !port.hostIP !== !other.hostIP;
      return ambiguous ? [`${field}: dangerously ambiguous port definition with ${otherField}`] : [];
    }));
  const names = all.flatMap(({ field, port }, index) => {
    const first = port.name ? all.slice(0, index).find((other) => other.port.name === port.name) : undefined;
    return first === undefined ? [] : [`${field}: duplicate port name ${goQuote(port.name as string)} with ${first.field}, services and probes that select ports by name will use ${first.field}`];
  });
  return [...clashes, ...names];
}

function affinityWarnings(affinity: PodAffinity | undefined, path: string): string[] {
  const say = (at: string) => `${at}.labelSelector: a null labelSelector results in matching no pod`;
  return [
    ...(affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []).flatMap((term, index) =>
      (term.labelSelector === undefined ? [say(`${path}.requiredDuringSchedulingIgnoredDuringExecution[${index}]`)] : [])),
    ...(affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).flatMap((term, index) =>
      (term.podAffinityTerm?.labelSelector === undefined ? [say(`${path}.preferredDuringSchedulingIgnoredDuringExecution[${index}].podAffinityTerm`)] : [])),
  ];
}

/** For a pod or, with at = 'spec.template.', for a template. */
export function podSpecWarnings(spec: PodSpec, metadata: Partial<ObjectMeta> | undefined, at = ''): string[] {
  const path = `${at}spec`;
  const annotations = metadata?.annotations ?? {};
  const podSeccomp = 'seccomp.security.alpha.kubernetes.io/pod';
  const secrets = (spec.imagePullSecrets ?? []).map((secret) => secret.name ?? '');
  const containers: string[] = [];
  eachContainer(spec, path, (container, where) => containers.push(...containerWarnings(container, where, annotations, at)));
  return [
    ...placementWarnings(spec, path),
    ...sortedEntries(deprecatedAnnotations).flatMap(([key, text]) => (annotations[key] === undefined ? [] : [`${at}metadata.annotations[${key}]: ${text}`])),
    ...volumeWarnings(spec.volumes ?? [], path),
    ...(spec.volumes ?? []).flatMap(overlapWarnings),
    ...repeats((spec.hostAliases ?? []).map((alias) => alias.ip), (index) => `${path}.hostAliases[${index}].ip`, 'ip'),
    ...repeats(secrets, (index) => `${path}.imagePullSecrets[${index}].name`, 'name'),
    ...secrets.flatMap((name, index) => (name === '' ? [`${path}.imagePullSecrets[${index}].name: invalid empty name ""`] : [])),
    ...['memory', 'ephemeral-storage'].flatMap((name) => fraction(`${path}.overhead[${name}]`, spec.overhead?.[name])),
    ...(annotations[podSeccomp] !== undefined && spec.securityContext?.seccompProfile === undefined
      ? [`${at}metadata.annotations[${podSeccomp}]: non-functional in v1.27+; use the "seccompProfile" field instead`] : []),
    ...containers,
    ...portWarnings(spec, path),
    ...((spec.terminationGracePeriodSeconds ?? 0) < 0 ? [`${path}.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1`] : []),
    ...affinityWarnings(spec.affinity?.podAffinity, `${path}.affinity.podAffinity`),
    ...affinityWarnings(spec.affinity?.podAntiAffinity, `${path}.affinity.podAntiAffinity`),
  ];
}

/** A name that becomes a host name had better be a label. */
export function nameWarning(name: string | undefined, use: string): string[] {
  const problems = dns1123LabelProblems(name ?? '');
  return problems.length === 0 ? [] : [`metadata.name: this is used in ${use}, which can result in surprising behavior; a DNS label is recommended: [${problems.join(' ')}]`];
}
