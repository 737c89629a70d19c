/** Whole milliseconds since the start of the film. Time zero is a wall-clock instant that the scenario names. */
export type SimTime = number;

/** 2026-01-05T09:00:00Z, a Monday morning: ages, timestamps and cron schedules read naturally. */
export const defaultEpochMs = 1_767_603_600_000;

export const second = 1000;
export const minute = 60 * second;
export const hour = 60 * minute;

const dayMs = 24 * hour;

/** Days since 1970-01-01 of a civil date (proleptic Gregorian), after Howard Hinnant's public-domain algorithm. */
function daysFromCivil(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

export interface CivilTime {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
  millisecond: number;
  /** 0 is Sunday. */
  weekday: number;
}

/** UTC calendar fields of milliseconds since the Unix epoch. */
export function civilTime(epochMs: number): CivilTime {
  const days = Math.floor(epochMs / dayMs);
  const rest = epochMs - days * dayMs;
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9;
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1,
    hour: Math.floor(rest / hour),
    minute: Math.floor(rest / minute) % 60,
    second: Math.floor(rest / second) % 60,
    millisecond: rest % second,
    weekday: (((days + 4) % 7) + 7) % 7,
  };
}

const pad = (value: number, width: number) => String(value).padStart(width, '0');

/** RFC 3339 in UTC with whole seconds, as metav1.Time prints: '2026-01-05T09:00:00Z'. */
export function formatRfc3339(epochMs: number): string {
  const seconds = Math.floor(epochMs / second);
  if (seconds === lastSeconds) return lastText;
  const c = civilTime(epochMs);
  lastSeconds = seconds;
  return (lastText = `${pad(c.year, 4)}-${pad(c.month, 2)}-${pad(c.day, 2)}T${pad(c.hour, 2)}:${pad(c.minute, 2)}:${pad(c.second, 2)}Z`);
}

/** The second that was asked for last: most questions are about the present. */
let lastSeconds = NaN;
let lastText = '';

/** As metav1.MicroTime prints: '2026-01-05T09:00:00.012000Z'. */
export function formatRfc3339Micro(epochMs: number): string {
  return `${formatRfc3339(epochMs).slice(0, -1)}.${pad(epochMs - Math.floor(epochMs / second) * second, 3)}000Z`;
}

const rfc3339 = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d+))?(Z|([+-])(\d\d):(\d\d))$/;

/** Milliseconds since the Unix epoch of an RFC 3339 text, or undefined if it is none. Fractions below a millisecond are cut off. */
export function parseRfc3339(text: string): number | undefined {
  const match = rfc3339.exec(text);
  if (match === null) return undefined;
  const field = (index: number) => Number(match[index] ?? 0);
  const days = daysFromCivil(field(1), field(2), field(3));
  const fraction = Number((match[7] ?? '').padEnd(3, '0').slice(0, 3));
  const offset = (field(10) * hour + field(11) * minute) * (match[9] === '-' ? -1 : 1);
  return days * dayMs + field(4) * hour + field(5) * minute + field(6) * second + fraction - offset;
}
