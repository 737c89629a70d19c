import { civilTime } from '../../sim/time.ts';
import type { ServerAnswer, ServerRequest } from '../contract.ts';
import { err, out, type Call, type CommandEntry } from '../shell/command.ts';
import { serveFile } from '../shell/commands/network.ts';
import { lookup, parseUrl, statusText } from '../shell/commands/resolver.ts';
import { sendSignal } from '../shell/kernel.ts';
import { spawnChild } from '../shell/spawn.ts';
import { all, one, parseConfig, type Directive } from './nginx-config.ts';
import type { ServerFacts } from './server.ts';
import { splitImage } from './facts.ts';

const two = (value: number) => String(value).padStart(2, '0');

function stamp(call: Call): string {
  const c = civilTime(call.host.epochMs + call.now);
  return `${c.year}/${two(c.month)}/${two(c.day)} ${two(c.hour)}:${two(c.minute)}:${two(c.second)}`;
}

/** Simplified: the version that the tag names; the four tags of the recorded cluster all hold 1.22.1. */
function version(call: Call): string {
  const { tag } = splitImage(call.k.tree.image);
  const found = /^(\d+)\.(\d+)(?:\.(\d+))?/.exec(tag);
  if (found === null || /^1\.2[456]$/.test(tag)) return '1.22.1';
  return `${found[1] ?? '1'}.${found[2] ?? '27'}.${found[3] ?? '4'}`;
}

const mainFile = '/etc/nginx/nginx.conf';
const defaultSite = 'server { listen 80; location / { root /usr/share/nginx/html; index index.html index.htm; } }';

/** All server blocks, or the text of what is wrong. */
function servers(call: Call): Directive[] | string {
  const text = call.files.read(mainFile);
  const main = parseConfig(typeof text === 'string' ? text : 'http { include /etc/nginx/conf.d/*.conf; }', mainFile);
  if (typeof main === 'string') return main;
  const found: Directive[] = [];
  for (const directive of main.filter(({ words }) => words[0] === 'http').flatMap(({ block }) => block ?? [])) {
    if (directive.words[0] === 'server') found.push(directive);
    if (directive.words[0] !== 'include' || directive.words[1]?.endsWith('*.conf') !== true) continue;
    const folder = (directive.words[1] ?? '').replace(/\/\*\.conf$/, '');
    const names = call.files.list(folder);
    if (!Array.isArray(names)) {
      const site = parseConfig(defaultSite, folder);
      if (typeof site !== 'string') found.push(...site);
    }
    for (const name of Array.isArray(names) ? names : []) {
      if (!name.endsWith('.conf') || call.files.stat(`${folder}/${name}`)?.kind !== 'file') continue;
      const content = call.files.read(`${folder}/${name}`);
      const site = parseConfig(typeof content === 'string' ? content : '', `${folder}/${name}`);
      if (typeof site === 'string') return site;
      found.push(...all(site, 'server'));
    }
  }
  return found;
}

const portsOf = (server: Directive): { port: number; http2: boolean }[] => {
  const listens = all(server.block, 'listen').filter(({ words }) => words[1]?.startsWith('unix:') !== true);
  if (listens.length === 0) return [{ port: 80, http2: false }];
  return listens.map(({ words }) => ({ port: Number(/(\d+)$/.exec(words[1] ?? '')?.[1] ?? 80), http2: words.includes('http2') || one(server.block, 'http2')?.[1] === 'on' }));
};

function badUpstream(call: Call, found: readonly Directive[]): string | undefined {
  for (const location of found.flatMap(({ block }) => all(block, 'location'))) {
    const target = one(location.block, 'proxy_pass')?.[1];
    const host = target === undefined || target.includes('$') ? undefined : parseUrl(target)?.host;
    if (host !== undefined && lookup(call, host).address === undefined) return `host not found in upstream "${host}" in /etc/nginx/conf.d/default.conf:${all(location.block, 'proxy_pass').at(-1)?.line ?? 1}`;
  }
  return undefined;
}

function refuses(call: Call): { text: string; status: number } | undefined {
  const found = servers(call);
  const problem = typeof found === 'string' ? found : badUpstream(call, found);
  return problem === undefined ? undefined : { text: `${stamp(call)} [emerg] ${call.proc.pid}#${call.proc.pid}: ${problem}\nnginx: [emerg] ${problem}\n`, status: 1 };
}

const errorPage = (call: Call, status: number, headers: Record<string, string> = {}): ServerAnswer => {
  const title = `${status} ${statusText(status)}`;
  return { kind: 'http', status, headers: { Server: `nginx/${version(call)}`, 'Content-Type': 'text/html', ...headers }, body: `<html>\r\n<head><title>${title}</title></head>\r\n<body>\r\n<center><h1>${title}</h1></center>\r\n<hr><center>nginx/${version(call)}</center>\r\n</body>\r\n</html>\r\n`, delayMs: 1 };
};

