import { edited, type Edit } from './edit.ts';
import type { Fn, Module } from './modules.ts';
import { runInNode } from './node-run.ts';

/** Names a function across runs over the same sources. */
export const keyOf = (fn: Fn): string => `${fn.part.module.file}:${fn.start}`;

/** Runs the modules in Node, each function telling that it was called, and says which were. `use` gets what the entry exports. */
export async function calledFunctions(root: string, modules: ReadonlyMap<string, Module>, entry: string, use: (exports: never) => void): Promise<Set<string>> {
  const called = new Set<string>();
  (globalThis as { $called?: Set<string> }).$called = called;
  const running = runInNode(root, new Map([...modules.values()].map((module) => [module.file, instrumented(module)])));
  try {
    use((await running.load(entry)) as never);
  } finally {
    running.dispose();
  }
  return called;
}

function instrumented(module: Module): string {
  const edits: Edit[] = module.sources.map(({ file, start, end }) => ({ from: start, to: end, text: JSON.stringify(file) }));
  for (const fn of module.parts.flatMap((part) => part.functions)) {
    const call = `$called.add(${JSON.stringify(keyOf(fn))})`;
    if (fn.isBlock) edits.push({ from: fn.body + 1, to: fn.body + 1, text: `${call};` });
    else edits.push({ from: fn.body, to: fn.body, text: `(${call},` }, { from: fn.end, to: fn.end, text: ')' });
  }
  return edited(module.code, 0, module.code.length, edits);
}
