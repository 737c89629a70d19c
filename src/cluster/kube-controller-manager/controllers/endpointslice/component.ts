import { controllerReference } from '../../../../api/meta/owners.ts';
import { stableText } from '../../../../api/meta/hash.ts';
import type { Endpoint, EndpointSlice, Pod, Service } from '../../../../api/schema/types.ts';
import { compareText, samePlain } from '../../../../sim/plain.ts';
import type { ApiRequest, Component, Context, View, WatchChange } from '../../../component.ts';
import { controller, createControllerState, enqueue, type ControllerState, type Step } from '../../controller.ts';
import { batchWaitMs, queueKey, splitQueueKey } from '../../workqueue.ts';
import { concernedServices, hostnameFor, isEndpoint, isServing, putSelector, resolvePorts, selectedPods, type ResolvedPort, type Selectors } from './pods.ts';

const managedBy = 'endpointslice-controller.k8s.io';
const managedLabel = 'endpointslice.kubernetes.io/managed-by';
const serviceLabel = 'kubernetes.io/service-name';
const triggerAnnotation = 'endpoints.kubernetes.io/last-change-trigger-time';
const maxEndpoints = 100;

export interface EndpointSliceState extends ControllerState {
  selectors: Selectors;
  /** When what a Service's next write answers to happened: a pod's readiness, or the Service itself. */
  triggers: Record<string, string>;
}

export const endpointSlice: Component<EndpointSliceState> = controller<EndpointSliceState>({
  reportsAs: 'endpoint-slice-controller',
  watches: [{ resource: 'services' }, { resource: 'pods' }, { resource: 'endpointslices.discovery.k8s.io' }, { resource: 'nodes' }],
  start: () => ({ ...createControllerState(), selectors: {}, triggers: {} }),
  observe,
  sync,
  replied: (_state, _key, { request, response }) => request.verb === 'delete' && response.code === 404,
});

function observe(state: EndpointSliceState, change: WatchChange, context: Context): void {
  const { queue, triggers } = state;
  if (change.resource === 'services') {
    const { type, object } = change as WatchChange<'services'>;
    putSelector(state.selectors, change as WatchChange<'services'>);
    if (type === 'ADDED') triggers[queueKey(object)] ??= object.metadata.creationTimestamp;
    enqueue(queue, queueKey(object), context, batchWaitMs);
  } else if (change.resource === 'pods') {
    const pod = change as WatchChange<'pods'>;
    for (const key of concernedServices(state.selectors, pod)) {
      const at = triggerTime(pod);
      if (at !== undefined) triggers[key] ??= at;
      enqueue(queue, key, context, batchWaitMs);
    }
  } else if (change.resource === 'endpointslices.discovery.k8s.io' && change.type !== 'ADDED') {
    const { metadata } = change.object;
    const service = metadata.labels?.[serviceLabel];
    if (service !== undefined && metadata.labels?.[managedLabel] === managedBy) enqueue(queue, `${metadata.namespace}/${service}`, context, batchWaitMs);
  }
}

/** Upstream: endpointslice/trigger_time_tracker.go: only a change of readiness counts. */
function triggerTime({ type, object, previous }: WatchChange<'pods'>): string | undefined {
  if (type !== 'MODIFIED' || previous === undefined || isServing(previous) === isServing(object)) return undefined;
  return object.status.conditions?.find((condition) => condition.type === 'Ready')?.lastTransitionTime;
}

/** Endpoints that share their ports, by pod. */
interface Wanted {
  ports: ResolvedPort[];
  endpoints: Map<string, Endpoint>;
}

