import { describe, expect, it } from 'vitest';
import { testCluster } from './testing/test-cluster.ts';

const sleeper = (name: string, more = '') => `apiVersion: v1
kind: Pod
metadata: { name: ${name}, labels: { app: ${name} } }
spec:
  terminationGracePeriodSeconds: 2
  containers: [{ name: app, image: "busybox:1.36", command: [sh, -c, "echo hello; sleep 3600"] }]
${more}`;

describe('the user', () => {
  it('waits for a command that waits', () => {
    const cluster = testCluster().apply(sleeper('a')).runFor('5s');
    const { stdout, exit } = cluster.kubectl('delete pod a');
    expect({ stdout, exit }).toEqual({ stdout: 'pod "a" deleted from default namespace\n', exit: 0 });
    expect(cluster.pod('a').exists).toBe(false);
    expect(cluster.commands.at(-1)).toMatchObject({ line: 'delete pod a', startedAt: 5000 });
    expect(cluster.now).toBeGreaterThan(7000);
  });

  it('runs a command in a container and gets its output and exit code', () => {
    const cluster = testCluster().apply(sleeper('a')).runFor('5s');
    expect(cluster.kubectl('exec a -- echo hi')).toEqual({ stdout: 'hi\n', stderr: '', exit: 0 });
    expect(cluster.kubectl('exec a -- sh -c "exit 3"')).toEqual({ stdout: '', stderr: 'command terminated with exit code 3\n', exit: 3 });
    expect(cluster.pod('a').logs()).toBe('hello\n');
  });

  it('is told at once why there is nothing to exec into', () => {
    const cluster = testCluster({ nodes: 1 }).apply(sleeper('a', '  nodeSelector: { disk: ssd }')).apply(sleeper('b').replace('busybox:1.36', 'busybox:none')).apply(sleeper('c')).runFor('5s');
    expect(cluster.kubectl('exec a -- ls')).toEqual({ stdout: '', stderr: 'Error from server (BadRequest): pod a does not have a host assigned\n', exit: 1 });
    expect(cluster.kubectl('exec b -- ls').stderr).toBe('error: Internal error occurred: unable to upgrade connection: container not found ("app")\n');
    cluster.fault({ node: 'node-1', kubelet: 'stop' }).runFor('1s');
    expect(cluster.kubectl('exec c -- ls').stderr).toMatch(/^Error from server: error dialing backend: dial tcp [\d.]+:10250: connect: connection refused\n$/);
    cluster.fault({ node: 'node-1', kubelet: 'start' }).fault({ node: 'node-1', network: 'down' }).runFor('1s');
    const before = cluster.now;
    expect(cluster.kubectl('exec c -- ls').stderr).toMatch(/i\/o timeout\n$/);
    expect(cluster.now - before).toBeGreaterThan(30_000);
  });

  it('takes faults at places that do not exist for nothing', () => {
    const cluster = testCluster({ nodes: 1, checkEvery: 1 });
    cluster.fault({ node: 'node-9', network: 'down' }).fault({ node: 'node-9', kubelet: 'stop' }).fault({ pod: 'none', kill: 'TERM' }).fault({ node: 'node-1', sandbox: 'none' });
    expect(cluster.apply(sleeper('a')).runFor('5s').pod('a').status).toBe('Running');
  });

  it('does not get words that only look like commands past kubectl', () => {
    const cluster = testCluster();
    expect(cluster.kubectl('frobnicate').stderr).toBe('error: unknown command "frobnicate" for "kubectl"\n');
    expect(cluster.kubectl('get pods --nope')).toMatchObject({ exit: 1 });
    expect(cluster.kubectl('get pods; rm -rf /')).toMatchObject({ exit: 1 });
    for (const line of ['', '   ', "get 'pods", 'get "', '\\', 'apply -f', 'apply -f none.yaml', 'delete', 'exec', 'logs', 'scale', '-n', '--', 'get -o', 'get pods -o jsonpath={', 'get pods -l "a in (b"']) {
      expect(cluster.kubectl(line).exit, line).not.toBeNull();
    }
  });

  it('comes out of every verb, whatever stands behind it', () => {
    const verbs = 'annotate api-resources apply attach auth autoscale cluster-info completion config cordon cp create debug delete describe diff drain edit events exec explain expose get kustomize label logs options patch plugin port-forward proxy replace rollout run scale set taint top uncordon version wait'.split(' ');
    const cluster = testCluster({ nodes: 1 }).apply(sleeper('a')).runFor('3s');
    for (const verb of verbs) {
      for (const rest of ['', ' -h', ' pod a', ' pods --all -o yaml', ' -f - --nope', ' a -- ls']) {
        const { stdout, stderr } = cluster.kubectl(verb + rest, '2s');
        expect(stdout + stderr, verb + rest).not.toMatch(/undefined|\[object|NaN/);
      }
    }
  });
});
