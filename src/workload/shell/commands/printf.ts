import { unescape } from '../words.ts';

/** printf(1): the format is used again while arguments are left. */
export function format(pattern: string, values: readonly string[]): { text: string; problem?: string } {
  let text = '';
  let next = 0;
  let problem: string | undefined;
  do {
    const before = next;
    text += pattern.replace(/\\(?:x[0-9a-fA-F]{1,2}|[0-7]{1,3}|.)|%(%|([-+0 #]*)(\*|\d+)?(?:\.(\*|\d+))?([a-zA-Z]))/gs, (whole, spec: string | undefined, flags: string, width: string | undefined, precision: string | undefined, kind: string) => {
      if (spec === undefined) return unescape(whole);
      if (spec === '%') return '%';
      const size = width === '*' ? Number(values[next++] ?? 0) : Number(width ?? 0);
      const digits = precision === '*' ? Number(values[next++] ?? 0) : precision === undefined ? undefined : Number(precision);
      const value = values[next++] ?? '';
      const [shown, bad] = convert(kind, value, digits, flags);
      if (bad) problem ??= `invalid number '${value}'`;
      return pad(shown, size, flags, kind);
    });
    if (next === before) break;
  } while (next < values.length);
  return { text, ...(problem === undefined ? {} : { problem }) };
}

function pad(text: string, size: number, flags: string, kind: string): string {
  if (flags.includes('-')) return text.padEnd(size);
  if (!flags.includes('0') || kind === 's') return text.padStart(size);
  const sign = /^[-+]/.exec(text)?.[0] ?? '';
  return sign + text.slice(sign.length).padStart(size - sign.length, '0');
}

function convert(kind: string, value: string, digits: number | undefined, flags: string): [text: string, bad: boolean] {
  if (kind === 's') return [digits === undefined ? value : value.slice(0, digits), false];
  if (kind === 'b') return [unescape(value), false];
  if (kind === 'q') return [/^[\w./-]+$/.test(value) ? value : `'${value}'`, false];
  if (kind === 'c') return [value.charAt(0), false];
  const number = /^['"]/.test(value) ? value.charCodeAt(1) : value === '' ? 0 : Number(value);
  const bad = Number.isNaN(number);
  const whole = bad ? 0 : Math.trunc(number);
  const plus = flags.includes('+') && number >= 0 ? '+' : '';
  switch (kind) {
    case 'd':
    case 'i':
    case 'u':
      return [plus + String(whole).padStart(digits ?? 0, '0'), bad];
    case 'x':
      return [(flags.includes('#') ? '0x' : '') + whole.toString(16), bad];
    case 'X':
      return [whole.toString(16).toUpperCase(), bad];
    case 'o':
      return [whole.toString(8), bad];
    case 'e':
      return [number.toExponential(digits ?? 6).replace(/e([-+])(\d)$/, 'e$10$2'), bad];
    case 'g':
      return [String(Number(number.toPrecision(digits ?? 6))), bad];
    default:
      return [plus + (bad ? 0 : number).toFixed(digits ?? 6), bad];
  }
}
