import type { Pod } from '../../api/schema/types.ts';
import type { Context } from '../component.ts';
import { copyNode, accountPod, nodeOrder } from './cache.ts';
import { nameOf, type Cycle, type Rejection } from './framework.ts';
import { priorityOf } from './pod-facts.ts';
import { localScores, remember } from './known.ts';
import { filters, localScorers, plugins, scorers } from './profile.ts';
import type { NodeInfo, SchedulerState } from './state.ts';

/** Weighted scores, a column a plugin, all in the order of `nodes`. */
export interface Scores {
  nodes: string[];
  columns: { plugin: string; values: number[] }[];
  totals: number[];
}

/** What one look for a node came to. */
export interface Outcome {
  node?: string;
  /** Nodes that were refused, and why. */
  rejections: Map<string, Rejection>;
  /** PreFilter refused the pod as a whole. */
  preFilter?: Rejection;
  nodeCount: number;
  scores?: Scores;
  tied: string[];
}

/** Upstream: pkg/scheduler/schedule_one.go (minFeasibleNodesToFind, minFeasibleNodesPercentageToFind). */
const minNodes = 100;
const minPercentage = 5;

export function startCycle(pod: Pod, state: SchedulerState, context: Pick<Context, 'view' | 'now'>): Cycle {
  return { pod, state, view: context.view, now: context.now, data: new Map(), skipFilter: new Set() };
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
  for (const plugin of (cycle.filters ??= filters.filter(({ name }) => !cycle.skipFilter.has(name)))) {
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

/** Likewise, asking only once as long as the node does not change. */
function runKnownFilters(cycle: Cycle, node: NodeInfo): Rejection | undefined {
  const { known } = cycle;
  if (known === undefined) return runFilters(cycle, node);
  const name = nameOf(node);
  const before = known.get(name);
  if (before?.version === node.version) return before.rejection;
  const rejection = runFilters(cycle, node);
  known.set(name, { version: node.version, rejection });
  return rejection;
}

/** Also as if the pods of at least this priority that preemption made room for were there. Upstream: RunFilterPluginsWithNominatedPods. */
export function runFiltersWithNominated(cycle: Cycle, node: NodeInfo): Rejection | undefined {
  const expected = (cycle.expected ??= expectedPods(cycle)).get(nameOf(node));
  if (expected === undefined) return runFilters(cycle, node);
  const imagined = copyNode(node);
  for (const pod of expected) imaginePod(cycle, imagined, pod, 1);
  const rejection = runFilters(cycle, imagined);
  for (const pod of expected) imaginePod(cycle, imagined, pod, -1);
  return rejection ?? runFilters(cycle, node);
}

function expectedPods({ state, pod, view }: Cycle): Map<string, Pod[]> {
  const byNode = new Map<string, Pod[]>();
  for (const uid in state.nominated) {
    const { node, namespace, name, priority } = state.nominated[uid] as SchedulerState['nominated'][string];
    if (uid === pod.metadata.uid || priority < priorityOf(pod)) continue;
    const found = view.get('pods', namespace, name);
    if (found?.metadata.uid !== uid) continue;
    const list = byNode.get(node);
    if (list === undefined) byNode.set(node, [found]);
    else list.push(found);
  }
  return byNode;
}

/** Finds a node for a pod. Upstream: schedule_one.go schedulePod. */
export function schedule(cycle: Cycle, random: (bound: number) => number): Outcome {
  const { state } = cycle;
  const order = nodeOrder(state);
  const outcome: Outcome = { rejections: new Map(), nodeCount: order.length, tied: [] };
  cycle.data.set('node-count', order.length);
  if (order.length === 0) return outcome;
  const preFilter = runPreFilters(cycle);
  if (preFilter !== undefined) return { ...outcome, preFilter };
  remember(cycle);
  const feasible = findNodes(cycle, order, outcome);
  if (feasible.length === 0) return outcome;
  if (feasible.length === 1) return { ...outcome, node: nameOf(feasible[0] as NodeInfo) };
  const scores = scoreNodes(cycle, feasible);
  const most = scores.totals.reduce((max, total) => Math.max(max, total), -1);
  const best = scores.nodes.filter((_, i) => scores.totals[i] === most);
  const node = best.length === 1 ? (best[0] as string) : (best[random(best.length)] as string);
  return { ...outcome, scores, node, tied: best.length > 1 ? best : [] };
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
  const expected = (cycle.expected ??= expectedPods(cycle));
  const feasible: NodeInfo[] = [];
  let looked = 0;
  for (; looked < names.length && feasible.length < wanted; looked++) {
    const name = names[(state.start + looked) % names.length] as string;
    const node = state.nodes[name] as NodeInfo;
    const rejection = expected.has(name) ? runFiltersWithNominated(cycle, node) : runKnownFilters(cycle, node);
    if (rejection === undefined) feasible.push(node);
    else outcome.rejections.set(name, rejection);
  }
  state.start = (state.start + looked) % order.length;
  return feasible;
}

function scoreNodes(cycle: Cycle, nodes: readonly NodeInfo[]): Scores {
  const totals = nodes.map(() => 0);
  const columns: Scores['columns'] = [];
  const locals = nodes.map((node) => localScores(cycle, node));
  for (const plugin of scorers) {
    if (plugin.preScore?.(cycle, nodes) === false) continue;
    const local = localScorers.indexOf(plugin);
    const values = local < 0 ? nodes.map((node) => plugin.score?.(cycle, node) ?? 0) : locals.map((scores) => scores[local] as number);
    plugin.normalize?.(cycle, values, nodes);
    const weight = plugin.weight ?? 1;
    for (let i = 0; i < values.length; i++) totals[i] = (totals[i] as number) + (values[i] = (values[i] as number) * weight);
    columns.push({ plugin: plugin.name, values });
  }
  return { nodes: nodes.map(nameOf), columns, totals };
}
