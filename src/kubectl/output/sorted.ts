import { compareText } from '../../sim/plain.ts';

/** Plain data with all keys in order. */
export function sortedDeep(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedDeep);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined).sort(([a], [b]) => compareText(a, b)).map(([key, item]) => [key, sortedDeep(item)]));
}
