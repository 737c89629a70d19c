import { describe, expect, it } from 'vitest';
import type { Message } from '../protocol.ts';
import { answer } from './ask.ts';
import { TestSession } from './testing/whole-film.ts';

const scenario = `title: test
nodes: [{ name: node, count: 2 }]
steps:
  - at: 0s
    kubectl: apply -f -
    stdin: |
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        containers: [{ name: app, image: nginx:1.25 }]
  - at: 1s
    kubectl: apply -f -
    stdin: |
      apiVersion: v1
      kind: Pod
      metadata: { name: other }
      spec:
        containers: [{ name: app, image: nginx:1.25 }]
until: 60s
`;

function ask(test: TestSession, more: { podUid?: string; from?: number; until?: number; around?: number; limit?: number; leases?: boolean; events?: boolean } = {}) {
  return answer<'messages'>(test.session, { about: 'messages', from: 0, until: 60_000, around: 0, limit: 5000, leases: false, events: false, ...more });
}

const played = (until = 40_000) => new TestSession({ scenario }).runTo(until);
const uidOf = (test: TestSession, name: string): string => test.session.run.cluster.store.get(`pods/default/${name}`)?.metadata.uid ?? '';
const words = ({ from, verb, to, subresource = '' }: Message) => `${from} ${verb}${subresource === '' ? '' : `/${subresource}`} ${to}`;

describe('messages between components', () => {
  it('tell the way of a pod from the command to the runtime, in order', () => {
    const test = played();
    const { messages } = ask(test, { podUid: uidOf(test, 'web') });
    const node = test.session.run.cluster.store.get('pods/default/web') as unknown as { spec: { nodeName: string } };
    const { nodeName } = node.spec;
    const way = [
      'user kubectl kube-apiserver', 'kube-apiserver put etcd', 'kube-apiserver ADDED kube-scheduler', 'kube-scheduler create/binding kube-apiserver',
      `kube-apiserver ADDED kubelet/${nodeName}`, `kubelet/${nodeName} run-sandbox container-runtime/${nodeName}`,
      `kubelet/${nodeName} start-container container-runtime/${nodeName}`, `kubelet/${nodeName} update/status kube-apiserver`,
    ];
    let from = 0;
    for (const step of way) {
      const index = messages.findIndex((message, at) => at >= from && words(message) === step);
      expect(index, step).toBeGreaterThanOrEqual(from);
      from = index;
    }
    expect(messages.every((message) => message.receivedAt >= message.sentAt)).toBe(true);
  });

  it('of one pod name no other pod', () => {
    const test = played();
    const { messages } = ask(test, { podUid: uidOf(test, 'web'), events: true });
    expect(messages.filter((message) => message.name === 'other' || message.name?.startsWith('other.') || message.podUid === uidOf(test, 'other'))).toEqual([]);
    expect(messages.some((message) => message.resource === 'events' && message.detail === 'Scheduled')).toBe(true);
  });

  it('carry the status and the revision of the write', () => {
    const test = played();
    const bound = ask(test, { podUid: uidOf(test, 'web') }).messages.find((message) => message.kind === 'response' && message.subresource === 'binding');
    expect(bound).toMatchObject({ code: 201, resource: 'pods', name: 'web', from: 'kube-apiserver', to: 'kube-scheduler' });
    expect(bound?.revision).toBeGreaterThan(0);
    expect(ask(test, { podUid: uidOf(test, 'web') }).messages.find((message) => message.id === bound?.answers)?.detail).toContain('spec.nodeName');
  });

  it('reach the controllers that have nothing to do with it once: they share a watch', () => {
    const test = played();
    const { messages } = ask(test, { podUid: uidOf(test, 'web') });
    const watches = messages.filter((message) => message.kind === 'watch' && message.revision === messages.find((one) => one.kind === 'put')?.revision);
    expect(watches.map((message) => message.to)).toEqual(['kube-scheduler', 'kube-controller-manager']);
  });

  it('hide leases and events unless asked for', () => {
    const test = played();
    const resources = (more: { leases?: boolean; events?: boolean }) => new Set(ask(test, more).messages.map((message) => message.resource));
    expect(resources({}).has('events')).toBe(false);
    expect(resources({ events: true }).has('events')).toBe(true);
    expect(resources({}).has('leases.coordination.k8s.io')).toBe(false);
    expect(resources({ leases: true }).has('leases.coordination.k8s.io')).toBe(true);
  });

  it('are at most as many as asked for: the nearest ones', () => {
    const test = played();
    const { messages, total } = ask(test, { around: 1500, limit: 20 });
    expect(total).toBeGreaterThan(20);
    expect(messages.length).toBeGreaterThan(0);
    expect(messages.length).toBeLessThanOrEqual(20);
    expect(messages.every((message) => Math.abs(message.sentAt - 1500) < 1000)).toBe(true);
  });

  it('are the same after an act in the past, up to that act', () => {
    const test = played(30_000);
    const before = ask(test, { until: 2500, events: true });
    test.session.input({ at: 2600, kind: 'kubectl', line: 'get pods' });
    test.runTo(30_000);
    expect(ask(test, { until: 2500, events: true })).toEqual(before);
    const web = uidOf(test, 'web');
    expect(ask(test, { podUid: web }).messages.filter((message) => message.kind === 'cri-reply').map((message) => message.verb)).toContain('start-container');
  });
});
