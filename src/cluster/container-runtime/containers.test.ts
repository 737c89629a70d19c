import { describe, expect, test } from 'vitest';
import type { StepResult } from '../../workload/contract.ts';
import { idOf, testConfig, testRuntime, type FakeProgram } from './testing/test-runtime.ts';

const exited = (exitCode: number): StepResult => ({ status: 'exited', exitCode });

const stubborn: FakeProgram = { step: () => ({ status: 'running' }) };
const exitsAfter = (ms: number, exitCode: number): FakeProgram => ({
  step: (wake, host) => (wake.kind === 'start' ? { status: 'running', wakeAt: host.now + ms } : exited(exitCode)),
});

describe('a sandbox', () => {
  test('C-1: is made in 200 to 450 ms with the next free address of the node', () => {
    const runtime = testRuntime();
    const run = (podUid: string) => runtime.call({ op: 'run-sandbox', podUid, namespace: 'default', name: podUid, attempt: 0, hostNetwork: false, hostname: podUid, shareProcessNamespace: false });
    const first = run('a');
    expect(first.result).toMatchObject({ ok: true, ip: '10.244.0.2' });
    expect(runtime.simulation.now).toBeGreaterThanOrEqual(200);
    expect(runtime.simulation.now).toBeLessThanOrEqual(450);
    runtime.call({ op: 'stop-sandbox', sandboxId: idOf(first, 'sandboxId') });
    expect(run('b').result).toMatchObject({ ip: '10.244.0.3' });
    expect(runtime.view.sandboxes('a')).toMatchObject([{ state: 'not-ready', ip: undefined }]);
  });

  test('C-3: whose pause container dies is not ready; its containers run on', () => {
    const runtime = testRuntime();
    const id = runtime.startContainer();
    runtime.send('fault', { sandbox: 'pod-1' });
    runtime.run(1);
    expect(runtime.view.sandboxes('pod-1')).toMatchObject([{ state: 'not-ready', ip: '10.244.0.2' }]);
    expect(runtime.view.containers('pod-1')).toMatchObject([{ id, state: 'running' }]);
  });
});

