import { resourceInfo, type ApiObject, type ResourceName } from '../../api/resources.ts';
import { ask, pathOf } from '../api.ts';
import type { KubectlEnvironment } from '../contract.ts';
import { isFailure, plainError } from '../failure.ts';
import type { ParsedArguments } from '../flags.ts';
import { allFormats, printingOf, typed } from '../output/printers.ts';
import { renderTable, tableStyle, type Table } from '../output/table.ts';
import type { Printer } from '../registry.ts';
import { selectionOf } from '../targets.ts';
import { answerTo, tableType, type Question } from './get.ts';

type Row = Table['rows'][number];

/** What a watch knows from one look to the next. */
export interface WatchState {
  args: readonly string[];
  resource: ResourceName;
  namespace: string;
  name?: string;
  /** The rows as they were last, by uid. */
  seen: Record<string, Row>;
  columns: Table['columnDefinitions'];
  widths: number[];
  headed: boolean;
}

/**
 * get -w. Simplified: looks again instead of watching, so changes between two looks come as one. A pod that is gone was terminating before, as the server
 * always writes that down first.
 */
export function startWatch(args: readonly string[], questions: readonly Question[], parsed: ParsedArguments, place: KubectlEnvironment, out: Printer): WatchState {
  const [question] = questions;
  if (question === undefined || questions.length > 1) throw plainError('you may only specify a single resource type');
  const { info, namespace, name } = question;
  const state: WatchState = { args, resource: info.resource, namespace, ...(name === undefined ? {} : { name }), seen: {}, columns: [], widths: [], headed: false };
  const table = answerTo(question, parsed, place, tableType) as Table;
  state.columns = table.columnDefinitions;
  for (const row of table.rows) {
    state.seen[row.object.metadata.uid] = row;
    if (!parsed.bool('watch-only')) show(state, row, 'ADDED', parsed, place, out);
  }
  return state;
}

export function watchOn(state: WatchState, parsed: ParsedArguments, place: KubectlEnvironment, out: Printer): WatchState {
  const { rows } = look(state, parsed, place);
  const next: WatchState = { ...state, seen: {}, widths: [...state.widths] };
  for (const row of rows) {
    const { uid, resourceVersion } = row.object.metadata;
    const before = state.seen[uid];
    next.seen[uid] = row;
    if (before?.object.metadata.resourceVersion !== resourceVersion) show(next, row, before === undefined ? 'ADDED' : 'MODIFIED', parsed, place, out);
  }
  for (const [uid, row] of Object.entries(state.seen)) {
    if (next.seen[uid] !== undefined) continue;
    const last = ending(state, row);
    if (last !== row) show(next, last, 'MODIFIED', parsed, place, out);
    show(next, last, 'DELETED', parsed, place, out);
  }
  return next;
}

function look({ resource, namespace, name }: WatchState, parsed: ParsedArguments, place: KubectlEnvironment): Table {
  const info = resourceInfo(resource);
  const { selector, fields } = selectionOf(parsed);
  const path = pathOf(info, namespace, name);
  const query = name === undefined ? { ...(selector === undefined ? {} : { labelSelector: selector }), ...(fields === undefined ? {} : { fieldSelector: fields }) } : {};
  const response = ask(place.client, 'GET', path, { query, accept: tableType });
  return isFailure(response) ? { columnDefinitions: [], rows: [] } : (response.body as Table);
}

function ending({ resource, columns }: WatchState, row: Row): Row {
  const column = columns.findIndex(({ name }) => name === 'Status');
  if (resource !== 'pods' || column < 0 || row.object.metadata.deletionTimestamp !== undefined || ['Succeeded', 'Completed', 'Failed'].includes(String(row.cells[column]))) return row;
  return { ...row, cells: row.cells.map((cell, index) => (index === column ? 'Terminating' : cell)) };
}

function show(state: WatchState, row: Row, event: string, parsed: ParsedArguments, place: KubectlEnvironment, out: Printer): void {
  const info = resourceInfo(state.resource);
  const print = printingOf(parsed.text('output'), parsed.bool('show-managed-fields'), allFormats);
  if (print !== undefined) {
    const { name, namespace = '' } = row.object.metadata;
    const response = parsed.text('output') === 'name' ? undefined : ask(place.client, 'GET', pathOf(info, namespace, name));
    out.stdout += print(info, response === undefined || isFailure(response) ? typed(info, row.object) : (response.body as ApiObject));
    return;
  }
  const style = { ...tableStyle(parsed, false), headers: !state.headed && !parsed.bool('no-headers') };
  out.stdout += renderTable(info, { columnDefinitions: state.columns, rows: [row] }, style, state.widths, event);
  state.headed = true;
}
