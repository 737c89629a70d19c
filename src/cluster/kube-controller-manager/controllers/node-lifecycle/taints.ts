import { findCondition } from '../../../../api/meta/conditions.ts';
import type { Node, Taint } from '../../../../api/schema/types.ts';

export const notReady = 'node.kubernetes.io/not-ready';
export const unreachable = 'node.kubernetes.io/unreachable';
const unschedulableKey = 'node.kubernetes.io/unschedulable';

/** Condition, its status, the taint that shows it. Upstream: node_lifecycle_controller.go nodeConditionToTaintKeyStatusMap. */
const conditionTaints: readonly [string, string, string][] = [
  ['Ready', 'False', notReady],
  ['Ready', 'Unknown', unreachable],
  ['MemoryPressure', 'True', 'node.kubernetes.io/memory-pressure'],
  ['DiskPressure', 'True', 'node.kubernetes.io/disk-pressure'],
  ['NetworkUnavailable', 'True', 'node.kubernetes.io/network-unavailable'],
  ['PIDPressure', 'True', 'node.kubernetes.io/pid-pressure'],
];
const managed = new Set([unschedulableKey, ...conditionTaints.map(([, , key]) => key)]);

export const readyStatus = (node: Node): string => findCondition(node.status?.conditions, 'Ready')?.status ?? '';

/** The NoExecute taint that the node's state asks for. */
export function evictionTaint(node: Node): string | undefined {
  const ready = readyStatus(node);
  return ready === 'False' ? notReady : ready === 'Unknown' ? unreachable : undefined;
}

export const hasTaint = ({ spec }: Node, key: string, effect: string): boolean => spec.taints?.some((taint) => taint.key === key && taint.effect === effect) ?? false;

/** The node's taints with the NoSchedule ones as its conditions ask for, or undefined if they are. Upstream: doNoScheduleTaintingPass. */
export function scheduleTaints(node: Node, timeAdded: string): Taint[] | undefined {
  const wanted = conditionTaints.filter(([type, status]) => findCondition(node.status?.conditions, type)?.status === status).map(([, , key]) => key);
  if (node.spec.unschedulable === true) wanted.push(unschedulableKey);
  const old = node.spec.taints ?? [];
  const kept = old.filter(({ key, effect }) => effect !== 'NoSchedule' || !managed.has(key) || wanted.includes(key));
  const added = wanted.filter((key) => !hasTaint(node, key, 'NoSchedule')).map((key): Taint => ({ key, effect: 'NoSchedule', timeAdded }));
  return added.length === 0 && kept.length === old.length ? undefined : [...kept, ...added];
}

/** Likewise for NoExecute: at most one of not-ready and unreachable. */
export function executeTaints(node: Node, wanted: string | undefined, timeAdded: string): Taint[] | undefined {
  const old = node.spec.taints ?? [];
  const kept = old.filter(({ key, effect }) => effect !== 'NoExecute' || (key !== notReady && key !== unreachable) || key === wanted);
  const add = wanted !== undefined && !hasTaint(node, wanted, 'NoExecute');
  return !add && kept.length === old.length ? undefined : [...kept, ...(add ? [{ key: wanted, effect: 'NoExecute', timeAdded }] : [])];
}