describe('a container', () => {
  test('C-5: that cannot be started has exit code 128, StartError and never ran', () => {
    const runtime = testRuntime({ nosuch: { start: () => ({ ok: false, error: 'exec: "nosuch": executable file not found in $PATH', exitCode: 127 }) } });
    const sandbox = runtime.call({ op: 'run-sandbox', podUid: 'p', namespace: 'default', name: 'p', attempt: 0, hostNetwork: false, hostname: 'p', shareProcessNamespace: false });
    const containerId = idOf(runtime.call({ op: 'create-container', sandboxId: idOf(sandbox, 'sandboxId'), config: testConfig({ command: ['nosuch'] }) }), 'containerId');
    const error = 'failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: error during container init: exec: "nosuch": executable file not found in $PATH';
    expect(runtime.call({ op: 'start-container', containerId }).result).toEqual({ ok: false, error });
    expect(runtime.view.containers('p')).toMatchObject([{ state: 'exited', exitCode: 128, reason: 'StartError', message: error, startedAt: 0 }]);
  });

  test('C-6: ends with its main process; the kubelet hears of it in the same millisecond', () => {
    const runtime = testRuntime({ job: exitsAfter(3000, 3) });
    const containerId = runtime.startContainer({ command: ['job'] });
    const startedAt = runtime.simulation.now;
    runtime.run(5000);
    expect(runtime.view.containers('pod-1')).toMatchObject([{ state: 'exited', exitCode: 3, reason: 'Error' }]);
    expect(runtime.notices.at(-1)).toEqual({ podUid: 'pod-1', containerId, what: 'container-exited', at: startedAt + 3000 });
  });

  test('C-7: that ignores the stop signal is killed at the end of its grace: 137', () => {
    const runtime = testRuntime({ deaf: stubborn });
    const containerId = runtime.startContainer({ command: ['deaf'] });
    const asked = runtime.simulation.now;
    runtime.call({ op: 'stop-container', containerId, graceMs: 4000 });
    expect(runtime.view.containers('pod-1')).toMatchObject([{ state: 'exited', exitCode: 137, reason: 'Error' }]);
    expect(runtime.replies.at(-1)?.at).toBeGreaterThanOrEqual(asked + 4000);
  });

  test('C-7: a second stop does not send the signal again but may shorten the wait', () => {
    const seen: string[] = [];
    const runtime = testRuntime({ deaf: { step: (wake) => {
      if (wake.kind === 'signal') seen.push(wake.signal);
      return { status: 'running' };
    } } });
    const containerId = runtime.startContainer({ command: ['deaf'] });
    const asked = runtime.simulation.now;
    runtime.send('cri', { id: 'first', call: { op: 'stop-container', containerId, graceMs: 30_000 } });
    runtime.call({ op: 'stop-container', containerId, graceMs: 2000 });
    expect(seen).toEqual(['SIGTERM']);
    expect(runtime.simulation.now).toBeLessThan(asked + 2100);
  });

  test('C-8: over its memory limit is killed as a whole: 137 OOMKilled', () => {
    const eater: FakeProgram = { step: (wake, host) => {
      if (wake.kind === 'timer') host.setMemory(200 << 20);
      return { status: 'running', wakeAt: host.now + 500 };
    } };
    const runtime = testRuntime({ eater });
    runtime.startContainer({ command: ['eater'], memoryLimitBytes: 100 << 20 });
    runtime.run(600);
    expect(runtime.view.containers('pod-1')).toMatchObject([{ state: 'exited', exitCode: 137, reason: 'OOMKilled' }]);
  });

  test('C-9: cannot kill its own first process with SIGKILL from inside', () => {
    const suicidal: FakeProgram = { step: (_wake, host) => {
      host.kill(1, 'SIGKILL');
      return { status: 'running' };
    } };
    const runtime = testRuntime({ suicidal });
    runtime.startContainer({ command: ['suicidal'] });
    expect(runtime.view.containers('pod-1')).toMatchObject([{ state: 'running' }]);
  });

  test('C-10: a timer that was set anew rings once, at its newest time', () => {
    const rung: number[] = [];
    const runtime = testRuntime({ nervous: { step: (wake, host) => {
      if (wake.kind === 'timer') rung.push(host.now);
      return wake.kind === 'start' ? { status: 'running', wakeAt: host.now + 1000 } : wake.kind === 'signal' ? { status: 'running', wakeAt: host.now + 2000 } : { status: 'running' };
    } } });
    runtime.startContainer({ command: ['nervous'] });
    const at = runtime.simulation.now;
    runtime.send('fault', { podUid: 'pod-1', kill: 'SIGHUP' });
    runtime.run(5000);
    expect(rung).toEqual([at + 2000]);
  });

  test('C-11: its termination message is the end of its file, or of its log if it failed and asked for that', () => {
    const writer: FakeProgram = { step: (wake, host) => {
      if (wake.kind !== 'start') return exited(1);
      for (let line = 0; line < 700; line++) host.files.write('/dev/termination-log', '0123456789\n', true);
      host.output('stderr', 'stack\n');
      return { status: 'running', wakeAt: host.now + 10 };
    } };
    const quiet: FakeProgram = { step: (wake, host) => {
      host.output('stdout', 'stack\n');
      return wake.kind === 'start' ? { status: 'running', wakeAt: host.now + 10 } : exited(1);
    } };
    const runtime = testRuntime({ writer, quiet });
    runtime.startContainer({ command: ['writer'] });
    runtime.startContainer({ name: 'd', command: ['quiet'], terminationMessagePolicy: 'FallbackToLogsOnError' });
    runtime.run(500);
    const [quietStatus, writerStatus] = runtime.view.containers('pod-1');
    expect(writerStatus?.message).toHaveLength(4096);
    expect(writerStatus?.message.startsWith('789\n0123456789\n')).toBe(true);
    expect(quietStatus?.message).toBe('stack\nstack\n');
  });
});

describe('an exec', () => {
  test('C-13: is steady when it only looks at its own container, and is not when it asks chance or writes', () => {
    const runtime = testRuntime({
      look: { step: (_wake, host) => exited(host.files.stat('/tmp/healthy') === undefined ? 1 : 0) },
      dice: { step: (_wake, host) => exited(host.random(1)) },
      touch: { step: (_wake, host) => exited(host.files.write('/tmp/healthy', '', false) === undefined ? 0 : 1) },
    });
    const containerId = runtime.startContainer();
    const exec = (command: string) => {
      const { result } = runtime.call({ op: 'exec', containerId, command: [command], timeoutMs: 1000, purpose: 'probe' });
      return result.ok ? [result.exec?.exitCode, result.exec?.steady] : result.error;
    };
    expect(exec('look')).toEqual([1, true]);
    expect(exec('dice')).toEqual([0, false]);
    const before = runtime.view.containers('pod-1')[0]?.generation ?? 0;
    expect(exec('touch')).toEqual([0, false]);
    expect(runtime.view.containers('pod-1')[0]?.generation).toBe(before + 1);
    expect(runtime.notices.at(-1)).toMatchObject({ what: 'generation', containerId });
    expect(exec('look')).toEqual([0, true]);
  });

  test('C-14: that takes longer than allowed is killed and says so', () => {
    const runtime = testRuntime({ slow: exitsAfter(5000, 0) });
    const containerId = runtime.startContainer();
    const asked = runtime.simulation.now;
    const { result } = runtime.call({ op: 'exec', containerId, command: ['slow'], timeoutMs: 1000, purpose: 'probe' });
    expect(result).toMatchObject({ ok: true, exec: { timedOut: true, exitCode: 137 } });
    expect(runtime.simulation.now).toBe(asked + 1000);
  });

  test('C-15: of a command that is not there is an error, not a result', () => {
    const runtime = testRuntime({ gone: { start: () => ({ ok: false, error: 'exec: "gone": executable file not found in $PATH', exitCode: 127 }) } });
    const containerId = runtime.startContainer();
    const { result } = runtime.call({ op: 'exec', containerId, command: ['gone'], timeoutMs: 0, purpose: 'user' });
    expect(result.ok ? '' : result.error).toMatch(/^rpc error: code = Unknown desc = failed to exec in container: failed to start exec "[0-9a-f]{64}": OCI runtime exec failed: exec failed: unable to start container process: exec: "gone": executable file not found in \$PATH$/);
  });
});

