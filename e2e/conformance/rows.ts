import { cellsOf, columnsOf } from '../../src/api/print/table.ts';
import { resourceOfKind, type ApiObject } from '../../src/api/resources.ts';
import { count, emptyResult, type AreaResult } from './expect.ts';

interface RowLine {
  id: string;
  at: string;
  object: ApiObject;
  columns: string[];
  cells: unknown[];
}

/** The server-side Table cells of single objects. */
export function rows(lines: readonly RowLine[]): AreaResult {
  const result = emptyResult('rows');
  for (const { id, at, object, cells } of lines) {
    const info = resourceOfKind(object.apiVersion, object.kind);
    if (info === undefined) {
      count(result, id, `kind ${object.kind} is not known`);
      continue;
    }
    const ours = cellsOf(info.resource, object as never, Date.parse(at));
    const index = cells.findIndex((cell, i) => String(cell) !== String(ours[i]));
    count(result, id, index < 0 ? undefined : `${columnsOf(info.resource)[index]?.name ?? index}: ${String(cells[index])} | ours: ${String(ours[index])}`);
  }
  return result;
}
