import { describe, expect, it } from 'vitest';
import { FakeContainer, sh } from '../../testing/fake-host.ts';

describe('network commands', () => {
  const cluster = (container: FakeContainer) => {
    container.names = { 'orders.default.svc.cluster.local': '10.96.235.213' };
    container.response = (path, address, port) =>
      address === '10.96.235.213' && port === 80
        ? { ok: true, status: path === '/' ? 200 : 404, headers: {}, body: 'hello\n', latencyMs: 3 }
        : { ok: false, error: port === 81 ? 'timeout' : 'refused', latencyMs: port === 81 ? 130_000 : 1, address, port };
  };

  it('nslookup answers as recorded', () => {
    const found = sh('nslookup orders.default.svc.cluster.local', 1000, cluster);
    expect(found).toMatchObject({ exitCode: 0, steady: false });
    expect(found.stdout).toBe('Server:\t\t10.96.0.10\nAddress:\t10.96.0.10:53\n\n\nName:\torders.default.svc.cluster.local\nAddress: 10.96.235.213\n\n');
    const missing = sh('nslookup db.default.svc.cluster.local', 1000, cluster);
    expect(missing.exitCode).toBe(1);
    expect(missing.stdout).toContain("\n** server can't find db.default.svc.cluster.local: NXDOMAIN\n\n** server can't find db.default.svc.cluster.local: NXDOMAIN\n\n");
  });

  it('nslookup of a short name asks every search domain and fails for one that has none', () => {
    const found = sh('nslookup orders', 1000, cluster);
    expect(found.exitCode).toBe(1);
    expect(found.stdout).toContain('Name:\torders.default.svc.cluster.local\n');
    expect(found.stdout).toContain("can't find orders.cluster.local: NXDOMAIN");
    const old = new FakeContainer({ image: 'busybox:1.28', command: ['nslookup', 'orders'] }, cluster).run(1000);
    expect(old).toMatchObject({ exitCode: 0 });
  });

  it('waits in a loop until the name exists', () => {
    const container = sh('until nslookup db.default.svc.cluster.local; do echo waiting; sleep 2; done', 7_000);
    expect(container.stdout.match(/waiting/g)).toHaveLength(4);
    container.names = { 'db.default.svc.cluster.local': '10.96.0.9' };
    expect(container.run(9_000).exitCode).toBe(0);
  });

  it.each([
    ['wget -q -O - http://orders', 0, 'hello\n', ''],
    ['wget -qO- orders/nope', 1, '', 'wget: server returned error: HTTP/1.1 404 Not Found\n'],
    ['wget -q -O - http://orders:8080', 1, '', "wget: can't connect to remote host (10.96.235.213): Connection refused\n"],
    ['wget -q -T 3 -O - http://orders:81', 1, '', 'wget: download timed out\n'],
    ['wget -q -O - http://nope', 1, '', "wget: bad address 'nope'\n"],
    ['nc -z orders 80', 1, '', 'nc: orders (10.96.235.213:80): Connection refused\n'],
    ['curl http://orders', 127, '', 'sh: curl: not found\n'],
  ])('%s', (text, exitCode, stdout, stderr) => {
    expect(sh(text, 10_000, cluster)).toMatchObject({ exitCode, stdout, stderr });
  });

  it('curl says what curl says', () => {
    const curl = (...command: string[]) => new FakeContainer({ image: 'curlimages/curl', args: command }, cluster).run(200_000);
    expect(curl('-s', '-o', '/dev/null', '-w', '%{http_code}', 'http://orders/nope')).toMatchObject({ exitCode: 0, stdout: '404' });
    expect(curl('-sf', 'http://orders/nope').exitCode).toBe(22);
    expect(curl('http://nope')).toMatchObject({ exitCode: 6, stderr: 'curl: (6) Could not resolve host: nope\n' });
    expect(curl('-m', '2', 'http://orders:81')).toMatchObject({ exitCode: 28, exitedAt: 2002 });
  });

  it('httpd serves files, in the foreground and behind the shell', () => {
    const container = sh('echo b > /tmp/index.html; httpd -p 8080 -h /tmp; sleep 60', 1_000);
    expect([...container.ports]).toEqual([8080]);
    expect(container.get('/', 8080)).toMatchObject({ kind: 'http', status: 200, body: 'b\n' });
    expect(container.get('/x', 8080)).toMatchObject({ status: 404 });
  });
});

