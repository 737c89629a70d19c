import { civilTime } from '../../../sim/time.ts';
import { compareText } from '../../../sim/plain.ts';
import { fail, getOptions, memo, option, out, type Call, type CommandEntry, type Outcome } from '../command.ts';
import { parseSeconds } from './seconds.ts';

/** Commands about time, the host and the process itself. */
export const systemCommands: Readonly<Record<string, CommandEntry>> = {
  sleep: { run: sleep },
  usleep: { run: (call) => pause(call, Number(call.args[0] ?? 0) / 1000) },
  date: { run: date },
  hostname: { run: (call) => print(call, option(call.args, 'i') ? call.host.podIP : call.host.hostname) },
  uname: { run: uname },
  whoami: { run: (call) => (call.host.uid === 0 ? print(call, 'root') : fail(call, `unknown uid ${call.host.uid}`)) },
  id: { run: identity },
  env: { run: env },
  printenv: { run: printenv },
  nproc: { run: (call) => print(call, '2') },
  arch: { run: (call) => print(call, 'x86_64') },
  uptime: { run: (call) => print(call, ` ${clock(call)} up ${Math.floor(call.now / 60_000)} min,  load average: 0.08, 0.03, 0.01`) },
  free: { run: (call) => print(call, '              total        used        free      shared  buff/cache   available\nMem:       24683620     1893552    20180128       12204     2609940    22789000\nSwap:             0           0           0') },
  df: { run: (call) => print(call, 'Filesystem           1K-blocks      Used Available Use% Mounted on\noverlay              101430960  21384712  80029864  21% /\ntmpfs                    65536         0     65536   0% /dev') },
  groups: { run: (call) => print(call, call.host.uid === 0 ? 'root' : String(call.host.uid)) },
  tty: { run: (call) => print(call, 'not a tty') + 1 },
  clear: { run: () => 0 },
  reset: { run: () => 0 },
  sync: { run: () => 0 },
  stty: { run: (call) => fail(call, "standard input: Inappropriate ioctl for device") },
  ldconfig: { run: () => 0 },
};

const print = (call: Call, text: string): number => {
  out(call, `${text}\n`);
  return 0;
};

function clock(call: Call): string {
  const { hour, minute, second } = civilTime(call.host.epochMs + call.now);
  return [hour, minute, second].map(two).join(':');
}

/** Waits a while; a signal without a handler does not shorten it. */
export function pause(call: Call, ms: number): Outcome {
  call.host.markUnsteady();
  const kept = memo(call, () => ({ until: call.now + Math.ceil(ms) }));
  return call.now >= kept.until ? 0 : { at: kept.until };
}

function sleep(call: Call): Outcome {
  if (call.args.length === 0) return fail(call, call.k.gnu ? "missing operand\nTry 'sleep --help' for more information." : 'missing operand');
  let ms = 0;
  for (const arg of call.args) {
    if (arg === 'infinity' || arg === 'inf') return { block: 'signal' };
    const seconds = parseSeconds(arg);
    if (seconds === undefined) return fail(call, call.k.gnu ? `invalid time interval ‘${arg}’` : `invalid number '${arg}'`);
    ms += seconds * 1000;
  }
  return pause(call, ms);
}

function uname(call: Call): number {
  const fields: [string, string][] = [['s', 'Linux'], ['n', call.host.hostname], ['r', '6.8.0-45-generic'], ['v', '#45-Ubuntu SMP'], ['m', 'x86_64'], ['o', call.k.gnu ? 'GNU/Linux' : 'Linux']];
  const wanted = fields.filter(([letter]) => option(call.args, 'a') || option(call.args, letter) || (call.args.length === 0 && letter === 's'));
  return print(call, wanted.map(([, text]) => text).join(' '));
}

