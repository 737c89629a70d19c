import type { SimTime } from '../sim/time.ts';

/** How fast a client may ask: so many requests at once, then one every `everyMs`. */
interface Limit {
  everyMs: number;
  burst: number;
}

/**
 * Upstream: the defaults of --kube-api-qps and --kube-api-burst: kube-controller-manager 20/30 for the client of each controller, scheduler
 * 50/100, kubelet 50/100. They are what keeps a controller that gets nowhere (pods that are refused as soon as they are made) from going faster.
 */
const controllers: Limit = { everyMs: 50, burst: 30 };
const nodesAndScheduler: Limit = { everyMs: 20, burst: 100 };

function limitOf(actor: string): Limit | undefined {
  if (actor.startsWith('kubelet/') || actor === 'kube-scheduler') return nodesAndScheduler;
  return actor === 'user' ? undefined : controllers;
}

/** What a client has used up: the time at which it would be even with its rate. Plain data, by client. */
export type ClientUse = Record<string, SimTime>;

/** Counts one request and says how long it has to wait in the client. */
export function waitOf(use: ClientUse, actor: string, now: SimTime): number {
  const limit = limitOf(actor);
  if (limit === undefined) return 0;
  const even = Math.max(use[actor] ?? 0, now) + limit.everyMs;
  use[actor] = even;
  return Math.max(0, even - limit.everyMs * limit.burst - now);
}
