import { formatLabelSelector, formatLabels } from '../../api/meta/selectors.ts';
import { resourceInfo, type ApiObject, type ResourceInfo } from '../../api/resources.ts';
import type { Deployment, Pod, ReplicationController, Service } from '../../api/schema/types.ts';
import { compareText } from '../../sim/plain.ts';
import { Failure, plainError } from '../failure.ts';
import { flag, parseArguments } from '../flags.ts';
import { withNamespace, type Place } from '../manifests.ts';
import type { Command, Printer } from '../registry.ts';
import { fetchTarget, listObjects, pairsOf } from '../targets.ts';

const defaultContainer = 'kubectl.kubernetes.io/default-container';

/** The container that is meant. Upstream: k8s.io/kubectl/pkg/cmd/util/podcmd FindOrDefaultContainerByName. */
export function containerOf(pod: Pod, wanted: string | undefined, out: Printer, quiet = false): string {
  const names = [...pod.spec.containers, ...(pod.spec.initContainers ?? []), ...(pod.spec.ephemeralContainers ?? [])].map((container) => container.name);
  if (wanted !== undefined) {
    if (!names.includes(wanted)) throw plainError(`container ${wanted} is not valid for pod ${pod.metadata.name} out of: ${listedContainers(pod)}`);
    return wanted;
  }
  const preferred = pod.metadata.annotations?.[defaultContainer];
  if (preferred !== undefined && names.includes(preferred)) return preferred;
  const chosen = names[0] as string;
  if (names.length > 1 && !quiet) out.stderr += `Defaulted container "${chosen}" out of: ${listedContainers(pod)}\n`;
  return chosen;
}

const listedContainers = ({ spec }: Pod): string => [
  ...spec.containers.map(({ name }) => name), ...(spec.ephemeralContainers ?? []).map(({ name }) => `${name} (ephem)`), ...(spec.initContainers ?? []).map(({ name }) => `${name} (init)`),
].join(', ');

/** The pods behind an object, those that serve first. Upstream: polymorphichelpers/helpers.go GetFirstPod, controller.ActivePods. */
export function podsBehind(object: ApiObject, info: ResourceInfo, place: Place): Pod[] {
  const { spec } = object as Deployment | Service | ReplicationController;
  const flat = info.resource === 'services' || info.resource === 'replicationcontrollers';
  const selector = flat ? formatLabels((spec as Service['spec']).selector) : formatLabelSelector((spec as Deployment['spec']).selector);
  if (spec?.selector === undefined) throw plainError(`cannot attach to ${info.kind}`);
  const isReady = (pod: Pod) => pod.status.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') === true;
  const rank = (pod: Pod) => (pod.spec.nodeName ? 0 : 100) + ({ Pending: 20, Unknown: 10 }[pod.status.phase ?? ''] ?? 0) + (isReady(pod) ? 0 : 1);
  return (listObjects(place, resourceInfo('pods'), { selector }) as Pod[])
    .filter(({ status }) => status.phase !== 'Succeeded' && status.phase !== 'Failed')
    .sort((a, b) => rank(a) - rank(b) || compareText(a.metadata.creationTimestamp ?? '', b.metadata.creationTimestamp ?? ''));
}

function podFor(word: string, place: Place): Pod {
  const [pair] = word.includes('/') ? (pairsOf([word]) ?? []) : [{ info: resourceInfo('pods'), name: word }];
  if (pair === undefined) throw plainError(`no pod ${word}`);
  const { info, name } = pair;
  const object = fetchTarget(place, { info, namespace: info.namespaced ? place.namespace : '', name });
  if (info.resource === 'pods') return object as Pod;
  const [pod] = podsBehind(object, info, place);
  if (pod === undefined) throw plainError('timed out waiting for the condition');
  return pod;
}

/** kubectl exec POD [-c C] -- COMMAND. Ends when the command does. Upstream: k8s.io/kubectl/pkg/cmd/exec. */
export const exec: Command = {
  run(args, environment, out) {
    const parsed = parseArguments(args, { container: flag.text('c'), stdin: flag.bool('i'), tty: flag.bool('t'), quiet: flag.bool('q'), filename: flag.list('f'), 'pod-running-timeout': flag.duration() }, 'kubectl exec');
    const word = parsed.words[0];
    if (word === undefined) throw plainError('pod, type/name or --filename must be specified');
    const command = parsed.command.length > 0 ? parsed.command : parsed.words.slice(1);
    if (command.length === 0) throw plainError('you must specify at least one command for the container');
    const place = withNamespace(environment, parsed);
    const pod = podFor(word, place);
    const { phase } = pod.status;
    if (phase === 'Succeeded' || phase === 'Failed') throw plainError(`cannot exec into a container in a completed pod; current phase is ${phase}`);
    const container = containerOf(pod, parsed.text('container'), out, parsed.bool('quiet'));
    return { id: place.client.startExec({ namespace: place.namespace, pod: pod.metadata.name, container }, command, environment.stdin) };
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

