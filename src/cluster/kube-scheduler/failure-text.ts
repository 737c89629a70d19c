import { compareText } from '../../sim/plain.ts';
import type { Rejection } from './framework.ts';

/** '0/3 nodes are available: 1 Insufficient cpu, 2 node(s) had untolerated taint(s).' Upstream: pkg/scheduler/framework/types.go FitError.Error. */
export function fitError(nodeCount: number, reasons: Iterable<readonly string[]>): string {
  const counts = new Map<string, number>();
  for (const list of reasons) for (const reason of list) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const parts = [...counts].map(([reason, count]) => `${count} ${reason}`).sort(compareText);
  return `0/${nodeCount} nodes are available${parts.length === 0 ? '' : `: ${parts.join(', ')}.`}`;
}

export const reasonsOf = function* (rejections: Iterable<Rejection>): Iterable<readonly string[]> {
  for (const { reasons } of rejections) yield reasons;
};
