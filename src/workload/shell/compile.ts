import type { Assignment, Code, Instruction, Redirection } from './code.ts';
import { compounds, define, expectOperator } from './compounds.ts';
import { peekWord, redirection, redirections, skipBlanks, skipLines, take, takeWord, unexpected, wordEnd, type Parser } from './parser.ts';
import { arithmeticEnd, plainText, readDouble, readWord, SyntaxProblem, type Word } from './words.ts';

export interface Compiled {
  code: Code;
  /** Then `code` is empty. */
  error?: string;
  /** The text ends too early: more lines could complete it. */
  open?: boolean;
}

const cache = new Map<string, Compiled>();

/** A pure cache: a source text always gives the same code. */
export function compile(source: string): Compiled {
  let found = cache.get(source);
  if (found === undefined) {
    found = build(source);
    if (cache.size > 2000) cache.clear();
    cache.set(source, found);
  }
  return found;
}

function build(source: string): Compiled {
  const p: Parser = { source: source.replace(/\r\n/g, '\n'), at: 0, heredocs: [] };
  try {
    const code = list(p);
    skipLines(p);
    if (p.at < p.source.length) throw unexpected(p);
    return { code: [...code, { op: 'end' }] };
  } catch (problem) {
    if (!(problem instanceof SyntaxProblem)) throw problem;
    return { code: [], error: problem.message, open: problem.open };
  }
}

const closers = new Set(['then', 'else', 'elif', 'fi', 'do', 'done', 'esac', '}']);

const atListEnd = (p: Parser): boolean => {
  skipBlanks(p);
  return p.at >= p.source.length || p.source.charAt(p.at) === ')' || p.source.startsWith(';;', p.at) || p.source.startsWith(';&', p.at) || closers.has(peekWord(p));
};

/** Commands up to a closing word. */
export function list(p: Parser): Instruction[] {
  const code: Instruction[] = [];
  for (;;) {
    skipLines(p);
    if (atListEnd(p)) return code;
    const start = p.at;
    const part = andOr(p);
    const text = p.source.slice(start, p.at).trim();
    skipBlanks(p);
    if (p.source.charAt(p.at) === '&' && p.source.charAt(p.at + 1) !== '&') {
      p.at++;
      code.push({ op: 'background', to: part.length + 2, text }, ...part, { op: 'end' });
    } else {
      code.push(...part);
      if (p.source.startsWith(';;', p.at) || p.source.startsWith(';&', p.at)) return code;
      if (!take(p, ';') && p.source.charAt(p.at) !== '\n' && !atListEnd(p)) throw unexpected(p);
    }
  }
}

/** At least one command, as between `while` and `do`. */
export function block(p: Parser): Instruction[] {
  const code = list(p);
  if (code.length === 0) throw unexpected(p);
  return code;
}

/** Marks commands whose failure is looked at. */
export function tested(code: Instruction[]): Instruction[] {
  for (const instruction of code) if ('tested' in instruction) instruction.tested = true;
  return code;
}

function andOr(p: Parser): Instruction[] {
  let before = '';
  const code: Instruction[] = [];
  for (;;) {
    const part = pipeline(p);
    const operator = take(p, '&&') ? '&&' : take(p, '||') ? '||' : '';
    if (before !== '') code.push({ op: before === '&&' ? 'if-failed' : 'if-ok', to: part.length + 1 });
    code.push(...(operator === '' ? part : tested(part)));
    if (operator === '') return code;
    before = operator;
    skipLines(p);
  }
}

