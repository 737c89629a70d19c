import { describe, expect, it } from 'vitest';
import type { Deployment, IntOrString, ReplicaSet } from '../../../../api/schema/types.ts';
import { maxSurge, maxUnavailable, newSetSize, proportion } from './arithmetic.ts';

const deployment = (replicas: number, surge: IntOrString, unavailable: IntOrString) =>
  ({ spec: { replicas, strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: surge, maxUnavailable: unavailable } } } }) as Deployment;
const set = (replicas: number) => ({ spec: { replicas } }) as ReplicaSet;

describe('surge and unavailability (C-20)', () => {
  it.each([
    [3, '25%', '25%', 1, 0], [1, '25%', '25%', 1, 0], [10, '25%', '25%', 3, 2], [4, 0, 1, 0, 1], [4, '0%', '0%', 0, 1], [0, '25%', '25%', 0, 0], [2, 5, 5, 5, 2],
  ] as const)('of %i with %s and %s', (replicas, surge, unavailable, most, missing) => {
    const found = deployment(replicas, surge, unavailable);
    expect([maxSurge(found), maxUnavailable(found)]).toEqual([most, missing]);
  });

  it('lets the new set grow up to the surge', () => {
    expect(newSetSize(deployment(3, 1, 0), [set(3)], 0)).toBe(1);
    expect(newSetSize(deployment(3, 1, 0), [set(2), set(1)], 1)).toBe(2);
    expect(newSetSize(deployment(3, 1, 0), [set(3), set(1)], 1)).toBe(1);
  });

  it('shares a change of scale in proportion', () => {
    const found = deployment(20, 3, 2);
    expect([proportion(set(8), found, 10, 0, 13), proportion(set(5), found, 10, 6, 13)]).toEqual([6, 4]);
  });
});
