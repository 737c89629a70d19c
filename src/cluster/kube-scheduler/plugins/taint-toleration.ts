import type { Pod, Taint, Toleration } from '../../../api/schema/types.ts';
import { samePlain } from '../../../sim/plain.ts';
import { scaleToMax, unresolvable, type Plugin } from '../framework.ts';

const name = 'TaintToleration';

/** Upstream: component-helpers scheduling/corev1 ToleratesTaint. */
export function toleration(tolerations: readonly Toleration[] | undefined, taint: Taint): Toleration | undefined {
  return tolerations?.find(({ effect, key, operator, value }) => {
    if (effect && effect !== taint.effect) return false;
    if (key && key !== taint.key) return false;
    if (operator === 'Exists') return true;
    return (!operator || operator === 'Equal') && !!key && (value ?? '') === (taint.value ?? '');
  });
}

export const tolerates = (pod: Pod, taint: Taint): boolean => toleration(pod.spec.tolerations, taint) !== undefined;

const keepsOff = ({ effect }: Taint) => effect === 'NoSchedule' || effect === 'NoExecute';

export const untolerated = (pod: Pod, taints: readonly Taint[] | undefined): boolean => taints?.some((taint) => keepsOff(taint) && !tolerates(pod, taint)) ?? false;

export const taintToleration: Plugin = {
  name,
  weight: 3,
  filter: ({ pod }, { node }) => (untolerated(pod, node?.spec.taints) ? unresolvable(name, 'node(s) had untolerated taint(s)') : undefined),
  score: ({ pod }, { node }) => {
    let count = 0;
    for (const taint of node?.spec.taints ?? []) if (taint.effect === 'PreferNoSchedule' && !tolerates(pod, taint)) count++;
    return count;
  },
  normalize: (_cycle, scores) => scaleToMax(scores, true),
  wakes: ({ kind, node, before }, pod) => {
    if (kind === 'node-add') return !untolerated(pod, node?.node?.spec.taints);
    return kind === 'node-update' && !samePlain(before?.node?.spec.taints, node?.node?.spec.taints)
      && untolerated(pod, before?.node?.spec.taints) && !untolerated(pod, node?.node?.spec.taints);
  },
};
