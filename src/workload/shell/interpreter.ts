import { compile } from './compile.ts';
import type { Instruction } from './code.ts';
import { control } from './control.ts';
import type { Expansion } from './expand.ts';
import { addOpen, collect, endProc, readFrom, unread } from './kernel.ts';
import { complain, enter, popFrame, say, setVariable, syntaxError, type Running } from './shells.ts';
import { simple } from './simple.ts';
import { spawnShell } from './spawn.ts';
import { signalNumber, type Shell, type Wait } from './state.ts';

/** Time that one shell instruction takes, and how much may be owed before it is waited for: microseconds. */
const instructionUs = 20;
const owedLimitUs = 5000;
const instructionsPerStep = 3000;

/** Runs a shell until it waits, owes time, or ends. */
export function runShell(r: Running): void {
  const { proc, k } = r;
  for (let count = 0; ; count++) {
    if (!k.tree.procs.includes(proc) || proc.exit !== undefined) return;
    if (proc.shell !== r.shell || !resume(r)) return;
    if (count >= instructionsPerStep) proc.owedUs += owedLimitUs;
    if (proc.owedUs >= owedLimitUs) {
      proc.wakeAt = k.host.now;
      return;
    }
    if (r.shell.pending.length > 0) startTrap(r);
    else if (!step(r)) return;
  }
}

/** Takes up the shell after its children ended. False: it waits on. */
function resume(r: Running): boolean {
  const { proc, shell } = r;
  const { wait } = shell;
  if (wait === undefined) return true;
  const ended = (proc.ended ??= {});
  if (wait.pids.some((pid) => ended[pid] === undefined)) {
    if (wait.kind.startsWith('wait') && shell.pending.length > 0) {
      delete shell.wait;
      shell.status = 128 + (shell.pending[0] as number);
      return true;
    }
    proc.block = 'children';
    return false;
  }
  const statuses = wait.pids.map((pid) => ended[pid] as number);
  for (const pid of wait.pids) delete ended[pid];
  shell.jobs = shell.jobs.filter((pid) => !wait.pids.includes(pid));
  delete shell.wait;
  return finishWait(r, wait, statuses);
}

function finishWait(r: Running, wait: Wait, statuses: number[]): boolean {
  const { k, shell } = r;
  const last = statuses.at(-1) ?? 0;
  if (wait.kind === 'substitution') {
    const file = k.tree.open[shell.capture ?? ''];
    shell.outputs.push(file?.kind === 'capture' ? file.text.replace(/\n+$/, '').replaceAll('\0', '') : '');
    shell.outputStatus = last;
    delete shell.capture;
    collect(k);
    return true;
  }
  shell.status = shell.options.includes('P') ? ([...statuses].reverse().find((status) => status !== 0) ?? 0) : last;
  if (wait.kind === 'wait-all') shell.status = 0;
  if (wait.kind.startsWith('wait')) return true;
  const word = wait.kind === 'command' ? killedWords[shell.status - 128] : undefined;
  if (word !== undefined) complain(r, word);
  return settle(r, wait.tested);
}

/** What ash prints when a foreground child was ended by a signal. */
const killedWords: Readonly<Record<number, string>> = { 6: 'Aborted', 9: 'Killed', 11: 'Segmentation fault', 15: 'Terminated' };

/** After a command: `set -e`. False: the shell ended. */
export function settle(r: Running, tested: boolean): boolean {
  const { shell } = r;
  if (shell.status === 0 || tested || !shell.options.includes('e') || isTested(shell)) return true;
  return exitShell(r, shell.status);
}

export const isTested = (shell: Shell): boolean => shell.frames.some((frame) => frame.kind === 'call' && frame.tested);

/** Ends the shell, after its EXIT trap. False: it is over now. */
export function exitShell(r: Running, status: number): boolean {
  const { k, proc, shell } = r;
  const trap = shell.traps.EXIT;
  if (trap !== undefined && trap !== '' && compile(trap).error === undefined) {
    delete shell.traps.EXIT;
    while (shell.frames.length > 0) popFrame(r);
    shell.frames = [{ kind: 'exit', status }];
    shell.status = status;
    shell.source = trap;
    shell.pc = 0;
    delete shell.wait;
    shell.outputs = [];
    return true;
  }
  endNow(r, status);
  if (proc.exit === undefined && proc.pid === k.tree.main) collect(k);
  return false;
}

