import { podRequestAmounts } from '../../api/core-v1/pod-resources.ts';
import type { Pod } from '../../api/schema/types.ts';
import { nameOf, type Cycle, type Known } from './framework.ts';
import { hostPorts, nonZeroRequests } from './pod-facts.ts';
import { filters, localScorers } from './profile.ts';
import type { NodeInfo, SchedulerState } from './state.ts';

/**
 * Pods of one template ask the same of every node. What local plugins said of a node for one of them holds for the next until the node changes,
 * so a cycle costs little more than the nodes that changed. Nothing here is state: it is only what asking again would give.
 * Upstream has the like in its opportunistic batching.
 */
const memory = new WeakMap<SchedulerState, Map<string, Map<string, Known>>>();
const maxKinds = 32;

/** All of a pod that local plugins look at. */
const kindOf = (pod: Pod): string => JSON.stringify([
  pod.spec.nodeSelector, pod.spec.affinity?.nodeAffinity, pod.spec.tolerations, pod.spec.nodeName, podRequestAmounts(pod), nonZeroRequests(pod), hostPorts(pod),
]);

/** Looks up what is known for pods like this; nothing can be if a plugin that is not local has a say. */
export function remember(cycle: Cycle): void {
  if (filters.some(({ name, local }) => local !== true && !cycle.skipFilter.has(name))) return;
  let kinds = memory.get(cycle.state);
  if (kinds === undefined) memory.set(cycle.state, (kinds = new Map()));
  const kind = kindOf(cycle.pod);
  let known = kinds.get(kind);
  if (known === undefined) {
    for (const oldest of kinds.keys()) {
      if (kinds.size < maxKinds) break;
      kinds.delete(oldest);
    }
    kinds.set(kind, (known = new Map()));
  }
  cycle.known = known;
}

const ask = (cycle: Cycle, node: NodeInfo): number[] => localScorers.map((plugin) => plugin.score?.(cycle, node) ?? 0);

export function localScores(cycle: Cycle, node: NodeInfo): readonly number[] {
  const known = cycle.known?.get(nameOf(node));
  if (known === undefined || known.version !== node.version) return ask(cycle, node);
  return (known.scores ??= ask(cycle, node));
}
