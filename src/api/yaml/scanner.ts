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
  const state: State = { text, pos: 0, line: 0, lineStart: 0, indents: [], flowLevel: 0, keyAllowed: true, queue: [], taken: 0, ended: false, keys: [undefined] };
  const peek = (): Token => {
    while (!state.ended && (state.queue.length === 0 || mayBeKey(state))) fetch(state);
    return state.queue[0] as Token;
  };
  return {
    peek,
    next() {
      const token = peek();
      if (token.kind === 'end') return token;
      state.taken += 1;
      state.queue.shift();
      return token;
    },
  };
}

interface State extends Cursor {
  queue: Token[];
  /** How many tokens were given away. */
  taken: number;
  ended: boolean;
  /** Where a key may have begun, for each open flow collection. */
  keys: (SimpleKey | undefined)[];
}

function put(state: State, kind: Token['kind'], from: number, { value = '', at = state.queue.length, line = state.line, plain = false, to = Math.max(from, state.pos) } = {}): void {
  state.queue.splice(at, 0, { kind, from, to, line, value, plain });
}

const fault = (state: State, message: string, at = state.pos): YamlFault => new YamlFault(message, state.line, true, at);

const missingColon = ({ text, line }: State, key: SimpleKey): YamlFault =>
  new YamlFault("could not find expected ':'", line, true, key.pos, key.pos + text.slice(key.pos).search(/[\r\n]|$/));

/** A key without a mark of its own ends on its line, within 1,024 characters. */
function isStale(state: State, key: SimpleKey): boolean {
  if (key.line >= state.line && key.pos + 1024 >= state.pos) return false;
  if (key.required) throw missingColon(state, key);
  return true;
}

/** The first token may still turn out to be a key: then more is read before it is given away. */
const mayBeKey = (state: State): boolean => state.keys.some((key) => key?.number === state.taken && !isStale(state, key));

function dropKey(state: State): void {
  const key = state.keys.at(-1);
  if (key?.required) throw missingColon(state, key);
  state.keys[state.keys.length - 1] = undefined;
}

function saveKey(state: State): void {
  if (!state.keyAllowed) return;
  dropKey(state);
  const required = state.flowLevel === 0 && indentOf(state) === column(state);
  state.keys[state.keys.length - 1] = { number: state.taken + state.queue.length, line: state.line, pos: state.pos, column: column(state), required };
}

function indent(state: State, to: number, kind: '<map' | '<list', from: number, at = state.queue.length): void {
  if (state.flowLevel > 0 || indentOf(state) >= to) return;
  state.indents.push(to);
  put(state, kind, from, { at });
}

function unindent(state: State, to: number): void {
  while (state.flowLevel === 0 && indentOf(state) > to) {
    state.indents.pop();
    put(state, '>', state.pos);
  }
}

function indicator(state: State, kind: Token['kind'], length = 1): void {
  state.pos += length;
  put(state, kind, state.pos - length);
}

function fetch(state: State): void {
  skipToToken(state);
  unindent(state, column(state));
  const char = state.text[state.pos];
  if (char === undefined) return fetchEnd(state);
  const mark = markAt(state);
  if (mark !== undefined || (column(state) === 0 && char === '%')) {
    unindent(state, -1);
    dropKey(state);
    state.keyAllowed = false;
    if (mark !== undefined) return indicator(state, mark as Token['kind'], 3);
    return fetchDirective(state);
  }
  const alone = isBlankOrEnd(state.text[state.pos + 1]);
  const inFlow = state.flowLevel > 0;
  if (char === '[' || char === '{') return fetchOpen(state, char);
  if (char === ']' || char === '}') return fetchClose(state, char);
  if (char === ',') {
    dropKey(state);
    state.keyAllowed = true;
    return indicator(state, ',');
  }
  if (char === '-' && alone) return fetchEntry(state, char, 'block sequence entries', '<list');
  if (char === '?' && (inFlow || alone)) return fetchEntry(state, char, 'mapping keys', '<map');
  if (char === ':' && (inFlow || alone)) return fetchValue(state);
  if (((char === '|' || char === '>') && !inFlow) || char === '*' || char === '&' || char === '!' || char === "'" || char === '"') return fetchMarked(state, char);
  if ('|>%@`\t'.includes(char)) throw fault(state, 'found character that cannot start any token');
  return fetchPlain(state);
}