function locationFor(server: Directive, path: string): Directive | undefined {
  const locations = all(server.block, 'location');
  const exact = locations.find(({ words }) => words[1] === '=' && words[2] === path);
  if (exact !== undefined) return exact;
  const expression = locations.find(({ words }) => /^~\*?$/.test(words[1] ?? '') && safeRegex(words[2] ?? '', words[1] === '~*').test(path));
  const prefixes = locations.filter(({ words }) => !/^[=~]/.test(words[1] ?? '') && path.startsWith((words[1] === '^~' ? words[2] : words[1]) ?? ''));
  const length = ({ words }: Directive) => ((words[1] === '^~' ? words[2] : words[1]) ?? '').length;
  return expression ?? prefixes.reduce<Directive | undefined>((best, next) => (best === undefined || length(next) > length(best) ? next : best), undefined);
}

function safeRegex(text: string, ignoreCase: boolean): RegExp {
  try {
    return new RegExp(text, ignoreCase ? 'i' : '');
  } catch {
    return /$^/;
  }
}

const serverAt = (call: Call, port: number): Directive | undefined => {
  const found = servers(call);
  return typeof found === 'string' ? undefined : found.find((server) => portsOf(server).some((listen) => listen.port === port));
};

type HttpRequest = Extract<ServerRequest, { kind: 'http' }>;

