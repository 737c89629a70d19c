import type { KubectlEnvironment } from './contract.ts';

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

export type CommandTable = Readonly<Record<string, Command>>;

const registered = new Map<string, Command>();

/** Makes verbs known ('get'), and parts of verbs ('create deployment'). The page loads the second table when it is first needed. */
export function registerCommands(commands: CommandTable): void {
  for (const [verb, command] of Object.entries(commands)) registered.set(verb, command);
}

/** All that kubectl v1.37 has, in the order in which it looks for near ones. Upstream: k8s.io/kubectl/pkg/cmd/cmd.go NewKubectlCommand. */
const verbs = ('create expose run set explain get edit delete rollout scale autoscale certificate cluster-info top cordon uncordon drain taint describe logs attach exec '
  + 'port-forward proxy cp auth debug events diff apply patch replace wait kustomize label annotate completion alpha api-versions api-resources config plugin version options help kuberc').split(' ');

/** The command of a verb; undefined for a word that is none. A verb that is not loaded is a bug of whoever started the command. */
export function commandOf(verb: string): Command | undefined {
  const command = registered.get(verb);
  if (command === undefined && verbs.includes(verb)) throw new Error(`kubectl ${verb} is not loaded`);
  return command;
}

/** A part of a verb that is loaded with the rest: 'create deployment'. */
export function partOf(verb: string, part: string): Command | undefined {
  if (!registered.has('get')) throw new Error(`the parts of kubectl ${verb} are not loaded`);
  return registered.get(`${verb} ${part}`);
}

/** Upstream: cobra Command.SuggestionsFor: near by at most two edits, or a beginning. */
export function verbsNear(word: string): string[] {
  return verbs.filter((verb) => distance(word, verb) <= 2 || verb.startsWith(word.toLowerCase()));
}

function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1]?.toLowerCase() === b[j - 1];
      next.push(Math.min((row[j] as number) + 1, (next[j - 1] as number) + 1, (row[j - 1] as number) + (same ? 0 : 1)));
    }
    row = next;
  }
  return row[b.length] as number;
}
