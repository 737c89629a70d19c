import { findCondition, setCondition } from '../../api/meta/conditions.ts';
import type { Pod, PodCondition } from '../../api/schema/types.ts';
import type { ApiResponse, Context } from '../component.ts';
import type { Outcome } from './cycle.ts';
import { fitError, reasonsOf } from './failure-text.ts';
import { priorityOf } from './pod-facts.ts';
import type { Preemption } from './preemption.ts';
import { failedOnce, flushTick, park } from './queue.ts';
import type { QueuedPod, SchedulerState } from './state.ts';
import { note, report } from './tell.ts';

const ownName = 'default-scheduler';
/** Rejects pods as long as there is no node at all: any new one wakes them. */
export const noNodes = 'NoNodes';

/** Upstream: schedule_one.go handleSchedulingFailure. */
export function fail(state: SchedulerState, pod: Pod, outcome: Outcome, helped: Preemption | undefined, context: Context): void {
  const { queue } = state;
  const { uid } = pod.metadata;
  const waiting = queue.pods[uid] as QueuedPod;
  const { preFilter, rejections, nodeCount } = outcome;
  const base = nodeCount === 0 ? 'no nodes available to schedule pods'
    : preFilter !== undefined ? `0/${nodeCount} nodes are available: ${preFilter.reasons.join(', ')}. not found`
      : fitError(nodeCount, reasonsOf(rejections.values()));
  const message = helped === undefined ? base : `${base} ${helped.text}`;
  failedOnce(waiting, false, context.now);
  const rejecting = new Set<string>(preFilter === undefined ? [] : [preFilter.plugin]);
  for (const { plugin } of rejections.values()) rejecting.add(plugin);
  park(queue, uid, nodeCount === 0 ? [noNodes] : [...rejecting], context.now);
  armFlush(state, context);
  report(context, pod, 'Warning', 'FailedScheduling', 'Scheduling', message);
  note(context, pod, outcome, 'unschedulable', message);
  if (helped?.node !== undefined) {
    const { namespace = '', name } = pod.metadata;
    state.nominated[uid] = { node: helped.node, namespace, name, priority: priorityOf(pod) };
    evict(pod, helped, context);
  } else if (helped?.clearNomination === true) delete state.nominated[uid];
  writeCondition(pod, 'Unschedulable', message, helped?.node ?? (helped?.clearNomination === true ? '' : undefined), context);
}

/** Upstream: pkg/scheduler/framework/preemption PreemptPod. */
function evict(pod: Pod, { victims, node }: Preemption, context: Context): void {
  for (const victim of victims) {
    const { namespace = '', name, generation } = victim.metadata;
    const condition: PodCondition = {
      type: 'DisruptionTarget', status: 'True', reason: 'PreemptionByScheduler', message: `${ownName}: preempting to accommodate a higher priority pod`, lastTransitionTime: context.timestamp,
      ...(generation === undefined ? {} : { observedGeneration: generation }),
    };
    context.api({ verb: 'patch', resource: 'pods', namespace, name, subresource: 'status', patch: { type: 'strategic', body: { metadata: { uid: victim.metadata.uid }, status: { conditions: [condition] } } } },
      { kind: 'marked', payload: { victim, by: pod.metadata.uid, node } });
  }
}

export interface MarkedReply {
  victim: Pod;
  by: string;
  node: string;
  response: ApiResponse;
}

/** The victim bears its condition: now it is deleted. */
export function marked({ victim, by, node, response }: MarkedReply, context: Context): void {
  if (response.code >= 400) return;
  const { namespace = '', name, uid } = victim.metadata;
  context.api({ verb: 'delete', resource: 'pods', namespace, name, options: { preconditions: { uid } } });
  report(context, victim, 'Normal', 'Preempted', 'Preempting', `Preempted by pod ${by} on node ${node}`);
}

export function writeCondition(pod: Pod, reason: string, message: string, nominated: string | undefined, context: Context): void {
  const { namespace = '', name, uid, generation } = pod.metadata;
  const next: PodCondition = {
    type: 'PodScheduled', status: 'False', reason, message, lastTransitionTime: context.timestamp, ...(generation === undefined ? {} : { observedGeneration: generation }),
  };
  const known = pod.status.conditions ?? [];
  const conditions = setCondition(known, next);
  const nominationChanges = nominated !== undefined && nominated !== (pod.status.nominatedNodeName ?? '');
  if (conditions === known && !nominationChanges) return;
  const condition = findCondition(conditions, 'PodScheduled') as PodCondition;
  const status = { conditions: [condition], ...(nominationChanges ? { nominatedNodeName: nominated === '' ? null : nominated } : {}) };
  context.api({ verb: 'patch', resource: 'pods', namespace, name, subresource: 'status', patch: { type: 'strategic', body: { metadata: { uid }, status } } });
}

export function armFlush({ queue }: SchedulerState, context: Context): void {
  if (queue.flushAt !== null) return;
  let earliest = Infinity;
  for (const uid in queue.pods) {
    const pod = queue.pods[uid] as QueuedPod;
    if (pod.where === 'unschedulable' && !pod.plugins.includes('SchedulingGates')) earliest = Math.min(earliest, pod.at);
  }
  if (earliest === Infinity) return;
  queue.flushAt = flushTick(earliest);
  context.schedule({ afterMs: Math.max(1, queue.flushAt - context.now), kind: 'flush', key: 'flush' });
}
