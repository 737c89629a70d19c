import { civilTime } from '../../../../sim/time.ts';

/** Which values each of the five fields allows. */
export interface Schedule {
  minutes: Set<number>;
  hours: Set<number>;
  days: Set<number>;
  months: Set<number>;
  weekdays: Set<number>;
  /** Both day fields are given: either may match. */
  either: boolean;
}

const aliases: Record<string, string> = {
  '@yearly': '0 0 1 1 *', '@annually': '0 0 1 1 *', '@monthly': '0 0 1 * *', '@weekly': '0 0 * * 0', '@daily': '0 0 * * *', '@midnight': '0 0 * * *', '@hourly': '0 * * * *',
};
const monthNames = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const dayNames = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

function field(text: string, low: number, high: number, names: readonly string[] = [], offset = 0): Set<number> | undefined {
  const values = new Set<number>();
  const number = (word: string): number => {
    const named = names.indexOf(word.toLowerCase());
    return named >= 0 ? named + offset : /^\d+$/.test(word) ? Number(word) : NaN;
  };
  for (const part of text.split(',')) {
    const [range = '', stepText] = part.split('/');
    const step = stepText === undefined ? 1 : Number(stepText);
    const [firstText = '', lastText] = range.split('-');
    const any = range === '*' || range === '?';
    const first = any ? low : number(firstText);
    const last = any ? high : lastText !== undefined ? number(lastText) : stepText === undefined ? first : high;
    if (!(first >= low && last <= high && first <= last && step >= 1)) return undefined;
    for (let value = first; value <= last; value += step) values.add(value);
  }
  return values;
}

/** Upstream: robfig/cron ParseStandard. Undefined: not a schedule. */
export function parseSchedule(text: string): Schedule | undefined {
  const parts = (aliases[text.trim()] ?? text).trim().split(/\s+/);
  if (parts.length !== 5) return undefined;
  const [minute = '', hour = '', day = '', month = '', weekday = ''] = parts;
  const minutes = field(minute, 0, 59);
  const hours = field(hour, 0, 23);
  const days = field(day, 1, 31);
  const months = field(month, 1, 12, monthNames, 1);
  const weekdays = field(weekday, 0, 6, dayNames);
  if (minutes === undefined || hours === undefined || days === undefined || months === undefined || weekdays === undefined) return undefined;
  const star = (part: string) => part.startsWith('*') || part === '?';
  return { minutes, hours, days, months, weekdays, either: !star(day) && !star(weekday) };
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** The first time after `afterMs` (milliseconds since the epoch, UTC), within five years. */
export function nextTime({ minutes, hours, days, months, weekdays, either }: Schedule, afterMs: number): number | undefined {
  let at = (Math.floor(afterMs / minuteMs) + 1) * minuteMs;
  const end = afterMs + 5 * 366 * dayMs;
  while (at < end) {
    const { month, day, weekday, hour, minute } = civilTime(at);
    const dayFits = either ? days.has(day) || weekdays.has(weekday) : days.has(day) && weekdays.has(weekday);
    if (!months.has(month) || !dayFits) at = (Math.floor(at / dayMs) + 1) * dayMs;
    else if (!hours.has(hour)) at = (Math.floor(at / hourMs) + 1) * hourMs;
    else if (!minutes.has(minute)) at += minuteMs;
    else return at;
  }
  return undefined;
}
