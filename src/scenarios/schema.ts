import type { SimTime } from '../sim/time.ts';
import type { Behavior } from '../workload/contract.ts';

/** A scenario file as data: what is done to a cluster, and when. The recorder's format (conformance) plus seed, workloads, registry, traffic and lesson. */
export interface Scenario {
  id: string;
  title: string;
  titleZh?: string;
  /** 'default': node-a and node-b, 2 cpu and 24581220Ki allocatable each. */
  nodes: 'default' | NodeSpec[];
  namespace: string;
  seed: number;
  /** Wall clock at time zero, epoch milliseconds. */
  epochMs: number;
  images: ImageSettings;
  steps: Step[];
  untilMs: SimTime;
  watch: string[];
  final: string[];
  /** Behaviour by image, for the whole scenario: first match by exact image, then by repository. */
  workloads: { image: string; container?: string; behavior: Behavior }[];
  registry: RegistryImage[];
  traffic: TrafficSpec[];
  /** What the page shows first. */
  select?: string;
  group?: string;
}

export interface NodeSpec {
  name: string;
  cpu?: string;
  memory?: string;
  pods?: string;
  labels?: Record<string, string>;
  taints?: { key: string; value?: string; effect: 'NoSchedule' | 'PreferNoSchedule' | 'NoExecute' }[];
  /** Repeats the node: name-1 ... name-n. */
  count?: number;
}

export interface ImageSettings {
  /** Not on the nodes at the start: must be pulled. Every other existing image is there already. */
  absent?: string[];
  /** How long a pull takes. */
  pullTakes?: Record<string, string>;
}

/** An image that the simulated registry has beside the known ones. */
export interface RegistryImage {
  image: string;
  sizeBytes?: number;
  pullTakes?: string;
  /** Needs one of these credentials. */
  private?: boolean;
  behavior?: Behavior;
}

export interface TrafficSpec {
  name: string;
  /** Requests per second. */
  rate: number;
  /** http://SERVICE[.NAMESPACE][:PORT]/PATH */
  url: string;
  from?: string;
  until?: string;
}

export type Step = { atMs: SimTime } & (
  | { kubectl: string; stdin?: string; files?: Record<string, string> }
  | { fault: Fault }
);

/** Faults are inputs with a time. */
export type Fault =
  | { node: string; network: 'down' | 'up' }
  | { node: string; kubelet: 'stop' | 'start' }
  | { node: string; sandbox: string }
  | { pod: string; container?: string; kill: string }
  | { pod: string; container?: string; probe: 'startup' | 'liveness' | 'readiness'; result: 'fail' | 'timeout' | 'none'; for?: string }
  | { pod: string; container?: string; memory: string }
  | { image: string; pull: 'fail' | 'slow' | 'none'; takes?: string }
  | { component: string; state: 'stop' | 'start' };

/** What a user did, in the order in which it was done. Scenario steps become inputs as well. */
export type Input =
  | { at: SimTime; kind: 'apply'; text: string; name?: string }
  | { at: SimTime; kind: 'kubectl'; line: string; stdin?: string; files?: Record<string, string>; step?: number }
  | { at: SimTime; kind: 'fault'; fault: Fault };
