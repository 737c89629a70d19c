import type { ApiObject } from '../../../api/resources.ts';
import type { Node } from '../../../api/schema/types.ts';
import type { Plugin } from './plugin.ts';

const key = 'node.kubernetes.io/not-ready';

/** A new node takes no pods until the node controller has seen it ready. Upstream: plugin/pkg/admission/nodetaint. */
export const taintNodesByCondition: Plugin = {
  name: 'TaintNodesByCondition',
  resources: ['nodes'],
  admit: ({ object, old }) => {
    const node = object as Node;
    const taints = node.spec?.taints ?? [];
    if (old !== undefined || taints.some((taint) => taint.key === key && taint.effect === 'NoSchedule')) return object;
    return { ...node, spec: { ...node.spec, taints: [...taints, { key, effect: 'NoSchedule' }] } } as ApiObject;
  },
};
