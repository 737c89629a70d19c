import type { Pod } from '../../api/schema/types.ts';
import type { Context, EventInput } from '../component.ts';
import type { SchedulingDecision } from '../notes.ts';
import type { Outcome, Scores } from './cycle.ts';

/** The film shows at most this many nodes of one decision. */
const notedNodes = 60;

export function report(context: Context, pod: Pod, type: 'Normal' | 'Warning', reason: string, action: string, message: string): void {
  const { namespace = '', name, uid, resourceVersion } = pod.metadata;
  const regarding: EventInput['regarding'] = { apiVersion: 'v1', kind: 'Pod', namespace, name, uid, resourceVersion };
  context.event({ regarding, type, reason, message, action });
}

export function note(context: Context, pod: Pod, { node, rejections, scores, tied }: Outcome, outcome: SchedulingDecision['outcome'], message?: string): void {
  const nodes = scores === undefined ? (node === undefined ? [] : [{ node }]) : scoredNodes(scores);
  for (const [refused, { plugin, reasons }] of rejections) {
    if (nodes.length >= notedNodes) break;
    nodes.push({ node: refused, filter: plugin, reason: reasons.join(', ') });
  }
  context.note('scheduling', {
    podUid: pod.metadata.uid, outcome, nodes,
    ...(node === undefined ? {} : { node }), ...(message === undefined ? {} : { message }), ...(tied.length === 0 ? {} : { tied: tied.slice(0, notedNodes) }),
  });
}

/** The best nodes with what each plugin gave them. */
function scoredNodes({ nodes, columns, totals }: Scores): SchedulingDecision['nodes'] {
  const places = nodes.map((_, i) => i);
  if (places.length > notedNodes) places.sort((a, b) => (totals[b] as number) - (totals[a] as number) || a - b).length = notedNodes;
  return places.map((i) => {
    const own: Record<string, number> = {};
    for (const { plugin, values } of columns) own[plugin] = values[i] as number;
    return { node: nodes[i] as string, scores: own, total: totals[i] as number };
  });
}
