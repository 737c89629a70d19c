import { plainError } from '../failure.ts';
import type { Command, CommandTable } from '../registry.ts';

const absent = (verb: string, why: string): Command => ({
  run() {
    throw plainError(`kubectl ${verb} is not simulated${why}`);
  },
});

const reasons: Readonly<Record<string, string>> = {
  attach: ': see the logs', certificate: '', completion: '', cp: '', debug: '', edit: ': change the manifest in the editor and apply it, or use patch',
  explain: ': the editor explains each field', kuberc: '', kustomize: '', plugin: '', 'port-forward': ': requests come from inside the cluster', proxy: '',
};

/** Verbs that need a terminal, a network or documents that are not here. */
export const absentCommands: CommandTable = Object.fromEntries(Object.entries(reasons).map(([verb, why]) => [verb, absent(verb, why)]));
