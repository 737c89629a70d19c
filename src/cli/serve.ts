import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { keyOf, type ApiObject } from '../api/resources.ts';
import { parseScenario } from '../scenarios/parse.ts';
import { Run, scenarioInputs } from '../worker/history/run.ts';
import { createWatchFilter, toWatchEvent, watchParams, type WatchEvent } from '../cluster/kube-apiserver/http/watch.ts';
import { loadScenario, readOptions } from './options.ts';

/** kubelapse serve: the REST surface over plain HTTP, simulated time at a speed of the wall clock. */
export async function serve(args: string[]): Promise<number> {
  const options = readOptions(args, ['port', 'speed', 'scenario', 'seed'], []);
  const name = options.text('scenario');
  const scenario = name === undefined ? parseScenario('title: serve\nuntil: 0s\nsteps: []\n', 'serve') : loadScenario(name);
  const speed = Number(options.text('speed') ?? 1);
  const port = Number(options.text('port') ?? 8001);
  const run = new Run(scenario, scenarioInputs(scenario), 'playground', false);
  const startedAt = performance.now();
  const watchers = new Set<() => void>();
  const catchUp = () => {
    run.runTo(Math.floor((performance.now() - startedAt) * speed));
    for (const deliver of watchers) deliver();
  };
  const timer = setInterval(catchUp, 50);
  const server = createServer((request, response) => {
    catchUp();
    void handle(run, request, response, watchers);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  process.stdout.write(`serving http://127.0.0.1:${(server.address() as { port: number }).port} (kubectl --server http://127.0.0.1:${port})\n`);
  await new Promise<void>((resolve) => {
    process.once('SIGINT', resolve);
    process.once('SIGTERM', resolve);
  });
  clearInterval(timer);
  server.closeAllConnections();
  server.close();
  return 0;
}

async function handle(run: Run, request: IncomingMessage, response: ServerResponse, watchers: Set<() => void>): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://localhost');
  const query = Object.fromEntries(url.searchParams);
  if (query.watch === 'true' || query.watch === '1') return watch(run, url.pathname, query, request, response, watchers);
  let text = '';
  for await (const chunk of request) text += String(chunk);
  const headers = Object.fromEntries(Object.entries(request.headers).map(([key, value]) => [key, String(value)]));
  const answer = run.cluster.outside({ method: (request.method ?? 'GET') as 'GET', path: url.pathname, query, headers, ...(text === '' ? {} : { body: text }) });
  for (const warning of answer.warnings) response.appendHeader('Warning', `299 - ${JSON.stringify(warning)}`);
  const isText = typeof answer.body === 'string';
  response.writeHead(answer.code, { 'Content-Type': isText ? 'text/plain' : 'application/json', ...answer.headers });
  response.end(isText ? answer.body : JSON.stringify(answer.body));
}

function refuse(response: ServerResponse, status: { code?: number }): void {
  response.writeHead(status.code ?? 500, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify(status));
}

const notFound = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message: 'the server could not find the requested resource', reason: 'NotFound', code: 404 };

function watch(run: Run, path: string, query: Record<string, string>, request: IncomingMessage, response: ServerResponse, watchers: Set<() => void>): void {
  const params = watchParams(path, query);
  if (params === undefined) return refuse(response, notFound);
  const filter = createWatchFilter(params);
  if (typeof filter !== 'function') return refuse(response, filter);
  const { store } = run.cluster;
  response.writeHead(200, { 'Content-Type': 'application/json' });
  response.flushHeaders();
  const accept = String(request.headers.accept ?? '');
  const send = (event: WatchEvent) => response.write(`${JSON.stringify(toWatchEvent(event, params.info, accept, run.cluster.epochNow))}\n`);
  let position = params.fromRevision === undefined ? store.changeCount : positionAfter(store, params.fromRevision);
  if (params.fromRevision === undefined) {
    // What is there now comes first, as if it were added.
    for (const object of store.list(params.info.resource)) {
      const version = { revision: 0, at: 0, cause: 0, actor: '', object: object as ApiObject };
      const event = filter({ type: 'ADDED', key: keyOf(params.info.resource, '', ''), resource: params.info.resource, version, previous: undefined });
      if (event !== undefined) send(event);
    }
  }
  const deliver = () => {
    for (; position < store.changeCount; position++) {
      const event = filter(store.changeAt(position));
      if (event !== undefined) send(event);
    }
  };
  watchers.add(deliver);
  const stop = () => watchers.delete(deliver);
  request.on('close', stop);
  if (params.timeoutMs !== undefined) {
    setTimeout(() => {
      stop();
      response.end();
    }, params.timeoutMs).unref();
  }
  deliver();
}

function positionAfter(store: Run['cluster']['store'], revision: number): number {
  let position = store.changeCount;
  while (position > 0 && store.changeAt(position - 1).version.revision > revision) position--;
  return position;
}
