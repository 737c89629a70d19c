import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { edited, type Edit } from './edit.ts';
import type { Fn, Module } from './modules.ts';

/** Names a function across runs over the same sources. */
export const keyOf = (fn: Fn): string => `${fn.part.module.file}:${fn.start}`;

/** Runs the modules in Node, each function telling that it was called, and says which were. `use` gets the entry's exports. */
export async function calledFunctions(root: string, modules: ReadonlyMap<string, Module>, entry: string, use: (exports: never) => void): Promise<Set<string>> {
  const folder = mkdtempSync(join(tmpdir(), 'kubelapse-profile-'));
  const place = (file: string) => join(folder, relative(root, file).replace(/\.ts$/, '.mjs'));
  const called = new Set<string>();
  (globalThis as { $called?: Set<string> }).$called = called;
  try {
    for (const module of modules.values()) {
      mkdirSync(dirname(place(module.file)), { recursive: true });
      writeFileSync(place(module.file), instrumented(module));
    }
    use((await import(pathToFileURL(place(entry)).href)) as never);
  } finally {
    rmSync(folder, { recursive: true });
  }
  return called;
}

function instrumented(module: Module): string {
  const edits: Edit[] = module.sources.map(({ end }) => ({ from: end - 4, to: end - 1, text: '.mjs' }));
  for (const fn of module.parts.flatMap((part) => part.functions)) {
    const call = `$called.add(${JSON.stringify(keyOf(fn))})`;
    if (fn.isBlock) edits.push({ from: fn.body + 1, to: fn.body + 1, text: `${call};` });
    else edits.push({ from: fn.body, to: fn.body, text: `(${call},` }, { from: fn.end, to: fn.end, text: ')' });
  }
  return edited(module.code, 0, module.code.length, edits);
}
