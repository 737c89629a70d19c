import { civilTime } from '../../../sim/time.ts';
import { cannotOpen, err, fail, getOptions, gnu, linesOf, memo, option, out, path, readFile, type Call, type CommandEntry, type Outcome } from '../command.ts';
import { errorText, hasRoom, openAt, openPath, readFrom, writeTo } from '../kernel.ts';
import { matches } from '../pattern.ts';
import { parseBytes } from './seconds.ts';

/** Commands on files and folders. */
export const fileCommands: Readonly<Record<string, CommandEntry>> = {
  cat: { run: cat },
  touch: { run: touch },
  rm: { run: rm },
  rmdir: { run: (call) => each(call, (name) => call.files.remove(path(call, name), false), "'") },
  mkdir: { run: mkdir },
  mktemp: { run: mktemp },
  cp: { run: cp },
  mv: { run: mv },
  ln: { run: ln },
  install: { run: cp },
  chmod: { run: chmod },
  chown: { run: () => 0 },
  chgrp: { run: () => 0 },
  ls: { run: ls },
  stat: { run: stat },
  du: { run: du },
  find: { run: find },
  basename: { run: (call) => print(call, baseName(call.args[0] ?? '', call.args[1] ?? '')) },
  dirname: { run: (call) => print(call, (call.args[0] ?? '').replace(/\/+$/, '').replace(/\/?[^/]*$/, '') || ((call.args[0] ?? '').startsWith('/') ? '/' : '.')) },
  readlink: { run: (call) => (option(call.args, 'f') ? print(call, path(call, call.args.at(-1) ?? '')) : 1) },
  realpath: { run: (call) => print(call, path(call, call.args.at(-1) ?? '')) },
  pwd: { run: (call) => print(call, call.proc.cwd) },
  dd: { run: dd },
  truncate: { run: truncate },
  fallocate: { run: truncate },
  tee: { run: tee },
};

const print = (call: Call, text: string): number => {
  out(call, `${text}\n`);
  return 0;
};

