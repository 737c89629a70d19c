import { err, getOptions, later, memo, out, type Call, type CommandEntry, type Outcome } from '../shell/command.ts';
import { serveFile } from '../shell/commands/network.ts';
import { nginx, nginxCommand } from './nginx.ts';
import { age, gracefully, page, server, type ServerFacts } from './server.ts';

const MiB = 1_048_576;

const option = (call: Call, ...names: string[]): string | undefined => {
  for (let i = 0; i < call.args.length; i++) {
    const arg = call.args[i] as string;
    for (const name of names) {
      if (arg === name) return call.args[i + 1];
      if (arg.startsWith(`${name}=`)) return arg.slice(name.length + 1);
    }
  }
  return undefined;
};

const port = (call: Call, otherwise: number, ...names: string[]): number[] => [Number((option(call, ...names) ?? String(otherwise)).replace(/^.*:/, ''))];

const fixed = (text: string) => () => text;

/** A database whose first start needs a password. Upstream: docker-library's entrypoint scripts, their own words. */
const needs = (data: string, variables: readonly string[], text: string) => (call: Call): { text: string; status: number; afterMs: number } | undefined => {
  const names = call.files.list(data);
  if (Array.isArray(names) && names.some((name) => name !== 'lost+found')) return undefined;
  return variables.some((name) => (call.proc.env[name] ?? '') !== '') ? undefined : { text, status: 1, afterMs: 120 };
};

/** Leaves a mark in the data folder: the next start finds it. */
const initialises = (data: string, file: string, text: string) => (call: Call): string => {
  call.files.makeDirectory(data, true);
  call.files.write(`${data}/${file}`, '', true);
  return text;
};

const postgresPassword = `Error: Database is uninitialized and superuser password is not specified.
       You must specify POSTGRES_PASSWORD to a non-empty value for the
       superuser. For example, "-e POSTGRES_PASSWORD=password" on "docker run".

       You may also use "POSTGRES_HOST_AUTH_METHOD=trust" to allow all
       connections without a password. This is *not* recommended.

       See PostgreSQL documentation about "trust":
       https://www.postgresql.org/docs/current/auth-trust.html
`;

const uninitialized = '[ERROR] [Entrypoint]: Database is uninitialized and password option is not specified\n';
const mysqlPassword = `${uninitialized}    You need to specify one of the following as an environment variable:
    - MYSQL_ROOT_PASSWORD
    - MYSQL_ALLOW_EMPTY_PASSWORD
    - MYSQL_RANDOM_ROOT_PASSWORD
`;

const redis = (name: string): ServerFacts => ({
  ports: (call) => port(call, 6379, '--port'), readyMs: 40, memory: 8 * MiB, binary: true,
  ready: fixed(`1:M # Server initialized\n1:M * Ready to accept connections tcp\n`),
  begins: fixed(`1:C * oO0OoO0OoO0Oo ${name} is starting oO0OoO0OoO0Oo\n`),
  signals: gracefully(30, '1:signal-handler Received SIGTERM scheduling shutdown...\n1:M # User requested shutdown...\n1:M # Redis is now ready to exit, bye bye...\n'),
});

const echo = (call: Call, path: string): string => `Hostname: ${call.host.hostname}\n\nRequest Information:\n\tmethod=GET\n\treal path=${path}\n`;

