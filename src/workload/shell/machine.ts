import type { Host, ServerAnswer, ServerRequest, StepResult, Wake } from '../contract.ts';
import { imageFacts } from '../images/facts.ts';
import { commandOf, makeCall, resolveCommand } from './commands.ts';
import { err } from './command.ts';
import { collect, endProc, hasRoom, readFrom, type Kernel } from './kernel.ts';
import { runShell } from './interpreter.ts';
import { harmless, signalName, signalNumber, type OpenFile, type Proc, type Tree } from './state.ts';

/** Runs of processes in one step; more is put off by a millisecond. */
const runsPerStep = 400;
/** After so many short waits in a row the waits grow: a loop without a pause must not cost much. */
const strainAllowed = 300;
const longWaitMs = 50;
/** The longest of these for what only computes, and for what also waits a little (such as requests in a row). */
const strainedWaitMs = { computes: 1000, waits: 100 };
const defaultMemory = 400_000;

export interface TreeSpec {
  image: string;
  argv: string[];
  env: Readonly<Record<string, string>>;
  cwd: string;
  pid1: boolean;
  interactive: boolean;
  limitBytes?: number;
  ports: readonly number[];
}

/** From execve to the first line of main, for a container's first process. */
const startUs = 2500;

/** Frozen: all checkpoints share them. */
const standardFds = Object.freeze({ 0: '0', 1: '1', 2: '2' });
const noInput: OpenFile = Object.freeze({ kind: 'device', name: 'null' });
const standardOutput: OpenFile = Object.freeze({ kind: 'output', stream: 'stdout' });
const standardError: OpenFile = Object.freeze({ kind: 'output', stream: 'stderr' });

export function newTree({ image, argv, env, cwd, pid1, interactive, limitBytes, ports }: TreeSpec): Tree {
  const main: Proc = { pid: 1, parent: 0, argv, cwd, env, fds: standardFds, owedUs: pid1 ? startUs : 500, memoryBytes: 0, ignored: [] };
  return {
    image, pid1, main: 1, procs: [main], nextPid: 7,
    open: { 0: interactive ? { kind: 'console', text: '', ended: false } : noInput, 1: standardOutput, 2: standardError },
    nextOpen: 3, strain: 0, memoryBytes: 0, declaredPorts: Object.freeze([...ports]), ...(limitBytes === undefined ? {} : { limitBytes }),
  };
}

export function kernelOf(tree: Tree, host: Host): Kernel {
  const k: Kernel = { tree, host, gnu: isGnu(tree.image), deliver: (proc, signal) => deliver(k, proc, signal) };
  return k;
}

const isGnu = (image: string): boolean => imageFacts(image).userland === 'gnu';

/** Runs all that can run now. */
export function stepTree(tree: Tree, wake: Wake, host: Host): StepResult {
  const k = kernelOf(tree, host);
  if (wake.kind === 'start') begin(k);
  if (wake.kind === 'signal') fromOutside(k, signalNumber(wake.signal) ?? 15);
  if (wake.kind === 'stdin') type(k, wake.text);
  let runs = 0;
  for (let proc = nextReady(k); proc !== undefined && tree.mainStatus === undefined; proc = nextReady(k)) {
    if (++runs > runsPerStep) {
      for (const other of tree.procs) if (isReady(k, other)) other.wakeAt = host.now + 1;
      break;
    }
    runProc(k, proc);
  }
  if (tree.mainStatus !== undefined) {
    for (const proc of tree.procs) for (const port of proc.ports ?? []) host.unlisten(port);
    return { status: 'exited', exitCode: tree.mainStatus };
  }
  reportMemory(k);
  const times = tree.procs.map((proc) => proc.wakeAt).filter((at) => at !== undefined);
  return { status: 'running', ...(times.length === 0 ? {} : { wakeAt: times.reduce((a, b) => Math.min(a, b)) }) };
}

/** Under a shared process namespace and for an exec the pid is whatever the runtime gave it. */
function begin({ tree, host }: Kernel): void {
  if (tree.pid1) return;
  const pid = host.processes().at(-1)?.pid ?? 1;
  const main = tree.procs[0];
  if (main === undefined) return;
  main.pid = pid;
  tree.main = pid;
  tree.nextPid = pid + 1;
  if (main.shell !== undefined) main.shell.dollar = pid;
}

function type({ tree }: Kernel, text: string): void {
  const file = tree.open['0'];
  if (file?.kind !== 'console') return;
  const end = text.indexOf('\x04');
  file.text += end < 0 ? text : text.slice(0, end);
  if (end >= 0 || text === '') file.ended = true;
}

function nextReady(k: Kernel): Proc | undefined {
  return k.tree.procs.find((proc) => isReady(k, proc));
}

function isReady(k: Kernel, proc: Proc): boolean {
  const due = proc.wakeAt === undefined ? proc.block === undefined : proc.wakeAt <= k.host.now;
  if (due) return true;
  switch (proc.block) {
    case 'input':
      return readFrom(k, proc, 0, true) !== undefined;
    case 'output':
      return hasRoom(k, proc);
    case 'children':
      return proc.shell === undefined ? Object.keys(proc.ended ?? {}).length > 0 : (proc.shell.wait?.pids ?? []).every((pid) => proc.ended?.[pid] !== undefined);
    default:
      return false;
  }
}

function runProc(k: Kernel, proc: Proc): void {
  delete proc.wakeAt;
  delete proc.block;
  if (proc.exit !== undefined) endProc(k, proc, proc.exit);
  else if (proc.shell !== undefined) runShell({ k, proc, shell: proc.shell });
  else runCommand(k, proc);
  if (k.tree.procs.includes(proc)) payTime(k, proc);
}

