import type { FileStat } from '../contract.ts';
import { imageFacts, type Userland } from '../images/facts.ts';
import { assumedServer, servers } from '../images/servers.ts';
import { err, out, type Call, type CommandEntry } from './command.ts';
import { fileCommands } from './commands/files.ts';
import { networkCommands } from './commands/network.ts';
import { processCommands } from './commands/processes.ts';
import { systemCommands } from './commands/system.ts';
import { testCommands } from './commands/test.ts';
import { textCommands } from './commands/text.ts';
import { compile } from './compile.ts';
import { absolute, type Kernel } from './kernel.ts';
import { newShell, type Running } from './shells.ts';
import type { Proc, Tree } from './state.ts';

/** All programs that are simulated, by the name of their file. */
export const commands: Readonly<Record<string, CommandEntry>> = {
  ...fileCommands, ...textCommands, ...systemCommands, ...testCommands, ...processCommands, ...networkCommands, ...servers,
  which: { run: which },
  ...Object.fromEntries(['sh', 'ash', 'bash', 'dash'].map((name): [string, CommandEntry] => [name, { run: startShell, memory: 500_000 }])),
};

/** Programs that real user lands have and that are not simulated: said so instead of 'not found'. */
const unsimulated = new Set(
  ('ar arp arping blkid brctl bunzip2 bzip2 chroot cmp comm cpio crontab dc diff dmesg dpkg apt apt-get ed fold getopt gunzip gzip hexdump hd ip iostat less lsof md5sum sha256sum ifconfig mkfifo mknod more mount umount mpstat netstat nmeter nsenter ' +
  'od passwd patch perl sha1sum sha512sum split ss strings su sysctl tar telnet tftp traceroute unzip uptime vi vmstat w watch who xxd xz zcat crond adduser addgroup useradd lscpu column shuf numfmt script route').split(' '),
);
/** Of all names above and of the simulated ones: what only busybox has, and only Debian's base. */
const busyboxOnly = new Set('ash nslookup wget nc netcat ping ifconfig ps pgrep pkill pidof killall top free vi telnet traceroute ip netstat less httpd busybox unzip crond crontab tftp uptime watch hexdump hd xxd usleep adduser addgroup route arping brctl nmeter ed dc tree'.split(' '));
const debianOnly = new Set('bash dash perl apt apt-get dpkg shuf numfmt useradd lscpu column script getent'.split(' '));
/** In no user land: images bring them. */
const brought = new Set(['curl', 'stress', 'stress-ng', 'tini', 'dumb-init', 'gosu', 'su-exec', ...Object.keys(servers)]);

function userlandHas(userland: Userland, name: string): boolean {
  if (userland === 'full') return true;
  if (userland === 'none' || brought.has(name)) return false;
  return !(userland === 'gnu' ? busyboxOnly : debianOnly).has(name);
}

/** Does the image have a program of this name? 'unsimulated': in reality it does. */
export function imageHas(image: string, name: string): 'yes' | 'no' | 'unsimulated' {
  const { userland, tools } = imageFacts(image);
  if (!tools.includes(name) && !userlandHas(userland, name)) return 'no';
  if (Object.hasOwn(commands, name)) return 'yes';
  return unsimulated.has(name) || tools.includes(name) ? 'unsimulated' : 'no';
}

export const commandName = (proc: Proc): string => (proc.argv[0] ?? '').slice((proc.argv[0] ?? '').lastIndexOf('/') + 1);

export function commandOf({ image }: Tree, proc: Proc): CommandEntry | undefined {
  const name = commandName(proc);
  if (Object.hasOwn(commands, name)) return commands[name];
  return imageFacts(image).unknown === true && !unsimulated.has(name) ? assumedServer : undefined;
}

/** In an image of which nothing is known any program may be: a name that does not say of itself that it is wrong counts as there. */
export const mayExist = (image: string, name: string): boolean =>
  imageFacts(image).unknown === true && !/nosuch|no-such|not-?exist|nonexist|typo|missing|invalid|nope|bogus|doesnt|^startserver$/.test(name);

/** `plain`: the message does not go behind the shell's name. */
export type Resolved = { argv: string[]; path: string } | { status: 126 | 127; message: string; plain?: boolean };

const binary = /^\/(usr\/(local\/)?)?s?bin\/[^/]+$/;

/** Finds what a command word names, as execvp does. Texts are those of ash and bash. */
export function resolveCommand(k: Kernel, proc: Proc, name: string, env: Readonly<Record<string, string>>): Resolved {
  const bash = proc.shell?.flavor === 'bash';
  if (name.includes('/')) return resolvePath(k, absolute(proc.cwd, name), name);
  const has = imageHas(k.tree.image, name);
  if (has === 'yes') return { argv: [name], path: `/bin/${name}` };
  if (has === 'unsimulated') return { status: 127, message: `kubelapse: ${name} is not simulated`, plain: true };
  for (const directory of (env.PATH ?? defaultPath).split(':')) {
    const full = absolute(proc.cwd, `${directory}/${name}`);
    const stat = binary.test(full) ? onlyWritten(k, full) : k.host.files.stat(full);
    if (stat?.kind === 'file') return resolvePath(k, full, name);
  }
  if (mayExist(k.tree.image, name)) return { argv: [name], path: `/usr/local/bin/${name}` };
  return { status: 127, message: `${name}: ${bash ? 'command ' : ''}not found` };
}