const facts: Readonly<Record<string, ServerFacts>> = {
  'httpd-foreground': {
    ports: [80], readyMs: 120, memory: 6 * MiB, log: 'stderr', ready: fixed('AH00094: Command line: \'httpd -D FOREGROUND\'\n'),
    signals: { 28: { status: 0, afterMs: 80, log: 'AH00492: caught SIGWINCH, shutting down gracefully\n' }, 15: { status: 0, afterMs: 60, log: 'AH00491: caught SIGTERM, shutting down\n' }, 2: { status: 0, afterMs: 60 }, 1: { afterMs: 0 } },
    http: (call, { path }) => serveFile(call, '/usr/local/apache2/htdocs', path) ?? page(path === '/' ? 200 : 404, path === '/' ? '<html><body><h1>It works!</h1></body></html>\n' : '<!DOCTYPE HTML PUBLIC "-//IETF//DTD HTML 2.0//EN">\n<html><head>\n<title>404 Not Found</title>\n</head><body>\n<h1>Not Found</h1>\n<p>The requested URL was not found on this server.</p>\n</body></html>\n', { 'Content-Type': 'text/html' }),
  },
  'apache2-foreground': {
    ports: [80], readyMs: 300, memory: 40 * MiB, log: 'stderr', signals: { 28: { status: 0, afterMs: 80 }, 15: { status: 0, afterMs: 60 }, 2: { status: 0, afterMs: 60 } },
    http: (call) => page(200, call.k.tree.image.includes('hpa-example') ? 'OK!' : '<html></html>\n', { 'Content-Type': 'text/html' }),
  },
  'redis-server': redis('Redis'),
  'valkey-server': redis('Valkey'),
  postgres: {
    ports: (call) => port(call, 5432, '-p'), readyMs: 1800, memory: 38 * MiB, binary: true, log: 'stderr',
    refuses: needs('/var/lib/postgresql/data', ['POSTGRES_PASSWORD', 'POSTGRES_HOST_AUTH_METHOD', 'POSTGRES_PASSWORD_FILE'], postgresPassword),
    ready: initialises('/var/lib/postgresql/data', 'PG_VERSION', 'LOG:  listening on IPv4 address "0.0.0.0", port 5432\nLOG:  database system is ready to accept connections\n'),
    signals: gracefully(120, 'LOG:  received fast shutdown request\nLOG:  database system is shut down\n'),
  },
  mysqld: {
    ports: (call) => port(call, 3306, '--port', '-P'), readyMs: 9000, memory: 390 * MiB, binary: true, log: 'stderr',
    refuses: needs('/var/lib/mysql', ['MYSQL_ROOT_PASSWORD', 'MYSQL_ALLOW_EMPTY_PASSWORD', 'MYSQL_RANDOM_ROOT_PASSWORD', 'MYSQL_ROOT_PASSWORD_FILE'], mysqlPassword),
    begins: fixed('[Note] [Entrypoint]: Entrypoint script for MySQL Server started.\n'),
    ready: initialises('/var/lib/mysql', 'ibdata1', '[System] [MY-010931] [Server] /usr/sbin/mysqld: ready for connections.\n'),
    signals: { 15: { status: 0, afterMs: 1400, log: '[System] [MY-013172] [Server] Received SHUTDOWN from user <via user signal>.\n' }, 1: { afterMs: 0 } },
  },
  mariadbd: {
    ports: (call) => port(call, 3306, '--port', '-P'), readyMs: 4000, memory: 95 * MiB, binary: true, log: 'stderr',
    refuses: needs('/var/lib/mysql', ['MARIADB_ROOT_PASSWORD', 'MYSQL_ROOT_PASSWORD', 'MARIADB_ALLOW_EMPTY_ROOT_PASSWORD', 'MYSQL_ALLOW_EMPTY_PASSWORD', 'MARIADB_RANDOM_ROOT_PASSWORD', 'MYSQL_RANDOM_ROOT_PASSWORD', 'MARIADB_ROOT_PASSWORD_HASH'],
      `${uninitialized}\tYou need to specify one of MARIADB_ROOT_PASSWORD, MARIADB_ROOT_PASSWORD_HASH, MARIADB_ALLOW_EMPTY_ROOT_PASSWORD and MARIADB_RANDOM_ROOT_PASSWORD\n`),
    ready: initialises('/var/lib/mysql', 'ibdata1', '[Note] mariadbd: ready for connections.\n'),
    signals: { 15: { status: 0, afterMs: 600 }, 1: { afterMs: 0 } },
  },
  memcached: { ports: (call) => port(call, 11211, '-p'), readyMs: 20, memory: 4 * MiB, binary: true, signals: gracefully(20, 'Signal handled: Terminated.\n') },
  mongod: { ports: (call) => port(call, 27017, '--port'), readyMs: 1500, memory: 180 * MiB, binary: true, ready: fixed('{"s":"I","c":"NETWORK","msg":"Waiting for connections","attr":{"port":27017,"ssl":"off"}}\n'), signals: gracefully(250) },
  'rabbitmq-server': { ports: [5672, 15692], readyMs: 9000, memory: 150 * MiB, binary: true, ready: fixed(' completed with 4 plugins.\n'), signals: gracefully(1500) },
  'nats-server': { ports: [4222, 8222], readyMs: 20, memory: 12 * MiB, log: 'stderr', ready: fixed('[1] [INF] Server is ready\n'), http: (_, { path, port: to }) => (to === 8222 ? page(path.startsWith('/healthz') ? 200 : 404, '{"status":"ok"}') : { kind: 'not-http' }), signals: gracefully() },
  etcd: { ports: [2379, 2380], readyMs: 400, memory: 22 * MiB, log: 'stderr', http: (_, { path }) => page(path === '/health' || path === '/version' ? 200 : 404, path === '/health' ? '{"health":"true","reason":""}' : '404 page not found\n'), signals: gracefully() },
  consul: { ports: [8500], readyMs: 800, memory: 60 * MiB },
  vault: { ports: [8200], readyMs: 500, memory: 90 * MiB },
  'zkServer.sh': { ports: [2181, 8080], readyMs: 1500, memory: 110 * MiB, binary: true, signals: { 15: { status: 143, afterMs: 100 } } },
  elasticsearch: { ports: [9200, 9300], readyMs: 18_000, memory: 1200 * MiB, http: () => page(200, '{"cluster_name":"docker-cluster","tagline":"You Know, for Search"}\n'), signals: { 15: { status: 143, afterMs: 900 } } },
  'catalina.sh': { ports: [8080], readyMs: 2500, memory: 120 * MiB, log: 'stderr', ready: fixed('INFO [main] org.apache.catalina.startup.Catalina.start Server startup in [521] milliseconds\n'), http: () => page(404, '<!doctype html><html lang="en"><head><title>HTTP Status 404 – Not Found</title></head></html>'), signals: { 15: { status: 143, afterMs: 300 } } },
  traefik: { ports: [80, 8080], readyMs: 200, memory: 40 * MiB, http: () => page(404, '404 page not found\n') },
  caddy: { ports: [80], readyMs: 80, memory: 18 * MiB, log: 'stderr', http: (call, { path }) => serveFile(call, '/usr/share/caddy', path) ?? page(path === '/' ? 200 : 404, '') },
  registry: { ports: [5000], readyMs: 100, memory: 18 * MiB, http: (_, { path }) => page(/^\/(v2\/)?$/.test(path) ? 200 : 404, '{}') },
  grafana: { ports: [3000], readyMs: 2500, memory: 90 * MiB, http: (_, { path }) => page(200, path === '/api/health' ? '{"database":"ok","version":"11.2.0"}' : '<html></html>') },
  prometheus: { ports: [9090], readyMs: 900, memory: 70 * MiB, log: 'stderr', http: (_, { path }) => page(200, path === '/-/ready' ? 'Prometheus Server is Ready.\n' : path === '/-/healthy' ? 'Prometheus Server is Healthy.\n' : '') },
  fluentd: { ports: [24224], readyMs: 900, memory: 60 * MiB, binary: true },
  'fluent-bit': { ports: [2020], readyMs: 120, memory: 12 * MiB, log: 'stderr' },
  pause: { ports: [], readyMs: 1, memory: 800_000, log: 'stderr', signals: { 2: { status: 0, afterMs: 1, log: 'Shutting down, got signal: Interrupt\n' }, 15: { status: 0, afterMs: 1, log: 'Shutting down, got signal: Terminated\n' } } },
  'whoami-server': { ports: (call) => port(call, 80, '--port', '-port'), readyMs: 15, memory: 6 * MiB, log: 'stderr', ready: fixed('Starting up on port 80\n'), http: (call, { path, headers }) => page(path === '/health' ? 200 : 200, path === '/health' ? '' : `Hostname: ${call.host.hostname}\nIP: 127.0.0.1\nIP: ${call.host.podIP}\nGET ${path} HTTP/1.1\nHost: ${headers.Host ?? ''}\n`), signals: { 15: { status: 2, afterMs: 5 }, 2: { status: 2, afterMs: 5 } } },
  'http-echo': { ports: (call) => port(call, 5678, '-listen', '--listen'), readyMs: 15, memory: 5 * MiB, log: 'stderr', http: (call, { path }) => page(200, path === '/health' ? '{"status":"ok"}' : `${option(call, '-text', '--text') ?? call.proc.env.ECHO_TEXT ?? 'hello-world'}\n`) },
  'echo-server': { ports: (call) => [Number(call.proc.env.PORT ?? 8080)], readyMs: 15, memory: 6 * MiB, ready: fixed('Echo server listening on port 8080.\n'), http: (call, { path }) => page(200, `Request served by ${call.host.hostname}\n\nGET ${path} HTTP/1.1\n`) },
  echoserver: { ports: [8080], readyMs: 150, memory: 9 * MiB, http: (call, { path }) => page(200, echo(call, path)), signals: { 15: { status: 0, afterMs: 20 }, 3: { status: 0, afterMs: 20 } } },
  httpbin: { ports: (call) => [call.k.tree.image.includes('go-httpbin') ? 8080 : 80], readyMs: 600, memory: 40 * MiB, http: httpbin },
  'hello-app': { ports: (call) => [Number(call.proc.env.PORT ?? 8080)], readyMs: 20, memory: 6 * MiB, log: 'stderr', ready: fixed('Server listening on port 8080\n'), http: (call) => page(200, `Hello, world!\nVersion: ${/:2/.test(call.k.tree.image) ? '2' : '1'}.0.0\nHostname: ${call.host.hostname}\n`), signals: {} },
  server: livenessServer(),
  'serve-hostname': { ports: (call) => port(call, 9376, '--port'), readyMs: 20, memory: 6 * MiB, log: 'stderr', http: (call) => page(200, call.host.hostname) },
};

