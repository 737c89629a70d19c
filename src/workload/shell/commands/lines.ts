import { fail, getOptions, linesOf, memo, out, path, readFile, type Call, type Outcome } from '../command.ts';
import { readFrom } from '../kernel.ts';
import { expandClasses } from '../pattern.ts';

/** A POSIX expression as JavaScript understands it; undefined: it is none. */
export function posixRegex(text: string, extended: boolean, flags = ''): RegExp | undefined {
  const source = expandClasses(extended ? text : text.replace(/\\?[(){}|+?]|\\[<>]|\[[^\]]*\]/g, (token) =>
    token.startsWith('[') || token === '\\<' || token === '\\>' ? token : token.startsWith('\\') ? token.slice(1) : `\\${token}`)).replace(/\\[<>]/g, '\\b').replace(/^\*/, '\\*');
  try {
    return new RegExp(source, flags);
  } catch {
    return undefined;
  }
}

interface Grep {
  number: number;
  count: number;
  rest: string;
  /** Lines after a match that are still shown, and the last ones before. */
  after: number;
  before: string[];
}

/** Lines from a pipe are looked at as they come. */
export function grep(call: Call): Outcome {
  const { flags, values, rest } = getOptions(call.args, ['e', 'f', 'm', 'A', 'B', 'C', 'regexp']);
  const given = values.e ?? values.regexp;
  const patterns = (given ?? rest[0] ?? '').split('\n');
  const names = given === undefined ? rest.slice(1) : rest;
  const expressions = patterns.map((pattern) => {
    const extended = flags.has('E') || flags.has('P') || call.name === 'egrep';
    const body = flags.has('F') || call.name === 'fgrep' ? pattern.replace(/[.*+?^${}()|[\]\\]/g, '\\$&') : pattern;
    const plain = flags.has('F') || call.name === 'fgrep';
    const bounded = flags.has('x') ? `^${body}$` : flags.has('w') ? `\\b${body}\\b` : body;
    return posixRegex(bounded, extended || plain, flags.has('i') ? 'i' : '');
  });
  const bad = expressions.indexOf(undefined);
  if (bad >= 0) return fail(call, `bad regex '${patterns[bad] ?? ''}'`, 2);
  const matches = (line: string) => expressions.some((expression) => (expression as RegExp).test(line)) !== flags.has('v');
  const kept = memo<Grep>(call, () => ({ number: 0, count: 0, rest: '', after: 0, before: [] }));
  if (names.length > 0 || flags.has('r')) return grepFiles(call, flags, values, names, matches, expressions as RegExp[]);
  const input = readFrom(call.k, call.proc, 0);
  if (input === undefined) return { block: 'input' };
  kept.rest += input.text;
  const lines = kept.rest.split('\n');
  kept.rest = input.ended ? '' : (lines.pop() ?? '');
  if (input.ended && lines.at(-1) === '') lines.pop();
  const done = show(call, flags, values, lines, '', matches, expressions as RegExp[], kept);
  if (done && flags.has('q')) return 0;
  if (!input.ended && !done) return { block: 'input' };
  if (flags.has('c')) out(call, `${kept.count}\n`);
  return kept.count > 0 ? 0 : 1;
}

/** True: enough was found. */
function show(call: Call, flags: Set<string>, values: Record<string, string>, lines: string[], prefix: string, matches: (line: string) => boolean, expressions: RegExp[], kept: Grep): boolean {
  const maximum = Number(values.m ?? 1e9);
  const after = Number(values.A ?? values.C ?? 0);
  const before = Number(values.B ?? values.C ?? 0);
  for (const line of lines) {
    kept.number++;
    const label = (separator: string) => prefix.replace(/:$/, separator) + (flags.has('n') ? `${kept.number}${separator}` : '');
    if (!matches(line)) {
      if (kept.after > 0) {
        out(call, `${label('-')}${line}\n`);
        kept.after--;
      } else if (before > 0) kept.before = [...kept.before, line].slice(-before);
      continue;
    }
    kept.count++;
    if (flags.has('q')) return true;
    if (!flags.has('c') && !flags.has('l') && !flags.has('L')) {
      for (const earlier of kept.before) out(call, `${prefix}${earlier}\n`);
      kept.before = [];
      kept.after = after;
      if (flags.has('o')) {
        for (const expression of expressions) for (const found of line.matchAll(new RegExp(expression.source, `${expression.flags}g`))) if (found[0] !== '') out(call, `${label(':')}${found[0]}\n`);
      } else out(call, `${label(':')}${line}\n`);
    }
    if (kept.count >= maximum) return true;
  }
  return false;
}

function grepFiles(call: Call, flags: Set<string>, values: Record<string, string>, names: string[], matches: (line: string) => boolean, expressions: RegExp[]): Outcome {
  const recursive = flags.has('r') || flags.has('R');
  const targets = recursive ? (names.length > 0 ? names : ['.']).flatMap((name) => walk(call, name)) : names;
  let total = 0;
  let problem = false;
  for (const name of targets) {
    const text = flags.has('s') && call.files.stat(path(call, name)) === undefined ? undefined : readFile(call, name);
    if (text === undefined) {
      problem = true;
      continue;
    }
    const kept: Grep = { number: 0, count: 0, rest: '', after: 0, before: [] };
    const prefix = (targets.length > 1 || recursive || flags.has('H')) && !flags.has('h') ? `${name}:` : '';
    show(call, flags, values, linesOf(text), prefix, matches, expressions, kept);
    if (flags.has('q') && kept.count > 0) return 0;
    if (flags.has('c')) out(call, `${prefix}${kept.count}\n`);
    if (flags.has('l') ? kept.count > 0 : flags.has('L') && kept.count === 0) out(call, `${name}\n`);
    total += kept.count;
  }
  return problem ? 2 : total > 0 ? 0 : 1;
}

function walk(call: Call, name: string): string[] {
  const inside = call.files.list(path(call, name));
  return Array.isArray(inside) ? inside.flatMap((entry) => walk(call, `${name.replace(/\/$/, '')}/${entry}`)) : [name];
}
