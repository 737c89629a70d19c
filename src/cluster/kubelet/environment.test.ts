import { expect, test } from 'vitest';
import type { Pod } from '../../api/schema/types.ts';
import type { Context } from '../component.ts';
import { environment } from './environment.ts';
import { expand } from './expand.ts';
import { createWorker, type Env } from './state.ts';
import { testNode } from './testing/node-harness.ts';

const objects: Record<string, unknown> = {
  'configmaps conf': { data: { a: '1', b: '2' } },
  'services kubernetes': { metadata: { name: 'kubernetes' }, spec: { clusterIP: '10.96.0.1', ports: [{ name: 'https', port: 443, protocol: 'TCP' }] } },
};
const ctx = { live: { get: (resource: string, _namespace: string, name: string) => objects[`${resource} ${name}`], list: () => [] } } as unknown as Context;
const env = { ctx, node: testNode, state: {} } as Env;
const worker = createWorker({ metadata: { name: 'web', namespace: 'default', uid: 'u', labels: { tier: 'front' } }, spec: { containers: [], nodeName: 'node-a' }, status: {} } as unknown as Pod, 0);
const valuesOf = (container: object) => {
  const result = environment(env, worker, { name: 'c', ...container });
  return 'error' in result ? result.error : Object.fromEntries(result.variables.map(({ name, value }) => [name, value]));
};

test('$(NAME) is replaced by what came before, $$ escapes, unknown names stay', () => {
  const known = (name: string) => ({ A: '1' })[name];
  expect(expand('$(A) $$(A) $(B) $A $(', known)).toBe('1 $(A) $(B) $A $(');
});

test('variables come from maps, fields, resources and services (4)', () => {
  expect(valuesOf({
    envFrom: [{ prefix: 'X_', configMapRef: { name: 'conf' } }],
    env: [
      { name: 'NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }, { name: 'TIER', valueFrom: { fieldRef: { fieldPath: "metadata.labels['tier']" } } },
      { name: 'BOTH', value: '$(NAME)-$(X_a)' }, { name: 'CPU', valueFrom: { resourceFieldRef: { resource: 'limits.cpu', divisor: '1m' } } },
    ],
  })).toMatchObject({ X_a: '1', X_b: '2', NAME: 'web', TIER: 'front', BOTH: 'web-1', CPU: '2000', KUBERNETES_SERVICE_HOST: '10.96.0.1', KUBERNETES_PORT_443_TCP: 'tcp://10.96.0.1:443' });
});

test('what is missing is named (4.2)', () => {
  const key = (name: string, optional = false) => ({ env: [{ name: 'K', valueFrom: { configMapKeyRef: { name, key: 'z', optional } } }] });
  expect(valuesOf(key('none'))).toBe('configmap "none" not found');
  expect(valuesOf(key('conf'))).toBe("couldn't find key z in ConfigMap default/conf");
  expect(valuesOf(key('conf', true))).not.toHaveProperty('K');
});
