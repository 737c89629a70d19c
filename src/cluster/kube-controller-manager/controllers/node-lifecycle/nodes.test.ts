import { describe, expect, it } from 'vitest';
import { testCluster, type TestCluster } from '../../../testing/test-cluster.ts';
import { workload } from '../../testing/manifests.ts';

const taints = (cluster: TestCluster, node = 'node-b') => (cluster.object('nodes', node, '')?.spec.taints ?? []).map(({ key, effect }) => `${key}:${effect}`).sort();
const ready = (cluster: TestCluster, node = 'node-b') => cluster.object('nodes', node, '')?.status.conditions?.find(({ type }) => type === 'Ready');
const down = (cluster: TestCluster, node: string, network: 'down' | 'up') => cluster.fault({ node, network });

describe('nodes', () => {
  it('go Unknown about 50 s after their last sign of life; pods follow 300 s later (C-60, C-61, C-63)', () => {
    const cluster = testCluster().apply(workload('ReplicaSet', 'web', 'replicas: 4')).runFor('20s');
    const there = cluster.pods('web').filter(({ node }) => node === 'node-b');
    down(cluster, 'node-b', 'down').runUntil(() => ready(cluster)?.status === 'Unknown', '90s', 10);
    expect(cluster.now - 20_000).toBeGreaterThan(38_000);
    expect(cluster.now - 20_000).toBeLessThan(57_000);
    const lostAt = cluster.now;
    cluster.runFor('1s');
    expect(ready(cluster)).toMatchObject({ reason: 'NodeStatusUnknown', message: 'Kubelet stopped posting node status.' });
    expect(taints(cluster)).toEqual(['node.kubernetes.io/unreachable:NoExecute', 'node.kubernetes.io/unreachable:NoSchedule']);
    expect(cluster.events('node-b')).toContain('NodeNotReady: Node node-b status is now: NodeNotReady');
    expect(there.map((pod) => [pod.condition('Ready'), pod.status])).toEqual(there.map(() => ['False', 'Running']));
    cluster.runUntil(() => there.every(({ status }) => status === 'Terminating'), '310s', 100);
    expect(Math.round((cluster.now - lostAt) / 1000)).toBe(300);
    expect(there[0]?.events).toContain(`TaintManagerEviction: Marking for deletion Pod default/${there[0]?.name}`);
    cluster.runFor('10s');
    expect(cluster.pods('web').filter((pod) => pod.isReady)).toHaveLength(4);
  });

  it('are left alone after a short cut, and lose their taints when they are back (C-60, C-61)', () => {
    const cluster = testCluster().runFor('20s');
    down(cluster, 'node-b', 'down').runFor('20s');
    down(cluster, 'node-b', 'up').runFor('60s');
    expect([ready(cluster)?.status, taints(cluster)]).toEqual(['True', []]);
    down(cluster, 'node-b', 'down').runFor('80s');
    down(cluster, 'node-b', 'up').runFor('15s');
    expect([ready(cluster)?.status, taints(cluster)]).toEqual(['True', []]);
  });

  it('are not emptied when all are down (C-62)', () => {
    const cluster = testCluster().runFor('20s');
    down(down(cluster, 'node-a', 'down'), 'node-b', 'down').runFor('90s');
    expect([taints(cluster, 'node-a'), taints(cluster)].filter((list) => list.some((taint) => taint.endsWith('NoExecute'))).length).toBeLessThan(2);
  });

  it('lose the pods that do not tolerate a new taint, at once or when their time is up (C-63)', () => {
    const patient = workload('ReplicaSet', 'slow', 'replicas: 1', { podSpec: ', nodeName: node-b, tolerations: [{ key: a, operator: Exists, effect: NoExecute, tolerationSeconds: 10 }]' });
    const cluster = testCluster().apply(patient).apply(workload('ReplicaSet', 'fast', 'replicas: 1', { podSpec: ', nodeName: node-b' })).runFor('8s');
    const [slow, fast] = [cluster.pods('slow')[0], cluster.pods('fast')[0]];
    cluster.send('taint nodes node-b a=b:NoExecute').runFor('5s');
    expect([slow?.exists, fast?.exists]).toEqual([true, false]);
    cluster.runFor('10s');
    expect(slow?.exists).toBe(false);
  });

  it('take their pods with them when they are removed (C-64)', () => {
    const cluster = testCluster().apply(workload('ReplicaSet', 'web', 'replicas: 4')).runFor('10s');
    const there = cluster.pods('web').filter(({ node }) => node === 'node-b');
    cluster.fault({ node: 'node-b', kubelet: 'stop' }).send('delete node node-b').runFor('90s');
    expect(there.map(({ exists }) => exists)).toEqual(there.map(() => false));
  });
});
