import { describe, expect, it } from 'vitest';
import { formatRfc3339, parseRfc3339 } from '../../../../sim/time.ts';
import { nextTime, parseSchedule, type Schedule } from './schedule.ts';

const from = parseRfc3339('2026-01-05T09:00:30Z') as number;
const next = (text: string) => formatRfc3339(nextTime(parseSchedule(text) as Schedule, from) ?? 0);

describe('schedules (C-46)', () => {
  it.each([
    ['* * * * *', '2026-01-05T09:01:00Z'], ['*/15 * * * *', '2026-01-05T09:15:00Z'], ['0 0 * * *', '2026-01-06T00:00:00Z'], ['30 2 * * sat', '2026-01-10T02:30:00Z'],
    ['0 12 1 feb-mar *', '2026-02-01T12:00:00Z'], ['@hourly', '2026-01-05T10:00:00Z'], ['5,35 8-10 * * 1-5', '2026-01-05T09:05:00Z'], ['0 0 29 2 *', '2028-02-29T00:00:00Z'],
    ['0 0 13 * fri', '2026-01-09T00:00:00Z'],
  ])('%s', (text, at) => expect(next(text)).toBe(at));

  it.each(['', '* * * *', '60 * * * *', '* * 0 * *', 'a * * * *', '*/0 * * * *'])('%s is none', (text) => expect(parseSchedule(text)).toBeUndefined());
});
