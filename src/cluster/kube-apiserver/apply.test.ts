import { describe, expect, it } from 'vitest';
import type { ApiObject } from '../../api/resources.ts';
import type { Deployment } from '../../api/schema/types.ts';
import { createTestServer, type TestServer } from './testing/test-server.ts';

const deployment = (spec: object) => ({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'd' }, spec });
const container = (more: object) => ({ template: { spec: { containers: [{ name: 'a', ...more }] } } });
const whole = { replicas: 2, selector: { matchLabels: { app: 'd' } }, template: { metadata: { labels: { app: 'd' } }, spec: { containers: [{ name: 'a', image: 'a:1', env: [{ name: 'X', value: '1' }] }] } } };

function apply(server: TestServer, manager: string, spec: object, force = false) {
  return server.ask({
    verb: 'patch', resource: 'deployments.apps', namespace: 'default', name: 'd', patch: { type: 'apply', body: deployment(spec) }, options: { fieldManager: manager, ...(force ? { force } : {}) },
  });
}
const envOf = (answer: { object?: unknown }) => (answer.object as Deployment).spec.template.spec?.containers[0]?.env;

describe('server-side apply (A-25, A-26)', () => {
  it('creates, lets a second manager add, and takes away what that one no longer names', () => {
    const server = createTestServer();
    expect(apply(server, 'one', whole).code).toBe(201);
    expect(envOf(apply(server, 'two', container({ env: [{ name: 'Y', value: '2' }] })))).toEqual([{ name: 'X', value: '1' }, { name: 'Y', value: '2' }]);
    const without = apply(server, 'two', {});
    expect(envOf(without)).toEqual([{ name: 'X', value: '1' }]);
    expect((without.object as ApiObject).metadata.managedFields?.map(({ manager, operation }) => [manager, operation])).toEqual([['one', 'Apply'], ['two', 'Apply']]);
  });

  it('refuses to change what another manager owns, unless forced', () => {
    const server = createTestServer();
    apply(server, 'one', whole);
    const change = container({ image: 'a:2', env: [{ name: 'X', value: '2' }] });
    expect(apply(server, 'two', change).status?.message).toBe(
      'Apply failed with 2 conflicts: conflicts with "one":\n- .spec.template.spec.containers[name="a"].image\n- .spec.template.spec.containers[name="a"].env[name="X"].value',
    );
    expect(apply(server, 'two', change, true).code).toBe(200);
  });

  it('writes nothing when the same is applied again', () => {
    const server = createTestServer();
    apply(server, 'one', whole);
    const before = server.store.revision;
    server.advance(60_000);
    apply(server, 'one', whole);
    expect(server.store.revision).toBe(before);
  });

  it('knows who changed a field by an ordinary write', () => {
    const server = createTestServer();
    apply(server, 'one', whole);
    server.ask({
      verb: 'patch', resource: 'deployments.apps', namespace: 'default', name: 'd', patch: { type: 'merge', body: { spec: { replicas: 5 } } }, options: { fieldManager: 'kubectl-edit' },
    });
    expect(apply(server, 'one', whole).status?.message).toBe('Apply failed with 1 conflict: conflict with "kubectl-edit": .spec.replicas');
  });

  it('names what a configuration cannot be', () => {
    const server = createTestServer();
    apply(server, 'one', whole);
    const messages = [{ bogus: 1 }, { template: { spec: { containers: [{ name: 'a' }, { name: 'a' }] } } }].map((spec) => apply(server, 'one', spec).status?.message);
    expect(messages).toEqual([
      'failed to create typed patch object (/d; apps/v1, Kind=Deployment): .spec.bogus: field not declared in schema',
      'failed to create typed patch object (/d; apps/v1, Kind=Deployment): .spec.template.spec.containers: duplicate entries for key [name="a"]',
    ]);
  });
});
