import { describe, expect, it } from 'vitest';
import type { PodSpec } from '../../api/schema/types.ts';
import { enoughNodes } from './cycle.ts';
import { node, pod, World } from './testing/world.ts';

const zones = (count: number) => Array.from({ length: count }, (_, i) => node(`n${i + 1}`, { labels: { 'topology.kubernetes.io/zone': `z${i + 1}` } }));
const on = (name: string, labels: Record<string, string> = {}, more: Partial<PodSpec> = {}) => pod(`${name}-${Object.values(labels).join('')}`, { labels, spec: { nodeName: name, ...more } });
const tainted = (effect: string) => ({ spec: { taints: [{ key: 'a', value: 'b', effect }] } });

describe('filters', () => {
  it('count each reason over the nodes and sort them as text (S-20, S-53)', () => {
    const world = new World([node('n1', { cpu: '1' }), node('n2', tainted('NoSchedule')), node('n3', { spec: { unschedulable: true } }), node('n4', { memory: '1Gi', cpu: '1' })]);
    expect(world.verdict(pod('p', { cpu: '2', memory: '2Gi' }))).toBe(
      '0/4 nodes are available: 1 Insufficient memory, 1 node(s) had untolerated taint(s), 1 node(s) were unschedulable, 2 Insufficient cpu.',
    );
  });

  it('take the largest moment of initialisation, sidecars included (S-21)', () => {
    const world = new World([node('n1', { cpu: '2' })]);
    const ask = (init: string, sidecar: string, main: string) => world.verdict(pod('p', {
      cpu: main,
      spec: { initContainers: [{ name: 's', restartPolicy: 'Always', resources: { requests: { cpu: sidecar } } }, { name: 'i', resources: { requests: { cpu: init } } }] },
    }));
    expect(ask('1500m', '500m', '1')).toBe('n1');
    expect(ask('1600m', '500m', '1')).toBe('0/1 nodes are available: 1 Insufficient cpu.');
    expect(ask('100m', '1100m', '1')).toBe('0/1 nodes are available: 1 Insufficient cpu.');
  });

  it('tell what no removal of pods could help (S-22)', () => {
    const world = new World([node('n1', { cpu: '2' })], [pod('e', { cpu: '2', spec: { nodeName: 'n1' } })]);
    expect(world.decide(pod('p', { cpu: '1' })).rejections.get('n1')?.unresolvable).toBe(false);
    expect(world.decide(pod('p', { cpu: '3' })).rejections.get('n1')?.unresolvable).toBe(true);
  });

  it('keep to the node that a field term names (S-23)', () => {
    const terms = (name: string): Partial<PodSpec> => ({
      affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: [name] }] }] } } },
    });
    const world = new World([node('n1', { cpu: '1' }), node('n2')]);
    expect(world.verdict(pod('p', { spec: terms('n2') }))).toBe('n2');
    expect(world.verdict(pod('p', { cpu: '2', spec: terms('n1') }))).toBe("0/2 nodes are available: 1 Insufficient cpu, 1 node(s) didn't satisfy plugin(s) [NodeAffinity].");
  });

  it('bound the skew between domains; going pods do not count (S-24)', () => {
    const spread: Partial<PodSpec> = { topologySpreadConstraints: [{ maxSkew: 1, topologyKey: 'topology.kubernetes.io/zone', whenUnsatisfiable: 'DoNotSchedule', labelSelector: { matchLabels: { app: 'web' } } }] };
    const asked = pod('p', { labels: { app: 'web' }, spec: spread });
    expect(new World(zones(2), [on('n1', { app: 'web' })]).verdict(asked)).toBe('n2');
    const going = pod('e', { labels: { app: 'web' }, spec: { nodeName: 'n1' }, meta: { deletionTimestamp: '2026-01-05T09:00:00Z' } });
    expect(new World(zones(2), [going]).decide(asked).rejections.size).toBe(0);
    expect(new World([...zones(1), node('bare')], [on('n1', { app: 'web' })]).verdict(asked)).toBe('n1');
    expect(new World([node('bare')]).verdict(asked)).toBe("0/1 nodes are available: 1 node(s) didn't match pod topology spread constraints (missing required label).");
  });

  it('mind affinity between pods, in both directions (S-25)', () => {
    const term = { labelSelector: { matchLabels: { app: 'db' } }, topologyKey: 'kubernetes.io/hostname' };
    const near: Partial<PodSpec> = { affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } } };
    const away: Partial<PodSpec> = { affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } } };
    const world = new World([node('n1'), node('n2')], [on('n1', { app: 'db' }), on('n2', { app: 'web' }, away)]);
    expect(world.verdict(pod('p', { spec: near }))).toBe('n1');
    expect(world.verdict(pod('p', { spec: away }))).toBe('n2');
    expect(world.verdict(pod('p', { labels: { app: 'db' } }))).toBe('n1');
    expect(new World([node('n1'), node('n2')]).verdict(pod('p', { labels: { app: 'db' }, spec: near }))).toBe('n1,n2');
    expect(new World([node('n1')]).verdict(pod('p', { spec: near }))).toBe("0/1 nodes are available: 1 node(s) didn't match pod affinity rules.");
  });

  it('reach into the namespaces that a term names or picks (S-26)', () => {
    const away = (more: object): Partial<PodSpec> => ({
      affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ labelSelector: { matchLabels: { app: 'db' } }, topologyKey: 'kubernetes.io/hostname', ...more }] } },
    });
    const other = pod('db', { labels: { app: 'db' }, spec: { nodeName: 'n1' }, meta: { namespace: 'other' } });
    const world = new World([node('n1'), node('n2')], [other]);
    world.state.namespaces = { other: { team: 'b' }, default: {} };
    const verdicts = [{}, { namespaces: ['other'] }, { namespaceSelector: {} }, { namespaceSelector: { matchLabels: { team: 'b' } } }, { namespaceSelector: { matchLabels: { team: 'c' } } }]
      .map((more) => world.decide(pod('p', { spec: away(more) })).rejections.has('n1'));
    expect(verdicts).toEqual([false, true, true, true, false]);
  });

  it('look at a part of many nodes and go on from there (S-29)', () => {
    expect([99, 100, 500, 1000, 5000, 10_000].map(enoughNodes)).toEqual([99, 100, 230, 420, 500, 500]);
    const world = new World(Array.from({ length: 150 }, (_, i) => node(`n${i}`)));
    expect(world.decide(pod('p')).scores?.nodes).toHaveLength(100);
    expect(world.state.start).toBe(100);
    world.decide(pod('q'));
    expect(world.state.start).toBe(50);
  });
});

