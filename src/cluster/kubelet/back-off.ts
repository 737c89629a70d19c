import { backOffInitialMs, backOffMaxMs } from './options.ts';
import type { BackOff } from './state.ts';

/** Times are epoch milliseconds, as the runtime's are. Upstream: client-go util/flowcontrol/backoff.go. */
const expired = (entry: BackOff, eventAt: number): boolean => eventAt - entry.updatedAt > 2 * backOffMaxMs;

/** Milliseconds left of the window that began at `eventAt`; 0: go on. Upstream: IsInBackOffSince. */
export function remaining(entry: BackOff | undefined, subject: string, eventAt: number, now: number): number {
  if (entry === undefined || entry.subject !== subject || expired(entry, eventAt)) return 0;
  return Math.max(0, eventAt + entry.windowMs - now);
}

/** Upstream: IsInBackOffSinceUpdate: the window began with the entry's last change. */
export function remainingSinceUpdate(entry: BackOff | undefined, subject: string, now: number): number {
  if (entry === undefined || entry.subject !== subject || expired(entry, now)) return 0;
  return Math.max(0, entry.updatedAt + entry.windowMs - now);
}

/** The entry after one more attempt: 10 s, then doubled up to 300 s. Upstream: Next. */
export function nextBackOff(entry: BackOff | undefined, subject: string, eventAt: number, now: number): BackOff {
  const fresh = entry === undefined || entry.subject !== subject || expired(entry, eventAt);
  return { windowMs: fresh ? backOffInitialMs : Math.min(entry.windowMs * 2, backOffMaxMs), updatedAt: now, subject };
}
