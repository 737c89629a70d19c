import type { EventMark } from '../../worker/protocol.ts';
import type { SimTime } from '../../sim/time.ts';
import type { Film, LaneData } from '../model/film/film.ts';

/** One event as kubectl lists it: the newest sighting, and when it was seen first. */
export interface EventRow {
  key: string;
  value: EventMark;
  lastAt: SimTime;
  firstAt: SimTime;
  podUid: string | undefined;
}

/** Events that have been seen by a time, newest first; sightings of the same event are one row. */
export function eventRows(film: Film, lanes: readonly LaneData[], until: SimTime): EventRow[] {
  const rows = new Map<string, EventRow>();
  for (const { lane } of lanes) {
    for (const mark of film.marksBetween(lane.id, 0, until)) {
      const value = mark.value as EventMark;
      if (value.kind !== 'event') continue;
      const key = `${lane.id} ${value.reason} ${value.object} ${value.fieldPath ?? ''} ${value.message}`;
      const known = rows.get(key);
      rows.set(key, { key, value, lastAt: mark.at, firstAt: known?.firstAt ?? mark.at, podUid: lane.podUid });
    }
  }
  return [...rows.values()].sort((a, b) => b.lastAt - a.lastAt);
}

export const podEvents = (film: Film, podUid: string, until: SimTime): EventRow[] => eventRows(film, film.lanesOfPod(podUid).filter(({ lane }) => lane.kind === 'events'), until);
export const allEvents = (film: Film, until: SimTime): EventRow[] => eventRows(film, film.lanesOfKind('events'), until);
