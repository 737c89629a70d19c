import { describe, expect, it } from 'vitest';
import { testCluster, type TestCluster } from '../../../testing/test-cluster.ts';
import { service, workload } from '../../testing/manifests.ts';

const slices = (cluster: TestCluster) => cluster.list('endpointslices.discovery.k8s.io').filter(({ metadata }) => metadata.labels?.['kubernetes.io/service-name'] === 'web');
const conditions = (cluster: TestCluster) => slices(cluster).flatMap(({ endpoints }) => (endpoints ?? []).map(({ conditions: own }) => own));

describe('endpoints', () => {
  it('are one empty slice without pods, then follow each pod (C-50, C-51)', () => {
    const cluster = testCluster().apply(service('web')).runFor('1s');
    expect(slices(cluster).map(({ endpoints, ports }) => [endpoints ?? [], ports ?? []])).toEqual([[[], []]]);
    cluster.apply(workload('ReplicaSet', 'web', 'replicas: 2')).runFor('8s');
    expect(slices(cluster)).toHaveLength(1);
    expect(slices(cluster)[0]?.ports).toEqual([{ name: '', protocol: 'TCP', port: 80 }]);
    expect(conditions(cluster)).toEqual([{ ready: true, serving: true, terminating: false }, { ready: true, serving: true, terminating: false }]);
  });

  it('keep a pod that is going away, not ready but serving; Endpoints leave it out (C-50, C-52)', () => {
    const hook = { more: ', lifecycle: { preStop: { sleep: { seconds: 5 } } }', podSpec: '' };
    const slow = workload('ReplicaSet', 'web', 'replicas: 1', hook).replace('terminationGracePeriodSeconds: 1', 'terminationGracePeriodSeconds: 20');
    const cluster = testCluster().apply(service('web')).apply(slow).runFor('8s');
    cluster.send('delete replicaset web --wait=false').runFor('2s');
    expect(conditions(cluster)).toEqual([{ ready: false, serving: true, terminating: true }]);
    expect(cluster.object('endpoints', 'web')?.subsets ?? []).toEqual([]);
    cluster.runFor('20s');
    expect(conditions(cluster)).toEqual([]);
  });

  it('are at most a hundred to a slice (C-51)', () => {
    const nodes = [{ name: 'node', count: 2, cpu: '64', pods: '200' }];
    const cluster = testCluster({ nodes }).apply(service('web')).apply(workload('ReplicaSet', 'web', 'replicas: 150'));
    cluster.runUntil(() => conditions(cluster).length === 150, '3m', 1000);
    expect(slices(cluster).map(({ endpoints }) => endpoints?.length ?? 0).sort((a, b) => b - a)[0]).toBeLessThanOrEqual(100);
    expect(conditions(cluster)).toHaveLength(150);
  });
});
