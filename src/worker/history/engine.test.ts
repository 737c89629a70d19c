import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { parseScenario } from '../../scenarios/parse.ts';
import type { Input } from '../../scenarios/schema.ts';
import type { FromWorker, SessionSource, ToWorker } from '../protocol.ts';
import { History } from './history.ts';
import { Run, scenarioInputs } from './run.ts';
import { WholeFilm } from './testing/whole-film.ts';

/** The worker's side as a page meets it: messages in, messages out. */

const said: FromWorker[] = [];
const page = { postMessage: (message: FromWorker) => said.push(structuredClone(message)), onmessage: undefined as unknown as (event: { data: ToWorker }) => void };
vi.stubGlobal('self', page);
await import('../engine.ts');
afterAll(() => vi.unstubAllGlobals());

const send = (message: ToWorker) => page.onmessage({ data: structuredClone(message) });

/** Waits until the worker has told of a moment. */
async function filmUntil(at: number, film: WholeFilm): Promise<WholeFilm> {
  for (let turns = 0; film.head < at && turns < 20_000; turns++) {
    for (const message of said.splice(0)) {
      if (message.type === 'film') film.take(message.delta);
      else said.push(message);
      expect(message.type).not.toBe('bug');
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
  return film;
}

const folder = join(import.meta.dirname, '../../scenarios');
const ids = readdirSync(folder).filter((name) => /^\d\d-/.test(name));
const textOf = (id: string) => readFileSync(join(folder, id, 'scenario.yaml'), 'utf8');

function filmOfNode(text: string): WholeFilm {
  const scenario = parseScenario(text);
  const run = new Run(scenario, scenarioInputs(scenario), 'playground', false);
  run.runTo(scenario.untilMs);
  const history = new History(scenario.epochMs);
  const changes = run.cluster.store.changesFrom(0).map((change) => ({ at: change.version.at, rank: 0, tell: () => history.change(change) }));
  const notes = run.records.map((record) => ({ at: record.at, rank: 1, tell: () => history.record(record) }));
  for (const { tell } of [...changes, ...notes].map((item, order) => ({ ...item, order })).sort((a, b) => a.at - b.at || a.rank - b.rank || a.order - b.order)) tell();
  const { epochMs, untilMs, title, seed } = scenario;
  return new WholeFilm().take(history.film.take({ branch: 0, epochMs, untilMs, title, seed }, run.now, undefined, [], 0));
}

const source = (scenario: string, inputs: Input[] = []): SessionSource => ({ scenario, seed: parseScenario(scenario).seed, inputs });

describe('the worker', () => {
  it.each(ids)('shows the film of %s as Node does', async (id) => {
    const text = textOf(id);
    const { untilMs } = parseScenario(text);
    said.length = 0;
    send({ type: 'load', source: source(text), runTo: 5000 });
    const film = await filmUntil(5000, new WholeFilm());
    send({ type: 'run', runTo: untilMs });
    await filmUntil(untilMs, film);
    expect(film.lines()).toEqual(filmOfNode(text).lines());
  });

  it('answers questions and inputs by their number, also while it runs', async () => {
    said.length = 0;
    send({ type: 'load', source: source(textOf('06-readiness-path')), runTo: 90_000 });
    send({ type: 'ask', id: 1, question: { about: 'kubectl', line: 'get pods -o name', at: 20_000 } });
    send({ type: 'input', id: 2, input: { at: 30_000, kind: 'kubectl', line: 'delete pod web --wait=false' } });
    send({ type: 'ask', id: 3, question: { about: 'kubectl', line: 'get pods -o name', at: 60_000 } });
    send({ type: 'ask', id: 4, question: { about: 'object', resource: 'pods', namespace: 'default', name: 'web', at: 20_000 } });
    await filmUntil(90_000, new WholeFilm());
    const answers = said.flatMap((message) => (message.type === 'answer' || message.type === 'input-result' ? [message] : []));
    expect(answers.map(({ id }) => id)).toEqual([1, 2, 3, 4]);
    expect(answers[0]).toMatchObject({ answer: { stdout: 'pod/web\n', exit: 0 } });
    expect(answers[1]).toMatchObject({ branch: 0, stdout: 'pod "web" deleted from default namespace\n', exit: 0 });
    expect(answers[2]).toMatchObject({ answer: { stdout: '' } });
    expect(answers[3]).toMatchObject({ answer: { object: { metadata: { name: 'web' } } } });
  });

  it('reports a scenario that it cannot read, and takes the next one', async () => {
    said.length = 0;
    send({ type: 'load', source: { scenario: 'steps: [{ at: never, kubectl: x }]', seed: 1, inputs: [] }, runTo: 1000 });
    expect(said.splice(0)).toMatchObject([{ type: 'bug', message: expect.stringContaining('steps[0].at: not a duration') as unknown }]);
    send({ type: 'load', source: source('title: next\nsteps: []'), runTo: 1000 });
    expect((await filmUntil(1000, new WholeFilm())).head).toBeGreaterThanOrEqual(1000);
  });
});
