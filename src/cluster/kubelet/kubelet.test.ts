import { expect, test } from 'vitest';
import { NodeHarness } from './testing/node-harness.ts';

const one = { containers: [{ name: 'app', image: 'nginx:1.25' }] };

test('a pod starts in three writes: waiting, sandbox ready, running (2.1, 13.1)', () => {
  const harness = new NodeHarness();
  harness.create('web', one);
  harness.run(5000);
  expect(harness.story('web')).toEqual(['Pending', 'Pending, app=ContainerCreating', 'Pending, sandbox, app=ContainerCreating', 'Running, sandbox, app=running ready']);
  expect(harness.eventTexts()).toEqual([
    'Normal Pulled spec.containers{app}: Container image "nginx:1.25" already present on machine and can be accessed by the pod',
    'Normal Created spec.containers{app}: Container created',
    'Normal Started spec.containers{app}: Container started',
  ]);
});
