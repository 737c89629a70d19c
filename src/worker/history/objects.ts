import { podRequests } from '../../api/core-v1/pod-resources.ts';
import { isTerminal } from '../../api/print/pod-status.ts';
import { quantityToMilli, quantityToNumber } from '../../api/quantity.ts';
import type { ApiObject, ResourceName } from '../../api/resources.ts';
import type { EndpointSlice, Event, Node, Pod, Service } from '../../api/schema/types.ts';
import type { SimTime } from '../../sim/time.ts';
import type { ServiceValue, WorkloadValue } from '../protocol.ts';
import type { FilmBuilder } from './film.ts';

/** What the pods of a node ask for in all. */
export interface NodeLoad {
  cpuMilli: number;
  memoryBytes: number;
  pods: number;
}

export function loadOf(pod: Pod | undefined): NodeLoad & { node: string } {
  if (pod === undefined || !pod.spec.nodeName || isTerminal(pod)) return { node: '', cpuMilli: 0, memoryBytes: 0, pods: 0 };
  const requests = podRequests(pod);
  return {
    node: pod.spec.nodeName,
    cpuMilli: quantityToMilli(requests.cpu ?? '0'),
    memoryBytes: quantityToNumber(requests.memory ?? '0'),
    pods: 1,
  };
}

export function showNode(film: FilmBuilder, node: Node, load: NodeLoad, at: SimTime): void {
  const lane = film.lane(`node/${node.metadata.name}`, () => ({ kind: 'node', label: node.metadata.name }));
  const condition = (type: string) => node.status.conditions?.find((item) => item.type === type)?.status;
  const ready = condition('Ready') as 'True' | 'False' | 'Unknown' | undefined;
  const room = node.status.allocatable ?? node.status.capacity ?? {};
  film.span(lane, at, {
    kind: 'node',
    ready: ready ?? 'Unknown',
    schedulable: node.spec.unschedulable !== true,
    taints: (node.spec.taints ?? []).map((taint) => `${taint.key}${taint.value ? `=${taint.value}` : ''}:${taint.effect}`),
    pressures: ['MemoryPressure', 'DiskPressure', 'PIDPressure'].filter((type) => condition(type) === 'True'),
    cpuMilli: quantityToMilli(room.cpu ?? '0'),
    cpuRequestedMilli: load.cpuMilli,
    memoryBytes: quantityToNumber(room.memory ?? '0'),
    memoryRequestedBytes: load.memoryBytes,
    pods: load.pods,
    podCapacity: quantityToNumber(room.pods ?? '0'),
    alive: ready !== 'Unknown',
  });
}

export function showService(film: FilmBuilder, service: Service, slices: readonly EndpointSlice[], at: SimTime): void {
  const { name, namespace } = service.metadata;
  const lane = film.lane(`service/${namespace}/${name}`, () => ({ kind: 'service', label: name, ...(namespace === undefined ? {} : { namespace }) }));
  film.span(lane, at, {
    kind: 'service',
    type: service.spec.type ?? 'ClusterIP',
    clusterIP: service.spec.clusterIP ?? '',
    ports: (service.spec.ports ?? []).map((port) => `${port.port}${port.nodePort ? `:${port.nodePort}` : ''}/${port.protocol ?? 'TCP'}`),
    endpoints: slices.flatMap(endpointsOf),
  });
}

function endpointsOf(slice: EndpointSlice): ServiceValue['endpoints'] {
  return (slice.endpoints ?? []).map(({ addresses, conditions, targetRef }) => ({
    podUid: targetRef?.uid ?? '',
    podName: targetRef?.name ?? '',
    address: addresses[0] ?? '',
    ready: conditions?.ready ?? true,
    serving: conditions?.serving ?? conditions?.ready ?? true,
    terminating: conditions?.terminating ?? false,
  }));
}

type WorkloadStatus = Partial<Record<'replicas' | 'updatedReplicas' | 'readyReplicas' | 'availableReplicas' | 'currentNumberScheduled' | 'desiredNumberScheduled' | 'updatedNumberScheduled' | 'numberReady' | 'numberAvailable' | 'active' | 'succeeded', number>>;

const workloads: readonly ResourceName[] = ['deployments.apps', 'replicasets.apps', 'statefulsets.apps', 'daemonsets.apps', 'jobs.batch', 'replicationcontrollers'];

export const isWorkload = (resource: ResourceName): boolean => workloads.includes(resource);

export function workloadLane(film: FilmBuilder, resource: ResourceName, object: ApiObject): number {
  const { name, namespace } = object.metadata;
  return film.lane(`workload/${resource}/${namespace}/${name}`, () => ({
    kind: 'workload',
    label: `${object.kind}/${name}`,
    ...(namespace === undefined ? {} : { namespace }),
    owners: (object.metadata.ownerReferences ?? []).map((owner) => `${owner.kind}/${owner.name}`),
  }));
}

export function workloadValue(resource: ResourceName, object: ApiObject): WorkloadValue {
  const { spec, status } = object as unknown as { spec: { replicas?: number; completions?: number }; status?: WorkloadStatus };
  const revision = object.metadata.annotations?.['deployment.kubernetes.io/revision'];
  return {
    kind: 'workload',
    resource,
    desired: spec.replicas ?? spec.completions ?? status?.desiredNumberScheduled ?? 1,
    current: status?.replicas ?? status?.currentNumberScheduled ?? status?.active ?? 0,
    updated: status?.updatedReplicas ?? status?.updatedNumberScheduled ?? 0,
    ready: status?.readyReplicas ?? status?.numberReady ?? 0,
    available: status?.availableReplicas ?? status?.numberAvailable ?? status?.succeeded ?? 0,
    ...(revision === undefined ? {} : { revision }),
  };
}

/** Where an Event's marks go: the pod's, the node's, or the object's own lane. */
export function showEvent(film: FilmBuilder, event: Event, at: SimTime): void {
  const { kind, uid, name, namespace, fieldPath } = event.involvedObject;
  const subject = kind === 'Pod' ? (uid ?? name) : `${kind}/${namespace ?? ''}/${name}`;
  const lane = film.lane(`events/${subject}`, () => ({
    kind: 'events', label: `${kind}/${name}`, ...(namespace === undefined ? {} : { namespace }), ...(kind === 'Pod' && uid !== undefined ? { podUid: uid } : {}),
  }));
  film.mark(lane, at, {
    kind: 'event',
    type: event.type === 'Warning' ? 'Warning' : 'Normal',
    reason: event.reason ?? '',
    message: event.message ?? '',
    count: event.series?.count ?? event.count ?? 1,
    source: event.source?.component || event.reportingComponent || '',
    object: `${kind}/${name}`,
    ...(fieldPath === undefined ? {} : { fieldPath }),
  });
}

