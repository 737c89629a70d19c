import { compareText, copyPlain } from '../../sim/plain.ts';
import type { FileError, Files, Host, HostConnection, HostDnsAnswer, HostHttpAnswer, Process, ProcessSpec, ServerAnswer, ServerRequest, SignalName, StartResult, Wake } from '../contract.ts';
import { programs } from '../programs.ts';

type Node = { kind: 'file' | 'directory'; content: string; mode: number; changedAt: number };

/** A container without a cluster: files in a table, names and servers as given, time that runs as far as it is told. */
export class FakeContainer {
  now = 0;
  stdout = '';
  stderr = '';
  log: { at: number; text: string }[] = [];
  memory = 0;
  steady = true;
  exitCode: number | undefined;
  exitedAt: number | undefined;
  steps = 0;
  readonly ports = new Set<number>();
  readonly nodes: Record<string, Node> = {};
  names: Record<string, string> = {};
  connection: (address: string, port: number) => HostConnection = (address, port) => ({ ok: false, error: 'refused', latencyMs: 1, address, port });
  response: (path: string, address: string, port: number) => HostHttpAnswer = (_, address, port) => ({ ok: false, error: 'refused', latencyMs: 1, address, port });
  others: { pid: number; command: string }[] = [];
  killed: { pid: number; signal: SignalName }[] = [];
  process: Process | undefined;
  wakeAt: number | undefined;
  readonly started: StartResult;

