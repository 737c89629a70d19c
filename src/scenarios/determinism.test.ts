import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { recordingOf } from '../cli/run.ts';
import { Run, scenarioInputs, type Savepoint } from '../worker/history/run.ts';
import { parseScenario } from './parse.ts';
import type { Scenario } from './schema.ts';

/** The same scenario gives the same film, however it is played. */

const folder = import.meta.dirname;
const ids = readdirSync(folder).filter((name) => /^\d\d-/.test(name));
const load = (id: string): Scenario => parseScenario(readFileSync(join(folder, id, 'scenario.yaml'), 'utf8'), id);

const start = (scenario: Scenario, saves = false) => new Run(scenario, scenarioInputs(scenario), 'playground', saves);

/** All that a run left behind: what the API showed, what the components noted, and all that decides its future. */
function film(run: Run, scenario: Scenario): Record<string, string> {
  const future = run.cluster.simulation.checkpoint();
  return { ...recordingOf(run, scenario), trace: run.records.map((record) => JSON.stringify(record)).join('\n'), future: JSON.stringify(future) };
}

function inSteps(scenario: Scenario, stepMs: number, until = scenario.untilMs): Run {
  const run = start(scenario);
  for (let at = stepMs; at < until; at += stepMs) run.runTo(at);
  run.runTo(until);
  return run;
}

describe.each(ids)('%s', (id) => {
  const scenario = load(id);
  const straight = start(scenario, true);
  const saved: Savepoint[] = [];
  let whole: Record<string, string>;

  it('is the same film when played again', () => {
    // Saved on the way, also in the middle of a moment.
    const slice = 1 + Math.floor(inSteps(scenario, scenario.untilMs).cluster.simulation.eventCount / 8);
    while (!straight.runTo(scenario.untilMs, slice)) saved.push(straight.save());
    whole = film(straight, scenario);
    expect(film(inSteps(scenario, scenario.untilMs), scenario)).toEqual(whole);
  });

  it.each([100, 1000, 60_000])('is the same film in steps of %i ms', (stepMs) => {
    expect(film(inSteps(scenario, stepMs), scenario)).toEqual(whole);
  });

  it('is the same film event by event', () => {
    const run = start(scenario);
    while (!run.runTo(scenario.untilMs, 1));
    expect(film(run, scenario)).toEqual(whole);
  });

  it('is the same film in steps of 1 ms, as far as its first seconds go', () => {
    const until = 8000;
    expect(film(inSteps(scenario, 1, until), scenario)).toEqual(film(inSteps(scenario, until, until), scenario));
  });

  it('goes on the same from every saved moment', () => {
    expect(saved.length).toBeGreaterThan(5);
    for (const savepoint of saved) {
      const run = start(scenario);
      run.resumeFrom(savepoint, straight);
      run.runTo(scenario.untilMs);
      expect(film(run, scenario)).toEqual(whole);
    }
  });
});
