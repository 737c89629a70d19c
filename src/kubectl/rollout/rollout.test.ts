import { describe, expect, it } from 'vitest';
import { meta, stage } from '../testing/stage.ts';

const template = (image: string) => ({ metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'app', image }] } });
const deployment = (status: object, spec: object = {}) => ({
  apiVersion: 'apps/v1', kind: 'Deployment', metadata: meta('web', { generation: 2, annotations: { 'deployment.kubernetes.io/revision': '2' } }),
  spec: { replicas: 3, selector: { matchLabels: { app: 'web' } }, strategy: { type: 'RollingUpdate' }, template: template('nginx:2'), ...spec }, status: { observedGeneration: 2, ...status },
});
const replicaSet = (name: string, image: string, revision: number) => ({
  apiVersion: 'apps/v1', kind: 'ReplicaSet',
  metadata: meta(name, {
    labels: { app: 'web' }, annotations: { 'deployment.kubernetes.io/revision': String(revision), 'kubernetes.io/change-cause': `image ${image}` },
    ownerReferences: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', uid: 'uid-web', controller: true }],
  }),
  spec: { replicas: 0, selector: { matchLabels: { app: 'web' } }, template: { ...template(image), metadata: { labels: { app: 'web', 'pod-template-hash': name } } } }, status: { replicas: 0 },
});
const merge = { 'Content-Type': 'application/merge-patch+json' };
const withSets = (spec: object = {}) => stage().put(deployment({}, spec)).put(replicaSet('web-1', 'nginx:1', 1)).put(replicaSet('web-2', 'nginx:2', 2));

describe('rollout', () => {
  it('says at each change where the rollout stands (K-45)', () => {
    const one = stage().put(deployment({ replicas: 4, updatedReplicas: 1, availableReplicas: 3 }));
    let outcome = one.start('rollout status deploy/web');
    const first = 'Waiting for deployment "web" rollout to finish: 1 out of 3 new replicas have been updated...\n';
    expect(outcome).toMatchObject({ status: 'waiting', stdout: first });
    outcome = one.later(outcome, 200);
    expect(outcome.stdout).toBe(first);
    one.server.http('PATCH', '/apis/apps/v1/namespaces/default/deployments/web/status', { status: { replicas: 3, updatedReplicas: 3, availableReplicas: 3 } }, merge);
    expect(one.later(outcome, 200)).toMatchObject({ status: 'done', stdout: `${first}deployment "web" successfully rolled out\n` });
  });

  it('ends with the deadline of the rollout, or its own (K-45)', () => {
    const late = stage().put(deployment({ conditions: [{ type: 'Progressing', status: 'False', reason: 'ProgressDeadlineExceeded' }] }));
    expect(late.run('rollout status deploy/web')).toMatchObject({ stderr: 'error: deployment "web" exceeded its progress deadline\n', exit: 1 });
    const one = stage().put(deployment({ replicas: 3, updatedReplicas: 1 }));
    expect(one.later(one.start('rollout status deploy/web --timeout=2s'), 2000)).toMatchObject({ stderr: 'error: timed out waiting for the condition\n', exit: 1 });
  });

  it('shows the history and goes back in it (K-46)', () => {
    const one = withSets();
    expect(one.run('rollout history deploy/web').stdout).toBe('deployment.apps/web \nREVISION  CHANGE-CAUSE\n1         image nginx:1\n2         image nginx:2\n\n');
    expect(one.run('rollout undo deploy/web').stdout).toBe('deployment.apps/web rolled back\n');
    expect(one.run("get deploy web -o jsonpath='{.spec.template.spec.containers[0].image} {.metadata.annotations.kubernetes\\.io/change-cause} {.spec.template.metadata.labels}'").stdout)
      .toBe('nginx:1 image nginx:1 {"app":"web"}');
    expect(one.run('rollout undo deploy/web --to-revision=9').stderr).toBe('error: unable to find specified revision 9 in history\n');
  });

  it('does not go back where it is, nor while it is paused (K-46)', () => {
    expect(withSets().run('rollout undo deploy/web --to-revision=2').stdout).toBe('deployment.apps/web skipped rollback (current template already matches revision 2)\n');
    expect(withSets({ paused: true }).run('rollout undo deploy/web').stderr).toBe("error: you cannot rollback a paused deployment; resume it first with 'kubectl rollout resume' and try again\n");
    expect(withSets({ paused: true }).run('rollout pause deploy/web').stderr).toBe('error: deployments.apps "web" is already paused\n');
  });
});
