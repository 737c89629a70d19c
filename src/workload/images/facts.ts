import type { SignalName } from '../contract.ts';

/** Which tools an image has: busybox, Debian-like (bash and coreutils), everything, or none at all. */
export type Userland = 'busybox' | 'gnu' | 'full' | 'none';

export interface ImageFacts {
  /** What runs when the pod gives neither command nor args. */
  entrypoint: readonly string[];
  cmd: readonly string[];
  userland: Userland;
  /** Programs beside the user land; all of them can be started. */
  tools: readonly string[];
  /** Full paths of programs outside the usual folders. */
  binaries: readonly string[];
  stopSignal: SignalName;
  /** uid in the image's configuration. */
  uid?: number;
  workingDir?: string;
  env?: Readonly<Record<string, string>>;
  /** Nothing is known of it: what it does is a guess. */
  unknown?: true;
}

/** What is known of an image; undefined: nothing. */
export function knownImage(image: string): ImageFacts | undefined {
  const facts = imageFacts(image);
  return facts.unknown === true ? undefined : facts;
}

export function imageFacts(image: string): ImageFacts {
  let found = cache.get(image);
  if (found === undefined) {
    const { repository, tag } = splitImage(image);
    const row = rows[repository] ?? rows[repository.slice(repository.lastIndexOf('/') + 1)];
    found = row === undefined ? unknownImage : read(row, tag);
    if (cache.size > 1000) cache.clear();
    cache.set(image, found);
  }
  return found;
}

const unknownImage: ImageFacts = { entrypoint: [], cmd: [], userland: 'full', tools: [], binaries: [], stopSignal: 'SIGTERM', unknown: true };

