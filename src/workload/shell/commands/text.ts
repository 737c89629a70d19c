import { compareText } from '../../../sim/plain.ts';
import { hashText } from '../../../sim/random.ts';
import { cannotOpen, err, fail, gather, getOptions, linesOf, memo, out, path, unlines, type Call, type CommandEntry, type Outcome } from '../command.ts';
import { hasRoom, readFrom, writeTo } from '../kernel.ts';
import { unescape } from '../words.ts';
import { awk } from './awk.ts';
import { grep, sed } from './lines.ts';
import { parseBytes } from './seconds.ts';

/** Filters. */
export const textCommands: Readonly<Record<string, CommandEntry>> = {
  grep: { run: grep },
  egrep: { run: grep },
  fgrep: { run: grep },
  sed: { run: sed },
  awk: { run: awk },
  head: { run: head },
  tail: { run: tail },
  cut: { run: (call) => cut(call) },
  tr: { run: tr },
  wc: { run: wc },
  sort: { run: (call) => sort(call) },
  uniq: { run: (call) => uniq(call) },
  tac: { run: (call) => filter(call, [], (lines) => [...lines].reverse()) },
  rev: { run: (call) => filter(call, [], (lines) => lines.map((line) => [...line].reverse().join(''))) },
  nl: { run: (call) => filter(call, [], (lines) => lines.map((line, index) => `${String(index + 1).padStart(6)}\t${line}`)) },
  paste: { run: (call) => paste(call) },
  seq: { run: seq },
  expr: { run: expr },
  yes: { run: yes },
  base64: { run: base64 },
  md5sum: { run: (call) => checksum(call, 32) },
  sha256sum: { run: (call) => checksum(call, 64) },
};

/** Gathers all input, then prints the lines that `change` makes of it. */
function filter(call: Call, valued: readonly string[], change: (lines: string[], flags: Set<string>, values: Record<string, string>) => string[]): Outcome {
  const { rest, flags, values } = getOptions(call.args, valued);
  const gathered = gather(call, rest);
  if (gathered === undefined) return { block: 'input' };
  out(call, unlines(change(gathered.texts.flatMap(({ text }) => linesOf(text)), flags, values)));
  return gathered.failed ? 1 : 0;
}

function head(call: Call): Outcome {
  const short = /^-\d+$/.test(call.args[0] ?? '') ? call.args[0]?.slice(1) : undefined;
  const { rest, values } = getOptions(short === undefined ? call.args : call.args.slice(1), ['n', 'c', 'lines', 'bytes']);
  const bytes = values.c ?? values.bytes;
  if (bytes !== undefined) return headBytes(call, rest, parseBytes(bytes) ?? 0);
  const count = Number(short ?? values.n ?? values.lines ?? 10);
  const kept = memo(call, () => ({ left: count, text: '' }));
  if (rest.length > 0) {
    const gathered = gather({ ...call, proc: { ...call.proc, memo: undefined } }, rest);
    for (const { name, text } of gathered?.texts ?? []) {
      if (rest.length > 1) out(call, `==> ${name} <==\n`);
      out(call, unlines(linesOf(text).slice(0, count)));
    }
    return gathered?.failed === true ? 1 : 0;
  }
  const input = readFrom(call.k, call.proc, 0);
  if (input === undefined) return { block: 'input' };
  kept.text += input.text;
  const lines = kept.text.split('\n');
  const whole = lines.slice(0, -1).slice(0, kept.left);
  out(call, unlines(whole));
  kept.left -= whole.length;
  kept.text = lines.at(-1) ?? '';
  if (kept.left === 0) return 0;
  if (!input.ended) return input.zeros > 0 ? { at: call.now + 50 } : { block: 'input' };
  out(call, kept.text);
  return 0;
}

