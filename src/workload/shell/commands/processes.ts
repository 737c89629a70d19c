import { err, fail, gather, getOptions, linesOf, memo, out, type Call, type CommandEntry, type Outcome } from '../command.ts';
import { sendSignal } from '../kernel.ts';
import { spawnChild } from '../spawn.ts';
import { signalNumber } from '../state.ts';
import { parseBytes, parseSeconds } from './seconds.ts';

const become = (skip: (args: string[]) => string[]): CommandEntry => ({
  run: (call) => {
    const words = skip(call.args);
    return words.length === 0 ? 0 : { become: words };
  },
});

/** Without leading options; `valued` ones take a word. */
const afterOptions = (valued: readonly string[] = []) => (args: string[]): string[] => {
  let at = 0;
  while (args[at]?.startsWith('-') === true && args[at] !== '--') at += valued.includes(args[at] as string) ? 2 : 1;
  return args.slice(args[at] === '--' ? at + 1 : at);
};

/** Commands about processes, and those that run others. */
export const processCommands: Readonly<Record<string, CommandEntry>> = {
  ps: { run: ps },
  top: { run: top },
  kill: { run: kill },
  killall: { run: (call) => killNamed(call, (command, name) => baseOf(command) === name) },
  pkill: { run: (call) => killNamed(call, (command, name) => (call.args.includes('-f') ? command : baseOf(command)).includes(name)) },
  pgrep: { run: (call) => find(call, (command, name) => (call.args.includes('-f') ? command : baseOf(command)).includes(name), '\n') },
  pidof: { run: (call) => find(call, (command, name) => baseOf(command) === name, ' ') },
  timeout: { run: timeout },
  time: { run: time },
  xargs: { run: xargs },
  nohup: become((args) => args),
  nice: become(afterOptions(['-n'])),
  ionice: become(afterOptions(['-c', '-n'])),
  setsid: become(afterOptions()),
  stdbuf: become(afterOptions()),
  tini: become(afterOptions(['-p', '-e'])),
  'dumb-init': become(afterOptions()),
  'su-exec': become((args) => args.slice(1)),
  gosu: become((args) => args.slice(1)),
  busybox: { run: (call) => (call.args.length === 0 ? (out(call, 'BusyBox v1.35.0 multi-call binary.\n'), 0) : { become: call.args }) },
  stress: { run: stress },
  'stress-ng': { run: stress },
};

