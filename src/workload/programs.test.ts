import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { describe, expect, it } from 'vitest';
import { parseBehavior } from './behavior.ts';
import { compile } from './shell/compile.ts';
import { FakeContainer } from './testing/fake-host.ts';

describe('starting', () => {
  const start = (command: string[], image = 'busybox:1.36') => new FakeContainer({ image, command }).started;

  it('refuses as runc does', () => {
    expect(start(['startserver', '--port', '80'])).toEqual({ ok: false, error: 'exec: "startserver": executable file not found in $PATH', exitCode: 127 });
    expect(start(['/nope'])).toEqual({ ok: false, error: 'exec: "/nope": stat /nope: no such file or directory', exitCode: 127 });
    expect(start(['/etc/passwd'])).toEqual({ ok: false, error: 'exec: "/etc/passwd": permission denied', exitCode: 126 });
    expect(start(['sh'], 'gcr.io/distroless/static')).toMatchObject({ ok: false, error: 'exec: "sh": executable file not found in $PATH' });
  });

  it('takes command for ENTRYPOINT and args for CMD', () => {
    expect(new FakeContainer({ image: 'nginx:1.27', args: ['sh', '-c', 'exit 7'] }).run(100).exitCode).toBe(7);
    expect([...new FakeContainer({ image: 'redis:7', args: ['--port', '7000'] }).run(1000).ports]).toEqual([7000]);
    expect(new FakeContainer({ image: 'ubuntu' }).run(1000).exitCode).toBe(0);
  });

  it('says what it assumes of an unknown image', () => {
    const container = new FakeContainer({ image: 'shop/api:1.4', ports: [{ containerPort: 8080, protocol: 'TCP' }] }).run(1000);
    expect(container.started).toMatchObject({ ok: true, assumption: expect.stringContaining('shop/api:1.4') as string });
    expect(container.get('/x', 8080)).toMatchObject({ status: 200 });
    expect(container.signal('SIGTERM').run(2000).exitCode).toBe(0);
  });
});

describe('known images', () => {
  it('nginx serves its pages, ends on SIGQUIT', () => {
    const container = new FakeContainer({ image: 'nginx:1.27' }, (own) => {
      own.nodes['/usr/share/nginx/html'] = { kind: 'directory', content: '', mode: 0o755, changedAt: 0 };
      own.put('/usr/share/nginx/html/index.html', 'mine');
    }).run(1000);
    expect(container.started).toMatchObject({ stopSignal: 'SIGQUIT' });
    expect(container.get('/')).toMatchObject({ status: 200, body: 'mine' });
    expect(container.get('/nope')).toMatchObject({ status: 404 });
    expect(container.signal('SIGQUIT').run(2000)).toMatchObject({ exitCode: 0 });
  });

  it('nginx follows its configuration and refuses a wrong one', () => {
    const withSite = (site: string) => new FakeContainer({ image: 'nginx:1.25' }, (own) => {
      own.nodes['/etc/nginx'] = own.nodes['/etc/nginx/conf.d'] = { kind: 'directory', content: '', mode: 0o755, changedAt: 0 };
      own.put('/etc/nginx/conf.d/default.conf', site);
    }).run(1000);
    expect(withSite('server { listen 8080; location / { return 302 https://login.example.com/; } }').get('/', 8080)).toMatchObject({ status: 302, headers: { Location: 'https://login.example.com/' }, body: expect.stringContaining('<hr><center>nginx/1.22.1</center>') as string });
    expect(withSite('server { listen 50051 http2; location / { return 404; } }').ask({ kind: 'grpc-health', port: 50051, service: '' })).toMatchObject({ outcome: 'unimplemented' });
    const bad = withSite('server { listen 80; location / { proxy_pass http://api; } }');
    expect(bad).toMatchObject({ exitCode: 1 });
    expect(bad.stderr).toContain('[emerg] 1#1: host not found in upstream "api" in /etc/nginx/conf.d/default.conf:1\nnginx: [emerg] host not found');
    expect(withSite('server { listen 80; }}').stderr).toContain('unexpected "}" in /etc/nginx/conf.d/default.conf:1');
  });

  it('databases want a password', () => {
    expect(new FakeContainer({ image: 'postgres:16' }).run(5000)).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('superuser password is not specified') as string });
    expect(new FakeContainer({ image: 'mysql:8', env: { MYSQL_ROOT_PASSWORD: 'x' } }).run(20_000).ports.has(3306)).toBe(true);
  });

  it("the documentation's liveness server turns bad after ten seconds", () => {
    const container = new FakeContainer({ image: 'registry.k8s.io/e2e-test-images/agnhost:2.40', args: ['liveness'] }).run(5000);
    expect(container.get('/healthz', 8080)).toMatchObject({ status: 200, steadyUntil: 10_001 });
    expect(container.run(10_500)).toBe(container);
    container.now = 12_000;
    expect(container.get('/healthz', 8080)).toMatchObject({ status: 500 });
  });
});

