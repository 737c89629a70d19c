import { describe, expect, it } from 'vitest';
import { meta, node, pod, stage } from '../testing/stage.ts';

const owned = { metadata: { labels: { app: 'web' }, ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid: 'rs', controller: true }] } };
const budget = { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: meta('web'), spec: { minAvailable: 1, selector: { matchLabels: { app: 'web' } } }, status: { disruptionsAllowed: 0, currentHealthy: 1, desiredHealthy: 1, expectedPods: 1, observedGeneration: 1 } };

describe('drain (K-44)', () => {
  it('refuses what would be lost, after it has cordoned the node', () => {
    const one = stage().put(node('node-a')).put(pod('bare')).put(pod('local', { ...owned, spec: { volumes: [{ name: 'v', emptyDir: {} }] } }));
    expect(one.run('drain node-a')).toEqual({
      stdout: 'node/node-a cordoned\n', exit: 1,
      stderr: 'error: unable to drain node "node-a" due to error: [cannot delete Pods that declare no controller (use --force to override): default/bare, '
        + 'cannot delete Pods with local storage (use --delete-emptydir-data to override): default/local], continuing command...\nThere are pending nodes to be drained:\n node-a\n'
        + 'cannot delete Pods that declare no controller (use --force to override): default/bare\ncannot delete Pods with local storage (use --delete-emptydir-data to override): default/local\n',
    });
  });

  it('asks for each pod, and looks each second whether it is gone', () => {
    const one = stage().put(node('node-a')).put(pod('web', owned));
    let outcome = one.start('drain node-a');
    expect(outcome).toMatchObject({ status: 'waiting', stdout: 'node/node-a cordoned\nevicting pod default/web\n' });
    one.server.http('DELETE', '/api/v1/namespaces/default/pods/web?gracePeriodSeconds=0');
    outcome = one.later(outcome, 200);
    expect(outcome.status).toBe('waiting');
    expect(one.later(outcome, 800)).toMatchObject({ status: 'done', stdout: 'node/node-a cordoned\nevicting pod default/web\npod/web evicted\nnode/node-a drained\n', exit: 0 });
  });

  it('tries again after 5 s where a budget forbids it; the time runs out between two tries', () => {
    const one = stage().put(node('node-a')).put(budget).put(pod('web', { ...owned, status: { conditions: [{ type: 'Ready', status: 'True' }] } }));
    const retry = 'error when evicting pods/"web" -n "default" (will retry after 5s): Cannot evict pod as it would violate the pod\'s disruption budget.\n';
    let outcome = one.start('drain node-a --timeout=7s');
    expect(outcome.stderr).toBe(retry);
    for (const ms of [4800, 200, 3000]) outcome = one.later(outcome, ms);
    expect(outcome).toMatchObject({ status: 'waiting', stderr: retry.repeat(2) });
    const done = one.later(outcome, 2000);
    expect(done.stdout).toBe(`node/node-a cordoned\n${'evicting pod default/web\n'.repeat(3)}`);
    expect(done.stderr).toContain('error: unable to drain node "node-a" due to error: error when evicting pods/"web" -n "default": global timeout reached: 7s, continuing command...\n');
  });
});
