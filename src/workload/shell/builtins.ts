import { absolute, openPath, sendSignal, writeTo } from './kernel.ts';
import { compile } from './compile.ts';
import { resolveCommand, isBuiltinName } from './commands.ts';
import { exitShell } from './interpreter.ts';
import { enter, environment, getVariable, popFrame, say, setVariable, syntaxError, type Running } from './shells.ts';
import { replaceShell } from './simple.ts';
import { signalName, signalNumber } from './state.ts';
import { assignWords, getopts, read, setOptions } from './variables.ts';

/** A status; or true: go on as things stand, false: the shell stops here for now. */
type Builtin = (r: Running, args: string[], how: { tested: boolean }) => number | boolean;

const print = (r: Running, text: string): void => void writeTo(r.k, r.proc, 1, text);

export const builtins: Readonly<Record<string, Builtin>> = {
  ':': () => 0,
  '.': (r, args, { tested }) => source(r, args, tested),
  source: (r, args, { tested }) => source(r, args, tested),
  eval: (r, args, { tested }) => evaluate(r, args.join(' '), tested),
  exec: (r, args) => {
    const words = args[0] === '--' ? args.slice(1) : args;
    return words.length > 0 ? replaceShell(r, words) : 0;
  },
  exit: (r, args) => exitShell(r, args[0] === undefined ? r.shell.status : Number(args[0]) & 255),
  break: (r, args) => leaveLoop(r, args, false),
  continue: (r, args) => leaveLoop(r, args, true),
  return: (r, args) => {
    const { shell } = r;
    if (args[0] !== undefined) shell.status = Number(args[0]) & 255;
    if (!shell.frames.some((frame) => frame.kind === 'call')) return exitShell(r, shell.status);
    while (shell.frames.at(-1)?.kind !== 'call') popFrame(r);
    shell.pc = 1e9;
    return true;
  },
  export: (r, args) => assignWords(r, args.filter((arg) => arg !== '-p' && arg !== '-n'), (name) => {
    if (!r.shell.exported.includes(name)) r.shell.exported.push(name);
  }),
  readonly: (r, args) => {
    const names: string[] = [];
    const status = assignWords(r, args.filter((arg) => arg !== '-p'), (name) => names.push(name));
    r.shell.readonly = [...(r.shell.readonly ?? []), ...names];
    return status;
  },
  local: (r, args) => {
    const call = r.shell.frames.findLast((frame) => frame.kind === 'call' && frame.args !== undefined);
    return assignWords(r, args.filter((arg) => !arg.startsWith('-')), (name) => {
      const own = Object.hasOwn(r.shell.vars, name);
      if (call?.kind === 'call') call.locals[name] ??= own ? (r.shell.vars[name] ?? null) : false;
    });
  },
  declare: (r, args) => builtins.local?.(r, args, { tested: true }) ?? 0,
  typeset: (r, args) => builtins.local?.(r, args, { tested: true }) ?? 0,
  unset: (r, args) => {
    const functions = args[0] === '-f';
    for (const name of args.filter((arg) => !arg.startsWith('-'))) {
      if (functions) delete r.shell.functions[name];
      else setVariable(r, name, null);
    }
    return 0;
  },
  set: (r, args) => setOptions(r, args),
  shopt: () => 0,
  umask: (r, args) => {
    if (args[0] === undefined) print(r, `${r.shell.umask ?? '0022'}\n`);
    else r.shell.umask = args[0].padStart(4, '0');
    return 0;
  },
  ulimit: (r, args) => {
    if (args.every((arg) => arg.startsWith('-'))) print(r, args.includes('-n') ? '1048576\n' : 'unlimited\n');
    return 0;
  },
  shift: (r, args) => {
    const by = Number(args[0] ?? 1);
    if (by > r.shell.args.length) return 1;
    r.shell.args = r.shell.args.slice(by);
    return 0;
  },
  read,
  trap,
  kill,
  wait: waitFor,
  cd: changeDirectory,
  pwd: (r) => {
    print(r, `${r.proc.cwd}\n`);
    return 0;
  },
  jobs: (r) => {
    for (const pid of r.shell.jobs) {
      const job = r.k.tree.procs.find((proc) => proc.pid === pid);
      if (job !== undefined) print(r, `[1]+  Running                    ${job.argv.join(' ')}\n`);
    }
    return 0;
  },
  hash: () => 0,
  alias: () => 0,
  unalias: () => 0,
  disown: () => 0,
  fg: () => 0,
  bg: () => 0,
  times: (r) => {
    print(r, '0m0.00s 0m0.00s\n0m0.00s 0m0.00s\n');
    return 0;
  },
  let: (r, args) => evaluate(r, args.map((arg) => `((${arg}))`).join('\n'), true),
  command: (r, args) => describe(r, args.filter((arg) => !arg.startsWith('-')), args[0] === '-V'),
  type: (r, args) => describe(r, args, true),
  getopts: (r, args) => getopts(r, args),
};

function leaveLoop(r: Running, args: string[], again: boolean): number {
  const { shell } = r;
  let levels = Math.max(1, Number(args[0] ?? 1));
  while (shell.frames.length > 0) {
    const frame = shell.frames.at(-1);
    if (frame?.kind === 'call' || frame?.kind === 'trap' || frame?.kind === 'exit') break;
    if (frame?.kind === 'loop' && --levels === 0) {
      if (again) {
        frame.status = 0;
        shell.pc = frame.again;
      } else {
        popFrame(r);
        shell.pc = frame.out;
      }
      return 0;
    }
    popFrame(r);
  }
  return 0;
}

