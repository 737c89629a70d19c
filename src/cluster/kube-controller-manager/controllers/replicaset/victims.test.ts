import { describe, expect, it } from 'vitest';
import type { Pod } from '../../../../api/schema/types.ts';
import { parseRfc3339 } from '../../../../sim/time.ts';
import { chooseVictims } from './victims.ts';

interface Sketch {
  node?: string;
  phase?: string;
  readySince?: string;
  cost?: string;
  created?: string;
  restarts?: number;
}

const pod = (name: string, { node, phase = 'Running', readySince, cost, created = '2026-01-05T08:00:00Z', restarts = 0 }: Sketch): Pod => ({
  apiVersion: 'v1', kind: 'Pod',
  metadata: {
    name, uid: name, resourceVersion: '1', creationTimestamp: created, ...(cost === undefined ? {} : { annotations: { 'controller.kubernetes.io/pod-deletion-cost': cost } }),
  },
  spec: { containers: [], ...(node === undefined ? {} : { nodeName: node }) },
  status: {
    phase, containerStatuses: [{ name: 'c', image: '', imageID: '', ready: true, restartCount: restarts }],
    conditions: readySince === undefined ? [] : [{ type: 'Ready', status: 'True', lastTransitionTime: readySince }],
  },
});

const now = parseRfc3339('2026-01-05T09:00:00Z') as number;
const order = (pods: Pod[]) => chooseVictims(pods, pods, pods.length - 1, now).map(({ metadata }) => metadata.name);
const ready = '2026-01-05T08:30:00Z';

describe('who goes first when a ReplicaSet shrinks (C-12)', () => {
  it.each([
    ['pods without a node', [pod('a', { node: 'n1', readySince: ready }), pod('b', { phase: 'Pending' })], 'b'],
    ['pending ones', [pod('a', { node: 'n1' }), pod('b', { node: 'n1', phase: 'Pending' })], 'b'],
    ['those that are not ready', [pod('a', { node: 'n1', readySince: ready }), pod('b', { node: 'n2' })], 'b'],
    ['the cheaper', [pod('a', { node: 'n1', readySince: ready }), pod('b', { node: 'n2', readySince: ready, cost: '-1' })], 'b'],
    ['the younger in power', [pod('a', { node: 'n1', readySince: '2026-01-05T07:00:00Z' }), pod('b', { node: 'n2', readySince: ready })], 'b'],
    ['the more restarted', [pod('a', { node: 'n1', readySince: ready }), pod('b', { node: 'n2', readySince: ready, restarts: 3 })], 'b'],
    ['the newer', [pod('a', { node: 'n1', readySince: ready, created: '2026-01-05T02:00:00Z' }), pod('b', { node: 'n2', readySince: ready, created: '2026-01-05T08:59:00Z' })], 'b'],
  ])('takes %s', (_name, pods, first) => expect(order(pods)[0]).toBe(first));

  it('takes one of those that share a node before the lone one', () => {
    const pods = [pod('a', { node: 'n1', readySince: ready }), pod('b', { node: 'n2', readySince: ready }), pod('c', { node: 'n2', readySince: '2026-01-05T08:29:00Z' })];
    expect(order(pods)).not.toContain('a');
  });

  it('finds ages within a power of two alike and lets the uid decide', () => {
    expect(order([pod('b', { node: 'n1', readySince: '2026-01-05T08:30:00Z' }), pod('a', { node: 'n2', readySince: '2026-01-05T08:29:00Z' })])).toEqual(['a']);
  });
});
