import { civilTime } from '../../../sim/time.ts';
import { err, fail, getOptions, gnu, out, path, type Call, type CommandEntry } from '../command.ts';
import { matches } from '../pattern.ts';

/** Commands that show files and folders. */
export const listingCommands: Readonly<Record<string, CommandEntry>> = {
  ls: { run: ls },
  stat: { run: stat },
  du: { run: du },
  find: { run: find },
};

const print = (call: Call, text: string): number => {
  out(call, `${text}\n`);
  return 0;
};

const baseName = (name: string): string => name.replace(/\/+$/, '').replace(/^.*\//, '');

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
      depth >= minimum && (value('-name') === undefined || matches(baseName(name), value('-name') as string)) &&
      (value('-iname') === undefined || matches(baseName(name).toLowerCase(), (value('-iname') as string).toLowerCase())) && (value('-path') === undefined || matches(name, value('-path') as string)) &&
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
