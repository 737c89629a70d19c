import type { SimEvent } from '../../sim/queue.ts';

/** For each event that was handled, the one that scheduled it: columns by sequence number. */
export interface CauseLog {
  cause: number[];
  at: number[];
}

export const createCauses = (): CauseLog => ({ cause: [], at: [] });

export function noteCause(log: CauseLog, event: SimEvent): void {
  // No holes: an array with a large gap becomes a slow table.
  for (let seq = log.cause.length; seq < event.seq; seq++) {
    log.cause.push(0);
    log.at.push(0);
  }
  log.cause[event.seq] = event.cause;
  log.at[event.seq] = event.at;
}

/** From an event back to the first cause, nearest first; at most `limit` of them. */
export function ancestors(log: CauseLog, seq: number, limit: number): number[] {
  const chain: number[] = [];
  for (let at = seq; at > 0 && chain.length < limit; at = log.cause[at] ?? 0) chain.push(at);
  return chain;
}
