import type { Instruction } from './code.ts';
import { block, command, list, tested } from './compile.ts';
import { expect, skipBlanks, skipLines, take, takeWord, unexpected, type Parser } from './parser.ts';
import { arithmeticEnd, plainText, readDouble, readWord, SyntaxProblem, type Word } from './words.ts';

/** Compound commands by the word that opens them. */
export const compounds: Readonly<Record<string, (p: Parser) => Instruction[]>> = {
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

export function expectOperator(p: Parser, operator: string): void {
  skipLines(p);
  if (!take(p, operator)) throw unexpected(p, operator);
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

export function define(p: Parser, name: string): Instruction[] {
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
