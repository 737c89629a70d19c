import type { KubectlEnvironment, KubectlOutcome } from './contract.ts';
import { Failure } from './failure.ts';
import { globalFlags } from './flags.ts';
import { commandOf, verbsNear, type Printer } from './registry.ts';

interface Waiting {
  verb: string;
  state: unknown;
  stdout: string;
  stderr: string;
}

function unknownCommand(word: string): string {
  const near = verbsNear(word);
  return `error: unknown command "${word}" for "kubectl"\n${near.length === 0 ? '' : `\nDid you mean this?\n${near.map((verb) => `\t${verb}\n`).join('')}`}`;
}

/** Where the verb stands: global flags may come before it. */
function verbIndex(args: readonly string[]): number {
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] as string;
    if (!arg.startsWith('-')) return i;
    const name = arg.replace(/^-+/, '').replace(/=.*/s, '');
    const spec = arg.startsWith('--') ? globalFlags[name] : Object.values(globalFlags).find((flag) => flag.short === name.slice(0, 1));
    if (spec === undefined) throw new Failure(`error: unknown ${arg.startsWith('--') ? `flag: ${arg.replace(/=.*/s, '')}` : `shorthand flag: '${name.slice(0, 1)}' in ${arg}`}\nSee 'kubectl --help' for usage.\n`);
    if (spec.kind !== 'bool' && !arg.includes('=') && (arg.startsWith('--') || name.length === 1)) i++;
  }
  return -1;
}

/** Simplified: the help texts are not here. */
function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return args.slice(0, end < 0 ? args.length : end).some((arg) => arg === '--help' || arg === '-h');
}

/** Runs a kubectl line (without the word kubectl). Errors are part of the outcome; nothing is thrown but bugs. */
export function startKubectl(args: readonly string[], environment: KubectlEnvironment): KubectlOutcome {
  const out: Printer = { stdout: '', stderr: '' };
  let verb = '';
  return guarded(() => verb, out, () => {
    const index = verbIndex(args);
    verb = args[index] ?? 'help';
    const command = commandOf(verb);
    if (command === undefined) throw new Failure(unknownCommand(verb));
    const rest = args.filter((_, other) => other !== index);
    if (!asksForHelp(rest)) return command.run(rest, environment, out);
    out.stdout += `See https://kubernetes.io/docs/reference/kubectl/generated/kubectl_${verb}/\n`;
    return undefined;
  });
}

/** Goes on with a command that waits. */
export function resumeKubectl(waiting: unknown, environment: KubectlEnvironment): KubectlOutcome {
  const { verb, state, stdout, stderr } = waiting as Waiting;
  const out: Printer = { stdout, stderr };
  return guarded(() => verb, out, () => commandOf(verb)?.resume?.(state, environment, out));
}

function guarded(verb: () => string, out: Printer, work: () => unknown): KubectlOutcome {
  try {
    const state = work();
    if (state === undefined) return { status: 'done', ...out, exit: 0 };
    return { status: 'waiting', ...out, state: { verb: verb(), state, ...out } satisfies Waiting };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { status: 'done', stdout: out.stdout, stderr: out.stderr + error.text, exit: error.exit };
  }
}