/** The documentation's example: healthy for ten seconds, then 500. Upstream: kubernetes test/images/agnhost/liveness */
function livenessServer(): ServerFacts {
  return {
    ports: [8080], readyMs: 20, memory: 5 * MiB, signals: {},
    http: (call, { path }) => {
      if (path.split('?')[0] !== '/healthz') return page(404, '404 page not found\n');
      const seconds = age(call) / 1000;
      if (seconds <= 10) return { ...page(200, 'ok'), steadyUntil: call.now - age(call) + 10_001 };
      return { ...page(500, `error: ${seconds.toFixed(9)}`), steadyUntil: call.now };
    },
  };
}

function httpbin(call: Call, { path }: { path: string }): ReturnType<NonNullable<ServerFacts['http']>> {
  const status = /^\/status\/(\d+)/.exec(path)?.[1];
  const delay = /^\/delay\/(\d+)/.exec(path)?.[1];
  if (delay !== undefined) return { ...page(200, '{}\n'), delayMs: Math.min(10, Number(delay)) * 1000 };
  return page(Number(status ?? 200), status === undefined ? `{"hostname":"${call.host.hostname}","url":"${path}"}\n` : '');
}

/** Upstream: kubernetes test/images/agnhost */
const agnhost: Readonly<Record<string, CommandEntry>> = {
  pause: server({ ports: [], readyMs: 1, memory: 8 * MiB, ready: fixed('Paused\n') }),
  netexec: server({
    ports: (call) => port(call, 8080, '--http-port'), readyMs: 25, memory: 9 * MiB, log: 'stderr', ready: fixed('Started HTTP server on port 8080\nStarted UDP server on port  8081\n'),
    signals: { 15: { status: 0, afterMs: 5 } },
    http: (call, { path }) => {
      const name = path.split('?')[0];
      if (name === '/hostname' || name === '/hostName') return page(200, call.host.hostname);
      if (name === '/clientip') return page(200, '10.244.0.1:40000');
      return name === '/' ? page(200, 'NOW: 2026-01-05 09:00:00 +0000 UTC') : page(/^\/(healthz|echo|dial|shell)$/.test(name ?? '') ? 200 : 404, /[?&]msg=([^&]*)/.exec(path)?.[1] ?? '');
    },
  }),
  liveness: server(livenessServer()),
  'serve-hostname': server({ ports: (call) => port(call, 9376, '--port'), readyMs: 20, memory: 8 * MiB, log: 'stderr', http: (call) => page(200, call.host.hostname) }),
  'test-webserver': server({ ports: (call) => port(call, 80, '--port'), readyMs: 20, memory: 8 * MiB }),
  'grpc-health-checking': server({ ports: (call) => [...port(call, 5000, '--port'), ...port(call, 8080, '--http-port')], readyMs: 20, memory: 9 * MiB, grpc: () => ({ kind: 'grpc-health', outcome: 'SERVING', delayMs: 1 }) }),
  'porter': server({ ports: [80], readyMs: 20, memory: 8 * MiB }),
};

