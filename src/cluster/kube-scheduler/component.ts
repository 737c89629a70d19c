import { schedule, startCycle } from './cycle.ts';
import type { Component, Context, WatchChange } from '../component.ts';
import { assume, bound, volumesLate, type BoundReply } from './binding.ts';
import { armFlush, fail, marked, type MarkedReply } from './failure.ts';
import { observe } from './observe.ts';
import { podText } from './pod-facts.ts';
import { preempt } from './preemption.ts';
import { leftovers, popPod, removeQueued, requeue } from './queue.ts';
import { createSchedulerState, type QueuedPod, type SchedulerState } from './state.ts';
import { report } from './tell.ts';

export const scheduler: Component<SchedulerState> = {
  reportsAs: 'default-scheduler',
  watches: [
    { resource: 'pods' }, { resource: 'nodes' }, { resource: 'namespaces' }, { resource: 'services' }, { resource: 'replicasets.apps' }, { resource: 'statefulsets.apps' },
    { resource: 'replicationcontrollers' }, { resource: 'persistentvolumeclaims' }, { resource: 'persistentvolumes' }, { resource: 'storageclasses.storage.k8s.io' },
    { resource: 'poddisruptionbudgets.policy' },
  ],
  start: createSchedulerState,
  handle: (state, event, context) => {
    switch (event.kind) {
      case 'watch':
        for (const change of (event.payload as { changes: WatchChange[] }).changes) observe(state, change, context);
        break;
      case 'cycle':
        state.cycleDue = false;
        scheduleOne(state, context);
        break;
      case 'bound':
        bound(state, event.payload as BoundReply, context);
        break;
      case 'marked':
        marked(event.payload as MarkedReply, context);
        break;
      case 'volumes-late':
        volumesLate(state, (event.payload as { uid: string }).uid, context);
        break;
      case 'flush':
        state.queue.flushAt = null;
        for (const uid of leftovers(state.queue, context.now)) requeue(state.queue, uid, context.now);
        armFlush(state, context);
        break;
    }
    continueWork(state, context);
  },
};

/** Held back for an error it waits its time; otherwise an idle scheduler takes it at once. */
const isDue = ({ isError, backoffUntil }: QueuedPod, now: number): boolean => !isError || backoffUntil <= now;

/** One cycle at a time; a millisecond or so each. */
function continueWork(state: SchedulerState, context: Context): void {
  const { queue } = state;
  if (state.cycleDue) return;
  if (queue.active.length > 0 || queue.backoff.some((uid) => isDue(queue.pods[uid] as QueuedPod, context.now))) {
    state.cycleDue = true;
    context.schedule({ afterMs: context.random('cycle').between(1, 2), kind: 'cycle' });
    return;
  }
  const [first] = queue.backoff;
  if (first === undefined) return;
  const until = (queue.pods[first] as QueuedPod).backoffUntil;
  context.schedule({ afterMs: Math.max(1, until - context.now), kind: 'wake', key: 'wake' });
}

function scheduleOne(state: SchedulerState, context: Context): void {
  const { queue } = state;
  const uid = popPod(queue, context.now);
  if (uid === undefined) return;
  const { namespace, name } = queue.pods[uid] as QueuedPod;
  const pod = context.view.get('pods', namespace, name);
  if (pod === undefined || pod.metadata.uid !== uid) return removeQueued(queue, uid);
  if (pod.metadata.deletionTimestamp !== undefined) {
    removeQueued(queue, uid);
    return report(context, pod, 'Warning', 'FailedScheduling', 'Scheduling', `skip schedule deleting pod: ${podText(pod)}`);
  }
  const random = (bound: number) => context.random('choice').below(bound);
  const cycle = startCycle(pod, state, context);
  const outcome = schedule(cycle, random);
  if (outcome.node !== undefined) return assume(state, cycle, outcome, context);
  const helped = outcome.nodeCount === 0 || outcome.preFilter !== undefined ? undefined : preempt(cycle, outcome, random);
  fail(state, pod, outcome, helped, context);
}
