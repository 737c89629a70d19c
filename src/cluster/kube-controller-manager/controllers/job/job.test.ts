import { describe, expect, it } from 'vitest';
import { testCluster, type TestCluster } from '../../../testing/test-cluster.ts';
import { job } from '../../testing/manifests.ts';
import { formatIndexes, parseIndexes } from './indexes.ts';

const status = (cluster: TestCluster) => cluster.object('jobs.batch', 'work')?.status;
const conditions = (cluster: TestCluster) => (status(cluster)?.conditions ?? []).map(({ type, reason }) => `${type} ${reason}`);

describe('Jobs', () => {
  it('counts a pod that succeeded and completes (C-40, C-43)', () => {
    const cluster = testCluster().apply(job('work', 'backoffLimit: 1', 'sleep 1')).runFor('20s');
    expect(status(cluster)).toMatchObject({ succeeded: 1, terminating: 0, ready: 0, uncountedTerminatedPods: {} });
    expect(conditions(cluster)).toEqual(['SuccessCriteriaMet CompletionsReached', 'Complete CompletionsReached']);
    expect(cluster.events('work').at(-1)).toBe('Completed: Job completed');
    expect(cluster.pods('work')[0]?.object?.metadata.finalizers).toBeUndefined();
  });

  it('waits 10 s, then 20 s after a failure, and fails beyond its limit (C-41, C-42, C-43)', () => {
    const cluster = testCluster().apply(job('work', 'backoffLimit: 2', 'exit 1'));
    const births: number[] = [];
    cluster.runUntil(() => {
      if (cluster.pods('work').length > births.length) births.push(cluster.now);
      return false;
    }, '90s', 100);
    expect(births).toHaveLength(3);
    const [a = 0, b = 0, c = 0] = births;
    expect([Math.round((b - a) / 2000), Math.round((c - b) / 2000)]).toEqual([5, 10]);
    expect(conditions(cluster)).toEqual(['FailureTarget BackoffLimitExceeded', 'Failed BackoffLimitExceeded']);
    expect(cluster.events('work').at(-1)).toBe('BackoffLimitExceeded: Job has reached the specified backoff limit');
  });

  it('fails at once when a policy says so (C-42)', () => {
    const policy = 'backoffLimit: 6, podFailurePolicy: { rules: [{ action: FailJob, onExitCodes: { containerName: c, operator: In, values: [42] } }] }';
    const cluster = testCluster().apply(job('work', policy, 'exit 42')).runFor('20s');
    expect(status(cluster)?.conditions?.[0]?.message).toMatch(/^Container c for pod default\/work-[a-z0-9]{5} failed with exit code 42 matching FailJob rule at index 0$/);
  });

  it('gives each index its pod (C-42)', () => {
    const cluster = testCluster().apply(job('work', 'completions: 3, parallelism: 2, completionMode: Indexed', 'sleep 1')).runFor('40s');
    expect(status(cluster)).toMatchObject({ succeeded: 3, completedIndexes: '0-2' });
    expect(new Set(cluster.pods('work').map(({ object }) => object?.spec.hostname))).toEqual(new Set(['work-0', 'work-1', 'work-2']));
  });

  it('writes indexes as ranges', () => {
    expect(formatIndexes(new Set([0, 1, 2, 5, 7, 8]))).toBe('0-2,5,7,8');
    expect([...parseIndexes('0-2,5,7,8')]).toEqual([0, 1, 2, 5, 7, 8]);
  });
});
