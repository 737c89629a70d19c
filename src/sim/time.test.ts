import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { civilTime, defaultEpochMs, formatRfc3339, formatRfc3339Micro, parseRfc3339 } from './time.ts';

describe('time', () => {
  it('starts on a Monday morning', () => {
    expect(formatRfc3339(defaultEpochMs)).toBe('2026-01-05T09:00:00Z');
    expect(civilTime(defaultEpochMs).weekday).toBe(1);
  });

  it('formats as the platform does', () => {
    fc.assert(fc.property(fc.integer({ min: 0, max: 4_102_444_800_000 }), (ms) => {
      expect(formatRfc3339(ms)).toBe(`${new Date(ms).toISOString().slice(0, 19)}Z`);
      expect(formatRfc3339Micro(ms)).toBe(new Date(ms).toISOString().replace('Z', '000Z'));
      expect(civilTime(ms).weekday).toBe(new Date(ms).getUTCDay());
    }));
  });

  it('reads what it writes, and offsets', () => {
    fc.assert(fc.property(fc.integer({ min: 0, max: 4_102_444_800_000 }), (ms) => {
      expect(parseRfc3339(formatRfc3339Micro(ms))).toBe(ms);
    }));
    expect(parseRfc3339('2026-01-05T17:00:00+08:00')).toBe(defaultEpochMs);
    expect(parseRfc3339('yesterday')).toBeUndefined();
  });
});
