import { isKeptOff, requiredNodeMatches } from '../../../../api/core-v1/node-selection.ts';
import { controllerReference } from '../../../../api/meta/owners.ts';
import type { DaemonSet, Node, Pod, PodSpec, Toleration } from '../../../../api/schema/types.ts';
import { samePlain } from '../../../../sim/plain.ts';
import type { ApiRequest, Context } from '../../../component.ts';
import { revisionLabel } from '../../history.ts';
import { availableAt } from '../replicaset/status.ts';
import { isReady } from '../replicaset/tally.ts';

const nameField = 'metadata.name';

/** Upstream: pkg/controller/daemon/util AddOrUpdateDaemonPodTolerations. */
function daemonTolerations(spec: PodSpec): Toleration[] {
  const added: Toleration[] = [
    { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute' },
    { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute' },
    ...['disk-pressure', 'memory-pressure', 'pid-pressure', 'unschedulable', ...(spec.hostNetwork === true ? ['network-unavailable'] : [])]
      .map((name): Toleration => ({ key: `node.kubernetes.io/${name}`, operator: 'Exists', effect: 'NoSchedule' })),
  ];
  const own = spec.tolerations ?? [];
  return [...own, ...added.filter((toleration) => !own.some((other) => samePlain(other, toleration)))];
}

export interface Place {
  should: boolean;
  may: boolean;
}

/** Whether a node should get the pod, and whether one that is there may stay. Upstream: NodeShouldRunDaemonPod. */
export function placeOn({ spec }: DaemonSet, node: Node): Place {
  const template = spec.template.spec as PodSpec;
  const fits = (template.nodeName === undefined || template.nodeName === '' || template.nodeName === node.metadata.name) && requiredNodeMatches(template, node);
  if (!fits) return { should: false, may: false };
  const tolerations = daemonTolerations(template);
  return {
    should: !isKeptOff(tolerations, node.spec.taints, ['NoSchedule', 'NoExecute']),
    may: !isKeptOff(tolerations, node.spec.taints, ['NoExecute']),
  };
}

/** The node that a pod is on or, before it is bound, that its affinity names. */
function nodeOf({ spec }: Pod): string | undefined {
  if (spec.nodeName !== undefined && spec.nodeName !== '') return spec.nodeName;
  const terms = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  for (const { matchFields = [] } of terms) for (const { key, values } of matchFields) if (key === nameField) return values?.[0];
  return undefined;
}

export interface Picture {
  set: DaemonSet;
  nodes: { node: Node; place: Place; pods: Pod[] }[];
  hash: string;
}

export function look(set: DaemonSet, hash: string, { view }: Context): Picture {
  const byNode = new Map<string, Pod[]>();
  for (const pod of view.by('pods', 'owner', set.metadata.uid)) {
    const node = nodeOf(pod);
    if (node === undefined) continue;
    const list = byNode.get(node);
    if (list === undefined) byNode.set(node, [pod]);
    else list.push(pod);
  }
  return { set, hash, nodes: view.list('nodes').map((node) => ({ node, place: placeOn(set, node), pods: byNode.get(node.metadata.name) ?? [] })) };
}

export const isGoing = ({ metadata }: Pod): boolean => metadata.deletionTimestamp !== undefined;
export const isNew = ({ metadata }: Pod, hash: string): boolean => metadata.labels?.[revisionLabel] === hash;

export function isAvailable(pod: Pod, { spec }: DaemonSet, nowMs: number): boolean {
  const at = availableAt(pod, spec.minReadySeconds ?? 0);
  return isReady(pod) && at !== undefined && at <= nowMs;
}

export const byAge = (a: Pod, b: Pod): number => Number(isReady(b)) - Number(isReady(a)) || (a.metadata.creationTimestamp < b.metadata.creationTimestamp ? -1 : 1);

export function podRequest({ set, hash }: Picture, node: string): ApiRequest {
  const { namespace = '', name, annotations: own } = set.metadata;
  const { metadata = {}, spec } = set.spec.template as { metadata?: { labels?: Record<string, string>; annotations?: Record<string, string> }; spec: PodSpec };
  const generation = own?.['deprecated.daemonset.template.generation'] ?? '1';
  const term = { matchFields: [{ key: nameField, operator: 'In', values: [node] }] };
  const terms = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  const nodeSelectorTerms = terms === undefined ? [term] : terms.map((each) => ({ ...each, ...term }));
  return {
    verb: 'create', resource: 'pods', namespace,
    object: {
      apiVersion: 'v1', kind: 'Pod',
      metadata: {
        generateName: `${name}-`, namespace,
        labels: { ...metadata.labels, [revisionLabel]: hash, 'pod-template-generation': generation },
        ...(metadata.annotations === undefined ? {} : { annotations: metadata.annotations }),
        ownerReferences: [controllerReference(set)],
      },
      spec: {
        ...spec,
        affinity: { ...spec.affinity, nodeAffinity: { ...spec.affinity?.nodeAffinity, requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } } },
        tolerations: daemonTolerations(spec),
      },
    },
  };
}
