import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SimEvent } from './queue.ts';
import { Simulation, type Actor, type KernelContext } from './simulation.ts';
import type { TraceRecord } from './trace.ts';

interface Counter {
  seen: number;
  log: string[];
}

/** Two actors that keep each other busy with timers, dice and a timer that is set anew. */
const chatter = (partner: string): Actor<Counter> => ({
  start: (context) => {
    context.schedule({ afterMs: context.random('start').below(50), kind: 'tick' });
    return { seen: 0, log: [] };
  },
  handle: (state, event: SimEvent, context: KernelContext) => {
    state.seen++;
    state.log.push(`${context.now} ${event.kind}`);
    context.note(event.kind, { seen: state.seen });
    if (event.kind === 'tick') {
      context.schedule({ afterMs: 1 + context.random('pace').below(400), kind: 'tick' });
      context.schedule({ afterMs: 250, kind: 'quiet', key: 'quiet' });
      if (state.seen % 3 === 0) context.schedule({ to: partner, afterMs: 0, kind: 'nudge' });
    }
  },
});

function build(seed: number): { simulation: Simulation<KernelContext>; records: TraceRecord[] } {
  const records: TraceRecord[] = [];
  const simulation = new Simulation<KernelContext>({
    seed,
    actors: { ann: chatter('bob') as Actor<never>, bob: chatter('ann') as Actor<never> },
    world: { checkpoint: () => null, restore: () => undefined },
    contextFor: (_, kernel) => kernel,
    onRecord: (record) => records.push(record),
  });
  return { simulation, records };
}

const outcome = ({ simulation, records }: ReturnType<typeof build>) => JSON.stringify([simulation.checkpoint(), records]);

describe('simulation', () => {
  it('gives the same run twice', () => {
    const [a, b] = [build(7), build(7)];
    a.simulation.runUntil(20_000);
    b.simulation.runUntil(20_000);
    expect(outcome(a)).toBe(outcome(b));
  });

  it('gives another run for another seed', () => {
    const [a, b] = [build(7), build(8)];
    a.simulation.runUntil(20_000);
    b.simulation.runUntil(20_000);
    expect(outcome(a)).not.toBe(outcome(b));
  });

  it.each([1, 100, 1000, 60_000])('gives the same run in steps of %i ms', (step) => {
    const [a, b] = [build(7), build(7)];
    a.simulation.runUntil(20_000);
    for (let at = step; at < 20_000; at += step) b.simulation.runUntil(at);
    b.simulation.runUntil(20_000);
    expect(outcome(b)).toBe(outcome(a));
  });

  it('gives the same run when it is stopped after any number of events and goes on', () => {
    fc.assert(fc.property(fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 20 }), (budgets) => {
      const [a, b] = [build(3), build(3)];
      a.simulation.runUntil(5000);
      for (const budget of budgets) b.simulation.runUntil(5000, budget);
      b.simulation.runUntil(5000);
      expect(outcome(b)).toBe(outcome(a));
    }), { numRuns: 30 });
  });

  it('goes on from a checkpoint exactly as the straight run does', () => {
    const straight = build(5);
    straight.simulation.runUntil(10_000);
    for (const at of [0, 1, 777, 5000, 9999]) {
      const first = build(5);
      first.simulation.runUntil(at);
      const saved = first.simulation.checkpoint();
      first.simulation.runUntil(10_000);
      const second = build(5);
      second.simulation.restore(saved);
      second.simulation.runUntil(10_000);
      expect(JSON.stringify(second.simulation.checkpoint())).toBe(JSON.stringify(straight.simulation.checkpoint()));
    }
  });

  it('leaves a checkpoint untouched by what happens after it', () => {
    const { simulation } = build(5);
    simulation.runUntil(1000);
    const saved = simulation.checkpoint();
    const text = JSON.stringify(saved);
    simulation.runUntil(5000);
    expect(JSON.stringify(saved)).toBe(text);
  });

  it('tells for every record the event that caused it', () => {
    const { simulation, records } = build(5);
    simulation.runUntil(3000);
    expect(records.length).toBeGreaterThan(5);
    expect(records.every((record) => record.cause > 0)).toBe(true);
  });

  it('counts only the newest of a timer that is set anew', () => {
    const { simulation } = build(5);
    simulation.runUntil(20_000);
    const { log } = simulation.stateOf<Counter>('ann') as Counter;
    const quiet = log.filter((line) => line.endsWith('quiet')).map((line) => Number(line.split(' ')[0]));
    const ticks = log.filter((line) => line.endsWith('tick')).map((line) => Number(line.split(' ')[0]));
    for (const at of quiet) expect(ticks.some((tick) => tick > at - 250 && tick < at)).toBe(false);
  });
});
