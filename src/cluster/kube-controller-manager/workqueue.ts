import type { Context } from '../component.ts';

/** What a controller has to look at, by 'namespace/name'. Plain data. */
export interface QueueState {
  /** Waiting for their turn. */
  queued: Record<string, true>;
  /** Changed while they were being worked on, or before the cache had caught up: to be looked at again. */
  dirty: Record<string, true>;
  /** The cache must have seen this revision before the key is looked at again: our own last write. */
  awaits: Record<string, number>;
  /** Failures in a row. */
  failures: Record<string, number>;
}

export const createQueueState = (): QueueState => ({ queued: {}, dirty: {}, awaits: {}, failures: {} });

/** Upstream: client-go util/workqueue DefaultTypedControllerRateLimiter. */
const firstRetryMs = 5;
const longestRetryMs = 1_000_000;

/** A worker takes it up a moment later. One that waits already is not put off. */
export function enqueue(queue: QueueState, key: string, context: Context, [least, most]: readonly [number, number] = usualWaitMs): void {
  if (queue.queued[key] !== undefined) return;
  queue.queued[key] = true;
  context.schedule({ afterMs: context.random('work-queue').between(least, most), kind: 'sync', payload: { key } });
}

const usualWaitMs = [1, 3] as const;
/** Of controllers that look at many pods for each key: what changes meanwhile is seen in the same look. */
export const batchWaitMs = [10, 30] as const;
/** Of controllers that nobody waits for. */
export const idleWaitMs = [40, 80] as const;

/** Looks at the key again after a while; a later call replaces an earlier one. */
export function enqueueAfter(key: string, afterMs: number, context: Context): void {
  context.schedule({ afterMs: Math.max(1, Math.ceil(afterMs)), kind: 'later', payload: { key }, key: `later ${key}` });
}

/** 5 ms, 10 ms, 20 ms, ... */
export function enqueueRateLimited(queue: QueueState, key: string, context: Context): void {
  const failures = queue.failures[key] ?? 0;
  queue.failures[key] = failures + 1;
  let delayMs = firstRetryMs;
  for (let i = 0; i < failures && delayMs < longestRetryMs; i++) delayMs *= 2;
  context.schedule({ afterMs: Math.min(delayMs, longestRetryMs), kind: 'retry', payload: { key } });
}

export function splitQueueKey(key: string): { namespace: string; name: string } {
  const slash = key.indexOf('/');
  return { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}

export const queueKey = (object: { metadata: { namespace?: string; name: string } }): string => `${object.metadata.namespace ?? ''}/${object.metadata.name}`;
