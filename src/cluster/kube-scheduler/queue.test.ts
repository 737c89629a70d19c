import { describe, expect, it } from 'vitest';
import { activate, failedOnce, flushTick, leftovers, park, popPod, queuedPod, requeue } from './queue.ts';
import { createSchedulerState, type QueuedPod, type QueueState } from './state.ts';
import { pod } from './testing/world.ts';

function queueOf(...priorities: number[]): QueueState {
  const { queue } = createSchedulerState();
  priorities.forEach((priority, index) => {
    queue.pods[`p${index}`] = queuedPod(pod(`p${index}`, { spec: { priority } }), index);
    activate(queue, `p${index}`, index);
  });
  return queue;
}

const drain = (queue: QueueState, now: number): string[] => {
  const order: string[] = [];
  for (let uid = popPod(queue, now); uid !== undefined; uid = popPod(queue, now)) order.push(uid);
  return order;
};

describe('the queue', () => {
  it('takes the higher priority first, then the longer wait (S-1)', () => {
    expect(drain(queueOf(0, 5, 0, 9, 5), 10)).toEqual(['p3', 'p1', 'p4', 'p0', 'p2']);
  });

  it('holds back 1, 2, 4, 8, 10 s to a whole second (S-3)', () => {
    const waiting = queuedPod(pod('p'), 0);
    const ends = Array.from({ length: 6 }, () => {
      failedOnce(waiting, false, 300);
      return waiting.backoffUntil;
    });
    expect(ends).toEqual([1000, 2000, 4000, 8000, 10_000, 10_000]);
  });

  it('does not wait for a back-off while idle, unless it is for an error (S-3)', () => {
    const queue = queueOf(0);
    popPod(queue, 0);
    const waiting = queue.pods.p0 as QueuedPod;
    failedOnce(waiting, false, 0);
    park(queue, 'p0', ['NodeResourcesFit'], 0);
    requeue(queue, 'p0', 100);
    expect(waiting.where).toBe('backoff');
    expect(popPod(queue, 100)).toBe('p0');
    failedOnce(waiting, true, 100);
    requeue(queue, 'p0', 100);
    expect(popPod(queue, 900)).toBeUndefined();
    expect(popPod(queue, waiting.backoffUntil)).toBe('p0');
  });

  it('finds what is left over for five minutes at a half-minute tick (S-4)', () => {
    const queue = queueOf(0);
    popPod(queue, 0);
    park(queue, 'p0', ['NodeResourcesFit'], 5000);
    expect(flushTick(5000)).toBe(330_000);
    expect([leftovers(queue, 305_000), leftovers(queue, 330_000)]).toEqual([[], ['p0']]);
  });
});