function runAgnhost(call: Call): Outcome {
  const [name = 'pause', ...rest] = call.args;
  const entry = agnhost[name];
  if (entry !== undefined) return entry.run({ ...call, args: rest });
  err(call, `Error: unknown command "${name}" for "app"\n`);
  return 1;
}

/** docker-entrypoint.sh: an option first means options of the image's own server. */
function entrypoint(call: Call): Outcome {
  const [first = ''] = call.args;
  if (!first.startsWith('-')) return { become: [...call.args] };
  const own = ['redis-server', 'valkey-server', 'postgres', 'mysqld', 'mariadbd', 'memcached', 'mongod', 'node', 'nginx', 'haproxy', 'vault', 'consul', 'elasticsearch'].find((name) => call.k.tree.image.includes(name.replace(/(-server|d)$/, '')));
  return { become: [own ?? 'sh', ...call.args] };
}

/** What a program is taken for of which only the declared ports are known. */
export const assumedServer: CommandEntry = server({ ports: (call) => [...call.k.tree.declaredPorts], readyMs: 300, memory: 20 * MiB, grpc: () => ({ kind: 'grpc-health', outcome: 'SERVING', delayMs: 1 }) });

/** Interpreters: without a script and without input they end at once; a web server module is known. */
function python(call: Call): Outcome {
  const module = call.args.indexOf('-m');
  if (module >= 0 && call.args[module + 1] === 'http.server') return pythonServer.run(call);
  return script(call);
}

