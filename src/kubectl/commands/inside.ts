import type { Pod } from '../../api/schema/types.ts';
import { ask, pathOf, resourceOfWord } from '../api.ts';
import type { KubectlEnvironment } from '../contract.ts';
import { Failure, isFailure, plainError, statusError } from '../failure.ts';
import { flag, parseArguments } from '../flags.ts';
import type { Command, Printer } from '../kubectl.ts';
import { resourceInfo } from '../../api/resources.ts';
import { fetchTarget } from '../targets.ts';
import { withNamespace } from './apply.ts';

const podTarget = (word: string, namespace: string) => {
  const [kind, name] = word.includes('/') ? word.split('/') : ['pod', word];
  const info = resourceOfWord(kind ?? '');
  if (info?.resource !== 'pods') throw plainError(`kubectl can reach into pods only here, not into ${kind ?? ''}/${name ?? ''}`);
  return { info: resourceInfo('pods'), namespace, name: name ?? '' };
};

const defaultContainer = 'kubectl.kubernetes.io/default-container';

function containerOf(pod: Pod, wanted: string | undefined, out: Printer): string {
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

/** kubectl logs POD [-c C] [-p] [--tail N] [--timestamps]. */
export const logs: Command = {
  run(args, environment, out) {
    const parsed = parseArguments(args, {
      container: flag.text('c'), previous: flag.bool('p'), tail: flag.text(), timestamps: flag.bool(), since: flag.text(), follow: flag.bool('f'), 'all-containers': flag.bool(), prefix: flag.bool(), selector: flag.text('l'),
    }, 'kubectl logs');
    const word = parsed.words[0];
    if (word === undefined) throw plainError("expected 'logs [-f] [-p] (POD | TYPE/NAME) [-c CONTAINER]'.\nPOD or TYPE/NAME is a required argument for the logs command\nSee 'kubectl logs -h' for help and examples");
    const place = withNamespace(environment, parsed);
    const target = podTarget(word, place.namespace);
    const found = ask(place.client, 'GET', pathOf(target.info, target.namespace, target.name));
    if (found.code === 404) throw plainError(`error from server (NotFound): pods "${target.name}" not found in namespace "${target.namespace}"`);
    const pod = found.body as Pod;
    const all = parsed.bool('all-containers') ? [...(pod.spec.initContainers ?? []), ...pod.spec.containers].map((container) => container.name) : [containerOf(pod, parsed.text('container') ?? parsed.words[1], out)];
    for (const container of all) out.stdout += logOf(place, target.name, container, parsed.bool('previous'), parsed.text('tail'), parsed.bool('timestamps'), parsed.text('since'));
  },
};

function logOf({ client, namespace }: KubectlEnvironment, pod: string, container: string, previous: boolean, tail: string | undefined, timestamps: boolean, since: string | undefined): string {
  const query: Record<string, string> = { container };
  if (previous) query.previous = 'true';
  if (tail !== undefined && tail !== '-1') query.tailLines = tail;
  if (timestamps) query.timestamps = 'true';
  const seconds = since === undefined ? null : /^(\d+)(s|m|h)$/.exec(since);
  if (seconds !== null) query.sinceSeconds = String(Number(seconds[1]) * { s: 1, m: 60, h: 3600 }[seconds[2] as 's' | 'm' | 'h']);
  const response = ask(client, 'GET', pathOf(resourceInfo('pods'), namespace, pod, 'log'), { query });
  if (isFailure(response)) throw statusError(response);
  return String(response.body);
}
