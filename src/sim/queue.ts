import type { SimTime } from './time.ts';

/** What is to happen: plain data, never a callback. `cause` is the seq of the event whose handling scheduled it (0: the outside). */
export interface SimEvent<P = unknown> {
  at: SimTime;
  seq: number;
  to: string;
  kind: string;
  payload: P;
  cause: number;
  /** Of one receiver's events with the same key only the newest counts: a timer that is set anew. In the queue the receiver's name is part of it. */
  key?: string;
}

/** A binary heap ordered by (at, seq). Plain data throughout. */
export interface EventQueue {
  heap: SimEvent[];
  /** 'receiver key' -> seq of the one event that counts. */
  keyed: Record<string, number>;
}

export const createQueue = (): EventQueue => ({ heap: [], keyed: {} });

const before = (a: SimEvent, b: SimEvent) => a.at < b.at || (a.at === b.at && a.seq < b.seq);
const slot = (to: string, key: string) => `${to} ${key}`;

export function push(queue: EventQueue, event: SimEvent): void {
  if (event.key !== undefined) {
    event.key = slot(event.to, event.key);
    queue.keyed[event.key] = event.seq;
  }
  const { heap } = queue;
  let index = heap.length;
  heap.push(event);
  while (index > 0) {
    const parent = (index - 1) >> 1;
    const above = heap[parent] as SimEvent;
    if (!before(event, above)) break;
    heap[index] = above;
    index = parent;
  }
  heap[index] = event;
}

/** Takes back the event that a receiver has under this key, if any. */
export function cancel(queue: EventQueue, to: string, key: string): void {
  delete queue.keyed[slot(to, key)];
}

function removeFirst(queue: EventQueue): SimEvent {
  const { heap } = queue;
  const first = heap[0] as SimEvent;
  const last = heap.pop() as SimEvent;
  const size = heap.length;
  if (size === 0) return first;
  let index = 0;
  for (;;) {
    let child = 2 * index + 1;
    if (child >= size) break;
    if (child + 1 < size && before(heap[child + 1] as SimEvent, heap[child] as SimEvent)) child++;
    const below = heap[child] as SimEvent;
    if (!before(below, last)) break;
    heap[index] = below;
    index = child;
  }
  heap[index] = last;
  return first;
}

const isStale = (queue: EventQueue, event: SimEvent) =>
  event.key !== undefined && queue.keyed[event.key] !== event.seq;

/** The time of the next event that counts, or undefined. Drops those taken back on the way. */
export function nextTime(queue: EventQueue): SimTime | undefined {
  while (queue.heap.length > 0 && isStale(queue, queue.heap[0] as SimEvent)) removeFirst(queue);
  return queue.heap[0]?.at;
}

/** Removes and returns the next event that counts; the queue must have one (see nextTime). */
export function pop(queue: EventQueue): SimEvent {
  const event = removeFirst(queue);
  if (event.key !== undefined) delete queue.keyed[event.key];
  return event;
}
