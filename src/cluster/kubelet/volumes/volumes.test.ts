import { expect, test } from 'vitest';
import { NodeHarness } from '../testing/node-harness.ts';
import { decodeBase64 } from './base64.ts';

const mounted = (volume: object) => ({ containers: [{ name: 'app', image: 'nginx:1.25', volumeMounts: [{ name: 'v', mountPath: '/v' }] }], volumes: [{ name: 'v', ...volume }] });
const configMap = (name: string, data: Record<string, string>) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'default', uid: name, resourceVersion: '', creationTimestamp: '' }, data });

test('a missing ConfigMap holds the pod back, tried after 0.5, 1, 2, 4 s (11, recorded 357)', () => {
  const harness = new NodeHarness();
  harness.create('web', mounted({ configMap: { name: 'late' } }));
  harness.run(9000);
  const fails = harness.events.filter(({ text }) => text === 'Warning FailedMount: MountVolume.SetUp failed for volume "v" : configmap "late" not found').map(({ at }) => at);
  expect(fails).toHaveLength(5);
  expect(fails.slice(1).map((at, index) => Math.round((at - (fails[index] as number)) / 500) * 500)).toEqual([500, 1000, 2000, 4000]);
  harness.put('configmaps', configMap('late', { a: '1' }));
  harness.run(12_000);
  expect(harness.story('web').at(-1)).toBe('Running, sandbox, app=running ready');
});

test('a key that is not there, an optional one, and a claim that is not bound (11)', () => {
  const harness = new NodeHarness();
  harness.put('configmaps', configMap('conf', { a: '1' }));
  harness.create('key', mounted({ configMap: { name: 'conf', items: [{ key: 'b', path: 'b' }] } }));
  harness.create('optional', mounted({ configMap: { name: 'none', optional: true } }));
  harness.create('claim', mounted({ persistentVolumeClaim: { claimName: 'data' } }));
  harness.run(2000);
  expect(harness.eventTexts()).toContain('Warning FailedMount: MountVolume.SetUp failed for volume "v" : configmap references non-existent config key: b');
  expect(harness.eventTexts()).toContain('Warning FailedMount: Unable to attach or mount volumes: unmounted volumes=[v], unattached volumes=[], failed to process volumes=[v]: '
    + 'error processing PVC default/data: failed to fetch PVC from API server: persistentvolumeclaims "data" not found');
  expect(harness.story('optional').at(-1)).toBe('Running, sandbox, app=running ready');
});

test('Secrets are read as UTF-8', () => {
  expect(decodeBase64('aMOpbGzDtiDwn5iA')).toBe('héllö 😀');
});