export const defaultPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** Files of the image's own bin folders count only if somebody wrote content into them. */
function onlyWritten(k: Kernel, full: string): FileStat | undefined {
  const stat = k.host.files.stat(full);
  return stat !== undefined && stat.size > 0 ? stat : undefined;
}

function resolvePath(k: Kernel, full: string, name: string): Resolved {
  const base = full.slice(full.lastIndexOf('/') + 1);
  const { tools, binaries } = imageFacts(k.tree.image);
  if (binaries.includes(full) || (binary.test(full) && onlyWritten(k, full) === undefined)) {
    const has = binaries.includes(full) || tools.includes(base) ? (Object.hasOwn(commands, base) ? 'yes' : 'unsimulated') : imageHas(k.tree.image, base);
    if (has === 'yes') return { argv: [name], path: full };
    if (has === 'unsimulated') return { status: 127, message: `kubelapse: ${base} is not simulated`, plain: true };
  }
  const stat = k.host.files.stat(full);
  if (stat === undefined) return mayExist(k.tree.image, full) ? { argv: [name], path: full } : { status: 127, message: `${name}: ${k.gnu ? 'No such file or directory' : 'not found'}` };
  if (stat.kind === 'directory' || (stat.mode & 0o111) === 0) return { status: 126, message: `${name}: Permission denied` };
  const content = k.host.files.read(full);
  const [, interpreter = '', argument = ''] = /^#!\s*(\S+)[ \t]*(\S*)/.exec(typeof content === 'string' ? content : '') ?? [];
  if (interpreter === '') return { argv: ['/bin/sh', full], path: full };
  const words = interpreter.endsWith('/env') ? [argument] : [interpreter, ...(argument === '' ? [] : [argument])];
  return { argv: [...words, full], path: full };
}

function which(call: Call): number {
  let status = 0;
  for (const name of call.args.filter((arg) => !arg.startsWith('-'))) {
    const found = resolveCommand(call.k, call.proc, name, call.proc.env);
    if ('path' in found) out(call, `${found.path}\n`);
    else status = 1;
  }
  return status;
}

/** Commands that a shell runs in its own process. */
const inside = new Set(['echo', 'printf', 'test', '[', '[[', 'true', 'false']);

export const isBuiltinName = (name: string): boolean => inside.has(name);

export function inProcess(r: Running, name: string): ((words: readonly string[]) => number) | undefined {
  if (!inside.has(name)) return undefined;
  return (words) => {
    const outcome = commands[name]?.run(makeCall(r.k, r.proc, words));
    return typeof outcome === 'number' ? outcome : 1;
  };
}

export function makeCall(k: Kernel, proc: Proc, argv: readonly string[], signal?: number): Call {
  const name = (argv[0] ?? '').slice((argv[0] ?? '').lastIndexOf('/') + 1);
  return { k, proc, host: k.host, files: k.host.files, name, args: argv.slice(1), now: k.host.now, ...(signal === undefined ? {} : { signal }) };
}

/** sh [-eux] [-c TEXT [NAME [ARG...]] | FILE [ARG...]]: the process becomes a shell. */
function startShell(call: Call): number | Record<string, never> {
  const { proc, k, args } = call;
  const flavor = call.name === 'bash' ? 'bash' : 'ash';
  let options = '';
  let text: string | undefined;
  let index = 0;
  for (; index < args.length && /^[-+]./.test(args[index] ?? ''); index++) {
    const arg = args[index] as string;
    if (arg.startsWith('--')) continue;
    for (const letter of arg.slice(1)) {
      if (letter === 'c') text = '';
      else if (letter === 'o') options += args[++index] === 'pipefail' ? 'P' : '';
      else if ('euxf'.includes(letter)) options += letter;
    }
  }
  const arg0 = proc.argv[0] ?? 'sh';
  const label = k.gnu && flavor === 'ash' ? `${arg0}: 1` : arg0;
  const fails = (message: string, status: number): number => {
    err(call, `${label}: ${message}\n`);
    return status;
  };
  if (text !== undefined) {
    text = args[index];
    if (text === undefined) return fails('-c requires an argument', 2);
    proc.shell = newShell(args[index + 1] ?? label, flavor, text, args.slice(index + 2), proc.pid);
  } else if (args[index] === undefined || args[index] === '-s') proc.shell = { ...newShell(label, flavor, '', args.slice(index + 1), proc.pid), fromInput: true };
  else {
    const name = args[index] as string;
    const content = k.host.files.read(absolute(proc.cwd, name));
    if (typeof content !== 'string') return fails(flavor === 'bash' ? `${name}: No such file or directory` : `can't open '${name}': No such file or directory`, flavor === 'bash' ? 127 : 2);
    proc.shell = newShell(name, flavor, content, args.slice(index + 1), proc.pid);
  }
  proc.shell.options = options;
  const { error } = compile(proc.shell.source);
  return error === undefined ? {} : fails(flavor === 'bash' ? `-c: line 1: ${error}` : error, 2);
}
