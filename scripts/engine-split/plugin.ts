import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import type { Session } from '../../src/worker/history/session.ts';
import { readModules } from './modules.ts';
import { calledFunctions, keyOf } from './profile.ts';
import { restOf, split, type Split } from './split.ts';

const files = (root: string) => ({ entry: join(root, 'src/worker/engine.ts'), doors: join(root, 'src/worker/doors.ts'), rest: join(root, 'src/worker/rest.ts') });

/**
 * Cuts the engine's worker in two when the page is built: what the film of the first scenario needs, and the rest, which the worker loads behind it.
 * Where to cut is measured: the film is run in Node and each function says that it was called.
 */
export function engineSplit(root: string): Plugin {
  const { entry, rest } = files(root);
  let halves: Split = { first: new Map(), rest: new Map(), doors: 0 };
  return {
    name: 'engine-split',
    apply: 'build',
    enforce: 'pre',
    async buildStart({ input }) {
      // Other workers are built with the same settings.
      if (Object.values(input).includes(entry)) halves = await splitEngine(root);
    },
    resolveId: (source) => (source.endsWith('?rest') && halves.rest.has(source.slice(0, -'?rest'.length)) ? source : null),
    load(id) {
      if (id === rest) return [...halves.rest.keys()].map((file) => `import ${JSON.stringify(restOf(file))};`).join('\n');
      return id.endsWith('?rest') ? halves.rest.get(id.slice(0, -'?rest'.length)) : halves.first.get(id);
    },
  };
}

export async function splitEngine(root: string): Promise<Split> {
  const { entry, doors } = files(root);
  const modules = readModules(entry);
  const called = await calledFunctions(root, modules, join(root, 'src/worker/history/session.ts'), (exports) => playFirstFilm(root, exports));
  return split(modules, entry, doors, (fn) => called.has(keyOf(fn)));
}

/** As the worker does it: in slices, and a while past the end. */
function playFirstFilm(root: string, { Session: SessionClass }: { Session: typeof Session }): void {
  const scenario = readFileSync(join(root, 'src/scenarios/01-first-pod/scenario.yaml'), 'utf8');
  for (const seed of [7, 1]) {
    const session = new SessionClass({ scenario, seed, inputs: [] });
    while (!session.run.runTo(120_000, 400)) session.takeDelta();
    session.takeDelta();
  }
}
