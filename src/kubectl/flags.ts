import { parseDuration } from '../api/duration.ts';
import { Failure } from './failure.ts';

/** What a flag takes: 'bool' nothing, 'text' a value, 'int' a number, 'duration' a time, 'list' several values (repeated or joined by commas), 'texts' several (repeated only). */
export type FlagKind = 'bool' | 'text' | 'int' | 'int32' | 'duration' | 'list' | 'texts';

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
  int(name: string): number | undefined;
}

const make = (kind: FlagKind) => (short?: string, bare?: string): FlagSpec => ({ kind, ...(short === undefined ? {} : { short }), ...(bare === undefined ? {} : { bare }) });

export const flag = { bool: make('bool'), text: make('text'), list: make('list'), texts: make('texts'), int: make('int'), int32: make('int32'), duration: make('duration') };

/** Flags that every command has. Upstream: kubectl options. */
export const globalFlags: FlagTable = {
  namespace: flag.text('n'), context: flag.text(), kubeconfig: flag.text(), cluster: flag.text(), user: flag.text(), server: flag.text('s'), token: flag.text(),
  'request-timeout': flag.text(), v: flag.text('v'), 'warnings-as-errors': flag.bool(), help: flag.bool('h'), 'match-server-version': flag.bool(), as: flag.text(),
};

/** Reads arguments as pflag does: flags may stand anywhere before '--', short ones may be joined, values may follow '=' or a blank. */
export function parseArguments(args: readonly string[], table: FlagTable, usage: string): ParsedArguments {
  const reader = new Reader({ ...globalFlags, ...table }, usage);
  reader.read(args);
  return reader.parsed();
}

class Reader {
  private readonly values = new Map<string, string[]>();
  private readonly words: string[] = [];
  private command: string[] = [];

  constructor(private readonly flags: FlagTable, private readonly usage: string) {}

  private fail(text: string): never {
    throw new Failure(`error: ${text}\nSee '${this.usage} --help' for usage.\n`);
  }

  private add(name: string, value: string): void {
    const spec = this.flags[name] as FlagSpec;
    const wrong = whyWrong(spec.kind, value);
    if (wrong !== undefined) this.fail(`invalid argument ${JSON.stringify(value)} for "${spec.short === undefined ? '' : `-${spec.short}, `}--${name}" flag: ${wrong}`);
    this.values.set(name, [...(this.values.get(name) ?? []), spec.kind === 'bool' ? String(isTrue(value)) : value]);
  }

  read(args: readonly string[]): void {
    for (let i = 0; i < args.length; i++) {
      const arg = args[i] as string;
      if (arg === '--') {
        this.command = args.slice(i + 1);
        return;
      }
      if (arg.startsWith('--')) i = this.long(arg, i, args);
      else if (arg.startsWith('-') && arg.length > 1) i = this.short(arg, i, args);
      else this.words.push(arg);
    }
  }

  private long(arg: string, index: number, args: readonly string[]): number {
    const equals = arg.indexOf('=');
    const name = equals < 0 ? arg.slice(2) : arg.slice(2, equals);
    const spec = this.flags[name];
    if (spec === undefined) this.fail(`unknown flag: --${name}`);
    const next = args[index + 1];
    if (equals >= 0) this.add(name, arg.slice(equals + 1));
    else if (spec.kind === 'bool') this.add(name, 'true');
    else if (spec.bare !== undefined) this.add(name, spec.bare);
    else if (next === undefined) this.fail(`flag needs an argument: --${name}`);
    else {
      this.add(name, next);
      return index + 1;
    }
    return index;
  }

  private short(arg: string, index: number, args: readonly string[]): number {
    for (let k = 1; k < arg.length; k++) {
      const letter = arg[k] as string;
      const [name, spec] = Object.entries(this.flags).find((entry) => entry[1].short === letter) ?? [];
      if (name === undefined || spec === undefined) this.fail(`unknown shorthand flag: '${letter}' in ${arg}`);
      const rest = arg.slice(k + 1);
      if (spec.kind === 'bool' && !rest.startsWith('=')) {
        this.add(name, 'true');
        continue;
      }
      const next = args[index + 1];
      if (rest !== '') this.add(name, rest.startsWith('=') ? rest.slice(1) : rest);
      else if (next === undefined) this.fail(`flag needs an argument: '${letter}' in ${arg}`);
      else {
        this.add(name, next);
        return index + 1;
      }
      return index;
    }
    return index;
  }

  parsed(): ParsedArguments {
    const { values, words, command, flags } = this;
    const text = (name: string) => values.get(name)?.at(-1);
    return {
      words, command, text,
      has: (name) => values.has(name),
      bool: (name) => text(name) === 'true',
      int: (name) => (values.has(name) ? Number(text(name)) : undefined),
      list: (name) => (values.get(name) ?? []).flatMap((value) => (flags[name]?.kind === 'list' ? value.split(',') : [value])),
    };
  }
}

const isTrue = (value: string): boolean => /^(1|t|true)$/i.test(value);

/** Go's words for a value that a flag cannot take. */
function whyWrong(kind: FlagKind, value: string): string | undefined {
  const quoted = JSON.stringify(value);
  if (kind === 'bool') return /^(1|0|t|f|true|false)$/i.test(value) ? undefined : `strconv.ParseBool: parsing ${quoted}: invalid syntax`;
  if (kind === 'int' || kind === 'int32') {
    if (!/^[+-]?\d+$/.test(value)) return `strconv.ParseInt: parsing ${quoted}: invalid syntax`;
    return kind === 'int32' && Math.abs(Number(value)) > 2_147_483_647 ? `strconv.ParseInt: parsing ${quoted}: value out of range` : undefined;
  }
  if (kind === 'duration' && parseDuration(value) === undefined) return `time: ${/^[\d.]+$/.test(value) ? 'missing unit in' : 'invalid'} duration ${quoted}`;
  return undefined;
}
