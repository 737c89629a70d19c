import type { SimTime } from '../../../sim/time.ts';

/** Two columns of equal length, sorted by time: the entries of one lane. */
export interface Series {
  at: SimTime[];
  value: number[];
}

/** Number of entries with a time before `t`, or at or before it when `inclusive`. */
export function countBefore(times: readonly SimTime[], t: SimTime, inclusive: boolean): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const at = times[middle] ?? 0;
    if (inclusive ? at <= t : at < t) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Appends, or inserts in order where an entry comes late. Entries of one instant keep the order in which they came. */
export function insertSorted(series: Series, at: SimTime, value: number): void {
  const index = countBefore(series.at, at, true);
  series.at.splice(index, 0, at);
  series.value.splice(index, 0, value);
}

/** What is known later holds: entries after `at` that were foreseen (the rest of a steady series) are dropped. */
export function appendSuperseding(series: Series, at: SimTime, value: number): void {
  const last = series.at.length - 1;
  if (last >= 0 && (series.at[last] ?? 0) > at) cutFrom(series, at + 1);
  series.at.push(at);
  series.value.push(value);
}

/** Removes and returns all entries at or after `t`. */
export function cutFrom(series: Series, t: SimTime): Series {
  const index = countBefore(series.at, t, false);
  return { at: series.at.splice(index), value: series.value.splice(index) };
}
