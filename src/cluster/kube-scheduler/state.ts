import type { LabelSelector, Node, Pod } from '../../api/schema/types.ts';
import type { SimTime } from '../../sim/time.ts';

/** What the scheduler knows of a node. Kept up to date from changes; no cycle counts pods. */
export interface NodeInfo {
  /** Absent: pods name a node that is not (or no longer) there. */
  node?: Node;
  /** A new number with every change of what is below. */
  version: number;
  /** CPU in thousandths, all else in whole units. */
  allocatable: Record<string, number>;
  requested: Record<string, number>;
  /** CPU and memory with a default for every container that asks for nothing: what spreading load goes by. */
  nonZero: { cpu: number; memory: number };
  pods: number;
  /** How many pods of each priority: tells whether preemption could find anybody. */
  priorities: Record<string, number>;
  /** Host ports in use: 'TCP/0.0.0.0/8080' to the number of pods. */
  ports: Record<string, number>;
}

/** The pods that all terms of a selector group select, by node: counted once, then kept up to date. */
export interface PodGroup {
  terms: GroupTerm[];
  /** Pods that are going away do not count (topology spreading). */
  skipTerminating: boolean;
  byNode: Record<string, number>;
  usedAt: SimTime;
}

export interface GroupTerm {
  /** With neither of the two: every namespace. */
  namespaces?: string[];
  /** Namespaces with these labels, besides those named. */
  namespaceSelector?: LabelSelector;
  selector: LabelSelector;
}

export type TermKind = 'required-affinity' | 'required-anti' | 'preferred-affinity' | 'preferred-anti';

/** Pods that are placed and carry the same affinity term, by node. */
export interface TermGroup {
  kind: TermKind;
  weight: number;
  topologyKey: string;
  term: GroupTerm;
  byNode: Record<string, number>;
}

export type Where = 'active' | 'backoff' | 'unschedulable' | 'in-flight';

/** A pod that waits for a node. */
export interface QueuedPod {
  namespace: string;
  name: string;
  priority: number;
  where: Where;
  /** When it entered the queue it is in. */
  at: SimTime;
  /** Of the newest entry in the active heap: older ones are stale. */
  seq: number;
  unschedulableCount: number;
  errorCount: number;
  /** The last failure was an error: the back-off is waited out. */
  isError: boolean;
  backoffUntil: SimTime;
  /** The plugins that rejected it: only events that they registered for wake it. */
  plugins: string[];
}

export interface HeapEntry {
  uid: string;
  priority: number;
  at: SimTime;
  seq: number;
}

export interface QueueState {
  pods: Record<string, QueuedPod>;
  active: HeapEntry[];
  /** Uids in the order in which their back-off ends. */
  backoff: string[];
  /** How many unschedulable pods each plugin rejected. */
  rejectedBy: Record<string, number>;
  nextSeq: number;
  flushAt: SimTime | null;
}

export interface Assumed {
  node: string;
  pod: Pod;
}

export interface SchedulerState {
  nodes: Record<string, NodeInfo>;
  /** Names in the order in which nodes are tried: zone by zone in turn. Null: to be made anew. */
  order: string[] | null;
  /** Where the next cycle begins to look. */
  start: number;
  /** By image name: the size that the first node with it reported, and on how many nodes it is. */
  images: Record<string, { size: number; nodes: number }>;
  groups: Record<string, PodGroup>;
  /** Group keys by 'namespace/key=value', to find the groups that a pod can be in. */
  groupsByLabel: Record<string, string[]>;
  terms: Record<string, TermGroup>;
  /** Labels of the namespaces. */
  namespaces: Record<string, Record<string, string>>;
  /** Selectors of Services, by namespace and name: pods of a Service are spread by default. */
  services: Record<string, Record<string, Record<string, string>>>;
  /** How many placed pods use a claim, by 'namespace/name'. */
  claims: Record<string, number>;
  /** Bound by us, not yet seen as bound. By uid. */
  assumed: Record<string, Assumed>;
  /** Assumed pods whose volumes are still being bound. By uid. */
  preBind: Record<string, { claims: string[] }>;
  /** Pods that wait for room that preemption makes: uid to node. */
  nominated: Record<string, { node: string; namespace: string; name: string; priority: number }>;
  queue: QueueState;
  cycleDue: boolean;
  nextVersion: number;
}

export const createSchedulerState = (): SchedulerState => ({
  nodes: {}, order: null, start: 0, images: {}, groups: {}, groupsByLabel: {}, terms: {}, namespaces: {}, services: {}, claims: {}, assumed: {}, preBind: {}, nominated: {},
  queue: { pods: {}, active: [], backoff: [], rejectedBy: {}, nextSeq: 1, flushAt: null },
  cycleDue: false,
  nextVersion: 1,
});
