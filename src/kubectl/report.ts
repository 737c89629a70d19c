import type { ResourceInfo } from '../api/resources.ts';
import { printedName } from './api.ts';
import { Failure, plainError } from './failure.ts';
import { flag, type FlagTable, type ParsedArguments } from './flags.ts';
import { printingOf } from './output/printers.ts';
import type { Printer } from './registry.ts';
import type { RestResponse } from './contract.ts';

/** Flags of all that writes. */
export const writeFlags: FlagTable = {
  'dry-run': flag.text(undefined, 'unchanged'), output: flag.text('o'), 'field-manager': flag.text(), 'show-managed-fields': flag.bool(), validate: flag.text(undefined, 'strict'),
  'allow-missing-template-keys': flag.bool(), template: flag.text(),
};

export const fileFlags: FlagTable = { ...writeFlags, filename: flag.list('f'), kustomize: flag.text('k'), recursive: flag.bool('R') };

/** Flags that choose objects of the cluster. */
export const choiceFlags: FlagTable = {
  ...fileFlags, all: flag.bool(), selector: flag.text('l'), 'field-selector': flag.text(), 'all-namespaces': flag.bool('A'), local: flag.bool(), record: flag.bool(),
};

/** --dry-run as a word: none, client, server. */
export function dryRunOf(parsed: ParsedArguments): 'none' | 'client' | 'server' {
  const value = parsed.text('dry-run');
  if (value === undefined || value === 'none') return 'none';
  if (value === 'client' || value === 'server') return value;
  if (value === 'unchanged') throw plainError('--dry-run flag without a value was specified. A value must be set: "none", "server", or "client".');
  throw plainError(`Invalid dry-run value (${value}). Must be "none", "server", or "client".`);
}

const validations: Readonly<Record<string, string>> = { strict: 'Strict', true: 'Strict', warn: 'Warn', ignore: 'Ignore', false: 'Ignore' };

export function validationOf(parsed: ParsedArguments): string {
  const given = parsed.text('validate') ?? 'strict';
  const found = validations[given.toLowerCase()];
  if (found === undefined) throw plainError(`invalid - validate option "${given}"; must be one of: strict (or true), warn, ignore (or false)`);
  return found;
}

export const writeQuery = (parsed: ParsedArguments, manager: string): Record<string, string> => ({
  fieldManager: parsed.text('field-manager') ?? manager,
  fieldValidation: validationOf(parsed),
  ...(dryRunOf(parsed) === 'server' ? { dryRun: 'All' } : {}),
});

export const dryRunSuffix = (parsed: ParsedArguments): string => ({ none: '', client: ' (dry run)', server: ' (server dry run)' })[dryRunOf(parsed)];

export function warn(out: Printer, response: RestResponse): void {
  for (const warning of response.warnings) out.stderr += `Warning: ${warning}\n`;
}

export type Reporter = (info: ResourceInfo, object: unknown, done: string) => void;

/** Says what was done with one object after another, or prints them as -o asks. Upstream: cli-runtime printers/name.go. */
export function reporter(parsed: ParsedArguments, out: Printer): Reporter {
  const print = printingOf(parsed.text('output'), parsed.bool('show-managed-fields'));
  return (info, object, done) => {
    const { name = '' } = (object as { metadata?: { name?: string } }).metadata ?? {};
    out.stdout += print === undefined ? `${printedName(info, name)} ${done}${dryRunSuffix(parsed)}\n` : print(info, object);
  };
}

/** Does each, gathers the failures, and fails at the end with all of their texts. */
export function runEach<T>(items: readonly (T | Failure)[], work: (item: T) => void): void {
  const failures: Failure[] = [];
  for (const item of items) {
    try {
      if (item instanceof Failure) throw item;
      work(item);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      failures.push(error);
    }
  }
  failTogether(failures);
}

/** One error as it is; several without 'error: ' before each. Upstream: cmd/util/helpers.go checkErr, MultipleErrors. */
export function failTogether(failures: readonly Failure[]): void {
  const [first, second] = failures;
  if (first === undefined) return;
  if (second === undefined) throw first;
  throw new Failure(failures.map(({ text }) => text.replace(/^error: /, '')).join(''), first.exit);
}
