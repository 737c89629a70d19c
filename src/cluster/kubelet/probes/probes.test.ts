import { expect, test } from 'vitest';
import type { HttpAnswer } from '../../network.ts';
import { NodeHarness } from '../testing/node-harness.ts';

const container = (more: object) => ({ containers: [{ name: 'app', image: 'nginx:1.25', ...more }] });
const answer = (status: number): HttpAnswer => ({ ok: true, status, headers: {}, body: '', latencyMs: 2, node: '', podUid: '' });
const failing = { exitCode: 1, stdout: '', stderr: 'bad', timedOut: false, steady: true };
const generation = (harness: NodeHarness) =>
  harness.simulation.input({ at: harness.simulation.now, to: 'kubelet/node-a', kind: 'runtime-changed', payload: { podUid: 'uid-web', containerId: harness.runtime.containers[0]?.id, what: 'generation' } });

test('readiness runs at once when the container shows, and turns with its threshold (6.2, 13.5)', () => {
  let status = 200;
  const harness = new NodeHarness({ http: () => answer(status) });
  harness.create('web', container({ readinessProbe: { httpGet: { port: 80 }, periodSeconds: 5 } }));
  harness.run(5000);
  expect(harness.story('web').at(-1)).toBe('Running, sandbox, app=running ready');
  status = 503;
  generation(harness);
  harness.run(10_000);
  expect(harness.story('web').at(-1)).toBe('Running, sandbox, app=running ready');
  harness.run(1000);
  expect(harness.story('web').at(-1)).toBe('Running, sandbox, app=running');
  expect(harness.eventTexts().at(-1)).toBe('Warning Unhealthy spec.containers{app}: Readiness probe failed: HTTP probe failed with statuscode: 503');
});

test('a steady success is a series: no event until the container changes', () => {
  const harness = new NodeHarness({ http: () => answer(200) });
  harness.create('web', container({ livenessProbe: { httpGet: { port: 80 } } }));
  harness.run(60_000);
  const before = harness.simulation.eventCount;
  harness.run(600_000);
  expect(harness.simulation.eventCount - before).toBeLessThan(130);
  expect(harness.notes.filter(({ kind }) => kind === 'probe-series')).toHaveLength(1);
});

test('an answer that holds only for a while is asked for again when that is over', () => {
  let status = 200;
  const harness = new NodeHarness({ http: () => ({ ...answer(status), steadyUntil: 30_000 }) as HttpAnswer });
  harness.create('web', container({ livenessProbe: { httpGet: { port: 80 }, failureThreshold: 1 } }));
  harness.run(29_000);
  status = 500;
  harness.run(15_000);
  expect(harness.eventTexts().find((text) => text.includes('Liveness'))).toBe('Warning Unhealthy spec.containers{app}: Liveness probe failed: HTTP probe failed with statuscode: 500');
});

test('a failed liveness probe restarts without a terminated state in between (6.3, 13.6)', () => {
  const harness = new NodeHarness({ programs: { app: { exec: () => ({ result: failing, afterMs: 20 }) } } });
  harness.create('web', container({ livenessProbe: { exec: { command: ['false'] }, periodSeconds: 3, failureThreshold: 1, initialDelaySeconds: 5 } }));
  harness.run(12_000);
  expect(harness.story('web').slice(3)).toEqual(['Running, sandbox, app=running ready', 'Running, sandbox, app=running ready #1']);
  expect(harness.eventTexts()).toContain('Normal Killing spec.containers{app}: Container app failed liveness probe, will be restarted');
});

test('under Never a failed liveness probe ends the pod (6.3, recorded 040)', () => {
  const harness = new NodeHarness({ programs: { app: { exec: () => ({ result: failing, afterMs: 20 }) } } });
  harness.create('web', { ...container({ livenessProbe: { exec: { command: ['false'] }, periodSeconds: 3, failureThreshold: 1 } }), restartPolicy: 'Never' });
  harness.run(20_000);
  expect(harness.eventTexts()).toContain('Normal Killing spec.containers{app}: Stopping container app');
  expect(harness.pod('web')?.status.phase).toBe('Succeeded');
});

test('until the startup probe succeeds nothing else is probed and started is false (6.3, 13.7)', () => {
  let up = false;
  const harness = new NodeHarness({ programs: { app: { exec: () => ({ result: up ? { ...failing, exitCode: 0 } : failing, afterMs: 20 }) } }, http: () => answer(200) });
  harness.create('web', container({ startupProbe: { exec: { command: ['test'] }, periodSeconds: 2, failureThreshold: 30 }, readinessProbe: { httpGet: { port: 80 } } }));
  harness.run(9000);
  expect(harness.pod('web')?.status.containerStatuses?.[0]).toMatchObject({ started: false, ready: false });
  up = true;
  generation(harness);
  harness.run(3000);
  expect(harness.pod('web')?.status.containerStatuses?.[0]).toMatchObject({ started: true, ready: true });
});

test('an exec that cannot run counts for nothing but is told of (6.4)', () => {
  const harness = new NodeHarness({ http: () => answer(200) });
  harness.create('web', container({ livenessProbe: { tcpSocket: { port: 'nosuch' }, periodSeconds: 1, failureThreshold: 1 } }));
  harness.run(5000);
  expect(harness.eventTexts().at(-1)).toBe("Warning Unhealthy spec.containers{app}: Liveness probe errored and resulted in unknown state: couldn't find port: nosuch");
  expect(harness.pod('web')?.status.containerStatuses?.[0]?.restartCount).toBe(0);
});
