import type { ApiObject } from '../../api/resources.ts';
import type { Pod } from '../../api/schema/types.ts';
import type { View } from '../component.ts';
import type { NodeInfo, SchedulerState } from './state.ts';

/** Why a plugin says no. */
export interface Rejection {
  plugin: string;
  reasons: string[];
  /** Removing pods from the node would not help. Upstream: UnschedulableAndUnresolvable. */
  unresolvable: boolean;
}

/** A change in the cluster that may make a pod fit. */
export interface ClusterEvent {
  kind: 'node-add' | 'node-update' | 'pod-add' | 'pod-update' | 'pod-delete' | 'storage';
  node?: NodeInfo;
  before?: NodeInfo;
  pod?: Pod;
  podBefore?: Pod;
  /** A claim, volume or storage class that came or changed. */
  object?: ApiObject;
}

/** What the local plugins said of one node. */
export interface Known {
  version: number;
  rejection: Rejection | undefined;
  /** Raw scores, in the order of the profile's local scorers; filled in when first needed. */
  scores?: number[];
}

/** One pod's way through the plugins. Lives for one cycle only. */
export interface Cycle {
  pod: Pod;
  state: SchedulerState;
  view: View;
  now: number;
  /** What a plugin found out in PreFilter or PreScore. */
  data: Map<string, unknown>;
  skipFilter: Set<string>;
  /** The filters that are not skipped; made when first needed. */
  filters?: readonly Plugin[];
  /** What was found out about nodes for pods like this one; absent if more than the node itself counts. */
  known?: Map<string, Known>;
  /** Pods that preemption makes room for, by node; of at least this pod's priority. */
  expected?: Map<string, Pod[]>;
  /** PreFilter narrowed the nodes to these. */
  only?: Set<string>;
}

/** A plugin holds no state of its own. Every step is optional, as upstream's extension points are. */
export interface Plugin {
  name: string;
  weight?: number;
  /** Filter and score look at the pod's spec and at this one node alone: what they said stays true until the node changes. */
  local?: true;
  /** False: nothing to filter for this pod. */
  preFilter?(cycle: Cycle): Rejection | false | { only: Set<string> } | undefined;
  filter?(cycle: Cycle, node: NodeInfo): Rejection | undefined;
  /** A pod is imagined away from (-1) or onto (1) a node: for preemption and nominated pods. */
  imagine?(cycle: Cycle, pod: Pod, node: NodeInfo, sign: 1 | -1): void;
  /** False: this pod is not scored by it. */
  preScore?(cycle: Cycle, nodes: readonly NodeInfo[]): boolean;
  score?(cycle: Cycle, node: NodeInfo): number;
  normalize?(cycle: Cycle, scores: number[], nodes: readonly NodeInfo[]): void;
  /** Whether an event may help a pod that it rejected. */
  wakes?(event: ClusterEvent, pod: Pod, state: SchedulerState): boolean;
}

export const maxScore = 100;

export const unschedulable = (plugin: string, ...reasons: string[]): Rejection => ({ plugin, reasons, unresolvable: false });
export const unresolvable = (plugin: string, ...reasons: string[]): Rejection => ({ plugin, reasons, unresolvable: true });

/** Upstream: pkg/scheduler/framework/plugins/helper/normalize_score.go. */
export function scaleToMax(scores: number[], reverse: boolean): void {
  const most = Math.max(0, ...scores);
  for (let i = 0; i < scores.length; i++) {
    if (most === 0) {
      if (reverse) scores[i] = maxScore;
      continue;
    }
    const scaled = Math.floor((maxScore * (scores[i] as number)) / most);
    scores[i] = reverse ? maxScore - scaled : scaled;
  }
}

export const nameOf = (node: NodeInfo): string => node.node?.metadata.name ?? '';
export const labelOf = (node: NodeInfo, key: string): string | undefined => node.node?.metadata.labels?.[key];
