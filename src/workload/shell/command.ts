import type { Host, Files, ServerAnswer, ServerRequest } from '../contract.ts';
import type { SimTime } from '../../sim/time.ts';
import { absolute, errorText, openPath, readFrom, writeTo, type Input, type Kernel } from './kernel.ts';
import type { Block, Proc } from './state.ts';

/** What a command sees each time it is run on. */
export interface Call {
  readonly k: Kernel;
  readonly proc: Proc;
  readonly host: Host;
  readonly files: Files;
  readonly name: string;
  readonly args: string[];
  readonly now: SimTime;
  /** A signal that it handles itself arrived. */
  readonly signal?: number;
}

/** An exit status, or what it waits for: a time, a block, a command that takes its place (`become`). */
export type Outcome = number | { at?: SimTime; block?: Block; become?: string[] };

/** A program in the table of commands. It is called again after each wait; what it must keep it puts into proc.memo. */
export type Command = (call: Call) => Outcome;

export interface CommandEntry {
  run: Command;
  /** Signals with a handler of its own. */
  handles?: readonly number[];
  /** Bytes that it holds while it runs. */
  memory?: number;
  /** Answers what comes to its ports. */
  answer?: (call: Call, request: ServerRequest) => ServerAnswer;
}

export const out = (call: Call, text: string): void => write(call, 1, text);
export const err = (call: Call, text: string): void => write(call, 2, text);

function write(call: Call, fd: number, text: string): void {
  if (text === '') return;
  const result = writeTo(call.k, call.proc, fd, text);
  if (result === 'broken') call.k.deliver(call.proc, 13);
  else if (result !== 'ok' && fd === 1) writeTo(call.k, call.proc, 2, `${call.name}: write error: ${errorText[result] ?? result}\n`);
}

export const path = (call: Call, name: string): string => absolute(call.proc.cwd, name);

export function fail(call: Call, text: string, status = 1): number {
  err(call, `${call.name}: ${text}\n`);
  return status;
}

/** The memory of a command between its calls, made at the first one. */
export function memo<T>(call: Call, make: () => T): T {
  if (call.proc.memo === undefined) call.proc.memo = make();
  return call.proc.memo as T;
}

/** An answer that is known now and given after some time. */
export interface Later {
  at: SimTime;
  out: string;
  err: string;
  status: number;
  then?: number;
}

/** Computes once, waits, prints. */
export function later(call: Call, compute: () => Omit<Later, 'at'> & { afterMs: number }): Outcome {
  const kept = memo(call, () => {
    const { afterMs, ...rest } = compute();
    return { ...rest, at: call.now + Math.round(afterMs) };
  });
  if (call.now < kept.at) return { at: kept.at };
  out(call, kept.out);
  err(call, kept.err);
  return kept.status;
}

export const option = (args: readonly string[], letter: string): boolean => args.some((arg) => /^-[A-Za-z]/.test(arg) && !arg.startsWith('--') && arg.includes(letter));

export interface Options {
  flags: Set<string>;
  values: Record<string, string>;
  rest: string[];
  unknown?: string;
}

/** getopt: `valued` lists the letters and long names that take a value. */
export function getOptions(args: readonly string[], valued: readonly string[] = []): Options {
  const result: Options = { flags: new Set(), values: {}, rest: [] };
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] as string;
    if (arg === '--') {
      result.rest.push(...args.slice(i + 1));
      break;
    }
    if (arg === '-' || !arg.startsWith('-')) result.rest.push(arg);
    else if (arg.startsWith('--')) {
      const [name = '', value] = arg.slice(2).split(/=(.*)/s);
      if (value !== undefined) result.values[name] = value;
      else if (valued.includes(name)) result.values[name] = args[++i] ?? '';
      else result.flags.add(name);
    } else i = readLetters(arg, i, args, valued, result);
  }
  return result;
}

function readLetters(arg: string, index: number, args: readonly string[], valued: readonly string[], result: Options): number {
  for (let j = 1; j < arg.length; j++) {
    const letter = arg.charAt(j);
    if (!valued.includes(letter)) {
      result.flags.add(letter);
      continue;
    }
    const value = j + 1 < arg.length ? arg.slice(j + 1) : args[index + 1];
    result.values[letter] = value ?? '';
    return j + 1 < arg.length ? index : index + 1;
  }
  return index;
}

/** The texts of file operands ('-' or none: descriptor 0), gathered to their ends; undefined: wait for input. */
export interface Gathered {
  texts: { name: string; text: string }[];
  zeros: number;
  failed: boolean;
}

export function gather(call: Call, names: readonly string[]): Gathered | undefined {
  const kept = memo(call, () => ({ input: '', zeros: 0 }));
  const wanted = names.length === 0 ? ['-'] : names;
  if (wanted.includes('-')) {
    for (;;) {
      const input = readFrom(call.k, call.proc, 0);
      if (input === undefined) return undefined;
      kept.input += input.text;
      kept.zeros += input.zeros;
      if (input.ended || input.zeros > 0) break;
    }
  }
  const result: Gathered = { texts: [], zeros: kept.zeros, failed: false };
  for (const name of wanted) {
    const text = name === '-' ? kept.input : readFile(call, name);
    if (text === undefined) result.failed = true;
    else result.texts.push({ name, text });
  }
  return result;
}

/** The text of a file; says why not. */
export function readFile(call: Call, name: string): string | undefined {
  const opened = openPath(call.k, call.proc, name, '<');
  if (typeof opened !== 'string') {
    err(call, cannotOpen(call, name, opened.error));
    return undefined;
  }
  const file = call.k.tree.open[opened];
  if (file?.kind !== 'file') {
    const { fds } = call.proc;
    call.proc.fds = { ...fds, 99: opened };
    const input: Input | undefined = readFrom(call.k, call.proc, 99);
    call.proc.fds = fds;
    return input?.text ?? '';
  }
  delete call.k.tree.open[opened];
  const content = call.files.read(file.path);
  return typeof content === 'string' ? content : '';
}

/** busybox and coreutils word it differently. */
export const cannotOpen = (call: Call, name: string, error: string): string =>
  /^(cat|head|tail|grep|wc|sort|cut|sed|tac|uniq)$/.test(call.name) && error !== 'EISDIR' && !gnu(call)
    ? `${call.name}: ${call.name === 'grep' || call.name === 'sed' ? `${name}: ` : `can't open '${name}': `}${errorText[error] ?? error}\n`
    : `${call.name}: ${error === 'EISDIR' && call.name === 'cat' ? 'read error' : name}: ${errorText[error] ?? error}\n`;

/** The image's tools are coreutils, not busybox. */
export const gnu = (call: Call): boolean => call.k.gnu;

/** Lines without their ends; a last empty one is none. */
export function linesOf(text: string): string[] {
  if (text === '') return [];
  return (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n');
}

export const unlines = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');
