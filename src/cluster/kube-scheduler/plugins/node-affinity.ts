import { nodeTermMatches, requiredNodeMatches } from '../../../api/core-v1/node-selection.ts';
import type { Node, NodeSelectorTerm } from '../../../api/schema/types.ts';
import { samePlain } from '../../../sim/plain.ts';
import { scaleToMax, unresolvable, type Plugin } from '../framework.ts';

const name = 'NodeAffinity';
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
  local: true,
  preFilter: ({ pod }) => {
    const required = pod.spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
    if (required === undefined) return pod.spec.nodeSelector === undefined ? false : undefined;
    const only = required.nodeSelectorTerms.length === 0 ? undefined : namedNodes(required.nodeSelectorTerms);
    if (only === undefined) return undefined;
    return only.size === 0 ? unresolvable(name, 'pod affinity terms conflict') : { only };
  },
  filter: ({ pod }, { node }) => (node !== undefined && !requiredNodeMatches(pod.spec, node) ? unresolvable(name, "node(s) didn't match Pod's node affinity/selector") : undefined),
  preScore: ({ pod }) => (pod.spec.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).length > 0,
  score: ({ pod }, { node }) => {
    let sum = 0;
    for (const { weight, preference } of pod.spec.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []) {
      if (weight !== 0 && node !== undefined && nodeTermMatches(preference, node)) sum += weight;
    }
    return sum;
  },
  normalize: (_cycle, scores) => scaleToMax(scores, false),
  wakes: ({ kind, node, before }, pod) => {
    const fits = node?.node !== undefined && requiredNodeMatches(pod.spec, node.node);
    if (kind === 'node-add') return fits;
    return kind === 'node-update' && fits && !samePlain(before?.node?.metadata.labels, node?.node?.metadata.labels) && !requiredNodeMatches(pod.spec, before?.node as Node);
  },
};
