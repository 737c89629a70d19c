import { expect, test } from 'vitest';
import { NodeHarness } from './testing/node-harness.ts';

const container = (name: string, more = {}) => ({ name, image: 'busybox:1.36', ...more });

test('a pod starts in three writes: waiting, sandbox ready, running (2.1, 13.1)', () => {
  const harness = new NodeHarness();
  harness.create('web', { containers: [container('app')] });
  harness.run(5000);
  expect(harness.story('web')).toEqual(['Pending', 'Pending, app=ContainerCreating', 'Pending, sandbox, app=ContainerCreating', 'Running, sandbox, app=running ready']);
  expect(harness.eventTexts()).toEqual([
    'Normal Pulled spec.containers{app}: Container image "busybox:1.36" already present on machine and can be accessed by the pod',
    'Normal Created spec.containers{app}: Container created',
    'Normal Started spec.containers{app}: Container started',
  ]);
});

test('an idle pod costs nothing but the lease of its node (1.5, 4)', () => {
  const harness = new NodeHarness();
  harness.create('web', { containers: [container('app')] });
  harness.run(60_000);
  const before = harness.simulation.eventCount;
  harness.run(600_000);
  expect(harness.simulation.eventCount - before).toBeLessThan(130);
});

test('containers start one after another and show together (2.2, 27)', () => {
  const harness = new NodeHarness();
  harness.create('trio', { containers: [container('b'), container('a')] });
  harness.run(5000);
  expect(harness.story('trio').at(-1)).toBe('Running, sandbox, a=running ready, b=running ready');
  expect(harness.eventTexts().filter((text) => text.includes('Started'))).toEqual(['Normal Started spec.containers{b}: Container started', 'Normal Started spec.containers{a}: Container started']);
});

test('postStart holds back the status of every container (4.4)', () => {
  const harness = new NodeHarness();
  harness.create('web', { containers: [container('app', { lifecycle: { postStart: { sleep: { seconds: 5 } } } })] });
  harness.run(5000);
  expect(harness.story('web').at(-1)).toBe('Pending, sandbox, app=ContainerCreating');
  harness.run(1000);
  expect(harness.story('web').at(-1)).toBe('Running, sandbox, app=running ready');
});

test('a failed postStart kills the container and shows as PostStartHookError (4.2)', () => {
  const harness = new NodeHarness({ http: () => ({ ok: false, error: 'refused', latencyMs: 1, address: '', port: 80 }) });
  harness.create('web', { containers: [container('app', { lifecycle: { postStart: { httpGet: { port: 9999 } } } })] });
  harness.run(1500);
  expect(harness.pod('web')?.status.containerStatuses?.[0]?.state?.waiting).toEqual({
    reason: 'PostStartHookError',
    message: expect.stringMatching(/^HTTP lifecycle hook \(\/\) for Container "app" in Pod "web_default\(uid-web\)" failed - error: Get "http:\/\/[\d.]+:9999\/": dial tcp [\d.]+:9999: connect: connection refused$/),
  });
  expect(harness.eventTexts()).toContain('Normal Killing spec.containers{app}: FailedPostStartHook');
});

test('init containers run one by one, sidecars stay, apps come last (2.6)', () => {
  const harness = new NodeHarness({ programs: { first: { exitsAfterMs: 500 }, main: { exitsAfterMs: 5000 } } });
  harness.create('job', { restartPolicy: 'Never', initContainers: [container('first'), container('side', { restartPolicy: 'Always' })], containers: [container('main')] });
  harness.run(20_000);
  expect(harness.story('job')).toEqual([
    'Pending',
    'Pending, first=PodInitializing, side=PodInitializing, main=PodInitializing',
    'Pending, sandbox, first=PodInitializing, side=PodInitializing, main=PodInitializing',
    'Pending, sandbox, first=running, side=PodInitializing, main=PodInitializing',
    'Pending, sandbox, first=exit 0 ready, side=PodInitializing, main=PodInitializing',
    'Pending, sandbox, first=exit 0 ready, side=running ready, main=PodInitializing',
    'Running, sandbox, first=exit 0 ready, side=running ready, main=running ready',
    'Running, sandbox, first=exit 0 ready, side=running ready, main=exit 0',
    'Running, first=exit 0 ready, side=exit 0, main=exit 0',
    'Succeeded, first=exit 0 ready, side=exit 0, main=exit 0',
  ]);
});

test('an init container that fails for good fails the pod (13.4)', () => {
  const harness = new NodeHarness({ programs: { first: { exitsAfterMs: 100, exitCode: 1 } } });
  harness.create('job', { restartPolicy: 'Never', initContainers: [container('first')], containers: [container('main')] });
  harness.run(10_000);
  expect(harness.story('job').at(-1)).toBe('Failed, first=exit 1, main=PodInitializing');
});

test('a pod that does not fit is rejected for good (9.5)', () => {
  const harness = new NodeHarness();
  harness.create('big', { containers: [container('app', { resources: { requests: { cpu: '3' } } })] });
  harness.run(5000);
  const status = harness.pod('big')?.status;
  expect(status?.phase).toBe('Failed');
  expect(status?.message).toBe("Pod was rejected: Node didn't have enough resource: cpu, requested: 3000, used: 0, capacity: 2000");
  expect(harness.runtime.calls).toEqual([]);
});
