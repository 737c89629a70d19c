import { blanks, column, comment, indentOf, isBlankOrEnd, isBreak, markAt, readBreak, skipWhile, spaces, type Cursor } from './cursor.ts';
import { YamlFault } from './fault.ts';
import { scanBlockScalar, scanPlain, scanQuoted, scanTag } from './scalars.ts';

/**
 * Tokens of a YAML 1.1 document, one at a time: an error is only met when the reader comes to it, so the first error of a
 * text is the one that Kubernetes names. Upstream: go.yaml.in/yaml/v2 scannerc.go; see the YAML 1.1 specification, chapter 4.
 */
export interface Token {
  /** An indicator stands for itself; '<map', '<list' and '>' open and close block collections; 'end' ends the text. */
  kind: '[' | ']' | '{' | '}' | ',' | '-' | '?' | ':' | '*' | '&' | '!' | 'scalar' | '<map' | '<list' | '>' | '%' | '---' | '...' | 'end';
  from: number;
  to: number;
  /** Lines from 0. */
  line: number;
  value: string;
  plain: boolean;
}

interface SimpleKey {
  number: number;
  line: number;
  pos: number;
  column: number;
  required: boolean;
}

export interface TokenSource {
  peek(): Token;
  next(): Token;
}

export function scan(text: string): TokenSource {
  const cursor: Cursor = { text, pos: 0, line: 0, lineStart: 0, indents: [], flowLevel: 0, keyAllowed: true };
  const queue: Token[] = [];
  let taken = 0;
  let ended = false;
  const keys: (SimpleKey | undefined)[] = [undefined];

  const put = (kind: Token['kind'], from: number, value = '', at = queue.length, line = cursor.line, plain = false): void => {
    queue.splice(at, 0, { kind, from, to: Math.max(from, cursor.pos), line, value, plain });
  };
  const missingColon = (key: SimpleKey): YamlFault => new YamlFault("could not find expected ':'", cursor.line, true, key.pos, key.pos + text.slice(key.pos).search(/[\r\n]|$/));

  /** A key without explicit mark ends on its line, within 1,024 characters. */
  const isStale = (key: SimpleKey): boolean => {
    if (key.line >= cursor.line && key.pos + 1024 >= cursor.pos) return false;
    if (key.required) throw missingColon(key);
    return true;
  };
  const dropKey = (): void => {
    const key = keys.at(-1);
    if (key?.required) throw missingColon(key);
    keys[keys.length - 1] = undefined;
  };
  const saveKey = (): void => {
    if (!cursor.keyAllowed) return;
    dropKey();
    const required = cursor.flowLevel === 0 && indentOf(cursor) === column(cursor);
    keys[keys.length - 1] = { number: taken + queue.length, line: cursor.line, pos: cursor.pos, column: column(cursor), required };
  };
  const indent = (to: number, kind: '<map' | '<list', from: number, at = queue.length): void => {
    if (cursor.flowLevel > 0 || indentOf(cursor) >= to) return;
    cursor.indents.push(to);
    put(kind, from, '', at);
  };
  const unindent = (to: number): void => {
    while (cursor.flowLevel === 0 && indentOf(cursor) > to) {
      cursor.indents.pop();
      put('>', cursor.pos);
    }
  };
  const indicator = (kind: Token['kind'], length = 1): void => {
    const from = cursor.pos;
    cursor.pos += length;
    put(kind, from);
  };
  const refuse = (what: string): never => {
    throw new YamlFault(`${what} are not allowed in this context`, cursor.line, true, cursor.pos);
  };

  function fetch(): void {
    skipToToken(cursor);
    unindent(column(cursor));
    const char = text[cursor.pos];
    if (char === undefined) return fetchEnd();
    const mark = markAt(cursor);
    if (mark !== undefined || (column(cursor) === 0 && char === '%')) {
      unindent(-1);
      dropKey();
      cursor.keyAllowed = false;
      if (mark !== undefined) return indicator(mark as Token['kind'], 3);
      return fetchDirective();
    }
    const alone = isBlankOrEnd(text[cursor.pos + 1]);
    const inFlow = cursor.flowLevel > 0;
    if (char === '[' || char === '{') return fetchOpen(char);
    if (char === ']' || char === '}') return fetchClose(char);
    if (char === ',') {
      dropKey();
      cursor.keyAllowed = true;
      return indicator(',');
    }
    if (char === '-' && alone) return fetchEntry(char, 'block sequence entries', '<list');
    if (char === '?' && (inFlow || alone)) return fetchEntry(char, 'mapping keys', '<map');
    if (char === ':' && (inFlow || alone)) return fetchValue();
    if (((char === '|' || char === '>') && !inFlow) || char === '*' || char === '&' || char === '!' || char === "'" || char === '"') return fetchMarked(char);
    if ('|>%@`\t'.includes(char)) {
      throw new YamlFault('found character that cannot start any token', cursor.line, true, cursor.pos);
    }
    return fetchPlain();
  }

  function fetchEnd(): void {
    if (column(cursor) !== 0) [cursor.line, cursor.lineStart] = [cursor.line + 1, cursor.pos];
    unindent(-1);
    dropKey();
    cursor.keyAllowed = false;
    ended = true;
    put('end', cursor.pos);
  }

  function fetchDirective(): void {
    const from = cursor.pos;
    const line = cursor.line;
    cursor.pos += 1;
    const name = skipWhile(cursor, /[\w-]*/y);
    const fault = (message: string): YamlFault => new YamlFault(message, line, true, from);
    if (name === '') throw fault('could not find expected directive name');
    if (name !== 'YAML' && name !== 'TAG') throw fault('found unknown directive name');
    const value = skipWhile(cursor, name === 'YAML' ? /[ \t]*\d+\.\d+/y : /[^#\r\n]*/y).trim();
    if (value === '') throw fault("did not find expected digit or '.' character");
    skipWhile(cursor, blanks);
    skipWhile(cursor, comment);
    if (cursor.pos < text.length && !isBreak(text[cursor.pos])) throw fault('did not find expected comment or line break');
    readBreak(cursor);
    put('%', from, name === 'YAML' ? value : '1.1', queue.length, line);
  }

  function fetchOpen(char: '[' | '{'): void {
    saveKey();
    keys.push(undefined);
    cursor.flowLevel += 1;
    cursor.keyAllowed = true;
    indicator(char);
  }

  function fetchClose(char: ']' | '}'): void {
    dropKey();
    if (cursor.flowLevel > 0) {
      cursor.flowLevel -= 1;
      keys.pop();
    }
    cursor.keyAllowed = false;
    indicator(char);
  }

  function fetchEntry(char: '-' | '?', what: string, kind: '<list' | '<map'): void {
    if (cursor.flowLevel === 0) {
      if (!cursor.keyAllowed) refuse(what);
      indent(column(cursor), kind, cursor.pos);
    }
    dropKey();
    cursor.keyAllowed = char === '-' || cursor.flowLevel === 0;
    indicator(char);
  }

  function fetchValue(): void {
    const key = keys.at(-1);
    if (key !== undefined && !isStale(key)) {
      put('?', key.pos, '', key.number - taken);
      indent(key.column, '<map', key.pos, key.number - taken);
      keys[keys.length - 1] = undefined;
      cursor.keyAllowed = false;
    } else {
      if (cursor.flowLevel === 0) {
        if (!cursor.keyAllowed) refuse('mapping values');
        indent(column(cursor), '<map', cursor.pos);
      }
      cursor.keyAllowed = cursor.flowLevel === 0;
    }
    indicator(':');
  }

  /** What begins with a mark of its own: anchors, aliases, tags, quoted and block scalars. */
  function fetchMarked(char: '|' | '>' | '*' | '&' | '!' | "'" | '"'): void {
    const from = cursor.pos;
    const line = cursor.line;
    if (char === '|' || char === '>') {
      dropKey();
      cursor.keyAllowed = true;
      const { value, end } = scanBlockScalar(cursor);
      put('scalar', from, value, queue.length, line);
      (queue.at(-1) as Token).to = end;
      return;
    }
    saveKey();
    cursor.keyAllowed = false;
    if (char === "'" || char === '"') return put('scalar', from, scanQuoted(cursor), queue.length, line);
    if (char === '!') return put('!', from, scanTag(cursor));
    cursor.pos += 1;
    const name = skipWhile(cursor, /[\w-]*/y);
    const after = text[cursor.pos];
    if (name === '' || !(isBlankOrEnd(after) || '?:,]}%@`'.includes(after as string))) {
      throw new YamlFault('did not find expected alphabetic or numeric character', cursor.line, true, cursor.pos);
    }
    put(char, from, name);
  }

  function fetchPlain(): void {
    saveKey();
    cursor.keyAllowed = false;
    const [from, line] = [cursor.pos, cursor.line];
    const { value, end } = scanPlain(cursor);
    put('scalar', from, value, queue.length, line, true);
    (queue.at(-1) as Token).to = end;
  }

  /** The first token may still turn out to be a key: then more is read before it is given away. */
  const mayBeKey = (): boolean => keys.some((key) => key?.number === taken && !isStale(key));

  function peek(): Token {
    while (!ended && (queue.length === 0 || mayBeKey())) fetch();
    return queue[0] as Token;
  }
  return {
    peek,
    next() {
      const token = peek();
      if (token.kind === 'end') return token;
      taken += 1;
      queue.shift();
      return token;
    },
  };
}

/** Over blanks, comments and line breaks. A tab is a blank only where no key may begin. */
function skipToToken(cursor: Cursor): void {
  for (;;) {
    if (column(cursor) === 0 && cursor.text[cursor.pos] === '\uFEFF') [cursor.pos, cursor.lineStart] = [cursor.pos + 1, cursor.lineStart + 1];
    skipWhile(cursor, cursor.flowLevel > 0 || !cursor.keyAllowed ? blanks : spaces);
    skipWhile(cursor, comment);
    if (readBreak(cursor) === '') return;
    if (cursor.flowLevel === 0) cursor.keyAllowed = true;
  }
}
