import type { Node, NodeSelector, NodeSelectorRequirement, NodeSelectorTerm, PodSpec, Taint, Toleration } from '../schema/types.ts';

/** Which nodes a pod may be on: taints and tolerations, node selectors and affinity. Upstream: component-helpers scheduling/corev1. */

/** The first toleration that covers a taint. Upstream: FindMatchingTolerations, Toleration.ToleratesTaint. */
export function tolerationFor(tolerations: readonly Toleration[] | undefined, taint: Taint): Toleration | undefined {
  return tolerations?.find(({ effect, key, operator, value }) => {
    if (effect && effect !== taint.effect) return false;
    if (key && key !== taint.key) return false;
    if (operator === 'Exists') return true;
    return (!operator || operator === 'Equal') && !!key && (value ?? '') === (taint.value ?? '');
  });
}

export const tolerates = (tolerations: readonly Toleration[] | undefined, taint: Taint): boolean => tolerationFor(tolerations, taint) !== undefined;

/** Some taint with one of the effects is not tolerated. */
export const isKeptOff = (tolerations: readonly Toleration[] | undefined, taints: readonly Taint[] | undefined, effects: readonly string[]): boolean =>
  taints?.some((taint) => effects.includes(taint.effect) && !tolerates(tolerations, taint)) ?? false;

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

/** A term without anything in it matches nothing. */
export function nodeTermMatches({ matchExpressions = [], matchFields = [] }: NodeSelectorTerm, { metadata }: Node): boolean {
  if (matchExpressions.length === 0 && matchFields.length === 0) return false;
  return matchExpressions.every((term) => requirementMatches(term, metadata.labels?.[term.key]))
    && matchFields.every((term) => requirementMatches(term, term.key === 'metadata.name' ? metadata.name : undefined));
}

/** Terms are alternatives. */
export const nodeSelectorMatches = ({ nodeSelectorTerms }: NodeSelector, node: Node): boolean => nodeSelectorTerms.some((term) => nodeTermMatches(term, node));

/** nodeSelector and required node affinity. Upstream: GetRequiredNodeAffinity(pod).Match. */
export function requiredNodeMatches({ nodeSelector, affinity }: PodSpec, node: Node): boolean {
  for (const key in nodeSelector) if (node.metadata.labels?.[key] !== nodeSelector[key]) return false;
  const required = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  return required === undefined || nodeSelectorMatches(required, node);
}
