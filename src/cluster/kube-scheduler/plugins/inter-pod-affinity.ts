import { stableText } from '../../../api/meta/hash.ts';
import type { Pod } from '../../../api/schema/types.ts';
import { labelOf, maxScore, unresolvable, unschedulable, type Cycle, type Plugin } from '../framework.ts';
import { affinityTermsOf, podsPerNode, termSelects } from '../pod-groups.ts';
import type { NodeInfo, SchedulerState, TermGroup, TermKind } from '../state.ts';

const name = 'InterPodAffinity';

/** Counts by 'topology key, value'. */
type Pairs = Map<string, number>;
type Terms = ReturnType<typeof affinityTermsOf>;

interface Required {
  affinityTerms: Terms;
  antiTerms: Terms;
  affinity: Pairs;
  anti: Pairs;
  /** Pods already placed that want no pod like this one near them. */
  existingAnti: Pairs;
}

const pair = (key: string, value: string): string => `${key}\n${value}`;

function add(pairs: Pairs, key: string, by: number): void {
  const next = (pairs.get(key) ?? 0) + by;
  if (next === 0) pairs.delete(key);
  else pairs.set(key, next);
}

function addAt(pairs: Pairs, node: NodeInfo | undefined, topologyKey: string, by: number): void {
  const value = node === undefined ? undefined : labelOf(node, topologyKey);
  if (value !== undefined) add(pairs, pair(topologyKey, value), by);
}

const ofKind = (pod: Pod, kind: TermKind): Terms => affinityTermsOf(pod).filter((term) => term.kind === kind);
const selectsAll = (terms: Terms, pod: Pod, { namespaces }: SchedulerState): boolean => terms.every(({ term }) => termSelects(term, pod, namespaces));

/** Upstream: pkg/scheduler/framework/plugins/interpodaffinity/filtering.go PreFilter. */
function preFilter(cycle: Cycle): false | undefined {
  const { pod, state, view, now } = cycle;
  const affinityTerms = ofKind(pod, 'required-affinity');
  const antiTerms = ofKind(pod, 'required-anti');
  const found: Required = { affinityTerms, antiTerms, affinity: new Map(), anti: new Map(), existingAnti: new Map() };
  for (const key in state.terms) {
    const group = state.terms[key] as TermGroup;
    if (group.kind !== 'required-anti' || !termSelects(group.term, pod, state.namespaces)) continue;
    for (const node in group.byNode) addAt(found.existingAnti, state.nodes[node], group.topologyKey, group.byNode[node] as number);
  }
  if (affinityTerms.length > 0) {
    const counts = podsPerNode(state, view, affinityTerms.map(({ term }) => term), false, now);
    for (const node in counts) for (const { topologyKey } of affinityTerms) addAt(found.affinity, state.nodes[node], topologyKey, counts[node] as number);
  }
  for (const { term, topologyKey } of antiTerms) {
    const counts = podsPerNode(state, view, [term], false, now);
    for (const node in counts) addAt(found.anti, state.nodes[node], topologyKey, counts[node] as number);
  }
  if (found.existingAnti.size === 0 && affinityTerms.length === 0 && antiTerms.length === 0) return false;
  cycle.data.set(name, found);
  return undefined;
}

function affinityHolds({ affinityTerms, affinity }: Required, { pod, state }: Cycle, node: NodeInfo): boolean {
  let all = true;
  for (const { topologyKey } of affinityTerms) {
    const value = labelOf(node, topologyKey);
    if (value === undefined) return false;
    if (!affinity.has(pair(topologyKey, value))) all = false;
  }
  // The first pod of a group that wants to be near its own kind.
  return all || (affinity.size === 0 && selectsAll(affinityTerms, pod, state));
}

function filter(cycle: Cycle, node: NodeInfo) {
  const found = cycle.data.get(name) as Required;
  if (!affinityHolds(found, cycle, node)) return unresolvable(name, "node(s) didn't match pod affinity rules");
  const near = ({ topologyKey }: { topologyKey: string }) => found.anti.has(pair(topologyKey, labelOf(node, topologyKey) ?? '\n'));
  if (found.antiTerms.some(near)) return unschedulable(name, "node(s) didn't match pod anti-affinity rules");
  for (const key of found.existingAnti.keys()) {
    const [topologyKey = '', value] = key.split('\n');
    if (labelOf(node, topologyKey) === value) return unschedulable(name, "node(s) didn't satisfy existing pods anti-affinity rules");
  }
  return undefined;
}

