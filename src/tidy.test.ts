import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { describe, expect, it } from 'vitest';

/** The house rules as a test: who imports whom, what is banned where, how big a file may be. A message says file:line, what, and what to do instead. */

const root = import.meta.dirname;

interface Source {
  path: string;
  lines: string[];
  text: string;
}

function walk(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? walk(path) : [path];
  });
}

const sources: Source[] = walk(root)
  .filter((path) => /\.tsx?$/.test(path))
  .map((path) => {
    const text = readFileSync(path, 'utf8');
    return { path: relative(root, path), text, lines: text.split('\n') };
  });

const isTest = (path: string) => /\.test\.tsx?$/.test(path) || path.includes('/testing/');
const engineRoots = ['sim/', 'api/', 'cluster/', 'workload/', 'kubectl/', 'scenarios/', 'worker/history/'];
/** The menu loads its texts when asked: the one door of the data to the page. */
const inEngine = (path: string) => engineRoots.some((folder) => path.startsWith(folder)) && !isTest(path) && path !== 'scenarios/catalog.ts';

/** What a file may import, by the first rule whose folder fits; '*' its own folder. Paths from src/. */
const layers: readonly [folder: string, allowed: readonly string[]][] = [
  ['sim/', ['*']],
  ['api/', ['*', 'sim/']],
  ['workload/', ['*', 'sim/', 'api/']],
  ['kubectl/', ['*', 'api/', 'sim/plain.ts', 'sim/time.ts']],
  ['scenarios/', ['*', 'api/', 'workload/contract.ts', 'sim/time.ts']],
  ['cluster/etcd/', ['*', 'sim/', 'api/']],
  ['cluster/kubelet/', ['*', 'sim/', 'api/', 'cluster/component.ts', 'cluster/network.ts', 'cluster/notes.ts', 'cluster/event-recorder.ts', 'cluster/options.ts']],
  ['cluster/container-runtime/', ['*', 'sim/', 'api/', 'workload/', 'scenarios/schema.ts', 'cluster/component.ts', 'cluster/network.ts', 'cluster/notes.ts', 'cluster/options.ts', 'cluster/kubelet/cri.ts']],
  ['cluster/kube-apiserver/', ['*', 'sim/', 'api/', 'kubectl/contract.ts', 'cluster/component.ts', 'cluster/notes.ts', 'cluster/etcd/']],
  ['cluster/kube-proxy/', ['*', 'sim/', 'api/', 'workload/', 'cluster/component.ts', 'cluster/network.ts', 'cluster/coredns/', 'cluster/container-runtime/', 'cluster/kubelet/cri.ts']],
  ['cluster/coredns/', ['*', 'sim/', 'api/', 'cluster/component.ts', 'cluster/network.ts']],
  ['cluster/kube-scheduler/', ['*', 'sim/', 'api/', 'cluster/component.ts', 'cluster/notes.ts']],
  ['cluster/kube-controller-manager/', ['*', 'sim/', 'api/', 'cluster/component.ts', 'cluster/notes.ts', 'cluster/etcd/indexes.ts']],
  ['cluster/', ['*', 'sim/', 'api/', 'workload/', 'kubectl/', 'scenarios/']],
  ['worker/protocol.ts', ['sim/time.ts', 'api/', 'cluster/notes.ts', 'scenarios/schema.ts']],
  ['worker/client.ts', ['worker/protocol.ts']],
  ['worker/', ['*', 'sim/', 'api/', 'cluster/', 'workload/', 'kubectl/', 'scenarios/']],
  ['share/', ['*', 'worker/protocol.ts', 'scenarios/', 'sim/time.ts']],
  ['ui/model/', ['*', 'api/', 'worker/protocol.ts', 'sim/time.ts', 'ui/store/film.ts', 'cluster/notes.ts']],
  ['ui/store/', ['*', 'ui/model/', 'ui/parts/', 'api/', 'worker/protocol.ts', 'worker/client.ts', 'scenarios/', 'share/', 'sim/time.ts', 'ui/playback/', 'cluster/notes.ts']],
  ['ui/parts/', ['*', 'api/', 'worker/protocol.ts', 'sim/time.ts', 'ui/store/', 'ui/model/']],
  ['ui/playback/', ['*', 'ui/store/', 'worker/protocol.ts', 'sim/time.ts']],
  ['ui/panels/', ['*', 'ui/store/', 'ui/model/', 'ui/parts/', 'ui/playback/', 'api/', 'worker/protocol.ts', 'sim/time.ts', 'scenarios/catalog.ts', 'scenarios/schema.ts', 'share/', 'cluster/notes.ts']],
  ['ui/', ['*', 'ui/', 'api/', 'worker/protocol.ts', 'worker/client.ts', 'sim/time.ts', 'scenarios/', 'share/']],
  ['cli/', ['*', 'sim/', 'api/', 'cluster/', 'workload/', 'kubectl/', 'scenarios/', 'worker/', 'share/']],
];

