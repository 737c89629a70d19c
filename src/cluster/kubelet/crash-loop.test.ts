import { expect, test } from 'vitest';
import { NodeHarness } from './testing/node-harness.ts';

const crashing = { containers: [{ name: 'app', image: 'busybox:1.36' }] };
const startsOf = (harness: NodeHarness) => harness.events.filter(({ text }) => text.includes(' Started ')).map(({ at }) => at);

test('the first restart follows at once, the next waits at least 10, 20, 40 s (5)', () => {
  const harness = new NodeHarness({ programs: { app: { exitsAfterMs: 300, exitCode: 1 } } });
  harness.create('web', crashing);
  harness.run(150_000);
  const starts = startsOf(harness);
  const waits = starts.slice(1).map((at, index) => at - (starts[index] as number) - 300);
  expect(waits[0]).toBeLessThan(2000);
  [10_000, 20_000, 40_000].forEach((windowMs, index) => {
    expect(waits[index + 1]).toBeGreaterThanOrEqual(windowMs);
    expect(waits[index + 1]).toBeLessThan(windowMs * 1.5 + 3000);
  });
});

test('CrashLoopBackOff shows one sync late, Error before it (5, 13.3)', () => {
  const harness = new NodeHarness({ programs: { app: { exitsAfterMs: 300, exitCode: 1 } } }, 3);
  harness.create('web', crashing);
  harness.run(30_000);
  const story = harness.story('web');
  const waiting = story.indexOf('Running, sandbox, app=CrashLoopBackOff #1');
  expect(story[waiting - 1]).toBe('Running, sandbox, app=exit 1 #1');
  expect(story[waiting + 1]).toBe('Running, sandbox, app=running ready #2');
  const status = harness.statuses.find(({ status: item }) => item.containerStatuses?.[0]?.state?.waiting?.reason === 'CrashLoopBackOff')?.status;
  expect(status?.containerStatuses?.[0]?.state?.waiting?.message).toBe('back-off 10s restarting failed container=app pod=web_default(uid-web)');
  expect(status?.containerStatuses?.[0]?.lastState?.terminated?.exitCode).toBe(1);
});

test('a start that fails: RunContainerError, then back-off; the phase is Running (4.3, recorded 351)', () => {
  const harness = new NodeHarness({ programs: { app: { startError: 'no such file' } } });
  harness.create('web', crashing);
  harness.run(6000);
  expect(harness.story('web')).toContain('Running, sandbox, app=RunContainerError');
  expect(harness.pod('web')?.status.containerStatuses?.[0]?.lastState?.terminated?.reason).toBe('StartError');
});

test('with restartPolicy OnFailure exit 0 ends the pod, with Never any exit does (2.4)', () => {
  const harness = new NodeHarness({ programs: { app: { exitsAfterMs: 300 } } });
  harness.create('good', { ...crashing, restartPolicy: 'OnFailure' });
  harness.run(10_000);
  expect(harness.story('good').at(-1)).toBe('Succeeded, app=exit 0');
  const other = new NodeHarness({ programs: { app: { exitsAfterMs: 300, exitCode: 3 } } });
  other.create('bad', { ...crashing, restartPolicy: 'Never' });
  other.run(10_000);
  expect(other.story('bad').slice(-2)).toEqual(['Running, sandbox, app=exit 3', 'Failed, app=exit 3']);
});

test('a rule that asks for RestartAllContainers starts everything over in the same sandbox (2.5)', () => {
  const harness = new NodeHarness({ programs: { first: { exitsAfterMs: 100 }, app: { exitsAfterMs: 3000, exitCode: 88 } } });
  harness.create('all', {
    restartPolicy: 'Never', initContainers: [{ name: 'first', image: 'busybox:1.36' }],
    containers: [{ name: 'app', image: 'busybox:1.36', restartPolicy: 'Never', restartPolicyRules: [{ action: 'RestartAllContainers', exitCodes: { operator: 'In', values: [88] } }] }],
  });
  harness.run(9000);
  expect(harness.runtime.calls.filter((call) => call === 'run-sandbox')).toHaveLength(1);
  const condition = (status: { conditions?: { type: string; status: string }[] }) => status.conditions?.find(({ type }) => type === 'AllContainersRestarting')?.status;
  expect(harness.statuses.map(({ status }) => condition(status)).filter((value, index, all) => value !== all[index - 1]).slice(0, 3)).toEqual(['False', 'True', 'False']);
  expect(harness.pod('all')?.status.initContainerStatuses?.[0]).toMatchObject({ restartCount: 1, lastState: { terminated: { exitCode: 137, reason: 'RestartingAllContainers' } } });
});
