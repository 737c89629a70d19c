import type { ObjectMeta, Container, Node, NodeSpec, Pod, PodDisruptionBudget, PodSpec, PodStatus } from '../../../api/schema/types.ts';
import { keyOf, type ApiObject, type ResourceName } from '../../../api/resources.ts';
import { Store } from '../../etcd/store.ts';
import { createView } from '../../view.ts';
import { placePod, putNode } from '../cache.ts';
import { schedule, startCycle, type Outcome } from '../cycle.ts';
import { fitError, reasonsOf } from '../failure-text.ts';
import { preempt, type Preemption } from '../preemption.ts';
import { createSchedulerState, type SchedulerState } from '../state.ts';

const metadata = (name: string, more: Partial<ObjectMeta> = {}): ObjectMeta => ({ name, uid: `uid-${name}`, resourceVersion: '1', creationTimestamp: '2026-01-05T08:00:00Z', ...more });

export interface NodeSketch {
  cpu?: string;
  memory?: string;
  pods?: string;
  labels?: Record<string, string>;
  spec?: NodeSpec;
}

export const node = (name: string, { cpu = '4', memory = '8Gi', pods = '110', labels = {}, spec = {} }: NodeSketch = {}): Node => ({
  apiVersion: 'v1', kind: 'Node', metadata: metadata(name, { labels: { 'kubernetes.io/hostname': name, ...labels } }), spec, status: { allocatable: { cpu, memory, pods } },
});

export interface PodSketch {
  cpu?: string;
  memory?: string;
  labels?: Record<string, string>;
  containers?: Partial<Container>[];
  spec?: Partial<PodSpec>;
  status?: PodStatus;
  meta?: Partial<ObjectMeta>;
}

/** On a node if spec.nodeName says so. */
export function pod(name: string, { cpu, memory, labels = {}, containers, spec = {}, status = {}, meta = {} }: PodSketch = {}): Pod {
  const requests = { ...(cpu === undefined ? {} : { cpu }), ...(memory === undefined ? {} : { memory }) };
  const own: Partial<Container>[] = containers ?? [Object.keys(requests).length === 0 ? {} : { resources: { requests } }];
  return {
    apiVersion: 'v1', kind: 'Pod', metadata: metadata(name, { namespace: 'default', labels, ...meta }), status,
    spec: { ...spec, containers: own.map((container, index) => ({ name: `c${index}`, image: 'app:1', ...container }) as Container) },
  };
}

/** A scheduler that knows these objects, to be asked about one pod. */
export class World {
  readonly state: SchedulerState = createSchedulerState();
  readonly store = new Store();

  constructor(nodes: readonly Node[], pods: readonly Pod[] = [], others: readonly [ResourceName, ApiObject][] = []) {
    for (const [resource, object] of others) this.put(resource, object);
    for (const each of nodes) putNode(this.state, this.put('nodes', each as ApiObject) as Node);
    for (const each of pods) {
      const placed = this.put('pods', each as ApiObject) as Pod;
      if (placed.spec.nodeName !== undefined) placePod(this.state, placed, placed.spec.nodeName);
    }
  }

  private put(resource: ResourceName, object: ApiObject): ApiObject {
    this.store.put(resource, object, { at: 0, cause: 0, actor: 'test' });
    return this.store.get(keyOf(resource, object.metadata.namespace, object.metadata.name)) as ApiObject;
  }

  decide(asked: Pod): Outcome {
    return schedule(this.cycle(asked), () => 0);
  }

  /** Nodes with the largest total, or the text of the refusal. */
  verdict(asked: Pod): string {
    const { node: chosen, tied, rejections, nodeCount, preFilter } = this.decide(asked);
    if (tied.length > 0) return tied.join();
    return chosen ?? (preFilter === undefined ? fitError(nodeCount, reasonsOf(rejections.values())) : preFilter.reasons.join());
  }

  score(asked: Pod, plugin: string): Record<string, number> {
    const { scores } = this.decide(asked);
    const column = scores?.columns.find((each) => each.plugin === plugin);
    return Object.fromEntries((scores?.nodes ?? []).map((name, i) => [name, column?.values[i] ?? NaN]));
  }

  preempt(asked: Pod): Preemption {
    const cycle = this.cycle(asked);
    return preempt(cycle, schedule(cycle, () => 0), () => 0);
  }

  private cycle(asked: Pod) {
    return startCycle(asked, this.state, { view: createView(this.store, () => this.store.revision), now: 0 });
  }
}

export const budget = (name: string, matchLabels: Record<string, string>, disruptionsAllowed: number): [ResourceName, ApiObject] => ['poddisruptionbudgets.policy', {
  apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: metadata(name, { namespace: 'default' }), spec: { selector: { matchLabels } }, status: { disruptionsAllowed },
} as PodDisruptionBudget as ApiObject];
