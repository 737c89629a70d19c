import { podRequestAmounts } from '../../../api/core-v1/pod-resources.ts';
import type { Pod } from '../../../api/schema/types.ts';
import { maxScore, type Plugin, type Rejection } from '../framework.ts';
import { nonZeroRequests } from '../pod-facts.ts';
import type { NodeInfo } from '../state.ts';

const fitName = 'NodeResourcesFit';
const leading = ['cpu', 'memory', 'ephemeral-storage'];

/** Upstream: pkg/scheduler/framework/plugins/noderesources/fit.go fitsRequest. */
function misfits(pod: Pod, { allocatable, requested, pods }: NodeInfo): Rejection | undefined {
  const reasons: string[] = [];
  let unresolvable = false;
  if (pods + 1 > (allocatable.pods ?? 0)) reasons.push('Too many pods');
  const requests = podRequestAmounts(pod);
  const check = (resource: string) => {
    const asked = requests[resource] ?? 0;
    const all = allocatable[resource] ?? 0;
    if (asked <= 0 || asked <= all - (requested[resource] ?? 0)) return;
    reasons.push(`Insufficient ${resource}`);
    if (asked > all) unresolvable = true;
  };
  for (const resource of leading) check(resource);
  for (const resource in requests) if (!leading.includes(resource)) check(resource);
  return reasons.length === 0 ? undefined : { plugin: fitName, reasons, unresolvable };
}

const free = (requested: number, capacity: number): number => (capacity === 0 || requested > capacity ? 0 : Math.floor(((capacity - requested) * maxScore) / capacity));

export const nodeResourcesFit: Plugin = {
  name: fitName,
  weight: 1,
  local: true,
  filter: ({ pod }, node) => misfits(pod, node),
  /** LeastAllocated, cpu and memory alike. */
  score: ({ pod }, { allocatable, nonZero }) => {
    const { cpu, memory } = nonZeroRequests(pod);
    let sum = 0;
    let weights = 0;
    for (const [all, used] of [[allocatable.cpu ?? 0, nonZero.cpu + cpu], [allocatable.memory ?? 0, nonZero.memory + memory]] as const) {
      if (all === 0) continue;
      sum += free(used, all);
      weights++;
    }
    return weights === 0 ? 0 : Math.floor(sum / weights);
  },
  wakes: ({ kind, node, before, pod: other, podBefore }, pod) => {
    switch (kind) {
      case 'pod-delete': return true;
      case 'pod-update': return other !== undefined && podBefore !== undefined && frees(podBefore, other, pod);
      case 'node-add': return node !== undefined && fitsEmpty(pod, node);
      case 'node-update': return node !== undefined && before !== undefined && fitsEmpty(pod, node) && gained(before, node, pod);
      default: return false;
    }
  },
};

const fitsEmpty = (pod: Pod, { allocatable }: NodeInfo): boolean => misfits(pod, { version: 0, allocatable, requested: {}, nonZero: { cpu: 0, memory: 0 }, pods: 0, priorities: {}, ports: {} }) === undefined;

function frees(before: Pod, after: Pod, pod: Pod): boolean {
  const [old, next, asked] = [podRequestAmounts(before), podRequestAmounts(after), podRequestAmounts(pod)];
  return Object.keys(asked).some((name) => (asked[name] as number) > 0 && (next[name] ?? 0) < (old[name] ?? 0));
}

const gained = (before: NodeInfo, after: NodeInfo, pod: Pod): boolean =>
  ['pods', ...Object.keys(podRequestAmounts(pod))].some((name) => (after.allocatable[name] ?? 0) > (before.allocatable[name] ?? 0));

const balanceName = 'NodeResourcesBalancedAllocation';

/** 100 when cpu and memory are used to the same fraction. */
function balance(cpu: number, memory: number, { allocatable }: NodeInfo): number {
  const fractions: number[] = [];
  for (const [used, all] of [[cpu, allocatable.cpu ?? 0], [memory, allocatable.memory ?? 0]] as const) if (all > 0) fractions.push(Math.min(1, used / all));
  const [a, b] = fractions;
  const deviation = a === undefined || b === undefined ? 0 : Math.abs((a - b) / 2);
  return Math.trunc((1 - deviation) * maxScore);
}

export const nodeResourcesBalancedAllocation: Plugin = {
  name: balanceName,
  weight: 1,
  local: true,
  preScore: ({ pod }) => {
    const { cpu = 0, memory = 0 } = podRequestAmounts(pod);
    return cpu > 0 || memory > 0;
  },
  /** How much better balanced the node is with the pod than without; 75 means as before. */
  score: ({ pod }, node) => {
    const { cpu = 0, memory = 0 } = podRequestAmounts(pod);
    const used = node.requested;
    const without = balance(used.cpu ?? 0, used.memory ?? 0, node);
    const withPod = balance((used.cpu ?? 0) + cpu, (used.memory ?? 0) + memory, node);
    return maxScore / 2 + Math.trunc((maxScore / 2 + withPod - without) / 2);
  },
};
