import type { SimTime } from './time.ts';

/** A past fact: what an actor did or found, and the event that made it so. */
export interface TraceRecord {
  at: SimTime;
  /** The event in whose handling it was noted. */
  cause: number;
  actor: string;
  kind: string;
  data: unknown;
}