function endNow({ k, proc }: Running, status: number): void {
  if (proc.pid !== k.tree.main || proc.owedUs < 1000) {
    endProc(k, proc, status & 255);
    return;
  }
  proc.exit = status & 255;
  proc.wakeAt = k.host.now;
}

function startTrap(r: Running): void {
  const { shell } = r;
  const signal = shell.pending.shift() as number;
  const name = Object.keys(shell.traps).find((candidate) => signalNumber(candidate) === signal);
  const text = name === undefined ? undefined : shell.traps[name];
  if (text === undefined || text === '') return;
  const problem = syntaxError(r, text);
  if (problem !== undefined) {
    say(r, problem);
    return;
  }
  shell.frames.push({ kind: 'trap', source: shell.source, pc: shell.pc, status: shell.status });
  shell.outputs = [];
  shell.source = text;
  shell.pc = 0;
}

/** One instruction. False: stop here for now. */
function step(r: Running): boolean {
  const { proc, shell } = r;
  const instruction = compile(shell.source).code[shell.pc];
  proc.owedUs += instructionUs;
  if (instruction === undefined || instruction.op === 'end') return end(r);
  if (instruction.op === 'simple') return simple(r, instruction);
  return (control[instruction.op] as (r: Running, instruction: Instruction) => boolean)(r, instruction);
}

/** The end of a part: back to where it was entered, or the end of the shell. */
function end(r: Running): boolean {
  const { shell } = r;
  for (let frame = popFrame(r); frame !== undefined; frame = popFrame(r)) {
    if (frame.kind === 'exit') {
      endNow(r, frame.status);
      return false;
    }
    if (frame.kind !== 'call' && frame.kind !== 'trap') continue;
    shell.source = frame.source;
    shell.pc = frame.pc;
    if (frame.kind === 'trap') shell.status = frame.status;
    return frame.kind === 'trap' || settle(r, frame.tested);
  }
  return shell.fromInput === true ? nextInput(r) : exitShell(r, shell.status);
}

/** Takes the next complete command from descriptor 0. */
function nextInput(r: Running): boolean {
  const { k, proc, shell } = r;
  const input = readFrom(k, proc, 0);
  if (input === undefined) {
    proc.block = 'input';
    return false;
  }
  const lines = input.text.split('\n');
  for (let count = 1; count <= lines.length; count++) {
    const source = lines.slice(0, count).join('\n');
    const { open } = compile(source);
    const isLast = count === lines.length;
    if ((open === true && !(isLast && input.ended)) || (source.trim() === '' && !isLast)) continue;
    if (isLast && !input.ended && !input.text.endsWith('\n')) break;
    unread(k, proc, 0, lines.slice(count).join('\n'));
    if (source.trim() === '') return input.ended ? exitShell(r, shell.status) : nextInput(r);
    const problem = syntaxError(r, source);
    if (problem !== undefined) {
      say(r, problem);
      shell.status = 2;
    } else enter(r, source, 0, false);
    return true;
  }
  if (input.ended) return exitShell(r, shell.status);
  unread(k, proc, 0, input.text);
  proc.block = 'input';
  return false;
}

/** Runs the next command substitution of the present instruction, or says what is wrong. Undefined: nothing is missing. */
export function needs(r: Running, x: Expansion): boolean | undefined {
  const { k, shell, proc } = r;
  if (x.missing !== undefined) {
    const problem = syntaxError(r, x.missing);
    if (problem !== undefined) x.error = problem;
    else {
      shell.capture = addOpen(k, { kind: 'capture', text: '' });
      const child = spawnShell(r, x.missing, 0, { ...proc.fds, 1: shell.capture }, isTested(shell));
      shell.wait = { kind: 'substitution', pids: child === undefined ? [] : [child.pid], tested: true };
      return true;
    }
  }
  if (x.error === undefined) return undefined;
  say(r, x.error);
  shell.outputs = [];
  shell.status = shell.flavor === 'bash' ? 1 : 2;
  return exitShell(r, shell.status);
}

/** Takes over what an expansion changed and forgets its substitutions. */
export function commit(r: Running, x: Expansion): void {
  for (const name in x.changes) setVariable(r, name, x.changes[name] as string);
  r.shell.outputs = [];
}

/** The shell waits for these children in the foreground. */
export function awaitChildren(r: Running, pids: number[], tested: boolean): boolean {
  if (pids.length === 0) {
    r.shell.status = 2;
    return settle(r, tested);
  }
  r.shell.wait = { kind: pids.length > 1 ? 'pipe' : 'command', pids, tested };
  return true;
}
