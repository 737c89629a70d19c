import { describe, expect, it } from 'vitest';
import { testCluster, type TestCluster } from '../../../testing/test-cluster.ts';
import { pod, workload } from '../../testing/manifests.ts';

const status = (cluster: TestCluster, name = 'web') => cluster.object('replicasets.apps', name)?.status;
const quota = 'apiVersion: v1\nkind: ResourceQuota\nmetadata: { name: few }\nspec: { hard: { pods: "2" } }\n';

describe('ReplicaSets', () => {
  it('creates in growing batches, tells each pod, and counts (C-11, C-14)', () => {
    const cluster = testCluster().apply(workload('ReplicaSet', 'web', 'replicas: 4')).runFor('10s');
    expect(cluster.events('web')).toHaveLength(4);
    expect(cluster.events('web')[0]).toMatch(/^SuccessfulCreate: Created pod: web-[a-z0-9]{5}$/);
    expect(status(cluster)).toMatchObject({ replicas: 4, readyReplicas: 4, availableReplicas: 4, fullyLabeledReplicas: 4, terminatingReplicas: 0, observedGeneration: 1 });
  });

  it('replaces a pod as soon as it is going away (C-10)', () => {
    const cluster = testCluster().apply(workload('ReplicaSet', 'web', 'replicas: 2')).runFor('10s');
    const [victim] = cluster.pods('web');
    cluster.send(`delete pod ${victim?.name} --wait=false`).runUntil(() => cluster.pods('web').length === 3, '2s', 1);
    expect(victim?.status).toBe('Terminating');
    expect(status(cluster)?.replicas).toBe(2);
    cluster.runFor('20s');
    expect(cluster.pods('web')).toHaveLength(2);
  });

  it('adopts what matches and lets go of what does not (C-13)', () => {
    const cluster = testCluster().apply(pod('bare', 'app: web')).runFor('3s').apply(workload('ReplicaSet', 'web', 'replicas: 2')).runFor('10s');
    expect(cluster.pods('web')).toHaveLength(1);
    expect(cluster.pod('bare').object?.metadata.ownerReferences?.[0]?.name).toBe('web');
    cluster.send('label pod bare app=other --overwrite').runFor('5s');
    expect(cluster.pod('bare').object?.metadata.ownerReferences).toBeUndefined();
    expect(cluster.pods('web')).toHaveLength(2);
  });

  it('says what keeps it from creating until it can (C-11, C-14, C-54)', () => {
    const cluster = testCluster().apply(quota).runFor('1s');
    const used = () => cluster.object('resourcequotas', 'few')?.status?.used;
    expect(used()).toEqual({ pods: '0' });
    cluster.apply(workload('ReplicaSet', 'web', 'replicas: 3')).runFor('10s');
    expect(used()).toEqual({ pods: '2' });
    expect(status(cluster)?.conditions?.[0]).toMatchObject({ type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate' });
    expect(cluster.events('web').some((event) => event.includes('is forbidden: exceeded quota: few'))).toBe(true);
    cluster.send('delete resourcequota few').runFor('60s');
    expect(status(cluster)).toMatchObject({ replicas: 3, readyReplicas: 3 });
    expect(status(cluster)?.conditions).toBeUndefined();
  });

  it('makes pods available minReadySeconds after the second in which they became ready (C-14)', () => {
    const cluster = testCluster().apply(workload('ReplicaSet', 'web', 'replicas: 1, minReadySeconds: 5')).runFor('4s');
    expect(status(cluster)).toMatchObject({ readyReplicas: 1 });
    expect(status(cluster)?.availableReplicas).toBeUndefined();
    cluster.runFor('4s');
    expect(status(cluster)).toMatchObject({ availableReplicas: 1 });
  });
});