describe('behavior blocks', () => {
  it('start, answer, exit and grow as written', () => {
    const { behavior, problems } = parseBehavior('startsAfter: 3s\nports: [8080]\nhttp:\n- {path: /healthz, status: 200, until: 10s}\n- {path: /healthz, status: 503}\nexits: [{after: 20s, code: 3, unlessEnv: DB}]\nmemory: [{at: 0s, bytes: 10Mi}, {at: 10s, bytes: 110Mi}]\nlog: [{every: 4s, text: tick}]');
    expect(problems).toEqual([]);
    const container = new FakeContainer({ behavior }).run(2_900);
    expect(container.ports.size).toBe(0);
    expect([...container.run(3_100).ports]).toEqual([8080]);
    expect(container.get('/healthz', 8080)).toMatchObject({ status: 200, steadyUntil: 10_000 });
    container.run(10_100);
    expect(container.get('/healthz', 8080)).toMatchObject({ status: 503 });
    expect(container.memory).toBe(110 * 1_048_576);
    expect(container.run(30_000)).toMatchObject({ exitCode: 3, exitedAt: 20_000, stdout: 'tick\n'.repeat(6) });
    expect(new FakeContainer({ behavior, env: { DB: 'x' } }).run(30_000).exitCode).toBeUndefined();
  });

  it('say what is wrong with them', () => {
    expect(parseBehavior('startsAfter: soon\nhttp: [{status: 200}]\nspeed: 3').problems).toEqual(expect.arrayContaining([
      'startsAfter: expected a duration such as 3s or 1m30s, found "soon"',
      'http[0].path: required',
      'speed: unknown field; known are startsAfter, ports, onTerm, http, grpc, exits, memory, log',
    ]));
  });
});

const recorded = join(import.meta.dirname, '../../e2e/conformance/recorded/traces');

/** Every command of the recorded scenarios. */
function recordedCommands(): string[][] {
  const found: string[][] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit);
    else if (typeof value === 'object' && value !== null) {
      const { command, args } = value as { command?: unknown; args?: unknown };
      if (Array.isArray(command) || Array.isArray(args)) found.push([...((command as string[] | undefined) ?? []), ...((args as string[] | undefined) ?? [])].map(String));
      Object.values(value).forEach(visit);
    }
  };
  for (const name of readdirSync(recorded).filter((entry) => /^\d/.test(entry))) {
    const scenario = parse(readFileSync(join(recorded, name, 'scenario.yaml'), 'utf8')) as { steps?: { stdin?: string }[] };
    for (const { stdin } of scenario.steps ?? []) if (stdin !== undefined) for (const document of parseAllDocuments(stdin)) visit(document.toJS());
  }
  return found;
}

describe('the recorded scenarios', () => {
  it('have no command that cannot be parsed or that is not simulated', () => {
    const commands = recordedCommands();
    expect(commands.length).toBeGreaterThan(60);
    for (const command of commands) {
      if (command[1] === '-c') expect(compile(command[2] ?? '').error, command[2]).toBeUndefined();
      if (command.length > 0) expect(new FakeContainer({ command }).run(30_000).stderr).not.toContain('not simulated');
    }
  });
});
