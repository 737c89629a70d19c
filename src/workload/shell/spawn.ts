import { copyPlain } from '../../sim/plain.ts';
import { environment, ignoredSignals, say, type Running } from './shells.ts';
import type { Kernel } from './kernel.ts';
import type { Proc } from './state.ts';

/** What fork (and exec) cost: microseconds. */
const forkUs = 800;
const maxProcs = 128;

function fork(r: Running, fds: Readonly<Record<string, string>>, argv: string[], env: Readonly<Record<string, string>>): Proc | undefined {
  const child = spawnChild(r.k, r.proc, argv, fds, env);
  if (child === undefined) say(r, "can't fork: Resource temporarily unavailable");
  else child.ignored = [...r.proc.ignored, ...ignoredSignals(r.shell)];
  return child;
}

/** A child of any process; undefined: there are too many. */
export function spawnChild({ tree }: Kernel, proc: Proc, argv: string[], fds = proc.fds, env = proc.env): Proc | undefined {
  if (tree.procs.length >= maxProcs) {
    proc.owedUs += 100_000;
    return undefined;
  }
  const child: Proc = {
    pid: tree.nextPid++, parent: proc.pid, argv, cwd: proc.cwd, env, fds, owedUs: forkUs + proc.owedUs, memoryBytes: 0, ignored: [...proc.ignored],
  };
  proc.owedUs = 0;
  tree.procs.push(child);
  return child;
}

/** A child shell that runs from `pc` to the end of that part. */
export function spawnShell(r: Running, source: string, pc: number, fds: Readonly<Record<string, string>>, tested: boolean): Proc | undefined {
  const { proc, shell } = r;
  const child = fork(r, fds, proc.argv, proc.env);
  if (child === undefined) return undefined;
  const { wait: _wait, capture: _capture, fromInput: _input, ...rest } = shell;
  child.shell = {
    ...copyPlain({ ...rest, frames: [], outputs: [] }),
    source, pc, pending: [], jobs: [], traps: {}, options: tested ? shell.options.replace('e', '') : shell.options,
  };
  return child;
}

/** A child that runs a command of the table. */
export const spawnCommand = (r: Running, argv: string[], fds: Readonly<Record<string, string>>, more: readonly (readonly [string, string])[]): Proc | undefined =>
  fork(r, fds, argv, environment(r, more));
