import { compareText } from '../../sim/plain.ts';
import { duplicate, forbidden, invalid, notSupported, required, type FieldError } from './field-error.ts';

/** The small checks that all kinds share. Each adds to the list what it finds. */
export type Errors = FieldError[];

/** One error for each text that a rule gives for the value. */
export function ruled(errors: Errors, path: string, value: string, rule: (text: string) => string[]): boolean {
  const problems = rule(value);
  for (const problem of problems) errors.push(invalid(path, value, problem));
  return problems.length === 0;
}

/** The same for a field that must be there. */
export function named(errors: Errors, path: string, value: string | undefined, rule: (text: string) => string[]): void {
  if (value === undefined || value === '') errors.push(required(path));
  else ruled(errors, path, value, rule);
}

export function present(errors: Errors, path: string, value: unknown, detail = ''): boolean {
  const missing = value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
  if (missing) errors.push(required(path, detail));
  return !missing;
}

/** Fields that may not be empty: 'server path'. */
export function allPresent(errors: Errors, path: string, object: object, fields: string): void {
  for (const field of fields.split(' ')) present(errors, `${path}.${field}`, (object as Record<string, unknown>)[field]);
}

/** A value of a set; '' counts as absent and is required. `sorted`: the texts list them sorted. */
export function oneOf(errors: Errors, path: string, value: string | undefined, supported: readonly string[], sorted = true): boolean {
  if (value !== undefined && supported.includes(value)) return true;
  errors.push(value === undefined || value === '' ? required(path) : notSupported(path, value, supported, sorted));
  return false;
}

/** A value of a set, where an empty text is just as wrong as any other, and absence is fine. */
export function ifOneOf(errors: Errors, path: string, value: string | undefined, supported: readonly string[], sorted = true): void {
  if (value !== undefined && !supported.includes(value)) errors.push(notSupported(path, value, supported, sorted));
}

export const negativeProblem = 'must be greater than or equal to 0';
export const positiveProblem = 'must be greater than zero';

export function notNegative(errors: Errors, path: string, value: number | undefined): void {
  if (value !== undefined && value < 0) errors.push(invalid(path, value, negativeProblem));
}

export function positive(errors: Errors, path: string, value: number | undefined): void {
  if (value !== undefined && value <= 0) errors.push(invalid(path, value, positiveProblem));
}

export function within(errors: Errors, path: string, value: number | undefined, low: number, high: number): void {
  if (value !== undefined && (value < low || value > high)) errors.push(invalid(path, value, `must be between ${low} and ${high}, inclusive`));
}

/** The first time a key comes it is remembered, then it is a duplicate. */
export function unique(errors: Errors, path: string, value: string, seen: Set<string>): boolean {
  if (seen.has(value)) {
    errors.push(duplicate(path, value));
    return false;
  }
  seen.add(value);
  return true;
}

/** At most one of the members of a union; `check` runs for the first. The number that is set. */
export function oneMember(errors: Errors, path: string, object: object, members: readonly string[], what: string, check: (member: string) => void): number {
  let count = 0;
  for (const member of members) {
    if ((object as Record<string, unknown>)[member] === undefined) continue;
    if (count > 0) errors.push(forbidden(`${path}.${member}`, `may not specify more than 1 ${what}`));
    else check(member);
    count += 1;
  }
  return count;
}

/** Entries of a map in the order of their keys: Go's own order is random. */
export function sortedEntries<V>(map: Readonly<Record<string, V>> | undefined): [string, V][] {
  return Object.entries(map ?? {}).sort((a, b) => compareText(a[0], b[0]));
}

/** The same map with its keys sorted, as Go prints maps. */
export const sortedMap = <V>(map: Readonly<Record<string, V>> | undefined): Record<string, V> | undefined => (map === undefined ? undefined : Object.fromEntries(sortedEntries(map)));

const ipv4 = /^(25[0-5]|2[0-4]\d|1?\d?\d)(\.(25[0-5]|2[0-4]\d|1?\d?\d)){3}$/;

/** Upstream: validation.IsValidIPForLegacyField. Leading zeros of IPv4 parts are let through as Go's old parser did. */
export function isIp(text: string): boolean {
  return ipv4.test(text.replace(/(^|\.)0+(?=\d)/g, '$1')) || isIpv6(text);
}

export function isIpv6(text: string): boolean {
  if (!text.includes(':') || !/^[0-9a-fA-F:.]+$/.test(text)) return false;
  const halves = text.split('::');
  if (halves.length > 2) return false;
  const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')));
  const last = groups.at(-1);
  const tail = last !== undefined && last.includes('.');
  if (tail && !ipv4.test(last)) return false;
  if (!(tail ? groups.slice(0, -1) : groups).every((group) => /^[0-9a-fA-F]{1,4}$/.test(group))) return false;
  const count = groups.length + (tail ? 1 : 0);
  return halves.length === 2 ? count < 8 : count === 8;
}

export function ipRule(text: string): string[] {
  return isIp(text) ? [] : ['must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'];
}