describe('scores', () => {
  it('prefer free nodes; containers that ask for nothing count as 100m and 200 MiB (S-40)', () => {
    const world = new World([node('n1'), node('n2')], [pod('e', { cpu: '2', memory: '4Gi', spec: { nodeName: 'n1' } })]);
    expect(world.score(pod('p', { cpu: '1', memory: '2Gi' }), 'NodeResourcesFit')).toEqual({ n1: 25, n2: 75 });
    expect(world.score(pod('p'), 'NodeResourcesFit')).toEqual({ n1: 47, n2: 97 });
  });

  it('give 75 for balance when nothing changes, and leave out pods without requests (S-41)', () => {
    const world = new World([node('n1'), node('n2')], [pod('e', { cpu: '2', spec: { nodeName: 'n1' } })]);
    expect(world.score(pod('p', { cpu: '1', memory: '2Gi' }), 'NodeResourcesBalancedAllocation')).toEqual({ n1: 75, n2: 75 });
    expect(world.score(pod('p', { memory: '4Gi' }), 'NodeResourcesBalancedAllocation')).toEqual({ n1: 87, n2: 62 });
    expect(world.score(pod('p'), 'NodeResourcesBalancedAllocation').n1).toBeNaN();
  });

  it('weigh taints three times, preferred affinity twice (S-40)', () => {
    const world = new World([node('n1', tainted('PreferNoSchedule')), node('n2', { labels: { disk: 'ssd' } })]);
    const prefers: Partial<PodSpec> = {
      affinity: { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 10, preference: { matchExpressions: [{ key: 'disk', operator: 'In', values: ['ssd'] }] } }] } },
    };
    expect(world.score(pod('p', { spec: prefers }), 'TaintToleration')).toEqual({ n1: 0, n2: 300 });
    expect(world.score(pod('p', { spec: prefers }), 'NodeAffinity')).toEqual({ n1: 0, n2: 200 });
  });

  it('spread the pods of a Service by default (S-43)', () => {
    const world = new World(zones(3), [on('n1', { app: 'web' }), pod('other', { labels: { app: 'web' }, spec: { nodeName: 'n2' } })]);
    world.state.services.default = { web: { app: 'web' } };
    expect(world.score(pod('p', { labels: { app: 'web' } }), 'PodTopologySpread').n3).toBe(200);
    expect(world.verdict(pod('p', { labels: { app: 'web' } }))).toBe('n3');
    expect(world.score(pod('p'), 'PodTopologySpread').n3).toBeNaN();
  });

  it('name the equals that the dice chose among; one node is not scored (S-44)', () => {
    expect(new World([node('n1'), node('n2')]).decide(pod('p')).tied).toEqual(['n1', 'n2']);
    expect(new World([node('n1')]).decide(pod('p')).scores).toBeUndefined();
  });

  it('are the same whether a node was asked before or not', () => {
    const world = new World([node('n1'), node('n2')], [pod('e', { cpu: '2', spec: { nodeName: 'n1' } })]);
    const first = world.decide(pod('p', { cpu: '1' })).scores;
    expect(world.decide(pod('q', { cpu: '1' })).scores).toEqual(first);
  });
});
