import type { SimTime } from '../../sim/time.ts';

/** All that runs in one process tree: the main process of a container (or one exec) and its children. Plain data. */
export interface Tree {
  image: string;
  /** The main process is PID 1 of its namespace: signals without a handler do not reach it. Upstream: Linux kernel/signal.c sig_task_ignored. */
  pid1: boolean;
  main: number;
  /** The main process has ended. */
  mainStatus?: number;
  procs: Proc[];
  nextPid: number;
  open: Record<string, OpenFile>;
  nextOpen: number;
  /** How often in a row something ran on without a real pause: loops that never wait get slower. */
  strain: number;
  memoryBytes: number;
  limitBytes?: number;
  /** TCP ports that the pod declares: what programs listen on of which nothing else is known. */
  declaredPorts: readonly number[];
  /** Something was put into /dev/shm: it counts as memory. */
  usesShm?: true;
}

/** An open file, shared by all descriptors that were copied from it. */
export type OpenFile =
  | { kind: 'output'; stream: 'stdout' | 'stderr' }
  | { kind: 'console'; text: string; ended: boolean }
  | { kind: 'device'; name: string }
  | { kind: 'file'; path: string; offset: number }
  | { kind: 'text'; text: string; offset: number }
  /** Both ends of a pipe share its id; `zeros`: bytes of no content that flow before the text. */
  | { kind: 'read-end'; pipe: string }
  | { kind: 'write-end'; pipe: string }
  | { kind: 'pipe'; text: string; zeros: number }
  | { kind: 'capture'; text: string };

export type Block =
  /** Descriptor 0 has something, or its end. */
  | 'input'
  /** The pipe behind descriptor 1 has room. */
  | 'output'
  /** The children in `shell.wait` are done. */
  | 'children'
  /** Only a signal wakes it. */
  | 'signal';

export interface Proc {
  pid: number;
  parent: number;
  argv: string[];
  cwd: string;
  /** Exported variables; frozen, shared. */
  env: Readonly<Record<string, string>>;
  /** Descriptor -> key in `open`. */
  fds: Readonly<Record<string, string>>;
  shell?: Shell;
  /** A command's own memory between its steps. */
  memo?: unknown;
  block?: Block;
  wakeAt?: SimTime;
  /** Time that was used and not yet waited for, microseconds. */
  owedUs: number;
  memoryBytes: number;
  /** Signals that do nothing, inherited. */
  ignored: number[];
  ports?: number[];
  /** Children that ended and were not asked for yet: pid -> status. */
  ended?: Record<string, number>;
  /** It is over; only the time that it used is still to pass. */
  exit?: number;
}

/** A shell's own state. */
export interface Shell {
  name: string;
  flavor: 'ash' | 'bash';
  source: string;
  pc: number;
  frames: Frame[];
  /** Changes over the exported ones that it began with; null: unset. */
  vars: Record<string, string | null>;
  exported: string[];
  readonly?: string[];
  args: string[];
  status: number;
  /** $$ */
  dollar: number;
  /** $! */
  lastJob?: number;
  jobs: number[];
  traps: Record<string, string>;
  pending: number[];
  functions: Record<string, { source: string; pc: number }>;
  /** Letters of `set`, plus P for pipefail. */
  options: string;
  /** Command substitutions of the present instruction that are done. */
  outputs: string[];
  outputStatus?: number;
  /** The open file that gathers a substitution's output. */
  capture?: string;
  wait?: Wait;
  /** Reads its commands from descriptor 0. */
  fromInput?: boolean;
  umask?: string;
}

export interface Wait {
  kind: 'command' | 'substitution' | 'wait' | 'wait-all' | 'pipe';
  pids: number[];
  tested: boolean;
}

export type Frame =
  | { kind: 'loop'; out: number; again: number; status: number; items?: string[]; index?: number }
  /** `locals`: values to put back; false: there was none. */
  | { kind: 'call'; source: string; pc: number; args?: string[]; locals: Record<string, string | null | false>; tested: boolean }
  | { kind: 'trap'; source: string; pc: number; status: number }
  | { kind: 'fds'; fds: Readonly<Record<string, string>> }
  | { kind: 'exit'; status: number };

export const signalNumbers: Readonly<Record<string, number>> = {
  HUP: 1, INT: 2, QUIT: 3, ILL: 4, TRAP: 5, ABRT: 6, BUS: 7, FPE: 8, KILL: 9, USR1: 10, SEGV: 11, USR2: 12, PIPE: 13, ALRM: 14, TERM: 15,
  CHLD: 17, CONT: 18, STOP: 19, TSTP: 20, TTIN: 21, TTOU: 22, URG: 23, WINCH: 28,
};

/** 'TERM', 'SIGTERM', 'term' or '15'. */
export function signalNumber(text: string): number | undefined {
  if (/^\d+$/.test(text)) return Number(text) <= 64 ? Number(text) : undefined;
  return signalNumbers[text.toUpperCase().replace(/^SIG/, '')];
}

export const signalName = (number: number): string | undefined => Object.keys(signalNumbers).find((name) => signalNumbers[name] === number);

/** Signals whose default is to do nothing here (stopping a process is not simulated). */
export const harmless: ReadonlySet<number> = new Set([17, 18, 19, 20, 21, 22, 23, 28]);
