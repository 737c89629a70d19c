import { bootObjects } from '../../src/cluster/boot.ts';
import { Store } from '../../src/cluster/etcd/store.ts';
import { handleHttp } from '../../src/cluster/kube-apiserver/http/handler.ts';
import type { ServerEnvironment } from '../../src/cluster/kube-apiserver/server.ts';
import { resourceOfKind, type ApiObject } from '../../src/api/resources.ts';
import type { ApiClient, KubectlEnvironment, KubectlOutcome } from '../../src/kubectl/contract.ts';
import { resumeKubectl, startKubectl } from '../../src/kubectl/kubectl.ts';
import { splitCommandLine } from '../../src/kubectl/words.ts';
import { createRandomState, randomStream } from '../../src/sim/random.ts';
import { formatRfc3339, parseRfc3339 } from '../../src/sim/time.ts';
import { count, emptyResult, guarded, type AreaResult } from './expect.ts';

export interface SceneLine {
  id: string;
  now: string;
  objects: ApiObject[];
  files?: Record<string, string>;
}

export interface CommandLine {
  id: string;
  scene: string;
  sceneTime: string;
  at: string;
  before?: string[];
  command: string;
  stdin?: string;
  editor?: string;
  terminatingPodsAreRemoved?: boolean;
  meanwhile?: [ms: number, method: string, path: string, body: unknown][];
  stdout: string;
  stderr: string;
  exit: number | 'interrupted';
}

/** Recorded commands on their scenes: stdout, stderr and exit code, whole. */
export function commands(lines: readonly CommandLine[], scenes: readonly SceneLine[]): AreaResult {
  const result = emptyResult('kubectl');
  const byId = new Map(scenes.map((scene) => [scene.id, scene]));
  for (const line of lines) {
    count(result, line.id, guarded(() => {
      const scene = byId.get(line.scene);
      if (scene === undefined) return `no scene ${line.scene}`;
      // A recorded command took up to some seconds, and ages went on meanwhile.
      const found = [0, 1000, 2000].map((lateMs) => disagreement(line, play(scene, line, lateMs)));
      return found.includes(undefined) ? undefined : found[0];
    }));
  }
  return result;
}

const pollMs = 200;
/** How long the recorded commands were let run. */
const patienceMs = 20_000;

/** Plays a command on an API server over a scene's objects: no controllers, no kubelets. */
function play(scene: SceneLine, line: CommandLine, lateMs: number): KubectlOutcome {
  const store = new Store();
  const random = createRandomState(7);
  const startMs = (parseRfc3339(line.at) as number) + lateMs;
  let elapsedMs = 0;
  const server: ServerEnvironment = {
    store,
    get now() {
      return elapsedMs;
    },
    get epochMs() {
      return startMs + elapsedMs;
    },
    cause: 1,
    actor: 'user',
    random: (purpose) => randomStream(random, purpose),
    changed: () => {},
  };
  const client: ApiClient = {
    get epochMs() {
      return startMs + elapsedMs;
    },
    request: (request) => handleHttp(server, request),
    startExec: () => 'none',
    execOutcome: () => undefined,
  };
  fill(store, scene, line, startMs);
  const run = (text: string, given: Partial<KubectlEnvironment>): KubectlOutcome => {
    const environment: KubectlEnvironment = { client, namespace: 'default', files: scene.files ?? {}, ...given };
    const meanwhile = [...(line.meanwhile ?? [])];
    let outcome = startKubectl(splitCommandLine(text).slice(1), environment);
    for (const until = elapsedMs + patienceMs; outcome.status === 'waiting' && elapsedMs < until;) {
      elapsedMs += pollMs;
      if (line.terminatingPodsAreRemoved === true) removeTerminating(store, client);
      const next = meanwhile[0];
      if (next !== undefined && next[0] <= elapsedMs) {
        meanwhile.shift();
        handleHttp(server, { method: next[1], path: next[2], query: {}, headers: { 'Content-Type': 'application/json' }, ...(next[3] === null ? {} : { body: next[3] }) });
      }
      outcome = resumeKubectl(outcome.state, environment);
    }
    return outcome;
  };
  for (const before of line.before ?? []) run(before, {});
  return run(line.command, line.stdin === undefined ? {} : { stdin: line.stdin });
}

function fill(store: Store, scene: SceneLine, line: CommandLine, startMs: number): void {
  const shiftMs = (parseRfc3339(line.sceneTime) as number) - (parseRfc3339(scene.now) as number);
  const boot = bootObjects(startMs, ['default']).filter((object) => !isAdded(object)).map((object) => (object.metadata.name === 'kubernetes' ? (JSON.parse(JSON.stringify(object).replace('"targetPort":6443', '"targetPort":16446')) as ApiObject) : object));
  for (const object of [...boot, ...scene.objects.map((one) => shifted(one, shiftMs))]) {
    const info = resourceOfKind(object.apiVersion, object.kind);
    if (info === undefined) throw new Error(`kind ${object.kind}`);
    store.put(info.resource, object, { at: 0, cause: 0, actor: 'load' });
  }
}

