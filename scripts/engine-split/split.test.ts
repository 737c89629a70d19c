import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Session } from '../../src/worker/history/session.ts';
import type { FilmDelta } from '../../src/worker/protocol.ts';
import { readModules } from './modules.ts';
import { runInNode, type Running } from './node-run.ts';
import { splitEngine } from './plugin.ts';
import { calledFunctions, keyOf } from './profile.ts';
import { split, type Split } from './split.ts';

const root = join(import.meta.dirname, '../..');
const sourceOf = (id: string) => ({ scenario: readFileSync(join(root, 'src/scenarios', id, 'scenario.yaml'), 'utf8'), seed: 7, inputs: [] });

interface Doors {
  triedClosedDoor(): boolean;
}

describe('the engine in two halves', () => {
  let halves: Split;
  let running: Running;
  let First: typeof Session;
  let doors: Doors;

  beforeAll(async () => {
    halves = await splitEngine(root);
    running = runInNode(root, halves.first, halves.rest);
    First = ((await running.load(join(root, 'src/worker/history/session.ts'))) as { Session: typeof Session }).Session;
    doors = (await running.load(join(root, 'src/worker/doors.ts'))) as Doors;
  }, 60_000);
  afterAll(() => running.dispose());

  const filmsOf = (SessionClass: typeof Session, id: string, heads: readonly number[]): FilmDelta[] => {
    const session = new SessionClass(sourceOf(id));
    return heads.map((head) => {
      session.run.runTo(head);
      return session.takeDelta();
    });
  };

  it('makes the first film with the first half alone, the same at every moment', () => {
    const heads = [0, 40, 1500, 2400, 5000, 20_000, 60_000];
    expect(filmsOf(First, '01-first-pod', heads)).toEqual(filmsOf(Session, '01-first-pod', heads));
    expect(doors.triedClosedDoor()).toBe(false);
  });

  it('holds the same objects in every version', () => {
    const changesOf = (SessionClass: typeof Session) => {
      const { run } = new SessionClass(sourceOf('01-first-pod'));
      run.runTo(60_000);
      const { store } = run.cluster;
      return Array.from({ length: store.changeCount }, (_, position) => store.changeAt(position));
    };
    expect(changesOf(First)).toEqual(changesOf(Session));
  });

  it('says that it needs the rest before it shows anything wrong', async () => {
    expect(() => filmsOf(First, '03-crash-loop', [10_000])).toThrow('before it was loaded');
    expect(doors.triedClosedDoor()).toBe(true);
    await running.loadRest(halves.rest.keys());
    for (const id of ['03-crash-loop', '08-graceful-end', '11-rolling-update']) expect(filmsOf(First, id, [30_000, 120_000])).toEqual(filmsOf(Session, id, [30_000, 120_000]));
  });
});

