import { resourceInfo } from '../../api/resources.ts';
import { getObject } from '../api.ts';
import type { KubectlEnvironment } from '../contract.ts';
import { notFound, plainError, usageError } from '../failure.ts';
import { flag, parseArguments } from '../flags.ts';
import { withNamespace } from '../manifests.ts';
import type { Command, CommandTable } from '../registry.ts';
import { findObjects, needsResource, pairsOf } from '../targets.ts';

const absent = (verb: string, why: string, check: (args: readonly string[], environment: KubectlEnvironment) => void = () => {}): Command => ({
  run(args, environment) {
    check(args, environment);
    throw plainError(`kubectl ${verb} is not simulated${why}`);
  },
});

/** The first word, or a word like 'pod:/path', names a pod that has to be there. */
function needsPod(args: readonly string[], { client, namespace }: KubectlEnvironment): void {
  const word = args.find((arg) => !arg.startsWith('-')) ?? '';
  const name = (word.includes('/') && !word.includes(':') ? (pairsOf([word])?.[0]?.name ?? '') : word).replace(/:.*$/, '').replace(/^.*\//, '');
  if (name !== '' && getObject(client, resourceInfo('pods'), namespace, name) === undefined) throw notFound(resourceInfo('pods'), name);
}

function needsPorts(args: readonly string[]): void {
  if (args.filter((arg) => !arg.startsWith('-')).length < 2) throw usageError('TYPE/NAME and list of ports are required for port-forward', 'kubectl port-forward');
}

function needsObject(args: readonly string[], environment: KubectlEnvironment): void {
  const parsed = parseArguments(args, { filename: flag.list('f'), output: flag.text('o'), selector: flag.text('l') }, 'kubectl edit');
  if (parsed.words.length === 0 && !parsed.has('filename')) throw plainError(needsResource);
  const { failures } = findObjects(parsed.words, parsed, withNamespace(environment, parsed));
  if (failures[0] !== undefined) throw failures[0];
}

/** Verbs that need a terminal, a network or documents that are not here. */
export const absentCommands: CommandTable = {
  attach: absent('attach', ': see the logs', needsPod), certificate: absent('certificate', ''), completion: absent('completion', ''), cp: absent('cp', ': write files with exec', needsPod),
  edit: absent('edit', ': change the manifest in the editor and apply it, or use patch', needsObject), explain: absent('explain', ': the editor explains each field', (args) => {
    if (args.length === 0) throw plainError('You must specify the type of resource to explain. Use "kubectl api-resources" for a complete list of supported resources.');
  }),
  kuberc: absent('kuberc', ''), kustomize: absent('kustomize', ': use apply -k'), plugin: absent('plugin', ''), 'port-forward': absent('port-forward', ': requests come from inside the cluster', needsPorts), proxy: absent('proxy', ''),
};
