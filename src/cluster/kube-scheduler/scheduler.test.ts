import { describe, expect, it } from 'vitest';
import { testCluster } from '../testing/test-cluster.ts';

const podYaml = (name: string, spec: string) => `apiVersion: v1
kind: Pod
metadata: { name: ${name} }
spec: { containers: [{ name: c, image: nginx:1.25 }]${spec} }
`;
const asking = (name: string, cpu: string, more = '') => `apiVersion: v1
kind: Pod
metadata: { name: ${name} }
spec: { terminationGracePeriodSeconds: 1, containers: [{ name: c, image: nginx:1.25, resources: { requests: { cpu: "${cpu}" } } }]${more} }
`;
const oneNode = [{ name: 'n1', cpu: '2' }];

describe('the scheduler', () => {
  it('binds in one write and says so (S-50)', () => {
    const cluster = testCluster({ nodes: oneNode }).apply(asking('web', '1')).runFor('2s');
    expect(cluster.pod('web').node).toBe('n1');
    expect(cluster.pod('web').events[0]).toBe('Scheduled: Successfully assigned default/web to n1');
    const states = cluster.run.cluster.store.versionsOf('pods/default/web').map(({ object }) => object as unknown as { spec: { nodeName?: string }; status: { conditions?: unknown[] } });
    expect(states.map(({ spec, status }) => [spec.nodeName, status.conditions?.length ?? 0]).slice(0, 2)).toEqual([[undefined, 0], ['n1', 1]]);
  });

  it('refuses with one text in event and condition, and tries again only when it may help (S-2, S-8, S-52)', () => {
    const cluster = testCluster({ nodes: oneNode }).apply(asking('a', '2')).runFor('3s').apply(asking('b', '1')).runFor('3s');
    const text = '0/1 nodes are available: 1 Insufficient cpu. preemption: 0/1 nodes are available: 1 No preemption victims found for incoming pod.';
    expect(cluster.pod('b').events).toEqual([`FailedScheduling: ${text}`]);
    expect(cluster.pod('b').object?.status.conditions?.[0]).toMatchObject({ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: text });
    const writes = () => cluster.run.cluster.store.versionsOf('pods/default/b').length;
    const before = writes();
    cluster.runFor('60s');
    expect(writes()).toBe(before);
    cluster.send('delete pod a --wait=false').runUntil(() => !cluster.pod('a').exists, '30s', 10).runFor(100);
    expect(cluster.pod('b').node).toBe('n1');
  });

  it('leaves gated, foreign and placed pods alone (S-5, S-6)', () => {
    const cluster = testCluster({ nodes: oneNode })
      .apply(podYaml('gated', ', schedulingGates: [{ name: example.com/wait }]'))
      .apply(podYaml('foreign', ', schedulerName: other'))
      .apply(podYaml('placed', ', nodeName: n1')).runFor('3s');
    expect(cluster.pod('gated').object?.status.conditions?.[0]?.reason).toBe('SchedulingGated');
    expect([cluster.pod('gated').events, cluster.pod('foreign').events]).toEqual([[], []]);
    expect(cluster.pod('placed').events.some((event) => event.startsWith('Scheduled'))).toBe(false);
    cluster.send(`patch pod gated --type=json -p '[{"op":"remove","path":"/spec/schedulingGates"}]'`).runFor('2s');
    expect(cluster.pod('gated').node).toBe('n1');
  });

  it('makes room for the more important and waits until it is there (S-63)', () => {
    const cluster = testCluster({ nodes: oneNode })
      .apply('apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: { name: high }\nvalue: 1000\n')
      .apply(asking('low', '2')).runFor('3s').apply(asking('urgent', '2', ', priorityClassName: high')).runFor(100);
    expect(cluster.pod('urgent').object?.status.nominatedNodeName).toBe('n1');
    expect(cluster.pod('low').condition('DisruptionTarget')).toBe('True');
    expect(cluster.pod('low').events.find((event) => event.startsWith('Preempted'))).toBe(`Preempted: Preempted by pod ${cluster.pod('urgent').object?.metadata.uid} on node n1`);
    cluster.runFor('10s');
    expect([cluster.pod('low').exists, cluster.pod('urgent').node]).toEqual([false, 'n1']);
    expect(cluster.pod('urgent').object?.status.nominatedNodeName).toBeUndefined();
  });

  it('says so when there are no nodes at all (S-9)', () => {
    const cluster = testCluster({ nodes: [] }).apply(asking('web', '1')).runFor('1s');
    expect(cluster.pod('web').events).toEqual(['FailedScheduling: no nodes available to schedule pods']);
  });
});
