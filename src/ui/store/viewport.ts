import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { SimTime } from '../../sim/time.ts';
import { following, panBy, showing, zoomAt } from '../model/timeline/scale.ts';
import type { Viewport } from '../model/timeline/track.ts';

/** The window of time that the timeline shows. The transport's zoom buttons, the minimap and the timeline share it. */
export interface ViewportState {
  view: Viewport;
  /** While playing, the playhead stays at 75 % until the user moves the window. */
  follow: boolean;
  range: readonly [SimTime, SimTime] | undefined;
  /** Windows before jumps, newest last: "zoom back". */
  past: Viewport[];
}

const firstMs = 122_000;

export const viewportStore = createStore<ViewportState>()(() => ({
  view: { from: 0, until: firstMs, widthPx: 844 }, follow: true, range: undefined, past: [],
}));

export function useViewport<T>(select: (state: ViewportState) => T): T {
  return useStore(viewportStore, select);
}

const now = (): Viewport => viewportStore.getState().view;

export function setWidth(widthPx: number): void {
  if (widthPx > 0 && widthPx !== now().widthPx) viewportStore.setState({ view: { ...now(), widthPx } });
}

/** Zooms about a moment; without one, about the middle of the window. */
export function zoomBy(factor: number, at?: SimTime): void {
  viewportStore.setState({ view: zoomAt(now(), at ?? (now().from + now().until) / 2, factor) });
}

/** Zooms about the playhead if it is on screen. */
export function zoomAtPlayhead(factor: number, cursor: SimTime): void {
  zoomBy(factor, cursor >= now().from && cursor <= now().until ? cursor : undefined);
}

/** Moves the window by hand: the playhead is followed no more. */
export function panWindow(ms: number): void {
  viewportStore.setState({ view: panBy(now(), ms), follow: false });
}

export function panShare(share: number): void {
  panWindow((now().until - now().from) * share);
}

/** Jumps to a window; the old one can be had back. */
export function setWindow(from: SimTime, until: SimTime, follow = false): void {
  const view = { ...now(), from: Math.max(0, from), until: Math.max(from + 50, until) };
  viewportStore.setState((state) => ({ view, follow, past: [...state.past.slice(-19), state.view] }));
}

/** Moves the window's edges while a handle is dragged. */
export function dragWindow(from: SimTime, until: SimTime): void {
  if (until - from >= 50) viewportStore.setState({ view: { ...now(), from: Math.max(0, from), until }, follow: false });
}

export function fitAll(untilMs: SimTime): void {
  setWindow(0, Math.max(10_000, untilMs * 1.02), true);
}

/** The first window of a film: all of it, or the first two minutes. */
export function firstWindow(untilMs: SimTime): void {
  const until = untilMs > 0 && untilMs * 1.02 < firstMs ? Math.max(20_000, untilMs * 1.02) : firstMs;
  viewportStore.setState({ view: { ...now(), from: 0, until }, follow: true, range: undefined, past: [] });
}

export function zoomBack(): void {
  const last = viewportStore.getState().past.at(-1);
  if (last !== undefined) viewportStore.setState((state) => ({ view: { ...last, widthPx: state.view.widthPx }, past: state.past.slice(0, -1), follow: false }));
}

/** Puts the playhead into the middle. */
export function centreOn(at: SimTime): void {
  const half = (now().until - now().from) / 2;
  viewportStore.setState({ view: panBy({ ...now() }, at - half - now().from), follow: true });
}

/** Called when the cursor moved: slides while playing, jumps only as far as needed while stepping. */
export function followCursor(cursor: SimTime, playing: boolean): void {
  const { view, follow } = viewportStore.getState();
  if (playing && !follow) return;
  const next = playing ? following(view, cursor) : showing(view, cursor);
  if (next !== view) viewportStore.setState({ view: next });
}

export function setFollow(follow: boolean): void {
  viewportStore.setState({ follow });
}

export function setRange(range: readonly [SimTime, SimTime] | undefined): void {
  viewportStore.setState({ range: range === undefined ? undefined : [Math.min(...range), Math.max(...range)] });
}