function trap(r: Running, args: string[]): number {
  const { shell } = r;
  if (args[0] === '--') args.shift();
  if (args.length === 0) {
    for (const name in shell.traps) print(r, `trap -- '${(shell.traps[name] as string).replaceAll("'", `'\\''`)}' ${name}\n`);
    return 0;
  }
  const resets = args.length === 1 || /^\d+$/.test(args[0] ?? '') || args[0] === '-';
  const action = args[0] ?? '';
  let status = 0;
  for (const word of args.length === 1 || (resets && action !== '-') ? args : args.slice(1)) {
    const number = word === 'EXIT' ? 0 : signalNumber(word);
    if (number === undefined) {
      if (!/^(ERR|DEBUG|RETURN)$/.test(word)) {
        say(r, `trap: ${word}: invalid signal specification`);
        status = 1;
      }
      continue;
    }
    const name = number === 0 ? 'EXIT' : (signalName(number) ?? String(number));
    if (resets) delete shell.traps[name];
    else shell.traps[name] = action;
  }
  return status;
}

function kill(r: Running, args: string[]): number {
  let signal = 15;
  let rest = args;
  if (args[0] === '-l') {
    print(r, 'HUP INT QUIT ILL TRAP ABRT BUS FPE KILL USR1 SEGV USR2 PIPE ALRM TERM\n');
    return 0;
  }
  if (args[0] === '-s' || args[0] === '-n') [signal, rest] = [signalNumber(args[1] ?? '') ?? -1, args.slice(2)];
  else if (/^-\w+$/.test(args[0] ?? '')) [signal, rest] = [signalNumber((args[0] ?? '').slice(1)) ?? -1, args.slice(1)];
  if (signal < 0) {
    say(r, `kill: bad signal name '${(args[0] ?? '').slice(1)}'`);
    return 1;
  }
  let status = 0;
  for (const word of rest.filter((arg) => arg !== '--')) {
    const pid = word.startsWith('%') ? (r.shell.jobs.at(-1) ?? 0) : Math.abs(Number(word));
    const sent = Number.isInteger(pid) ? sendSignal(r.k, pid, signal) : false;
    if (sent === true) continue;
    say(r, `can't kill pid ${word}: ${sent === 'denied' ? 'Operation not permitted' : 'No such process'}`);
    status = 1;
  }
  return status;
}

function waitFor(r: Running, args: string[]): number | boolean {
  const { shell, proc } = r;
  const children = new Set([...r.k.tree.procs.filter((other) => other.parent === proc.pid).map((other) => other.pid), ...Object.keys(proc.ended ?? {}).map(Number)]);
  const asked = args.filter((arg) => !arg.startsWith('-')).map((arg) => (arg.startsWith('%') ? (shell.jobs.at(-1) ?? 0) : Number(arg)));
  const pids = args.length === 0 ? [...children] : asked;
  if (pids.some((pid) => !children.has(pid))) return 127;
  if (pids.length === 0) return 0;
  shell.wait = { kind: args.length === 0 ? 'wait-all' : 'wait', pids, tested: true };
  return true;
}

function source(r: Running, args: string[], tested: boolean): number | boolean {
  const { k, proc } = r;
  const name = args[0] ?? '';
  const opened = openPath(k, proc, name, '<');
  if (typeof opened !== 'string') {
    say(r, `${r.shell.flavor === 'bash' ? '' : '.: '}${r.shell.flavor === 'bash' ? `${name}: No such file or directory` : `can't open '${name}': No such file or directory`}`);
    return r.shell.flavor === 'bash' ? 1 : exitShell(r, 2);
  }
  const file = k.tree.open[opened];
  const text = file?.kind === 'file' ? k.host.files.read(file.path) : '';
  return evaluate(r, typeof text === 'string' ? text : '', tested, args.length > 1 ? args.slice(1) : undefined);
}

function evaluate(r: Running, text: string, tested: boolean, args?: string[]): number | boolean {
  const problem = syntaxError(r, text);
  if (problem !== undefined) {
    say(r, problem);
    return exitShell(r, 2);
  }
  if (compile(text).code.length <= 1) return 0;
  enter(r, text, 0, tested, args);
  return true;
}

function changeDirectory(r: Running, args: string[]): number {
  const { k, proc } = r;
  const [to = getVariable(r, 'HOME') ?? '/'] = args.filter((arg) => arg !== '-P' && arg !== '-L' && arg !== '--');
  const full = absolute(proc.cwd, to === '-' ? (getVariable(r, 'OLDPWD') ?? proc.cwd) : to);
  const stat = full === '/' ? { kind: 'directory' } : k.host.files.stat(full);
  if (stat?.kind !== 'directory') {
    say(r, r.shell.flavor === 'bash' ? `line 1: cd: ${to}: ${stat === undefined ? 'No such file or directory' : 'Not a directory'}` : `cd: can't cd to ${to}: ${stat === undefined ? 'No such file or directory' : 'Not a directory'}`);
    return r.shell.flavor === 'bash' ? 1 : 2;
  }
  setVariable(r, 'OLDPWD', proc.cwd);
  proc.cwd = full;
  return 0;
}

function describe(r: Running, args: string[], verbose: boolean): number {
  let status = 0;
  for (const name of args) {
    const found = r.shell.functions[name] !== undefined ? 'a function' : isBuiltinName(name) || name in builtins ? 'a shell builtin' : undefined;
    const command = found === undefined ? resolveCommand(r.k, r.proc, name, environment(r)) : undefined;
    if (command !== undefined && 'status' in command) {
      if (verbose) print(r, `${name}: not found\n`);
      status = 127;
    } else {
      const path = command === undefined ? name : command.path;
      print(r, verbose ? `${name} is ${found ?? path}\n` : `${path}\n`);
    }
  }
  return status;
}