const pythonServer = server({
  ports: (call) => [Number(call.args.find((arg) => /^\d+$/.test(arg)) ?? 8000)], readyMs: 250, memory: 14 * MiB, signals: { 2: { status: 0, afterMs: 10, log: '\nKeyboard interrupt received, exiting.\n' } },
  ready: (call) => `Serving HTTP on 0.0.0.0 port ${call.args.find((arg) => /^\d+$/.test(arg)) ?? 8000} (http://0.0.0.0:${call.args.find((arg) => /^\d+$/.test(arg)) ?? 8000}/) ...\n`,
  http: (call, { path }) => serveFile(call, option(call, '--directory', '-d') ?? call.proc.cwd, path) ?? page(path === '/' ? 200 : 404, '<!DOCTYPE HTML>\n'),
});

function script(call: Call): Outcome {
  const version = call.args.find((arg) => /^(-V|-v|--version|version)$/.test(arg));
  const words: Readonly<Record<string, string>> = { python: 'Python 3.12.8', python3: 'Python 3.12.8', node: 'v22.12.0', ruby: 'ruby 3.3.6', php: 'PHP 8.3.14 (cli)', java: 'openjdk 21.0.5' };
  if (version !== undefined && call.args.length === 1) {
    out(call, `${words[call.name] ?? call.name}\n`);
    return 0;
  }
  if (call.args.filter((arg) => arg !== '-u' && arg !== '-a').length === 0) return 0;
  if (isScript(call.args)) return assumedServer.run(call);
  err(call, `kubelapse: ${call.name} programs are not simulated\n`);
  return 127;
}

/** A file or module to run, not a text on the command line. */
export const isScript = (args: readonly string[]): boolean => !args.some((arg) => /^-(c|e|p|r|-eval|version)$/.test(arg));

function redisCli(call: Call): Outcome {
  const { values, rest } = getOptions(call.args, ['h', 'p', 'a', 'n', 'u']);
  return later(call, () => {
    const answer = call.host.connect(values.h === undefined || values.h === 'localhost' ? '127.0.0.1' : values.h, Number(values.p ?? 6379));
    if (!answer.ok) return { afterMs: answer.latencyMs, out: '', err: `Could not connect to Redis at ${values.h ?? '127.0.0.1'}:${values.p ?? '6379'}: Connection refused\n`, status: 1 };
    return { afterMs: 3, out: (rest[0] ?? '').toLowerCase() === 'ping' ? 'PONG\n' : 'OK\n', err: '', status: 0 };
  });
}

