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

const crash = { containers: [{ name: 'app', image: 'busybox:1.36' }] };

test('a crashing container restarts at once, then backs off; the reason shows one sync late (5, 13.3)', () => {
  const harness = new NodeHarness({ programs: { app: { exitsAfterMs: 300, exitCode: 1 } } });
  harness.create('web', crash);
  harness.run(60_000);
  console.log(harness.statuses.map((s, i) => `${s.at} ${harness.story('web')[i]}`).join('\n'));
  console.log(harness.events.map((e) => `${e.at} ${e.text}`).join('\n'));
});
test('delete', () => {
  const harness = new NodeHarness({ programs: { app: { onStop: 'ignore' } } });
  harness.create('web', { ...one, terminationGracePeriodSeconds: 6 });
  harness.run(8000);
  harness.delete('web', 6);
  harness.run(60_000);
  console.log(harness.statuses.map((s, i) => `${s.at} ${harness.story('web')[i]}`).join('\n'));
  console.log(harness.events.map((e) => `${e.at} ${e.text}`).join('\n'));
  console.log(harness.pod('web'), Object.keys(harness.kubelet.pods));
});
