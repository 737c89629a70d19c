import type { SimTime } from '../../../../sim/time.ts';
import type { Film } from '../../../model/film/film.ts';
import type { Said } from '../../../model/format.ts';
import type { BarWord } from '../../../model/timeline/bars.ts';
import type { Metrics, Viewport } from '../../../model/timeline/track.ts';
import type { TrackList } from '../../../model/timeline/tracks.ts';
import type { Ctx, Palette } from '../../../parts/palette.ts';

/** Words that are drawn into the canvas. */
export type DrawnWord = BarWord | 'passed-runs-no-more';

/** Everything that one picture of the timeline depends on. */
export interface Picture {
  film: Film;
  list: TrackList;
  view: Viewport;
  cursor: SimTime;
  scrollTop: number;
  metrics: Metrics;
  /** Selected range of time. */
  range?: readonly [SimTime, SimTime];
  /** The future is unknown on purpose: a question is open. */
  fog: boolean;
  /** Large type for a projector. */
  big: boolean;
  say: (said: Said<DrawnWord>) => string;
}

/** A picture with the canvas that it goes to. */
export interface Frame extends Picture {
  c: Ctx;
  p: Palette;
  width: number;
  height: number;
  msPerPx: number;
  x: (t: SimTime) => number;
  /** Times at the edges, with room for marks that stick out. */
  from: SimTime;
  until: SimTime;
}
