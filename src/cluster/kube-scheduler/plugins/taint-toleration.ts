import { isKeptOff, tolerates } from '../../../api/core-v1/node-selection.ts';
import type { Pod, Taint } from '../../../api/schema/types.ts';
import { samePlain } from '../../../sim/plain.ts';
import { scaleToMax, unresolvable, type Plugin } from '../framework.ts';

const name = 'TaintToleration';

const hard = ['NoSchedule', 'NoExecute'];
export const untolerated = (pod: Pod, taints: readonly Taint[] | undefined): boolean => isKeptOff(pod.spec.tolerations, taints, hard);

export const taintToleration: Plugin = {
  name,
  weight: 3,
  local: true,
  filter: ({ pod }, { node }) => (untolerated(pod, node?.spec.taints) ? unresolvable(name, 'node(s) had untolerated taint(s)') : undefined),
  score: ({ pod }, { node }) => {
    let count = 0;
    for (const taint of node?.spec.taints ?? []) if (taint.effect === 'PreferNoSchedule' && !tolerates(pod.spec.tolerations, taint)) count++;
    return count;
  },
  normalize: (_cycle, scores) => scaleToMax(scores, true),
  wakes: ({ kind, node, before }, pod) => {
    if (kind === 'node-add') return !untolerated(pod, node?.node?.spec.taints);
    return kind === 'node-update' && !samePlain(before?.node?.spec.taints, node?.node?.spec.taints)
      && untolerated(pod, before?.node?.spec.taints) && !untolerated(pod, node?.node?.spec.taints);
  },
};
