import type { Machine } from './machine.ts';

/**
 * How long the runtime takes, milliseconds. Magnitudes of an ordinary node with containerd; a start from nothing then takes 0.3 to 1 s, as recorded.
 * Simplified: no contention between calls of one node.
 */
const ranges = {
  sandbox: [200, 450],
  create: [30, 90],
  start: [40, 120],
  afterExit: [10, 40],
  stopSandbox: [40, 120],
  remove: [10, 40],
  exec: [25, 70],
  /** Asking the registry for a manifest. */
  resolve: [90, 350],
  refusal: [80, 600],
} as const;

export type Step = keyof typeof ranges;

export function takes(machine: Machine, step: Step): number {
  const [low, high] = ranges[step];
  return machine.random('timing').between(low, high);
}

/** Seen pulls from public registries: 18 to 45 MB a second, unpacking included. */
export const pullBytesPerMs = { low: 18_000, high: 45_000 };

/** How long a TCP stack tries before it gives up: six retries of a SYN. */
export const connectTimeoutMs = 130_000;

/** No answer to ARP: 'no route to host'. */
export const unreachableMs = 3_060;
