import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { restOf } from './split.ts';

/** Texts of modules that Node can run. They name each other by whole paths, in double quotes. */
export interface Running {
  load(file: string): Promise<unknown>;
  /** Loads the second halves, which open the doors. */
  loadRest(files: Iterable<string>): Promise<void>;
  dispose(): void;
}

export function runInNode(root: string, texts: ReadonlyMap<string, string>, rest: ReadonlyMap<string, string> = new Map()): Running {
  const folder = mkdtempSync(join(tmpdir(), 'kubelapse-engine-'));
  const place = (file: string) => join(folder, relative(root, file).replace(/\.ts(\?rest)?$/, (_, half?: string) => (half === undefined ? '.mjs' : '-rest.mjs')));
  const write = (file: string, text: string) => {
    mkdirSync(dirname(place(file)), { recursive: true });
    writeFileSync(place(file), text.replace(/^(import |import .* from |export .* from )"([^"]+)";$/gm, (_, start: string, target: string) => `${start}${JSON.stringify(place(target))};`));
  };
  for (const [file, text] of texts) write(file, text);
  for (const [file, text] of rest) write(restOf(file), text);
  const load = (file: string) => import(/* @vite-ignore */ pathToFileURL(place(file)).href) as Promise<unknown>;
  return {
    load,
    async loadRest(files) {
      for (const file of files) await load(restOf(file));
    },
    dispose: () => rmSync(folder, { recursive: true }),
  };
}