  constructor(spec: Partial<ProcessSpec> & { image?: string }, setUp: (container: FakeContainer) => void = () => undefined) {
    for (const path of ['/', '/bin', '/dev', '/dev/shm', '/etc', '/tmp', '/usr', '/usr/bin', '/var', '/var/lib', '/proc', '/root', '/home']) this.nodes[path] = { kind: 'directory', content: '', mode: 0o755, changedAt: 0 };
    this.put('/etc/passwd', 'root:x:0:0:root:/root:/bin/sh\n');
    setUp(this);
    const full: ProcessSpec = { image: 'busybox:1.36', env: { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', HOSTNAME: 'web' }, ports: [], pid1: true, ...spec };
    this.started = programs.start(full, this.host());
    if (this.started.ok) {
      this.process = this.started.process;
      this.step({ kind: 'start' });
    }
  }

  put(path: string, content: string, mode = 0o644): void {
    this.nodes[path] = { kind: 'file', content, mode, changedAt: this.now };
  }

  /** Lets time pass; every step runs on a copy of the state, as after a checkpoint. */
  run(untilMs: number): this {
    while (this.exitCode === undefined && this.wakeAt !== undefined && this.wakeAt <= untilMs) {
      this.now = Math.max(this.now + 1, this.wakeAt);
      this.step({ kind: 'timer' });
      if (this.steps > 50_000) throw new Error('runs for ever');
    }
    this.now = Math.max(this.now, untilMs);
    return this;
  }

  signal(signal: SignalName): this {
    this.step({ kind: 'signal', signal });
    return this;
  }

  type(text: string): this {
    this.step({ kind: 'stdin', text });
    return this;
  }

  ask(request: ServerRequest): ServerAnswer {
    return programs.answer(this.process as Process, request, this.host());
  }

  get(path: string, port = 80): ServerAnswer {
    return this.ask({ kind: 'http', method: 'GET', path, port, headers: {} });
  }

  private step(wake: Wake): void {
    if (this.process === undefined || this.exitCode !== undefined) return;
    this.steps++;
    this.process = copyPlain(this.process);
    JSON.stringify(this.process);
    const result = programs.step(this.process, wake, this.host());
    if (result.status === 'exited') {
      this.exitCode = result.exitCode;
      this.exitedAt = this.now;
      this.wakeAt = undefined;
    } else this.wakeAt = result.wakeAt;
  }

  host(): Host {
    return {
      now: this.now, epochMs: 1_767_603_600_000, random: (bound) => 3 % bound, files: this.files(), hostname: 'web', podIP: '10.244.0.5', uid: 0,
      output: (stream, text) => {
        this[stream] += text;
        this.log.push({ at: this.now, text });
      },
      listen: (port) => (this.ports.has(port) ? 'in-use' : (this.ports.add(port), 'ok')),
      unlisten: (port) => void this.ports.delete(port),
      dns: { nameserver: '10.96.0.10', searches: ['default.svc.cluster.local', 'svc.cluster.local', 'cluster.local'], ndots: 5 },
      resolve: (name, type): HostDnsAnswer => {
        const address = this.names[name];
        if (address === undefined) return { code: 'NXDOMAIN', addresses: [], latencyMs: 2 };
        return { code: 'NOERROR', addresses: type === 'A' ? [address] : [], latencyMs: 2 };
      },
      connect: (address, port) => this.connection(address, port),
      http: ({ path, address, port }) => this.response(path, address, port),
      kill: (pid, signal) => {
        this.killed.push({ pid, signal });
        return this.others.some((other) => other.pid === pid);
      },
      processes: () => this.others,
      setMemory: (bytes) => (this.memory = bytes),
      markUnsteady: () => (this.steady = false),
    };
  }

  private files(): Files {
    const parent = (path: string) => path.replace(/\/[^/]*$/, '') || '/';
    const inside = (path: string) => Object.keys(this.nodes).filter((other) => other !== path && other.startsWith(path === '/' ? '/' : `${path}/`));
    const missing = (path: string): FileError | undefined => (this.nodes[parent(path)]?.kind === 'directory' ? undefined : 'ENOENT');
    return {
      stat: (path) => {
        const node = this.nodes[path];
        return node === undefined ? undefined : { kind: node.kind, size: node.content.length, mode: node.mode, changedAt: node.changedAt };
      },
      read: (path) => {
        const node = this.nodes[path];
        return node === undefined ? { error: 'ENOENT' } : node.kind === 'directory' ? { error: 'EISDIR' } : node.content;
      },
      write: (path, content, append) => {
        const node = this.nodes[path];
        if (node?.kind === 'directory') return 'EISDIR';
        const problem = missing(path);
        if (problem !== undefined) return problem;
        this.nodes[path] = { kind: 'file', content: (append ? (node?.content ?? '') : '') + content, mode: node?.mode ?? 0o644, changedAt: this.now };
        return undefined;
      },
      makeDirectory: (path, parents) => {
        if (this.nodes[path] !== undefined) return parents ? undefined : 'EEXIST';
        if (missing(path) !== undefined && !parents) return 'ENOENT';
        for (let at = path; this.nodes[at] === undefined; at = parent(at)) this.nodes[at] = { kind: 'directory', content: '', mode: 0o755, changedAt: this.now };
        return undefined;
      },
      remove: (path, recursive) => {
        if (this.nodes[path] === undefined) return 'ENOENT';
        if (inside(path).length > 0 && !recursive) return 'ENOTEMPTY';
        for (const other of [path, ...inside(path)]) delete this.nodes[other];
        return undefined;
      },
      rename: (from, to) => {
        const node = this.nodes[from];
        if (node === undefined) return 'ENOENT';
        delete this.nodes[from];
        this.nodes[this.nodes[to]?.kind === 'directory' ? `${to}/${from.replace(/^.*\//, '')}` : to] = node;
        return undefined;
      },
      setMode: (path, mode) => {
        const node = this.nodes[path];
        if (node === undefined) return 'ENOENT';
        this.nodes[path] = { ...node, mode };
        return undefined;
      },
      list: (path) => {
        if (this.nodes[path] === undefined) return { error: 'ENOENT' };
        const prefix = path === '/' ? '/' : `${path}/`;
        return [...new Set(inside(path).map((other) => other.slice(prefix.length).split('/')[0] as string))].filter((name) => name !== '').sort(compareText);
      },
    };
  }
}

/** Runs a shell text to its end, or for a while. */
export const sh = (text: string, untilMs = 600_000, setUp?: (container: FakeContainer) => void): FakeContainer => new FakeContainer({ command: ['sh', '-c', text] }, setUp).run(untilMs);
