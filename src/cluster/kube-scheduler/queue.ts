import type { Pod } from '../../api/schema/types.ts';
import type { SimTime } from '../../sim/time.ts';
import { priorityOf } from './pod-facts.ts';
import type { HeapEntry, QueuedPod, QueueState } from './state.ts';

/** Upstream: pkg/scheduler/backend/queue (DefaultPodInitialBackoffDuration, DefaultPodMaxBackoffDuration, DefaultPodMaxInUnschedulablePodsDuration). */
const firstBackoffMs = 1000;
const longestBackoffMs = 10_000;
const maxUnschedulableMs = 300_000;
const flushPeriodMs = 30_000;

export function queuedPod(pod: Pod, at: SimTime): QueuedPod {
  const { namespace = '', name } = pod.metadata;
  return {
    namespace, name, priority: priorityOf(pod), where: 'unschedulable', at, seq: 0, unschedulableCount: 0, errorCount: 0, isError: false, backoffUntil: 0, plugins: [],
  };
}

/** PrioritySort: the higher priority, then the longer wait. */
const before = (a: HeapEntry, b: HeapEntry) => a.priority > b.priority || (a.priority === b.priority && (a.at < b.at || (a.at === b.at && a.seq < b.seq)));

function pushHeap(heap: HeapEntry[], entry: HeapEntry): void {
  let index = heap.length;
  heap.push(entry);
  while (index > 0) {
    const parent = (index - 1) >> 1;
    if (!before(entry, heap[parent] as HeapEntry)) break;
    heap[index] = heap[parent] as HeapEntry;
    index = parent;
  }
  heap[index] = entry;
}

function popHeap(heap: HeapEntry[]): HeapEntry | undefined {
  const first = heap[0];
  const last = heap.pop();
  if (first === undefined || last === undefined || heap.length === 0) return first;
  let index = 0;
  for (;;) {
    let child = 2 * index + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && before(heap[child + 1] as HeapEntry, heap[child] as HeapEntry)) child++;
    if (!before(heap[child] as HeapEntry, last)) break;
    heap[index] = heap[child] as HeapEntry;
    index = child;
  }
  heap[index] = last;
  return first;
}

function leave(queue: QueueState, uid: string, pod: QueuedPod): void {
  if (pod.where === 'unschedulable') {
    for (const plugin of pod.plugins) {
      const left = (queue.rejectedBy[plugin] ?? 1) - 1;
      if (left === 0) delete queue.rejectedBy[plugin];
      else queue.rejectedBy[plugin] = left;
    }
  } else if (pod.where === 'backoff') queue.backoff.splice(queue.backoff.indexOf(uid), 1);
}

export function activate(queue: QueueState, uid: string, now: SimTime): void {
  const pod = queue.pods[uid];
  if (pod === undefined || pod.where === 'active') return;
  leave(queue, uid, pod);
  pod.where = 'active';
  pod.at = now;
  pod.seq = queue.nextSeq++;
  pushHeap(queue.active, { uid, priority: pod.priority, at: now, seq: pod.seq });
}

/** Waits for an event that one of the plugins registered for. */
export function park(queue: QueueState, uid: string, plugins: readonly string[], now: SimTime): void {
  const pod = queue.pods[uid];
  if (pod === undefined) return;
  leave(queue, uid, pod);
  Object.assign(pod, { where: 'unschedulable', at: now, plugins: [...plugins] });
  for (const plugin of plugins) queue.rejectedBy[plugin] = (queue.rejectedBy[plugin] ?? 0) + 1;
}

/** Back to the queue after an event: at once, or when its back-off is over. */
export function requeue(queue: QueueState, uid: string, now: SimTime): void {
  const pod = queue.pods[uid];
  if (pod === undefined || pod.where === 'active' || pod.where === 'backoff') return;
  if (pod.backoffUntil <= now) return activate(queue, uid, now);
  leave(queue, uid, pod);
  pod.where = 'backoff';
  const index = queue.backoff.findIndex((other) => (queue.pods[other] as QueuedPod).backoffUntil > pod.backoffUntil);
  queue.backoff.splice(index < 0 ? queue.backoff.length : index, 0, uid);
}

/** Notes a failure and how long to hold back. Windows end on whole seconds. Upstream: backoff_queue.go calculateBackoffDuration, alignToWindow. */
export function failedOnce(pod: QueuedPod, isError: boolean, now: SimTime): void {
  pod.isError = isError;
  if (isError) pod.errorCount++;
  else {
    pod.unschedulableCount++;
    pod.errorCount = 0;
  }
  let waitMs = firstBackoffMs;
  for (let i = 1; i < (isError ? pod.errorCount : pod.unschedulableCount) && waitMs < longestBackoffMs; i++) waitMs *= 2;
  pod.backoffUntil = Math.floor((now + Math.min(waitMs, longestBackoffMs)) / 1000) * 1000;
}

/** The next pod to try: from the active heap; if that is empty an idle scheduler takes one that is still held back, unless it is for an error. */
export function popPod(queue: QueueState, now: SimTime): string | undefined {
  for (let entry = popHeap(queue.active); entry !== undefined; entry = popHeap(queue.active)) {
    const pod = queue.pods[entry.uid];
    if (pod?.where !== 'active' || pod.seq !== entry.seq) continue;
    pod.where = 'in-flight';
    return entry.uid;
  }
  const uid = queue.backoff.find((candidate) => !(queue.pods[candidate] as QueuedPod).isError || (queue.pods[candidate] as QueuedPod).backoffUntil <= now);
  if (uid === undefined) return undefined;
  const pod = queue.pods[uid] as QueuedPod;
  leave(queue, uid, pod);
  pod.where = 'in-flight';
  return uid;
}

export function removeQueued(queue: QueueState, uid: string): void {
  const pod = queue.pods[uid];
  if (pod === undefined) return;
  leave(queue, uid, pod);
  delete queue.pods[uid];
}

/** The pods that have waited for an event for more than five minutes, looked for every 30 s. */
export function leftovers(queue: QueueState, now: SimTime): string[] {
  return Object.keys(queue.pods).filter((uid) => {
    const pod = queue.pods[uid] as QueuedPod;
    return pod.where === 'unschedulable' && pod.plugins.length > 0 && !pod.plugins.includes('SchedulingGates') && now - pod.at > maxUnschedulableMs;
  });
}

/** The tick at which the flush would find a pod that is parked now. */
export const flushTick = (parkedAt: SimTime): SimTime => (Math.floor((parkedAt + maxUnschedulableMs) / flushPeriodMs) + 1) * flushPeriodMs;
