import { parseDuration } from '../../api/duration.ts';
import { resourceInfo } from '../../api/resources.ts';
import type { Pod, Status } from '../../api/schema/types.ts';
import { ask, getObject, pathOf } from '../api.ts';
import type { KubectlEnvironment } from '../contract.ts';
import { Failure, isFailure, plainError, statusError, usageError } from '../failure.ts';
import { flag, parseArguments, type ParsedArguments } from '../flags.ts';
import { withNamespace, type Place } from '../manifests.ts';
import type { Command, Printer } from '../registry.ts';
import { listObjects, pairsOf, selectionOf } from '../targets.ts';
import { containerOf, podsBehind } from './exec.ts';

const flags = {
  container: flag.text('c'), previous: flag.bool('p'), tail: flag.int(), timestamps: flag.bool(), since: flag.duration(), 'since-time': flag.text(), follow: flag.bool('f'), 'all-containers': flag.bool(), 'all-pods': flag.bool(),
  prefix: flag.bool(), selector: flag.text('l'), 'limit-bytes': flag.int(), 'max-log-requests': flag.int(), 'ignore-errors': flag.bool(), 'pod-running-timeout': flag.duration(), 'insecure-skip-tls-verify-backend': flag.bool(),
};

const usage = "expected 'logs [-f] [-p] (POD | TYPE/NAME) [-c CONTAINER]'.\nPOD or TYPE/NAME is a required argument for the logs command";

/** One container's log, and how much of it is printed. */
interface Source {
  namespace: string;
  pod: string;
  container: string;
  printed: number;
}

interface LogsState {
  args: readonly string[];
  sources: Source[];
}

/** kubectl logs. Upstream: k8s.io/kubectl/pkg/cmd/logs. */
export const logs: Command = {
  run(args, environment, out) {
    const parsed = parseArguments(args, flags, 'kubectl logs');
    const [word, second, third] = parsed.words;
    if ((word === undefined && !parsed.has('selector')) || third !== undefined) throw usageError(usage, 'kubectl logs');
    if (word !== undefined && parsed.has('selector')) throw usageError('only a selector (-l) or a POD name is allowed', 'kubectl logs');
    if (second !== undefined && parsed.has('container')) throw usageError('only one of -c or an inline [CONTAINER] arg is allowed', 'kubectl logs');
    if (parsed.has('since') && parsed.has('since-time')) throw plainError('only one of --since or --since-time may be used');
    const place = withNamespace(environment, parsed);
    const pods = podsFor(word, parsed, place, out);
    if (pods.length === 0) {
      out.stderr += `No resources found in ${place.namespace} namespace.\n`;
      return undefined;
    }
    const sources = pods.flatMap((pod) => containersFor(pod, parsed, second, out).map((container) => ({ namespace: place.namespace, pod: pod.metadata.name, container, printed: 0 })));
    return print({ args, sources }, parsed, place, out);
  },
  resume(state, environment, out) {
    const parsed = parseArguments((state as LogsState).args, flags, 'kubectl logs');
    return print(state as LogsState, parsed, withNamespace(environment, parsed), out);
  },
};

function podsFor(word: string | undefined, parsed: ParsedArguments, place: Place, out: Printer): Pod[] {
  const pods = resourceInfo('pods');
  if (word === undefined) return listObjects(place, pods, selectionOf(parsed)) as Pod[];
  const [pair] = word.includes('/') ? (pairsOf([word]) ?? []) : [{ info: pods, name: word }];
  if (pair === undefined) return [];
  const { info, name } = pair;
  const object = getObject(place.client, info, info.namespaced ? place.namespace : '', name);
  if (object === undefined) throw plainError(`error from server (NotFound): ${info.resource} "${name}" not found in namespace "${place.namespace}"`);
  if (info.resource === 'pods') return [object as Pod];
  const found = podsBehind(object, info, place);
  if (found.length === 0) throw plainError('timed out waiting for the condition');
  if (parsed.bool('all-pods')) return found;
  if (found.length > 1) out.stderr += `Found ${found.length} pods, using pod/${found[0]?.metadata.name ?? ''}\n`;
  return found.slice(0, 1);
}

function containersFor(pod: Pod, parsed: ParsedArguments, inline: string | undefined, out: Printer): string[] {
  if (parsed.bool('all-containers')) return [...(pod.spec.initContainers ?? []), ...pod.spec.containers, ...(pod.spec.ephemeralContainers ?? [])].map(({ name }) => name);
  return [containerOf(pod, parsed.text('container') ?? inline, out)];
}

function print(state: LogsState, parsed: ParsedArguments, place: KubectlEnvironment, out: Printer): LogsState | undefined {
  const following = parsed.bool('follow');
  const sources: Source[] = [];
  for (const source of state.sources) {
    const text = logOf(source, parsed, place);
    const label = parsed.bool('prefix') ? `[pod/${source.pod}/${source.container}] ` : '';
    out.stdout += text.slice(source.printed).replace(/^(?=.)/gm, label);
    if (following && isGoingOn(source, place)) sources.push({ ...source, printed: text.length });
  }
  return sources.length === 0 ? undefined : { ...state, sources };
}

function isGoingOn({ namespace, pod: name, container }: Source, { client }: KubectlEnvironment): boolean {
  const pod = getObject(client, resourceInfo('pods'), namespace, name) as Pod | undefined;
  const statuses = [...(pod?.status.containerStatuses ?? []), ...(pod?.status.initContainerStatuses ?? []), ...(pod?.status.ephemeralContainerStatuses ?? [])];
  const status = statuses.find((one) => one.name === container);
  return status?.state?.running !== undefined;
}

function logOf({ namespace, pod, container, printed }: Source, parsed: ParsedArguments, { client }: KubectlEnvironment): string {
  const tail = parsed.int('tail') ?? (parsed.has('selector') ? 10 : -1);
  const sinceMs = parseDuration(parsed.text('since') ?? '0') ?? 0;
  const query: Record<string, string> = {
    container, ...(parsed.bool('previous') ? { previous: 'true' } : {}), ...(tail >= 0 && printed === 0 && !parsed.bool('follow') ? { tailLines: String(tail) } : {}), ...(parsed.bool('timestamps') ? { timestamps: 'true' } : {}),
    ...(sinceMs > 0 ? { sinceSeconds: String(Math.ceil(sinceMs / 1000)) } : {}), ...(parsed.has('since-time') ? { sinceTime: parsed.text('since-time') ?? '' } : {}), ...(parsed.has('limit-bytes') ? { limitBytes: parsed.text('limit-bytes') ?? '' } : {}),
  };
  const response = ask(client, 'GET', pathOf(resourceInfo('pods'), namespace, pod, 'log'), { query });
  if (!isFailure(response)) return String(response.body);
  if (printed > 0) return '';
  const { message = '' } = response.body as Status;
  throw parsed.bool('ignore-errors') ? new Failure(`error: ${message}\n`) : statusError(response);
}