function sync(state: EndpointSliceState, key: string, { view }: Context): Step[] {
  const { namespace, name } = splitQueueKey(key);
  const service = view.get('services', namespace, name);
  const trigger = state.triggers[key];
  delete state.triggers[key];
  // Without the Service the garbage collector takes the slices. Without a selector they are the user's.
  if (service === undefined || service.metadata.deletionTimestamp !== undefined || state.selectors[namespace]?.[name] === undefined || service.spec.type === 'ExternalName') return [];
  const slices = view.by('endpointslices.discovery.k8s.io', 'label', `${namespace}/${serviceLabel}=${name}`)
    .filter(({ metadata }) => metadata.labels?.[managedLabel] === managedBy && metadata.deletionTimestamp === undefined)
    .sort((a, b) => compareText(a.metadata.name, b.metadata.name));
  const requests = reconcile(service, wanted(service, view), slices, trigger);
  return requests.length === 0 ? [] : [{ kind: 'slices', requests }];
}

function wanted(service: Service, view: View): Map<string, Wanted> {
  const groups = new Map<string, Wanted>();
  for (const pod of selectedPods(view, service)) {
    if (!isEndpoint(pod)) continue;
    const ports = resolvePorts(service, pod);
    const hash = stableText(ports);
    let group = groups.get(hash);
    if (group === undefined) groups.set(hash, (group = { ports, endpoints: new Map() }));
    group.endpoints.set(pod.metadata.uid, endpointOf(service, pod, view));
  }
  return groups;
}

/** Upstream: podToEndpoint. */
function endpointOf(service: Service, pod: Pod, view: View): Endpoint {
  const serving = isServing(pod);
  const terminating = pod.metadata.deletionTimestamp !== undefined;
  const { nodeName } = pod.spec;
  const { namespace = '', name, uid } = pod.metadata;
  const zone = nodeName === undefined ? undefined : view.get('nodes', undefined, nodeName)?.metadata.labels?.['topology.kubernetes.io/zone'];
  const hostname = hostnameFor(service, pod);
  return {
    addresses: [pod.status.podIP as string],
    conditions: { ready: service.spec.publishNotReadyAddresses === true || (serving && !terminating), serving, terminating },
    ...(hostname === undefined ? {} : { hostname }),
    targetRef: { kind: 'Pod', namespace, name, uid },
    ...(nodeName === undefined ? {} : { nodeName }),
    ...(zone === undefined ? {} : { zone }),
  };
}

interface Plan {
  /** Slices that stay, with their new content where it changed. */
  kept: { slice: EndpointSlice; endpoints: Endpoint[]; changed: boolean }[];
  fresh: { ports: ResolvedPort[]; endpoints: Endpoint[] }[];
}

/**
 * As few writes as possible: slices keep what they have, those that change anyway are filled up first.
 * Upstream: staging/src/k8s.io/endpointslice/reconciler.go reconcileByPortMapping.
 */
function reconcile(service: Service, groups: Map<string, Wanted>, slices: readonly EndpointSlice[], trigger: string | undefined): ApiRequest[] {
  const plan: Plan = { kept: [], fresh: [] };
  const surplus: EndpointSlice[] = [];
  const byPorts = new Map<string, EndpointSlice[]>();
  for (const slice of slices) {
    const hash = stableText((slice.ports ?? []).map(({ name = '', protocol = 'TCP', port, appProtocol }) => ({ name, protocol, port, ...(appProtocol === undefined ? {} : { appProtocol }) })));
    if (groups.has(hash)) byPorts.set(hash, [...(byPorts.get(hash) ?? []), slice]);
    else surplus.push(slice);
  }
  for (const [hash, group] of groups) fill(group, byPorts.get(hash) ?? [], plan, surplus);
  // A Service without endpoints still has one empty slice.
  if (plan.kept.length === 0 && plan.fresh.length === 0) {
    const [first] = surplus.filter(({ endpoints, ports }) => (endpoints ?? []).length === 0 && (ports ?? []).length === 0);
    if (first !== undefined) plan.kept.push({ slice: surplus.splice(surplus.indexOf(first), 1)[0] as EndpointSlice, endpoints: [], changed: false });
    else plan.fresh.push({ ports: [], endpoints: [] });
  }
  return requestsFor(service, plan, surplus, trigger);
}

