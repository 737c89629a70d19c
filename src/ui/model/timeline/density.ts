import type { SimTime } from '../../../sim/time.ts';
import type { Film, LaneData } from '../film/film.ts';

interface Known { head: SimTime; lanes: number; branch: number; slots: number; until: SimTime; counts: Float64Array }

const known = new WeakMap<Film, Known>();

/** How much happened in each of `slots` equal parts of [0, until]: the minimap's histogram. Counted anew only when the head enters another half slot. */
export function densityOf(film: Film, slots: number, until: SimTime): Float64Array {
  const grain = until / slots / 2;
  const head = Math.floor(film.head / grain);
  const old = known.get(film);
  if (old !== undefined && old.head === head && old.lanes === film.lanes.size && old.branch === film.branch && old.slots === slots && old.until === until) return old.counts;
  const counts = new Float64Array(slots);
  for (const data of film.lanes.values()) addLane(counts, film, data, slots / Math.max(1, until));
  known.set(film, { head, lanes: film.lanes.size, branch: film.branch, slots, until, counts });
  return counts;
}

function addLane(counts: Float64Array, film: Film, data: LaneData, slotsPerMs: number): void {
  if (data.lane.kind === 'requests') return;
  for (const at of data.spans.at) add(counts, at * slotsPerMs, 1);
  for (const at of data.marks.at) add(counts, at * slotsPerMs, 1);
  if (data.lane.kind === 'probe') addSeries(counts, film, data, slotsPerMs);
}

function addSeries(counts: Float64Array, film: Film, data: LaneData, slotsPerMs: number): void {
  for (const span of film.spansBetween(data.lane.id, 0, film.head)) {
    if (span.value.kind !== 'probe-series') continue;
    const end = Math.min(film.seriesEnd(data, span), film.head);
    const perSlot = 1 / (span.value.periodMs * slotsPerMs);
    if (perSlot <= 1) for (let at = span.from; at <= end; at += span.value.periodMs) add(counts, at * slotsPerMs, 1);
    else for (let slot = span.from * slotsPerMs; slot <= end * slotsPerMs; slot += 1) add(counts, slot, perSlot);
  }
}

function add(counts: Float64Array, place: number, amount: number): void {
  const slot = Math.min(counts.length - 1, Math.max(0, Math.floor(place)));
  counts[slot] = (counts[slot] ?? 0) + amount;
}