describe('volumes', () => {
  const mounts = [{ mountPath: '/s', volume: 's', readOnly: false }];

  test('V-1: containers of a pod see each other\'s files; a restart keeps them', () => {
    const runtime = testRuntime({
      writer: { step: (_wake, host) => exited(host.files.write('/s/f', 'hello\n', false) === undefined ? 0 : 1) },
      reader: { step: (_wake, host) => {
        host.output('stdout', String(host.files.read('/s/f')));
        return { status: 'running' };
      } },
    });
    runtime.send('volume', { podUid: 'pod-1', volume: 's', files: [], kind: 'emptyDir' });
    runtime.startContainer({ name: 'w', command: ['writer'], mounts });
    const reader = runtime.startContainer({ name: 'r', command: ['reader'], mounts });
    expect(runtime.view.logs(reader)).toMatchObject([{ text: 'hello', stream: 'stdout' }]);
    expect(runtime.view.volumeUsage('pod-1', 's')).toBe(4096);
    runtime.send('volume', { podUid: 'pod-1', volume: 's', files: undefined, kind: 'emptyDir' });
    runtime.run(1);
    expect(runtime.view.volumeUsage('pod-1', 's')).toBe(0);
  });

  test('V-2: a ConfigMap volume is read-only; its update raises the generation', () => {
    const results: unknown[] = [];
    const runtime = testRuntime({ app: { step: (wake, host) => {
      if (wake.kind === 'start') results.push(host.files.write('/s/a.conf', 'x', false), host.files.read('/s/a.conf'), host.files.list('/s'));
      return { status: 'running' };
    } } });
    const put = (content: string) => runtime.send('volume', { podUid: 'pod-1', volume: 's', kind: 'configMap', files: [{ path: 'a.conf', content, mode: 0o644 }] });
    put('one');
    runtime.startContainer({ command: ['app'], mounts });
    expect(results).toEqual(['EROFS', 'one', ['a.conf']]);
    const before = runtime.view.containers('pod-1')[0]?.generation ?? 0;
    put('two');
    runtime.run(1);
    expect(runtime.view.containers('pod-1')[0]?.generation).toBe(before + 1);
  });

  test('F-1: deleted image files stay deleted in this container only; a read-only root refuses', () => {
    const results: unknown[] = [];
    const runtime = testRuntime({ app: { step: (wake, host) => {
      if (wake.kind === 'start') {
        results.push(host.files.remove('/etc/passwd', false), host.files.stat('/etc/passwd'), host.files.makeDirectory('/a/b', true), host.files.write('/a/b/c', 'x', false), host.files.list('/a'));
      }
      return { status: 'running' };
    } } });
    runtime.startContainer({ command: ['app'] });
    expect(results).toEqual([undefined, undefined, undefined, undefined, ['b']]);
    results.length = 0;
    runtime.startContainer({ name: 'd', command: ['app'], readOnlyRootFilesystem: true });
    expect(results).toEqual(['EROFS', expect.objectContaining({ kind: 'file' }), 'EROFS', 'ENOENT', { error: 'ENOENT' }]);
  });
});

test('D-1: the state is plain data: a run from a checkpoint goes on as the run itself did', () => {
  const ticker: FakeProgram = { step: (_wake, host, state) => {
    state.count = Number(state.count ?? 0) + 1;
    host.output('stdout', `${String(state.count)} ${host.random(1000)}\n`);
    return { status: 'running', wakeAt: host.now + 700 };
  } };
  const runtime = testRuntime({ ticker });
  const containerId = runtime.startContainer({ command: ['ticker'] });
  runtime.run(3000);
  const checkpoint = runtime.simulation.checkpoint();
  runtime.run(5000);
  const straight = JSON.stringify(runtime.view.logs(containerId));
  runtime.simulation.restore(checkpoint);
  runtime.run(5000);
  expect(JSON.stringify(runtime.view.logs(containerId))).toBe(straight);
  expect(JSON.parse(JSON.stringify(runtime.state))).toEqual(runtime.state);
});