function headBytes(call: Call, names: string[], total: number): Outcome {
  if (!/^\/dev\/(zero|u?random)$/.test(names[0] ?? '')) {
    const gathered = gather(call, names);
    if (gathered === undefined) return { block: 'input' };
    let left = total;
    for (const { text } of gathered.texts) {
      out(call, text.slice(0, left));
      left -= Math.min(left, text.length);
    }
    if (left > 0 && gathered.zeros > 0) writeTo(call.k, call.proc, 1, '', left);
    return gathered.failed ? 1 : 0;
  }
  const kept = memo(call, () => ({ left: total }));
  const size = Math.min(kept.left, 4_194_304);
  if (names[0] !== '/dev/zero' && total <= 65_536) {
    call.host.markUnsteady();
    for (let i = 0; i < total; i++) out(call, String.fromCharCode(call.host.random(256)));
    return 0;
  }
  if (writeTo(call.k, call.proc, 1, '', size) === 'broken') return 141;
  kept.left -= size;
  if (kept.left === 0) return 0;
  return hasRoom(call.k, call.proc) ? { at: call.now + 10 } : { block: 'output', at: call.now + 10 };
}

interface Following {
  shown: boolean;
  offsets: Record<string, number>;
  held: number;
  text: string;
}

/** How fast tail swallows a line that never ends: bytes in 50 ms. A 100 MiB limit is then met after a third of a second. */
const swallowed = 16_777_216;

