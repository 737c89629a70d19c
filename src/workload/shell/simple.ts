import { builtins } from './builtins.ts';
import { compile } from './compile.ts';
import type { Instruction } from './code.ts';
import { inProcess, resolveCommand } from './commands.ts';
import { expandFields, expandPattern, expandText, type Expansion } from './expand.ts';
import { awaitChildren, commit, exitShell, needs, settle } from './interpreter.ts';
import { collect } from './kernel.ts';
import { complain, enter, environment, expansion, getVariable, ignoredSignals, redirect, say, setVariable, type Running } from './shells.ts';
import { spawnCommand } from './spawn.ts';
import { plainText, type Word } from './words.ts';

type Simple = Extract<Instruction, { op: 'simple' }>;

/** A simple command: expansions, redirections, then a builtin, a function or a program. False: the shell stops here for now. */
export function simple(r: Running, instruction: Simple): boolean {
  const { shell, proc } = r;
  if (instruction.literal !== undefined && !shell.options.includes('x')) {
    shell.pc++;
    return dispatch(r, instruction.literal, [], proc.fds, instruction);
  }
  const x = expansion(r);
  const words = instruction.condition ? conditionWords(instruction.words, x) : commandWords(instruction.words, x);
  const assigns = instruction.assigns.map(({ name, append, value }) => {
    const text = (append ? (x.changes[name] ?? getVariable(r, name) ?? '') : '') + expandText(value, x);
    if (words.length === 0) x.changes[name] = text;
    return [name, text] as const;
  });
  const fds = redirect(r, proc.fds, instruction.redirections, x);
  const waits = needs(r, x);
  if (waits !== undefined) return waits;
  if (words.length === 0) {
    const status = shell.outputStatus ?? 0;
    const refused = assigns.find(([name]) => shell.readonly?.includes(name) === true);
    if (refused !== undefined) {
      say(r, `${refused[0]}: is read only`);
      return exitShell(r, 2);
    }
    shell.status = status;
  }
  commit(r, x);
  delete shell.outputStatus;
  shell.pc++;
  if (shell.options.includes('x')) complain(r, `+ ${[...assigns.map(([name, value]) => `${name}=${quoted(value)}`), ...words.map(quoted)].join(' ')}`);
  if (typeof fds === 'string') {
    say(r, fds);
    shell.status = 1;
    return settle(r, instruction.tested);
  }
  if (words.length === 0) {
    if (instruction.redirections.length > 0) collect(r.k);
    return settle(r, instruction.tested);
  }
  return dispatch(r, words, assigns, fds, instruction);
}

