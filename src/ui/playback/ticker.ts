import { film } from '../store/film.ts';
import { playbackStore } from '../store/playback.ts';
import { runTo } from '../store/session.ts';
import { advance, horizon, type Tick } from './advance.ts';

/** The only file that reads the wall clock: turns real frames into simulated time. */
export function startTicker(): () => void {
  let frame = 0;
  let last = performance.now();
  let fraction = 0;
  let restedSince = 0;
  const tick = (now: number) => {
    frame = requestAnimationFrame(tick);
    const realMs = Math.min(100, now - last);
    last = now;
    const state = playbackStore.getState();
    runTo(horizon(state, film().untilMs));
    if (!state.playing) {
      restedSince = now;
      return;
    }
    const current = film();
    const input: Tick = {
      ...state, cursor: state.cursor + fraction, realMs, head: current.head, untilMs: current.untilMs, restedMs: now - restedSince,
      next: current.nextMoment(state.cursor), nextEventAt: current.nextEventAt,
    };
    const after = advance(input);
    const cursor = Math.floor(after.cursor);
    fraction = after.cursor - cursor;
    if (current.previousMoment(cursor + 1) !== current.previousMoment(state.cursor + 1)) restedSince = now;
    if (cursor !== state.cursor || after.playing !== state.playing) playbackStore.setState({ cursor, playing: after.playing });
  };
  frame = requestAnimationFrame(tick);
  return () => cancelAnimationFrame(frame);
}
