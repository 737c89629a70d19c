import type { Pod } from '../../api/schema/types.ts';
import type { Context } from '../component.ts';
import { copyNode, accountPod, nodeOrder } from './cache.ts';
import { nameOf, type Cycle, type Rejection } from './framework.ts';
import { priorityOf } from './pod-facts.ts';
import { filters, plugins, scorers } from './profile.ts';
import type { NodeInfo, SchedulerState } from './state.ts';

export interface Scored {
  node: string;
  scores: Record<string, number>;
  total: number;
}

/** What one look for a node came to. */
export interface Outcome {
  node?: string;
  /** Nodes that were refused, and why. */
  rejections: Map<string, Rejection>;
  /** PreFilter refused the pod as a whole. */
  preFilter?: Rejection;
  nodeCount: number;
  scored: Scored[];
  tied: string[];
}

/** Upstream: pkg/scheduler/schedule_one.go (minFeasibleNodesToFind, minFeasibleNodesPercentageToFind). */
const minNodes = 100;
const minPercentage = 5;

export function startCycle(pod: Pod, state: SchedulerState, context: Pick<Context, 'view' | 'now'>): Cycle {
  return { pod, state, view: context.view, now: context.now, data: new Map(), skipFilter: new Set(), skipScore: new Set() };
}

/** How many nodes that fit are enough: beyond a hundred nodes only a part is looked at. */
export function enoughNodes(count: number): number {
  if (count < minNodes) return count;
  const percentage = Math.max(minPercentage, 50 - Math.floor(count / 125));
  return Math.max(minNodes, Math.floor((count * percentage) / 100));
}

/** Upstream: RunPreFilterPlugins. */
export function runPreFilters(cycle: Cycle): Rejection | undefined {
  let rejection: Rejection | undefined;
  for (const plugin of plugins) {
    const result = plugin.preFilter?.(cycle);
    if (result === undefined) continue;
    if (result === false) {
      cycle.skipFilter.add(plugin.name);
      continue;
    }
    if ('only' in result) {
      const { only: before } = cycle;
      cycle.only = before === undefined ? result.only : new Set([...result.only].filter((node) => before.has(node)));
      continue;
    }
    if (result.unresolvable) return result;
    rejection ??= result;
  }
  return rejection;
}

/** The first plugin that says no decides. */
export function runFilters(cycle: Cycle, node: NodeInfo): Rejection | undefined {
  for (const plugin of filters) {
    if (cycle.skipFilter.has(plugin.name)) continue;
    const rejection = plugin.filter?.(cycle, node);
    if (rejection !== undefined) return rejection;
  }
  return undefined;
}

/** The node with a pod imagined onto it or away from it. */
export function imaginePod(cycle: Cycle, node: NodeInfo, pod: Pod, sign: 1 | -1): void {
  accountPod(node, pod, sign);
  for (const plugin of plugins) plugin.imagine?.(cycle, pod, node, sign);
}

/** Also as if the pods of at least this priority that preemption made room for were there. Upstream: RunFilterPluginsWithNominatedPods. */
export function runFiltersWithNominated(cycle: Cycle, node: NodeInfo): Rejection | undefined {
  const expected = nominatedOn(cycle, nameOf(node));
  if (expected.length === 0) return runFilters(cycle, node);
  const imagined = copyNode(node);
  for (const pod of expected) imaginePod(cycle, imagined, pod, 1);
  const rejection = runFilters(cycle, imagined);
  for (const pod of expected) imaginePod(cycle, imagined, pod, -1);
  return rejection ?? runFilters(cycle, node);
}

function nominatedOn({ state, pod, view }: Cycle, node: string): Pod[] {
  const pods: Pod[] = [];
  for (const uid in state.nominated) {
    const nominated = state.nominated[uid] as SchedulerState['nominated'][string];
    if (nominated.node !== node || uid === pod.metadata.uid || nominated.priority < priorityOf(pod)) continue;
    const found = view.get('pods', nominated.namespace, nominated.name);
    if (found?.metadata.uid === uid) pods.push(found);
  }
  return pods;
}

/** Finds a node for a pod. Upstream: schedule_one.go schedulePod. */
export function schedule(cycle: Cycle, random: (bound: number) => number): Outcome {
  const { state } = cycle;
  const order = nodeOrder(state);
  const outcome: Outcome = { rejections: new Map(), nodeCount: order.length, scored: [], tied: [] };
  cycle.data.set('node-count', order.length);
  if (order.length === 0) return outcome;
  const preFilter = runPreFilters(cycle);
  if (preFilter !== undefined) return { ...outcome, preFilter };
  const feasible = findNodes(cycle, order, outcome);
  if (feasible.length === 0) return outcome;
  if (feasible.length === 1) return { ...outcome, node: nameOf(feasible[0] as NodeInfo) };
  outcome.scored = scoreNodes(cycle, feasible);
  const most = outcome.scored.reduce((max, { total }) => Math.max(max, total), -1);
  const best = outcome.scored.filter(({ total }) => total === most).map(({ node }) => node);
  outcome.tied = best.length > 1 ? best : [];
  return { ...outcome, node: best.length === 1 ? (best[0] as string) : (best[random(best.length)] as string) };
}

function findNodes(cycle: Cycle, order: readonly string[], outcome: Outcome): NodeInfo[] {
  const { state, only, pod } = cycle;
  const nominated = pod.status.nominatedNodeName;
  if (nominated !== undefined && nominated !== '') {
    const node = state.nodes[nominated];
    if (node?.node !== undefined && (only === undefined || only.has(nominated)) && runFiltersWithNominated(cycle, node) === undefined) return [node];
  }
  const names = only === undefined ? order : order.filter((name) => only.has(name));
  if (only !== undefined) {
    for (const name of order) {
      if (!only.has(name)) outcome.rejections.set(name, { plugin: 'NodeAffinity', reasons: ["node(s) didn't satisfy plugin(s) [NodeAffinity]"], unresolvable: true });
    }
  }
  const wanted = enoughNodes(names.length);
  const feasible: NodeInfo[] = [];
  let looked = 0;
  for (; looked < names.length && feasible.length < wanted; looked++) {
    const name = names[(state.start + looked) % names.length] as string;
    const node = state.nodes[name] as NodeInfo;
    const rejection = runFiltersWithNominated(cycle, node);
    if (rejection === undefined) feasible.push(node);
    else outcome.rejections.set(name, rejection);
  }
  state.start = (state.start + looked) % order.length;
  return feasible;
}

function scoreNodes(cycle: Cycle, nodes: readonly NodeInfo[]): Scored[] {
  const result = nodes.map((node): Scored => ({ node: nameOf(node), scores: {}, total: 0 }));
  for (const plugin of scorers) {
    if (plugin.preScore?.(cycle, nodes) === false) continue;
    const scores = nodes.map((node) => plugin.score?.(cycle, node) ?? 0);
    plugin.normalize?.(cycle, scores, nodes);
    result.forEach((entry, i) => {
      const weighted = (scores[i] as number) * (plugin.weight ?? 1);
      entry.scores[plugin.name] = weighted;
      entry.total += weighted;
    });
  }
  return result;
}
