import type { LabelSelector, ObjectMeta, Pod, PodSpec } from '../schema/types.ts';

type Keyed = { matchLabelKeys?: string[]; mismatchLabelKeys?: string[]; labelSelector?: LabelSelector };

function mergeKeys(term: Keyed, labels: Readonly<Record<string, string>> = {}): void {
  const selector = term.labelSelector;
  if (selector === undefined) return;
  for (const [keys, operator] of [[term.matchLabelKeys, 'In'], [term.mismatchLabelKeys, 'NotIn']] as const) {
    for (const key of keys ?? []) {
      if (labels[key] !== undefined) selector.matchExpressions = [...(selector.matchExpressions ?? []), { key, operator, values: [labels[key]] }];
    }
  }
}

/** Fields behind gates that are off are dropped, in place. Upstream: pkg/api/pod DropDisabledPodFields. */
export function dropDisabledPodFields(spec: PodSpec): void {
  for (const container of [...(spec.containers ?? []), ...(spec.initContainers ?? [])]) {
    if (container.lifecycle?.stopSignal === undefined) continue;
    delete container.lifecycle.stopSignal;
    if (Object.keys(container.lifecycle).length === 0) delete container.lifecycle;
  }
}

const armorPrefix = 'container.apparmor.security.beta.kubernetes.io/';

/** The old AppArmor annotations become fields. Upstream: pkg/registry/core/pod applyAppArmorVersionSkew. */
function armorFromAnnotations(pod: Pod): void {
  for (const container of [...(pod.spec.initContainers ?? []), ...(pod.spec.containers ?? [])]) {
    const value = pod.metadata.annotations?.[armorPrefix + container.name];
    if (value === undefined || container.securityContext?.appArmorProfile !== undefined) continue;
    const profile = value === 'runtime/default' ? { type: 'RuntimeDefault' }
      : value === 'unconfined' ? { type: 'Unconfined' }
      : value.startsWith('localhost/') ? { type: 'Localhost', localhostProfile: value.slice('localhost/'.length) } : undefined;
    if (profile !== undefined) container.securityContext = { ...container.securityContext, appArmorProfile: profile };
  }
}

/** What the pod strategy does to a new pod before it is validated, in place: give it a copy. Upstream: pkg/registry/core/pod/strategy.go. */
export function preparePod(pod: Pod): void {
  const labels: ObjectMeta['labels'] = pod.metadata.labels;
  dropDisabledPodFields(pod.spec);
  for (const constraint of pod.spec.topologySpreadConstraints ?? []) mergeKeys(constraint, labels);
  for (const affinity of [pod.spec.affinity?.podAffinity, pod.spec.affinity?.podAntiAffinity]) {
    for (const term of affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []) mergeKeys(term, labels);
    for (const weighted of affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []) if (weighted.podAffinityTerm !== undefined) mergeKeys(weighted.podAffinityTerm, labels);
  }
  armorFromAnnotations(pod);
}
