import { describe, expect, it } from 'vitest';
import { testCluster, type TestCluster } from '../../../testing/test-cluster.ts';
import { service, workload } from '../../testing/manifests.ts';

const made = (): TestCluster => testCluster().apply(workload('Deployment', 'web', 'replicas: 2')).apply(service('web')).runFor('10s');
const left = (cluster: TestCluster) => [cluster.list('deployments.apps').length, cluster.list('replicasets.apps').length, cluster.pods('web').length];

describe('what is left behind', () => {
  it('goes in the background: owner, sets, pods (C-71)', () => {
    const cluster = made();
    cluster.send('delete deployment web --wait=false').runFor(500);
    expect(left(cluster)).toEqual([0, 0, 2]);
    cluster.runFor('20s');
    expect(left(cluster)).toEqual([0, 0, 0]);
  });

  it('goes before its owner in the foreground, and stays when orphaned (C-72)', () => {
    const cluster = made();
    cluster.send('delete deployment web --cascade=foreground --wait=false').runUntil(() => cluster.pods('web').some(({ status }) => status === 'Terminating'), '5s', 5);
    expect(left(cluster)).toEqual([1, 1, 2]);
    cluster.runFor('20s');
    expect(left(cluster)).toEqual([0, 0, 0]);
    const other = made();
    other.send('delete deployment web --cascade=orphan --wait=false').runFor('5s');
    expect(left(other)).toEqual([0, 1, 2]);
    expect(other.list('replicasets.apps')[0]?.metadata.ownerReferences).toBeUndefined();
  });

  it('slices go with their Service (C-71)', () => {
    const cluster = made();
    cluster.send('delete service web').runFor('3s');
    expect(cluster.list('endpointslices.discovery.k8s.io').filter(({ metadata }) => metadata.name.startsWith('web'))).toEqual([]);
  });
});

describe('namespaces', () => {
  it('get an account and the certificate (C-73)', () => {
    const cluster = testCluster().apply('apiVersion: v1\nkind: Namespace\nmetadata: { name: shop }\n').runFor('1s');
    expect(cluster.object('serviceaccounts', 'default', 'shop')).toBeDefined();
    expect(cluster.object('configmaps', 'kube-root-ca.crt', 'shop')?.data?.['ca.crt']).toBeDefined();
  });

  it('are emptied after five seconds, pods first, and go (C-70)', () => {
    const cluster = testCluster().apply('apiVersion: v1\nkind: Namespace\nmetadata: { name: shop }\n').runFor('1s')
      .apply(`${workload('Deployment', 'web', 'replicas: 1').replace('name: web', 'name: web, namespace: shop')}`).runFor('8s');
    cluster.send('delete namespace shop --wait=false').runFor('4s');
    expect(cluster.object('namespaces', 'shop', '')?.status?.phase).toBe('Terminating');
    expect(cluster.pods('web')).toHaveLength(1);
    cluster.runFor('20s');
    expect(cluster.object('namespaces', 'shop', '')).toBeUndefined();
    expect(left(cluster)).toEqual([0, 0, 0]);
  });
});
