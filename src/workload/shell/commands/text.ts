import { compareText } from '../../../sim/plain.ts';
import { gather, getOptions, linesOf, out, unlines, type Call, type CommandEntry, type Outcome } from '../command.ts';
import { readFrom, writeTo } from '../kernel.ts';
import { unescape } from '../words.ts';
import { awk } from './awk.ts';
import { endCommands } from './ends.ts';
import { grep } from './lines.ts';
import { makingCommands } from './making.ts';
import { sed } from './sed.ts';

/** Filters. */
export const textCommands: Readonly<Record<string, CommandEntry>> = {
  ...endCommands,
  ...makingCommands,
  grep: { run: grep },
  egrep: { run: grep },
  fgrep: { run: grep },
  sed: { run: sed },
  awk: { run: awk },
  cut: { run: (call) => cut(call) },
  tr: { run: tr },
  wc: { run: wc },
  sort: { run: (call) => sort(call) },
  uniq: { run: (call) => uniq(call) },
  tac: { run: (call) => filter(call, [], (lines) => [...lines].reverse()) },
  rev: { run: (call) => filter(call, [], (lines) => lines.map((line) => [...line].reverse().join(''))) },
  nl: { run: (call) => filter(call, [], (lines) => lines.map((line, index) => `${String(index + 1).padStart(6)}\t${line}`)) },
  paste: { run: (call) => paste(call) },
};

/** Gathers all input, then prints the lines that `change` makes of it. */
function filter(call: Call, valued: readonly string[], change: (lines: string[], flags: Set<string>, values: Record<string, string>) => string[]): Outcome {
  const { rest, flags, values } = getOptions(call.args, valued);
  const gathered = gather(call, rest);
  if (gathered === undefined) return { block: 'input' };
  out(call, unlines(change(gathered.texts.flatMap(({ text }) => linesOf(text)), flags, values)));
  return gathered.failed ? 1 : 0;
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