function pipeline(p: Parser): Instruction[] {
  let negate = false;
  while (takeWord(p, '!')) negate = !negate;
  const parts = [command(p)];
  for (;;) {
    skipBlanks(p);
    if (p.source.charAt(p.at) !== '|' || p.source.charAt(p.at + 1) === '|') break;
    p.at++;
    const both = p.source.charAt(p.at) === '&';
    if (both) {
      p.at++;
      parts.push(redirected(parts.pop() as Instruction[], [{ fd: 2, op: '>&', target: [{ t: 'text', text: '1', quoted: false }] }]));
    }
    skipLines(p);
    parts.push(command(p));
  }
  const code: Instruction[] = [];
  if (parts.length === 1) code.push(...(parts[0] as Instruction[]));
  else {
    const starts: number[] = [];
    const body: Instruction[] = [];
    for (const part of parts) {
      starts.push(body.length + 1);
      body.push(...part, { op: 'end' });
    }
    code.push({ op: 'pipe', starts, to: body.length + 1, tested: false }, ...body);
  }
  return negate ? [...tested(code), { op: 'not' }] : code;
}

const redirected = (code: Instruction[], redirections: Redirection[]): Instruction[] =>
  redirections.length === 0 ? code : [{ op: 'redirect', redirections, out: code.length + 2, tested: false }, ...code, { op: 'restore' }];

export function command(p: Parser): Instruction[] {
  skipBlanks(p);
  if (p.source.startsWith('((', p.at) && arithmeticEnd(p.source, p.at + 2) >= 0) {
    return [{ op: 'math', expression: takeArithmetic(p), tested: false }];
  }
  if (take(p, '(')) {
    const code = block(p);
    expectOperator(p, ')');
    return redirected([{ op: 'subshell', to: code.length + 2, tested: false }, ...code, { op: 'end' }], redirections(p));
  }
  const word = peekWord(p);
  const compound = Object.hasOwn(compounds, word) && wordEnd.test(p.source.charAt(p.at + word.length)) ? compounds[word] : undefined;
  if (compound !== undefined) {
    p.at += word.length;
    return redirected(compound(p), redirections(p));
  }
  if (closers.has(word) && wordEnd.test(p.source.charAt(p.at + word.length))) throw unexpected(p);
  return simple(p);
}

function takeArithmetic(p: Parser): Word {
  const end = arithmeticEnd(p.source, p.at + 2);
  const expression = readDouble({ source: p.source.slice(p.at + 2, end), at: 0 }, '');
  p.at = end + 2;
  return expression;
}

function asAssignment(word: Word): Assignment | undefined {
  const [first, ...rest] = word;
  const found = first?.t === 'text' && !first.quoted ? /^([A-Za-z_]\w*)(\+?)=/.exec(first.text) : null;
  if (found === null || first?.t !== 'text') return undefined;
  const text = first.text.slice(found[0].length);
  return { name: found[1] ?? '', append: found[2] === '+', value: text === '' ? rest : [{ ...first, text }, ...rest] };
}

function simple(p: Parser): Instruction[] {
  const assigns: Assignment[] = [];
  const words: Word[] = [];
  const found: Redirection[] = [];
  for (;;) {
    skipBlanks(p);
    const next = redirection(p);
    if (next !== undefined) {
      found.push(next);
      continue;
    }
    const word = readWord(p);
    if (word.length === 0) break;
    const assignment = words.length === 0 ? asAssignment(word) : undefined;
    if (assignment !== undefined) assigns.push(assignment);
    else words.push(word);
    const name = words.length === 1 && assigns.length + found.length === 0 ? plainText(word) : undefined;
    if (name !== undefined && /^[ \t]*\(/.test(p.source.slice(p.at))) {
      take(p, '(');
      expectOperator(p, ')');
      return define(p, name);
    }
  }
  if (assigns.length + words.length + found.length === 0) throw unexpected(p);
  const literal = assigns.length + found.length === 0 ? literalWords(words) : undefined;
  return [{ op: 'simple', assigns, words, redirections: found, tested: false, condition: false, ...(literal === undefined ? {} : { literal }) }];
}

/** The texts of words that expand to themselves. */
function literalWords(words: readonly Word[]): string[] | undefined {
  const texts: string[] = [];
  for (const [part, more] of words) {
    if (part?.t !== 'text' || more !== undefined || (!part.quoted && /[*?[~]/.test(part.text) && part.text !== '[')) return undefined;
    texts.push(part.text);
  }
  return texts;
}
