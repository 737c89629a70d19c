import { nameOf, unresolvable, type Plugin } from '../framework.ts';

const name = 'NodeName';

export const nodeName: Plugin = {
  name,
  local: true,
  preFilter: ({ pod }) => (pod.spec.nodeName ? undefined : false),
  filter: ({ pod }, node) => (pod.spec.nodeName && pod.spec.nodeName !== nameOf(node) ? unresolvable(name, "node(s) didn't match the requested node name") : undefined),
  wakes: ({ kind }) => kind === 'node-add',
};
