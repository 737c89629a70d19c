import type { ApiObject, ObjectOf, ResourceName } from '../resources.ts';
import type { Event } from '../schema/types.ts';
import { columnsOf, type ColumnDefinition } from './columns.ts';
import { since } from './format.ts';
import { clusterRows } from './rows-cluster.ts';
import { workloadRows } from './rows-workloads.ts';

export type Cell = string | number | boolean;

/** The cells after the name, wide ones included. `nowEpochMs`: ages count from here. */
export type RowPrinters = { [R in ResourceName]?: (object: ObjectOf<R>, nowEpochMs: number) => Cell[] };

export { columnsOf, type ColumnDefinition };

/** The cells of one object, in the order of `columnsOf`. */
export function cellsOf<R extends ResourceName>(resource: R, object: ObjectOf<R>, nowEpochMs: number): Cell[] {
  if (resource === 'events') return eventRow(object as Event, nowEpochMs);
  const { metadata } = object as ApiObject;
  const printer = printers[resource] as ((object: ObjectOf<R>, nowEpochMs: number) => Cell[]) | undefined;
  return [nameCell(resource, metadata), ...(printer?.(object, nowEpochMs) ?? [since(metadata.creationTimestamp, nowEpochMs)])];
}

const printers: RowPrinters = { ...workloadRows, ...clusterRows };

function nameCell(resource: ResourceName, metadata: ApiObject['metadata']): string {
  const isDefault = resource === 'storageclasses.storage.k8s.io' && metadata.annotations?.['storageclass.kubernetes.io/is-default-class'] === 'true';
  return isDefault ? `${metadata.name} (default)` : metadata.name;
}

function eventRow(event: Event, now: number): Cell[] {
  const first = since(event.firstTimestamp ?? event.eventTime, now);
  const last = since(event.series?.lastObservedTime ?? event.lastTimestamp, now, first);
  const { kind = '', name, fieldPath } = event.involvedObject;
  const source = event.source?.component || event.reportingComponent || '';
  const instance = event.source?.host || event.reportingInstance || '';
  return [
    last, event.type ?? '', event.reason ?? '', name ? `${kind.toLowerCase()}/${name}` : kind.toLowerCase(), fieldPath ?? '',
    instance === '' ? source : `${source}, ${instance}`, (event.message ?? '').trim(), first,
    event.series?.count ?? (event.count || 1), event.metadata.name,
  ];
}
