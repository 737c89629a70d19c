import { describe, expect, it } from 'vitest';
import { testCluster, type TestCluster } from '../../../testing/test-cluster.ts';
import { workload } from '../../testing/manifests.ts';

const web = (spec: string, image = '1.25') => workload('Deployment', 'web', spec).replace('nginx:1.25', `nginx:${image}`);
const condition = (cluster: TestCluster, type: string) => {
  const found = cluster.object('deployments.apps', 'web')?.status.conditions?.find((each) => each.type === type);
  return found === undefined ? undefined : `${found.status} ${found.reason}: ${found.message}`;
};
/** Set names become A, B, ... in the order in which they were made. */
const scalings = (cluster: TestCluster) => {
  const letters = new Map<string, string>();
  return cluster.events('web').filter((event) => event.startsWith('ScalingReplicaSet'))
    .map((event) => event.replace(/^.*Scaled (\w+) replica set (\S+) from (\d+) to (\d+)$/, (_, way: string, set: string, a: string, b: string) => {
      if (!letters.has(set)) letters.set(set, 'ABC'[letters.size] as string);
      return `${letters.get(set)} ${way} ${a}-${b}`;
    }));
};
const sets = (cluster: TestCluster) => cluster.list('replicasets.apps').map(({ metadata, spec }) => [metadata.annotations?.['deployment.kubernetes.io/revision'], spec.replicas]);

describe('Deployments', () => {
  it('rolls one by one with a surge of one (C-21, C-25)', () => {
    const cluster = testCluster().apply(web('replicas: 3')).runFor('10s');
    expect(condition(cluster, 'Progressing')).toMatch(/^True NewReplicaSetAvailable: ReplicaSet "web-[a-z0-9]+" has successfully progressed\.$/);
    expect(condition(cluster, 'Available')).toBe('True MinimumReplicasAvailable: Deployment has minimum availability.');
    cluster.apply(web('replicas: 3', '1.26')).runFor('60s');
    expect(scalings(cluster)).toEqual(['A up 0-3', 'B up 0-1', 'A down 3-2', 'B up 1-2', 'A down 2-1', 'B up 2-3', 'A down 1-0']);
    expect(cluster.object('deployments.apps', 'web')?.status).toMatchObject({ replicas: 3, updatedReplicas: 3, availableReplicas: 3, observedGeneration: 2 });
  });

  it('numbers its sets, and a template that returns gets a new number (C-23)', () => {
    const cluster = testCluster().apply(web('replicas: 1')).runFor('8s').apply(web('replicas: 1', '1.26')).runFor('20s');
    expect(sets(cluster).sort()).toEqual([['1', 0], ['2', 1]]);
    cluster.apply(web('replicas: 1')).runFor('20s');
    expect(sets(cluster).sort()).toEqual([['2', 0], ['3', 1]]);
    expect(cluster.object('deployments.apps', 'web')?.metadata.annotations?.['deployment.kubernetes.io/revision']).toBe('3');
  });

  it('keeps the old pods when the new ones do not start, and says when that takes too long (C-21, C-25)', () => {
    const cluster = testCluster().apply(web('replicas: 3, progressDeadlineSeconds: 30')).runFor('10s').apply(web('replicas: 3, progressDeadlineSeconds: 30', 'nope')).runFor('40s');
    expect(cluster.pods('web').filter((pod) => pod.isReady)).toHaveLength(3);
    expect(condition(cluster, 'Progressing')).toMatch(/^False ProgressDeadlineExceeded: ReplicaSet "web-[a-z0-9]+" has timed out progressing\.$/);
  });

  it('empties the old set before it fills the new one when it recreates (C-22)', () => {
    const recreate = 'replicas: 2, strategy: { type: Recreate }';
    const cluster = testCluster().apply(web(recreate)).runFor('8s').apply(web(recreate, '1.26'));
    let most = 0;
    cluster.runUntil(() => {
      most = Math.max(most, cluster.pods('web').filter(({ phase }) => phase !== 'Succeeded' && phase !== 'Failed').length);
      return false;
    }, '30s', 20);
    expect(most).toBe(2);
    expect(scalings(cluster)).toEqual(['A up 0-2', 'A down 2-0', 'B up 0-2']);
  });

  it('stands still while it is paused (C-25)', () => {
    const cluster = testCluster().apply(web('replicas: 1')).runFor('8s').apply(web('replicas: 1, paused: true', '1.26')).runFor('5s');
    expect(condition(cluster, 'Progressing')).toBe('Unknown DeploymentPaused: Deployment is paused');
    expect(sets(cluster)).toEqual([['1', 1]]);
    cluster.apply(web('replicas: 1', '1.26')).runFor('20s');
    expect(sets(cluster).sort()).toEqual([['1', 0], ['2', 1]]);
  });
});
