import { deepFreeze } from '../../sim/plain.ts';
import { absolute, addOpen, errorText, openPath, writeTo, type Kernel } from './kernel.ts';
import { compile } from './compile.ts';
import type { Redirection } from './code.ts';
import { expandText, type Expansion } from './expand.ts';
import { matches } from './pattern.ts';
import { signalNumber, type Frame, type Proc, type Shell } from './state.ts';

/** A shell process and its machine at this instant. */
export interface Running {
  readonly k: Kernel;
  readonly proc: Proc;
  readonly shell: Shell;
}

export const newShell = (name: string, flavor: Shell['flavor'], source: string, args: string[], pid: number): Shell => ({
  name, flavor, source, pc: 0, frames: [], vars: {}, exported: [], args, status: 0, dollar: pid, jobs: [], traps: {}, pending: [], functions: {}, options: '', outputs: [],
});

/** A line on the shell's standard error. */
export function complain({ k, proc }: Running, text: string): void {
  writeTo(k, proc, 2, `${text}\n`);
}

export const say = (r: Running, text: string): void => complain(r, `${r.shell.name}: ${text}`);

export function getVariable({ k, proc, shell }: Running, name: string): string | undefined {
  if (Object.hasOwn(shell.vars, name)) return shell.vars[name] ?? undefined;
  if (Object.hasOwn(proc.env, name)) return proc.env[name];
  switch (name) {
    case 'RANDOM':
      k.host.markUnsteady();
      return String(k.host.random(32_768));
    case 'SECONDS':
    case 'EPOCHSECONDS':
      k.host.markUnsteady();
      return String(Math.floor((name === 'SECONDS' ? k.host.now : k.host.epochMs + k.host.now) / 1000));
    case 'PWD':
      return proc.cwd;
    case 'PPID':
      return String(proc.parent);
    case 'UID':
    case 'EUID':
      return shell.flavor === 'bash' ? String(k.host.uid) : undefined;
    case 'BASH_VERSION':
      return shell.flavor === 'bash' ? '5.2.15(1)-release' : undefined;
    case 'HOSTNAME':
      return k.host.hostname;
    default:
      return undefined;
  }
}

export function setVariable({ shell }: Running, name: string, value: string | null): boolean {
  if (shell.readonly?.includes(name) === true) return false;
  shell.vars[name] = value;
  return true;
}

/** The environment of a child: the one that the shell began with, unless something exported changed. */
export function environment({ proc, shell }: Running, more: readonly (readonly [string, string])[] = []): Readonly<Record<string, string>> {
  const changes: Record<string, string | null> = {};
  for (const name in shell.vars) if (name in proc.env || shell.exported.includes(name)) changes[name] = shell.vars[name] ?? null;
  for (const [name, value] of more) changes[name] = value;
  if (Object.keys(changes).length === 0) return proc.env;
  const env: Record<string, string> = {};
  for (const name in proc.env) if (changes[name] !== null) env[name] = proc.env[name] as string;
  for (const name in changes) if (changes[name] !== null) env[name] = changes[name] as string;
  return deepFreeze(env);
}

export function expansion(r: Running): Expansion {
  const { k, proc, shell } = r;
  return {
    lookup: (name) => getVariable(r, name),
    special: (name) => {
      if (name === '?') return String(shell.status);
      if (name === '$') return String(shell.dollar);
      if (name === '!') return shell.lastJob === undefined ? '' : String(shell.lastJob);
      return name === '-' ? shell.options : shell.name.replace(/: 1$/, '');
    },
    args: shell.args,
    changes: {},
    outputs: shell.outputs,
    used: 0,
    nounset: shell.options.includes('u'),
    noglob: shell.options.includes('f'),
    glob: (pattern) => glob(k, proc, pattern),
  };
}