describe('memory', () => {
  it.each([['tail /dev/zero'], ['head -c 500m /dev/zero | tail'], ['cat /dev/zero | tail > /dev/null'], ['dd if=/dev/zero of=/dev/null bs=300M count=1000000']])('grows with %s', (text) => {
    const container = sh(text, 200);
    let peak = container.memory;
    for (let at = 250; at < 12_000 && container.exitCode === undefined; at += 50) peak = Math.max(peak, container.run(at).memory);
    expect(peak).toBeGreaterThan(200_000_000);
  });

  it('is held by stress', () => {
    const stress = new FakeContainer({ image: 'polinux/stress', command: ['stress'], args: ['--vm', '1', '--vm-bytes', '250M', '--vm-hang', '1'] }).run(1000);
    expect(stress.memory).toBeGreaterThan(250_000_000);
    expect(stress.stdout).toBe('stress: info: [1] dispatching hogs: 0 cpu, 0 io, 1 vm, 0 hdd\n');
  });

  it('stays small for a shell that sleeps', () => {
    expect(sh('sleep 100', 1000).memory).toBeLessThan(2_000_000);
  });
});

describe('other commands', () => {
  it.each([
    ['dd if=/dev/zero of=/tmp/f bs=1M count=20 2>/dev/null; wc -c < /tmp/f', '20971520\n'],
    ['printf "b 2\\na 10\\n" | sort -k2 -n | awk \'{ s += $2; print NR": "$1 } END { print s }\'', '1: b\n2: a\n12\n'],
    ['echo "k=v" > /tmp/c; sed -i "s/v$/w/" /tmp/c; cat /tmp/c; grep -c k /tmp/c; grep -q zz /tmp/c || echo no', 'k=w\n1\nno\n'],
    ['printf "1\\n2\\n3\\n" | xargs echo; printf "a\\nb\\n" | xargs -I{} echo "<{}>"', '1 2 3\n<a>\n<b>\n'],
    ['date -u +%Y-%m-%dT%H:%M; hostname; whoami; id -u', '2026-01-05T09:00\nweb\nroot\n0\n'],
    ['mkdir -p /tmp/a/b; cp -r /tmp/a /tmp/c; ls /tmp; find /tmp -type d -name b', 'a\nc\n/tmp/a/b\n/tmp/c/b\n'],
    ['expr 3 + 4 \\* 2; echo aGk= | base64 -d; echo; echo -n hi | base64; basename /a/b.c .c; dirname /a/b', '11\nhi\naGk=\nb\n/a\n'],
    ['echo hi | tee /tmp/t | tr a-z A-Z; cat /tmp/t; test -s /tmp/t && echo full', 'HI\nhi\nfull\n'],
    ['sleep 100 & kill $!; wait $!; echo $?; ps | grep -c sleep', '143\n2\n'],
    ['echo a,b,c | awk -F, \'$2 == "b" { gsub(/c/, "x"); print $3; for (i = 1; i <= NF; i++) n++; printf "%d\\n", n }\'', 'x\n3\n'],
    ['which sh nope; command -v cat; type cd', '/bin/sh\n/bin/cat\ncd is a shell builtin\n'],
    ['printf "#!/bin/sh\\necho ran \\$1\\n" > /tmp/s.sh; chmod +x /tmp/s.sh; /tmp/s.sh x; cd /tmp; ./s.sh y', 'ran x\nran y\n'],
    ['time true; echo $((0x1f)) $((7 / 2)) $((-7 % 3)) $((1 ? 2 : 3))', '31 3 -1 2\n'],
  ])('%s', (text, expected) => {
    expect(sh(text).stdout).toBe(expected);
  });
});
