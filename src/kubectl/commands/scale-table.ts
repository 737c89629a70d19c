import { since } from '../../api/print/format.ts';
import type { ApiObject } from '../../api/resources.ts';
import type { Table } from '../output/table.ts';

/** The server's table of a Scale. Upstream: pkg/printers/internalversion printScale. */
export function scaleTable(body: unknown, nowMs: number): Table {
  const scale = body as ApiObject & { spec?: { replicas?: number }; status?: { replicas?: number } };
  return {
    columnDefinitions: ['Name', 'Desired', 'Available', 'Age'].map((name) => ({ name, priority: 0 })),
    rows: [{ cells: [scale.metadata.name, scale.spec?.replicas ?? 0, scale.status?.replicas ?? 0, since(scale.metadata.creationTimestamp, nowMs)], object: scale }],
  };
}
