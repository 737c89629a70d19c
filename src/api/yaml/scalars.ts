import { blanks, column, comment, indentOf, isBlank, isBlankOrEnd, isBreak, markAt, readBreak, skipWhile, type Cursor } from './cursor.ts';
import { YamlFault } from './fault.ts';

const fault = (cursor: Cursor, message: string): YamlFault => new YamlFault(message, cursor.line, true, cursor.pos);

/** Line breaks within a scalar: one is a space, more are kept without the first. */
const fold = (first: string, others: string): string => first === '\n' ? (others === '' ? ' ' : others) : first + others;

export function scanPlain(cursor: Cursor): { value: string; end: number } {
  const { text } = cursor;
  const least = indentOf(cursor) + 1;
  let [value, first, others, between, end] = ['', '', '', '', cursor.pos];
  let broken = false;
  while (markAt(cursor) === undefined && text[cursor.pos] !== '#') {
    const from = cursor.pos;
    while (!isBlankOrEnd(text[cursor.pos]) && !endsPlain(cursor)) cursor.pos += 1;
    if (cursor.pos > from) {
      value += (broken ? fold(first, others) : between) + text.slice(from, cursor.pos);
      [first, others, between, broken, end] = ['', '', '', false, cursor.pos];
    }
    if (!isBlank(text[cursor.pos]) && !isBreak(text[cursor.pos])) break;
    for (;;) {
      if (isBlank(text[cursor.pos])) {
        if (broken && column(cursor) < least && text[cursor.pos] === '\t') throw fault(cursor, 'found a tab character that violates indentation');
        if (!broken) between += text[cursor.pos];
        cursor.pos += 1;
      } else if (isBreak(text[cursor.pos])) {
        if (broken) others += readBreak(cursor);
        else [first, between, broken] = [readBreak(cursor), '', true];
      } else break;
    }
    if (cursor.flowLevel === 0 && column(cursor) < least) break;
  }
  if (broken) cursor.keyAllowed = true;
  return { value, end };
}

function endsPlain({ text, pos, flowLevel }: Cursor): boolean {
  const char = text[pos] as string;
  return (char === ':' && isBlankOrEnd(text[pos + 1])) || (flowLevel > 0 && ',?[]{}'.includes(char));
}

const escapes: Record<string, string> = {
  0: '\0', a: '\x07', b: '\b', t: '\t', '\t': '\t', n: '\n', v: '\v', f: '\f', r: '\r', e: '\x1b', ' ': ' ', '"': '"', "'": "'", '\\': '\\', N: '\u0085', _: '\u00a0', L: '\u2028', P: '\u2029',
};
const digits: Record<string, number> = { x: 2, u: 4, U: 8 };

export function scanQuoted(cursor: Cursor): string {
  const { text } = cursor;
  const from = cursor.pos;
  const quote = text[from] as string;
  cursor.pos += 1;
  let value = '';
  for (;;) {
    if (markAt(cursor) !== undefined) throw fault(cursor, 'found unexpected document indicator');
    if (cursor.pos >= text.length) throw new YamlFault('found unexpected end of stream', cursor.line, true, from);
    let joined = false;
    while (!isBlankOrEnd(text[cursor.pos])) {
      const char = text[cursor.pos] as string;
      if (char === quote) {
        if (quote === '"' || text[cursor.pos + 1] !== "'") break;
        value += "'";
        cursor.pos += 2;
      } else if (quote === '"' && char === '\\' && isBreak(text[cursor.pos + 1])) {
        cursor.pos += 1;
        readBreak(cursor);
        joined = true;
        break;
      } else if (quote === '"' && char === '\\') value += readEscape(cursor);
      else {
        value += char;
        cursor.pos += 1;
      }
    }
    if (text[cursor.pos] === quote && !joined) break;
    value += readGap(cursor, joined);
  }
  cursor.pos += 1;
  return value;
}

function readEscape(cursor: Cursor): string {
  const name = cursor.text[cursor.pos + 1] ?? '';
  const simple = Object.hasOwn(escapes, name) ? escapes[name] : undefined;
  const length = digits[name];
  if (simple === undefined && length === undefined) throw fault(cursor, 'found unknown escape character');
  cursor.pos += 2;
  if (simple !== undefined) return simple;
  const hex = cursor.text.slice(cursor.pos, cursor.pos + (length ?? 0));
  if (hex.length !== length || !/^[\da-f]+$/i.test(hex)) throw fault(cursor, 'did not find expected hexdecimal number');
  const code = Number.parseInt(hex, 16);
  if ((code >= 0xd800 && code <= 0xdfff) || code > 0x10ffff) throw fault(cursor, 'found invalid Unicode character escape code');
  cursor.pos += hex.length;
  return String.fromCodePoint(code);
}

