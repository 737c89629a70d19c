import { cellsOf, columnsOf } from '../../../api/print/table.ts';
import type { ApiObject, ResourceInfo } from '../../../api/resources.ts';
import type { ApiList } from '../../component.ts';

type Included = 'Metadata' | 'Object' | 'None';

/** The answer as a Table: columns and a row for each object. Upstream: apiserver pkg/registry/rest/table.go, pkg/printers/storage. */
export function tableOf(info: ResourceInfo, answer: ApiObject | ApiList, included: Included, nowEpochMs: number): object {
  const isList = 'items' in answer;
  const objects = isList ? (answer as ApiList).items : [answer as ApiObject];
  const { resourceVersion } = answer.metadata;
  return {
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata: isList ? answer.metadata : { resourceVersion },
    columnDefinitions: columnsOf(info.resource).map(({ name, priority }) => ({
      name, type: typeOf(info.resource, name), format: name === 'Name' ? 'name' : '', description: '', priority,
    })),
    rows: objects.map((object) => ({ cells: cellsOf(info.resource, object as never, nowEpochMs), object: embedded(object, included) })),
  };
}

const numbers = new Set(['Desired', 'Current', 'Up-to-date', 'Available', 'Active', 'Data', 'Value', 'Revision', 'MaxPods', 'Replicas', 'Allowed Disruptions', 'Count']);
const flags = new Set(['Global-Default', 'AllowVolumeExpansion']);

function typeOf(resource: string, column: string): string {
  const whole = column === 'Ready' && (resource === 'replicasets.apps' || resource === 'daemonsets.apps' || resource === 'replicationcontrollers');
  return whole || numbers.has(column) ? 'integer' : flags.has(column) ? 'boolean' : 'string';
}

function embedded(object: ApiObject, included: Included): object | null {
  if (included === 'None') return null;
  return included === 'Object' ? object : partialMetadata(object);
}

export const partialMetadata = ({ metadata }: ApiObject): object => ({ kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata });
