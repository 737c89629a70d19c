import type { Assignment, Code, Instruction, Redirection } from './code.ts';
import { arithmeticEnd, plainText, readDouble, readWord, SyntaxProblem, type Cursor, type Word } from './words.ts';

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

interface Parser extends Cursor {
  heredocs: { redirection: Redirection; end: string; tabs: boolean; quoted: boolean }[];
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

function skipBlanks(p: Parser): void {
  for (;;) {
    const c = p.source.charAt(p.at);
    if (c === ' ' || c === '\t') p.at++;
    else if (p.source.startsWith('\\\n', p.at)) p.at += 2;
    else if (c === '#') while (p.at < p.source.length && p.source.charAt(p.at) !== '\n') p.at++;
    else return;
  }
}

/** Takes a line end and the heredocs that begin after it. */
function takeLineEnd(p: Parser): boolean {
  if (p.source.charAt(p.at) !== '\n') return false;
  p.at++;
  for (const { redirection, end, tabs, quoted } of p.heredocs.splice(0)) {
    let body = '';
    for (;;) {
      if (p.at >= p.source.length) break;
      const stop = p.source.indexOf('\n', p.at);
      let line = p.source.slice(p.at, stop < 0 ? p.source.length : stop);
      p.at = stop < 0 ? p.source.length : stop + 1;
      if (tabs) line = line.replace(/^\t+/, '');
      if (line === end) break;
      body += `${line}\n`;
    }
    redirection.target = quoted ? [{ t: 'text', text: body, quoted: true }] : readDouble({ source: body, at: 0 }, '');
  }
  return true;
}

function skipLines(p: Parser): void {
  do skipBlanks(p);
  while (takeLineEnd(p));
}

function unexpected(p: Parser, wanted = ''): SyntaxProblem {
  skipBlanks(p);
  const hint = wanted === '' ? '' : ` (expecting "${wanted}")`;
  if (p.at >= p.source.length) return new SyntaxProblem(`syntax error: unexpected end of file${hint}`, true);
  const token = /^(\n|&&|\|\||;;|[;&|()<>]|[^\s;&|()<>]+)/.exec(p.source.slice(p.at))?.[0] ?? '';
  return new SyntaxProblem(`syntax error: unexpected ${token === '\n' ? 'newline' : `"${token}"`}${hint}`);
}

/** An operator at the cursor, taken if it is there. */
function take(p: Parser, operator: string): boolean {
  skipBlanks(p);
  if (!p.source.startsWith(operator, p.at)) return false;
  p.at += operator.length;
  return true;
}

const wordEnd = /[\s;&|()<>]|$/;

/** The reserved word or plain command name at the cursor, not taken. */
function peekWord(p: Parser): string {
  skipBlanks(p);
  return /^[^\s;&|()<>'"\\$`]+/.exec(p.source.slice(p.at, p.at + 40))?.[0] ?? '';
}

function takeWord(p: Parser, word: string): boolean {
  if (peekWord(p) !== word || !wordEnd.test(p.source.charAt(p.at + word.length))) return false;
  p.at += word.length;
  return true;
}

function expect(p: Parser, word: string): void {
  skipLines(p);
  if (!takeWord(p, word)) throw unexpected(p, word);
}

const closers = new Set(['then', 'else', 'elif', 'fi', 'do', 'done', 'esac', '}']);

const atListEnd = (p: Parser): boolean => {
  skipBlanks(p);
  return p.at >= p.source.length || p.source.charAt(p.at) === ')' || p.source.startsWith(';;', p.at) || p.source.startsWith(';&', p.at) || closers.has(peekWord(p));
};

/** Commands up to a closing word. */
function list(p: Parser): Instruction[] {
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
function block(p: Parser): Instruction[] {
  const code = list(p);
  if (code.length === 0) throw unexpected(p);
  return code;
}

/** Marks commands whose failure is looked at. */
function tested(code: Instruction[]): Instruction[] {
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

const compounds: Readonly<Record<string, (p: Parser) => Instruction[]>> = {
  if: ifCommand,
  while: (p) => loop(p, 'if-failed'),
  until: (p) => loop(p, 'if-ok'),
  for: forCommand,
  case: caseCommand,
  '{': (p) => {
    const code = block(p);
    expect(p, '}');
    return code;
  },
  '[[': condition,
  function: (p) => {
    const name = plainText(readWord(p)) ?? '';
    skipBlanks(p);
    if (take(p, '(')) expectOperator(p, ')');
    return define(p, name);
  },
};

function expectOperator(p: Parser, operator: string): void {
  skipLines(p);
  if (!take(p, operator)) throw unexpected(p, operator);
}

function command(p: Parser): Instruction[] {
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

function ifCommand(p: Parser): Instruction[] {
  const test = tested(block(p));
  expect(p, 'then');
  const yes = block(p);
  skipLines(p);
  let no: Instruction[] = [{ op: 'ok' }];
  if (takeWord(p, 'elif')) no = ifCommand(p);
  else {
    if (takeWord(p, 'else')) no = block(p);
    expect(p, 'fi');
  }
  return [...test, { op: 'if-failed', to: yes.length + 2 }, ...yes, { op: 'goto', to: no.length + 1 }, ...no];
}

function loop(p: Parser, leave: 'if-ok' | 'if-failed'): Instruction[] {
  const test = tested(block(p));
  const body = doGroup(p);
  const length = test.length + body.length;
  return [
    { op: 'loop', out: length + 5, again: 1 }, ...test, { op: leave, to: body.length + 3 },
    ...body, { op: 'keep' }, { op: 'goto', to: -(length + 2) }, { op: 'end-loop' },
  ];
}

function doGroup(p: Parser): Instruction[] {
  expect(p, 'do');
  const body = block(p);
  expect(p, 'done');
  return body;
}

function forCommand(p: Parser): Instruction[] {
  skipBlanks(p);
  if (p.source.startsWith('((', p.at)) return forArithmetic(p);
  const name = plainText(readWord(p)) ?? '';
  if (!/^[A-Za-z_]\w*$/.test(name)) throw new SyntaxProblem('syntax error: bad for loop variable');
  skipLines(p);
  let words: Word[] | undefined;
  if (takeWord(p, 'in')) {
    words = [];
    for (skipBlanks(p); ; skipBlanks(p)) {
      const word = readWord(p);
      if (word.length === 0) break;
      words.push(word);
    }
  }
  take(p, ';');
  const body = doGroup(p);
  return [
    { op: 'for', name, words, out: body.length + 4 }, { op: 'next', name, out: body.length + 3 },
    ...body, { op: 'keep' }, { op: 'goto', to: -(body.length + 2) },
  ];
}

/** bash: for ((start; test; step)). */
function forArithmetic(p: Parser): Instruction[] {
  const end = arithmeticEnd(p.source, p.at + 2);
  if (end < 0) throw unexpected(p);
  const [start = '', test = '', step = ''] = p.source.slice(p.at + 2, end).split(';');
  p.at = end + 2;
  take(p, ';');
  const body = doGroup(p);
  const math = (text: string): Instruction => ({ op: 'math', expression: readDouble({ source: text, at: 0 }, ''), tested: true });
  return [
    math(start), { op: 'loop', out: body.length + 7, again: body.length + 3 }, math(test.trim() === '' ? '1' : test),
    { op: 'if-failed', to: body.length + 4 }, ...body, { op: 'keep' }, math(step), { op: 'goto', to: -(body.length + 4) }, { op: 'end-loop' },
  ];
}

function caseCommand(p: Parser): Instruction[] {
  skipBlanks(p);
  const subject = readWord(p);
  expect(p, 'in');
  const arms: { patterns: Word[]; body: Instruction[]; falls: boolean }[] = [];
  for (skipLines(p); !takeWord(p, 'esac'); skipLines(p)) {
    if (p.at >= p.source.length) throw unexpected(p, 'esac');
    take(p, '(');
    const patterns: Word[] = [];
    do {
      skipBlanks(p);
      patterns.push(readWord(p));
    } while (take(p, '|'));
    if (!take(p, ')')) throw unexpected(p, ')');
    const body = list(p);
    const falls = take(p, ';&');
    if (!falls) take(p, ';;');
    arms.push({ patterns, body, falls });
  }
  const total = arms.reduce((sum, arm) => sum + arm.body.length + 1, 1);
  const code: Instruction[] = [];
  const targets = arms.map(({ patterns, body, falls }) => {
    const to = code.length + 1;
    code.push(...body, { op: 'goto', to: falls ? 1 : total - to - body.length });
    return { patterns, to };
  });
  return [{ op: 'case', subject, arms: targets, out: total }, ...code];
}

function define(p: Parser, name: string): Instruction[] {
  skipLines(p);
  const body = command(p);
  return [{ op: 'define', name, to: body.length + 2 }, ...body, { op: 'end' }];
}

/** [[ ... ]]: no splitting inside, && and || belong to it. */
function condition(p: Parser): Instruction[] {
  const words: Word[] = [[{ t: 'text', text: '[[', quoted: false }]];
  for (;;) {
    skipLines(p);
    if (p.at >= p.source.length) throw unexpected(p, ']]');
    if (takeWord(p, ']]')) break;
    const operator = /^(&&|\|\||[()<>])/.exec(p.source.slice(p.at, p.at + 2))?.[0];
    const isRegex = plainText(words.at(-1) ?? []) === '=~';
    if (operator !== undefined && !isRegex) {
      p.at += operator.length;
      words.push([{ t: 'text', text: operator, quoted: false }]);
    } else words.push(readWord(p, isRegex ? ' \t\n' : undefined));
  }
  return [{ op: 'simple', assigns: [], words, redirections: [], tested: false, condition: true }];
}

const redirectionAt = /(\d*)(<<-|<<<|<<|<>|<&|>&|>>|>\||&>>|&>|<|>)/y;

function redirection(p: Parser): Redirection | undefined {
  redirectionAt.lastIndex = p.at;
  const found = redirectionAt.exec(p.source);
  if (found === null) return undefined;
  p.at += found[0].length;
  const op = found[2] ?? '';
  const fd = found[1] === '' ? (op.startsWith('<') ? 0 : 1) : Number(found[1]);
  skipBlanks(p);
  const raw = p.at;
  const target = readWord(p);
  if (target.length === 0) throw unexpected(p);
  const result: Redirection = { fd, op, target };
  if (op === '<<' || op === '<<-') {
    result.op = '<<';
    const text = p.source.slice(raw, p.at);
    p.heredocs.push({ redirection: result, end: text.replace(/['"\\]/g, ''), tabs: op === '<<-', quoted: /['"\\]/.test(text) });
  }
  return result;
}

function redirections(p: Parser): Redirection[] {
  const found: Redirection[] = [];
  for (;;) {
    skipBlanks(p);
    const next = redirection(p);
    if (next === undefined) return found;
    found.push(next);
  }
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
  return [{ op: 'simple', assigns, words, redirections: found, tested: false, condition: false }];
}
