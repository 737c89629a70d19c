import { describe, expect, it } from 'vitest';
import { testCluster, type TestCluster } from '../../../testing/test-cluster.ts';
import { workload } from '../../testing/manifests.ts';

const names = (cluster: TestCluster, prefix: string) => cluster.pods(prefix).map(({ name }) => name);
const image = (text: string, tag: string) => text.replace('nginx:1.25', `nginx:${tag}`);

describe('StatefulSets', () => {
  const db = (spec: string) => workload('StatefulSet', 'db', `serviceName: db, ${spec}`);

  it('comes up and goes down one after the other (C-30)', () => {
    const cluster = testCluster().apply(db('replicas: 3'));
    cluster.runUntil(() => cluster.pod('db-1').exists, '20s', 10);
    expect([cluster.pod('db-0').isReady, cluster.pod('db-2').exists]).toEqual([true, false]);
    cluster.runFor('20s');
    expect(cluster.events('db').filter((event) => event.startsWith('Successful'))).toEqual([0, 1, 2].map((n) => `SuccessfulCreate: Create Pod db-${n} in StatefulSet db successful`));
    cluster.apply(db('replicas: 1')).runUntil(() => cluster.pod('db-1').status === 'Terminating', '20s', 10);
    expect(cluster.pod('db-2').exists).toBe(false);
    cluster.runFor('10s');
    expect(names(cluster, 'db')).toEqual(['db-0']);
  });

  it('updates from the highest down to the partition (C-31)', () => {
    const spec = 'replicas: 3, updateStrategy: { type: RollingUpdate, rollingUpdate: { partition: 1 } }';
    const cluster = testCluster().apply(db(spec)).runFor('20s').apply(image(db(spec), '1.26')).runFor('40s');
    expect(cluster.pods('db').map(({ object }) => object?.spec.containers[0]?.image)).toEqual(['nginx:1.25', 'nginx:1.26', 'nginx:1.26']);
    expect(cluster.object('statefulsets.apps', 'db')?.status).toMatchObject({ readyReplicas: 3, updatedReplicas: 2, currentReplicas: 1 });
  });
});

describe('DaemonSets', () => {
  const agent = (spec = 'minReadySeconds: 0') => workload('DaemonSet', 'agent', spec);
  const count = (cluster: TestCluster) => cluster.object('daemonsets.apps', 'agent')?.status;

  it('runs one pod a node, which names its node and stays when the node is cordoned (C-33, C-34)', () => {
    const cluster = testCluster().apply(agent()).runFor('8s');
    expect(cluster.pods('agent').map(({ node }) => node).sort()).toEqual(['node-a', 'node-b']);
    expect(count(cluster)).toMatchObject({ desiredNumberScheduled: 2, currentNumberScheduled: 2, numberReady: 2, numberAvailable: 2, updatedNumberScheduled: 2 });
    expect(cluster.pods('agent')[0]?.object?.spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms[0]?.matchFields?.[0]?.key).toBe('metadata.name');
    cluster.send('taint nodes node-a a=b:NoSchedule').runFor('5s');
    expect(cluster.pods('agent')).toHaveLength(2);
    cluster.send('taint nodes node-b a=b:NoExecute').runFor('10s');
    expect(cluster.pods('agent').map(({ node }) => node)).toEqual(['node-a']);
  });

  it('replaces one node at a time, or two beside each other with a surge (C-35)', () => {
    const most = (spec: string) => {
      const cluster = testCluster().apply(agent(spec)).runFor('8s').apply(image(agent(spec), '1.26'));
      const counts: number[] = [];
      cluster.runUntil(() => {
        counts.push(cluster.pods('agent').filter(({ status }) => status !== 'Terminating').length);
        return false;
      }, '30s', 50);
      expect(count(cluster)).toMatchObject({ updatedNumberScheduled: 2, numberReady: 2 });
      return [Math.min(...counts), Math.max(...counts)];
    };
    expect(most('minReadySeconds: 0')).toEqual([1, 2]);
    expect(most('updateStrategy: { type: RollingUpdate, rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } }')[0]).toBe(2);
  });
});
