import { expect, test } from 'vitest';
import { NodeHarness } from './testing/node-harness.ts';

const container = (name: string, more = {}) => ({ name, image: 'busybox:1.36', ...more });

function scene(): NodeHarness {
  const failing = { exitCode: 1, stdout: '', stderr: '', timedOut: false, steady: true };
  const harness = new NodeHarness({ programs: { crash: { exitsAfterMs: 400, exitCode: 1 }, sick: { exec: () => ({ result: failing, afterMs: 30 }) } }, absent: ['gone:1'], pullError: 'not found' });
  harness.create('crash', { containers: [container('crash')] });
  harness.create('sick', { initContainers: [container('side', { restartPolicy: 'Always' })], containers: [container('sick', { livenessProbe: { exec: { command: ['x'] }, periodSeconds: 2 } })] });
  harness.create('gone', { containers: [{ name: 'a', image: 'gone:1' }] });
  return harness;
}

test('state is plain data: a run that goes on from any checkpoint is the same run', () => {
  const straight = scene().run(60_000);
  for (const at of [200, 430, 3000, 17_321]) {
    const harness = scene().run(at);
    const saved = harness.simulation.checkpoint();
    expect(JSON.parse(JSON.stringify(saved.states))).toEqual(saved.states);
    const events = harness.events.length;
    harness.run(5000);
    harness.simulation.restore(saved);
    harness.events.splice(events);
    harness.run(60_000 - at);
    expect(harness.events).toEqual(straight.events);
  }
});
