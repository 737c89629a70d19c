import { evaluate } from './arithmetic.ts';
import { escapePattern, isPattern, substitute, trim } from './pattern.ts';
import type { Part, Word } from './words.ts';

/** What words are expanded with. Nothing outside changes: the caller takes over `changes` when all went well. */
export interface Expansion {
  /** Variables of the shell, without the special parameters. */
  lookup(name: string): string | undefined;
  /** $? $$ $! $- $0 */
  special(name: string): string;
  args: readonly string[];
  changes: Record<string, string>;
  /** What command substitutions gave that have been run already, in order. */
  outputs: readonly string[];
  used: number;
  /** A command substitution that must be run first. */
  missing?: string;
  /** An error that ends the shell. */
  error?: string;
  nounset: boolean;
  noglob: boolean;
  glob(pattern: string): string[];
}

interface Field {
  text: string;
  /** The text with quoted characters escaped. */
  pattern: string;
}

interface Fields {
  done: Field[];
  current: Field | undefined;
}

export const variable = (x: Expansion, name: string): string | undefined => (Object.hasOwn(x.changes, name) ? x.changes[name] : x.lookup(name));

/** Splits into fields and expands patterns: the words of a command. */
export function expandFields(word: Word, x: Expansion): string[] {
  const fields: Fields = { done: [], current: undefined };
  expandParts(withTilde(word, x), x, fields, true);
  if (fields.current !== undefined) fields.done.push(fields.current);
  return fields.done.flatMap(({ text, pattern }) => {
    if (x.noglob || !isPattern(pattern)) return [text];
    const found = x.glob(pattern);
    return found.length > 0 ? found : [text];
  });
}

function joined(word: Word, x: Expansion): Field {
  const fields: Fields = { done: [], current: undefined };
  expandParts(withTilde(word, x), x, fields, false);
  const all = fields.current === undefined ? fields.done : [...fields.done, fields.current];
  return { text: all.map((field) => field.text).join(' '), pattern: all.map((field) => field.pattern).join(' ') };
}

/** One text: assignments, redirections, `case` subjects. */
export const expandText = (word: Word, x: Expansion): string => joined(word, x).text;

/** One pattern: what was quoted stands for itself. */
export const expandPattern = (word: Word, x: Expansion): string => joined(word, x).pattern;

function withTilde(word: Word, x: Expansion): Word {
  const [first, ...rest] = word;
  if (first?.t !== 'text' || first.quoted || !/^~(\/|$)/.test(first.text)) return word;
  return [{ ...first, text: (variable(x, 'HOME') ?? '/root') + first.text.slice(1) }, ...rest];
}

function add(fields: Fields, text: string, quoted: boolean): void {
  fields.current ??= { text: '', pattern: '' };
  fields.current.text += text;
  fields.current.pattern += quoted ? escapePattern(text) : text;
}

function endField(fields: Fields): void {
  if (fields.current !== undefined) fields.done.push(fields.current);
  fields.current = undefined;
}

/** Adds the outcome of an expansion, split at IFS where it was not quoted. */
function addValue(fields: Fields, value: string, quoted: boolean, split: boolean, x: Expansion): void {
  if (quoted || !split) {
    add(fields, value, quoted);
    return;
  }
  const ifs = variable(x, 'IFS') ?? ' \t\n';
  let blank = true;
  for (let i = 0; i < value.length; i++) {
    const c = value.charAt(i);
    if (!ifs.includes(c)) {
      add(fields, c, false);
      blank = false;
    } else {
      if (!/\s/.test(c) && blank && fields.current === undefined && i > 0) add(fields, '', false);
      endField(fields);
      blank = true;
    }
  }
}

/** `fromOperator`: unquoted text was brought in by ${x:-text} and is split like a value. */
function expandParts(word: Word, x: Expansion, fields: Fields, split: boolean, fromOperator = false): void {
  word.forEach((part, index) => {
    if (part.t === 'text') {
      const next = word[index + 1];
      const onlyList = part.text === '' && next?.t === 'var' && next.name === '@' && next.quoted && x.args.length === 0;
      if (onlyList) return;
      if (fromOperator) addValue(fields, part.text, part.quoted, split, x);
      else add(fields, part.text, part.quoted);
    } else if (part.t === 'run') addValue(fields, output(part.source, x), part.quoted, split, x);
    else if (part.t === 'math') addValue(fields, arithmetic(expandText(part.expression, x), x), part.quoted, split, x);
    else expandVariable(part, x, fields, split);
  });
}

