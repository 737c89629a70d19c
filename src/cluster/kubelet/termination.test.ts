import { expect, test } from 'vitest';
import { NodeHarness } from './testing/node-harness.ts';

const container = (name: string, more = {}) => ({ name, image: 'busybox:1.36', ...more });
const killed = (harness: NodeHarness, name: string) => harness.statuses.find(({ status }) => status.containerStatuses?.some((item) => item.name === name && item.state?.terminated !== undefined))?.at ?? 0;

test('a delete is told in four writes and then the object goes (8.8, recorded 325)', () => {
  const harness = new NodeHarness({ programs: { app: { onStop: 'ignore' } } });
  harness.create('web', { containers: [container('app')], terminationGracePeriodSeconds: 6 });
  harness.run(8000);
  harness.delete('web', 6);
  harness.run(5900);
  expect(harness.story('web').at(-1)).toBe('Running, sandbox, app=running ready');
  harness.run(3000);
  expect(harness.story('web').at(-1)).toBe('Failed, app=exit 137');
  const last = harness.statuses.at(-1)?.status;
  expect(last?.conditions?.map(({ type, status, reason }) => `${type} ${status} ${reason ?? ''}`)).toEqual([
    'PodReadyToStartContainers False PodSandboxNotReady', 'Initialized True ', 'Ready False PodFailed', 'ContainersReady False PodFailed', 'PodScheduled True ',
  ]);
  expect(harness.pod('web')).toBeUndefined();
  expect(Object.keys(harness.kubelet.pods)).toEqual([]);
});

test('preStop eats of the grace; past it two seconds are left (8.3)', () => {
  const harness = new NodeHarness({ programs: { app: { onStop: 'ignore', exec: () => ({ result: { exitCode: 0, stdout: '', stderr: '', timedOut: false, steady: false }, afterMs: 60_000 }) } } });
  harness.create('web', { containers: [container('app', { lifecycle: { preStop: { exec: { command: ['sleep', '60'] } } } })], terminationGracePeriodSeconds: 10 });
  harness.run(8000);
  harness.delete('web', 10);
  harness.run(11_900);
  expect(killed(harness, 'app')).toBe(0);
  harness.run(3000);
  expect(killed(harness, 'app')).toBeGreaterThan(20_000);
});

test('apps stop first, then sidecars from the last to the first (8.5)', () => {
  const side = { restartPolicy: 'Always' };
  const harness = new NodeHarness({ programs: { main: { onStop: 'ignore' } } });
  harness.create('ord', { initContainers: [container('s1', side), container('s2', side)], containers: [container('main')], terminationGracePeriodSeconds: 5 });
  harness.run(8000);
  harness.delete('ord', 5);
  harness.run(20_000);
  const ends = Object.fromEntries(harness.statuses.at(-1)?.status.initContainerStatuses?.concat(harness.statuses.at(-1)?.status.containerStatuses ?? []).map((item) => [item.name, item.state?.terminated?.exitCode]) ?? []);
  expect(ends).toEqual({ s1: 0, s2: 0, main: 137 });
  expect(harness.eventTexts(8000).filter((text) => text.includes('Killing'))).toHaveLength(3);
});

test('a forced delete leaves the container its grace on the node (1.9)', () => {
  const harness = new NodeHarness({ programs: { app: { onStop: 'ignore' } } });
  harness.create('web', { containers: [container('app')], terminationGracePeriodSeconds: 10 });
  harness.run(5000);
  harness.forceDelete('web');
  harness.run(9000);
  expect(harness.runtime.containers[0]?.state).toBe('running');
  harness.run(3000);
  expect(harness.runtime.containers[0]?.state).toBe('exited');
  harness.run(70_000);
  expect(harness.runtime.containers).toEqual([]);
});

test('activeDeadlineSeconds ends the pod as Failed DeadlineExceeded (8.6)', () => {
  const harness = new NodeHarness();
  harness.create('web', { containers: [container('app')], activeDeadlineSeconds: 5 });
  harness.run(4500);
  expect(harness.pod('web')?.status.phase).toBe('Running');
  harness.run(6000);
  expect(harness.pod('web')?.status).toMatchObject({ phase: 'Failed', reason: 'DeadlineExceeded', message: 'Pod was active on the node longer than the specified deadline' });
});

test('a lost sandbox is replaced and its containers restart in it (2.2, recorded 353)', () => {
  const harness = new NodeHarness();
  harness.create('web', { containers: [container('app')] });
  harness.run(5000);
  const sandbox = harness.runtime.sandboxes[0];
  if (sandbox !== undefined) sandbox.state = 'not-ready';
  harness.simulation.input({ at: 5000, to: 'kubelet/node-a', kind: 'runtime-changed', payload: { podUid: 'uid-web', what: 'sandbox' } });
  harness.run(5000);
  expect(harness.eventTexts(5000).slice(0, 2)).toEqual(['Normal SandboxChanged: Pod sandbox changed, it will be killed and re-created.', 'Normal Killing spec.containers{app}: Stopping container app']);
  expect(harness.pod('web')?.status.containerStatuses?.[0]).toMatchObject({ restartCount: 1, ready: true });
});

test('a kubelet cut off from the API keeps its containers and tells the rest later', () => {
  const harness = new NodeHarness({ programs: { app: { exitsAfterMs: 10_000, exitCode: 1 } } });
  harness.create('web', { containers: [container('app')] });
  harness.run(5000);
  const fault = (payload: object) => harness.simulation.input({ at: harness.simulation.now, to: 'kubelet/node-a', kind: 'fault', payload });
  fault({ network: 'down' });
  harness.run(10_000);
  expect(harness.pod('web')?.status.containerStatuses?.[0]?.restartCount).toBe(0);
  fault({ network: 'up' });
  harness.run(1000);
  expect(harness.pod('web')?.status.containerStatuses?.[0]?.restartCount).toBe(1);
});
