import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseScenario } from '../scenarios/parse.ts';
import { Run, scenarioInputs } from '../worker/history/run.ts';
import { checkInvariants, checkWhole } from './invariants.ts';

const folder = join(import.meta.dirname, '../scenarios');
const ids = readdirSync(folder).filter((name) => /^\d\d-/.test(name));

describe('what must always hold', () => {
  it.each(ids)('holds after every event of %s', (id) => {
    const scenario = parseScenario(readFileSync(join(folder, id, 'scenario.yaml'), 'utf8'), id);
    const run = new Run(scenario, scenarioInputs(scenario), 'playground', false);
    const broken: string[] = [];
    while (!run.runTo(scenario.untilMs, 1)) broken.push(...checkInvariants(run.cluster).map((text) => `${run.now}: ${text}`));
    expect([...broken, ...checkWhole(run.cluster)]).toEqual([]);
  });
});
