import { describe, expect, it } from 'vitest';
import { workload } from './kube-controller-manager/testing/manifests.ts';
import { testCluster } from './testing/test-cluster.ts';

describe('a stopped component', () => {
  it('does nothing; started again it catches up: the scheduler', () => {
    const cluster = testCluster().fault({ component: 'kube-scheduler', state: 'stop' }).apply(workload('ReplicaSet', 'web', 'replicas: 2')).runFor('5s');
    expect(cluster.pods('web').map(({ node }) => node)).toEqual(['', '']);
    cluster.fault({ component: 'kube-scheduler', state: 'start' }).runFor('5s');
    expect(cluster.pods('web').every((pod) => pod.isReady)).toBe(true);
  });

  it('does nothing; started again it catches up: the controllers', () => {
    const cluster = testCluster().apply(workload('Deployment', 'web', 'replicas: 2')).runFor('8s').fault({ component: 'kube-controller-manager', state: 'stop' });
    cluster.send('delete pod --all --wait=false').runFor('8s');
    expect(cluster.pods('web')).toEqual([]);
    cluster.fault({ component: 'kube-controller-manager', state: 'start' }).runFor('8s');
    expect(cluster.pods('web').filter((pod) => pod.isReady)).toHaveLength(2);
    expect(cluster.object('deployments.apps', 'web')?.status).toMatchObject({ replicas: 2, availableReplicas: 2 });
  });
});