const quoted = (text: string): string => (/^[\w./:=@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'"'"'`)}'`);

const declares = new Set(['export', 'local', 'readonly', 'declare', 'typeset']);

function commandWords(words: readonly Word[], x: Expansion): string[] {
  const asAssignments = declares.has(plainText(words[0] ?? []) ?? '');
  return words.flatMap((word) => (asAssignments && word[0]?.t === 'text' && /^\w+\+?=/.test(word[0].text) ? [expandText(word, x)] : expandFields(word, x)));
}

const comparing = new Set(['=', '==', '!=']);

function conditionWords(words: readonly Word[], x: Expansion): string[] {
  return words.map((word, index) => (comparing.has(plainText(words[index - 1] ?? []) ?? '') ? expandPattern(word, x) : expandText(word, x)));
}

type Assigned = readonly (readonly [string, string])[];

function dispatch(r: Running, words: readonly string[], assigns: Assigned, fds: Readonly<Record<string, string>>, instruction: Simple, functions = true): boolean {
  const { proc, shell } = r;
  const [name = '', ...args] = words;
  const { tested } = instruction;
  if ((name === 'command' || name === 'builtin') && args[0] !== undefined && !/^-[vV]/.test(args[0])) {
    return dispatch(r, args.filter((arg) => arg !== '-p' && arg !== '--'), assigns, fds, instruction, false);
  }
  const called = functions ? shell.functions[name] : undefined;
  if (called !== undefined && !name.includes('/')) {
    for (const [key, value] of assigns) setVariable(r, key, value);
    if (fds !== proc.fds) {
      shell.frames.push({ kind: 'fds', fds: proc.fds });
      proc.fds = fds;
    }
    enter(r, called.source, called.pc, tested, args);
    return true;
  }
  const builtin = Object.hasOwn(builtins, name) ? builtins[name] : undefined;
  if (builtin !== undefined) return runBuiltin(r, instruction, assigns, fds, () => builtin(r, args, { tested }), name);
  const instant = inProcess(r, name);
  if (instant !== undefined) return runBuiltin(r, instruction, assigns, fds, () => instant(words));
  return external(r, words, assigns, fds, tested);
}

function runBuiltin(r: Running, { redirections, tested }: Simple, assigns: Assigned, fds: Readonly<Record<string, string>>, run: () => number | boolean, builtin = ''): boolean {
  const { proc, shell, k } = r;
  const before = proc.fds;
  const kept = assigns.map(([name]) => [name, Object.hasOwn(shell.vars, name) ? (shell.vars[name] ?? null) : false] as const);
  for (const [name, value] of assigns) setVariable(r, name, value);
  proc.fds = fds;
  const result = run();
  // The redirections of exec stay.
  if (builtin !== 'exec') proc.fds = before;
  for (const [name, value] of kept) {
    if (value === false) delete shell.vars[name];
    else shell.vars[name] = value;
  }
  if (redirections.length > 0) collect(k);
  if (typeof result === 'boolean') return result;
  shell.status = result;
  return settle(r, tested);
}

function external(r: Running, words: readonly string[], assigns: Assigned, fds: Readonly<Record<string, string>>, tested: boolean): boolean {
  const { shell } = r;
  const name = words[0] ?? '';
  const found = resolveCommand(r.k, r.proc, name, environment(r, assigns));
  if ('status' in found) {
    const before = r.proc.fds;
    r.proc.fds = fds;
    complain(r, found.plain === true ? found.message : `${shell.flavor === 'bash' ? `${shell.name}: line 1` : shell.name}: ${found.message}`);
    r.proc.fds = before;
    shell.status = found.status;
    collect(r.k);
    return settle(r, tested);
  }
  const argv = [...found.argv, ...words.slice(1)];
  if (isLast(r)) {
    become(r, argv, fds, environment(r, assigns));
    return false;
  }
  const child = spawnCommand(r, argv, fds, assigns);
  return awaitChildren(r, child === undefined ? [] : [child.pid], tested);
}

/** exec: the program takes the place of the shell. */
export function replaceShell(r: Running, words: string[]): number | boolean {
  const { k, proc } = r;
  const found = resolveCommand(k, proc, words[0] ?? '', environment(r));
  if ('status' in found) {
    say(r, found.plain === true ? found.message : `exec: ${found.message}`);
    return exitShell(r, found.status);
  }
  become(r, [...found.argv, ...words.slice(1)], proc.fds, environment(r));
  return false;
}

/** The last command of a shell without traps takes its place at once. Upstream: ash and dash eval.c, EV_EXIT. */
function isLast({ shell }: Running): boolean {
  if (shell.frames.length > 0 || shell.fromInput === true) return false;
  for (const name in shell.traps) if (shell.traps[name] !== '') return false;
  return compile(shell.source).code[shell.pc]?.op === 'end';
}

function become({ k, proc, shell }: Running, argv: string[], fds: Readonly<Record<string, string>>, env: Readonly<Record<string, string>>): void {
  proc.ignored = [...proc.ignored, ...ignoredSignals(shell)];
  proc.env = env;
  proc.argv = argv;
  proc.fds = fds;
  proc.owedUs += execUs;
  delete proc.shell;
  delete proc.memo;
  collect(k);
}

const execUs = 500;
