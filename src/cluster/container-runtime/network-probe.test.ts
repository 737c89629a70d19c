import { expect, test } from 'vitest';
import { testRuntime, type FakeProgram } from './testing/test-runtime.ts';

const late: FakeProgram = {
  step: (wake, host) => {
    if (wake.kind === 'timer') host.listen(8080);
    return wake.kind === 'start' ? { status: 'running', wakeAt: host.now + 2000 } : { status: 'running' };
  },
  answer: (request, host) => {
    if (request.kind === 'grpc-health') return { kind: 'grpc-health', outcome: request.service === '' ? 'SERVING' : 'NOT_SERVING', delayMs: 0 };
    if (request.kind === 'tcp') return { kind: 'accepted', delayMs: 0 };
    if (request.path === '/hang') return { kind: 'hang' };
    return { kind: 'http', status: request.path === '/dice' ? 200 + host.random(1) : 200, headers: {}, body: '', delayMs: 3 };
  },
};

test('C-16: a probe is refused until the process listens; that moment is told to the kubelet', () => {
  const runtime = testRuntime({ late });
  const containerId = runtime.startContainer({ command: ['late'] });
  const startedAt = runtime.simulation.now;
  const get = (path: string, scheme: 'http' | 'https' = 'http') => runtime.view.http({ method: 'GET', scheme, address: '10.244.0.2', port: 8080, path });
  expect(get('/')).toMatchObject({ ok: false, error: 'refused' });
  expect(runtime.view.connect('10.244.0.2', 8080)).toEqual({ ok: false, error: 'refused', latencyMs: 1 });
  runtime.run(2500);
  expect(runtime.notices.at(-1)).toEqual({ podUid: 'pod-1', containerId, what: 'generation', at: startedAt + 2000 });
  expect(get('/')).toMatchObject({ ok: true, status: 200, latencyMs: 4, podUid: 'pod-1' });
  expect(get('/')).not.toHaveProperty('steadyUntil');
  expect(get('/dice')).toMatchObject({ steadyUntil: runtime.simulation.now });
  expect(get('/hang')).toMatchObject({ ok: false, error: 'timeout' });
  expect(get('/', 'https')).toMatchObject({ ok: false, error: 'not-http' });
  expect(runtime.view.connect('10.244.0.2', 8080)).toEqual({ ok: true, latencyMs: 1 });
  expect(runtime.view.grpcHealth('10.244.0.2', 8080, '')).toMatchObject({ outcome: 'SERVING' });
  expect(runtime.view.grpcHealth('10.244.0.2', 8080, 'x')).toMatchObject({ outcome: 'NOT_SERVING' });
  expect(runtime.view.grpcHealth('10.244.0.2', 81, '')).toMatchObject({ outcome: 'refused' });
});

test('C-17: two containers of a pod share its ports; an ended one frees its own', () => {
  const results: string[] = [];
  const greedy: FakeProgram = { step: (wake, host) => {
    if (wake.kind === 'start') results.push(host.listen(80));
    return wake.kind === 'start' ? { status: 'running' } : { status: 'exited', exitCode: 0 };
  } };
  const runtime = testRuntime({ greedy });
  const first = runtime.startContainer({ command: ['greedy'] });
  runtime.startContainer({ name: 'd', command: ['greedy'] });
  runtime.call({ op: 'stop-container', containerId: first, graceMs: 2000 });
  runtime.startContainer({ name: 'e', command: ['greedy'] });
  expect(results).toEqual(['ok', 'in-use', 'ok']);
});
