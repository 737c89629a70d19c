import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { parseScenario, parseScenarioDuration } from '../scenarios/parse.ts';
import type { Scenario } from '../scenarios/schema.ts';

export class UsageError extends Error {
  override name = 'UsageError';
}

export interface Options {
  words: string[];
  text(name: string): string | undefined;
  flag(name: string): boolean;
  durationMs(name: string): number | undefined;
}

/** Reads '--name value', '--name=value' and '--flag'. Unknown options are errors that name what is known. */
export function readOptions(args: readonly string[], values: readonly string[], flags: readonly string[] = []): Options {
  const given = new Map<string, string>();
  const words: string[] = [];
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] as string;
    if (!arg.startsWith('--')) {
      words.push(arg);
      continue;
    }
    const [name = '', inline] = arg.slice(2).split(/=(.*)/s);
    if (flags.includes(name)) given.set(name, 'true');
    else if (!values.includes(name)) throw new UsageError(`unknown option --${name} (known: ${[...values, ...flags].map((known) => `--${known}`).join(' ')})`);
    else {
      const value = inline ?? args[++i];
      if (value === undefined) throw new UsageError(`--${name} needs a value`);
      given.set(name, value);
    }
  }
  const text = (name: string) => given.get(name);
  return {
    words,
    text,
    flag: (name) => given.get(name) === 'true',
    durationMs: (name) => {
      const value = text(name);
      if (value === undefined) return undefined;
      const ms = parseScenarioDuration(value);
      if (ms === undefined) throw new UsageError(`--${name}: not a duration: ${value} (like 500ms, 30s, 1m30s)`);
      return ms;
    },
  };
}

/** A scenario by the path of its file or folder, or by the name of one of ours ('03-crash-loop'). */
export function loadScenario(name: string): Scenario {
  const candidates = [name, join(name, 'scenario.yaml'), join('src/scenarios', name, 'scenario.yaml'), join('src', name, 'scenario.yaml')];
  const file = candidates.find((path) => existsSync(path) && statSync(path).isFile());
  if (file === undefined) throw new UsageError(`no such scenario: ${name}`);
  const id = basename(file) === 'scenario.yaml' ? basename(dirname(resolve(file))) : basename(file).replace(/\.ya?ml$/, '');
  return parseScenario(readFileSync(file, 'utf8'), id);
}
