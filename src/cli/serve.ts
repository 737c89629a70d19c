import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { parseScenario } from '../scenarios/parse.ts';
import { Run, scenarioInputs } from '../worker/history/run.ts';
import { toWatchEvent, watchParams } from '../cluster/kube-apiserver/watch.ts';
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

function watch(run: Run, path: string, query: Record<string, string>, request: IncomingMessage, response: ServerResponse, watchers: Set<() => void>): void {
  const params = watchParams(path, query);
  if (params === undefined) {
    response.writeHead(404, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message: 'the server could not find the requested resource', reason: 'NotFound', code: 404 }));
    return;
  }
  const { store } = run.cluster;
  let position = params.resourceVersion === undefined || params.resourceVersion === '0' || params.resourceVersion === ''
    ? 0 : positionAfter(store, Number(params.resourceVersion));
  response.writeHead(200, { 'Content-Type': 'application/json' });
  response.flushHeaders();
  const deliver = () => {
    for (; position < store.changeCount; position++) {
      const event = toWatchEvent(store.changeAt(position), params, String(request.headers.accept ?? ''));
      if (event !== undefined) response.write(`${JSON.stringify(event)}\n`);
    }
  };
  watchers.add(deliver);
  request.on('close', () => watchers.delete(deliver));
  deliver();
}

function positionAfter(store: Run['cluster']['store'], revision: number): number {
  let position = store.changeCount;
  while (position > 0 && store.changeAt(position - 1).version.revision > revision) position--;
  return position;
}
