import type { ImageSettings, NodeSpec, RegistryImage, Scenario, TrafficSpec } from '../scenarios/schema.ts';
import type { Behavior } from '../workload/contract.ts';

/** What a cluster is made of: the part of a scenario that is there before anything is done. */
export interface ClusterOptions {
  seed: number;
  epochMs: number;
  namespace: string;
  nodes: 'default' | NodeSpec[];
  images: ImageSettings;
  workloads: { image: string; container?: string; behavior: Behavior }[];
  /** 'recorded': exactly the images of the recorded cluster; 'playground': known images and users' own. */
  registry: 'recorded' | 'playground';
  registryImages: RegistryImage[];
  traffic: TrafficSpec[];
}

/** One node, with everything decided. */
export interface NodeOptions {
  name: string;
  /** Position among the nodes: decides the pod address range 10.244.INDEX.0/24. */
  index: number;
  /** Allocatable, as quantities. */
  cpu: string;
  memory: string;
  pods: string;
  labels: Record<string, string>;
  taints: { key: string; value?: string; effect: 'NoSchedule' | 'PreferNoSchedule' | 'NoExecute' }[];
}

/** The two nodes of the recorded cluster. */
const defaultNodes: NodeSpec[] = [{ name: 'node-a' }, { name: 'node-b' }];

/** Node specs as written to one entry a node. */
export function expandNodes(nodes: 'default' | readonly NodeSpec[]): NodeOptions[] {
  const specs = nodes === 'default' ? defaultNodes : nodes;
  const named = specs.flatMap((spec) => {
    if (spec.count === undefined) return [spec];
    return Array.from({ length: spec.count }, (_, index) => ({ ...spec, name: `${spec.name}-${index + 1}` }));
  });
  return named.map((spec, index) => ({
    name: spec.name,
    index,
    cpu: spec.cpu ?? '2',
    memory: spec.memory ?? '24581220Ki',
    pods: spec.pods ?? '110',
    labels: {
      'beta.kubernetes.io/arch': 'amd64',
      'beta.kubernetes.io/os': 'linux',
      'kubernetes.io/arch': 'amd64',
      'kubernetes.io/hostname': spec.name,
      'kubernetes.io/os': 'linux',
      ...spec.labels,
    },
    taints: spec.taints ?? [],
  }));
}

export function clusterOptions(scenario: Scenario, registry: ClusterOptions['registry']): ClusterOptions {
  return {
    seed: scenario.seed,
    epochMs: scenario.epochMs,
    namespace: scenario.namespace,
    nodes: scenario.nodes,
    images: scenario.images,
    workloads: scenario.workloads,
    registry,
    registryImages: scenario.registry,
    traffic: scenario.traffic,
  };
}
