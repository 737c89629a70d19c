import { cannotOpen, err, fail, getOptions, gnu, linesOf, memo, option, out, path, readFile, type Call, type CommandEntry, type Outcome } from '../command.ts';
import { errorText, hasRoom, readFrom, writeTo } from '../kernel.ts';
import { fillingCommands } from './filling.ts';
import { listingCommands } from './listing.ts';

/** Commands on files and folders. */
export const fileCommands: Readonly<Record<string, CommandEntry>> = {
  ...listingCommands,
  ...fillingCommands,
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
  basename: { run: (call) => print(call, baseName(call.args[0] ?? '', call.args[1] ?? '')) },
  dirname: { run: (call) => print(call, (call.args[0] ?? '').replace(/\/+$/, '').replace(/\/?[^/]*$/, '') || ((call.args[0] ?? '').startsWith('/') ? '/' : '.')) },
  readlink: { run: (call) => (option(call.args, 'f') ? print(call, path(call, call.args.at(-1) ?? '')) : 1) },
  realpath: { run: (call) => print(call, path(call, call.args.at(-1) ?? '')) },
  pwd: { run: (call) => print(call, call.proc.cwd) },
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
    if (typeof content !== 'string') return content.error;
    const problem = call.files.write(to, content, false);
    if (problem !== undefined) return problem;
    if (found.size > content.length && content.length >= 4096) call.files.write(to, '\0'.repeat(Math.min(found.size - content.length, 1 << 28)), true);
    call.files.setMode(to, found.mode);
    return undefined;
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
