import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { creation, sequences, updates } from '../../e2e/conformance/answers.ts';
import { emptyResult, type AreaResult } from '../../e2e/conformance/expect.ts';
import { commands } from '../../e2e/conformance/kubectl.ts';
import { rows } from '../../e2e/conformance/rows.ts';
import { decisions } from '../../e2e/conformance/scheduler.ts';
import { playTrace, traceNames } from '../../e2e/conformance/traces.ts';
import { readOptions, UsageError } from './options.ts';

const recorded = 'e2e/conformance/recorded';
const floorFile = 'e2e/conformance/floor.json';

function readLines<T>(file: string, only: string | undefined): T[] {
  const lines = readFileSync(join(recorded, file), 'utf8').split('\n').filter(Boolean).map((line) => JSON.parse(line) as T & { id?: string });
  return only === undefined ? lines : lines.filter((line) => line.id?.includes(only) ?? true);
}

type Area = (only: string | undefined) => AreaResult;

const areas: Record<string, Area> = {
  traces: (only) => {
    const result = emptyResult('traces');
    for (const name of traceNames(join(recorded, 'traces'))) {
      if (only !== undefined && !name.includes(only)) continue;
      const trace = playTrace(join(recorded, 'traces'), name);
      result.agree += trace.ok;
      result.all += trace.all;
      const percent = trace.all === 0 ? 100 : (100 * trace.ok) / trace.all;
      result.differences.push(`${name}: ${percent.toFixed(1)} % of ${trace.all}${trace.error === undefined ? '' : ` FAILED ${trace.error}`}${only === undefined ? '' : `\n${trace.text}`}`);
    }
    return result;
  },
  pods: (only) => creation('pods', readLines('apiserver/pods.jsonl', only)),
  services: (only) => creation('services', readLines('apiserver/services.jsonl', only)),
  workloads: (only) => creation('workloads', readLines('apiserver/workloads.jsonl', only)),
  jobs: (only) => creation('jobs', readLines('apiserver/jobs.jsonl', only)),
  other: (only) => creation('other', readLines('apiserver/other.jsonl', only)),
  updates: (only) => updates(readLines('apiserver/updates.jsonl', only), readLines('apiserver/update-bases.jsonl', undefined)),
  sequences: (only) => sequences(readLines('apiserver/sequences.jsonl', only)),
  scheduler: (only) => decisions('scheduler', [...readLines<never>('scheduler/hand-made.jsonl', only), ...readLines<never>('scheduler/random.jsonl', only)]),
  rows: (only) => rows(readLines('kubectl/rows.jsonl', only)),
  kubectl: (only) => commands(readLines('kubectl/commands.jsonl', only), readLines('kubectl/scenes.jsonl', undefined)),
};

/** kubelapse conformance: how much of what a real cluster did and said we do and say. Fails when an area falls below its floor. */
export async function conformance(args: string[]): Promise<number> {
  const options = readOptions(args, ['only'], ['text', 'update-floor']);
  const unknown = options.words.find((word) => areas[word] === undefined);
  if (unknown !== undefined) throw new UsageError(`no area ${unknown} (known: ${Object.keys(areas).join(' ')})`);
  const names = options.words.length > 0 ? options.words : Object.keys(areas);
  const floor = existsSync(floorFile) ? (JSON.parse(readFileSync(floorFile, 'utf8')) as Record<string, number>) : {};
  const only = options.text('only');
  let failed = 0;
  for (const name of names) {
    const result = (areas[name] as Area)(only);
    const share = result.all === 0 ? 1 : result.agree / result.all;
    const below = only === undefined && share < (floor[name] ?? 0) - 1e-9;
    if (below) failed++;
    process.stdout.write(`${name.padEnd(10)} ${(100 * share).toFixed(2).padStart(6)} %  ${result.agree} of ${result.all}${below ? `  BELOW THE FLOOR of ${(100 * (floor[name] ?? 0)).toFixed(2)} %` : ''}\n`);
    if (options.flag('text')) process.stdout.write(`${result.differences.map((line) => `  ${line}\n`).join('')}`);
    if (only === undefined) floor[name] = Math.max(floor[name] ?? 0, Math.floor(share * 10_000) / 10_000);
  }
  if (options.flag('update-floor') && only === undefined) writeFileSync(floorFile, `${JSON.stringify(floor, null, 2)}\n`);
  process.stdout.write(`${names.length - failed} passed, ${failed} failed\n`);
  return failed > 0 ? 1 : 0;
}
