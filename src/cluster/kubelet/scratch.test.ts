import { test } from 'vitest';
import { NodeHarness } from './testing/node-harness.ts';
const show = (harness: NodeHarness, name: string) => {
  console.log(harness.statuses.map((s, i) => `${s.at} ${harness.story(name)[i]} [${s.status.conditions?.map((c) => c.type.slice(0, 3) + '=' + c.status[0] + (c.reason ?? '')).join(' ')}]`).join('\n') + '\n' + harness.events.map((e) => `${e.at} ${e.text}`).join('\n'));
};
const c = (name: string, more = {}) => ({ name, image: 'busybox:1.36', ...more });
test('init + sidecars', () => {
  const harness = new NodeHarness({ programs: { i: { exitsAfterMs: 500 }, main: { exitsAfterMs: 5000 } } });
  harness.create('web', { restartPolicy: 'Never', initContainers: [c('i'), c('s', { restartPolicy: 'Always' })], containers: [c('main')] });
  harness.run(30_000);
  show(harness, 'web');
});
test('image pull', () => {
  const harness = new NodeHarness({ absent: ['busybox:1.36'], pullError: 'nope' });
  harness.create('web', { containers: [c('main')] });
  harness.run(40_000);
  harness.delete('web');
  harness.run(10_000);
  show(harness, 'web');
});
test('readiness', () => {
  let ok = true;
  const harness = new NodeHarness({ http: () => ({ ok: true, status: ok ? 200 : 503, headers: {}, body: '', latencyMs: 2, node: '', podUid: '' }) });
  harness.create('web', { containers: [c('main', { readinessProbe: { httpGet: { port: 80 }, periodSeconds: 5 } })] });
  harness.run(20_000);
  console.log(harness.simulation.eventCount);
  ok = false;
  harness.simulation.input({ at: harness.simulation.now, to: 'kubelet/node-a', kind: 'runtime-changed', payload: { podUid: 'uid-web', containerId: harness.runtime.containers[0]?.id, what: 'generation' } });
  harness.run(30_000);
  console.log(harness.notes.filter((n) => n.kind.startsWith('probe')).map((n) => n.at + n.kind + JSON.stringify(n.data)).join('\n'));
  show(harness, 'web');
});
test('liveness exec', () => {
  const harness = new NodeHarness({ programs: { main: { exec: () => ({ result: { exitCode: 1, stdout: '', stderr: 'bad', timedOut: false, steady: true }, afterMs: 20 }) } } });
  harness.create('web', { containers: [c('main', { livenessProbe: { exec: { command: ['false'] }, periodSeconds: 3, failureThreshold: 1, initialDelaySeconds: 5 }, lifecycle: { preStop: { sleep: { seconds: 4 } } } })] });
  harness.run(60_000);
  show(harness, 'web');
});
test('volume', () => {
  const harness = new NodeHarness({});
  harness.create('web', { containers: [c('main', { volumeMounts: [{ name: 'v', mountPath: '/v' }] })], volumes: [{ name: 'v', configMap: { name: 'late' } }] });
  harness.run(20_000);
  harness.forceDelete('web');
  harness.run(5_000);
  show(harness, 'web');
});
test('poststart', () => {
  const harness = new NodeHarness({ http: () => ({ ok: false, error: 'refused', latencyMs: 1, address: '', port: 80 }) });
  harness.create('web', { containers: [c('main', { lifecycle: { postStart: { httpGet: { port: 9999 } } } })] });
  harness.run(20_000);
  show(harness, 'web');
});
