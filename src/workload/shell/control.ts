import type { Instruction } from './code.ts';
import { arithmetic, expandFields, expandPattern, expandText } from './expand.ts';
import { awaitChildren, commit, isTested, needs, settle } from './interpreter.ts';
import { addOpen, collect } from './kernel.ts';
import { matches } from './pattern.ts';
import { expansion, popFrame, redirect, say, setVariable, type Running } from './shells.ts';
import { spawnShell } from './spawn.ts';

type Op = Instruction['op'];
type Control = { [K in Exclude<Op, 'simple' | 'end'>]: (r: Running, instruction: Extract<Instruction, { op: K }>) => boolean };

const jump = ({ shell }: Running, by: number): boolean => {
  shell.pc += by;
  return true;
};

/** Everything but simple commands. False: the shell stops here for now. */
export const control: Control = {
  math: (r, { expression, tested }) => {
    const x = expansion(r);
    const value = arithmetic(expandText(expression, x), x);
    const waits = needs(r, x);
    if (waits !== undefined) return waits;
    commit(r, x);
    r.shell.status = value === '0' ? 1 : 0;
    jump(r, 1);
    return settle(r, tested);
  },
  goto: (r, { to }) => jump(r, to),
  'if-ok': (r, { to }) => jump(r, r.shell.status === 0 ? to : 1),
  'if-failed': (r, { to }) => jump(r, r.shell.status === 0 ? 1 : to),
  not: (r) => {
    r.shell.status = r.shell.status === 0 ? 1 : 0;
    return jump(r, 1);
  },
  ok: (r) => {
    r.shell.status = 0;
    return jump(r, 1);
  },
  loop: (r, { out, again }) => {
    r.shell.frames.push({ kind: 'loop', out: r.shell.pc + out, again: r.shell.pc + again, status: 0 });
    return jump(r, 1);
  },
  keep: (r) => {
    const frame = r.shell.frames.at(-1);
    if (frame?.kind === 'loop') frame.status = r.shell.status;
    return jump(r, 1);
  },
  'end-loop': (r) => {
    const frame = popFrame(r);
    r.shell.status = frame?.kind === 'loop' ? frame.status : 0;
    return jump(r, 1);
  },
  for: (r, { words, out }) => {
    const x = expansion(r);
    const items = words === undefined ? r.shell.args : words.flatMap((word) => expandFields(word, x));
    const waits = needs(r, x);
    if (waits !== undefined) return waits;
    commit(r, x);
    r.shell.frames.push({ kind: 'loop', out: r.shell.pc + out, again: r.shell.pc + 1, status: 0, items, index: 0 });
    return jump(r, 1);
  },
  next: (r, { name, out }) => {
    const frame = r.shell.frames.at(-1);
    if (frame?.kind !== 'loop') return jump(r, out);
    const item = frame.items?.[frame.index ?? 0];
    if (item === undefined) {
      popFrame(r);
      r.shell.status = frame.status;
      return jump(r, out);
    }
    frame.index = (frame.index ?? 0) + 1;
    setVariable(r, name, item);
    return jump(r, 1);
  },
  case: (r, { subject, arms, out }) => {
    const x = expansion(r);
    const text = expandText(subject, x);
    const arm = arms.find(({ patterns }) => patterns.some((pattern) => matches(text, expandPattern(pattern, x))));
    const waits = needs(r, x);
    if (waits !== undefined) return waits;
    commit(r, x);
    r.shell.status = 0;
    return jump(r, arm?.to ?? out);
  },
  redirect: (r, { redirections, out, tested }) => {
    const x = expansion(r);
    const fds = redirect(r, r.proc.fds, redirections, x);
    const waits = needs(r, x);
    if (waits !== undefined) return waits;
    commit(r, x);
    if (typeof fds === 'string') {
      say(r, fds);
      r.shell.status = 1;
      jump(r, out);
      return settle(r, tested);
    }
    r.shell.frames.push({ kind: 'fds', fds: r.proc.fds });
    r.proc.fds = fds;
    return jump(r, 1);
  },
  restore: (r) => {
    popFrame(r);
    collect(r.k);
    return jump(r, 1);
  },
  define: (r, { name, to }) => {
    r.shell.functions[name] = { source: r.shell.source, pc: r.shell.pc + 1 };
    r.shell.status = 0;
    return jump(r, to);
  },
  subshell: (r, { to, tested }) => {
    const child = spawnShell(r, r.shell.source, r.shell.pc + 1, r.proc.fds, tested || isTested(r.shell));
    jump(r, to);
    return awaitChildren(r, child === undefined ? [] : [child.pid], tested);
  },
  background: (r, { to, text }) => {
    const { k, proc, shell } = r;
    const child = spawnShell(r, shell.source, shell.pc + 1, { ...proc.fds, 0: addOpen(k, { kind: 'device', name: 'null' }) }, false);
    jump(r, to);
    if (child === undefined) return true;
    child.argv = [text];
    shell.lastJob = child.pid;
    shell.jobs = [...shell.jobs, child.pid].slice(-200);
    shell.status = 0;
    return true;
  },
  pipe: (r, { starts, to, tested }) => {
    const { k, proc, shell } = r;
    const pids: number[] = [];
    let input = proc.fds[0];
    starts.forEach((start, index) => {
      const fds: Record<string, string> = { ...proc.fds };
      if (input !== undefined) fds[0] = input;
      if (index < starts.length - 1) {
        const pipe = addOpen(k, { kind: 'pipe', text: '', zeros: 0 });
        fds[1] = addOpen(k, { kind: 'write-end', pipe });
        input = addOpen(k, { kind: 'read-end', pipe });
      }
      const child = spawnShell(r, shell.source, shell.pc + start, fds, tested || isTested(shell));
      if (child !== undefined) pids.push(child.pid);
    });
    jump(r, to);
    return awaitChildren(r, pids, tested);
  },
};