/** Paths that match; sorted, as the file system lists them. */
export function glob({ host }: Kernel, proc: Proc, pattern: string): string[] {
  const parts = pattern.split('/');
  let found = [pattern.startsWith('/') ? '' : undefined];
  for (const part of parts) {
    if (part === '') continue;
    found = found.flatMap((base) => {
      const directory = absolute(proc.cwd, base === undefined ? '.' : base === '' ? '/' : base);
      const prefix = base === undefined ? '' : `${base}/`;
      if (!/[*?[]/.test(part)) {
        const name = part.replace(/\\(.)/g, '$1');
        return host.files.stat(absolute(directory, name)) === undefined ? [] : [prefix + name];
      }
      const names = host.files.list(directory);
      if (!Array.isArray(names)) return [];
      return names.filter((name) => (part.startsWith('.') || !name.startsWith('.')) && matches(name, part)).map((name) => prefix + name);
    });
  }
  return found.filter((name) => name !== undefined);
}

/** The descriptors after redirections, or an error text. */
export function redirect(r: Running, fds: Readonly<Record<string, string>>, redirections: readonly Redirection[], x: Expansion): Readonly<Record<string, string>> | string {
  const { k, proc } = r;
  if (redirections.length === 0) return fds;
  const result: Record<string, string> = { ...fds };
  for (const { fd, op, target } of redirections) {
    const text = expandText(target, x);
    if (x.missing !== undefined || x.error !== undefined) continue;
    if (op === '<<' || op === '<<<') result[fd] = addOpen(k, { kind: 'text', text: op === '<<<' ? `${text}\n` : text, offset: 0 });
    else if (op === '<&' || (op === '>&' && /^(\d+|-)$/.test(text))) {
      if (text === '-') delete result[fd];
      else if (result[text] === undefined) return `${text}: Bad file descriptor`;
      else result[fd] = result[text];
    } else {
      const opened = openPath(k, { ...proc, fds: result }, text, op === '<' ? '<' : op.includes('>>') || op === '<>' ? '>>' : '>');
      if (typeof opened !== 'string') return cannot(r, op, text, opened.error);
      result[fd] = opened;
      if (op.includes('&')) result[2] = opened;
    }
  }
  return result;
}

function cannot({ k, shell }: Running, op: string, text: string, error: string): string {
  if (shell.flavor === 'bash') return `line 1: ${text}: ${errorText[error] ?? error}`;
  if (k.gnu) return `cannot ${op === '<' ? 'open' : 'create'} ${text}: ${error !== 'ENOENT' ? (errorText[error] ?? error) : op === '<' ? 'No such file' : 'Directory nonexistent'}`;
  if (op === '<') return `can't open ${text}: ${error === 'ENOENT' ? 'no such file' : (errorText[error] ?? error)}`;
  return `can't create ${text}: ${error === 'ENOENT' ? 'nonexistent directory' : (errorText[error] ?? error)}`;
}

export const popFrame = ({ proc, shell }: Running): Frame | undefined => {
  const frame = shell.frames.pop();
  if (frame?.kind === 'fds') proc.fds = frame.fds;
  if (frame?.kind === 'call') {
    for (const name in frame.locals) {
      const value = frame.locals[name];
      if (value === false || value === undefined) delete shell.vars[name];
      else shell.vars[name] = value;
    }
    if (frame.args !== undefined) shell.args = frame.args;
  }
  return frame;
};

/** Begins a text or a function as a call: it comes back at its end. */
export function enter({ shell }: Running, source: string, pc: number, tested: boolean, args?: string[]): void {
  shell.frames.push({ kind: 'call', source: shell.source, pc: shell.pc, locals: {}, tested, ...(args === undefined ? {} : { args: shell.args }) });
  if (args !== undefined) shell.args = args;
  shell.source = source;
  shell.pc = pc;
}

/** The text of a syntax error as the shell prints it, or undefined. */
export function syntaxError({ shell }: Running, source: string): string | undefined {
  const { error } = compile(source);
  if (error === undefined) return undefined;
  if (shell.flavor === 'ash') return error;
  const token = /unexpected "(.*?)"/.exec(error)?.[1];
  return `-c: line 1: ${token === undefined ? 'syntax error: unexpected end of file' : `syntax error near unexpected token \`${token}'`}`;
}

export const ignoredSignals = (shell: Shell): number[] =>
  Object.keys(shell.traps).filter((name) => shell.traps[name] === '').map((name) => signalNumber(name) ?? 0).filter((number) => number > 0);