/** Without registry and 'library/'; what official mirrors serve counts as the original. */
export function splitImage(image: string): { repository: string; tag: string } {
  const bare = image.replace(/@.*/, '');
  const slash = bare.lastIndexOf('/');
  const colon = bare.indexOf(':', slash + 1);
  const tag = colon < 0 ? 'latest' : bare.slice(colon + 1);
  const name = colon < 0 ? bare : bare.slice(0, colon);
  return { repository: name.replace(/^(docker\.io|index\.docker\.io|public\.ecr\.aws\/docker|mirror\.gcr\.io)\//, '').replace(/^library\//, ''), tag };
}

const cache = new Map<string, ImageFacts>();

interface Row {
  run?: string;
  entry?: string;
  land?: Userland;
  tools?: string;
  paths?: string;
  stop?: SignalName;
  uid?: number;
  dir?: string;
  env?: Readonly<Record<string, string>>;
}

const words = (text: string | undefined): string[] => (text === undefined || text === '' ? [] : text.split(' '));

function read(row: Row, tag: string): ImageFacts {
  const alpine = /alpine/.test(tag);
  const land = row.land ?? 'gnu';
  return {
    entrypoint: words(row.entry),
    cmd: row.run === "nginx -g 'daemon off;'" ? ['nginx', '-g', 'daemon off;'] : words(row.run),
    userland: alpine && land === 'gnu' ? 'busybox' : land,
    tools: words(row.tools),
    binaries: words(row.paths),
    stopSignal: row.stop ?? 'SIGTERM',
    ...(row.uid === undefined ? {} : { uid: row.uid }),
    ...(row.dir === undefined ? {} : { workingDir: row.dir }),
    ...(row.env === undefined ? {} : { env: row.env }),
  };
}

const nginx: Row = { run: "nginx -g 'daemon off;'", entry: '/docker-entrypoint.sh', tools: 'nginx nginx-debug curl', paths: '/docker-entrypoint.sh', stop: 'SIGQUIT', env: { NGINX_VERSION: '1.27.4' } };
const entry = 'docker-entrypoint.sh';
const jdk: Row = { run: 'jshell', tools: 'java jshell javac curl' };

/** Rows by repository, or by the last part of any repository. Simplified: one row stands for all tags; -alpine tags have busybox. */
const rows: Readonly<Record<string, Row>> = {
  busybox: { run: 'sh', land: 'busybox' },
  alpine: { run: '/bin/sh', land: 'busybox', tools: 'apk' },
  bash: { run: 'bash', entry, land: 'busybox', tools: `bash ${entry}` },
  ubuntu: { run: '/bin/bash' },
  debian: { run: 'bash' },
  centos: { run: '/bin/bash', tools: 'curl' },
  fedora: { run: '/bin/bash', tools: 'curl' },
  rockylinux: { run: '/bin/bash', tools: 'curl' },
  almalinux: { run: '/bin/bash', tools: 'curl' },
  amazonlinux: { run: '/bin/bash', tools: 'curl' },
  nginx,
  'nginx-unprivileged': { ...nginx, uid: 101 },
  'nginx-slim': nginx,
  'e2e-test-images/nginx': nginx,
  httpd: { run: 'httpd-foreground', tools: 'httpd-foreground', paths: '/usr/local/apache2/bin/httpd', stop: 'SIGWINCH' },
  redis: { run: 'redis-server', entry, tools: `redis-server redis-cli ${entry}`, dir: '/data' },
  valkey: { run: 'valkey-server', entry, tools: `valkey-server valkey-cli ${entry}`, dir: '/data' },
  postgres: { run: 'postgres', entry, tools: `postgres psql pg_isready pg_dump ${entry}`, stop: 'SIGINT', env: { PGDATA: '/var/lib/postgresql/data' } },
  mysql: { run: 'mysqld', entry, tools: `mysqld mysql mysqladmin ${entry}` },
  mariadb: { run: 'mariadbd', entry, tools: `mariadbd mariadb mariadb-admin healthcheck.sh ${entry}` },
  memcached: { run: 'memcached', entry, tools: `memcached ${entry}`, uid: 11211 },
  mongo: { run: 'mongod', entry, tools: `mongod mongosh ${entry}` },
  rabbitmq: { run: 'rabbitmq-server', entry, tools: `rabbitmq-server rabbitmqctl rabbitmq-diagnostics ${entry}` },
  nats: { run: 'nats-server', tools: 'nats-server', land: 'none', paths: '/nats-server' },
  etcd: { run: 'etcd', tools: 'etcd etcdctl', land: 'none' },
  consul: { run: 'consul', entry, tools: `consul ${entry}`, land: 'busybox' },
  vault: { run: 'vault', entry, tools: `vault ${entry}`, land: 'busybox' },
  zookeeper: { run: 'zkServer.sh', entry, tools: `zkServer.sh ${entry}` },
  elasticsearch: { run: 'elasticsearch', entry, tools: `elasticsearch curl ${entry}`, uid: 1000 },
  node: { run: 'node', entry, tools: `node npm npx yarn curl ${entry}` },
  python: { run: 'python3', tools: 'python python3 pip pip3' },
  golang: { run: 'bash', tools: 'go git make gcc curl' },
  aspnet: { land: 'gnu', tools: 'dotnet' },
  sdk: { run: 'bash', tools: 'dotnet' },
  ruby: { run: 'irb', tools: 'ruby irb' },
  php: { run: 'php -a', tools: 'php' },
  openjdk: jdk,
  'eclipse-temurin': jdk,
  tomcat: { run: 'catalina.sh run', tools: 'catalina.sh java curl' },
  jetty: { run: 'java', tools: 'java' },
  haproxy: { run: 'haproxy', entry, tools: `haproxy ${entry}`, stop: 'SIGUSR1' },
  traefik: { run: 'traefik', tools: 'traefik', land: 'busybox' },
  caddy: { run: 'caddy run', tools: 'caddy', land: 'busybox' },
  wordpress: { run: 'apache2-foreground', entry, tools: `apache2-foreground php curl ${entry}`, stop: 'SIGWINCH' },
  registry: { run: 'registry', tools: 'registry', land: 'busybox' },
  grafana: { run: 'grafana', tools: 'grafana curl', land: 'busybox', uid: 472 },
  prometheus: { run: 'prometheus', tools: 'prometheus promtool', land: 'busybox', uid: 65534 },
  fluentd: { run: 'fluentd', tools: 'fluentd', land: 'busybox' },
  'fluent-bit': { run: 'fluent-bit', tools: 'fluent-bit', land: 'none' },
  curl: { entry: 'curl', land: 'busybox', tools: 'curl', uid: 100 },
  netshoot: { run: 'zsh', land: 'full' },
  stress: { run: 'stress', land: 'busybox', tools: 'stress' },
  'vish/stress': { entry: 'vish-stress', tools: 'vish-stress', land: 'none' },
  'stress-ng': { run: 'stress-ng', land: 'busybox', tools: 'stress-ng' },
  'hello-world': { run: 'hello', tools: 'hello', land: 'none', paths: '/hello' },
  whoami: { run: 'whoami-server', tools: 'whoami-server', land: 'none' },
  'http-echo': { entry: 'http-echo', tools: 'http-echo', land: 'none', paths: '/http-echo', uid: 65532 },
  'echo-server': { run: 'echo-server', tools: 'echo-server', land: 'busybox' },
  echoserver: { run: 'echoserver', tools: 'echoserver', land: 'busybox' },
  httpbin: { run: 'httpbin', tools: 'httpbin' },
  'go-httpbin': { run: 'httpbin', tools: 'httpbin', land: 'none' },
  'hello-app': { run: 'hello-app', tools: 'hello-app', land: 'none' },
  'hpa-example': { run: 'apache2-foreground', tools: 'apache2-foreground php curl', stop: 'SIGWINCH' },
  pause: { entry: 'pause', tools: 'pause', land: 'none', paths: '/pause', uid: 65535 },
  agnhost: { entry: 'agnhost', run: 'pause', tools: 'agnhost curl dig jq iperf tcpdump', land: 'busybox', paths: '/agnhost' },
  liveness: { entry: 'server', tools: 'server', land: 'none', paths: '/server' },
  serve_hostname: { run: 'serve-hostname', tools: 'serve-hostname', land: 'none' },
  kubectl: { entry: 'kubectl', tools: 'kubectl curl' },
  distroless: { land: 'none' },
  static: { land: 'none' },
};