const baseOf = (command: string): string => (command.split(' ')[0] ?? '').replace(/^.*\//, '');

interface Listed {
  pid: number;
  parent: number;
  command: string;
}

function listed(call: Call): Listed[] {
  const { tree, host } = call.k;
  const own = tree.procs.map(({ pid, parent, argv }) => ({ pid, parent, command: argv.join(' ') }));
  const others = host.processes().filter(({ pid }) => !own.some((proc) => proc.pid === pid)).map(({ pid, command }) => ({ pid, parent: 0, command }));
  return [...others, ...own].sort((a, b) => a.pid - b.pid);
}

function ps(call: Call): number {
  const user = call.host.uid === 0 ? 'root' : String(call.host.uid);
  if (!call.k.gnu) out(call, `PID   USER     TIME  COMMAND\n${listed(call).map(({ pid, command }) => `${String(pid).padStart(5)} ${user.padEnd(8)}  0:00 ${command}\n`).join('')}`);
  else if (/f/.test(call.args[0] ?? '')) out(call, `UID          PID    PPID  C STIME TTY          TIME CMD\n${listed(call).map(({ pid, parent, command }) => `${user.padEnd(8)} ${String(pid).padStart(7)} ${String(parent).padStart(7)}  0 09:00 ?        00:00:00 ${command}\n`).join('')}`);
  else out(call, `USER         PID %CPU %MEM    VSZ   RSS TTY      STAT START   TIME COMMAND\n${listed(call).map(({ pid, command }) => `${user.padEnd(8)} ${String(pid).padStart(7)}  0.0  0.0   2480  1240 ?        Ss   09:00   0:00 ${command}\n`).join('')}`);
  return 0;
}

function top(call: Call): Outcome {
  call.host.markUnsteady();
  out(call, `Mem: 4503488K used, 20180132K free, 12204K shrd, 102400K buff, 2507540K cached\nCPU:   2% usr   1% sys   0% nic  96% idle   0% io   0% irq   0% sirq\nLoad average: 0.08 0.03 0.01 1/312 ${call.proc.pid}\n  PID  PPID USER     STAT   VSZ %VSZ CPU %CPU COMMAND\n${listed(call).map(({ pid, parent, command }) => `${String(pid).padStart(5)} ${String(parent).padStart(5)} root     S     4400   0%   0   0% ${command}\n`).join('')}`);
  return call.args.some((arg) => arg.includes('b')) || call.args.includes('-n') ? 0 : { at: call.now + 5000 };
}

function kill(call: Call): number {
  const [first = ''] = call.args;
  const named = /^-\w/.test(first) && first !== '-s';
  const signal = named ? signalNumber(first.slice(1)) : first === '-s' ? signalNumber(call.args[1] ?? '') : 15;
  if (signal === undefined) return fail(call, `bad signal name '${first.replace(/^-/, '')}'`);
  let status = 0;
  for (const word of call.args.slice(named ? 1 : first === '-s' ? 2 : 0)) {
    const sent = /^\d+$/.test(word) ? sendSignal(call.k, Number(word), signal) : false;
    if (sent !== true) status = fail(call, `can't kill pid ${word}: ${sent === 'denied' ? 'Operation not permitted' : 'No such process'}`);
  }
  return status;
}

function targets(call: Call): { signal: number; names: string[] } {
  const signal = call.args.map((arg) => (/^-\w+$/.test(arg) ? signalNumber(arg.slice(1)) : undefined)).find((number) => number !== undefined);
  return { signal: signal ?? 15, names: call.args.filter((arg) => !arg.startsWith('-')) };
}

type Fits = (command: string, name: string) => boolean;

const hits = (call: Call, name: string, fits: Fits): Listed[] => listed(call).filter(({ pid, command }) => pid !== call.proc.pid && fits(command, name));

function killNamed(call: Call, fits: Fits): number {
  const { signal, names } = targets(call);
  let status = 0;
  for (const name of names) {
    const found = hits(call, name, fits);
    if (found.length === 0) status = call.name === 'killall' ? fail(call, `${name}: no process killed`) : 1;
    for (const { pid } of found) if (sendSignal(call.k, pid, signal) === 'denied') status = fail(call, `can't kill pid ${pid}: Operation not permitted`);
  }
  return status;
}

function find(call: Call, fits: Fits, separator: string): number {
  const pids = targets(call).names.flatMap((name) => hits(call, name, fits)).map(({ pid }) => pid);
  if (pids.length === 0) return 1;
  out(call, `${pids.join(separator)}\n`);
  return 0;
}

interface Child {
  pid: number;
  began: number;
  until?: number;
  killAt?: number;
  expired?: boolean;
}

/** The status of a child that has ended. */
function taken(call: Call, pid: number): number | undefined {
  const status = call.proc.ended?.[pid];
  if (status !== undefined) delete call.proc.ended?.[pid];
  return status;
}

function timeout(call: Call): Outcome {
  const { rest, values } = getOptions(leading(call.args), ['s', 'k', 't', 'signal', 'kill-after']);
  const words = call.args.slice(leading(call.args).length);
  const limit = parseSeconds(values.t ?? rest[0] ?? '');
  if (limit === undefined || words.length === 0) return fail(call, `invalid number '${rest[0] ?? ''}'`, 125);
  const kept = memo<Child>(call, () => {
    const child = spawnChild(call.k, call.proc, words);
    return { pid: child?.pid ?? 0, began: call.now, until: call.now + Math.round(limit * 1000) };
  });
  const status = taken(call, kept.pid);
  if (status !== undefined) return kept.expired === true && call.k.gnu ? 124 : status;
  call.host.markUnsteady();
  if (kept.expired !== true && call.now >= (kept.until ?? 0)) {
    kept.expired = true;
    sendSignal(call.k, kept.pid, signalNumber(values.s ?? values.signal ?? 'TERM') ?? 15);
    const grace = parseSeconds(values.k ?? values['kill-after'] ?? '');
    if (grace !== undefined) kept.killAt = call.now + grace * 1000;
    const ended = taken(call, kept.pid);
    if (ended !== undefined) return call.k.gnu ? 124 : ended;
  }
  if (kept.killAt !== undefined && call.now >= kept.killAt) sendSignal(call.k, kept.pid, 9);
  const next = kept.expired === true ? kept.killAt : kept.until;
  return { block: 'children', ...(next === undefined || next <= call.now ? {} : { at: next }) };
}

/** timeout's own options and its duration. */
function leading(args: string[]): string[] {
  let at = 0;
  let hasTime = false;
  while (args[at]?.startsWith('-') === true) {
    hasTime ||= args[at] === '-t';
    at += /^-[skt]$/.test(args[at] as string) ? 2 : 1;
  }
  return args.slice(0, hasTime ? at : at + 1);
}

function time(call: Call): Outcome {
  const words = afterOptions(['-f', '-o'])(call.args);
  if (words.length === 0) return 0;
  const kept = memo<Child>(call, () => ({ pid: spawnChild(call.k, call.proc, words)?.pid ?? 0, began: call.now }));
  const status = taken(call, kept.pid);
  if (status === undefined) return { block: 'children' };
  call.host.markUnsteady();
  const ms = call.now - kept.began;
  err(call, `real\t${Math.floor(ms / 60_000)}m ${((ms % 60_000) / 1000).toFixed(2)}s\nuser\t0m 0.00s\nsys\t0m 0.00s\n`);
  return status;
}

function xargs(call: Call): Outcome {
  const valued = ['-n', '-I', '-P', '-L', '-d', '-s'];
  const words = afterOptions(valued)(call.args);
  const { values, flags } = getOptions(call.args.slice(0, call.args.length - words.length), valued.map((name) => name.slice(1)));
  const kept = call.proc.memo as { queue?: string[][]; pid?: number; status?: number } | undefined;
  let state = kept?.queue === undefined ? undefined : kept;
  if (state === undefined) {
    const gathered = gather(call, []);
    if (gathered === undefined) return { block: 'input' };
    const text = gathered.texts.map((part) => part.text).join('');
    const command = words.length === 0 ? ['echo'] : words;
    const items = values.I === undefined ? (flags.has('0') ? text.split('\0') : text.split(/\s+/)).filter((item) => item !== '').map((item) => item.replace(/^(['"])(.*)\1$/, '$2')) : linesOf(text);
    const size = values.I === undefined ? Number(values.n ?? 1e6) : 1;
    const queue: string[][] = [];
    for (let i = 0; i < items.length; i += size) {
      const part = items.slice(i, i + size);
      queue.push(values.I === undefined ? [...command, ...part] : command.map((word) => word.replaceAll(values.I as string, part[0] as string)));
    }
    if (items.length === 0 && !flags.has('r') && values.I === undefined) queue.push(command);
    call.proc.memo = state = { queue, status: 0 };
  }
  if (state.pid !== undefined) {
    const status = taken(call, state.pid);
    if (status === undefined) return { block: 'children' };
    if (status !== 0) state.status = status === 127 || status === 126 ? status : 123;
    delete state.pid;
  }
  const next = state.queue?.shift();
  if (next === undefined) return state.status ?? 0;
  const child = spawnChild(call.k, call.proc, next);
  if (child === undefined) return 1;
  state.pid = child.pid;
  return { block: 'children' };
}

interface Stress {
  until?: number;
  held: boolean;
}

/** stress and stress-ng: memory held by --vm hogs; load on the CPU is not felt here. */
function stress(call: Call): Outcome {
  const { values } = getOptions(call.args, ['c', 'i', 'm', 'd', 't', 'cpu', 'io', 'vm', 'hdd', 'vm-bytes', 'vm-hang', 'vm-keep', 'timeout', 'cpu-load', 'vm-stride']);
  const count = (...names: string[]) => Number(names.map((name) => values[name]).find((value) => value !== undefined) ?? 0);
  const hogs = { cpu: count('c', 'cpu'), io: count('i', 'io'), vm: count('m', 'vm'), hdd: count('d', 'hdd') };
  const kept = memo<Stress>(call, () => {
    if (hogs.cpu + hogs.io + hogs.vm + hogs.hdd === 0) return { held: false, until: -1 };
    const seconds = parseSeconds(values.t ?? values.timeout ?? '');
    out(call, `stress: info: [${call.proc.pid}] dispatching hogs: ${hogs.cpu} cpu, ${hogs.io} io, ${hogs.vm} vm, ${hogs.hdd} hdd\n`);
    return { held: false, ...(seconds === undefined ? {} : { until: call.now + seconds * 1000 }) };
  });
  if (kept.until === -1) {
    out(call, `\`${call.name}' imposes certain types of compute stress on your system\n`);
    return 0;
  }
  if (!kept.held) {
    kept.held = true;
    return { at: call.now + 120 };
  }
  call.proc.memoryBytes = 1_000_000 + hogs.vm * (parseBytes(values['vm-bytes'] ?? '256M') ?? 268_435_456);
  if (kept.until === undefined) return { block: 'signal' };
  if (call.now < kept.until) return { at: kept.until };
  out(call, `stress: info: [${call.proc.pid}] successful run completed in ${parseSeconds(values.t ?? values.timeout ?? '') ?? 0}s\n`);
  return 0;
}