/** Time that was used is added to the next wait. */
function payTime({ tree, host }: Kernel, proc: Proc): void {
  if (proc.wakeAt === undefined) return;
  const limit = proc.wakeAt <= host.now ? strainedWaitMs.computes : strainedWaitMs.waits;
  const owedMs = Math.floor(proc.owedUs / 1000);
  proc.owedUs -= owedMs * 1000;
  proc.wakeAt += owedMs;
  if (proc.wakeAt - host.now >= longWaitMs) tree.strain = 0;
  else if (++tree.strain > strainAllowed) {
    const factor = 1 << Math.min(8, Math.floor((tree.strain - strainAllowed) / 20));
    proc.wakeAt = Math.max(proc.wakeAt, host.now + Math.min(limit, Math.max(1, proc.wakeAt - host.now) * factor));
  }
}

function runCommand(k: Kernel, proc: Proc, signal?: number): void {
  const entry = commandOf(k.tree, proc);
  if (entry === undefined) {
    become(k, proc, proc.argv);
    return;
  }
  const outcome = entry.run(makeCall(k, proc, proc.argv, signal));
  if (!k.tree.procs.includes(proc)) return;
  if (typeof outcome === 'number') finish(k, proc, outcome);
  else if (outcome.become !== undefined) become(k, proc, outcome.become);
  else {
    if (outcome.block !== undefined) proc.block = outcome.block;
    if (outcome.at !== undefined) proc.wakeAt = outcome.at;
  }
}

/** The main process passes its used time before it is seen to end; a child hands it to its parent. */
function finish(k: Kernel, proc: Proc, status: number): void {
  if (proc.pid !== k.tree.main || proc.owedUs < 1000) {
    endProc(k, proc, status);
    return;
  }
  proc.exit = status;
  proc.wakeAt = k.host.now;
}

/** execve by a command such as env or timeout. */
function become(k: Kernel, proc: Proc, argv: string[]): void {
  const found = resolveCommand(k, proc, argv[0] ?? '', proc.env);
  if ('status' in found) {
    const call = makeCall(k, proc, proc.argv);
    const text = found.plain === true ? found.message : `${call.name === argv[0] ? 'sh' : call.name}: ${k.gnu ? `‘${argv[0] ?? ''}’` : `can't execute '${argv[0] ?? ''}'`}: ${found.status === 126 ? 'Permission denied' : 'No such file or directory'}`;
    err(call, `${text}\n`);
    finish(k, proc, found.status);
    return;
  }
  proc.argv = [...found.argv, ...argv.slice(1)];
  delete proc.memo;
}

/** A signal from outside the namespace: SIGKILL always works. */
function fromOutside(k: Kernel, signal: number): void {
  const main = k.tree.procs.find((proc) => proc.pid === k.tree.main);
  if (main === undefined) return;
  if (signal === 9) endProc(k, main, 137);
  else deliver(k, main, signal);
}

/** A signal reaches a process: its handler, nothing, or its end. Upstream: signal(7); Linux kernel/signal.c */
function deliver(k: Kernel, proc: Proc, signal: number): void {
  if (proc.exit !== undefined) return;
  if (signal === 9) {
    endProc(k, proc, 137);
    return;
  }
  const { shell } = proc;
  const name = signalName(signal) ?? String(signal);
  if (shell?.traps[name] !== undefined) {
    if (shell.traps[name] === '' || shell.pending.includes(signal)) return;
    shell.pending.push(signal);
    // A foreground command is waited for all the same: the shell looks and waits on.
    delete proc.block;
    if (shell.wait === undefined) delete proc.wakeAt;
    return;
  }
  if (proc.ignored.includes(signal)) return;
  if (shell === undefined && commandOf(k.tree, proc)?.handles?.includes(signal) === true) {
    const before = { block: proc.block, wakeAt: proc.wakeAt };
    delete proc.block;
    delete proc.wakeAt;
    runCommand(k, proc, signal);
    if (proc.block === undefined && proc.wakeAt === undefined && proc.exit === undefined && before.wakeAt !== undefined) proc.wakeAt = before.wakeAt;
    payTime(k, proc);
    return;
  }
  if (harmless.has(signal) || (proc.pid === k.tree.main && k.tree.pid1)) return;
  endProc(k, proc, 128 + signal);
  collect(k);
}

function reportMemory(k: Kernel): void {
  const { tree, host } = k;
  let total = tree.usesShm === true ? shmBytes(k) : 0;
  for (const proc of tree.procs) {
    const held = proc.memoryBytes > 0 ? proc.memoryBytes : (commandOf(k.tree, proc)?.memory ?? defaultMemory);
    total += held + (proc.shell === undefined ? 0 : heldByVariables(proc));
  }
  if (total === tree.memoryBytes) return;
  tree.memoryBytes = total;
  host.setMemory(total);
}

function shmBytes({ host }: Kernel): number {
  const names = host.files.list('/dev/shm');
  return Array.isArray(names) ? names.reduce((sum, name) => sum + (host.files.stat(`/dev/shm/${name}`)?.size ?? 0), 0) : 0;
}

function heldByVariables({ shell }: Proc): number {
  let length = 0;
  for (const name in shell?.vars) length += shell.vars[name]?.length ?? 0;
  return length > 1_000_000 ? length : 0;
}

/** How the process that listens on a port answers. */
export function answerOf(tree: Tree, request: ServerRequest, host: Host): ServerAnswer {
  const k = kernelOf(tree, host);
  const proc = tree.procs.find((candidate) => candidate.ports?.includes(request.port) === true);
  const entry = proc === undefined ? undefined : commandOf(k.tree, proc);
  if (proc === undefined || entry?.answer === undefined) return { kind: 'hang', steadyUntil: host.now };
  return entry.answer(makeCall(k, proc, proc.argv), request);
}
