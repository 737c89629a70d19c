import { resolvePlain } from './values.ts';

/** Plain data as YAML, as 'kubectl -o yaml' prints it: keys in natural order, lists no deeper than their key, lines folded after 80 columns. Upstream: go.yaml.in/yaml/v2 emitterc.go, encode.go, sorter.go. */
export function printYaml(value: unknown): string {
  return `${print(value, 0, 0, false).slice(1)}\n`;
}

const isMap = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
const isFilled = (value: unknown): boolean => Array.isArray(value) ? value.length > 0 : isMap(value) && Object.keys(value).length > 0;

/** What follows a key's colon or an item's dash: ' text' on the same line, or lines of their own that begin with a line break. */
function print(value: unknown, indent: number, column: number, inMap: boolean): string {
  if (Array.isArray(value) && value.length > 0) {
    const depth = inMap ? Math.max(0, indent - 2) : indent;
    return lines(value.map((item) => `-${inline(print(item, depth + 2, depth + 2, false), depth + 2)}`), depth);
  }
  if (isMap(value) && isFilled(value)) {
    return lines(Object.keys(value).sort(compareNatural).filter((key) => value[key] !== undefined).map((key) => {
      const shown = scalar(key, 0, undefined);
      return `${shown}:${print(value[key], indent + 2, indent + shown.length + 2, true)}`;
    }), indent);
  }
  if (Array.isArray(value)) return ' []';
  if (isMap(value)) return ' {}';
  return ` ${typeof value === 'string' ? scalar(value, Math.max(2, indent), column) : String(value)}`;
}

const lines = (entries: string[], indent: number): string => entries.map((entry) => `\n${' '.repeat(indent)}${entry}`).join('');

/** A collection within a list begins on the dash's line. */
const inline = (text: string, indent: number): string => text.startsWith('\n') ? ` ${text.slice(1 + indent)}` : text;

const printable = /^[\n -~\u00a0-\ud7ff\ue000-\ufefe\uff00-\ufffd]*$/;
const timestamp = /^\d{4}-\d{1,2}-\d{1,2}(?:[Tt]\d{1,2}:\d{1,2}:\d{1,2}(?:\.\d+)?(?:Z|[-+]\d\d:\d\d)| \d{1,2}:\d{1,2}:\d{1,2}(?:\.\d+)?)?$/;
const base60 = /^[-+]?\d[\d_]*(?::[0-5]?\d)+(?:\.[\d_]*)?$/;
const notPlain = /^(?:[#,[\]{}&*!|>'"%@`]|[?:-](?:[ \t\n]|$)|---|\.\.\.)|:(?:[ \t\n]|$)|[ \t\n]#|^[ \n]|[ \n]$/;

/** column: where the text begins; undefined for a key, which stays on one line. */
function scalar(text: string, indent: number, column: number | undefined): string {
  const breaksWell = !/ \n/.test(text) && printable.test(text);
  if (text.includes('\n')) {
    if (column === undefined || !breaksWell || text.endsWith(' ')) return foldQuoted(escape(text), indent, column);
    const hints = (/^[ \n]/.test(text) ? '2' : '') + (text.endsWith('\n') ? (text === '\n' || text.endsWith('\n\n') ? '+' : '') : '-');
    const body = text.replace(/\n$/, '').split('\n').map((line) => line === '' ? '' : ' '.repeat(indent) + line);
    return `|${hints}\n${body.join('\n')}`;
  }
  if (typeof resolvePlain(text) !== 'string' || timestamp.test(text) || base60.test(text) || !breaksWell) return foldQuoted(escape(text), indent, column);
  if (!notPlain.test(text)) return fold(text, indent, column);
  return fold(`'${text.replaceAll("'", "''")}'`, indent, column);
}

const names: Record<string, string> = { '\0': '0', '\x07': 'a', '\b': 'b', '\t': 't', '\n': 'n', '\v': 'v', '\f': 'f', '\r': 'r', '\x1b': 'e', '"': '"', '\\': '\\', '\u0085': 'N', '\u2028': 'L', '\u2029': 'P' };

function escape(text: string): string[] {
  return Array.from(text, (char) => {
    if (Object.hasOwn(names, char)) return `\\${names[char]}`;
    if (printable.test(char)) return char;
    const code = char.codePointAt(0) as number;
    const [letter, width] = code <= 0xff ? ['x', 2] : code <= 0xffff ? ['u', 4] : ['U', 8];
    return `\\${letter}${code.toString(16).toUpperCase().padStart(width as number, '0')}`;
  });
}

/** Breaks the line at single spaces beyond column 80. */
function fold(text: string, indent: number, column: number | undefined): string {
  if (column === undefined) return text;
  let [at, out, spaced] = [column, '', false];
  const chars = Array.from(text);
  chars.forEach((char, index) => {
    if (char === ' ' && !spaced && at > 80 && index > 0 && index < chars.length - 1 && chars[index + 1] !== ' ') {
      out += `\n${' '.repeat(indent)}`;
      at = indent;
    } else {
      out += char;
      at += 1;
    }
    spaced = char === ' ';
  });
  return out;
}

function foldQuoted(chars: string[], indent: number, column: number | undefined): string {
  let [at, out, spaced] = [(column ?? 0) + 1, '"', false];
  chars.forEach((char, index) => {
    const breaks = column !== undefined && char === ' ' && !spaced && at > 80 && index > 0 && index < chars.length - 1;
    const written = breaks ? `\n${' '.repeat(indent)}${chars[index + 1] === ' ' ? '\\' : ''}` : char;
    out += written;
    at = breaks ? written.length - 1 : at + written.length;
    spaced = char === ' ';
  });
  return `${out}"`;
}

const isLetter = (char: string): boolean => /\p{L}/u.test(char);
const isDigit = (char: string | undefined): boolean => char !== undefined && /\p{Nd}/u.test(char);

/** Letters after other characters, runs of digits by their number. */
function compareNatural(a: string, b: string): number {
  const [left, right] = [Array.from(a), Array.from(b)];
  let at = 0;
  while (at < left.length && at < right.length && left[at] === right[at]) at += 1;
  const [l, r] = [left[at], right[at]];
  if (l === undefined || r === undefined) return left.length - right.length;
  const order = (l.codePointAt(0) as number) - (r.codePointAt(0) as number);
  if (isLetter(l) && isLetter(r)) return order;
  if (isLetter(l) || isLetter(r)) return isLetter(r) ? -1 : 1;
  const leading = l === '0' || r === '0' ? leadingDigit(left, at) : '';
  const run = (chars: string[]): string => {
    let end = at;
    while (isDigit(chars[end])) end += 1;
    return chars.slice(at, end).join('');
  };
  const [x, y] = [run(left), run(right)];
  return Number(leading + x) - Number(leading + y) || x.length - y.length || order;
}

function leadingDigit(chars: string[], at: number): string {
  for (let index = at - 1; index >= 0 && isDigit(chars[index]); index -= 1) if (chars[index] !== '0') return '1';
  return '';
}
