import { createInterface } from 'node:readline';
import { resources } from '../api/resources.ts';
import type { ApiObject } from '../api/resources.ts';
import { parseScenario, parseScenarioDuration } from '../scenarios/parse.ts';
import type { NodeSpec, Scenario } from '../scenarios/schema.ts';
import { mergeInputs, Run, scenarioInputs } from '../worker/history/run.ts';
import { loadScenario, readOptions } from './options.ts';

interface Line {
  id?: unknown;
  method?: string;
  path?: string;
  headers?: Record<string, string>;
  body?: unknown;
  kubectl?: string;
  stdin?: string;
  files?: Record<string, string>;
  advance?: string;
  reset?: boolean;
  nodes?: NodeSpec[];
  load?: { objects: ApiObject[]; now?: string };
  frozen?: boolean;
}

/** kubelapse api: a cluster at the other end of a pipe, one JSON value a line. */
export async function api(args: string[]): Promise<number> {
  const options = readOptions(args, ['scenario', 'seed', 'registry'], []);
  const name = options.text('scenario');
  const empty = 'title: api\nuntil: 0s\nsteps: []\n';
  const scenario = name === undefined ? parseScenario(empty, 'api') : loadScenario(name);
  const talk = new Talk(scenario);
  for await (const text of createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (text.trim() === '') continue;
    process.stdout.write(`${JSON.stringify(answerTo(talk, text))}\n`);
  }
  return 0;
}

/** A body that is text may be YAML, of which JSON is a part; data is JSON. */
function headersOf({ headers = {}, body }: Line): Record<string, string> {
  const named = Object.keys(headers).some((key) => key.toLowerCase() === 'content-type');
  return named || body === undefined ? headers : { ...headers, 'Content-Type': typeof body === 'string' ? 'application/yaml' : 'application/json' };
}

function answerTo(talk: Talk, text: string): unknown {
  let line: Line;
  try {
    line = JSON.parse(text) as Line;
  } catch (error) {
    return { error: `not JSON: ${(error as Error).message}` };
  }
  return { id: line.id, ...talk.answer(line) };
}

export class Talk {
  private run: Run;

  constructor(private readonly scenario: Scenario) {
    this.run = this.fresh(scenario.nodes);
  }

  private fresh(nodes: Scenario['nodes']): Run {
    const run = new Run({ ...this.scenario, nodes }, mergeInputs(scenarioInputs(this.scenario), []), 'playground', false);
    // The first list reaches every component before anybody asks anything.
    run.runTo(50);
    return run;
  }

  answer(line: Line): object {
    const { cluster } = this.run;
    if (line.reset === true) {
      this.run = this.fresh(line.nodes ?? this.scenario.nodes);
      return {};
    }
    if (line.advance !== undefined) {
      const ms = parseScenarioDuration(line.advance);
      if (ms === undefined) return { error: `not a duration: ${line.advance}` };
      this.run.runTo(this.run.now + ms);
      return { at: this.run.now };
    }
    if (line.load !== undefined) return this.load(line.load, line.frozen === true);
    if (line.kubectl !== undefined) return this.kubectl(line.kubectl, line);
    if (line.method === undefined || line.path === undefined) return { error: 'a line needs method and path, kubectl, advance, load or reset' };
    const [path = '', queryText = ''] = line.path.split('?');
    const query = Object.fromEntries(new URLSearchParams(queryText));
    const { code, headers, body, warnings } = cluster.outside({
      method: line.method as 'GET', path, query, headers: headersOf(line), ...(line.body === undefined ? {} : { body: line.body }),
    });
    return { code, headers, body, warnings };
  }

  private kubectl(text: string, { stdin, files }: Line): object {
    const { simulation } = this.run.cluster;
    const id = this.run.cluster.userState.commands.length;
    const line = text.replace(/^kubectl\s+/, '');
    simulation.input({
      at: simulation.now, to: 'user', kind: 'input',
      payload: { at: simulation.now, kind: 'kubectl', line, ...(stdin === undefined ? {} : { stdin }), ...(files === undefined ? {} : { files }) },
    });
    const limit = simulation.now + 600_000;
    const command = () => this.run.cluster.userState.commands[id];
    while ((command()?.exit ?? null) === null && simulation.now < limit) this.run.runTo(simulation.now + 20);
    const done = command();
    return { stdout: done?.stdout ?? '', stderr: done?.stderr ?? '', exit: done?.exit ?? null };
  }

  /** These objects exactly, at this time. Frozen: nothing acts on them, since no component hears of them. */
  private load({ objects, now }: { objects: ApiObject[]; now?: string }, frozen: boolean): object {
    const epochMs = now === undefined ? this.scenario.epochMs : Date.parse(now);
    this.run = new Run({ ...this.scenario, epochMs, nodes: [] }, [], 'playground', false);
    const { store } = this.run.cluster;
    for (const object of objects) {
      const info = resources.find((row) => row.kind === object.kind && object.apiVersion === (row.group === '' ? row.version : `${row.group}/${row.version}`));
      if (info === undefined) return { error: `no such kind: ${object.apiVersion} ${object.kind}` };
      store.put(info.resource, object, { at: 0, cause: 0, actor: 'load' });
    }
    if (!frozen) this.run.runTo(50);
    return {};
  }
}
