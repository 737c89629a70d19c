import type { Pod } from '../../api/schema/types.ts';
import type { Context, EventInput } from '../component.ts';
import type { SchedulingDecision } from '../notes.ts';
import type { Outcome } from './cycle.ts';

/** The film shows at most this many nodes of one decision. */
const notedNodes = 60;

export function report(context: Context, pod: Pod, type: 'Normal' | 'Warning', reason: string, action: string, message: string): void {
  const { namespace = '', name, uid, resourceVersion } = pod.metadata;
  const regarding: EventInput['regarding'] = { apiVersion: 'v1', kind: 'Pod', namespace, name, uid, resourceVersion };
  context.event({ regarding, type, reason, message, action });
}

export function note(context: Context, pod: Pod, { node, rejections, scored, tied }: Outcome, outcome: SchedulingDecision['outcome'], message?: string): void {
  const nodes: SchedulingDecision['nodes'] = [];
  for (const entry of scored) nodes.push({ node: entry.node, scores: entry.scores, total: entry.total });
  if (scored.length === 0 && node !== undefined) nodes.push({ node });
  if (nodes.length > notedNodes) nodes.sort((a, b) => (b.total ?? 0) - (a.total ?? 0)).length = notedNodes;
  for (const [refused, { plugin, reasons }] of rejections) {
    if (nodes.length >= notedNodes) break;
    nodes.push({ node: refused, filter: plugin, reason: reasons.join(', ') });
  }
  context.note('scheduling', {
    podUid: pod.metadata.uid, outcome, nodes,
    ...(node === undefined ? {} : { node }), ...(message === undefined ? {} : { message }), ...(tied.length === 0 ? {} : { tied: tied.slice(0, notedNodes) }),
  });
}