function imagine(cycle: Cycle, other: Pod, node: NodeInfo, sign: 1 | -1): void {
  let found = cycle.data.get(name) as Required | undefined;
  if (found === undefined) {
    found = { affinityTerms: [], antiTerms: [], affinity: new Map(), anti: new Map(), existingAnti: new Map() };
    cycle.data.set(name, found);
  }
  for (const { kind, term, topologyKey } of affinityTermsOf(other)) {
    if (kind !== 'required-anti' || !termSelects(term, cycle.pod, cycle.state.namespaces)) continue;
    addAt(found.existingAnti, node, topologyKey, sign);
    if (cycle.skipFilter.delete(name)) delete cycle.filters;
  }
  if (found.affinityTerms.length > 0 && selectsAll(found.affinityTerms, other, cycle.state)) for (const { topologyKey } of found.affinityTerms) addAt(found.affinity, node, topologyKey, sign);
  for (const { term, topologyKey } of found.antiTerms) if (termSelects(term, other, cycle.state.namespaces)) addAt(found.anti, node, topologyKey, sign);
}

/** Upstream: interpodaffinity/scoring.go PreScore, processExistingPod. */
function preScore(cycle: Cycle): boolean {
  const { pod, state, view, now } = cycle;
  const scores: Pairs = new Map();
  for (const { kind, term, topologyKey, weight } of affinityTermsOf(pod)) {
    if (!kind.startsWith('preferred')) continue;
    const counts = podsPerNode(state, view, [term], false, now);
    for (const node in counts) addAt(scores, state.nodes[node], topologyKey, (counts[node] as number) * (kind === 'preferred-anti' ? -weight : weight));
  }
  for (const key in state.terms) {
    const group = state.terms[key] as TermGroup;
    if (group.kind === 'required-anti' || !termSelects(group.term, pod, state.namespaces)) continue;
    const weight = group.kind === 'preferred-anti' ? -group.weight : group.weight;
    for (const node in group.byNode) addAt(scores, state.nodes[node], group.topologyKey, (group.byNode[node] as number) * weight);
  }
  if (scores.size === 0) return false;
  cycle.data.set(`${name}/score`, scores);
  return true;
}

/** An event concerns a rejected pod if the other pod is one that its terms speak of, or one whose terms speak of it. */
function concerns(pod: Pod, other: Pod, { namespaces }: SchedulerState): boolean {
  return affinityTermsOf(pod).some(({ kind, term }) => kind.startsWith('required') && termSelects(term, other, namespaces))
    || affinityTermsOf(other).some(({ kind, term }) => kind === 'required-anti' && termSelects(term, pod, namespaces));
}

export const interPodAffinity: Plugin = {
  name,
  weight: 2,
  preFilter,
  filter,
  imagine,
  preScore,
  score: (cycle, node) => {
    let sum = 0;
    for (const [key, weight] of cycle.data.get(`${name}/score`) as Pairs) {
      const [topologyKey = '', value] = key.split('\n');
      if (labelOf(node, topologyKey) === value) sum += weight;
    }
    return sum;
  },
  normalize: (_cycle, scores) => {
    const least = Math.min(...scores);
    const range = Math.max(...scores) - least;
    scores.forEach((score, i) => {
      scores[i] = range > 0 ? Math.trunc(maxScore * ((score - least) / range)) : 0;
    });
  },
  wakes: ({ kind, node, before, pod: other, podBefore }, pod, state) => {
    if (kind === 'node-add') return true;
    if (kind === 'node-update') return stableText(before?.node?.metadata.labels) !== stableText(node?.node?.metadata.labels);
    if (other === undefined) return false;
    return concerns(pod, other, state) || (podBefore !== undefined && concerns(pod, podBefore, state));
  },
};
