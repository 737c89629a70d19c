import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { SimTime } from '../../sim/time.ts';
import { film } from './film.ts';
import { podOfLane, selectionStore } from './selection.ts';
import { setFollow } from './viewport.ts';

export interface PlaybackState {
  cursor: SimTime;
  playing: boolean;
  /** Simulated per real second. */
  speed: number;
  skipIdle: boolean;
  /** Goes on past the end of the film. */
  live: boolean;
}

/** Steps of the speed key, 1/100 to 1000, on a logarithmic scale. */
export const speeds: readonly number[] = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];

export const playbackStore = createStore<PlaybackState>()(() => ({ cursor: 0, playing: false, speed: 1, skipIdle: true, live: false }));

export function usePlayback<T>(select: (state: PlaybackState) => T): T {
  return useStore(playbackStore, select);
}

export const useCursor = (): SimTime => usePlayback((state) => state.cursor);

/** Words and tables need not change with every frame: while playing, the cursor in steps that come eight times a second. */
export function useCalmCursor(): SimTime {
  return usePlayback((state) => {
    if (!state.playing) return state.cursor;
    const step = Math.max(100, 125 * state.speed);
    return Math.floor(state.cursor / step) * step;
  });
}

export const cursor = (): SimTime => playbackStore.getState().cursor;

/** The end of what can be shown: the simulated head. */
export const liveEdge = (): SimTime => film().head;

export function seek(at: SimTime): void {
  playbackStore.setState({ cursor: Math.round(Math.max(0, Math.min(at, Math.max(liveEdge(), cursor())))), live: false });
}

export function play(): void {
  const { untilMs } = film();
  playbackStore.setState((state) => ({ playing: true, live: state.live || (untilMs > 0 && state.cursor >= untilMs) }));
}

export function pause(): void {
  playbackStore.setState({ playing: false });
}

export function togglePlay(): void {
  if (playbackStore.getState().playing) pause();
  else play();
}

export function setSpeed(speed: number): void {
  playbackStore.setState({ speed: Math.min(1000, Math.max(0.01, speed)) });
}

export function changeSpeed(by: 1 | -1): void {
  const { speed } = playbackStore.getState();
  const next = by > 0 ? speeds.find((value) => value > speed * 1.001) : speeds.findLast((value) => value < speed * 0.999);
  if (next !== undefined) setSpeed(next);
}

export function setSkipIdle(skipIdle: boolean): void {
  playbackStore.setState({ skipIdle });
}

export type StepKind = 'moment' | 'transition' | 'selected';

/** To the next or previous visible moment; of the selected pod if it has one. A step pauses. */
export function step(direction: 1 | -1, kind: StepKind = 'moment'): void {
  const current = film();
  const at = cursor();
  const podUid = kind === 'moment' ? undefined : podOfLane(selectionStore.getState().lane);
  const target = direction > 0
    ? kind === 'transition' ? current.nextTransition(at, podUid) : current.nextMoment(at, podUid)
    : kind === 'transition' ? current.previousTransition(at, podUid) : current.previousMoment(at, podUid);
  pause();
  setFollow(true);
  if (target !== undefined) seek(target);
  else if (direction > 0) seek(liveEdge());
}

export function toStart(): void {
  pause();
  setFollow(true);
  seek(0);
}

export function toEnd(): void {
  pause();
  setFollow(true);
  seek(liveEdge());
}

/** To the newest moment, and on from there. */
export function goLive(): void {
  setFollow(true);
  playbackStore.setState({ cursor: Math.round(liveEdge()), playing: true, live: true });
}
