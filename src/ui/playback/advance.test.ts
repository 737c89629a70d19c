import { describe, expect, it } from 'vitest';
import { advance, horizon, type Tick } from './advance.ts';

const tick = (more: Partial<Tick>): Tick => ({ cursor: 1000, playing: true, live: false, speed: 1, skipIdle: false, realMs: 16, restedMs: 0, head: 60_000, untilMs: 60_000, next: undefined, nextEventAt: undefined, ...more });

describe('the playhead', () => {
  it('moves by real time times speed', () => {
    expect(advance(tick({ realMs: 20, speed: 5 }))).toEqual({ cursor: 1100, playing: true });
  });

  it('waits at what is not simulated yet', () => {
    expect(advance(tick({ head: 1005 }))).toEqual({ cursor: 1005, playing: true });
  });

  it('stops once at the end of the film, and goes on past it when it is live', () => {
    expect(advance(tick({ cursor: 59_990 }))).toEqual({ cursor: 60_000, playing: false });
    expect(advance(tick({ cursor: 60_000, head: 70_000, live: true }))).toEqual({ cursor: 60_016, playing: true });
  });

  it('skips a long gap after a rest, and comes in shortly before the next moment', () => {
    expect(advance(tick({ skipIdle: true, next: 20_000, restedMs: 100 })).cursor).toBe(1016);
    expect(advance(tick({ skipIdle: true, next: 20_000, restedMs: 1000 })).cursor).toBe(19_500);
    expect(advance(tick({ skipIdle: true, next: 2500, restedMs: 1000 })).cursor).toBe(1016);
  });
});

describe('the horizon', () => {
  const state = { cursor: 1000, speed: 1, playing: true, live: false, skipIdle: false };

  it('is the whole film at first', () => {
    expect(horizon(state, 60_000)).toBe(60_000);
  });

  it('stays a little ahead of the playhead beyond the film, in steps', () => {
    const at = horizon({ ...state, cursor: 61_000, live: true }, 60_000);
    expect(at).toBeGreaterThanOrEqual(64_000);
    expect(horizon({ ...state, cursor: 61_016, live: true }, 60_000)).toBe(at);
    expect(horizon({ ...state, cursor: 61_000, playing: false }, 60_000)).toBe(61_000);
  });
});