function fill({ ports, endpoints }: Wanted, slices: readonly EndpointSlice[], plan: Plan, surplus: EndpointSlice[]): void {
  const left = new Map(endpoints);
  const own: Plan['kept'] = [];
  for (const slice of slices) {
    let changed = false;
    const next: Endpoint[] = [];
    for (const old of slice.endpoints ?? []) {
      const uid = old.targetRef?.uid ?? '';
      const now = left.get(uid);
      left.delete(uid);
      if (now === undefined) changed = true;
      else if (samePlain(old, now)) next.push(old);
      else {
        next.push(now);
        changed = true;
      }
    }
    own.push({ slice, endpoints: next, changed });
  }
  const rest = [...left.values()];
  for (const entry of own) if (entry.changed) entry.endpoints.push(...rest.splice(0, maxEndpoints - entry.endpoints.length));
  if (rest.length > 0 && rest.length < maxEndpoints) {
    // The fullest slice that still takes them all.
    const fits = own.filter((entry) => !entry.changed && entry.endpoints.length + rest.length <= maxEndpoints).sort((a, b) => b.endpoints.length - a.endpoints.length)[0];
    if (fits !== undefined) {
      fits.endpoints.push(...rest.splice(0));
      fits.changed = true;
    }
  }
  for (const entry of own) {
    if (entry.endpoints.length === 0) surplus.push(entry.slice);
    else plan.kept.push(entry);
  }
  while (rest.length > 0) plan.fresh.push({ ports, endpoints: rest.splice(0, maxEndpoints) });
}

function requestsFor(service: Service, { kept, fresh }: Plan, surplus: EndpointSlice[], trigger: string | undefined): ApiRequest[] {
  const { namespace = '', name } = service.metadata;
  const requests: ApiRequest[] = [];
  const labels = sliceLabels(service);
  const put = (slice: EndpointSlice, content: Pick<EndpointSlice, 'endpoints' | 'ports'>) => {
    const { annotations: _, ...metadata } = slice.metadata;
    requests.push({
      verb: 'update', resource: 'endpointslices.discovery.k8s.io', namespace, name: slice.metadata.name,
      object: { ...slice, ...content, metadata: { ...metadata, labels, ...(trigger === undefined ? {} : { annotations: { [triggerAnnotation]: trigger } }) } },
    });
  };
  for (const { slice, endpoints, changed } of kept) {
    if (changed || !samePlain(slice.metadata.labels, labels)) put(slice, { endpoints, ...(slice.ports === undefined ? {} : { ports: slice.ports }) });
  }
  // A slice that would be deleted takes the place of one that would be made.
  for (const { ports, endpoints } of fresh) {
    const reused = surplus.shift();
    if (reused !== undefined) {
      put(reused, { endpoints, ports });
      continue;
    }
    requests.push({
      verb: 'create', resource: 'endpointslices.discovery.k8s.io', namespace,
      object: {
        apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice',
        metadata: {
          generateName: `${name}-`, namespace, labels, ownerReferences: [controllerReference(service)],
          ...(trigger === undefined ? {} : { annotations: { [triggerAnnotation]: trigger } }),
        },
        addressType: 'IPv4', endpoints, ports,
      },
    });
  }
  for (const { metadata } of surplus) requests.push({ verb: 'delete', resource: 'endpointslices.discovery.k8s.io', namespace, name: metadata.name });
  return requests;
}

/** Upstream: setEndpointSliceLabels. */
function sliceLabels({ metadata, spec }: Service): Record<string, string> {
  const { [serviceLabel]: _service, [managedLabel]: _managed, 'service.kubernetes.io/headless': _headless, ...own } = metadata.labels ?? {};
  return {
    ...own, [managedLabel]: managedBy, [serviceLabel]: metadata.name,
    ...(spec.clusterIP === 'None' ? { 'service.kubernetes.io/headless': '' } : {}),
  };
}
