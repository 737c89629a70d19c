import type { SimTime } from '../../../sim/time.ts';
import type { Viewport } from './track.ts';

/** Distance of the labelled and of the small strokes of a ruler. */
export interface RulerSteps {
  major: number;
  minor: number;
  decimals: 0 | 1 | 3;
}

const steps: [major: number, minor: number][] = [
  [1, 1], [2, 1], [5, 1], [10, 2], [20, 5], [50, 10], [100, 20], [200, 50], [500, 100], [1000, 200], [2000, 500], [5000, 1000], [10_000, 2000],
  [20_000, 5000], [30_000, 5000], [60_000, 10_000], [120_000, 30_000], [300_000, 60_000], [600_000, 120_000], [900_000, 300_000], [1_800_000, 300_000],
  [3_600_000, 600_000], [7_200_000, 1_800_000], [21_600_000, 3_600_000], [86_400_000, 21_600_000],
];

export function rulerSteps(msPerPx: number, minimumPx = 60): RulerSteps {
  const [major, minor] = steps.find(([step]) => step / msPerPx >= minimumPx) ?? [172_800_000, 86_400_000];
  return { major, minor, decimals: major >= 1000 ? 0 : major >= 100 ? 1 : 3 };
}

/** The shortest and the longest window. */
const shortestMs = 50;
export const longestMs = 7 * 24 * 3_600_000;

/** The same moment stays under the pointer. */
export function zoomAt(view: Viewport, at: SimTime, factor: number): Viewport {
  const width = view.until - view.from;
  const next = Math.min(longestMs, Math.max(shortestMs, width / factor));
  const share = (at - view.from) / width;
  return inFilm({ ...view, from: at - share * next, until: at + (1 - share) * next });
}

export function panBy(view: Viewport, ms: number): Viewport {
  return inFilm({ ...view, from: view.from + ms, until: view.until + ms });
}

/** A film begins at zero: the window never shows what is before it. */
function inFilm(view: Viewport): Viewport {
  return view.from >= 0 ? view : { ...view, from: 0, until: view.until - view.from };
}

/** The playhead moves to 75 % of the window and stays there: the tracks slide. */
export function following(view: Viewport, cursor: SimTime): Viewport {
  const width = view.until - view.from;
  const limit = view.from + 0.75 * width;
  if (cursor >= view.from && cursor <= limit) return view;
  return inFilm({ ...view, from: cursor - 0.75 * width, until: cursor + 0.25 * width });
}

/** Brings a moment into the window without moving more than needed. */
export function showing(view: Viewport, at: SimTime): Viewport {
  if (at >= view.from && at <= view.until) return view;
  const width = view.until - view.from;
  return inFilm({ ...view, from: at - width / 2, until: at + width / 2 });
}
