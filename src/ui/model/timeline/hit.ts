import type { EventMark, InputMark, LaneValue, ProbeMark, RequestMark, SignalMark } from '../../../worker/protocol.ts';
import type { SimTime } from '../../../sim/time.ts';
import type { Film, Mark } from '../film/film.ts';
import type { Track } from './track.ts';

/** What lies under the pointer: marks if any are near, else the span. */
export interface Hit {
  track: Track;
  at: SimTime;
  marks: Mark<ProbeMark | EventMark | SignalMark | RequestMark>[];
  /** A success of a steady series. */
  steady: boolean;
  span?: { value: LaneValue; from: SimTime; until: SimTime };
}

const reachPx = 7;

export function hitAt(film: Film, track: Track, t: SimTime, msPerPx: number): Hit | undefined {
  const reach = reachPx * msPerPx;
  if (track.kind === 'probe') return probeHit(film, track, t, reach);
  if (track.kind === 'events' || track.kind === 'signals') return nearest(track, t, film.marksBetween(track.laneId, t - reach, t + reach * (track.kind === 'events' ? 0.5 : 1)));
  if (track.kind === 'requests') return nearest(track, t, film.marksBetween(track.laneId, t - Math.max(999, msPerPx), t));
  const span = film.spanAt(track.laneId, t);
  if (span === undefined || t > film.head) return undefined;
  return { track, at: t, marks: [], steady: false, span };
}

function probeHit(film: Film, track: Track, t: SimTime, reach: number): Hit | undefined {
  const ticks = film.probeTicks(track.laneId, t - reach, t + reach);
  if (ticks.length === 0) return undefined;
  const marks = ticks.flatMap((tick) => (tick.mark === undefined ? [] : [{ at: tick.at, value: tick.mark }]));
  const best = ticks.reduce((a, b) => (Math.abs(b.at - t) < Math.abs(a.at - t) ? b : a));
  return { track, at: best.at, marks, steady: best.mark === undefined };
}

function nearest(track: Track, t: SimTime, marks: Mark[]): Hit | undefined {
  if (marks.length === 0) return undefined;
  const best = marks.reduce((a, b) => (Math.abs(b.at - t) < Math.abs(a.at - t) ? b : a));
  return { track, at: best.at, marks: marks as Hit['marks'], steady: false };
}

/** Inputs near a place of the ruler. */
export function inputsAt(film: Film, t: SimTime, msPerPx: number): Mark<InputMark>[] {
  return film.lanesOfKind('inputs').flatMap((data) => film.marksBetween(data.lane.id, t - reachPx * msPerPx, t + reachPx * msPerPx) as Mark<InputMark>[]);
}
