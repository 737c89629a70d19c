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

let first: CommandTable = {};
let others: () => CommandTable = () => ({});

/** Makes verbs known ('get'), and parts of verbs ('create deployment'). The second table is only touched when something of it is wanted. */
export function registerCommands(commands: CommandTable, more: () => CommandTable): void {
  first = commands;
  others = more;
}

const ownOf = (table: CommandTable, words: string): Command | undefined => (Object.hasOwn(table, words) ? table[words] : undefined);
const find = (words: string): Command | undefined => ownOf(first, words) ?? ownOf(others(), words);

/** All that kubectl v1.37 has, in the order in which it looks for near ones. Upstream: k8s.io/kubectl/pkg/cmd/cmd.go NewKubectlCommand. */
const verbs = ('create expose run set explain get edit delete rollout scale autoscale certificate cluster-info top cordon uncordon drain taint describe logs attach exec '
  + 'port-forward proxy cp auth debug events diff apply patch replace wait kustomize label annotate completion alpha api-versions api-resources config plugin version options help kuberc').split(' ');

/** The command of a verb; undefined for a word that is none. */
export function commandOf(verb: string): Command | undefined {
  return find(verb);
}

/** A part of a verb that has a command of its own: 'create deployment'. */
export function partOf(verb: string, part: string): Command | undefined {
  return find(`${verb} ${part}`);
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
