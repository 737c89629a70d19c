import { controllerOf, controllerReference } from '../../../../api/meta/owners.ts';
import { selectorMatches } from '../../../../api/meta/selectors.ts';
import type { Deployment, LabelSelector, ObjectMeta, OwnerReference, PodTemplateSpec, ReplicaSet } from '../../../../api/schema/types.ts';
import { compareText, samePlain } from '../../../../sim/plain.ts';
import { templateHash } from '../../../../api/meta/hash.ts';
import type { ApiRequest, View } from '../../../component.ts';
import { hashLabel, maxRevision, newSetAnnotations } from './annotations.ts';
import { newSetSize, replicasOf } from './arithmetic.ts';

/** A Deployment's sets, told apart. `old` has the oldest first. */
export interface Sets {
  newSet?: ReplicaSet;
  old: ReplicaSet[];
  all: ReplicaSet[];
}

export const byCreation = (a: ReplicaSet, b: ReplicaSet): number =>
  compareText(a.metadata.creationTimestamp, b.metadata.creationTimestamp) || compareText(a.metadata.name, b.metadata.name);

export const activeOf = (sets: readonly ReplicaSet[]): ReplicaSet[] => sets.filter((set) => replicasOf(set) > 0);

function withoutHash(template: PodTemplateSpec): PodTemplateSpec {
  const { [hashLabel]: _, ...labels } = template.metadata?.labels ?? {};
  return { ...template, metadata: { ...template.metadata, labels } as ObjectMeta };
}

/** Upstream: EqualIgnoreHash. */
export const sameTemplate = (a: PodTemplateSpec, b: PodTemplateSpec): boolean => samePlain(withoutHash(a), withoutHash(b));

export function setsOf(view: View, deployment: Deployment): Sets {
  const all = view.by('replicasets.apps', 'owner', deployment.metadata.uid).filter((set) => controllerOf(set)?.uid === deployment.metadata.uid).sort(byCreation);
  const newSet = all.find((set) => set.spec.template !== undefined && sameTemplate(set.spec.template, deployment.spec.template));
  const old = all.filter((set) => set !== newSet);
  return newSet === undefined ? { old, all } : { newSet, old, all };
}

/** The same sets with sizes that were just written. */
export function withSizes({ newSet, all }: Sets, sizes: ReadonlyMap<string, number>): Sets {
  const resized = all.map((set) => {
    const replicas = sizes.get(set.metadata.name);
    return replicas === undefined ? set : { ...set, spec: { ...set.spec, replicas } };
  });
  const own = newSet === undefined ? undefined : resized[all.indexOf(newSet)];
  return { all: resized, old: resized.filter((set) => set !== own), ...(own === undefined ? {} : { newSet: own }) };
}

/** Upstream: ReplicaSetControllerRefManager.ClaimReplicaSets. */
export function claimRequests(view: View, deployment: Deployment): ApiRequest[] {
  const { namespace = '', uid, deletionTimestamp } = deployment.metadata;
  const requests: ApiRequest[] = [];
  for (const set of view.list('replicasets.apps', namespace)) {
    const controller = controllerOf(set);
    const matches = selectorMatches(deployment.spec.selector, set.metadata.labels);
    const references = set.metadata.ownerReferences ?? [];
    if (controller === undefined && matches && deletionTimestamp === undefined && set.metadata.deletionTimestamp === undefined) {
      requests.push(patchOwners(set, [...references, controllerReference(deployment)]));
    } else if (controller?.uid === uid && !matches) requests.push(patchOwners(set, references.filter((reference) => reference.uid !== uid)));
  }
  return requests;
}

function patchOwners({ metadata }: ReplicaSet, ownerReferences: OwnerReference[]): ApiRequest {
  return {
    verb: 'patch', resource: 'replicasets.apps', namespace: metadata.namespace as string, name: metadata.name,
    patch: { type: 'merge', body: { metadata: { uid: metadata.uid, ownerReferences: ownerReferences.length === 0 ? null : ownerReferences } } },
  };
}

const withLabel = (selector: LabelSelector, hash: string): LabelSelector => ({ ...selector, matchLabels: { ...selector.matchLabels, [hashLabel]: hash } });

/** The set for the current template, at its first size. Upstream: pkg/controller/deployment/sync.go getNewReplicaSet. */
export function createSet(deployment: Deployment, { old, all }: Sets): { request: ApiRequest; name: string; size: number; revision: number } {
  const { metadata, spec } = deployment;
  const hash = templateHash(spec.template, deployment.status?.collisionCount);
  const labels = { ...spec.template.metadata?.labels, [hashLabel]: hash };
  const size = newSetSize(deployment, all, 0);
  const revision = maxRevision(old) + 1;
  const name = `${metadata.name}-${hash}`;
  const request: ApiRequest = {
    verb: 'create', resource: 'replicasets.apps', namespace: metadata.namespace as string,
    object: {
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      metadata: {
        name, namespace: metadata.namespace as string, labels,
        ownerReferences: [controllerReference(deployment)],
        annotations: newSetAnnotations(deployment, {}, revision, false),
      },
      spec: {
        ...(spec.minReadySeconds === undefined ? {} : { minReadySeconds: spec.minReadySeconds }),
        replicas: size,
        selector: withLabel(spec.selector, hash),
        template: { ...spec.template, metadata: { ...spec.template.metadata, labels } },
      },
    },
  };
  return { request, name, size, revision };
}
