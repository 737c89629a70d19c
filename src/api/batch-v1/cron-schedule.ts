/** Cron schedules of five fields. Upstream: github.com/robfig/cron/v3 ParseStandard. Times are UTC milliseconds; zones are the caller's. */

export interface CronSchedule {
  /** One flag a value; bit i stands for value i. */
  minute: bigint;
  hour: bigint;
  dayOfMonth: bigint;
  month: bigint;
  dayOfWeek: bigint;
  /** '*' in a day field: then the other one alone decides. */
  anyDayOfMonth: boolean;
  anyDayOfWeek: boolean;
  /** '@every 5m': a fixed distance instead. */
  everyMs?: number;
}

interface Bounds {
  min: number;
  max: number;
  names?: Readonly<Record<string, number>>;
}

const named = (text: string, from: number) => Object.fromEntries(text.split(' ').map((name, index) => [name, index + from]));
const bounds: readonly Bounds[] = [
  { min: 0, max: 59 }, { min: 0, max: 23 }, { min: 1, max: 31 },
  { min: 1, max: 12, names: named('jan feb mar apr may jun jul aug sep oct nov dec', 1) },
  { min: 0, max: 6, names: named('sun mon tue wed thu fri sat', 0) },
];

const macros: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *', '@annually': '0 0 1 1 *', '@monthly': '0 0 1 * *', '@weekly': '0 0 * * 0', '@daily': '0 0 * * *', '@midnight': '0 0 * * *', '@hourly': '0 * * * *',
};

class CronError extends Error {}

function parseNumber(text: string, { names }: Bounds): number {
  const name = names?.[text.toLowerCase()];
  if (name !== undefined) return name;
  if (!/^[+-]?\d+$/.test(text)) throw new CronError(`failed to parse int from ${text}: strconv.Atoi: parsing "${text}": invalid syntax`);
  const value = Number(text);
  if (value < 0) throw new CronError(`negative number (${value}) not allowed: ${text}`);
  return value;
}

function parseRange(text: string, limit: Bounds): { bits: bigint; star: boolean } {
  const steps = text.split('/');
  const ends = (steps[0] as string).split('-');
  const star = ends[0] === '*' || ends[0] === '?';
  let start = limit.min;
  let end = limit.max;
  if (!star) {
    start = parseNumber(ends[0] as string, limit);
    if (ends.length > 2) throw new CronError(`too many hyphens: ${text}`);
    end = ends.length === 2 ? parseNumber(ends[1] as string, limit) : start;
  }
  let step = 1;
  if (steps.length === 2) {
    step = parseNumber(steps[1] as string, { min: 0, max: 0 });
    if (!star && ends.length === 1) end = limit.max;
  } else if (steps.length > 2) throw new CronError(`too many slashes: ${text}`);
  if (start < limit.min) throw new CronError(`beginning of range (${start}) below minimum (${limit.min}): ${text}`);
  if (end > limit.max) throw new CronError(`end of range (${end}) above maximum (${limit.max}): ${text}`);
  if (start > end) throw new CronError(`beginning of range (${start}) beyond end of range (${end}): ${text}`);
  if (step === 0) throw new CronError(`step of range should be a positive number: ${text}`);
  let bits = 0n;
  for (let value = start; value <= end; value += step) bits |= 1n << BigInt(value);
  return { bits, star: star && step === 1 };
}

function parseField(text: string, limit: Bounds): { bits: bigint; star: boolean } {
  const parts = text.split(',').filter((part) => part !== '').map((part) => parseRange(part, limit));
  return { bits: parts.reduce((all, part) => all | part.bits, 0n), star: parts.some((part) => part.star) };
}

/** The schedule, or the text of the real parser's error. */
export function parseCron(given: string): CronSchedule | string {
  let text = given;
  if (text === '') return 'empty spec string';
  const zone = /^(TZ|CRON_TZ)=\S* *(.*)$/s.exec(text);
  if (zone !== null) text = zone[2] as string;
  if (text.startsWith('@')) {
    const every = /^@every (?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?$/.exec(text);
    if (every !== null) {
      const [, h = '0', m = '0', s = '0'] = every;
      const everyMs = (Number(h) * 3600 + Number(m) * 60 + Number(s)) * 1000;
      return { minute: 0n, hour: 0n, dayOfMonth: 0n, month: 0n, dayOfWeek: 0n, anyDayOfMonth: true, anyDayOfWeek: true, everyMs: Math.max(1000, everyMs) };
    }
    const macro = macros[text];
    if (macro === undefined) return text.startsWith('@every ') ? `failed to parse duration ${text}: time: invalid duration "${text.slice(7)}"` : `unrecognized descriptor: ${text}`;
    text = macro;
  }
  const fields = text.trim().split(/\s+/);
  if (fields.length !== 5) return `expected exactly 5 fields, found ${fields.length}: [${fields.join(' ')}]`;
  try {
    const [minute, hour, dayOfMonth, month, dayOfWeek] = fields.map((field, index) => parseField(field, bounds[index] as Bounds));
    if (minute === undefined || hour === undefined || dayOfMonth === undefined || month === undefined || dayOfWeek === undefined) return 'empty spec string';
    return {
      minute: minute.bits, hour: hour.bits, dayOfMonth: dayOfMonth.bits, month: month.bits, dayOfWeek: dayOfWeek.bits,
      anyDayOfMonth: dayOfMonth.star, anyDayOfWeek: dayOfWeek.star,
    };
  } catch (error) {
    if (error instanceof CronError) return error.message;
    throw error;
  }
}

export function cronProblem(text: string): string | undefined {
  const parsed = parseCron(text);
  return typeof parsed === 'string' ? parsed : undefined;
}