function removeTerminating(store: Store, client: ApiClient): void {
  for (const { metadata } of store.list('pods')) {
    if (metadata.deletionTimestamp === undefined) continue;
    client.request({ method: 'DELETE', path: `/api/v1/namespaces/${metadata.namespace}/pods/${metadata.name}`, query: { gracePeriodSeconds: '0' }, headers: {} });
  }
}

/** Of our cluster alone: the recorded one had no DNS service. */
const isAdded = ({ kind, metadata }: ApiObject): boolean => metadata.name === 'kube-dns' || kind === 'ConfigMap';

const timeText = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

function shifted<T>(value: T, shiftMs: number): T {
  if (Array.isArray(value)) return value.map((item) => shifted(item, shiftMs) as unknown) as T;
  if (typeof value === 'object' && value !== null) return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shifted(item, shiftMs)])) as T;
  if (typeof value === 'string' && timeText.test(value)) {
    const fraction = /\.\d+/.exec(value)?.[0] ?? '';
    return `${formatRfc3339((parseRfc3339(value) as number) + shiftMs).slice(0, -1)}${fraction}Z` as T;
  }
  return value;
}

function disagreement({ stdout, stderr, exit }: CommandLine, outcome: KubectlOutcome): string | undefined {
  const ours = outcome.status === 'done' ? outcome.exit : 'interrupted';
  const parts: [string, string, string][] = [['stdout', stdout, outcome.stdout], ['stderr', stderr, outcome.stderr], ['exit', String(exit), String(ours)]];
  for (const [name, wanted, got] of parts) {
    const [left, right] = [comparable(wanted), comparable(got)];
    if (left === right) continue;
    const [a, b] = [left.split('\n'), right.split('\n')];
    const at = a.findIndex((text, index) => text !== b[index]);
    const place = at < 0 ? a.length : at;
    return `${name} line ${place + 1}: ${JSON.stringify(a[place] ?? null).slice(0, 600)} | ours: ${JSON.stringify(b[place] ?? null).slice(0, 600)}`;
  }
  return undefined;
}

/** What no other cluster repeats: versions, uids, generated names, addresses, the ages of what the server made at its start, the order of drained pods. */
function comparable(text: string): string {
  const lines = text
    .replace(/(resourceVersion["']?: )"?\d+"?/g, '$1<rv>').replace(/Resource Version:( +)\d+/g, 'Resource Version:$1<rv>')
    .replace(/(?!0{8})[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<uid>')
    .replace(/(pod\/g|debugger|kube-api-access)-[a-z0-9]{5}\b/g, '$1-<rand>')
    .replace(/\/tmp\/(LIVE|MERGED)-\d+\//g, '<tmp>/$1/').replace(/^((?:---|\+\+\+) <tmp>\S+\t).*$/gm, '$1<time>')
    .replace(/\[(error when waiting [^\]]*)\]/g, (_, list: string) => `[${list.split(/, (?=error)/).toSorted((a, b) => (a < b ? -1 : 1)).join(', ')}]`)
    .replace(/<server>|https?:\/\/[\d.]+:\d+/g, '<server>')
    .split('\n');
  const started = /^(default +)?((service\/)?kubernetes|default|kube-\w+(-\w+)?|system-(node|cluster)-critical) +/;
  const settled = lines.map((line) => (started.test(line) ? line.replace(/\b(\d+[smhd])+\b/, '<age>').replace(/ +/g, ' ') : line));
  return sortRuns(settled, /^(error when waiting |evicting pod |pod\/\S+ (evicted|deleted)$| ?Container {2,}(cpu|memory) )/).join('\n');
}

/** Neighbouring lines of one kind in a settled order. */
function sortRuns(lines: string[], kind: RegExp): string[] {
  const out: string[] = [];
  for (let i = 0; i < lines.length;) {
    let end = i;
    const word = kind.exec(lines[i] as string)?.[0].split(' ').at(0);
    while (word !== undefined && end < lines.length && kind.exec(lines[end] as string)?.[0].split(' ').at(0)?.split('/')[0] === word.split('/')[0]) end++;
    if (end === i) out.push(lines[i++] as string);
    else {
      out.push(...lines.slice(i, end).toSorted((a, b) => (a < b ? -1 : 1)));
      i = end;
    }
  }
  return out;
}
