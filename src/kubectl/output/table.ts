import type { ApiObject, ResourceInfo } from '../../api/resources.ts';
import type { ParsedArguments } from '../flags.ts';
import { renderColumns } from '../table.ts';
import { sortBy } from './sort.ts';

/** A server-side table. Upstream: metav1.Table. */
export interface Table {
  columnDefinitions: { name: string; priority: number }[];
  rows: { cells: (string | number | boolean | null)[]; object: ApiObject }[];
}

export interface TableStyle {
  wide: boolean;
  everywhere: boolean;
  withKind: boolean;
  headers: boolean;
  labels: boolean;
  labelColumns: readonly string[];
  sortBy?: string;
  /** --output-watch-events. */
  events: boolean;
}

export const tableStyle = (parsed: ParsedArguments, several: boolean): TableStyle => {
  const by = parsed.text('sort-by');
  return {
    wide: parsed.text('output') === 'wide', everywhere: parsed.bool('all-namespaces'), withKind: several || parsed.bool('show-kind'), headers: !parsed.bool('no-headers'),
    labels: parsed.bool('show-labels'), labelColumns: parsed.list('label-columns'), ...(by === undefined ? {} : { sortBy: by }), events: parsed.bool('output-watch-events'),
  };
};

/** Rows of one kind as kubectl shows them. Upstream: cli-runtime printers/tableprinter.go. */
export function renderTable(info: ResourceInfo, table: Table, style: TableStyle, widths?: number[], event?: string): string {
  const everywhere = style.everywhere && info.namespaced;
  const columns = table.columnDefinitions.map(({ name, priority }, index) => ({ name, index, shown: style.wide || priority === 0 })).filter(({ shown }) => shown);
  const head = [
    ...(style.events ? ['EVENT'] : []), ...(everywhere ? ['NAMESPACE'] : []), ...columns.map(({ name }) => name.toUpperCase()),
    ...style.labelColumns.map((label) => (label.split('/').at(-1) as string).toUpperCase()), ...(style.labels ? ['LABELS'] : []),
  ];
  const prefix = style.withKind ? `${info.singular}${info.group === '' ? '' : `.${info.group}`}/` : '';
  const rows = sortBy(table.rows, style.sortBy, ({ object }) => object).map(({ cells, object: { metadata } }) => [
    ...(style.events ? [(event ?? 'ADDED').padEnd('MODIFIED'.length)] : []), ...(everywhere ? [metadata.namespace ?? ''] : []),
    ...columns.map(({ index }) => `${index === 0 ? prefix : ''}${oneLine(cells[index])}`),
    ...style.labelColumns.map((label) => metadata.labels?.[label] ?? ''), ...(style.labels ? [labelText(metadata.labels)] : []),
  ]);
  return renderColumns(style.headers ? [head, ...rows] : rows, widths);
}

function oneLine(cell: string | number | boolean | null | undefined): string {
  const text = String(cell ?? '');
  const end = text.search(/[\f\n\r]/);
  return end < 0 ? text : `${text.slice(0, end)}...`;
}

function labelText(labels: Readonly<Record<string, string>> = {}): string {
  const pairs = Object.keys(labels).sort((a, b) => (a < b ? -1 : 1)).map((key) => `${key}=${labels[key]}`);
  return pairs.join(',') || '<none>';
}
