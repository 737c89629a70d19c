import { compareQuantity, isQuantity } from '../../api/quantity.ts';
import { compareText } from '../../sim/plain.ts';
import { plainError } from '../failure.ts';
import { findValues, parseRelaxed } from './jsonpath.ts';

/** --sort-by. Upstream: k8s.io/kubectl/pkg/cmd/get/sorter.go. */
export function sortBy<T>(items: readonly T[], path: string | undefined, dataOf: (item: T) => unknown): readonly T[] {
  if (path === undefined || items.length === 0) return items;
  const template = parseRelaxed(path);
  const keyed = items.map((item) => ({ item, value: findValues(template, dataOf(item))[0] }));
  if (keyed.every(({ value }) => value === undefined)) throw plainError(`couldn't find any field with path "{${path.replace(/[{}]/g, '')}}" in the list of objects`);
  return keyed.sort((a, b) => compareValues(a.value, b.value)).map(({ item }) => item);
}

function compareValues(a: unknown, b: unknown): number {
  if (a === undefined || b === undefined) return a === b ? 0 : a === undefined ? -1 : 1;
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  const [left, right] = [String(a ?? ''), String(b ?? '')];
  if (isQuantity(left) && isQuantity(right)) return compareQuantity(left, right);
  return naturally(left, right);
}

/** Runs of digits by their number. Upstream: fvbommel.com/sortorder NaturalLess. */
function naturally(a: string, b: string): number {
  const [left, right] = [a.match(/\d+|\D+/g) ?? [], b.match(/\d+|\D+/g) ?? []];
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const [x, y] = [left[i] as string, right[i] as string];
    const order = /^\d/.test(x) && /^\d/.test(y) ? Number(x) - Number(y) : compareText(x, y);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}