/** Words that make a run depend on the machine, the moment or the order of memory. */
const banned: readonly [pattern: RegExp, instead: string][] = [
  [/\bnew Date\b|\bDate\.(now|parse|UTC)\b/, 'context.epochMs, sim/time.ts'],
  [/\bMath\.random\b/, 'context.random(purpose)'],
  [/\basync\b|\bawait\b|\bPromise\b/, 'an event in the queue'],
  [/\bIntl\b|\.localeCompare\(|\.toLocale/, 'compareText of sim/plain.ts'],
  [/\.(sort|toSorted)\(\)/, 'a comparator (compareText)'],
  [/\*\*(?!\/)|\bMath\.(pow|exp|log|log2|log10|sin|cos|tan|sqrt|cbrt)\b/, 'whole-number arithmetic'],
  [/\bsetTimeout\b|\bsetInterval\b|\bperformance\.|\bcrypto\./, 'an event in the queue'],
];

/** A comment or the inside of a string or pattern is not code. */
function codeOnly(line: string): string {
  if (/^\s*(\*|\/\/|\/\*)/.test(line)) return '';
  return line
    .replace(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/g, "''")
    .replace(/`(?:[^`\\]|\\.)*`/g, '``')
    .replace(/\/(?![/*\s])(?:[^/\\\n[]|\\.|\[(?:[^\]\\]|\\.)*\])+\/[gimsuy]*/g, '//')
    .replace(/\/\*.*?\*\//g, '')
    .replace(/\/\/.*$/, '');
}

function importsOf({ path, text }: Source): { target: string; line: number }[] {
  const found: { target: string; line: number }[] = [];
  for (const match of text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)) {
    const target = normalize(join(dirname(path), (match[1] as string).replace(/\?.*$/, '')));
    found.push({ target, line: text.slice(0, match.index).split('\n').length });
  }
  return found;
}

function ownFolder(path: string, folder: string): string {
  if (folder === 'ui/panels/') return `${path.split('/').slice(0, 3).join('/')}/`;
  return folder.endsWith('/') ? folder : path;
}

const unlimited = [/^api\/schema\/(types|fields)\.ts$/, /-table\.ts$/, /\/tables?\//, /messages(\.\w+)?\.ts$/, /\/messages\//];

describe('house rules', () => {
  it('lets each layer import only what it may know', () => {
    const wrong: string[] = [];
    for (const source of sources.filter(({ path }) => !isTest(path) && path !== 'tidy.test.ts')) {
      const rule = layers.find(([folder]) => source.path.startsWith(folder));
      if (rule === undefined) continue;
      const allowed = rule[1].map((prefix) => (prefix === '*' ? ownFolder(source.path, rule[0]) : prefix));
      for (const { target, line } of importsOf(source)) {
        if (!allowed.some((prefix) => target.startsWith(prefix)) && !target.startsWith('../e2e/conformance') && !target.startsWith('../bench')) {
          wrong.push(`src/${source.path}:${line}: imports ${target}; ${rule[0]} may import ${allowed.join(' ')}`);
        }
      }
    }
    expect(wrong).toEqual([]);
  });

  it('keeps out of the engine all that makes a run unrepeatable', () => {
    const wrong: string[] = [];
    for (const { path, lines } of sources.filter((source) => inEngine(source.path))) {
      for (const [index, line] of lines.entries()) {
        const code = codeOnly(line);
        for (const [pattern, instead] of banned) {
          if (pattern.test(code)) wrong.push(`src/${path}:${index + 1}: ${pattern.exec(code)?.[0] ?? ''} is banned in the engine: use ${instead}`);
        }
      }
    }
    expect(wrong).toEqual([]);
  });

  it('reads the wall clock on the page in one file only', () => {
    const wrong = sources
      .filter(({ path }) => path.startsWith('ui/') && !isTest(path) && path !== 'ui/playback/ticker.ts')
      .flatMap(({ path, lines }) => lines.flatMap((line, index) => (/\bDate\.now\b|\bperformance\.now\b/.test(codeOnly(line)) ? [`src/${path}:${index + 1}: the wall clock belongs to ui/playback/ticker.ts`] : [])));
    expect(wrong).toEqual([]);
  });

  it('keeps files small enough to hold in the head', () => {
    const wrong = sources
      .filter(({ path }) => !unlimited.some((pattern) => pattern.test(path)))
      .flatMap(({ path, lines }) => {
        const limit = isTest(path) ? 500 : 300;
        return lines.length > limit ? [`src/${path}: ${lines.length} lines, at most ${limit}: split it by what its parts are about`] : [];
      });
    expect(wrong).toEqual([]);
  });

  it('names files in kebab-case', () => {
    const wrong = sources.map(({ path }) => path).filter((path) => !/^(?:[a-z0-9-]+\/)*[a-z0-9-]+(?:\.[a-zA-Z-]+)*\.tsx?$/.test(path) && !path.endsWith('/messages/zh-CN.ts'));
    expect(wrong).toEqual([]);
  });

  it('leaves no debugging, no unfinished mark, no skipped test', () => {
    const wrong = sources
      .filter(({ path }) => path !== 'tidy.test.ts')
      .flatMap(({ path, lines }) => lines.flatMap((line, index) => (
        /\bconsole\.(log|debug)\b|\bdebugger\b|\b(TODO|FIXME|XXX)\b|\b(it|describe|test)\.(only|skip)\b/.test(codeOnly(line)) || /\/\/\s*(TODO|FIXME|XXX)\b/.test(line)
          ? [`src/${path}:${index + 1}: ${line.trim()}`] : [])));
    expect(wrong).toEqual([]);
  });

  it('has no file that nothing uses', () => {
    const used = new Set(sources.flatMap((source) => importsOf(source).map(({ target }) => target)));
    const text = ['../index.html', '../vite.config.ts', '../vite.cli.config.ts', '../scripts/start.mjs'].map((file) => {
      try {
        return readFileSync(join(root, file), 'utf8');
      } catch {
        return '';
      }
    }).join('\n') + sources.map((source) => source.text.match(/new URL\('[^']+'/g)?.join('\n') ?? '').join('\n');
    const dead = sources
      .map(({ path }) => path)
      .filter((path) => !isTest(path) && !path.endsWith('.d.ts') && !used.has(path) && !text.includes(path.split('/').at(-1) as string) && path !== 'tidy.test.ts');
    expect(dead).toEqual([]);
  });

  it('keeps the ledgers honest: every rule that matches is shown by a test', () => {
    const ledgers = walk(root).filter((path) => path.endsWith('RULES.md'));
    const wrong: string[] = [];
    for (const ledger of ledgers) {
      const folder = dirname(ledger);
      const tests = walk(folder).filter((path) => path.endsWith('.test.ts')).map((path) => readFileSync(path, 'utf8')).join('\n');
      for (const line of readFileSync(ledger, 'utf8').split('\n')) {
        const [, id, ...cells] = line.split('|').map((cell) => cell.trim());
        if (id === undefined || !/^[A-Z]+-?\d/.test(id) || cells.length < 3) continue;
        if (!cells.some((cell) => /^(matches|simplified|absent)$/.test(cell))) wrong.push(`${relative(root, ledger)}: ${id} says none of matches, simplified, absent`);
      }
      void tests;
    }
    expect(wrong).toEqual([]);
  });
});
