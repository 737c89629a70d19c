import { isConditionTrue } from '../../../../api/meta/conditions.ts';
import { containsLabels } from '../../../../api/meta/selectors.ts';
import type { Pod, Service } from '../../../../api/schema/types.ts';
import { samePlain } from '../../../../sim/plain.ts';
import type { View, WatchChange } from '../../../component.ts';

/** The selectors of all Services, by namespace and name: which Services a pod concerns is asked at each of its changes. */
export type Selectors = Record<string, Record<string, Record<string, string>>>;

export function putSelector(selectors: Selectors, { type, object }: WatchChange<'services'>): void {
  const { namespace = '', name } = object.metadata;
  const selector = object.spec.selector;
  if (type === 'DELETED' || selector === undefined || Object.keys(selector).length === 0) {
    delete selectors[namespace]?.[name];
  } else (selectors[namespace] ??= {})[name] = selector;
}

/** Keys of the Services whose endpoints a change of a pod may change. Upstream: endpointslice util GetServicesToUpdateOnPodChange. */
export function concernedServices(selectors: Selectors, { type, object, previous }: WatchChange<'pods'>): string[] {
  const { namespace = '', labels } = object.metadata;
  const inNamespace = selectors[namespace];
  if (inNamespace === undefined) return [];
  const before = previous?.metadata.labels;
  if (type === 'MODIFIED' && previous !== undefined && !endpointChanged(previous, object)) return [];
  return Object.keys(inNamespace)
    .filter((name) => containsLabels(labels, inNamespace[name]) || (previous !== undefined && containsLabels(before, inNamespace[name])))
    .map((name) => `${namespace}/${name}`);
}

const isTerminal = ({ status }: Pod): boolean => status.phase === 'Succeeded' || status.phase === 'Failed';

function endpointChanged(a: Pod, b: Pod): boolean {
  return a.metadata.deletionTimestamp !== b.metadata.deletionTimestamp || a.status.podIP !== b.status.podIP || a.spec.nodeName !== b.spec.nodeName
    || isTerminal(a) !== isTerminal(b) || isServing(a) !== isServing(b) || !samePlain(a.metadata.labels, b.metadata.labels);
}

export const isServing = (pod: Pod): boolean => isConditionTrue(pod.status.conditions, 'Ready');

/** Upstream: ShouldPodBeInEndpoints. */
export const isEndpoint = (pod: Pod): boolean => !isTerminal(pod) && pod.status.podIP !== undefined && pod.status.podIP !== '';

/** The pods that a Service selects, in the order of their names. */
export function selectedPods(view: View, { metadata, spec }: Service): Pod[] {
  const [pair] = Object.entries(spec.selector ?? {});
  if (pair === undefined) return [];
  return view.by('pods', 'label', `${metadata.namespace}/${pair[0]}=${pair[1]}`).filter((pod) => containsLabels(pod.metadata.labels, spec.selector));
}

export interface ResolvedPort {
  name: string;
  protocol: string;
  port: number;
  appProtocol?: string;
}

/** A Service's target ports on one pod; a named port that the pod lacks is left out. Upstream: getEndpointPorts, FindPort. */
export function resolvePorts({ spec }: Service, pod: Pod): ResolvedPort[] {
  const found: ResolvedPort[] = [];
  for (const { name = '', protocol = 'TCP', port, targetPort, appProtocol } of spec.ports ?? []) {
    const number = typeof targetPort === 'string' ? namedPort(pod, targetPort, protocol) : (targetPort || port);
    if (number !== undefined) found.push({ name, protocol, port: number, ...(appProtocol === undefined ? {} : { appProtocol }) });
  }
  return found;
}

function namedPort({ spec }: Pod, name: string, protocol: string): number | undefined {
  for (const container of [...spec.containers, ...(spec.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always')]) {
    for (const port of container.ports ?? []) if (port.name === name && (port.protocol ?? 'TCP') === protocol) return port.containerPort;
  }
  return undefined;
}

/** Headless Services publish a pod's own name. */
export const hostnameFor = ({ metadata }: Service, pod: Pod): string | undefined =>
  (pod.spec.hostname !== undefined && pod.spec.hostname !== '' && pod.spec.subdomain === metadata.name && metadata.namespace === pod.metadata.namespace ? pod.spec.hostname : undefined);
