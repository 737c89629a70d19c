import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Session } from '../../src/worker/history/session.ts';
import type { FilmDelta, FromWorker } from '../../src/worker/protocol.ts';
import { expect, test } from './page.ts';

/** Lanes and columns of a whole film, however it was cut into deltas. */
function whole(deltas: readonly FilmDelta[]): string {
  const joined = { lanes: [] as unknown[], values: [] as unknown[], spans: { lane: [] as number[], at: [] as number[], value: [] as number[] }, marks: { lane: [] as number[], at: [] as number[], value: [] as number[] } };
  for (const { lanes, values, spans, marks } of deltas) {
    joined.lanes.push(...lanes);
    joined.values.push(...values);
    for (const key of ['lane', 'at', 'value'] as const) {
      joined.spans[key].push(...spans[key]);
      joined.marks[key].push(...marks[key]);
    }
  }
  return JSON.stringify(joined);
}

const engine = `/assets/${readdirSync(join(import.meta.dirname, '../../dist/assets')).find((name) => /^engine.*\.js$/.test(name)) ?? ''}`;

for (const name of ['01-first-pod', '05-liveness-exec', '11-rolling-update']) {
  test(`the worker makes the film that Node makes (${name})`, async ({ page }) => {
    const scenario = readFileSync(join(import.meta.dirname, '../../src/scenarios', name, 'scenario.yaml'), 'utf8');
    const source = { scenario, seed: 7, inputs: [] };
    const session = new Session(source);
    session.run.runTo(60_000);
    const expected = whole([session.takeDelta()]);
    await page.goto('./');
    const deltas = await page.evaluate(({ url, load }) => new Promise<FilmDelta[]>((resolve, reject) => {
      const worker = new Worker(url, { type: 'module' });
      const got: FilmDelta[] = [];
      worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
        if (data.type === 'bug') reject(new Error(data.message));
        if (data.type !== 'film') return;
        got.push(data.delta);
        if (data.delta.head >= 60_000) resolve(got);
      };
      worker.onerror = (event) => reject(new Error(event.message));
      worker.postMessage({ type: 'load', source: load, runTo: 60_000 });
    }), { url: engine, load: source });
    expect(whole(deltas)).toBe(expected);
  });
}