/** Blanks and line breaks between two words of a quoted scalar. */
function readGap(cursor: Cursor, joined: boolean): string {
  let [first, others, between] = ['', '', ''];
  let broken = joined;
  for (;;) {
    const char = cursor.text[cursor.pos];
    if (isBlank(char)) {
      if (!broken) between += char;
      cursor.pos += 1;
    } else if (isBreak(char)) {
      if (broken) others += readBreak(cursor);
      else [first, broken] = [readBreak(cursor), true];
    } else return broken ? fold(first, others) : between;
  }
}

export function scanBlockScalar(cursor: Cursor): { value: string; end: number } {
  const { text } = cursor;
  const literal = text[cursor.pos] === '|';
  cursor.pos += 1;
  const header = skipWhile(cursor, /[+-]?\d?[+-]?/y);
  const step = Number(/\d/.exec(header)?.[0] ?? -1);
  if (step === 0) throw fault(cursor, 'found an indentation indicator equal to 0');
  skipWhile(cursor, blanks);
  skipWhile(cursor, comment);
  if (cursor.pos < text.length && !isBreak(text[cursor.pos]) || /[+-].*[+-]/.test(header)) throw fault(cursor, 'did not find expected comment or line break');
  readBreak(cursor);
  const place = { indent: step > 0 ? Math.max(0, indentOf(cursor)) + step : 0, end: cursor.pos };
  let [value, first] = ['', ''];
  let others = readEmptyLines(cursor, place);
  let wasBlank = false;
  while (column(cursor) === place.indent && cursor.pos < text.length) {
    const startsBlank = isBlank(text[cursor.pos]);
    value += !literal && !wasBlank && !startsBlank && first === '\n' ? (others === '' ? ' ' : others) : first + others;
    wasBlank = startsBlank;
    value += skipWhile(cursor, /[^\r\n\u0085\u2028\u2029]*/y);
    first = readBreak(cursor);
    others = readEmptyLines(cursor, place);
  }
  if (!header.includes('-')) value += first;
  if (header.includes('+')) value += others;
  return { value, end: place.end };
}

/** Empty lines and the next line's indentation; the first line with text decides how deep the scalar is. */
function readEmptyLines(cursor: Cursor, place: { indent: number; end: number }): string {
  let [found, most] = ['', 0];
  place.end = cursor.pos;
  for (;;) {
    while ((place.indent === 0 || column(cursor) < place.indent) && cursor.text[cursor.pos] === ' ') cursor.pos += 1;
    most = Math.max(most, column(cursor));
    if ((place.indent === 0 || column(cursor) < place.indent) && cursor.text[cursor.pos] === '\t') throw fault(cursor, 'found a tab character where an indentation space is expected');
    const line = readBreak(cursor);
    if (line === '') break;
    found += line;
    place.end = cursor.pos;
  }
  if (place.indent === 0) place.indent = Math.max(most, indentOf(cursor) + 1, 1);
  return found;
}

/** A tag in its long form: '!!str' is 'tag:yaml.org,2002:str'; a handle of another name stays in front. */
export function scanTag(cursor: Cursor): string {
  const { text } = cursor;
  let tag: string;
  if (text[cursor.pos + 1] === '<') {
    cursor.pos += 2;
    tag = skipWhile(cursor, /[\w\-;/?:@&=+$,.!~*'()[\]%]*/y);
    if (tag === '') throw fault(cursor, 'did not find expected tag URI');
    if (text[cursor.pos] !== '>') throw fault(cursor, "did not find the expected '>'");
    cursor.pos += 1;
  } else {
    const handle = skipWhile(cursor, /!(?:[\w-]*!)?/y);
    const suffix = skipWhile(cursor, /[\w\-;/?:@&=+$,.!~*'()[\]%]*/y);
    if (handle.length > 1 && suffix === '') throw fault(cursor, 'did not find expected tag URI');
    tag = handle === '!!' ? `tag:yaml.org,2002:${suffix}` : handle + suffix;
  }
  if (!isBlankOrEnd(text[cursor.pos])) throw fault(cursor, 'did not find expected whitespace or line break');
  return tag;
}