function fetchEnd(state: State): void {
  if (column(state) !== 0) [state.line, state.lineStart] = [state.line + 1, state.pos];
  unindent(state, -1);
  dropKey(state);
  state.keyAllowed = false;
  state.ended = true;
  put(state, 'end', state.pos);
}

function fetchDirective(state: State): void {
  const { pos: from, line } = state;
  state.pos += 1;
  const name = skipWhile(state, /[\w-]*/y);
  if (name === '') throw fault(state, 'could not find expected directive name', from);
  if (name !== 'YAML' && name !== 'TAG') throw fault(state, 'found unknown directive name', from);
  const value = skipWhile(state, name === 'YAML' ? /[ \t]*\d+\.\d+/y : /[^#\r\n]*/y).trim();
  if (value === '') throw fault(state, "did not find expected digit or '.' character", from);
  skipWhile(state, blanks);
  skipWhile(state, comment);
  if (state.pos < state.text.length && !isBreak(state.text[state.pos])) throw fault(state, 'did not find expected comment or line break');
  readBreak(state);
  put(state, '%', from, { value: name === 'YAML' ? value : '1.1', line });
}

function fetchOpen(state: State, char: '[' | '{'): void {
  saveKey(state);
  state.keys.push(undefined);
  state.flowLevel += 1;
  state.keyAllowed = true;
  indicator(state, char);
}

function fetchClose(state: State, char: ']' | '}'): void {
  dropKey(state);
  if (state.flowLevel > 0) {
    state.flowLevel -= 1;
    state.keys.pop();
  }
  state.keyAllowed = false;
  indicator(state, char);
}

function fetchEntry(state: State, char: '-' | '?', what: string, kind: '<list' | '<map'): void {
  if (state.flowLevel === 0) {
    if (!state.keyAllowed) throw fault(state, `${what} are not allowed in this context`);
    indent(state, column(state), kind, state.pos);
  }
  dropKey(state);
  state.keyAllowed = char === '-' || state.flowLevel === 0;
  indicator(state, char);
}

function fetchValue(state: State): void {
  const key = state.keys.at(-1);
  if (key !== undefined && !isStale(state, key)) {
    const at = key.number - state.taken;
    put(state, '?', key.pos, { at });
    indent(state, key.column, '<map', key.pos, at);
    state.keys[state.keys.length - 1] = undefined;
    state.keyAllowed = false;
  } else {
    if (state.flowLevel === 0) {
      if (!state.keyAllowed) throw fault(state, 'mapping values are not allowed in this context');
      indent(state, column(state), '<map', state.pos);
    }
    state.keyAllowed = state.flowLevel === 0;
  }
  indicator(state, ':');
}

/** What begins with a mark of its own: anchors, aliases, tags, quoted and block scalars. */
function fetchMarked(state: State, char: '|' | '>' | '*' | '&' | '!' | "'" | '"'): void {
  const { pos: from, line } = state;
  if (char === '|' || char === '>') {
    dropKey(state);
    state.keyAllowed = true;
    const { value, end } = scanBlockScalar(state);
    return put(state, 'scalar', from, { value, line, to: end });
  }
  saveKey(state);
  state.keyAllowed = false;
  if (char === "'" || char === '"') return put(state, 'scalar', from, { value: scanQuoted(state), line });
  if (char === '!') return put(state, '!', from, { value: scanTag(state) });
  state.pos += 1;
  const name = skipWhile(state, /[\w-]*/y);
  const after = state.text[state.pos];
  if (name === '' || !(isBlankOrEnd(after) || '?:,]}%@`'.includes(after as string))) {
    throw fault(state, 'did not find expected alphabetic or numeric character');
  }
  put(state, char, from, { value: name });
}

function fetchPlain(state: State): void {
  saveKey(state);
  state.keyAllowed = false;
  const { pos: from, line } = state;
  const { value, end } = scanPlain(state);
  put(state, 'scalar', from, { value, line, plain: true, to: end });
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
