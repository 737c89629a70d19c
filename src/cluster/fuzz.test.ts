import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Run } from '../worker/history/run.ts';
import { checkInvariants, checkWhole } from './invariants.ts';
import { act, perform, type Act } from './testing/acts.ts';
import { testCluster, type TestCluster } from './testing/test-cluster.ts';

/** FUZZ_RUNS=2000 FUZZ_SEED=$RANDOM looks further than the fixed few hundred acts of every test run. */
const numRuns = Number(process.env.FUZZ_RUNS ?? 15);
const seed = Number(process.env.FUZZ_SEED ?? 20_260_105);

interface Case {
  seed: number;
  nodes: number;
  acts: Act[];
}

/** What was found once, so that it is never lost again. */
const pinned: readonly Case[] = [];

const story: fc.Arbitrary<Case> = fc.record({
  seed: fc.integer({ min: 1, max: 1000 }), nodes: fc.integer({ min: 1, max: 3 }), acts: fc.array(act, { minLength: 1, maxLength: 14 }),
});

function play({ seed: clusterSeed, nodes, acts }: Case): TestCluster {
  const cluster = testCluster({ seed: clusterSeed, nodes, checkEvery: 1, images: { absent: ['nginx:1.27'], pullTakes: { 'nginx:1.27': '3s' } } });
  for (const item of acts) perform(cluster, item);
  // All nodes come back, and what was begun comes to its end.
  for (let index = 1; index <= nodes; index++) cluster.fault({ node: `node-${index}`, network: 'up' }).fault({ node: `node-${index}`, kubelet: 'start' });
  cluster.runFor('4m');
  expect([...checkInvariants(cluster.run.cluster), ...checkWhole(cluster.run.cluster)]).toEqual([]);
  return cluster;
}

const changesOf = ({ cluster }: Run) => cluster.store.changesFrom(0).map(({ key, version }) => `${version.at} ${version.actor} ${key} ${JSON.stringify(version.object)}`);

describe('a cluster to which anything is done', () => {
  it('keeps what must always hold, and is the same when played again', () => {
    fc.assert(fc.property(story, (item) => {
      const { run, scenario, inputs } = play(item);
      const again = new Run(scenario, inputs, 'playground', false);
      again.runTo(Math.floor(run.now / 2));
      const middle = again.save();
      again.runTo(run.now);
      expect(changesOf(again)).toEqual(changesOf(run));
      const resumed = new Run(scenario, inputs, 'playground', false);
      resumed.resumeFrom(middle, again);
      resumed.runTo(run.now);
      expect(changesOf(resumed)).toEqual(changesOf(run));
    }), { numRuns, seed, examples: pinned.map((item) => [item]) });
  });
});
