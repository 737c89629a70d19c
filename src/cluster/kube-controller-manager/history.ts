import { stableText, templateHash } from '../../api/meta/hash.ts';
import { controllerOf, controllerReference } from '../../api/meta/owners.ts';
import type { ApiObject } from '../../api/resources.ts';
import type { ControllerRevision, PodTemplateSpec } from '../../api/schema/types.ts';
import type { ApiRequest, View } from '../component.ts';
import type { Step } from './controller.ts';

export const revisionLabel = 'controller-revision-hash';

type Owner = ApiObject & { spec: { template: PodTemplateSpec; revisionHistoryLimit?: number }; status?: { collisionCount?: number } };

/** The remembered templates of a StatefulSet or DaemonSet, the oldest first. Upstream: pkg/controller/history. */
export function revisionsOf(view: View, owner: ApiObject): ControllerRevision[] {
  return view.by('controllerrevisions.apps', 'owner', owner.metadata.uid)
    .filter((revision) => controllerOf(revision)?.uid === owner.metadata.uid)
    .sort((a, b) => (a.revision ?? 0) - (b.revision ?? 0));
}

export const templateOf = (revision: ControllerRevision | undefined): PodTemplateSpec | undefined => (revision?.data as { spec?: { template?: PodTemplateSpec } } | undefined)?.spec?.template;

const patchOf = ({ spec }: Owner) => ({ spec: { template: { ...spec.template, $patch: 'replace' } } });

/** The revision that stands for the current template, and what must be written first to make it so. */
export function currentRevision(owner: Owner, revisions: readonly ControllerRevision[], hashLabel: string): { revision?: ControllerRevision; steps: Step[] } {
  const data = patchOf(owner);
  const text = stableText(data);
  const newest = revisions[revisions.length - 1];
  const equal = revisions.filter((revision) => stableText(revision.data) === text).at(-1);
  const number = (newest?.revision ?? 0) + 1;
  const { namespace = '', name } = owner.metadata;
  if (equal !== undefined) {
    if (equal === newest) return { revision: equal, steps: [] };
    // An earlier template is back: its revision becomes the newest.
    const object = { ...equal, revision: number };
    return { revision: equal, steps: [{ kind: 'revision', requests: [{ verb: 'update', resource: 'controllerrevisions.apps', namespace, name: equal.metadata.name, object }] }] };
  }
  const hash = templateHash(data, owner.status?.collisionCount);
  const request: ApiRequest = {
    verb: 'create', resource: 'controllerrevisions.apps', namespace,
    object: {
      apiVersion: 'apps/v1', kind: 'ControllerRevision',
      metadata: { name: `${name}-${hash}`, namespace, labels: { ...owner.spec.template.metadata?.labels, [hashLabel]: hash }, ownerReferences: [controllerReference(owner)] },
      data, revision: number,
    },
  };
  return { steps: [{ kind: 'revision', requests: [request] }] };
}

/** Revisions beyond the limit that nothing uses. */
export function surplusRevisions(owner: Owner, revisions: readonly ControllerRevision[], used: ReadonlySet<string>): Step[] {
  const idle = revisions.filter(({ metadata }) => !used.has(metadata.name));
  const surplus = idle.length - (owner.spec.revisionHistoryLimit ?? 10);
  if (surplus <= 0) return [];
  const requests = idle.slice(0, surplus).map(({ metadata }): ApiRequest => ({ verb: 'delete', resource: 'controllerrevisions.apps', namespace: metadata.namespace as string, name: metadata.name }));
  return [{ kind: 'trim', requests }];
}