describe('split', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kubelapse-split-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  /** Modules parted by one call of `use`; both halves as they would stand in the page. */
  async function parted(name: string, texts: Record<string, string>): Promise<{ halves: Split; running: Running; text: (file: string) => string; restText: (file: string) => string; exports: Record<string, (...args: unknown[]) => unknown> }> {
    const file = (path: string) => join(folder, name, path);
    for (const [path, text] of Object.entries({ 'doors.ts': readFileSync(join(root, 'src/worker/doors.ts'), 'utf8'), 'entry.ts': "import './doors.ts';\nimport { use } from './main.ts';\nuse();", ...texts })) {
      mkdirSync(dirname(file(path)), { recursive: true });
      writeFileSync(file(path), text);
    }
    const modules = readModules(file('entry.ts'));
    const called = await calledFunctions(folder, modules, file('main.ts'), ({ use }: { use: () => void }) => use());
    const halves = split(modules, file('entry.ts'), file('doors.ts'), (fn) => called.has(keyOf(fn)));
    const running = runInNode(folder, halves.first, halves.rest);
    const exports = (await running.load(file('main.ts'))) as Record<string, (...args: unknown[]) => unknown>;
    return { halves, running, exports, text: (path) => halves.first.get(file(path)) ?? '', restText: (path) => halves.rest.get(file(path)) ?? '' };
  }

  it('moves what was not called, with the tables that only it knows', async () => {
    const { running, halves, exports, text } = await parted('tables', {
      'main.ts': `
        import { words } from './words.ts';
        const few: Record<string, (text: string) => string> = { near: (text) => text, far: (text) => words[text] ?? 'a word that is not known to anyone' };
        export function use(kind = 'near', text = 'a'): string { return (few[kind] as (text: string) => string)(text); }`,
      'words.ts': "export const words: Record<string, string> = { a: 'the first letter of all' };",
    });
    expect(text('words.ts')).not.toContain('the first letter');
    expect(exports.use?.('near', 'b')).toBe('b');
    expect(() => exports.use?.('far', 'a')).toThrow('before it was loaded');
    await running.loadRest(halves.rest.keys());
    expect(exports.use?.('far', 'a')).toBe('the first letter of all');
    running.dispose();
  });

  it('opens doors in classes as well, for methods and getters', async () => {
    const { running, halves, exports, text } = await parted('classes', {
      'main.ts': `
        class Counter {
          private count = 1;
          get double(): number { return [this.count, this.count].reduce((sum, item) => sum + item, 0); }
          add(by: number, ...more: number[]): number { this.count += by + more.reduce((sum, item) => sum + item, 0); return this.count; }
          read(): number { return this.count; }
        }
        export function use(what: 'read' | 'add' | 'double' = 'read'): number { const counter = new Counter(); return what === 'read' ? counter.read() : what === 'add' ? counter.add(2, 3) : counter.double; }`,
    });
    expect(text('main.ts')).not.toContain('reduce');
    await running.loadRest(halves.rest.keys());
    expect([exports.use?.('add'), exports.use?.('double'), exports.use?.()]).toEqual([6, 2, 1]);
    running.dispose();
  });

  it('leaves in place what sets a variable, and fills a table where the table is', async () => {
    const { running, halves, exports, restText } = await parted('variables', {
      'main.ts': `
        let last = 'nothing was ever remembered here, not even once';
        const table = new Map<string, string>();
        for (const word of ['one', 'two']) table.set(word, word.toUpperCase());
        export function remember(text: string): void { last = text; }
        export function find(word: string): string { return table.get(word) ?? 'this word is in no table at all'; }
        export function use(): string { return last; }
        export const both = (word: string): string => { remember(find(word)); return use(); };
        export const never = (): unknown[] => [both, find, remember];`,
    });
    expect(restText('main.ts')).toBe('');
    expect(exports.use?.()).toContain('nothing was');
    expect(halves.doors).toBe(0);
    running.dispose();
  });

  it('does at once what a module does when it is loaded', async () => {
    const { running, exports } = await parted('doing', {
      'main.ts': "import './plugs.ts';\nimport { plugs } from './table.ts';\nexport const use = (): string => [...plugs.keys()].join(' ');",
      'table.ts': 'export const plugs = new Map<string, () => string>();\nexport function plug(name: string, make: () => string): void { plugs.set(name, make); }',
      'plugs.ts': "import { plug } from './table.ts';\nconst name = 'one';\nplug(name, () => 'a long text that nobody asked for in the first run');\nfunction both(): void { plug('two', () => 'another'); }\nboth();",
    });
    expect(exports.use?.()).toBe('one two');
    running.dispose();
  });

  it('calls what moved through other modules and names of whole modules', async () => {
    const { running, halves, exports } = await parted('names', {
      'main.ts': `
        import * as shapes from './shapes.ts';
        import { area as size } from './again.ts';
        export function use(side = 0): number { return side === 0 ? shapes.none() : late(side); }
        function late(side: number): number { return size(side) + shapes.corners(side) + shapes.none(); }`,
      'again.ts': "export { area } from './shapes.ts';",
      'shapes.ts': `
        const factor = [1, 2, 3].reduce((sum, item) => sum + item, 0);
        export const none = (): number => 0;
        export const area = (side: number): number => side * side * factor / factor;
        export const corners = (side: number): number => area(side) === 0 ? 0 : 4;`,
    });
    expect(exports.use?.()).toBe(0);
    expect(() => exports.use?.(3)).toThrow('before it was loaded');
    await running.loadRest(halves.rest.keys());
    expect(exports.use?.(3)).toBe(13);
    running.dispose();
  });
});
