import type { SimTime } from '../../../sim/time.ts';

export type TrackKind = 'pod' | 'ghost' | 'container' | 'probe' | 'condition' | 'events' | 'signals' | 'requests' | 'node' | 'service';

/** One row of the timeline. Its place and height depend on what is open, never on the cursor or the zoom. */
export interface Track {
  id: string;
  kind: TrackKind;
  laneId: string;
  label: string;
  /** Of the label: a symbol of the sprite. For pods the state glyph is taken from the value at the playhead. */
  icon: string;
  podUid?: string;
  y: number;
  height: number;
  barHeight: number;
  selected: boolean;
  /** Pods only: shows children. */
  open?: boolean;
  pinned?: boolean;
  /** The last row of its group has a full hairline. */
  closes: boolean;
  /** Ghosts: index into the film's ghosts of the lane. */
  ghost?: number;
}

/** Heights of rows and of the bars in them. */
export interface Metrics {
  pod: number;
  podBar: number;
  child: number;
  childBar: number;
  ghost: number;
  probeTall: number;
  signals: number;
  requests: number;
  ruler: number;
}

export const denseMetrics: Metrics = { pod: 20, podBar: 13, child: 16, childBar: 11, ghost: 15, probeTall: 18, signals: 17, requests: 26, ruler: 22 };
/** Presenter: at most six rows of 32 px. */
export const presenterMetrics: Metrics = { pod: 32, podBar: 20, child: 32, childBar: 20, ghost: 28, probeTall: 32, signals: 32, requests: 32, ruler: 28 };

/** How much of a pod is shown. */
export type Detail = 'closed' | 'brief' | 'full';

/** The window of time on screen and its width. */
export interface Viewport {
  from: SimTime;
  until: SimTime;
  widthPx: number;
}

export const msPerPx = (view: Viewport): number => (view.until - view.from) / Math.max(1, view.widthPx);
export const toX = (view: Viewport, t: SimTime): number => ((t - view.from) / (view.until - view.from)) * view.widthPx;
export const toTime = (view: Viewport, x: number): SimTime => view.from + (x / Math.max(1, view.widthPx)) * (view.until - view.from);
