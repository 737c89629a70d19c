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

/** For each handled event the one that scheduled it: enough to walk from any fact back to the first cause. Index = seq. */
export interface CauseLog {
  at: SimTime[];
  cause: number[];
  to: string[];
  kind: string[];
}

export const createCauseLog = (): CauseLog => ({ at: [0], cause: [0], to: [''], kind: ['start'] });
