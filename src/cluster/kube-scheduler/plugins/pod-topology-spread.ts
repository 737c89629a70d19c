import { requiredNodeMatches } from '../../../api/core-v1/node-selection.ts';
import { controllerOf } from '../../../api/meta/owners.ts';
import { containsLabels, selectorMatches } from '../../../api/meta/selectors.ts';
import type { LabelSelector, Pod, TopologySpreadConstraint } from '../../../api/schema/types.ts';
import type { View } from '../../component.ts';
import { labelOf, maxScore, nameOf, unresolvable, unschedulable, type Cycle, type Plugin } from '../framework.ts';
import { nodeOrder } from '../cache.ts';
import { podsPerNode } from '../pod-groups.ts';
import type { NodeInfo } from '../state.ts';
import { naturalLogarithm } from './logarithm.ts';
import { untolerated } from './taint-toleration.ts';

const name = 'PodTopologySpread';
const hostname = 'kubernetes.io/hostname';
const zone = 'topology.kubernetes.io/zone';

interface Constraint {
  key: string;
  maxSkew: number;
  minDomains: number;
  selector: LabelSelector;
  honorAffinity: boolean;
  honorTaints: boolean;
}

/** The selector with the pod's own values of matchLabelKeys. */
function constraintOf(pod: Pod, source: TopologySpreadConstraint): Constraint {
  const selector = source.labelSelector ?? { matchExpressions: [{ key: hostname, operator: 'In', values: [] }] };
  const keys = (source.matchLabelKeys ?? []).filter((key) => pod.metadata.labels?.[key] !== undefined);
  const matchLabels = { ...selector.matchLabels };
  for (const key of keys) matchLabels[key] ??= pod.metadata.labels?.[key] as string;
  return {
    key: source.topologyKey,
    maxSkew: source.maxSkew,
    minDomains: source.minDomains ?? 1,
    selector: keys.length === 0 ? selector : { ...selector, matchLabels },
    honorAffinity: source.nodeAffinityPolicy !== 'Ignore',
    honorTaints: source.nodeTaintsPolicy === 'Honor',
  };
}

const constraintsOf = (pod: Pod, whenUnsatisfiable: string): Constraint[] =>
  (pod.spec.topologySpreadConstraints ?? []).filter((source) => source.whenUnsatisfiable === whenUnsatisfiable).map((source) => constraintOf(pod, source));

/** Constraints that a pod of a Service or a set gets by itself. Upstream: podtopologyspread systemDefaultConstraints, helper.DefaultSelector. */
function defaultConstraints({ pod, view, state }: Cycle): Constraint[] {
  const selector = defaultSelector(pod, view, state.services[pod.metadata.namespace ?? '']);
  if (selector === undefined) return [];
  const constraint = (key: string, maxSkew: number): Constraint => ({ key, maxSkew, minDomains: 1, selector, honorAffinity: true, honorTaints: false });
  return [constraint(hostname, 3), constraint(zone, 5)];
}

function defaultSelector(pod: Pod, view: View, services: Record<string, Record<string, string>> | undefined): LabelSelector | undefined {
  const own = ownerSelector(pod, view);
  let labels: Record<string, string> | undefined;
  for (const service in services) if (containsLabels(pod.metadata.labels, services[service])) labels = { ...labels, ...services[service] };
  if (labels === undefined) return own;
  const { matchLabels, matchExpressions = [] } = own ?? {};
  return { matchLabels: { ...labels, ...matchLabels }, ...(matchExpressions.length === 0 ? {} : { matchExpressions }) };
}

function ownerSelector(pod: Pod, view: View): LabelSelector | undefined {
  const owner = controllerOf(pod);
  const { namespace = '' } = pod.metadata;
  switch (owner?.kind) {
    case 'ReplicaSet': return view.get('replicasets.apps', namespace, owner.name)?.spec.selector;
    case 'StatefulSet': return view.get('statefulsets.apps', namespace, owner.name)?.spec.selector;
    case 'ReplicationController': {
      const matchLabels = view.get('replicationcontrollers', namespace, owner.name)?.spec.selector;
      return matchLabels === undefined ? undefined : { matchLabels };
    }
    default: return undefined;
  }
}

const hasKeys = (node: NodeInfo, constraints: readonly Constraint[]): boolean => constraints.every(({ key }) => labelOf(node, key) !== undefined);

const counted = (node: NodeInfo, pod: Pod, { honorAffinity, honorTaints }: Constraint): boolean =>
  node.node !== undefined && (!honorAffinity || requiredNodeMatches(pod.spec, node.node)) && (!honorTaints || !untolerated(pod, node.node.spec.taints));

const matching = (cycle: Cycle, { selector }: Constraint): Record<string, number> =>
  podsPerNode(cycle.state, cycle.view, [{ namespaces: [cycle.pod.metadata.namespace ?? ''], selector }], true, cycle.now);

/** Pods by the value of each constraint's key. */
interface Hard {
  constraints: Constraint[];
  domains: Map<string, number>[];
}

function preFilter(cycle: Cycle): false | undefined {
  const { pod, state } = cycle;
  const constraints = constraintsOf(pod, 'DoNotSchedule');
  if (constraints.length === 0) return false;
  const domains = constraints.map(() => new Map<string, number>());
  const groups = constraints.map((constraint) => matching(cycle, constraint));
  for (const each of nodeOrder(state)) {
    const node = state.nodes[each] as NodeInfo;
    if (!hasKeys(node, constraints)) continue;
    constraints.forEach((constraint, i) => {
      if (!counted(node, pod, constraint)) return;
      const value = labelOf(node, constraint.key) as string;
      domains[i]?.set(value, (domains[i]?.get(value) ?? 0) + (groups[i]?.[each] ?? 0));
    });
  }
  cycle.data.set(name, { constraints, domains } satisfies Hard);
  return undefined;
}

