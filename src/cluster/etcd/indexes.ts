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

type Filing = (object: ApiObject) => readonly string[];

const ownerUids: Filing = ({ metadata }) => metadata.ownerReferences?.map((owner) => owner.uid) ?? [];

const labelValues: Filing = ({ metadata }) => {
  if (metadata.labels === undefined) return [];
  return Object.entries(metadata.labels).map(([key, value]) => labelIndexValue(metadata.namespace ?? '', key, value));
};

export const labelIndexValue = (namespace: string, key: string, value: string): string => `${namespace}/${key}=${value}`;

const forAll: Partial<Record<IndexName, Filing>> = { owner: ownerUids };
const forPods: Partial<Record<IndexName, Filing>> = {
  ...forAll,
  label: labelValues,
  node: (object) => [(object as Pod).spec.nodeName ?? ''],
  phase: (object) => [(object as Pod).status.phase ?? ''],
};
const withLabels: Partial<Record<IndexName, Filing>> = { ...forAll, label: labelValues };

export function filingsOf(resource: ResourceName): Partial<Record<IndexName, Filing>> {
  if (resource === 'pods') return forPods;
  return resource === 'endpointslices.discovery.k8s.io' || resource === 'replicasets.apps' ? withLabels : forAll;
}
