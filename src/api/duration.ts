/** Go's durations ('1h2m3.5s') and kubectl's ages ('2m5s', '3d4h'). */

const unitMs: Readonly<Record<string, number>> = { ns: 1e-6, us: 1e-3, 'µs': 1e-3, 'μs': 1e-3, ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** Milliseconds of a Go duration; undefined where time.ParseDuration refuses. */
export function parseDuration(text: string): number | undefined {
  if (text === '0' || text === '+0' || text === '-0') return 0;
  const match = /^([+-]?)((?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)$/.exec(text);
  if (match === null) return undefined;
  let total = 0;
  for (const part of (match[2] as string).matchAll(/(\d+\.?\d*|\.\d+)(ns|us|µs|μs|ms|s|m|h)/g)) {
    total += Number(part[1]) * (unitMs[part[2] as string] as number);
  }
  return match[1] === '-' ? -total : total;
}

const trimmed = (value: number, digits: number) => value.toFixed(digits).replace(/\.?0+$/, '');

/** As Go's Duration.String prints it: '1m20s', '1.5s', '40ms', '0s'. */
export function formatDuration(ms: number): string {
  if (ms === 0) return '0s';
  if (ms < 0) return `-${formatDuration(-ms)}`;
  if (ms < 0.001) return `${Math.round(ms * 1e6)}ns`;
  if (ms < 1) return `${trimmed(ms * 1000, 3)}µs`;
  if (ms < 1000) return `${trimmed(ms, 6)}ms`;
  const minutes = Math.floor(ms / 60_000);
  const rest = `${trimmed((ms - minutes * 60_000) / 1000, 9)}s`;
  if (minutes === 0) return rest;
  return minutes < 60 ? `${minutes}m${rest}` : `${Math.floor(minutes / 60)}h${minutes % 60}m${rest}`;
}

const pair = (large: number, largeUnit: string, small: number, smallUnit: string) =>
  small === 0 ? `${large}${largeUnit}` : `${large}${largeUnit}${small}${smallUnit}`;

/** An age as kubectl prints it. Upstream: apimachinery pkg/util/duration HumanDuration. */
export function humanDuration(ms: number): string {
  const seconds = Math.trunc(ms / 1000);
  if (seconds < -1) return '<invalid>';
  if (seconds < 0) return '0s';
  if (seconds < 120) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 10) return pair(minutes, 'm', seconds % 60, 's');
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.floor(minutes / 60);
  if (hours < 8) return pair(hours, 'h', minutes % 60, 'm');
  if (hours < 48) return `${hours}h`;
  const days = Math.floor(hours / 24);
  if (hours < 192) return pair(days, 'd', hours % 24, 'h');
  if (days < 730) return `${days}d`;
  if (days < 2920) return pair(Math.floor(days / 365), 'y', days % 365, 'd');
  return `${Math.floor(days / 365)}y`;
}
