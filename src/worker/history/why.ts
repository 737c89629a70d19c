import type { WhyStep } from '../protocol.ts';
import type { Session } from './session.ts';

/** How a fact came about, oldest first. */
export function whyChain(session: Session, lane: string, at: number): WhyStep[] {
  void session;
  void lane;
  void at;
  return [];
}
