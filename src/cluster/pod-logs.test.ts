import { describe, expect, it } from 'vitest';
import { testCluster } from './testing/test-cluster.ts';

const pod = (name: string, script: string, more = '') => `apiVersion: v1
kind: Pod
metadata: { name: ${name} }
spec:
  containers: [{ name: app, image: "busybox:1.36", command: [sh, -c, "${script}"] }]
${more}`;

describe('kubectl logs', () => {
  it('are of the instance that runs, or of the last that ended', () => {
    const cluster = testCluster().apply(pod('a', 'date +%s; sleep 4; echo end; exit 1')).runFor('3s');
    const [first = ''] = cluster.pod('a').logs().split('\n');
    expect(Number(first)).toBeGreaterThan(1_767_603_600);
    expect(cluster.kubectl('logs a -p')).toEqual({ stdout: '', stderr: 'Error from server (BadRequest): previous terminated container "app" in pod "a" not found\n', exit: 1 });
    cluster.runFor('4s');
    expect(cluster.pod('a').logs(undefined, true)).toBe(`${first}\nend\n`);
    cluster.runUntil(() => cluster.now > 12_000 && cluster.pod('a').status === 'CrashLoopBackOff');
    // While it waits, both ways show the one that ended last.
    const log = (query: Record<string, string>) => cluster.run.cluster.outside({ method: 'GET', path: '/api/v1/namespaces/default/pods/a/log', query, headers: {} }).body;
    expect(log({})).toMatch(/^\d+\nend\n$/);
    expect(log({ previous: 'true' })).toBe(log({}));
  });

  it('of a pod that is through has no previous instance', () => {
    const cluster = testCluster().apply(pod('a', 'echo hi', '  restartPolicy: Never')).runFor('10s');
    expect(cluster.pod('a').logs()).toBe('hi\n');
    expect(cluster.kubectl('logs a -p').stderr).toBe('Error from server (BadRequest): previous terminated container "app" in pod "a" not found\n');
  });

  it('say why there are none', () => {
    const cluster = testCluster().apply(pod('a', 'x').replace('busybox:1.36', 'busybox:none')).apply(pod('b', 'x', '  nodeSelector: { disk: ssd }')).runFor('3s');
    expect(cluster.kubectl('logs a').stderr).toMatch(/^Error from server \(BadRequest\): container "app" in pod "a" is waiting to start: (image can't be pulled|trying and failing to pull image)\n$/);
    expect(cluster.kubectl('logs b')).toEqual({ stdout: '', stderr: '', exit: 0 });
    expect(cluster.kubectl('logs c').stderr).toContain('pods "c" not found');
    expect(cluster.kubectl('logs a -c b').stderr).toContain('container b is not valid for pod a');
  });

  it('can be cut to the end and stamped', () => {
    const cluster = testCluster().apply(pod('a', 'for i in 1 2 3; do echo $i; sleep 1; done; sleep 99')).runFor('8s');
    expect(cluster.kubectl('logs a --tail=2').stdout).toBe('2\n3\n');
    expect(cluster.kubectl('logs a --tail=0').stdout).toBe('');
    expect(cluster.kubectl('logs a --timestamps --tail=1').stdout).toMatch(/^2026-01-05T09:00:0\dT?\S*Z 3\n$/);
    expect(cluster.kubectl('logs a --since=1s').stdout).toBe('');
  });
});
