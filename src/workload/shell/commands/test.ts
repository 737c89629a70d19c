import type { FileStat } from '../../contract.ts';
import { err, fail, out, path, type Call, type CommandEntry } from '../command.ts';
import { matches } from '../pattern.ts';
import { unescape } from '../words.ts';
import { format } from './printf.ts';

/** Commands that shells have built in: test, echo, printf, true, false. */
export const testCommands: Readonly<Record<string, CommandEntry>> = {
  true: { run: () => 0 },
  false: { run: () => 1 },
  echo: { run: echo },
  printf: { run: (call) => printf(call) },
  test: { run: (call) => test(call, call.args) },
  '[': { run: (call) => (call.args.at(-1) === ']' ? test(call, call.args.slice(0, -1)) : fail(call, 'missing ]', 2)) },
  '[[': { run: (call) => test(call, call.args, true) },
};

function echo(call: Call): number {
  let args = call.args;
  let newline = true;
  let escapes = call.proc.shell?.flavor === 'ash' && call.k.gnu;
  while (/^-[neE]+$/.test(args[0] ?? '')) {
    if (args[0]?.includes('n') === true) newline = false;
    if (args[0]?.includes('e') === true) escapes = true;
    args = args.slice(1);
  }
  let text = args.join(' ');
  if (escapes) {
    const stop = text.indexOf('\\c');
    if (stop >= 0) [text, newline] = [text.slice(0, stop), false];
    text = unescape(text);
  }
  out(call, newline ? `${text}\n` : text);
  return 0;
}

function printf(call: Call): number {
  const [pattern, ...values] = call.args[0] === '--' ? call.args.slice(1) : call.args;
  if (pattern === undefined) {
    err(call, 'printf: usage: printf FORMAT [ARGUMENT]...\n');
    return 2;
  }
  const { text, problem } = format(pattern, values);
  out(call, text);
  return problem === undefined ? 0 : fail(call, problem);
}

/** Thrown by nothing: an evaluation stops at its first problem. */
interface Reader {
  call: Call;
  words: readonly string[];
  at: number;
  double: boolean;
  problem?: string;
}

function test(call: Call, words: readonly string[], double = false): number {
  if (words.length === 0) return 1;
  const reader: Reader = { call, words, at: 0, double };
  const result = either(reader);
  if (reader.problem === undefined && reader.at < words.length) reader.problem = `${words[reader.at]}: unknown operand`;
  if (reader.problem === undefined) return result ? 0 : 1;
  const shell = call.proc.shell;
  const where = shell?.flavor === 'bash' ? `${shell.name}: line 1: ${call.name}` : (shell?.name ?? call.name);
  err(call, `${where}: ${reader.problem}\n`);
  return 2;
}

function either(r: Reader): boolean {
  let result = both(r);
  while (r.words[r.at] === '-o' || (r.double && r.words[r.at] === '||')) {
    r.at++;
    const right = both(r);
    result ||= right;
  }
  return result;
}

function both(r: Reader): boolean {
  let result = not(r);
  while ((r.words[r.at] === '-a' || (r.double && r.words[r.at] === '&&')) && r.at > 0) {
    r.at++;
    const right = not(r);
    result &&= right;
  }
  return result;
}

function not(r: Reader): boolean {
  if (r.words[r.at] !== '!' || r.at === r.words.length - 1) return primary(r);
  r.at++;
  return !not(r);
}

const fileTests: Readonly<Record<string, (stat: FileStat | undefined) => boolean>> = {
  '-e': (stat) => stat !== undefined, '-f': (stat) => stat?.kind === 'file', '-d': (stat) => stat?.kind === 'directory', '-s': (stat) => (stat?.size ?? 0) > 0,
  '-r': (stat) => stat !== undefined, '-w': (stat) => stat !== undefined, '-x': (stat) => stat !== undefined && (stat.kind === 'directory' || (stat.mode & 0o111) !== 0),
  '-h': () => false, '-L': () => false, '-p': () => false, '-S': () => false, '-b': () => false, '-c': () => false, '-O': (stat) => stat !== undefined,
};

type Compare = (a: string, b: string, r: Reader) => boolean;

const number = (r: Reader, text: string): number => {
  if (!/^\s*[-+]?\d+\s*$/.test(text)) r.problem ??= text === '' ? 'out of range' : `${text}: bad number`;
  return Number(text);
};

const numeric = (compare: (a: number, b: number) => boolean): Compare => (a, b, r) => compare(number(r, a), number(r, b));

const comparisons: Readonly<Record<string, Compare>> = {
  '=': (a, b, r) => (r.double ? matches(a, b) : a === b), '==': (a, b, r) => (r.double ? matches(a, b) : a === b), '!=': (a, b, r) => !(r.double ? matches(a, b) : a === b),
  '<': (a, b) => a < b, '>': (a, b) => a > b,
  '-eq': numeric((a, b) => a === b), '-ne': numeric((a, b) => a !== b), '-lt': numeric((a, b) => a < b), '-le': numeric((a, b) => a <= b), '-gt': numeric((a, b) => a > b), '-ge': numeric((a, b) => a >= b),
  '-nt': (a, b, r) => changed(r, a) > changed(r, b), '-ot': (a, b, r) => changed(r, a) < changed(r, b), '-ef': (a, b) => a === b,
  '=~': (a, b, r) => {
    try {
      return new RegExp(b).test(a);
    } catch {
      r.problem ??= `invalid regular expression '${b}'`;
      return false;
    }
  },
};

const changed = ({ call }: Reader, name: string): number => call.files.stat(path(call, name))?.changedAt ?? -1;

function primary(r: Reader): boolean {
  const word = r.words[r.at];
  const operator = r.words[r.at + 1] ?? '';
  if (word === undefined) {
    r.problem ??= 'argument expected';
    return false;
  }
  if (Object.hasOwn(comparisons, operator) && r.at + 2 < r.words.length) {
    r.at += 3;
    return (comparisons[operator] as Compare)(word, r.words[r.at - 1] as string, r);
  }
  if (word === '(' && r.words.length > r.at + 1) {
    r.at++;
    const result = either(r);
    if (r.words[r.at++] !== ')') r.problem ??= 'closing paren expected';
    return result;
  }
  if (r.at + 1 < r.words.length && /^-[a-zA-Z]$/.test(word)) {
    if (word === '-z' || word === '-n') {
      r.at += 2;
      return (operator === '') === (word === '-z');
    }
    if (word === '-t' || word === '-v') {
      r.at += 2;
      return word === '-v' && (r.call.proc.shell?.vars[operator] ?? r.call.proc.env[operator]) != null;
    }
    const check = fileTests[word];
    if (check !== undefined) {
      r.at += 2;
      return check(operator === '' ? undefined : /^\/dev\/(null|zero|stdin|stdout|stderr)$/.test(operator) ? { kind: 'file', size: 0, mode: 0o666, changedAt: 0 } : r.call.files.stat(path(r.call, operator)));
    }
  }
  r.at++;
  return word !== '';
}
