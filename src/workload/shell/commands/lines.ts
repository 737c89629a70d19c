import { err, fail, getOptions, linesOf, memo, out, path, readFile, unlines, type Call, type Outcome } from '../command.ts';
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

interface SedCommand {
  from?: string;
  to?: string;
  negated: boolean;
  name: string;
  /** s, y: pattern, replacement, flags. a i c: text. */
  args: string[];
}

function parseSed(script: string): SedCommand[] | string {
  const commands: SedCommand[] = [];
  let rest = script;
  for (;;) {
    rest = rest.replace(/^[\s;]+/, '');
    if (rest === '') return commands;
    const [whole = '', from, to, negation] = /^(?:(\d+|\$|\/(?:[^/\\]|\\.)*\/I?)(?:,(\d+|\$|\/(?:[^/\\]|\\.)*\/))?)?\s*(!?)\s*/.exec(rest) ?? [];
    rest = rest.slice(whole.length);
    const name = rest.charAt(0);
    const command: SedCommand = { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }), negated: negation === '!', name, args: [] };
    if (name === 's' || name === 'y') {
      const separator = rest.charAt(1).replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
      const body = `((?:[^\\\\${separator === '\\|' ? '|' : rest.charAt(1) === ']' ? '\\]' : rest.charAt(1)}]|\\\\.)*)`;
      const found = new RegExp(`^.${separator}${body}${separator}${body}${separator}([a-zA-Z0-9]*)`, 's').exec(rest);
      if (found === null) return `unterminated \`${name}' command`;
      const plain = (text: string) => text.replaceAll(`\\${rest.charAt(1)}`, rest.charAt(1));
      command.args = [plain(found[1] ?? ''), plain(found[2] ?? ''), found[3] ?? ''];
      rest = rest.slice(found[0].length);
    } else if ('aic'.includes(name) && name !== '') {
      const end = rest.indexOf('\n') < 0 || /^.\\\n/.test(rest) ? rest.length : rest.indexOf('\n');
      command.args = [rest.slice(1, end).replace(/^\s*\\?\n?/, '')];
      rest = rest.slice(end);
    } else if ('dpqQ=nD'.includes(name) && name !== '') rest = rest.slice(1);
    else return `unsupported command ${name}`;
    commands.push(command);
  }
}

export function sed(call: Call): Outcome {
  const { flags, values, rest } = getOptions(call.args.map((arg) => (/^-i.+/.test(arg) ? '-i' : arg)), ['e', 'f', 'expression']);
  const script = values.e ?? values.expression ?? rest[0] ?? '';
  const names = values.e === undefined && values.expression === undefined ? rest.slice(1) : rest;
  const commands = parseSed(script);
  if (typeof commands === 'string') {
    err(call, commands.startsWith('unsupported') && /[{}:btNGHhgxrwP]/.test(commands.slice(-1)) ? `kubelapse: sed ${commands.slice(-1)} is not simulated\n` : `sed: ${commands}\n`);
    return 1;
  }
  const extended = flags.has('E') || flags.has('r');
  if (names.length === 0) {
    const kept = memo(call, () => ({ text: '' }));
    const input = readFrom(call.k, call.proc, 0);
    if (input === undefined) return { block: 'input' };
    kept.text += input.text;
    if (!input.ended) return { block: 'input' };
    out(call, edit(kept.text, commands, extended, flags.has('n')));
    return 0;
  }
  let status = 0;
  for (const name of names) {
    const text = readFile(call, name);
    if (text === undefined) {
      status = 1;
      continue;
    }
    const edited = edit(text, commands, extended, flags.has('n'));
    if (flags.has('i')) call.files.write(path(call, name), edited, false);
    else out(call, edited);
  }
  return status;
}

function edit(text: string, commands: SedCommand[], extended: boolean, quiet: boolean): string {
  const lines = linesOf(text);
  const result: string[] = [];
  const inRange = new Map<SedCommand, boolean>();
  const hits = (address: string, line: string, number: number) =>
    address === '$' ? number === lines.length : address.startsWith('/') ? posixRegex(address.replace(/^\/|\/I?$/g, ''), extended, address.endsWith('I') ? 'i' : '')?.test(line) === true : Number(address) === number;
  const selected = (command: SedCommand, line: string, number: number): boolean => {
    if (command.from === undefined) return true;
    if (command.to === undefined) return hits(command.from, line, number);
    if (inRange.get(command) === true) {
      if (hits(command.to, line, number) || (/^\d/.test(command.to) && number >= Number(command.to))) inRange.set(command, false);
      return true;
    }
    if (!hits(command.from, line, number)) return false;
    inRange.set(command, !/^\d/.test(command.to) || Number(command.to) > number);
    return true;
  };
  for (let index = 0; index < lines.length; index++) {
    let line = lines[index] as string;
    const after: string[] = [];
    let kept = true;
    let last = false;
    for (const command of commands) {
      if (selected(command, line, index + 1) === command.negated) continue;
      const [first = '', second = '', flags = ''] = command.args;
      if (command.name === 's') {
        const changed = replace(line, first, second, flags, extended);
        if (changed !== undefined) {
          line = changed;
          if (flags.includes('p')) result.push(line);
        }
      } else if (command.name === 'y') line = [...line].map((c) => [...second][[...first].indexOf(c)] ?? c).join('');
      else if (command.name === 'p') result.push(line);
      else if (command.name === '=') result.push(String(index + 1));
      else if (command.name === 'i') result.push(first);
      else if (command.name === 'a') after.push(first);
      else if (command.name === 'c') {
        result.push(first);
        kept = false;
      } else if (command.name === 'd' || command.name === 'D' || command.name === 'Q') kept = false;
      if (command.name === 'q' || command.name === 'Q') last = true;
      if (!kept) break;
    }
    if (kept && !quiet) result.push(line);
    result.push(...after);
    if (last) break;
  }
  return unlines(result);
}

function replace(line: string, pattern: string, replacement: string, flags: string, extended: boolean): string | undefined {
  const expression = posixRegex(pattern, extended, `g${/i/i.test(flags) ? 'i' : ''}`);
  if (expression === undefined) return undefined;
  const wanted = Number(/\d+/.exec(flags)?.[0] ?? 1);
  let count = 0;
  let changed = false;
  const result = line.replace(expression, (...found: unknown[]) => {
    count++;
    const whole = String(found[0]);
    if (flags.includes('g') ? count < wanted : count !== wanted) return whole;
    changed = true;
    return replacement.replace(/\\([0-9n&t])|&/g, (token, code: string | undefined) => (token === '&' || code === '0' ? whole : code === 'n' ? '\n' : code === 't' ? '\t' : code === '&' ? '&' : String(found[Number(code)] ?? ''))).replace(/\\(.)/g, '$1');
  });
  return changed ? result : undefined;
}
