import type { Pod } from '../../api/schema/types.ts';
import { resourceOfWord } from '../api.ts';
import { Failure, plainError } from '../failure.ts';
import { flag, parseArguments } from '../flags.ts';
import type { Command, Printer } from '../registry.ts';
import { resourceInfo } from '../../api/resources.ts';
import { fetchTarget } from '../targets.ts';
import { withNamespace } from '../manifests.ts';

export const podTarget = (word: string, namespace: string) => {
  const [kind, name] = word.includes('/') ? word.split('/') : ['pod', word];
  const info = resourceOfWord(kind ?? '');
  if (info?.resource !== 'pods') throw plainError(`kubectl can reach into pods only here, not into ${kind ?? ''}/${name ?? ''}`);
  return { info: resourceInfo('pods'), namespace, name: name ?? '' };
};

const defaultContainer = 'kubectl.kubernetes.io/default-container';

export function containerOf(pod: Pod, wanted: string | undefined, out: Printer): string {
  const names = [...pod.spec.containers, ...(pod.spec.initContainers ?? []), ...(pod.spec.ephemeralContainers ?? [])].map((container) => container.name);
  if (wanted !== undefined) {
    if (!names.includes(wanted)) throw plainError(`container ${wanted} is not valid for pod ${pod.metadata.name} out of: ${names.join(', ')}`);
    return wanted;
  }
  const chosen = pod.metadata.annotations?.[defaultContainer] ?? (names[0] as string);
  if (names.length > 1 && pod.metadata.annotations?.[defaultContainer] === undefined) {
    const listed = [
      ...pod.spec.containers.map((container) => container.name),
      ...(pod.spec.initContainers ?? []).map((container) => `${container.name} (init)`),
    ];
    out.stderr += `Defaulted container "${chosen}" out of: ${listed.join(', ')}\n`;
  }
  return chosen;
}

/** kubectl exec POD [-c C] -- COMMAND. Ends when the command does. */
export const exec: Command = {
  run(args, environment, out) {
    const parsed = parseArguments(args, { container: flag.text('c'), stdin: flag.bool('i'), tty: flag.bool('t'), quiet: flag.bool('q'), filename: flag.list('f') }, 'kubectl exec');
    const word = parsed.words[0];
    if (word === undefined) throw plainError('pod, type/name or --filename must be specified');
    const command = parsed.command.length > 0 ? parsed.command : parsed.words.slice(1);
    if (command.length === 0) throw plainError('you must specify at least one command for the container');
    const { client, namespace } = withNamespace(environment, parsed);
    const pod = fetchTarget({ client, namespace }, podTarget(word, namespace)) as Pod;
    const { phase } = pod.status;
    if (phase === 'Succeeded' || phase === 'Failed') throw plainError(`cannot exec into a container in a completed pod; current phase is ${phase}`);
    const container = containerOf(pod, parsed.text('container'), out);
    return { id: client.startExec({ namespace, pod: pod.metadata.name, container }, command, environment.stdin) };
  },
  resume(state, { client }, out) {
    const outcome = client.execOutcome((state as { id: string }).id);
    if (outcome === undefined) return state;
    out.stdout += outcome.stdout;
    out.stderr += outcome.stderr;
    if (outcome.exitCode !== 0) throw new Failure(/^error(:| from server)/i.test(outcome.stderr) ? '' : `command terminated with exit code ${outcome.exitCode}\n`, outcome.exitCode);
    return undefined;
  },
};
