import { controllerReference } from '../../../../api/meta/owners.ts';
import type { PersistentVolumeClaim, Pod, PodSpec, PodTemplateSpec, StatefulSet } from '../../../../api/schema/types.ts';
import type { ApiRequest, View } from '../../../component.ts';
import { revisionLabel } from '../../history.ts';
import { availableAt } from '../replicaset/status.ts';
import { isReady, isTerminal } from '../replicaset/tally.ts';

export function ordinalOf(pod: Pod, set: StatefulSet): number | undefined {
  const match = /^(.*)-(\d+)$/.exec(pod.metadata.name);
  return match !== null && match[1] === set.metadata.name ? Number(match[2]) : undefined;
}

export const podName = (set: StatefulSet, ordinal: number): string => `${set.metadata.name}-${ordinal}`;
export const revisionOfPod = (pod: Pod): string => pod.metadata.labels?.[revisionLabel] ?? '';
export const isGoing = (pod: Pod): boolean => pod.metadata.deletionTimestamp !== undefined;
export const isRunningAndReady = (pod: Pod): boolean => pod.status.phase === 'Running' && isReady(pod);
export const isHealthy = (pod: Pod): boolean => isRunningAndReady(pod) && !isGoing(pod);
export { isTerminal };

export function isAvailable(pod: Pod, set: StatefulSet, nowMs: number): boolean {
  if (!isRunningAndReady(pod)) return false;
  const minReady = set.spec.minReadySeconds ?? 0;
  return minReady === 0 || (availableAt(pod, minReady) as number) <= nowMs;
}

const claimName = (template: PersistentVolumeClaim, set: StatefulSet, ordinal: number): string => `${template.metadata.name}-${set.metadata.name}-${ordinal}`;

/** The claims that a replica needs and that are not there yet. */
export function missingClaims(view: View, set: StatefulSet, ordinal: number): ApiRequest[] {
  const { namespace = '' } = set.metadata;
  return (set.spec.volumeClaimTemplates ?? []).flatMap((template): ApiRequest[] => {
    const name = claimName(template, set, ordinal);
    if (view.get('persistentvolumeclaims', namespace, name) !== undefined) return [];
    const labels = { ...template.metadata.labels, ...set.spec.selector.matchLabels };
    const { annotations } = template.metadata;
    return [{
      verb: 'create', resource: 'persistentvolumeclaims', namespace,
      object: { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name, namespace, labels, ...(annotations === undefined ? {} : { annotations }) }, spec: template.spec },
    }];
  });
}

/** Upstream: pkg/controller/statefulset/stateful_set_utils.go newVersionedStatefulSetPod, initIdentity, updateStorage. */
export function podRequest(set: StatefulSet, template: PodTemplateSpec, revision: string, ordinal: number): ApiRequest {
  const { namespace = '', name } = set.metadata;
  const own = podName(set, ordinal);
  const { annotations, finalizers, labels } = template.metadata ?? {};
  const spec = template.spec as PodSpec;
  const claims = (set.spec.volumeClaimTemplates ?? []).map((claim) => ({ name: claim.metadata.name, persistentVolumeClaim: { claimName: claimName(claim, set, ordinal), readOnly: false } }));
  const others = (spec.volumes ?? []).filter((volume) => !claims.some((claim) => claim.name === volume.name));
  return {
    verb: 'create', resource: 'pods', namespace,
    object: {
      apiVersion: 'v1', kind: 'Pod',
      metadata: {
        name: own, generateName: `${name}-`, namespace,
        labels: { ...labels, [revisionLabel]: revision, 'statefulset.kubernetes.io/pod-name': own, 'apps.kubernetes.io/pod-index': String(ordinal) },
        ownerReferences: [controllerReference(set)],
        ...(annotations === undefined ? {} : { annotations }), ...(finalizers === undefined ? {} : { finalizers }),
      },
      spec: { ...spec, hostname: own, ...(set.spec.serviceName === undefined ? {} : { subdomain: set.spec.serviceName }), ...(claims.length + others.length === 0 ? {} : { volumes: [...claims, ...others] }) },
    },
  };
}
