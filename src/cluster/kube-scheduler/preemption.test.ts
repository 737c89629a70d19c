import { describe, expect, it } from 'vitest';
import { budget, node, pod, World } from './testing/world.ts';

const low = (name: string, on: string, priority: number, more: { cpu?: string; labels?: Record<string, string>; startTime?: string } = {}) =>
  pod(name, { cpu: more.cpu ?? '2', labels: more.labels ?? {}, spec: { nodeName: on, priority }, status: { startTime: more.startTime ?? '2026-01-01T00:00:00Z' } });
const urgent = (cpu: string, more = {}) => pod('urgent', { cpu, spec: { priority: 100, ...more } });

describe('preemption', () => {
  it('takes as few as needed and spares the more important (S-60)', () => {
    const world = new World([node('n1')], [low('a', 'n1', 1), low('b', 'n1', 5)]);
    const { node: chosen, victims, text } = world.preempt(urgent('2'));
    expect([chosen, victims.map(({ metadata }) => metadata.name)]).toEqual(['n1', ['a']]);
    expect(text).toBe('preemption: found a potential placement for pod on node n1, preempting 1 victims');
  });

  it('goes where no budget breaks, then to the lowest priority, then to the latest start (S-61)', () => {
    const nodes = [node('n1', { cpu: '2' }), node('n2', { cpu: '2' })];
    expect(new World(nodes, [low('a', 'n1', 1, { labels: { app: 'kept' } }), low('b', 'n2', 5)], [budget('kept', { app: 'kept' }, 0)]).preempt(urgent('2')).node).toBe('n2');
    expect(new World(nodes, [low('a', 'n1', 6), low('b', 'n2', 5)]).preempt(urgent('2')).node).toBe('n2');
    expect(new World(nodes, [low('a', 'n1', 5), low('b', 'n2', 5, { startTime: '2026-01-02T00:00:00Z' })]).preempt(urgent('2')).node).toBe('n2');
  });

  it('says where it does not help and where nobody is less important', () => {
    const world = new World([node('n1', { cpu: '2' }), node('n2', { cpu: '1' })], [low('a', 'n1', 200)]);
    expect(world.preempt(urgent('2')).text).toBe(
      'preemption: 0/2 nodes are available: 1 No preemption victims found for incoming pod, 1 Preemption is not helpful for scheduling.',
    );
  });

  it('is not for pods that never preempt, nor while a victim is still going (S-64)', () => {
    const world = new World([node('n1', { cpu: '2' })], [low('a', 'n1', 1)]);
    expect(world.preempt(urgent('2', { preemptionPolicy: 'Never' })).text).toBe('preemption: not eligible due to preemptionPolicy=Never.');
    const going = low('a', 'n1', 1);
    going.metadata.deletionTimestamp = '2026-01-05T09:00:00Z';
    going.status.conditions = [{ type: 'DisruptionTarget', status: 'True', reason: 'PreemptionByScheduler' }];
    const waiting = urgent('2');
    waiting.status = { nominatedNodeName: 'n1' };
    expect(new World([node('n1', { cpu: '2' })], [going]).preempt(waiting).text).toBe('preemption: not eligible due to a terminating pod on the nominated node.');
  });
});