const baseName = (name: string, suffix: string): string => {
  const base = name.replace(/\/+$/, '').replace(/^.*\//, '');
  return base.endsWith(suffix) && base !== suffix ? base.slice(0, base.length - suffix.length) : base;
};

const names = (call: Call): string[] => call.args.filter((arg) => !/^-./.test(arg));

function each(call: Call, act: (name: string) => string | undefined, quote = ''): number {
  let status = 0;
  for (const name of names(call)) {
    const problem = act(name);
    if (problem === undefined) continue;
    status = fail(call, `${quote}${name}${quote}: ${errorText[problem] ?? problem}`);
  }
  return status;
}

/** Copies what comes; bytes without content (from /dev/zero) flow on as such. */
function cat(call: Call): Outcome {
  const { rest, flags } = getOptions(call.args);
  const sources = rest.length === 0 ? ['-'] : rest;
  const kept = memo(call, () => ({ index: 0, status: 0, line: 0 }));
  while (kept.index < sources.length) {
    const name = sources[kept.index] as string;
    if (!hasRoom(call.k, call.proc)) return { block: 'output' };
    if (name !== '-' && !/^\/dev\/(stdin|zero|u?random|fd\/0)$/.test(name)) {
      const text = readFile(call, name);
      if (text === undefined) kept.status = 1;
      else out(call, flags.has('n') ? linesOf(text).map((line) => `${String(++kept.line).padStart(6)}\t${line}\n`).join('') : text);
      kept.index++;
      continue;
    }
    if (/zero|random/.test(name)) {
      if (writeTo(call.k, call.proc, 1, '', 1_048_576) === 'broken') return 141;
      return { at: call.now + 5 };
    }
    const input = readFrom(call.k, call.proc, 0);
    if (input === undefined) return { block: 'input' };
    if (writeTo(call.k, call.proc, 1, input.text, input.zeros) === 'broken') return 141;
    if (input.ended) kept.index++;
    else if (input.zeros > 0) return { at: call.now + 1 };
  }
  return kept.status;
}

function touch(call: Call): number {
  const { rest, flags } = getOptions(call.args, ['d', 't', 'r']);
  if (rest.length === 0) return fail(call, 'missing file operand');
  let status = 0;
  for (const name of rest) {
    const full = path(call, name);
    if (flags.has('c') && call.files.stat(full) === undefined) continue;
    if (call.files.stat(full)?.kind === 'directory') continue;
    const problem = call.files.write(full, '', true);
    if (problem !== undefined) status = fail(call, gnu(call) ? `cannot touch '${name}': ${errorText[problem]}` : `${name}: ${errorText[problem]}`);
  }
  return status;
}

function rm(call: Call): number {
  const recursive = option(call.args, 'r') || option(call.args, 'R');
  const force = option(call.args, 'f');
  let status = 0;
  for (const name of names(call)) {
    const full = path(call, name);
    const found = call.files.stat(full);
    if (found === undefined && force) continue;
    const problem = found?.kind === 'directory' && !recursive ? 'EISDIR' : call.files.remove(full, recursive);
    if (problem === undefined) continue;
    if (gnu(call)) status = fail(call, `cannot remove '${name}': ${errorText[problem]}`);
    else status = fail(call, problem === 'EISDIR' ? `'${name}' is a directory` : `can't remove '${name}': ${errorText[problem]}`);
  }
  return status;
}

function mkdir(call: Call): number {
  const { rest, flags } = getOptions(call.args, ['m']);
  let status = 0;
  for (const name of rest) {
    const problem = call.files.makeDirectory(path(call, name), flags.has('p') || flags.has('parents'));
    if (problem !== undefined) status = fail(call, `${gnu(call) ? `cannot create directory ‘${name}’` : `can't create directory '${name}'`}: ${errorText[problem]}`);
  }
  return status;
}

function mktemp(call: Call): number {
  const { rest, flags } = getOptions(call.args, ['p', 't']);
  call.host.markUnsteady();
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdef';
  const name = path(call, (rest[0] ?? '/tmp/tmp.XXXXXX').replace(/X{3,}$/, (x) => [...x].map(() => alphabet.charAt(call.host.random(alphabet.length))).join('')));
  const problem = flags.has('d') ? call.files.makeDirectory(name, false) : call.files.write(name, '', false);
  return problem === undefined ? print(call, name) : fail(call, `(null): ${errorText[problem]}`);
}

function copyTree(call: Call, from: string, to: string): string | undefined {
  const found = call.files.stat(from);
  if (found === undefined) return 'ENOENT';
  if (found.kind === 'file') {
    const content = call.files.read(from);
    return typeof content === 'string' ? call.files.write(to, content, false) ?? (call.files.setMode(to, found.mode), undefined) : content.error;
  }
  if (call.files.stat(to) === undefined) {
    const problem = call.files.makeDirectory(to, true);
    if (problem !== undefined) return problem;
  }
  const inside = call.files.list(from);
  for (const name of Array.isArray(inside) ? inside : []) {
    const problem = copyTree(call, `${from}/${name}`, `${to}/${name}`);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function cp(call: Call): number {
  const operands = getOptions(call.args, call.name === 'install' ? ['m', 'o', 'g'] : []).rest;
  const target = path(call, operands.at(-1) ?? '');
  const recursive = option(call.args, 'r') || option(call.args, 'R') || option(call.args, 'a');
  const into = call.files.stat(target)?.kind === 'directory';
  let status = 0;
  for (const name of operands.slice(0, -1)) {
    const from = path(call, name);
    const found = call.files.stat(from);
    const contents = name.endsWith('/.');
    if (found === undefined) status = fail(call, gnu(call) ? `cannot stat '${name}': No such file or directory` : `can't stat '${name}': No such file or directory`);
    else if (found.kind === 'directory' && !recursive) status = fail(call, gnu(call) ? `-r not specified; omitting directory '${name}'` : `omitting directory '${name}'`);
    else {
      const problem = copyTree(call, from, into && !contents ? `${target}/${baseName(from, '')}` : target);
      if (problem !== undefined) status = fail(call, `can't create '${operands.at(-1) ?? ''}': ${errorText[problem] ?? problem}`);
    }
  }
  return status;
}

function mv(call: Call): number {
  const operands = names(call);
  const target = path(call, operands.at(-1) ?? '');
  let status = 0;
  for (const name of operands.slice(0, -1)) {
    const problem = call.files.rename(path(call, name), target);
    if (problem !== undefined) status = fail(call, gnu(call) ? `cannot stat '${name}': ${errorText[problem]}` : `can't rename '${name}': ${errorText[problem]}`);
  }
  return status;
}

/** Simplified: a link is a copy, there are no links in the simulated file system. */
function ln(call: Call): number {
  const [from = '', to] = names(call);
  const target = path(call, to ?? baseName(from, ''));
  if (call.files.stat(target)?.kind === 'file' && !option(call.args, 'f')) return fail(call, `${to ?? from}: File exists`);
  const problem = copyTree(call, path(call, from), call.files.stat(target)?.kind === 'directory' ? `${target}/${baseName(from, '')}` : target);
  return problem === undefined || (problem === 'ENOENT' && option(call.args, 's')) ? 0 : fail(call, `${to ?? from}: ${errorText[problem] ?? problem}`);
}

function chmod(call: Call): number {
  const [mode = '', ...targets] = call.args.filter((arg) => !/^-[Rfvc]+$/.test(arg));
  let status = 0;
  for (const name of targets) {
    const full = path(call, name);
    const found = call.files.stat(full);
    const problem = found === undefined ? 'ENOENT' : call.files.setMode(full, newMode(mode, found.mode));
    if (problem !== undefined) status = fail(call, gnu(call) ? `cannot access '${name}': ${errorText[problem]}` : `${name}: ${errorText[problem]}`);
  }
  return status;
}

function newMode(text: string, old: number): number {
  if (/^[0-7]+$/.test(text)) return parseInt(text, 8);
  let mode = old;
  for (const clause of text.split(',')) {
    const [, who = '', operator = '', what = ''] = /^([ugoa]*)([-+=])([rwxXst]*)$/.exec(clause) ?? [];
    const shifts = [...(who === '' || who.includes('a') ? 'ugo' : who)].map((letter) => ({ u: 6, g: 3, o: 0 })[letter] ?? 0);
    const bits = (what.includes('r') ? 4 : 0) | (what.includes('w') ? 2 : 0) | (/[xX]/.test(what) ? 1 : 0);
    for (const shift of shifts) {
      if (operator === '=') mode &= ~(7 << shift);
      if (operator === '-') mode &= ~(bits << shift);
      else mode |= bits << shift;
    }
  }
  return mode;
}

const two = (value: number) => String(value).padStart(2, '0');
const monthNames = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

function longLine(call: Call, full: string, name: string): string {
  const found = call.files.stat(full);
  const c = civilTime(call.host.epochMs + (found?.changedAt ?? 0));
  const bits = [...'rwxrwxrwx'].map((letter, index) => (((found?.mode ?? 0) >> (8 - index)) & 1 ? letter : '-')).join('');
  const when = `${monthNames[c.month - 1]} ${String(c.day).padStart(2)} ${two(c.hour)}:${two(c.minute)}`;
  return `${found?.kind === 'directory' ? 'd' : '-'}${bits}    1 root     root     ${String(found?.size ?? 0).padStart(9)} ${when} ${name}`;
}

function ls(call: Call): number {
  const { rest, flags } = getOptions(call.args);
  const show = (full: string, name: string) => print(call, flags.has('l') ? longLine(call, full, name) : name);
  const targets = rest.length === 0 ? ['.'] : rest;
  let status = 0;
  for (const name of targets) {
    const full = path(call, name);
    const found = full === '/' ? { kind: 'directory' } : call.files.stat(full);
    if (found === undefined) {
      status = fail(call, gnu(call) ? `cannot access '${name}': No such file or directory` : `${name}: No such file or directory`, gnu(call) ? 2 : 1);
      continue;
    }
    if (found.kind === 'file' || flags.has('d')) {
      show(full, name);
      continue;
    }
    if (targets.length > 1 || flags.has('R')) print(call, `${name}:`);
    const inside = call.files.list(full);
    if (flags.has('l')) print(call, 'total 0');
    if (flags.has('a')) for (const dot of ['.', '..']) show(path(call, `${name}/${dot}`), dot);
    for (const entry of Array.isArray(inside) ? inside : []) if (!entry.startsWith('.') || flags.has('a') || flags.has('A')) show(`${full}/${entry}`, entry);
  }
  return status;
}

function stat(call: Call): number {
  const { rest, values } = getOptions(call.args, ['c', 'f']);
  let status = 0;
  for (const name of rest) {
    const found = call.files.stat(path(call, name));
    if (found === undefined) {
      status = fail(call, gnu(call) ? `cannot statx '${name}': No such file or directory` : `can't stat '${name}': No such file or directory`);
      continue;
    }
    const mode = (found.mode & 0o7777).toString(8);
    const at = Math.floor((call.host.epochMs + found.changedAt) / 1000);
    const parts: Readonly<Record<string, string>> = { s: String(found.size), n: name, a: mode, F: found.kind === 'file' ? 'regular file' : 'directory', Y: String(at), U: 'root', G: 'root', u: '0', g: '0' };
    print(call, values.c === undefined ? `  File: ${name}\n  Size: ${found.size}\tBlocks: 8\tIO Block: 4096\t${parts.F}` : values.c.replace(/%([a-zA-Z])/g, (all, letter: string) => parts[letter] ?? all));
  }
  return status;
}

function sizeOf(call: Call, full: string): number {
  const found = call.files.stat(full);
  if (found?.kind === 'file') return Math.ceil(found.size / 4096) * 4;
  const inside = call.files.list(full);
  return (Array.isArray(inside) ? inside : []).reduce((sum, name) => sum + sizeOf(call, `${full === '/' ? '' : full}/${name}`), 4);
}

function du(call: Call): number {
  const { rest, flags } = getOptions(call.args, ['d']);
  for (const name of rest.length === 0 ? ['.'] : rest) {
    const kilobytes = sizeOf(call, path(call, name));
    print(call, `${flags.has('h') ? (kilobytes >= 1024 ? `${(kilobytes / 1024).toFixed(1)}M` : `${kilobytes}.0K`) : flags.has('m') ? Math.ceil(kilobytes / 1024) : kilobytes}\t${name}`);
  }
  return 0;
}

/** Simplified: -name -iname -type -maxdepth -mindepth -path -delete -print -size -newer -mmin. */
function find(call: Call): number {
  const start = call.args.findIndex((arg) => arg.startsWith('-') || arg === '!');
  const roots = call.args.slice(0, start < 0 ? undefined : start);
  const tests = start < 0 ? [] : call.args.slice(start);
  const value = (name: string) => (tests.includes(name) ? tests[tests.indexOf(name) + 1] : undefined);
  if (tests.includes('-exec')) {
    err(call, 'kubelapse: find -exec is not simulated\n');
    return 127;
  }
  if (tests.some((word) => /^-[mc](min|time)$/.test(word))) call.host.markUnsteady();
  const [maximum, minimum] = [Number(value('-maxdepth') ?? 99), Number(value('-mindepth') ?? 0)];
  const visit = (name: string, depth: number): void => {
    const full = path(call, name);
    const found = call.files.stat(full);
    if (found?.kind === 'directory' && depth < maximum) {
      const inside = call.files.list(full);
      for (const entry of Array.isArray(inside) ? inside : []) visit(`${name.replace(/\/$/, '')}/${entry}`, depth + 1);
    }
    const minutes = value('-mmin');
    const age = (call.now - (found?.changedAt ?? 0)) / 60_000;
    const fits =
      depth >= minimum && (value('-name') === undefined || matches(baseName(name, ''), value('-name') as string)) &&
      (value('-iname') === undefined || matches(baseName(name, '').toLowerCase(), (value('-iname') as string).toLowerCase())) && (value('-path') === undefined || matches(name, value('-path') as string)) &&
      (value('-type') === undefined || (value('-type') === 'd') === (found?.kind === 'directory')) &&
      (minutes === undefined || (minutes.startsWith('-') ? age < Number(minutes.slice(1)) : age > Number(minutes.replace('+', ''))));
    if (!fits) return;
    if (tests.includes('-delete')) call.files.remove(full, true);
    else print(call, name);
  };
  let status = 0;
  for (const root of roots.length === 0 ? ['.'] : roots) {
    if (path(call, root) !== '/' && call.files.stat(path(call, root)) === undefined) status = fail(call, `${root}: No such file or directory`);
    else visit(root, 0);
  }
  return status;
}

interface Copying {
  left: number;
  done: number;
  opened: boolean;
  began: number;
}

/** dd and its kind fill files in pieces of at most 4 MiB a millisecond-step of 10. */
const pieceBytes = 4_194_304;

function dd(call: Call): Outcome {
  const words: Record<string, string> = {};
  for (const arg of call.args) {
    const [key = '', value = ''] = arg.split(/=(.*)/s);
    words[key] = value;
  }
  const block = parseBytes(words.bs ?? words.ibs ?? '512') ?? 512;
  const source = words.if === undefined ? '' : path(call, words.if);
  const endless = /^\/dev\/(zero|u?random|full)$/.test(source);
  let total = words.count === undefined ? Infinity : block * Number(words.count);
  if (!endless && source !== '') {
    const size = call.files.stat(source)?.size;
    if (size === undefined && source !== '/dev/null') return fail(call, gnu(call) ? `failed to open '${words.if ?? ''}': No such file or directory` : `can't open '${words.if ?? ''}': No such file or directory`);
    total = Math.min(total, size ?? 0);
  }
  if (source === '') {
    const input = readFrom(call.k, call.proc, 0);
    if (input === undefined) return { block: 'input' };
    total = Math.min(total, input.text.length + input.zeros);
  }
  return fill(call, words.of, total, block);
}

function fill(call: Call, target: string | undefined, total: number, block: number): Outcome {
  const kept = memo<Copying>(call, () => ({ left: Number.isFinite(total) ? total : 1e15, done: 0, opened: false, began: call.now }));
  if (!kept.opened && target !== undefined) {
    const opened = openPath(call.k, call.proc, target, '>');
    if (typeof opened !== 'string') return fail(call, gnu(call) ? `failed to open '${target}': ${errorText[opened.error]}` : `can't open '${target}': ${errorText[opened.error]}`);
    call.proc.fds = { ...call.proc.fds, 1: opened };
    kept.opened = true;
  }
  call.proc.memoryBytes = Math.min(block, 2_147_483_648) + 500_000;
  const toFile = openAt(call.k, call.proc, 1)?.kind === 'file';
  for (let pieces = 0; pieces < 8 && kept.left > 0; pieces++) {
    const size = Math.min(kept.left, pieceBytes);
    const result = writeTo(call.k, call.proc, 1, toFile ? '\0'.repeat(size) : '', size);
    if (result === 'broken') return 141;
    if (result !== 'ok') {
      report(call, kept, block);
      return fail(call, `error writing '${target ?? 'standard output'}': ${errorText[result] ?? result}`);
    }
    kept.left -= size;
    kept.done += size;
    if (!hasRoom(call.k, call.proc)) return { block: 'output', at: call.now + 20 };
  }
  if (kept.left > 0) return { at: call.now + 20 };
  report(call, kept, block);
  return 0;
}

function report(call: Call, { done, began }: Copying, block: number): void {
  const blocks = `${Math.floor(done / block)}+0`;
  const seconds = Math.max(1, call.now - began + 1) / 1000;
  err(call, `${blocks} records in\n${blocks} records out\n${done} bytes (${(done / 1_048_576).toFixed(1)}MB) copied, ${seconds.toFixed(6)} seconds, ${(done / 1_048_576 / seconds).toFixed(1)}MB/s\n`);
}

/** truncate -s SIZE FILE, fallocate -l SIZE FILE. */
function truncate(call: Call): Outcome {
  const { rest, values } = getOptions(call.args, ['s', 'l', 'o', 'length', 'size']);
  const size = parseBytes(values.s ?? values.l ?? values.size ?? values.length ?? '0') ?? 0;
  const outcome = fill(call, rest[0], size, size === 0 ? 1 : size);
  return outcome;
}

function tee(call: Call): Outcome {
  const { rest, flags } = getOptions(call.args);
  const kept = memo(call, () => {
    const failed = rest.filter((name) => {
      const problem = call.files.write(path(call, name), '', flags.has('a'));
      if (problem !== undefined) err(call, cannotOpen(call, name, problem));
      return problem !== undefined;
    });
    return { failed };
  });
  for (;;) {
    const input = readFrom(call.k, call.proc, 0);
    if (input === undefined) return { block: 'input' };
    out(call, input.text);
    for (const name of rest) if (!kept.failed.includes(name) && input.text !== '') call.files.write(path(call, name), input.text, true);
    if (input.ended) return kept.failed.length > 0 ? 1 : 0;
    if (input.zeros > 0) return { at: call.now + 1 };
  }
}