/** Upstream: pkg/scheduler/framework/plugins/podtopologyspread/filtering.go Filter. */
function filter(cycle: Cycle, node: NodeInfo) {
  const { constraints, domains } = cycle.data.get(name) as Hard;
  for (let i = 0; i < constraints.length; i++) {
    const { key, maxSkew, minDomains, selector } = constraints[i] as Constraint;
    const value = labelOf(node, key);
    if (value === undefined) return unresolvable(name, "node(s) didn't match pod topology spread constraints (missing required label)");
    const counts = domains[i] as Map<string, number>;
    const least = counts.size < minDomains ? 0 : Math.min(...counts.values());
    const self = selectorMatches(selector, cycle.pod.metadata.labels) ? 1 : 0;
    if ((counts.get(value) ?? 0) + self - least > maxSkew) return unschedulable(name, "node(s) didn't match pod topology spread constraints");
  }
  return undefined;
}

function imagine(cycle: Cycle, other: Pod, node: NodeInfo, sign: 1 | -1): void {
  const hard = cycle.data.get(name) as Hard | undefined;
  if (hard === undefined || other.metadata.namespace !== cycle.pod.metadata.namespace || other.metadata.deletionTimestamp !== undefined || !hasKeys(node, hard.constraints)) return;
  hard.constraints.forEach((constraint, i) => {
    if (!selectorMatches(constraint.selector, other.metadata.labels) || !counted(node, cycle.pod, constraint)) return;
    const value = labelOf(node, constraint.key) as string;
    const counts = hard.domains[i] as Map<string, number>;
    counts.set(value, (counts.get(value) ?? 0) + sign);
  });
}

interface Soft {
  constraints: Constraint[];
  ignored: Set<string>;
  weights: number[];
  domains: Map<string, number>[];
  perNode: Record<string, number>[];
}

/** Upstream: podtopologyspread/scoring.go PreScore. */
function preScore(cycle: Cycle, nodes: readonly NodeInfo[]): boolean {
  const { pod, state } = cycle;
  const own = (pod.spec.topologySpreadConstraints ?? []).length > 0;
  const constraints = own ? constraintsOf(pod, 'ScheduleAnyway') : defaultConstraints(cycle);
  if (constraints.length === 0) return false;
  const ignored = new Set<string>();
  const domains = constraints.map(() => new Map<string, number>());
  for (const node of nodes) {
    if (own && !hasKeys(node, constraints)) {
      ignored.add(nameOf(node));
      continue;
    }
    constraints.forEach(({ key }, i) => {
      if (key !== hostname) domains[i]?.set(labelOf(node, key) ?? '', 0);
    });
  }
  const weights = constraints.map(({ key }, i) => naturalLogarithm((key === hostname ? nodes.length - ignored.size : (domains[i] as Map<string, number>).size) + 2));
  const perNode = constraints.map((constraint) => matching(cycle, constraint));
  constraints.forEach((constraint, i) => {
    if (constraint.key === hostname) return;
    const counts = domains[i] as Map<string, number>;
    for (const each in perNode[i]) {
      const node = state.nodes[each];
      if (node?.node === undefined || (own && !hasKeys(node, constraints)) || !counted(node, pod, constraint)) continue;
      const value = labelOf(node, constraint.key) ?? '';
      const known = counts.get(value);
      if (known !== undefined) counts.set(value, known + (perNode[i]?.[each] ?? 0));
    }
  });
  cycle.data.set(`${name}/score`, { constraints, ignored, weights, domains, perNode } satisfies Soft);
  return true;
}

export const podTopologySpread: Plugin = {
  name,
  weight: 2,
  preFilter,
  filter,
  imagine,
  preScore,
  score: (cycle, node) => {
    const { constraints, ignored, weights, domains, perNode } = cycle.data.get(`${name}/score`) as Soft;
    if (ignored.has(nameOf(node))) return 0;
    let sum = 0;
    constraints.forEach(({ key, maxSkew }, i) => {
      const value = labelOf(node, key);
      if (value === undefined) return;
      const count = key === hostname ? (perNode[i]?.[nameOf(node)] ?? 0) : (domains[i]?.get(value) ?? 0);
      sum += count * (weights[i] as number) + (maxSkew - 1);
    });
    return Math.round(sum);
  },
  normalize: (cycle, scores, nodes) => {
    const { ignored } = cycle.data.get(`${name}/score`) as Soft;
    let least = Infinity;
    let most = 0;
    scores.forEach((score, i) => {
      if (ignored.has(nameOf(nodes[i] as NodeInfo))) return;
      least = Math.min(least, score);
      most = Math.max(most, score);
    });
    scores.forEach((score, i) => {
      if (ignored.has(nameOf(nodes[i] as NodeInfo))) scores[i] = 0;
      else scores[i] = most === 0 ? maxScore : Math.trunc((maxScore * (most + least - score)) / most);
    });
  },
  wakes: ({ kind, node, pod: other, podBefore }, pod) => {
    const constraints = constraintsOf(pod, 'DoNotSchedule');
    if (kind === 'node-add' || kind === 'node-update') return node !== undefined && hasKeys(node, constraints);
    if (other === undefined || other.metadata.namespace !== pod.metadata.namespace) return false;
    return constraints.some(({ selector }) => selectorMatches(selector, other.metadata.labels) || selectorMatches(selector, podBefore?.metadata.labels ?? {}));
  },
};
