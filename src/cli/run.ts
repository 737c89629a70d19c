import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startKubectl } from '../kubectl/kubectl.ts';
import { splitCommandLine } from '../kubectl/words.ts';
import type { Scenario } from '../scenarios/schema.ts';
import { History } from '../worker/history/history.ts';
import { Run, scenarioInputs } from '../worker/history/run.ts';
import type { Lane, LaneValue } from '../worker/protocol.ts';
import { loadScenario, readOptions, UsageError } from './options.ts';
import { makeRecording, type Recording } from './record.ts';
import { storyLines } from './story.ts';

/** kubelapse run: the film as text, and a recording of it. */
export async function run(args: string[]): Promise<number> {
  const options = readOptions(args, ['until', 'seed', 'step', 'record', 'registry'], ['quiet', 'explain']);
  const name = options.words[0];
  if (name === undefined) throw new UsageError('which scenario?');
  const loaded = loadScenario(name);
  const seed = options.text('seed');
  const scenario: Scenario = { ...loaded, ...(seed === undefined ? {} : { seed: Number(seed) }), untilMs: options.durationMs('until') ?? loaded.untilMs };
  const film = play(scenario, options.durationMs('step'), options.text('registry') === 'recorded' ? 'recorded' : 'playground');
  const record = options.text('record');
  if (record !== undefined) save(record, recordingOf(film, scenario));
  if (!options.flag('quiet')) process.stdout.write(`${scenario.title} (seed ${scenario.seed})\n${story(film, scenario).join('\n')}\n`);
  return 0;
}

/** Plays a scenario to its end, in steps if wanted: the outcome is the same. */
export function play(scenario: Scenario, stepMs: number | undefined, registry: 'recorded' | 'playground'): Run {
  const film = new Run(scenario, scenarioInputs(scenario), registry, false);
  if (stepMs !== undefined && stepMs > 0) for (let at = stepMs; at < scenario.untilMs; at += stepMs) film.runTo(at);
  film.runTo(scenario.untilMs);
  return film;
}

export function recordingOf(film: Run, scenario: Scenario): Recording {
  const { cluster } = film;
  const finals = scenario.final.map((line) => {
    const client = { epochMs: scenario.epochMs + film.now, request: cluster.outside.bind(cluster), startExec: () => 'none', execOutcome: () => undefined };
    const { stdout, stderr } = startKubectl(splitCommandLine(line), { client, namespace: scenario.namespace });
    return `$ kubectl ${line}\n${stdout}${stderr}`;
  });
  return makeRecording(cluster, scenario, finals.join('\n'));
}

/** One .jsonl file, or a folder as the recorder leaves it. */
function save(path: string, recording: Recording): void {
  if (path.endsWith('.jsonl')) return writeFileSync(path, recording['recording.jsonl']);
  mkdirSync(path, { recursive: true });
  for (const [name, text] of Object.entries(recording)) writeFileSync(join(path, name), text as string);
}

export function story(film: Run, scenario: Scenario): string[] {
  const history = new History(scenario.epochMs);
  for (const change of film.cluster.store.changesFrom(0)) history.change(change);
  for (const record of film.records) history.record(record);
  const head = { branch: 0, epochMs: scenario.epochMs, untilMs: scenario.untilMs, title: scenario.title, seed: scenario.seed };
  const values: LaneValue[] = [];
  return storyLines(history.film.take(head, film.now, undefined, []), new Map<number, Lane>(), values);
}
