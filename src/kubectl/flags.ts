import { Failure } from './failure.ts';

/** What a flag takes: 'bool' nothing, 'text' a value, 'list' several values (repeated or joined by commas), 'texts' several (repeated only). */
export type FlagKind = 'bool' | 'text' | 'list' | 'texts';

export interface FlagSpec {
  kind: FlagKind;
  short?: string;
  /** Value when given without one: --dry-run, --watch. */
  bare?: string;
}

export type FlagTable = Readonly<Record<string, FlagSpec>>;

export interface ParsedArguments {
  /** Everything that is no flag, in order. */
  words: string[];
  /** What stands after '--'. */
  command: string[];
  has(name: string): boolean;
  text(name: string): string | undefined;
  list(name: string): string[];
  bool(name: string): boolean;
}

const bool = (short?: string): FlagSpec => ({ kind: 'bool', ...(short === undefined ? {} : { short }) });
const text = (short?: string, bare?: string): FlagSpec => ({ kind: 'text', ...(short === undefined ? {} : { short }), ...(bare === undefined ? {} : { bare }) });
const list = (short?: string): FlagSpec => ({ kind: 'list', ...(short === undefined ? {} : { short }) });

/** Flags that every command has. Upstream: kubectl options. */
export const globalFlags: FlagTable = {
  namespace: text('n'), context: text(), kubeconfig: text(), cluster: text(), user: text(), server: text('s'), token: text(),
  'request-timeout': text(), v: text('v'), 'warnings-as-errors': bool(), help: bool('h'), 'match-server-version': bool(), as: text(),
};

export const flag = { bool, text, list, texts: (short?: string): FlagSpec => ({ kind: 'texts', ...(short === undefined ? {} : { short }) }) };

/** Reads arguments as pflag does: flags may stand anywhere before '--', short ones may be joined, values may follow '=' or a blank. */
export function parseArguments(args: readonly string[], table: FlagTable, usage: string): ParsedArguments {
  const flags: FlagTable = { ...globalFlags, ...table };
  const byShort = new Map(Object.entries(flags).flatMap(([name, spec]) => (spec.short === undefined ? [] : [[spec.short, name] as const])));
  const values = new Map<string, string[]>();
  const words: string[] = [];
  let command: string[] = [];
  const add = (name: string, value: string) => values.set(name, [...(values.get(name) ?? []), value]);
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] as string;
    if (arg === '--') {
      command = args.slice(i + 1);
      break;
    }
    if (arg.startsWith('--')) {
      const equals = arg.indexOf('=');
      const name = equals < 0 ? arg.slice(2) : arg.slice(2, equals);
      const spec = flags[name];
      if (spec === undefined) throw new Failure(`error: unknown flag: --${name}\nSee '${usage} --help' for usage.\n`);
      if (equals >= 0) add(name, arg.slice(equals + 1));
      else if (spec.kind === 'bool') add(name, 'true');
      else if (spec.bare !== undefined) add(name, spec.bare);
      else if (args[i + 1] === undefined) throw new Failure(`error: flag needs an argument: --${name}\nSee '${usage} --help' for usage.\n`);
      else add(name, args[++i] as string);
    } else if (arg.startsWith('-') && arg.length > 1) {
      i = shortFlags(arg, i, args, byShort, flags, add, usage);
    } else {
      words.push(arg);
    }
  }
  const last = (name: string) => values.get(name)?.at(-1);
  return {
    words,
    command,
    has: (name) => values.has(name),
    text: last,
    bool: (name) => last(name) === 'true',
    list: (name) => (values.get(name) ?? []).flatMap((value) => (flags[name]?.kind === 'list' ? value.split(',') : [value])),
  };
}

function shortFlags(
  arg: string, index: number, args: readonly string[], byShort: Map<string, string>, flags: FlagTable, add: (name: string, value: string) => void, usage: string,
): number {
  for (let k = 1; k < arg.length; k++) {
    const letter = arg[k] as string;
    const name = byShort.get(letter);
    if (name === undefined) throw new Failure(`error: unknown shorthand flag: '${letter}' in ${arg}\nSee '${usage} --help' for usage.\n`);
    if (flags[name]?.kind === 'bool') {
      add(name, 'true');
      continue;
    }
    const rest = arg.slice(k + 1);
    if (rest !== '') {
      add(name, rest.startsWith('=') ? rest.slice(1) : rest);
      return index;
    }
    const next = args[index + 1];
    if (next === undefined) throw new Failure(`error: flag needs an argument: '${letter}' in ${arg}\nSee '${usage} --help' for usage.\n`);
    add(name, next);
    return index + 1;
  }
  return index;
}
