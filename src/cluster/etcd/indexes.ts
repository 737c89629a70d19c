import type { ApiObject, ResourceName } from '../../api/resources.ts';
import type { Pod } from '../../api/schema/types.ts';

/** The built-in indexes: what an object is filed under. No handler ever scans all pods. */
export type IndexName =
  /** pods by spec.nodeName ('' = not bound). */
  | 'node'
  /** Any object by the uid of each owner. */
  | 'owner'
  /** Any object by 'namespace/key=value' of each label. */
  | 'label'
  /** pods by status.phase. */
  | 'phase';

/** What an object is filed under in one index. `source`: the part of it that decides; while that stays the same, so does the filing. */
export interface Filing {
  index: IndexName;
  source(object: ApiObject): unknown;
  values(object: ApiObject): readonly string[];
}

const owner: Filing = {
  index: 'owner',
  source: ({ metadata }) => metadata.ownerReferences,
  values: ({ metadata }) => metadata.ownerReferences?.map((reference) => reference.uid) ?? [],
};

const label: Filing = {
  index: 'label',
  source: ({ metadata }) => metadata.labels,
  values: ({ metadata }) => Object.entries(metadata.labels ?? {}).map(([key, value]) => labelIndexValue(metadata.namespace ?? '', key, value)),
};

const node: Filing = {
  index: 'node',
  source: (object) => (object as Pod).spec.nodeName,
  values: (object) => [(object as Pod).spec.nodeName ?? ''],
};

const phase: Filing = {
  index: 'phase',
  source: (object) => (object as Pod).status.phase,
  values: (object) => [(object as Pod).status.phase ?? ''],
};

export const labelIndexValue = (namespace: string, key: string, value: string): string => `${namespace}/${key}=${value}`;

const forAll: readonly Filing[] = [owner];
const forPods: readonly Filing[] = [owner, label, node, phase];
const withLabels: readonly Filing[] = [owner, label];

export function filingsOf(resource: ResourceName): readonly Filing[] {
  if (resource === 'pods') return forPods;
  return resource === 'endpointslices.discovery.k8s.io' || resource === 'replicasets.apps' ? withLabels : forAll;
}
