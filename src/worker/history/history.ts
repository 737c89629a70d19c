import type { ApiObject, ResourceName } from '../../api/resources.ts';
import type { EndpointSlice, Event, Node, Pod, Service } from '../../api/schema/types.ts';
import type { Change } from '../../cluster/etcd/store.ts';
import type { TraceRecord } from '../../sim/trace.ts';
import { FilmBuilder } from './film.ts';
import { isWorkload, loadOf, showEvent, showNode, showService, workloadLane, workloadValue, type NodeLoad } from './objects.ts';
import { hidePod, showPod, type Retries } from './pods.ts';
import { showRecord } from './records.ts';

/**
 * Turns what happened (the store's changes and the components' notes, both in order of time) into the lanes of the film.
 * It works from objects alone as well: a recording of a real cluster makes a film the same way.
 */
export class History {
  readonly film = new FilmBuilder();
  private readonly retries: Retries = new Map();
  private readonly pods = new Map<string, Pod>();
  private readonly nodes = new Map<string, Node>();
  private readonly loads = new Map<string, NodeLoad>();
  private readonly services = new Map<string, Service>();
  private readonly slices = new Map<string, Map<string, EndpointSlice>>();
  private readonly owners = new Map<string, string[]>();
  private readonly epochMs: number;

  constructor(epochMs: number) {
    this.epochMs = epochMs;
  }

  record(record: TraceRecord): void {
    showRecord(this.film, record, this.retries);
    if (record.kind !== 'back-off') return;
    const pod = this.pods.get((record.data as { podUid: string }).podUid);
    if (pod !== undefined) showPod(this.film, pod, record.at, this.epochMs, this.retries, this.ownersOf(pod));
  }

  change({ resource, version, previous }: Change): void {
    const { at, object } = version;
    if (resource === 'pods') return this.pod(object as Pod | undefined, previous as Pod | undefined, at);
    if (resource === 'nodes') return this.node(object as Node | undefined, previous as Node | undefined, at);
    if (resource === 'events') {
      if (object !== undefined) showEvent(this.film, object as Event, at);
      return;
    }
    if (resource === 'services' || resource === 'endpointslices.discovery.k8s.io') return this.endpoints(resource, object, previous, at);
    if (isWorkload(resource)) this.workload(resource, object, previous as ApiObject, at);
  }

  private pod(pod: Pod | undefined, previous: Pod | undefined, at: number): void {
    this.moveLoad(loadOf(previous), loadOf(pod), at);
    if (pod === undefined) {
      if (previous !== undefined) {
        hidePod(this.film, previous, at);
        this.pods.delete(previous.metadata.uid);
      }
      return;
    }
    if (previous !== undefined && previous.metadata.uid !== pod.metadata.uid) hidePod(this.film, previous, at);
    this.pods.set(pod.metadata.uid, pod);
    showPod(this.film, pod, at, this.epochMs, this.retries, this.ownersOf(pod));
  }

  private ownersOf(object: ApiObject): string[] {
    const owner = object.metadata.ownerReferences?.find((reference) => reference.controller === true);
    if (owner === undefined) return [];
    return [`${owner.kind}/${owner.name}`, ...(this.owners.get(owner.uid) ?? [])];
  }

  private moveLoad(from: ReturnType<typeof loadOf>, to: ReturnType<typeof loadOf>, at: number): void {
    if (from.node === to.node && from.cpuMilli === to.cpuMilli && from.memoryBytes === to.memoryBytes) return;
    const add = (load: NodeLoad & { node: string }, sign: 1 | -1) => {
      if (load.node === '') return;
      const sum = this.loads.get(load.node) ?? { cpuMilli: 0, memoryBytes: 0, pods: 0 };
      this.loads.set(load.node, {
        cpuMilli: sum.cpuMilli + sign * load.cpuMilli, memoryBytes: sum.memoryBytes + sign * load.memoryBytes, pods: sum.pods + sign * load.pods,
      });
      const node = this.nodes.get(load.node);
      if (node !== undefined) showNode(this.film, node, this.loads.get(load.node) as NodeLoad, at);
    };
    add(from, -1);
    add(to, 1);
  }

  private node(node: Node | undefined, previous: Node | undefined, at: number): void {
    if (node !== undefined) {
      this.nodes.set(node.metadata.name, node);
      return showNode(this.film, node, this.loads.get(node.metadata.name) ?? { cpuMilli: 0, memoryBytes: 0, pods: 0 }, at);
    }
    if (previous === undefined) return;
    this.nodes.delete(previous.metadata.name);
    const lane = this.film.indexOf(`node/${previous.metadata.name}`);
    if (lane !== undefined) this.film.span(lane, at, null);
  }

  private endpoints(resource: ResourceName, object: ApiObject | undefined, previous: ApiObject | undefined, at: number): void {
    const subject = (object ?? previous) as ApiObject;
    const { namespace = '', name } = subject.metadata;
    if (namespace === 'kube-system' || (namespace === 'default' && name === 'kubernetes')) return;
    if (resource === 'services') {
      const key = `${namespace}/${name}`;
      if (object === undefined) {
        this.services.delete(key);
        const lane = this.film.indexOf(`service/${key}`);
        if (lane !== undefined) this.film.span(lane, at, null);
        return;
      }
      this.services.set(key, object as Service);
      return this.service(key, at);
    }
    const key = `${namespace}/${subject.metadata.labels?.['kubernetes.io/service-name'] ?? ''}`;
    const slices = this.slices.get(key) ?? new Map<string, EndpointSlice>();
    this.slices.set(key, slices);
    if (object === undefined) slices.delete(name);
    else slices.set(name, object as EndpointSlice);
    this.service(key, at);
  }

  private service(key: string, at: number): void {
    const service = this.services.get(key);
    if (service !== undefined) showService(this.film, service, [...(this.slices.get(key)?.values() ?? [])], at);
  }

  private workload(resource: ResourceName, object: ApiObject | undefined, previous: ApiObject, at: number): void {
    const lane = workloadLane(this.film, resource, object ?? previous);
    if (object !== undefined) this.owners.set(object.metadata.uid, [...this.ownersOf(object)]);
    this.film.span(lane, at, object === undefined ? null : workloadValue(resource, object));
  }
}
