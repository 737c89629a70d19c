/** Words of the shell language: quotes, parameters, substitutions. POSIX.1-2017 XCU 2.2, 2.6. */

export type Part =
  /** Literal text; quoted text is neither split nor a pattern. */
  | { t: 'text'; text: string; quoted: boolean }
  | { t: 'var'; name: string; op: string; arg: Word; quoted: boolean }
  | { t: 'run'; source: string; quoted: boolean }
  | { t: 'math'; expression: Word; quoted: boolean };

export type Word = Part[];

/** Where a parser stands in a source text. */
export interface Cursor {
  readonly source: string;
  at: number;
}

/** Caught by the compiler: the text cannot be understood. */
export class SyntaxProblem {
  readonly message: string;
  /** More input could mend it. */
  readonly open: boolean;
  constructor(message: string, open = false) {
    this.message = message;
    this.open = open;
  }
}

const unclosed = (what: string) => new SyntaxProblem(`syntax error: unterminated ${what}`, true);

const breakers = ' \t\n;&|<>()';

/** Reads a word up to an unquoted character of `stops`. Empty: no word here. */
export function readWord(cursor: Cursor, stops = breakers): Word {
  const parts: Word = [];
  const { source } = cursor;
  while (cursor.at < source.length) {
    const c = source.charAt(cursor.at);
    if (stops.includes(c)) break;
    if (c === '\\') {
      const next = source.charAt(cursor.at + 1);
      cursor.at += 2;
      if (next !== '\n') addText(parts, next, true);
    } else if (c === "'") addText(parts, readSingle(cursor), true);
    else if (c === '"') {
      cursor.at++;
      parts.push({ t: 'text', text: '', quoted: true }, ...readDouble(cursor, '"'));
    } else if (c === '$' && source.charAt(cursor.at + 1) === "'") {
      cursor.at++;
      addText(parts, unescape(readSingle(cursor, true)), true);
    } else if (c === '$' || c === '`') readDollar(cursor, parts, false);
    else {
      addText(parts, c, false);
      cursor.at++;
    }
  }
  return parts;
}

function addText(parts: Word, text: string, quoted: boolean): void {
  const last = parts.at(-1);
  if (last?.t === 'text' && last.quoted === quoted) last.text += text;
  else parts.push({ t: 'text', text, quoted });
}

function readSingle(cursor: Cursor, escapes = false): string {
  const start = cursor.at + 1;
  let end = start;
  while (end < cursor.source.length && cursor.source.charAt(end) !== "'") end += escapes && cursor.source.charAt(end) === '\\' ? 2 : 1;
  if (end >= cursor.source.length) throw unclosed('quoted string');
  cursor.at = end + 1;
  return cursor.source.slice(start, end);
}

/** The inside of double quotes, of a heredoc (end ''), or of an arithmetic expression; takes the end character. */
export function readDouble(cursor: Cursor, end: string): Word {
  const parts: Word = [];
  const { source } = cursor;
  while (cursor.at < source.length) {
    const c = source.charAt(cursor.at);
    if (c === end) {
      cursor.at++;
      return parts;
    }
    const next = source.charAt(cursor.at + 1);
    if (c === '\\' && next !== '' && `$\`\\\n${end}`.includes(next)) {
      cursor.at += 2;
      if (next !== '\n') addText(parts, next, true);
    } else if (c === '$' || c === '`') readDollar(cursor, parts, true);
    else {
      addText(parts, c, true);
      cursor.at++;
    }
  }
  if (end !== '') throw unclosed('quoted string');
  return parts;
}

