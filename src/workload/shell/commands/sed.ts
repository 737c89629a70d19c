import { err, getOptions, linesOf, memo, out, path, readFile, unlines, type Call, type Outcome } from '../command.ts';
import { readFrom } from '../kernel.ts';
import { posixRegex } from './lines.ts';

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