function respond(call: Call, server: Directive, request: HttpRequest): ServerAnswer {
  const path = request.path.replace(/[?#].*/, '');
  const location = locationFor(server, path);
  const find = (name: string) => one(location?.block, name) ?? one(server.block, name);
  const returned = one(location?.block, 'return') ?? (location === undefined ? one(server.block, 'return') : undefined);
  if (returned !== undefined) {
    const status = Number(returned[1]);
    const rest = (returned[2] ?? '').replace(/\$hostname\b/g, call.host.hostname).replace(/\$(request_)?uri\b/g, request.path).replace(/\$(http_)?host\b/g, request.headers.Host ?? '').replace(/\$server_addr\b/g, call.host.podIP).replace(/\\n/g, '\n');
    if (Number.isNaN(status)) return errorPage(call, 302, { Location: returned[1] ?? '' });
    if (status >= 300 && status < 400) return errorPage(call, status, { Location: rest });
    if (returned[2] === undefined) return errorPage(call, status);
    return { kind: 'http', status, headers: { Server: `nginx/${version(call)}`, 'Content-Type': find('default_type')?.[1] ?? 'text/plain' }, body: rest, delayMs: 1 };
  }
  const target = one(location?.block, 'proxy_pass')?.[1];
  if (target !== undefined) return proxy(call, target, location?.words.at(-1) ?? '/', request);
  if (one(location?.block, 'stub_status') !== undefined) return { kind: 'http', status: 200, headers: {}, body: 'Active connections: 1 \nserver accepts handled requests\n 1 1 1 \nReading: 0 Writing: 1 Waiting: 0 \n', delayMs: 1 };
  const alias = one(location?.block, 'alias')?.[1];
  const root = find('root')?.[1] ?? '/etc/nginx/html';
  const indexes = find('index')?.slice(1) ?? ['index.html'];
  const names = find('try_files')?.slice(1).filter((name) => !name.startsWith('=')).map((name) => name.replace('$uri', path)) ?? [alias === undefined ? path : path.slice((location?.words.at(-1) ?? '').length)];
  for (const name of names) {
    const file = serveFile(call, alias ?? root, name.startsWith('/') ? name : `/${name}`, indexes);
    if (file !== undefined) return { ...file, headers: { Server: `nginx/${version(call)}`, ...file.headers } };
  }
  return errorPage(call, path.endsWith('/') && call.files.stat(`${alias ?? root}${path}`.replace(/\/$/, ''))?.kind === 'directory' ? 403 : 404);
}

function proxy(call: Call, target: string, prefix: string, request: HttpRequest): ServerAnswer {
  const url = parseUrl(target.replace('$request_uri', ''));
  const address = url === undefined ? undefined : lookup(call, url.host).address;
  if (url === undefined || address === undefined) return { ...(errorPage(call, 502) as HttpAnswer), steadyUntil: call.now };
  const path = /^https?:\/\/[^/]+$/.test(target) ? request.path : url.path + request.path.slice(prefix.length);
  const answer = call.host.http({ method: request.method, address, port: url.port, path, headers: { Host: url.host } });
  if (answer.ok) return { kind: 'http', status: answer.status, headers: answer.headers, body: answer.body, delayMs: answer.latencyMs + 1, steadyUntil: call.now };
  const status = answer.error === 'timeout' ? 504 : 502;
  return { ...(errorPage(call, status) as HttpAnswer), delayMs: Math.min(60_000, answer.latencyMs) + 1, steadyUntil: call.now };
}

type HttpAnswer = Extract<ServerAnswer, { kind: 'http' }>;

function http(call: Call, request: HttpRequest): ServerAnswer {
  const server = serverAt(call, request.port);
  const answer = server === undefined ? errorPage(call, 404) : respond(call, server, request);
  const agent = request.headers['User-Agent'] ?? request.headers['user-agent'] ?? '-';
  // Simplified: what the kubelet's probes ask is not logged; a steady answer is not asked for each time.
  if (answer.kind === 'http' && !agent.startsWith('kube-probe')) {
    const c = civilTime(call.host.epochMs + call.now);
    const month = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')[c.month - 1] ?? '';
    out(call, `${request.headers['X-Forwarded-For'] ?? '10.244.0.1'} - - [${two(c.day)}/${month}/${c.year}:${two(c.hour)}:${two(c.minute)}:${two(c.second)} +0000] "${request.method} ${request.path} HTTP/1.1" ${answer.status} ${answer.body.length} "-" "${agent}" "-"\n`);
  }
  return request.method === 'HEAD' && answer.kind === 'http' ? { ...answer, body: '' } : answer;
}

/** The health service is a file here: what nginx can say of gRPC at all. */
function grpc(call: Call, port: number): ServerAnswer {
  const server = serverAt(call, port);
  if (server === undefined || !portsOf(server).some((listen) => listen.port === port && listen.http2)) return { kind: 'hang' };
  const root = one(server.block, 'root')?.[1] ?? '';
  const content = call.files.read(`${root}/grpc.health.v1.Health/Check`);
  if (typeof content !== 'string') return { kind: 'grpc-health', outcome: 'unimplemented', delayMs: 1 };
  return { kind: 'grpc-health', outcome: content.endsWith('\x08\x01') ? 'SERVING' : 'NOT_SERVING', delayMs: 1 };
}

const notice = (call: Call, text: string): string => `${stamp(call)} [notice] ${call.proc.pid}#${call.proc.pid}: ${text}\n`;

/** The command line around the server: -v, -t, -s SIGNAL; without 'daemon off' it goes to the background. */
export const nginxCommand = (entry: CommandEntry): CommandEntry => ({
  ...entry,
  run: (call) => {
    const { args, proc } = call;
    if (proc.memo !== undefined) return entry.run(call);
    if (args.includes('-v') || args.includes('-V')) return say(call, `nginx version: nginx/${version(call)}\n`, 0);
    const refusal = refuses(call);
    if (args.includes('-t')) return refusal === undefined ? say(call, `nginx: the configuration file ${mainFile} syntax is ok\nnginx: configuration file ${mainFile} test is successful\n`, 0) : say(call, `${refusal.text.split('\n')[1] ?? ''}\nnginx: configuration file ${mainFile} test failed\n`, 1);
    const asked = args[args.indexOf('-s') + 1] ?? '';
    if (args.includes('-s')) {
      const other = [...call.k.tree.procs.filter((process) => process !== proc).map(({ pid, argv }) => ({ pid, command: argv.join(' ') })), ...call.host.processes()].find(({ pid, command }) => pid !== proc.pid && /^(\S*\/)?nginx /.test(`${command} `));
      if (other === undefined) return say(call, 'nginx: [error] open() "/run/nginx.pid" failed (2: No such file or directory)\n', 1);
      sendSignal(call.k, other.pid, { quit: 3, stop: 15, reload: 1, reopen: 10 }[asked] ?? 1);
      return say(call, `${stamp(call)} [notice] ${proc.pid}#${proc.pid}: signal process started\n`, 0);
    }
    const main = call.files.read(mainFile);
    const stays = /daemon\s+off/.test(args.join(' ')) || (typeof main === 'string' && /^\s*daemon\s+off/m.test(main));
    if (stays || refusal !== undefined) return entry.run(call);
    const child = spawnChild(call.k, proc, [proc.argv[0] ?? 'nginx', '-g', 'daemon off;']);
    if (child !== undefined) child.parent = call.k.tree.main;
    return 0;
  },
});

const say = (call: Call, text: string, status: number): number => {
  err(call, text);
  return status;
};

export const nginx: ServerFacts = {
  ports: (call) => {
    const found = servers(call);
    return typeof found === 'string' ? [80] : [...new Set(found.flatMap(portsOf).map(({ port }) => port))];
  },
  readyMs: 12,
  memory: 6_500_000,
  log: 'stderr',
  begins: () =>
    '/docker-entrypoint.sh: /docker-entrypoint.d/ is not empty, will attempt to perform configuration\n/docker-entrypoint.sh: Looking for shell scripts in /docker-entrypoint.d/\n' +
    '/docker-entrypoint.sh: Launching /docker-entrypoint.d/10-listen-on-ipv6-by-default.sh\n/docker-entrypoint.sh: Configuration complete; ready for start up\n',
  ready: (call) => notice(call, 'using the "epoll" event method') + notice(call, `nginx/${version(call)}`) + notice(call, 'OS: Linux 6.8.0-45-generic') + notice(call, 'start worker processes') + notice(call, 'start worker process 29'),
  refuses,
  signals: {
    1: { afterMs: 0 },
    2: { status: 0, afterMs: 20 },
    3: { status: 0, afterMs: 60 },
    15: { status: 0, afterMs: 20 },
    10: { afterMs: 0 },
    12: { afterMs: 0 },
    28: { afterMs: 0 },
  },
  http,
  grpc: (call, { port }) => grpc(call, port),
};
