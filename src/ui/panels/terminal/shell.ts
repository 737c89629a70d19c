import { programs, fileNamed, type Outcome } from './programs.ts';
import { runKubectl, sleep, type Streams } from './run.ts';
import { parseShell, type SimpleCommand, type Step } from './shell-words.ts';

/** What the shell has about it. */
export interface Surroundings {
  files(): Record<string, string>;
  write(name: string, text: string): void;
  clear(): void;
  close(): void;
  help(): string;
  history(): readonly string[];
}

/** Runs what was typed; returns the exit code. Errors of people are printed. */
export async function runShell(text: string, streams: Streams, around: Surroundings): Promise<number> {
  const parsed = parseShell(text);
  if (parsed.status !== 'complete') {
    streams.err(`bash: ${parsed.status === 'error' ? parsed.message : 'syntax error: unexpected end of file'}\n`);
    return 2;
  }
  let exit = 0;
  for (const step of parsed.steps) {
    if (streams.signal.aborted) return 130;
    if (step.when === 'always' || (step.when === 'success') === (exit === 0)) exit = await pipeline(step, streams, around);
  }
  return exit;
}

async function pipeline({ pipeline: commands }: Step, streams: Streams, around: Surroundings): Promise<number> {
  let piped: string | undefined;
  let exit = 0;
  for (const [index, command] of commands.entries()) {
    const isLast = index === commands.length - 1;
    let collected = '';
    const collect = (text: string) => {
      collected += text;
    };
    const out = isLast && command.to === undefined ? streams.out : collect;
    exit = await simple(command, piped, { ...streams, out, err: errorsOf(command, out, streams, around) }, around);
    if (command.to !== undefined) save(command.to, collected, around);
    piped = command.to === undefined ? collected : '';
  }
  return exit;
}

function errorsOf({ errors }: SimpleCommand, out: (text: string) => void, streams: Streams, around: Surroundings): (text: string) => void {
  if (errors === undefined) return streams.err;
  return errors === 'out' ? out : (text) => save({ file: errors.file, append: true }, text, around);
}

function save({ file, append }: { file: string; append: boolean }, text: string, around: Surroundings): void {
  if (file === '/dev/null') return;
  const name = file.replace(/^\.\//, '');
  around.write(name, `${append ? (around.files()[name] ?? '') : ''}${text}`);
}

type Builtin = (args: readonly string[], streams: Streams, around: Surroundings) => Promise<number> | void;

const builtins: Readonly<Record<string, Builtin>> = {
  clear: (_, __, around) => around.clear(),
  reset: (_, __, around) => around.clear(),
  exit: (_, __, around) => around.close(),
  help: (_, streams, around) => streams.out(around.help()),
  history: (_, streams, around) => streams.out(around.history().map((line, index) => `${String(index + 1).padStart(5)}  ${line}\n`).join('')),
  sleep: (args, streams) => {
    const unit: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000 };
    const [, count, letter = 's'] = /^(\d*\.?\d+)([smh]?)$/.exec(args[0] ?? '') ?? [];
    if (count === undefined) {
      streams.err(args[0] === undefined ? 'sleep: missing operand\n' : `sleep: invalid time interval '${args[0]}'\n`);
      return Promise.resolve(1);
    }
    return sleep(Number(count) * (unit[letter === '' ? 's' : letter] ?? 1000), streams);
  },
};

/** Names that the shell itself knows, for completion. */
export const shellWords: readonly string[] = ['kubectl', 'k', ...Object.keys(builtins), ...Object.keys(programs)];

async function simple(command: SimpleCommand, piped: string | undefined, streams: Streams, around: Surroundings): Promise<number> {
  const files = around.files();
  const [name, ...args] = command.words;
  const from = command.from === undefined ? undefined : fileNamed(files, command.from);
  if (command.from !== undefined && from === undefined && command.from !== '/dev/null') {
    streams.err(`bash: ${command.from}: No such file or directory\n`);
    return 1;
  }
  const stdin = command.stdin ?? from ?? piped;
  if (name === undefined) return 0;
  if (name === 'kubectl' || name === 'k') {
    const named = filesFor(args, files);
    return runKubectl({ words: args, line: command.raws.slice(1).join(' '), ...(stdin === undefined ? {} : { stdin }), ...(named === undefined ? {} : { files: named }) }, streams);
  }
  const builtin = Object.hasOwn(builtins, name) ? builtins[name] : undefined;
  if (builtin !== undefined) return (await builtin(args, streams, around)) ?? 0;
  const program = Object.hasOwn(programs, name) ? programs[name] : undefined;
  if (program !== undefined) return print(program({ args, stdin, files }), streams);
  streams.err(name.includes('/') ? `bash: ${name}: No such file or directory\n` : `bash: ${name}: command not found\n`);
  return 127;
}

function print({ stdout, stderr, exit }: Outcome, streams: Streams): number {
  if (stderr !== '') streams.err(stderr);
  if (stdout !== '') streams.out(stdout);
  return exit;
}

/** The editor's files that the words name, under the paths that they use; a link carries no more than these. */
function filesFor(words: readonly string[], files: Readonly<Record<string, string>>): Record<string, string> | undefined {
  const paths = words.flatMap((word) => word.split(/[=,]/)).map((word) => word.replace(/^-[fk](?=.)/, ''));
  const found = paths.flatMap((path) => {
    const text = fileNamed(files, path);
    return text === undefined ? [] : [[path, text] as const];
  });
  const folder = words.some((word, index) => /^(?:-k|--kustomize)$/.test(words[index - 1] ?? '') || /^(?:-k|--kustomize=)/.test(word));
  const all = folder ? Object.entries(files) : [];
  return found.length + all.length === 0 ? undefined : Object.fromEntries([...all, ...found]);
}
