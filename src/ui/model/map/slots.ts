import type { SimTime } from '../../../sim/time.ts';
import type { Film } from '../film/film.ts';

/** Where a pod lies for as long as it is on a node. */
export interface Slot {
  podUid: string;
  node: string;
  index: number;
  from: SimTime;
  until: SimTime;
}

export interface Slots {
  byPod: ReadonlyMap<string, Slot>;
  /** Largest number of slots that a node ever needed. */
  sizes: ReadonlyMap<string, number>;
  /** Largest number of pods alive at once. */
  peak: number;
}

const known = new WeakMap<Film, { version: number; slots: Slots }>();

/**
 * A pod keeps its slot; a freed slot is given to the next pod that comes. Decided from the whole film at once, so that neither playing nor
 * stepping back ever moves a chip.
 */
export function slotsOf(film: Film): Slots {
  const old = known.get(film);
  if (old?.version === film.version) return old.slots;
  const slots = assign(stays(film));
  known.set(film, { version: film.version, slots });
  return slots;
}

function stays(film: Film): Omit<Slot, 'index'>[] {
  const result: Omit<Slot, 'index'>[] = [];
  for (const { lane, spans } of film.lanesOfKind('pod')) {
    const index = spans.value.findIndex((value) => {
      const found = film.value(value);
      return found?.kind === 'pod' && found.node !== undefined;
    });
    const value = film.value(spans.value[index] ?? -1);
    if (value?.kind !== 'pod' || value.node === undefined || lane.podUid === undefined) continue;
    const gone = spans.value[spans.value.length - 1] === -1;
    result.push({ podUid: lane.podUid, node: value.node, from: spans.at[index] ?? 0, until: gone ? spans.at[spans.at.length - 1] ?? Infinity : Infinity });
  }
  return result.toSorted((a, b) => a.from - b.from);
}

function assign(list: Omit<Slot, 'index'>[]): Slots {
  const byPod = new Map<string, Slot>();
  const sizes = new Map<string, number>();
  const untils = new Map<string, SimTime[]>();
  const ends: SimTime[] = [];
  let peak = 0;
  for (const stay of list) {
    const taken = untils.get(stay.node) ?? [];
    untils.set(stay.node, taken);
    const free = taken.findIndex((until) => until <= stay.from);
    const index = free < 0 ? taken.length : free;
    taken[index] = stay.until;
    byPod.set(stay.podUid, { ...stay, index });
    sizes.set(stay.node, taken.length);
    ends.push(stay.until);
    if (ends.length > peak) peak = Math.max(peak, ends.filter((until) => until > stay.from).length);
  }
  return { byPod, sizes, peak };
}
