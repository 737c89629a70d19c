import { civilTime, type SimTime } from '../../sim/time.ts';

/** Words that the page finds in its messages, or a literal that Kubernetes prints and nobody translates. */
export type Said<K extends string = string> = string | { key: K; values?: Record<string, string | number> };

const pad = (value: number, width = 2) => String(Math.floor(value)).padStart(width, '0');

/** A moment: '01:41.3'; from one hour on '1:02:03.4'. Cut off, not rounded: a moment is never shown before it comes. */
export function clock(t: SimTime, decimals: 0 | 1 | 3 = 1): string {
  const whole = Math.max(0, t);
  const seconds = Math.floor(whole / 1000);
  const fraction = decimals === 0 ? '' : `.${pad(whole % 1000, 3).slice(0, decimals)}`;
  const hours = Math.floor(seconds / 3600);
  const rest = `${pad(Math.floor(seconds / 60) % 60)}:${pad(seconds % 60)}${fraction}`;
  return hours > 0 ? `${hours}:${rest}` : rest;
}

/** What is left of a wait, rounded up: '0:18'. */
export function left(ms: number): string {
  return minutes(Math.max(0, Math.ceil(ms / 1000)));
}

/** What has passed, rounded down: '1:22'. */
export function elapsed(ms: number): string {
  return minutes(Math.max(0, Math.floor(ms / 1000)));
}

function minutes(seconds: number): string {
  const hours = Math.floor(seconds / 3600);
  return hours > 0 ? `${hours}:${pad(Math.floor(seconds / 60) % 60)}:${pad(seconds % 60)}` : `${Math.floor(seconds / 60)}:${pad(seconds % 60)}`;
}

/** Time of day in UTC: '09:41:41'. */
export function wall(t: SimTime, epochMs: number): string {
  const c = civilTime(epochMs + t);
  return `${pad(c.hour)}:${pad(c.minute)}:${pad(c.second)}`;
}

/** A length as Go prints durations, to the second: '10s', '1m20s', '5m0s'. */
export function goDuration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds}s`;
  const rest = `${Math.floor(seconds / 60) % 60}m${seconds % 60}s`;
  return seconds < 3600 ? rest : `${Math.floor(seconds / 3600)}h${rest}`;
}

/** A length for reading: '300 ms', '2.6 s', '31 s', '1m20s'. */
export function length(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 9950) return `${trim(ms / 1000)} s`;
  return ms < 60_000 ? `${Math.round(ms / 1000)} s` : goDuration(ms);
}

/** At most one decimal, none if it is zero: '2.5', '4'. */
export function trim(value: number): string {
  const text = value.toFixed(1);
  return text.endsWith('.0') ? text.slice(0, -2) : text;
}

/** A message with its values put in: 'retry in {left}'. Literals pass through. With a count of one, 'restarts-one' goes before 'restarts'. */
export function say<K extends string>(messages: Readonly<Record<K, string>>, said: Said<K>): string {
  if (typeof said === 'string') return said;
  const { values } = said;
  const single = values?.count === 1 ? (messages as Readonly<Record<string, string | undefined>>)[`${said.key}-one`] : undefined;
  const template: string = single ?? messages[said.key];
  return values === undefined ? template : template.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

/**
 * A generated pod name for a narrow place: of the template's hash only the first letters stay, the suffix that tells siblings apart stays whole:
 * 'web-65b94647c5-rv9xk' is 'web-65b…rv9xk'. Two parts, so that what is still too long is cut before the suffix.
 */
export function splitName(name: string, hashLetters = 3): readonly [head: string, tail: string] {
  const generated = /^(.+)-([a-z0-9]{8,10})-([a-z0-9]{5})$/.exec(name);
  if (generated !== null) return [`${generated[1] ?? ''}${hashLetters === 0 ? '' : `-${(generated[2] ?? '').slice(0, hashLetters)}`}`, `…${generated[3] ?? ''}`];
  const at = name.lastIndexOf('-');
  return at <= 0 || name.length - at > 16 ? [name, ''] : [name.slice(0, at), name.slice(at)];
}
