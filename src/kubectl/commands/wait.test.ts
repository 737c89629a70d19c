import { describe, expect, it } from 'vitest';
import { pod, stage } from '../testing/stage.ts';

const merge = { 'Content-Type': 'application/merge-patch+json' };
const path = '/api/v1/namespaces/default/pods';
const ready = { status: { conditions: [{ type: 'Ready', status: 'True' }] } };

describe('commands that wait (K-4)', () => {
  it('wait until a condition is there (K-47)', () => {
    const one = stage().put(pod('a'));
    const waiting = one.start('wait --for=condition=Ready pod/a');
    expect(waiting).toMatchObject({ status: 'waiting', stdout: '' });
    expect(JSON.parse(JSON.stringify(waiting))).toEqual(waiting);
    one.server.http('PATCH', `${path}/a/status`, ready, merge);
    expect(one.later(waiting, 200)).toMatchObject({ status: 'done', stdout: 'pod/a condition met\n', exit: 0 });
  });

  it('give up at the deadline, and do not look at those after the first (K-6, K-47)', () => {
    const one = stage().put(pod('a')).put(pod('b', ready));
    const waiting = one.start('wait --for=condition=Ready pods --all --timeout=1s');
    expect(one.later(waiting, 1000)).toMatchObject({ stdout: '', stderr: 'timed out waiting for the condition on pods/a\ntimed out waiting for the condition on pods/b\n', exit: 1 });
    const alone = one.start('wait --for=condition=Ready pod/a --timeout=1s');
    expect(one.later(alone, 1000)).toMatchObject({ stderr: 'error: timed out waiting for the condition on pods/a\n' });
  });

  it('take a missing object for a deleted one, and wait for one to be made', () => {
    const one = stage();
    expect(one.start('wait --for=delete pod/a')).toMatchObject({ status: 'done', exit: 0 });
    const waiting = one.start('wait --for=create pod/a');
    one.put(pod('a'));
    expect(one.later(waiting, 500)).toMatchObject({ stdout: 'pod/a condition met\n' });
  });

  it('compare a value (K-47)', () => {
    const one = stage().put(pod('a'));
    expect(one.start("wait --for=jsonpath='{.status.phase}'=Running pod/a")).toMatchObject({ stdout: 'pod/a condition met\n' });
    expect(one.run('wait --for=jsonpath=.a=b=c pod/a').stderr).toContain('jsonpath wait format must be');
  });

  it('print each change of a watch, and a pod that goes as terminating first (K-27)', () => {
    const one = stage().put(pod('a'));
    let watch = one.start('get pods -w');
    expect(watch).toMatchObject({ status: 'waiting', stdout: 'NAME   READY   STATUS    RESTARTS   AGE\na      0/1     Running   0          30m\n' });
    one.server.http('PATCH', `${path}/a/status`, { status: { phase: 'Failed', reason: 'Evicted' } }, merge);
    watch = one.later(watch, 200);
    one.put(pod('b'));
    watch = one.later(watch, 200);
    one.server.http('DELETE', `${path}/b?gracePeriodSeconds=0`);
    const { stdout } = one.later(watch, 200);
    expect(stdout.split('\n').slice(2)).toEqual([
      'a      0/1     Evicted   0          30m', 'b      0/1     Running   0          30m', 'b      0/1     Terminating   0          30m', 'b      0/1     Terminating   0          30m', '',
    ]);
  });
});
