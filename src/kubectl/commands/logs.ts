import { resourceInfo } from '../../api/resources.ts';
import type { Pod } from '../../api/schema/types.ts';
import { ask, pathOf } from '../api.ts';
import type { KubectlEnvironment } from '../contract.ts';
import { isFailure, plainError, statusError } from '../failure.ts';
import { flag, parseArguments } from '../flags.ts';
import type { Command } from '../registry.ts';
import { withNamespace } from '../manifests.ts';
import { containerOf, podTarget } from './exec.ts';

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
