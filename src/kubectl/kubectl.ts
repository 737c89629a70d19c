import type { KubectlEnvironment, KubectlOutcome } from './contract.ts';
import { commands } from './commands/index.ts';
import { Failure } from './failure.ts';

/** What a command prints while it runs. */
export interface Printer {
  stdout: string;
  stderr: string;
}

/** A command: prints and ends, or returns plain data with which `resume` goes on a moment later. */
export interface Command {
  run(args: readonly string[], environment: KubectlEnvironment, out: Printer): unknown;
  resume?(state: unknown, environment: KubectlEnvironment, out: Printer): unknown;
}

interface Waiting {
  verb: string;
  state: unknown;
  stdout: string;
  stderr: string;
}

const unknownCommand = (word: string) => `error: unknown command "${word}" for "kubectl"\n`;

/** Runs a kubectl line (without the word kubectl). Errors are part of the outcome; nothing is thrown but bugs. */
export function startKubectl(args: readonly string[], environment: KubectlEnvironment): KubectlOutcome {
  const out: Printer = { stdout: '', stderr: '' };
  const verb = args.find((arg) => !arg.startsWith('-')) ?? '';
  const command = commands[verb];
  if (command === undefined) return { status: 'done', stdout: '', stderr: unknownCommand(verb), exit: 1 };
  const index = args.indexOf(verb);
  return guarded(verb, out, () => command.run([...args.slice(0, index), ...args.slice(index + 1)], environment, out));
}

/** Goes on with a command that waits. */
export function resumeKubectl(waiting: unknown, environment: KubectlEnvironment): KubectlOutcome {
  const { verb, state, stdout, stderr } = waiting as Waiting;
  const out: Printer = { stdout, stderr };
  return guarded(verb, out, () => commands[verb]?.resume?.(state, environment, out));
}

function guarded(verb: string, out: Printer, work: () => unknown): KubectlOutcome {
  try {
    const state = work();
    if (state === undefined) return { status: 'done', ...out, exit: 0 };
    return { status: 'waiting', ...out, state: { verb, state, ...out } satisfies Waiting };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { status: 'done', stdout: out.stdout, stderr: out.stderr + error.text, exit: error.exit };
  }
}
