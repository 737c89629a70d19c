import { controllerOf, controllerReference } from '../../../../api/meta/owners.ts';
import { selectorMatches } from '../../../../api/meta/selectors.ts';
import type { OwnerReference, Pod, ReplicaSet } from '../../../../api/schema/types.ts';
import type { ApiRequest, View } from '../../../component.ts';

/** Selectors that name a label exactly are looked up in an index. */
export function podsMatching(view: View, namespace: string, selector: ReplicaSet['spec']['selector']): Pod[] {
  const [pair] = Object.entries(selector.matchLabels ?? {});
  const pods = pair === undefined ? view.list('pods', namespace) : view.by('pods', 'label', `${namespace}/${pair[0]}=${pair[1]}`);
  return pods.filter((pod) => selectorMatches(selector, pod.metadata.labels));
}

/**
 * Adopts matching pods without a controller and lets go of owned ones that match no more.
 * Upstream: pkg/controller/controller_ref_manager.go ClaimPods.
 */
export function claimRequests(view: View, set: ReplicaSet, owned: readonly Pod[]): ApiRequest[] {
  const namespace = set.metadata.namespace as string;
  const deleting = set.metadata.deletionTimestamp !== undefined;
  const requests: ApiRequest[] = [];
  for (const pod of owned) {
    if (selectorMatches(set.spec.selector, pod.metadata.labels) || deleting) continue;
    const kept = (pod.metadata.ownerReferences ?? []).filter(({ uid }) => uid !== set.metadata.uid);
    requests.push(patchOwners(pod, kept));
  }
  if (deleting) return requests;
  for (const pod of podsMatching(view, namespace, set.spec.selector)) {
    if (controllerOf(pod) !== undefined || pod.metadata.deletionTimestamp !== undefined || isDone(pod)) continue;
    requests.push(patchOwners(pod, [...(pod.metadata.ownerReferences ?? []), controllerReference(set)]));
  }
  return requests;
}

const isDone = ({ status }: Pod) => status.phase === 'Succeeded' || status.phase === 'Failed';

function patchOwners({ metadata }: Pod, ownerReferences: OwnerReference[]): ApiRequest {
  return {
    verb: 'patch', resource: 'pods', namespace: metadata.namespace as string, name: metadata.name,
    patch: { type: 'merge', body: { metadata: { uid: metadata.uid, ownerReferences: ownerReferences.length === 0 ? null : ownerReferences } } },
  };
}
