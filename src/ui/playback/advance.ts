import type { SimTime } from '../../sim/time.ts';

export interface Tick {
  cursor: SimTime;
  playing: boolean;
  live: boolean;
  speed: number;
  skipIdle: boolean;
  /** Real time since the last frame. */
  realMs: number;
  /** Real time since the last visible moment. */
  restedMs: number;
  head: SimTime;
  untilMs: SimTime;
  /** The next visible moment that is simulated. */
  next: SimTime | undefined;
  /** Nothing more happens by itself before this time. */
  nextEventAt: SimTime | undefined;
}

/** A gap longer than this on the viewer's clock is idle, ... */
const idleRealMs = 2500;
/** ... is shown for this long, ... */
const restRealMs = 900;
/** ... and is left this long before the next moment. */
const leadRealMs = 500;

/** Where the playhead stands after one frame. Pure: the same frames give the same film. */
export function advance(tick: Tick): { cursor: SimTime; playing: boolean } {
  const { cursor, speed, head, untilMs, live, realMs } = tick;
  const step = cursor + realMs * speed;
  const next = skipped(tick) ?? step;
  // The film has an end, where it stops once; play again goes on past it.
  if (!live && untilMs > 0 && cursor < untilMs && next >= untilMs) return { cursor: Math.min(untilMs, Math.max(head, cursor)), playing: head < untilMs };
  return { cursor: Math.max(cursor, Math.min(next, head)), playing: true };
}

function skipped({ cursor, speed, skipIdle, next, restedMs }: Tick): SimTime | undefined {
  if (!skipIdle || next === undefined || restedMs < restRealMs) return undefined;
  const target = next - leadRealMs * speed;
  return (next - cursor) / speed > idleRealMs && target > cursor ? target : undefined;
}

/** How far the engine should have simulated: the whole film at once, beyond it a little ahead of the playhead. */
export function horizon({ cursor, speed, playing, live, skipIdle }: Pick<Tick, 'cursor' | 'speed' | 'playing' | 'live' | 'skipIdle'>, untilMs: SimTime): SimTime {
  if (cursor < untilMs && !live) return untilMs;
  if (!playing) return cursor;
  const ahead = Math.max(2000, 3000 * speed);
  // In steps, so that not every frame asks.
  return Math.ceil((cursor + (skipIdle ? Math.max(ahead, 60_000) : ahead)) / (ahead / 2)) * (ahead / 2);
}