const nameAt = /[A-Za-z_][A-Za-z0-9_]*|[0-9@*#?$!-]/y;
const bracedName = /[A-Za-z_][A-Za-z0-9_]*|[0-9]+|[@*#?$!-]/y;

function match(pattern: RegExp, cursor: Cursor): string {
  pattern.lastIndex = cursor.at;
  const found = pattern.exec(cursor.source)?.[0] ?? '';
  cursor.at += found.length;
  return found;
}

function readDollar(cursor: Cursor, parts: Word, quoted: boolean): void {
  const { source } = cursor;
  if (source.charAt(cursor.at) === '`') {
    parts.push({ t: 'run', source: readBackticks(cursor, quoted), quoted });
  } else if (source.startsWith('$((', cursor.at) && arithmeticEnd(source, cursor.at + 3) >= 0) {
    const end = arithmeticEnd(source, cursor.at + 3);
    const inner: Cursor = { source: source.slice(cursor.at + 3, end), at: 0 };
    parts.push({ t: 'math', expression: readDouble(inner, ''), quoted });
    cursor.at = end + 2;
  } else if (source.startsWith('$(', cursor.at)) {
    const start = cursor.at + 2;
    const end = closingParenthesis(source, start);
    parts.push({ t: 'run', source: source.slice(start, end), quoted });
    cursor.at = end + 1;
  } else if (source.startsWith('${', cursor.at)) {
    cursor.at += 2;
    parts.push(readBraced(cursor, quoted));
  } else {
    cursor.at++;
    const name = match(nameAt, cursor);
    if (name === '') addText(parts, '$', quoted);
    else parts.push({ t: 'var', name, op: '', arg: [], quoted });
  }
}

/** The inside of ${...}: name, operator, word. */
function readBraced(cursor: Cursor, quoted: boolean): Part {
  const { source } = cursor;
  const length = source.charAt(cursor.at) === '#' && source.charAt(cursor.at + 1) !== '}';
  if (length) cursor.at++;
  const indirect = !length && source.charAt(cursor.at) === '!' && source.charAt(cursor.at + 1) !== '}';
  if (indirect) cursor.at++;
  const name = match(bracedName, cursor);
  if (name === '') throw new SyntaxProblem('syntax error: bad substitution');
  const op = length ? 'len' : match(/:[-=?+]|[-=?+]|##?|%%?|\/\/?|\^\^?|,,?|:/y, cursor);
  const arg = quoted && !/^[#%/]/.test(op) ? readQuotedArgument(cursor) : readWord(cursor, '}');
  if (source.charAt(cursor.at) !== '}') throw unclosed('${');
  cursor.at++;
  return { t: 'var', name, op: indirect ? '!' : op, arg, quoted };
}

/** The word of "${x:-word}": double-quote rules up to the brace. */
function readQuotedArgument(cursor: Cursor): Word {
  const parts: Word = [];
  const { source } = cursor;
  while (cursor.at < source.length && source.charAt(cursor.at) !== '}') {
    const c = source.charAt(cursor.at);
    if (c === '\\' && '$`"\\}'.includes(source.charAt(cursor.at + 1))) {
      addText(parts, source.charAt(cursor.at + 1), true);
      cursor.at += 2;
    } else if (c === '$' || c === '`') readDollar(cursor, parts, true);
    else {
      if (c !== '"') addText(parts, c, true);
      cursor.at++;
    }
  }
  return parts;
}

function readBackticks(cursor: Cursor, quoted: boolean): string {
  let text = '';
  for (cursor.at++; cursor.at < cursor.source.length; cursor.at++) {
    let c = cursor.source.charAt(cursor.at);
    if (c === '`') {
      cursor.at++;
      return text;
    }
    if (c === '\\' && `$\`\\${quoted ? '"' : ''}`.includes(cursor.source.charAt(cursor.at + 1))) c = cursor.source.charAt(++cursor.at);
    text += c;
  }
  throw unclosed('backquote');
}

/** Where '))' ends an arithmetic expression that begins at `at`; -1: it is none. */
export function arithmeticEnd(source: string, at: number): number {
  let depth = 0;
  for (let i = at; i < source.length; i++) {
    const c = source.charAt(i);
    if (c === '(') depth++;
    else if (c === ')') {
      if (depth === 0) return source.charAt(i + 1) === ')' ? i : -1;
      depth--;
    }
  }
  return -1;
}

/** The index of the ')' that ends a command substitution; knows quotes, comments and the patterns of `case`. */
function closingParenthesis(source: string, at: number): number {
  const stack: string[] = [];
  for (let i = at; i < source.length; i++) {
    const c = source.charAt(i);
    if (c === '\\') i++;
    else if (c === "'" || c === '"' || c === '`') {
      for (i++; i < source.length && source.charAt(i) !== c; i++) {
        if (c !== "'" && source.charAt(i) === '\\') i++;
        else if (c === '"' && source.startsWith('$(', i)) i = closingParenthesis(source, i + 2);
      }
    } else if (c === '#' && /\s/.test(source.charAt(i - 1))) {
      while (i < source.length && source.charAt(i) !== '\n') i++;
    } else if (c === '(') stack.push('(');
    else if (c === ')') {
      if (stack.length === 0) return i;
      if (stack.at(-1) === '(') stack.pop();
    } else if (/[ce]/.test(c) && /[\s;|&(]/.test(source.charAt(i - 1) || ' ') && /^(case|esac)(?=[\s;)]|$)/.test(source.slice(i, i + 5))) {
      if (c === 'c') stack.push('case');
      else if (stack.at(-1) === 'case') stack.pop();
      i += 3;
    }
  }
  throw unclosed('$(');
}

const simpleEscapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', a: '\x07', b: '\b', f: '\f', v: '\v', e: '\x1b', '\\': '\\', "'": "'", '"': '"' };

/** Backslash escapes as printf, echo -e and $'...' know them. */
export function unescape(text: string): string {
  return text.replace(/\\(x[0-9a-fA-F]{1,2}|[0-7]{1,4}|.)/gs, (whole, code: string) => {
    if (code.startsWith('x') && code.length > 1) return String.fromCharCode(parseInt(code.slice(1), 16));
    if (/^[0-7]/.test(code)) return String.fromCharCode(parseInt(code.slice(0, code.startsWith('0') ? 4 : 3), 8) & 255) + (code.startsWith('0') ? '' : code.slice(3));
    return simpleEscapes[code] ?? whole;
  });
}

/** The text of a word without expansions, if it has none and no quotes. */
export function plainText(word: Word): string | undefined {
  const [part, more] = word;
  return part?.t === 'text' && !part.quoted && more === undefined ? part.text : undefined;
}
