import type { Node, NodeSelector, NodeSelectorRequirement, NodeSelectorTerm, Pod } from '../../../api/schema/types.ts';
import { samePlain } from '../../../sim/plain.ts';
import { scaleToMax, unresolvable, type Plugin } from '../framework.ts';

const name = 'NodeAffinity';
const whole = /^[+-]?\d+$/;

function requirementMatches({ key, operator, values = [] }: NodeSelectorRequirement, value: string | undefined): boolean {
  switch (operator) {
    case 'In': return value !== undefined && values.includes(value);
    case 'NotIn': return value === undefined || !values.includes(value);
    case 'Exists': return value !== undefined;
    case 'DoesNotExist': return value === undefined;
    case 'Gt': case 'Lt': {
      const bound = values[0];
      if (value === undefined || bound === undefined || !whole.test(value) || !whole.test(bound)) return false;
      return operator === 'Gt' ? Number(value) > Number(bound) : Number(value) < Number(bound);
    }
    default: return key === '';
  }
}

/** A term without anything in it matches nothing. Upstream: component-helpers scheduling/corev1/nodeaffinity. */
function termMatches({ matchExpressions = [], matchFields = [] }: NodeSelectorTerm, { metadata }: Node): boolean {
  if (matchExpressions.length === 0 && matchFields.length === 0) return false;
  return matchExpressions.every((term) => requirementMatches(term, metadata.labels?.[term.key]))
    && matchFields.every((term) => requirementMatches(term, term.key === 'metadata.name' ? metadata.name : undefined));
}

/** Terms are alternatives. */
export const selectorTermsMatch = ({ nodeSelectorTerms }: NodeSelector, node: Node): boolean => nodeSelectorTerms.some((term) => termMatches(term, node));

/** nodeSelector and required node affinity. */
export function requiredMatches({ spec }: Pod, node: Node): boolean {
  for (const key in spec.nodeSelector) if (node.metadata.labels?.[key] !== spec.nodeSelector[key]) return false;
  const required = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  return required === undefined || selectorTermsMatch(required, node);
}

/** The nodes that terms name one by one; undefined if some term does not. Upstream: NodeAffinity.PreFilter. */
function namedNodes(terms: readonly NodeSelectorTerm[]): Set<string> | undefined {
  const all = new Set<string>();
  for (const { matchFields = [] } of terms) {
    let named: string[] | undefined;
    for (const { key, operator, values = [] } of matchFields) {
      if (key !== 'metadata.name' || operator !== 'In') continue;
      named = named === undefined ? values : named.filter((value) => values.includes(value));
    }
    if (named === undefined) return undefined;
    for (const node of named) all.add(node);
  }
  return all;
}

export const nodeAffinity: Plugin = {
  name,
  weight: 2,
  preFilter: ({ pod }) => {
    const required = pod.spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
    if (required === undefined) return pod.spec.nodeSelector === undefined ? false : undefined;
    const only = required.nodeSelectorTerms.length === 0 ? undefined : namedNodes(required.nodeSelectorTerms);
    if (only === undefined) return undefined;
    return only.size === 0 ? unresolvable(name, 'pod affinity terms conflict') : { only };
  },
  filter: ({ pod }, { node }) => (node !== undefined && !requiredMatches(pod, node) ? unresolvable(name, "node(s) didn't match Pod's node affinity/selector") : undefined),
  preScore: ({ pod }) => (pod.spec.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).length > 0,
  score: ({ pod }, { node }) => {
    let sum = 0;
    for (const { weight, preference } of pod.spec.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []) {
      if (weight !== 0 && node !== undefined && termMatches(preference, node)) sum += weight;
    }
    return sum;
  },
  normalize: (_cycle, scores) => scaleToMax(scores, false),
  wakes: ({ kind, node, before }, pod) => {
    const fits = node?.node !== undefined && requiredMatches(pod, node.node);
    if (kind === 'node-add') return fits;
    return kind === 'node-update' && fits && !samePlain(before?.node?.metadata.labels, node?.node?.metadata.labels) && !requiredMatches(pod, before?.node as Node);
  },
};