function identity(call: Call): number {
  const { uid } = call.host;
  if (option(call.args, 'n')) return print(call, uid === 0 ? 'root' : String(uid));
  if (option(call.args, 'u') || option(call.args, 'g')) return print(call, String(uid));
  return print(call, uid === 0 ? `uid=0(root) gid=0(root) groups=0(root)${call.k.gnu ? '' : ',10(wheel)'}` : `uid=${uid} gid=0(root) groups=0(root)`);
}

const listEnv = (call: Call): number => {
  for (const name of Object.keys(call.proc.env)) out(call, `${name}=${call.proc.env[name] as string}\n`);
  return 0;
};

function env(call: Call): Outcome {
  const { rest, flags } = getOptions(call.args.includes('--') ? call.args : ['--', ...call.args]);
  const words = rest[0] === '-i' || flags.has('i') ? rest.slice(1) : rest;
  let index = 0;
  const added: Record<string, string> = words === rest ? { ...call.proc.env } : {};
  while (/^\w+=/.test(words[index] ?? '')) {
    const [name = '', value = ''] = (words[index++] as string).split(/=(.*)/s);
    added[name] = value;
  }
  call.proc.env = added;
  return index < words.length ? { become: words.slice(index) } : listEnv(call);
}

function printenv(call: Call): number {
  if (call.args.length === 0) return listEnv(call);
  let status = 0;
  for (const name of call.args) {
    const value = call.proc.env[name];
    if (value === undefined) status = 1;
    else out(call, `${value}\n`);
  }
  return status;
}

const two = (value: number) => String(value).padStart(2, '0');
const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const months = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'];

function date(call: Call): number {
  call.host.markUnsteady();
  const { values, rest, flags } = getOptions(call.args, ['d', 'date', 'r']);
  let at = call.host.epochMs + call.now;
  const given = values.d ?? values.date;
  if (given !== undefined && /^@\d+$/.test(given)) at = Number(given.slice(1)) * 1000;
  const pattern = rest.find((word) => word.startsWith('+'))?.slice(1);
  const iso = values.I ?? [...flags].find((flag) => flag.startsWith('I') || flag.startsWith('iso'));
  return print(call, formatDate(at, pattern ?? (iso === undefined ? (flags.has('R') ? '%a, %d %b %Y %H:%M:%S +0000' : '%a %b %e %H:%M:%S UTC %Y') : flags.has('s') || flags.has('Iseconds') ? '%Y-%m-%dT%H:%M:%S+00:00' : '%Y-%m-%d')));
}

function formatDate(at: number, pattern: string): string {
  const c = civilTime(at);
  const parts: Readonly<Record<string, string>> = {
    Y: String(c.year), m: two(c.month), d: two(c.day), e: String(c.day).padStart(2), H: two(c.hour), M: two(c.minute), S: two(c.second), s: String(Math.floor(at / 1000)),
    N: `${String(c.millisecond).padStart(3, '0')}000000`, y: two(c.year % 100), a: (days[c.weekday] ?? '').slice(0, 3), A: days[c.weekday] ?? '', b: (months[c.month - 1] ?? '').slice(0, 3), h: (months[c.month - 1] ?? '').slice(0, 3), B: months[c.month - 1] ?? '',
    Z: 'UTC', z: '+0000', u: String(c.weekday === 0 ? 7 : c.weekday), w: String(c.weekday), I: two(c.hour % 12 === 0 ? 12 : c.hour % 12), p: c.hour < 12 ? 'AM' : 'PM', n: '\n', t: '\t', '%': '%',
  };
  const whole = pattern.replace(/%F/g, '%Y-%m-%d').replace(/%T/g, '%H:%M:%S').replace(/%D/g, '%m/%d/%y').replace(/%R/g, '%H:%M').replace(/%c/g, '%a %b %e %H:%M:%S %Y');
  return whole.replace(/%-?([A-Za-z%])/g, (all, letter: string) => (all.startsWith('%-') ? (parts[letter] ?? all).replace(/^[0 ](?=.)/, '') : (parts[letter] ?? all)));
}

export const sorted = (names: string[]): string[] => [...names].sort(compareText);
