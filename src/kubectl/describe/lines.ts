import { compareText } from '../../sim/plain.ts';
import { civilTime, parseRfc3339 } from '../../sim/time.ts';
import { controllerOf } from '../../api/meta/owners.ts';
import { since } from '../../api/print/format.ts';
import { canonicalQuantity } from '../../api/quantity.ts';
import type { ApiObject } from '../../api/resources.ts';
import type { ObjectMeta, Taint, Toleration } from '../../api/schema/types.ts';

/** The parts of a description: text whose cells end with tabs. Upstream: k8s.io/kubectl/pkg/describe/describe.go PrefixWriter. */

export type Cell = string | number | boolean;

export const line = (level: number, text: string): string => `${'  '.repeat(level)}${text}\n`;

/** A line for each label whose value is there. */
export function rows(level: number, values: Readonly<Record<string, Cell | null | undefined>>): string {
  return Object.entries(values).map(([label, value]) => (value === undefined || value === null ? '' : line(level, `${label}:\t${value}`))).join('');
}

/** A heading, underlined columns, and rows. */
export function grid(level: number, columns: readonly string[], cells: readonly (readonly Cell[])[]): string {
  return [columns, columns.map((name) => '-'.repeat(name.length)), ...cells].map((row) => line(level, row.join('\t'))).join('');
}

export const none = '<none>';
export const unset = '<unset>';
export const orNone = (text: string | undefined): string => (text ? text : none);

const weekdays = 'SunMonTueWedThuFriSat';
const months = 'JanFebMarAprMayJunJulAugSepOctNovDec';
const three = (names: string, index: number) => names.slice(index * 3, index * 3 + 3);
const two = (value: number) => String(value).padStart(2, '0');

/** 'Mon, 30 Nov 2026 23:28:34 +0000': Go's RFC1123Z. */
export function time(text: string | null | undefined): string {
  const at = text ? parseRfc3339(text) : undefined;
  if (at === undefined) return 'Mon, 01 Jan 0001 00:00:00 +0000';
  const { weekday, day, month, year, hour, minute, second } = civilTime(at);
  return `${three(weekdays, weekday)}, ${two(day)} ${three(months, month - 1)} ${year} ${two(hour)}:${two(minute)}:${two(second)} +0000`;
}

export const timeIf = (text: string | null | undefined): string | undefined => (text ? time(text) : undefined);

/** Values under one label, each on a line of its own. `indent`: what every piece is written behind. */
function list(title: string, values: readonly string[], indent = ''): string {
  return `${title}:\t${values.length === 0 ? `${none}\n` : values.map((value) => `${value}\n`).join(`${indent}\t`)}`;
}

export const labelLines = (title: string, labels: Readonly<Record<string, string>> | undefined, indent = ''): string =>
  `${indent}${list(title, Object.entries(labels ?? {}).sort(([a], [b]) => compareText(a, b)).map(([key, value]) => `${key}=${value}`), indent)}`;

const longest = 140;
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

export function annotationLines(title: string, annotations: Readonly<Record<string, string>> | undefined): string {
  return list(title, Object.keys(annotations ?? {}).filter((key) => key !== lastApplied).sort(compareText).map((key) => {
    const value = ((annotations as Record<string, string>)[key] as string).replace(/\n$/, '');
    if (value.length + key.length + 2 <= longest && !value.includes('\n')) return `${key}: ${value}`;
    return `${key}:\n${value.split('\n').map((text) => `\t  ${text.length > longest - 2 ? `${text.slice(0, longest - 2)}...` : text}`).join('\n')}`;
  }));
}

export const taintText = ({ key, value, effect }: Taint): string => `${key}${value ? `=${value}` : ''}${effect ? `:${effect}` : ''}`;

export const taintLines = (taints: readonly Taint[] = []): string =>
  list('Taints', taints.toSorted((a, b) => compareText(`${a.effect},${a.key}`, `${b.effect},${b.key}`)).map(taintText));

export const tolerationLines = (title: string, tolerations: readonly Toleration[] = []): string =>
  list(title, tolerations.toSorted((a, b) => compareText(a.key ?? '', b.key ?? '')).map(({ key = '', value = '', effect = '', operator, tolerationSeconds }) => {
    const what = `${key}${value === '' ? '' : `=${value}`}${effect === '' ? '' : `:${effect}`}`;
    return `${what}${operator === 'Exists' && value === '' ? `${what === '' ? '' : ' '}op=Exists` : ''}${tolerationSeconds === undefined ? '' : ` for ${tolerationSeconds}s`}`;
  }));

export const nameLines = (title: string, names: readonly string[]): string => list(title, names.toSorted(compareText));

/** What nearly every description begins with; `between` stands before the labels. */
export const head = ({ metadata }: { metadata: ObjectMeta }, between: Readonly<Record<string, Cell | undefined>> = {}): string =>
  `${rows(0, { Name: metadata.name, Namespace: metadata.namespace, ...between })}${labelLines('Labels', metadata.labels)}${annotationLines('Annotations', metadata.annotations)}`;

export function controlledBy(object: ApiObject): string {
  const owner = controllerOf(object);
  return rows(0, { 'Controlled By': owner === undefined ? undefined : `${owner.kind}/${owner.name}` });
}

export const quantities = (level: number, resources: Readonly<Record<string, string>> | undefined): string =>
  rows(level, Object.fromEntries(Object.entries(resources ?? {}).sort(([a], [b]) => compareText(a, b)).map(([name, quantity]) => [name, canonicalQuantity(quantity)])));

/** 'Conditions:' with the columns that a kind shows. */
export function conditionLines(conditions: readonly { type?: string; status?: string; reason?: string }[] | undefined): string {
  if (conditions === undefined || conditions.length === 0) return '';
  return `Conditions:\n${grid(1, ['Type', 'Status', 'Reason'], conditions.map(({ type = '', status = '', reason = '' }) => [`${type} `, status, reason]))}`;
}

export const statusOf = (deletionTimestamp: string | undefined, phase: string | undefined, nowMs: number): string =>
  (deletionTimestamp === undefined ? (phase ?? '') : `Terminating (lasts ${since(deletionTimestamp, nowMs)})`);

/** A selector as labels.Selector prints itself. */
export { formatLabels, formatLabelSelector } from '../../api/meta/selectors.ts';