function output(source: string, x: Expansion): string {
  const known = x.outputs[x.used];
  x.used++;
  if (known === undefined) x.missing ??= source;
  return known ?? '';
}

/** The value of an arithmetic text; assignments in it join the changes. */
export function arithmetic(text: string, x: Expansion): string {
  if (x.missing !== undefined) return '0';
  const value = evaluate(text, { get: (name) => parameter(name, x), set: (name, to) => (x.changes[name] = to) });
  if (typeof value === 'string') x.error ??= value;
  return String(value);
}

function parameter(name: string, x: Expansion): string | undefined {
  if (name === '@' || name === '*') return x.args.length > 0 ? x.args.join((variable(x, 'IFS') ?? ' ').charAt(0)) : undefined;
  if (name === '#') return String(x.args.length);
  if (name === '0' || '?$!-'.includes(name)) return x.special(name);
  return /^\d/.test(name) ? x.args[Number(name) - 1] : variable(x, name);
}

function expandVariable(part: Extract<Part, { t: 'var' }>, x: Expansion, fields: Fields, split: boolean): void {
  const { name, op, arg, quoted } = part;
  if ((name === '@' || (name === '*' && !quoted)) && (op === '' || op === ':') && split) {
    const list = op === ':' ? slice(x.args, expandText(arg, x), x, 1) : x.args;
    list.forEach((value, index) => {
      if (index > 0) endField(fields);
      addValue(fields, value, quoted, true, x);
    });
    return;
  }
  const value = parameter(op === '!' ? (parameter(name, x) ?? '') : name, x);
  const missing = value === undefined || (op.startsWith(':') && op.length > 1 && value === '');
  if (/^:?[-=?+]$/.test(op)) {
    const kind = op.slice(-1);
    if (kind === '+' ? missing : !missing) addValue(fields, kind === '+' ? '' : (value ?? ''), quoted, split, x);
    else if (kind === '?') x.error ??= `${name}: ${arg.length === 0 ? 'parameter not set' : expandText(arg, x)}`;
    else if (kind === '=') {
      x.changes[name] = expandText(arg, x);
      addValue(fields, x.changes[name] as string, quoted, split, x);
    } else expandParts(arg, x, fields, split, true);
    return;
  }
  if (value === undefined && x.nounset && !/^[@*]$/.test(name)) x.error ??= `${name}: parameter not set`;
  addValue(fields, modified(value ?? '', op, arg, x), quoted, split, x);
}

function slice<T extends string | readonly string[]>(value: T, text: string, x: Expansion, base: number): T {
  const [from = '0', count] = text.split(':');
  const start = Number(arithmetic(from, x)) - base;
  const length = count === undefined ? value.length : Number(arithmetic(count, x));
  const begin = start < 0 ? Math.max(0, value.length + start) : start;
  return value.slice(begin, length < 0 ? value.length + length : begin + length) as T;
}

function modified(value: string, op: string, arg: Word, x: Expansion): string {
  switch (op.charAt(0)) {
    case 'l':
      return String(value.length);
    case '#':
    case '%':
      return trim(value, op, expandPattern(arg, x));
    case '/': {
      const [, pattern = '', replacement = ''] = /^((?:[^/\\]|\\.)*)\/?(.*)$/s.exec(expandPattern(arg, x)) ?? [];
      return substitute(value, op === '//', pattern, replacement.replace(/\\(.)/gs, '$1'));
    }
    case '^':
      return op === '^^' ? value.toUpperCase() : value.charAt(0).toUpperCase() + value.slice(1);
    case ',':
      return op === ',,' ? value.toLowerCase() : value.charAt(0).toLowerCase() + value.slice(1);
    case ':':
      return slice(value, expandText(arg, x), x, 0);
    default:
      return value;
  }
}