/** pg_isready, mysqladmin ping and their kind: is the server there? */
const askServer = (defaultPort: number, yes: string, no: string, failed: number): CommandEntry => ({
  run: (call) => later(call, () => {
    const { values } = getOptions(call.args, ['h', 'p', 'P', 'U', 'd', 'u', 'port', 'host', 'eval']);
    const host = values.h ?? values.host ?? '127.0.0.1';
    const answer = call.host.connect(host === 'localhost' ? '127.0.0.1' : host, defaultPort);
    return { afterMs: answer.latencyMs + 4, out: answer.ok ? yes : '', err: answer.ok ? '' : no, status: answer.ok ? 0 : failed };
  }),
});

/** vish/stress: -mem-total BYTES -mem-alloc-size BYTES -mem-alloc-sleep TIME. */
function vishStress(call: Call): Outcome {
  const bytes = (text: string | undefined, otherwise: number) => {
    const found = /^(\d+)([KMG]?)i?$/i.exec(text ?? '');
    return found === null ? otherwise : Number(found[1]) * ({ K: 1024, M: MiB, G: 1024 * MiB }[(found[2] ?? '').toUpperCase()] ?? 1);
  };
  const total = bytes(option(call, '-mem-total', '--mem-total'), 0);
  const kept = memo(call, () => ({ held: 0 }));
  if (kept.held >= total) return { block: 'signal' };
  kept.held = Math.min(total, kept.held + bytes(option(call, '-mem-alloc-size', '--mem-alloc-size'), 4096));
  call.proc.memoryBytes = 2 * MiB + kept.held;
  return { at: call.now + Math.max(1, Number(/(\d+)ms/.exec(option(call, '-mem-alloc-sleep', '--mem-alloc-sleep') ?? '')?.[1] ?? 1) || 1000) };
}

const hello = `
Hello from Docker!
This message shows that your installation appears to be working correctly.

`;

const interpreters = ['node', 'npm', 'yarn', 'ruby', 'irb', 'php', 'java', 'jshell', 'dotnet', 'go'];

/** Programs that come with particular images. */
export const servers: Readonly<Record<string, CommandEntry>> = {
  ...Object.fromEntries(Object.entries(facts).map(([name, of]) => [name, server(of)])),
  nginx: nginxCommand(server(nginx)),
  'nginx-debug': nginxCommand(server(nginx)),
  'docker-entrypoint.sh': { run: entrypoint },
  agnhost: { run: runAgnhost, handles: [2, 3, 15], memory: 8 * MiB, answer: (call, request) => agnhost[call.args[0] ?? 'pause']?.answer?.({ ...call, args: call.args.slice(1) }, request) ?? { kind: 'hang' } },
  ...Object.fromEntries(['python', 'python3'].map((name): [string, CommandEntry] => [name, { ...assumedServer, run: python, answer: (call, request) => (call.args.includes('http.server') ? pythonServer : assumedServer).answer?.(call, request) ?? { kind: 'hang' } }])),
  ...Object.fromEntries(interpreters.map((name): [string, CommandEntry] => [name, { ...assumedServer, run: script }])),
  zsh: { run: () => ({ become: ['sh'] }) },
  hello: { run: (call) => (out(call, hello), 0) },
  'redis-cli': { run: redisCli },
  'valkey-cli': { run: redisCli },
  pg_isready: askServer(5432, '127.0.0.1:5432 - accepting connections\n', '127.0.0.1:5432 - no response\n', 2),
  mysqladmin: askServer(3306, 'mysqld is alive\n', "mysqladmin: connect to server at 'localhost' failed\n", 1),
  'mariadb-admin': askServer(3306, 'mysqld is alive\n', "mariadb-admin: connect to server at 'localhost' failed\n", 1),
  'healthcheck.sh': askServer(3306, '', '', 1),
  mongosh: askServer(27017, '{ ok: 1 }\n', 'MongoNetworkError: connect ECONNREFUSED 127.0.0.1:27017\n', 1),
  'rabbitmq-diagnostics': askServer(5672, 'Ping succeeded\n', 'Error: unable to perform an operation on node\n', 69),
  'vish-stress': { run: vishStress },
};
