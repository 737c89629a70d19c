import { expect, test } from 'vitest';
import { NodeHarness } from './testing/node-harness.ts';

const app = (image: string, more = {}) => ({ containers: [{ name: 'app', image, ...more }] });

test('the reasons of a failing pull alternate, each one sync late (3.2, 13.10)', () => {
  const harness = new NodeHarness({ absent: ['nginx:nope'], pullError: 'not found' });
  harness.create('web', app('nginx:nope'));
  harness.run(40_000);
  expect(harness.story('web').slice(3, 6)).toEqual(['Pending, sandbox, app=ErrImagePull', 'Pending, sandbox, app=ImagePullBackOff', 'Pending, sandbox, app=ErrImagePull']);
  expect(harness.eventTexts().slice(0, 5)).toEqual([
    'Normal Pulling spec.containers{app}: Pulling image "nginx:nope"',
    'Warning Failed spec.containers{app}: Failed to pull image "nginx:nope": not found',
    'Warning Failed spec.containers{app}: Error: ErrImagePull',
    'Normal BackOff spec.containers{app}: Back-off pulling image "nginx:nope"',
    'Warning Failed spec.containers{app}: Error: ImagePullBackOff',
  ]);
});

test('missing pull secrets are told of after a pull that failed (recorded 074)', () => {
  const harness = new NodeHarness({ absent: ['private:1'], pullError: 'denied' });
  harness.create('web', { ...app('private:1'), imagePullSecrets: [{ name: 'regcred' }] });
  harness.run(5000);
  expect(harness.eventTexts()[3]).toBe('Warning FailedToRetrieveImagePullSecret: Unable to retrieve some image pull secrets (regcred); attempting to pull the image may not succeed.');
});

test('one pull at a time on a node; the event tells both durations (3.4)', () => {
  const harness = new NodeHarness({ absent: ['a:1', 'b:1'] });
  harness.create('one', app('a:1'));
  harness.create('two', app('b:1'));
  harness.run(10_000);
  const pulled = harness.eventTexts().filter((text) => text.includes('Successfully'));
  expect(pulled[0]).toMatch(/in 2s \(2s including waiting\)\. Image size: 1000 bytes\.$/);
  expect(pulled[1]).toMatch(/in 2s \([34](\.\d+)?s including waiting\)/);
});

test('policy Never and names that cannot be read (3.2)', () => {
  const harness = new NodeHarness({ absent: ['web:local'] });
  harness.create('never', app('web:local', { imagePullPolicy: 'Never' }));
  harness.create('upper', app('MyOrg/Web'));
  harness.run(3000);
  expect(harness.eventTexts()).toContain('Warning ErrImageNeverPull spec.containers{app}: Container image "web:local" is not present with pull policy of Never');
  expect(harness.eventTexts()).toContain('Warning Failed spec.containers{app}: Error: InvalidImageName');
});

test('a deleted pod that never ran ends as Failed with ContainerStatusUnknown (7.8)', () => {
  const harness = new NodeHarness({ absent: ['nginx:nope'], pullError: 'not found' });
  harness.create('web', app('nginx:nope'));
  harness.run(20_000);
  harness.delete('web');
  harness.run(5000);
  expect(harness.story('web').at(-1)).toBe('Failed, app=exit 137');
  expect(harness.pod('web')).toBeUndefined();
});
