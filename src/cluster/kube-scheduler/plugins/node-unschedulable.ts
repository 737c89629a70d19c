import { tolerates } from '../../../api/core-v1/node-selection.ts';
import { unresolvable, type Plugin } from '../framework.ts';

const name = 'NodeUnschedulable';
const taint = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };

export const nodeUnschedulable: Plugin = {
  name,
  local: true,
  filter: ({ pod }, { node }) => (node?.spec.unschedulable === true && !tolerates(pod.spec.tolerations, taint) ? unresolvable(name, 'node(s) were unschedulable') : undefined),
  wakes: ({ kind, node, before }, pod) => kind === 'node-add' || (kind === 'node-update' && before?.node?.spec.unschedulable === true && node?.node?.spec.unschedulable !== true)
    || (kind === 'node-update' && tolerates(pod.spec.tolerations, taint)),
};
