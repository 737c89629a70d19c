import { isControlledBy } from '../../api/meta/owners.ts';
import { strategicMergePatch } from '../../api/meta/patches.ts';
import { formatLabelSelector } from '../../api/meta/selectors.ts';
import type { ControllerRevision, DaemonSet, Deployment, PodTemplateSpec, StatefulSet } from '../../api/schema/types.ts';
import { list, type Look } from '../describe/look.ts';
import { replicaSetsOf } from '../describe/workloads.ts';
import type { Found } from '../targets.ts';

const revisionKey = 'deployment.kubernetes.io/revision';
export const changeCauseKey = 'kubernetes.io/change-cause';

/** One state that a rollout went through. */
export interface Revision {
  number: number;
  cause: string;
  template: PodTemplateSpec;
  /** What brings it back: a Deployment's ReplicaSet carries annotations, the others a patch. */
  annotations?: Readonly<Record<string, string>>;
  patch?: unknown;
}

/** The revisions of an object, oldest first; undefined for kinds that keep none. Upstream: polymorphichelpers/history.go. */
export function revisionsOf(look: Look, { info, object }: Found): Revision[] | undefined {
  if (info.resource === 'deployments.apps') return ofDeployment(look, object as Deployment);
  if (info.resource !== 'statefulsets.apps' && info.resource !== 'daemonsets.apps') return undefined;
  const owner = object as StatefulSet | DaemonSet;
  return list(look, 'controllerrevisions.apps', owner.metadata.namespace, { labelSelector: formatLabelSelector(owner.spec.selector) })
    .filter((revision) => isControlledBy(revision, owner))
    .map((revision) => fromController(revision, owner))
    .sort((a, b) => a.number - b.number);
}

function ofDeployment(look: Look, deployment: Deployment): Revision[] {
  return replicaSetsOf(look, deployment).all.flatMap(({ metadata, spec }) => {
    const { annotations = {} } = metadata;
    const number = Number(annotations[revisionKey] ?? 'none');
    if (!Number.isInteger(number) || spec.template === undefined) return [];
    return [{ number, cause: annotations[changeCauseKey] ?? '', template: spec.template, annotations }];
  }).sort((a, b) => a.number - b.number);
}

function fromController({ metadata, revision, data }: ControllerRevision, owner: StatefulSet | DaemonSet): Revision {
  const patched = strategicMergePatch(owner, data, owner.kind);
  const { spec } = ('error' in patched ? owner : patched.value) as StatefulSet;
  return { number: revision ?? 0, cause: metadata.annotations?.[changeCauseKey] ?? '', template: spec.template, patch: data };
}
