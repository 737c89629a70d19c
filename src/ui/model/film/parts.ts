import type { FilmDelta, Lane, LaneValue, ProbeMark } from '../../../worker/protocol.ts';
import type { SimTime } from '../../../sim/time.ts';
import type { Series } from './series.ts';

/** One lane with its two columns: spans last until the next one, marks are instants. */
export interface LaneData {
  lane: Lane;
  spans: Series;
  marks: Series;
}

/** A value and how long it holds. `until` is Infinity for the last span of a lane. */
export interface Span<V extends LaneValue = LaneValue> {
  value: V;
  from: SimTime;
  until: SimTime;
}

export interface Mark<V extends LaneValue = LaneValue> {
  at: SimTime;
  value: V;
}

/** A subject that exists at a moment. */
export interface Present<V extends LaneValue> extends Span<V> {
  lane: Lane;
}

/** What another branch held from the fork on: shown as an outline beside the living one. */
export interface Ghost {
  branch: number;
  from: SimTime;
  until: SimTime;
  spans: { at: SimTime; value: LaneValue | undefined }[];
}

/** One run of a probe: a recorded result, or a success of a steady series (mark undefined). */
export interface ProbeTick {
  at: SimTime;
  mark?: ProbeMark;
}

export type Branch = FilmDelta['branches'][number];
