import type { Deployment, ReplicaSet } from '../../../../api/schema/types.ts';
import { maxSurge } from './arithmetic.ts';

export const revisionAnnotation = 'deployment.kubernetes.io/revision';
const historyAnnotation = 'deployment.kubernetes.io/revision-history';
export const desiredAnnotation = 'deployment.kubernetes.io/desired-replicas';
export const maxAnnotation = 'deployment.kubernetes.io/max-replicas';
export const hashLabel = 'pod-template-hash';

/** Not copied from a Deployment to its ReplicaSets. Upstream: pkg/controller/deployment/util annotationsToSkip. */
const skipped = new Set([
  'kubectl.kubernetes.io/last-applied-configuration', revisionAnnotation, historyAnnotation, desiredAnnotation, maxAnnotation, 'deprecated.deployment.rollback.to',
]);

type Annotations = Record<string, string>;

export const revisionOf = (object: Deployment | ReplicaSet): number => {
  const text = object.metadata.annotations?.[revisionAnnotation];
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : 0;
};

export const maxRevision = (sets: readonly ReplicaSet[]): number => sets.reduce((max, set) => Math.max(max, revisionOf(set)), 0);

/** Upstream: SetReplicasAnnotations. */
export function replicaAnnotations(deployment: Deployment): Annotations {
  const desired = deployment.spec.replicas ?? 1;
  return { [desiredAnnotation]: String(desired), [maxAnnotation]: String(desired + maxSurge(deployment)) };
}

/** What a new or re-used ReplicaSet carries. Upstream: SetNewReplicaSetAnnotations. */
export function newSetAnnotations(deployment: Deployment, old: Annotations, revision: number, exists: boolean): Annotations {
  const next: Annotations = { ...old };
  for (const [key, value] of Object.entries(deployment.metadata.annotations ?? {})) if (!skipped.has(key)) next[key] = value;
  const before = old[revisionAnnotation];
  if (Number(before ?? 0) < revision) {
    next[revisionAnnotation] = String(revision);
    if (before !== undefined) {
      const history = old[historyAnnotation];
      next[historyAnnotation] = history === undefined || history === '' ? before : `${history},${before}`;
    }
  }
  return exists ? next : { ...next, ...replicaAnnotations(deployment) };
}
