import { describe, expect, it } from 'vitest';
import { meta, pod, stage } from '../testing/stage.ts';

const event = (name: string, more: object) => ({
  apiVersion: 'v1', kind: 'Event', metadata: meta(name), reason: 'Pulled', type: 'Normal', source: { component: 'kubelet' }, message: 'ok',
  involvedObject: { kind: 'Pod', name: 'web', namespace: 'default', uid: 'uid-web', fieldPath: 'spec.containers{app}' }, ...more,
});

describe('describe (K-28)', () => {
  it('shows a pod with its events, oldest first, repeats counted', () => {
    const { run } = stage()
      .put(pod('web', { metadata: { labels: { b: '2', a: '1' }, annotations: { note: 'two\nlines' } }, status: { podIP: '10.1.0.2', podIPs: [{ ip: '10.1.0.2' }], conditions: [{ type: 'Ready', status: 'True' }] } }))
      .put(event('late', { firstTimestamp: '2026-01-05T08:58:00Z', lastTimestamp: '2026-01-05T08:59:30Z', count: 4 }))
      .put(event('early', { reason: 'Scheduled', source: { component: 'default-scheduler' }, firstTimestamp: '2026-01-05T08:57:00Z', lastTimestamp: '2026-01-05T08:57:00Z', count: 1 }));
    const { stdout } = run('describe pod web');
    expect(stdout).toContain('Labels:       a=1\n              b=2\nAnnotations:  note:\n                two\n                lines\nStatus:       Running\n');
    expect(stdout).toContain('Conditions:\n  Type           Status\n  Ready          True \nVolumes:         <none>\n');
    expect(stdout).toContain([
      'Events:',
      '  Type    Reason     Age               From               Message',
      '  ----    ------     ----              ----               -------',
      '  Normal  Scheduled  3m                default-scheduler  spec.containers{app}: ok',
      '  Normal  Pulled     30s (x4 over 2m)  kubelet            spec.containers{app}: ok', '',
    ].join('\n'));
  });

  it('leaves events out for several, and takes a name for a prefix', () => {
    const { run } = stage().put(pod('web-a')).put(pod('web-b'));
    expect(run('describe pods').stdout).not.toContain('Events:');
    expect(run('describe pod web-').stdout.match(/^Name: +web-[ab]$/gm)).toHaveLength(2);
    expect(run('describe pod nope').stderr).toBe('Error from server (NotFound): pods "nope" not found\n');
  });

  it('shows how long a pod that is going has been past its time', () => {
    const { run } = stage().put(pod('web', { metadata: { deletionTimestamp: '2026-01-05T08:59:50Z', deletionGracePeriodSeconds: 5 } }));
    expect(run('describe pod web').stdout).toContain('Status:                    Terminating (lasts 10s)\nTermination Grace Period:  5s\n');
  });

  it('shows kinds that have no form of their own field by field', () => {
    const { run } = stage().put({ apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: meta('lock'), spec: { holderIdentity: 'me', leaseDurationSeconds: 15 } });
    expect(run('describe lease lock').stdout).toContain('Spec:\n  Holder Identity:         me\n  Lease Duration Seconds:  15\nEvents:                    <none>\n');
  });

  it('counts what a node has promised', () => {
    const { run } = stage()
      .put({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'node-a', uid: 'n', creationTimestamp: '2026-01-05T08:00:00Z' }, spec: {}, status: { allocatable: { cpu: '2', memory: '1Gi', pods: '110' } } })
      .put(pod('web', { spec: { containers: [{ name: 'app', image: 'x', resources: { requests: { cpu: '500m', memory: '128Mi' } } }] } }));
    const { stdout } = run('describe node node-a');
    expect(stdout).toContain('Non-terminated Pods:          (1 in total)\n');
    expect(stdout).toMatch(/ {2}default +web +500m \(25%\) +0 \(0%\) +128Mi \(12%\) +0 \(0%\) +30m\n/);
    expect(stdout).toMatch(/ {2}cpu +500m \(25%\) +0 \(0%\)\n {2}memory +128Mi \(12%\) +0 \(0%\)\n/);
  });
});
