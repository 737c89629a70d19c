import { describe, expect, it } from 'vitest';
import type { Message } from '../../../worker/protocol.ts';
import { actorSaid, actorsOf } from './actors.ts';
import { lineAt, linesOf, neighbour, worksOf } from './lines.ts';
import { askedFor, burstAround } from './window.ts';
import { isFailure, labelOf, titleOf } from './words.ts';

let count = 0;
const message = (more: Partial<Message>): Message => ({ id: `m${count++}`, kind: 'request', from: 'kubelet/node-1', to: 'kube-apiserver', sentAt: 100, receivedAt: 120, verb: 'patch', resource: 'pods', name: 'web', ...more });

describe('rows', () => {
  it('lead from the user to the machine, each runtime under its kubelet', () => {
    const messages = [message({ from: 'replicaset-controller' }), message({ from: 'kubelet/b', to: 'container-runtime/b' }), message({ to: 'kube-controller-manager', from: 'kube-apiserver' })];
    expect(actorsOf(messages, 'a')).toEqual([
      'user', 'kube-apiserver', 'etcd', 'kube-scheduler', 'replicaset-controller', 'kube-controller-manager', 'kubelet/a', 'container-runtime/a', 'kubelet/b', 'container-runtime/b',
    ]);
  });

  it('stay when those who spoke are out of sight', () => {
    expect(actorsOf([], undefined, ['job-controller'])).toContain('job-controller');
    expect(actorSaid('kubelet/node-1')).toBe('kubelet, node-1');
  });
});

describe('lines', () => {
  const rows = ['kube-apiserver', 'kubelet/node-1'];
  const view = { from: 0, until: 200, widthPx: 200 };

  it('are past, under way or to come at the playhead; the way done follows the clock', () => {
    const one = [message({})];
    expect(linesOf(one, rows, 20, view, 99)[0]).toMatchObject({ state: 'future', done: 0 });
    expect(linesOf(one, rows, 20, view, 105)[0]).toMatchObject({ state: 'flight', done: 0.25, x0: 100, y0: 30, x1: 120, y1: 10 });
    expect(linesOf(one, rows, 20, view, 120)[0]).toMatchObject({ state: 'past', done: 1 });
  });

  it('leave the receiver at work until it answers, or until the playhead', () => {
    const both = [message({ id: 'c1' }), message({ kind: 'response', answers: 'c1', from: 'kube-apiserver', to: 'kubelet/node-1', sentAt: 160, receivedAt: 161 })];
    expect(worksOf(both, rows, 20, view, 200)).toEqual([{ x0: 120, x1: 160, y: 10 }]);
    expect(worksOf(both, rows, 20, view, 130)).toEqual([{ x0: 120, x1: 130, y: 10 }]);
    expect(worksOf(both, rows, 20, view, 120)).toEqual([]);
  });

  it('are found by the pointer within a few pixels, and not outside of the window', () => {
    const lines = linesOf([message({ id: 'a' }), message({ id: 'b', sentAt: 150, receivedAt: 150 }), message({ id: 'c', sentAt: 300, receivedAt: 310 })], rows, 20, view, 200);
    expect(lines).toHaveLength(2);
    expect(lineAt(lines, 112, 20)?.message.id).toBe('a');
    expect(lineAt(lines, 153, 22)?.message.id).toBe('b');
    expect(lineAt(lines, 180, 20)).toBeUndefined();
  });

  it('are walked in the order of sending, beginning at the playhead', () => {
    const all = [message({ id: 'a', sentAt: 10 }), message({ id: 'b', sentAt: 50 }), message({ id: 'c', sentAt: 90 })];
    expect(neighbour(all, undefined, 1, 40)?.id).toBe('b');
    expect(neighbour(all, undefined, -1, 40)?.id).toBe('a');
    expect(neighbour(all, 'b', 1, 0)?.id).toBe('c');
    expect(neighbour(all, 'c', 1, 0)).toBeUndefined();
  });
});

describe('the window', () => {
  it('asks nothing new for a small move, and again when the film has grown into it', () => {
    const first = askedFor(1000, 3000, 1500, 60_000);
    expect(first.from).toBeLessThanOrEqual(1000);
    expect(first.until).toBeGreaterThanOrEqual(3000);
    expect(askedFor(1001, 3001, 1501, 60_000)).toEqual(first);
    expect(askedFor(1000, 3000, 1500, 2000).grown).not.toBe(askedFor(1000, 3000, 1500, 2900).grown);
  });

  it('closes in on the messages that belong together', () => {
    const all = [message({ sentAt: 100, receivedAt: 105 }), message({ sentAt: 200, receivedAt: 260 }), message({ sentAt: 3000, receivedAt: 3010 })];
    expect(burstAround(all, 240)).toEqual([87, 273]);
    expect(burstAround(all, 210, 200)).toEqual([192, 268]);
    expect(burstAround([], 0)).toBeUndefined();
  });
});

describe('words', () => {
  it('are those of the wire', () => {
    expect(titleOf(message({ subresource: 'status' }))).toBe('PATCH pods/web/status');
    expect(titleOf(message({ kind: 'response', code: 409 }))).toBe('409 Conflict pods/web');
    expect(titleOf(message({ kind: 'watch', verb: 'MODIFIED', resource: 'endpointslices.discovery.k8s.io', name: 'web-x7k2p' }))).toBe('MODIFIED endpointslices/web-x7k2p');
    expect(titleOf({ id: 'x', kind: 'cri', from: 'a', to: 'b', sentAt: 0, receivedAt: 0, verb: 'pull-image', name: 'app' })).toBe('PullImage app');
    expect(labelOf(message({ kind: 'put', verb: 'put', revision: 1187 }))).toBe('rev 1187');
  });

  it('mark the answer that says no, not the question', () => {
    expect(isFailure(message({ code: 409 }))).toBe(false);
    expect(isFailure(message({ kind: 'response', code: 409 }))).toBe(true);
    expect(isFailure(message({ kind: 'cri-reply', code: 1 }))).toBe(true);
  });
});
