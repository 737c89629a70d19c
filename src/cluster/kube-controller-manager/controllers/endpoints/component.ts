import type { EndpointAddress, Endpoints, EndpointSubset, Pod, Service } from '../../../../api/schema/types.ts';
import { stableText } from '../../../../api/meta/hash.ts';
import { compareText, samePlain } from '../../../../sim/plain.ts';
import type { Component, Context, WatchChange } from '../../../component.ts';
import { controller, createControllerState, enqueue, type ControllerState, type Step } from '../../controller.ts';
import { batchWaitMs, queueKey, splitQueueKey } from '../../workqueue.ts';
import { concernedServices, hostnameFor, isEndpoint, isServing, putSelector, resolvePorts, selectedPods, type Selectors } from '../endpointslice/pods.ts';

const maxAddresses = 1000;

export interface EndpointsState extends ControllerState {
  selectors: Selectors;
}

/** The old Endpoints object beside the slices. Upstream: pkg/controller/endpoint/endpoints_controller.go. */
export const endpoints: Component<EndpointsState> = controller<EndpointsState>({
  reportsAs: 'endpoint-controller',
  watches: [{ resource: 'services' }, { resource: 'pods' }, { resource: 'endpoints' }],
  start: () => ({ ...createControllerState(), selectors: {} }),
  observe: (state, change, context) => {
    if (change.resource === 'services') {
      putSelector(state.selectors, change as WatchChange<'services'>);
      enqueue(state.queue, queueKey(change.object), context, batchWaitMs);
    } else if (change.resource === 'pods') {
      for (const key of concernedServices(state.selectors, change as WatchChange<'pods'>)) enqueue(state.queue, key, context, batchWaitMs);
    } else if (change.type === 'DELETED') enqueue(state.queue, queueKey(change.object), context, batchWaitMs);
  },
  sync,
  replied: (_state, _key, { request, response }) => request.verb === 'delete' && response.code === 404,
});

function sync(state: EndpointsState, key: string, { view }: Context): Step[] {
  const { namespace, name } = splitQueueKey(key);
  const service = view.get('services', namespace, name);
  const current = view.get('endpoints', namespace, name);
  if (service === undefined) {
    return current === undefined ? [] : [{ kind: 'delete', requests: [{ verb: 'delete', resource: 'endpoints', namespace, name }] }];
  }
  if (state.selectors[namespace]?.[name] === undefined) return [];
  const subsets = subsetsOf(service, selectedPods(view, service));
  const labels = { ...service.metadata.labels, 'endpoints.kubernetes.io/managed-by': 'endpoint-controller', ...(service.spec.clusterIP === 'None' ? { 'service.kubernetes.io/headless': '' } : {}) };
  if (current !== undefined && samePlain(current.subsets ?? [], subsets) && samePlain(current.metadata.labels, labels)) return [];
  const content = subsets.length === 0 ? {} : { subsets };
  if (current === undefined) {
    return [{ kind: 'create', requests: [{ verb: 'create', resource: 'endpoints', namespace, object: { apiVersion: 'v1', kind: 'Endpoints', metadata: { name, namespace, labels }, ...content } }] }];
  }
  const { subsets: _, ...rest } = current;
  const object: Endpoints = { ...rest, metadata: { ...current.metadata, labels }, ...content };
  return [{ kind: 'update', requests: [{ verb: 'update', resource: 'endpoints', namespace, name, object }] }];
}

/** Addresses that share their ports make a subset. Pods that are going away are left out. */
function subsetsOf(service: Service, pods: readonly Pod[]): EndpointSubset[] {
  const groups = new Map<string, EndpointSubset>();
  let count = 0;
  for (const pod of pods) {
    const publish = service.spec.publishNotReadyAddresses === true;
    if (!isEndpoint(pod) || (pod.metadata.deletionTimestamp !== undefined && !publish) || count >= maxAddresses) continue;
    const ports = resolvePorts(service, pod);
    // A pod that has none of the Service's ports by name is no address of it; a Service without ports takes all.
    if (ports.length === 0 && (service.spec.ports?.length ?? 0) > 0) continue;
    count++;
    const hash = stableText(ports);
    let subset = groups.get(hash);
    if (subset === undefined) groups.set(hash, (subset = ports.length === 0 ? {} : { ports: ports.map((port) => (port.name === '' ? { port: port.port, protocol: port.protocol } : port)) }));
    const hostname = hostnameFor(service, pod);
    const address: EndpointAddress = {
      ip: pod.status.podIP as string,
      ...(hostname === undefined ? {} : { hostname }),
      ...(pod.spec.nodeName === undefined ? {} : { nodeName: pod.spec.nodeName }),
      targetRef: { kind: 'Pod', namespace: pod.metadata.namespace as string, name: pod.metadata.name, uid: pod.metadata.uid },
    };
    if (publish || isServing(pod)) (subset.addresses ??= []).push(address);
    else (subset.notReadyAddresses ??= []).push(address);
  }
  const byIp = (a: EndpointAddress, b: EndpointAddress) => compareText(a.ip, b.ip);
  const sorted = [...groups.values()];
  for (const { addresses, notReadyAddresses } of sorted) {
    addresses?.sort(byIp);
    notReadyAddresses?.sort(byIp);
  }
  return sorted;
}
