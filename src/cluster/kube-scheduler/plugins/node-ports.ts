import { unschedulable, type Plugin } from '../framework.ts';
import { hostPorts, type HostPort } from '../pod-facts.ts';
import type { NodeInfo } from '../state.ts';

const name = 'NodePorts';
const any = '0.0.0.0';

/** Upstream: pkg/scheduler/framework/types.go HostPortInfo.CheckConflict. */
function conflicts({ protocol, ip, port }: HostPort, { ports }: NodeInfo): boolean {
  if (ip !== any) return ports[`${protocol}/${any}/${port}`] !== undefined || ports[`${protocol}/${ip}/${port}`] !== undefined;
  for (const used in ports) if (used.startsWith(`${protocol}/`) && used.endsWith(`/${port}`)) return true;
  return false;
}

export const nodePorts: Plugin = {
  name,
  local: true,
  preFilter: ({ pod }) => (hostPorts(pod).length === 0 ? false : undefined),
  filter: ({ pod }, node) => (hostPorts(pod).some((port) => conflicts(port, node)) ? unschedulable(name, "node(s) didn't have free ports for the requested pod ports") : undefined),
  wakes: ({ kind, pod: gone }, pod) => {
    if (kind === 'node-add') return true;
    if (kind !== 'pod-delete' || gone === undefined) return false;
    return hostPorts(pod).some((a) => hostPorts(gone).some((b) => a.port === b.port && a.protocol === b.protocol && (a.ip === b.ip || a.ip === any || b.ip === any)));
  },
};