function tail(call: Call): Outcome {
  const first = call.args[0] ?? '';
  const short = /^[-+]\d+f?$/.test(first) ? first : undefined;
  const { rest, flags, values } = getOptions(short === undefined ? call.args : call.args.slice(1), ['n', 'c', 's', 'lines', 'bytes', 'pid']);
  const follows = flags.has('f') || flags.has('F') || flags.has('follow') || short?.endsWith('f') === true;
  const kept = memo<Following>(call, () => ({ shown: false, offsets: {}, held: 0, text: '' }));
  if (rest.some((name) => /^\/dev\/(zero|u?random)$/.test(name))) return swallow(call, kept, swallowed);
  const wanted = short?.replace('f', '') ?? values.n ?? values.lines ?? (values.c === undefined ? '10' : `c${values.c}`);
  if (rest.length === 0 || rest[0] === '-') return tailInput(call, kept, wanted);
  if (!kept.shown) {
    let failed = 0;
    for (const name of rest) {
      const text = call.files.read(path(call, name));
      if (/^\/dev\//.test(name)) kept.offsets[name] = 0;
      else if (typeof text === 'string') {
        if (rest.length > 1) out(call, `==> ${name} <==\n`);
        out(call, lastOf(text, wanted));
        kept.offsets[name] = text.length;
      } else {
        err(call, cannotOpen(call, name, text.error));
        failed++;
      }
    }
    kept.shown = true;
    if (!follows) return failed > 0 ? 1 : 0;
    if (failed === rest.length && !flags.has('F')) return fail(call, 'no files');
  }
  if (rest.every((name) => /^\/dev\//.test(name))) return { block: 'signal' };
  call.host.markUnsteady();
  for (const name of rest) {
    const text = call.files.read(path(call, name));
    if (typeof text !== 'string') continue;
    const offset = kept.offsets[name] ?? 0;
    out(call, text.length < offset ? text : text.slice(offset));
    kept.offsets[name] = text.length;
  }
  return { at: call.now + 1000 };
}

function lastOf(text: string, wanted: string): string {
  if (wanted.startsWith('c')) return wanted.startsWith('c+') ? text.slice(Number(wanted.slice(2)) - 1) : text.slice(-Number(wanted.slice(1).replace('-', '')));
  if (wanted.startsWith('+')) return unlines(linesOf(text).slice(Number(wanted.slice(1)) - 1));
  const count = Number(wanted.replace('-', ''));
  return count === 0 ? '' : unlines(linesOf(text).slice(-count));
}

function swallow(call: Call, kept: Following, bytes: number): Outcome {
  kept.held += bytes;
  call.proc.memoryBytes = kept.held;
  return { at: call.now + 50 };
}

function tailInput(call: Call, kept: Following, wanted: string): Outcome {
  const input = readFrom(call.k, call.proc, 0);
  if (input === undefined) return { block: 'input' };
  kept.text = lastOf(kept.text + input.text, wanted);
  if (input.zeros > 0) {
    kept.held += input.zeros;
    call.proc.memoryBytes = kept.held;
    if (!input.ended) return { at: call.now + 5 };
  }
  if (!input.ended) return { block: 'input' };
  out(call, kept.text);
  return 0;
}

/** '1,3-5,7-' as a test of a position from 1. */
function ranges(text: string): (position: number) => boolean {
  const list = text.split(',').map((part) => {
    const [from = '', to] = part.split('-');
    return [from === '' ? 1 : Number(from), to === undefined ? Number(from) : to === '' ? 1e9 : Number(to)] as const;
  });
  return (position) => list.some(([from, to]) => position >= from && position <= to);
}

const cut = (call: Call): Outcome =>
  filter(call, ['d', 'f', 'c', 'b'], (lines, flags, values) => {
    const fields = values.f;
    const wanted = ranges(fields ?? values.c ?? values.b ?? '1');
    const delimiter = values.d ?? '\t';
    return lines.flatMap((line) => {
      if (fields === undefined) return [[...line].filter((_, index) => wanted(index + 1)).join('')];
      if (!line.includes(delimiter)) return flags.has('s') ? [] : [line];
      return [line.split(delimiter).filter((_, index) => wanted(index + 1)).join(delimiter)];
    });
  });

function characters(text: string): string[] {
  const named = text.replace(/\[:(\w+):\]/g, (all, name: string) => ({ upper: 'A-Z', lower: 'a-z', digit: '0-9', alpha: 'A-Za-z', alnum: 'A-Za-z0-9', space: ' \\t\\n\\r\\f\\v', blank: ' \\t', punct: '!-/:-@[-`{-~' })[name] ?? all);
  const list = [...unescape(named)];
  const result: string[] = [];
  for (let i = 0; i < list.length; i++) {
    if (list[i + 1] === '-' && list[i + 2] !== undefined) {
      for (let code = (list[i] as string).charCodeAt(0); code <= (list[i + 2] as string).charCodeAt(0); code++) result.push(String.fromCharCode(code));
      i += 2;
    } else result.push(list[i] as string);
  }
  return result;
}

function tr(call: Call): Outcome {
  const { flags, rest } = getOptions(call.args);
  const [from = '', to = ''] = rest;
  const set = characters(from);
  const target = characters(to);
  const complement = flags.has('c') || flags.has('C');
  const inSet = (c: string) => set.includes(c) !== complement;
  const input = readFrom(call.k, call.proc, 0);
  if (input === undefined) return { block: 'input' };
  let result = '';
  for (const c of input.text) {
    if (flags.has('d')) {
      if (!inSet(c)) result += c;
      continue;
    }
    const mapped = inSet(c) && target.length > 0 ? (target[complement ? target.length - 1 : Math.min(set.indexOf(c), target.length - 1)] as string) : c;
    const squeezed = flags.has('s') && result.endsWith(mapped) && (target.length > 0 ? target.includes(mapped) : inSet(c));
    if (!squeezed) result += mapped;
  }
  if (writeTo(call.k, call.proc, 1, result, flags.has('d') ? 0 : input.zeros) === 'broken') return 141;
  if (input.ended) return 0;
  return input.zeros > 0 ? { at: call.now + 5 } : { block: 'input' };
}

function wc(call: Call): Outcome {
  const { flags, rest } = getOptions(call.args);
  const gathered = gather(call, rest);
  if (gathered === undefined) return { block: 'input' };
  const all = !['l', 'w', 'c', 'm', 'L'].some((flag) => flags.has(flag));
  for (const { name, text } of gathered.texts) {
    const counts: number[] = [];
    if (all || flags.has('l')) counts.push(text.split('\n').length - 1);
    if (all || flags.has('w')) counts.push(text.split(/\s+/).filter((word) => word !== '').length);
    if (all || flags.has('c') || flags.has('m')) counts.push(text.length + gathered.zeros);
    if (flags.has('L')) counts.push(linesOf(text).reduce((longest, line) => Math.max(longest, line.length), 0));
    const padded = counts.length > 1 ? counts.map((count) => String(count).padStart(9)).join(' ') : String(counts[0]);
    out(call, `${padded}${rest.length > 0 ? ` ${name}` : ''}\n`);
  }
  return gathered.failed ? 1 : 0;
}

const sort = (call: Call): Outcome =>
  filter(call, ['k', 't', 'o'], (lines, flags, values) => {
    const [field = '0', suffix = ''] = (values.k ?? '').split(/(?<=^\d+)(?=\D)/);
    const key = (line: string) => (Number(field) > 0 ? (values.t === undefined ? line.trim().split(/\s+/) : line.split(values.t)).slice(Number(field) - 1).join(' ') : line);
    const numeric = flags.has('n') || flags.has('h') || flags.has('V') || /n/.test(suffix);
    const compare = (a: string, b: string) => (numeric ? (parseFloat(key(a)) || 0) - (parseFloat(key(b)) || 0) : compareText(key(a), key(b))) || compareText(a, b);
    const ordered = [...lines].sort(flags.has('r') || /r/.test(suffix) ? (a, b) => compare(b, a) : compare);
    return flags.has('u') ? ordered.filter((line, index) => index === 0 || line !== ordered[index - 1]) : ordered;
  });

const uniq = (call: Call): Outcome =>
  filter(call, [], (lines, flags) => {
    const groups: { line: string; count: number }[] = [];
    for (const line of lines) {
      const last = groups.at(-1);
      if (last?.line === line) last.count++;
      else groups.push({ line, count: 1 });
    }
    const kept = groups.filter(({ count }) => (flags.has('d') ? count > 1 : flags.has('u') ? count === 1 : true));
    return kept.map(({ line, count }) => (flags.has('c') ? `${String(count).padStart(7)} ${line}` : line));
  });

const paste = (call: Call): Outcome =>
  filter(call, ['d'], (lines, flags, values) => (flags.has('s') ? [lines.join(values.d ?? '\t')] : lines));

function seq(call: Call): Outcome {
  const { flags, values, rest } = getOptions(call.args.map((arg) => (/^-\d/.test(arg) ? ` ${arg}` : arg)), ['s', 'f']);
  const numbers = rest.map(Number);
  const [first, step, last] = numbers.length === 1 ? [1, 1, numbers[0]] : numbers.length === 2 ? [numbers[0], 1, numbers[1]] : numbers;
  if (first === undefined || step === undefined || last === undefined || numbers.some(Number.isNaN) || step === 0) return fail(call, 'invalid number');
  const digits = Math.max(...rest.map((text) => (text.split('.')[1] ?? '').length));
  const list: string[] = [];
  for (let i = 0; list.length < 100_000; i++) {
    const value = first + i * step;
    if (step > 0 ? value > last + 1e-9 : value < last - 1e-9) break;
    list.push(value.toFixed(digits));
  }
  const width = flags.has('w') ? Math.max(...list.map((text) => text.length)) : 0;
  if (list.length > 0) out(call, `${list.map((text) => text.padStart(width, '0')).join(values.s ?? '\n')}\n`);
  return 0;
}

function expr(call: Call): number {
  const words = call.args;
  let at = 0;
  const operators = [['|'], ['&'], ['=', '==', '!=', '<', '<=', '>', '>='], ['+', '-'], ['*', '/', '%'], [':']];
  const number = (text: string) => Number(text) || 0;
  const apply: Readonly<Record<string, (a: string, b: string) => string>> = {
    '|': (a, b) => (a !== '' && a !== '0' ? a : b), '&': (a, b) => (a !== '' && a !== '0' && b !== '' && b !== '0' ? a : '0'),
    '=': (a, b) => String(Number(a === b)), '==': (a, b) => String(Number(a === b)), '!=': (a, b) => String(Number(a !== b)),
    '<': (a, b) => String(Number(number(a) < number(b))), '<=': (a, b) => String(Number(number(a) <= number(b))), '>': (a, b) => String(Number(number(a) > number(b))), '>=': (a, b) => String(Number(number(a) >= number(b))),
    '+': (a, b) => String(number(a) + number(b)), '-': (a, b) => String(number(a) - number(b)), '*': (a, b) => String(number(a) * number(b)),
    '/': (a, b) => String(Math.trunc(number(a) / number(b))), '%': (a, b) => String(number(a) % number(b)),
    ':': (a, b) => {
      const found = new RegExp(`^(?:${b.replace(/\\([()])/g, '$1')})`).exec(a);
      return found?.[1] ?? String(found?.[0].length ?? 0);
    },
  };
  const level = (depth: number): string => {
    if (depth === operators.length) {
      const word = words[at++] ?? '';
      if (word === 'length') return String((words[at++] ?? '').length);
      if (word !== '(') return word;
      const inner = level(0);
      at++;
      return inner;
    }
    let left = level(depth + 1);
    while (operators[depth]?.includes(words[at] ?? '') === true) {
      const operator = words[at++] as string;
      left = apply[operator]?.(left, level(depth + 1)) ?? '0';
    }
    return left;
  };
  if (words.length === 0) return fail(call, 'too few arguments', 2);
  const value = level(0);
  if (at < words.length) return fail(call, 'syntax error', 2);
  out(call, `${value}\n`);
  return value === '' || value === '0' ? 1 : 0;
}

/** A burst each time; real output would be a thousand times that. */
function yes(call: Call): Outcome {
  if (!hasRoom(call.k, call.proc)) return { block: 'output' };
  const line = `${call.args.join(' ') || 'y'}\n`;
  if (writeTo(call.k, call.proc, 1, line.repeat(20)) === 'broken') return 141;
  call.k.tree.strain++;
  return { at: call.now + 100 };
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

function base64(call: Call): Outcome {
  const { flags, rest, values } = getOptions(call.args, ['w']);
  const gathered = gather(call, rest);
  if (gathered === undefined) return { block: 'input' };
  const text = gathered.texts.map((part) => part.text).join('');
  const [inBits, outBits] = flags.has('d') || flags.has('decode') ? [6, 8] : [8, 6];
  let result = '';
  let bits = 0;
  let held = 0;
  const bytes = inBits === 6 ? [...text].map((c) => alphabet.indexOf(c)).filter((code) => code >= 0) : [...text].map((c) => c.charCodeAt(0) & 255);
  const emit = (code: number) => (result += outBits === 8 ? String.fromCharCode(code) : alphabet.charAt(code));
  for (const code of bytes) {
    held = ((held << inBits) | code) & 0xffff;
    for (bits += inBits; bits >= outBits; bits -= outBits) emit((held >> (bits - outBits)) & ((1 << outBits) - 1));
  }
  if (outBits === 6) {
    if (bits > 0) emit((held << (6 - bits)) & 63);
    while (result.length % 4 !== 0) result += '=';
    out(call, values.w === '0' ? result : `${result.replace(/.{76}(?=.)/g, '$&\n')}\n`);
  } else out(call, result);
  return gathered.failed ? 1 : 0;
}

/** Simplified: a stable number of the right length, not the real sum. */
function checksum(call: Call, digits: number): Outcome {
  const { rest } = getOptions(call.args);
  const gathered = gather(call, rest);
  if (gathered === undefined) return { block: 'input' };
  for (const { name, text } of gathered.texts) {
    let sum = '';
    for (let part = 0; sum.length < digits; part++) sum += hashText(text, 0x811c9dc5 + part).toString(16).padStart(8, '0');
    out(call, `${sum}  ${name}\n`);
  }
  return gathered.failed ? 1 : 0;
}
