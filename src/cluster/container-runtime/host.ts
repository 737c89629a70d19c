import type { SimTime } from '../../sim/time.ts';
import type { Host, HostConnection, HostDnsAnswer, HostHttpAnswer, SignalName } from '../../workload/contract.ts';
import type { Origin } from '../network.ts';
import { createFiles, diskBlocks, type FileTree } from './files.ts';
import { imageFiles } from './image-files.ts';
import { appendLog } from './logs.ts';
import { raiseGeneration, raiseUsage, type Machine } from './machine.ts';
import { listenerOn, portsOf } from './ports.ts';
import { parseReference } from './reference.ts';
import { nodeAddress, type Container, type ProcessRecord, type Sandbox } from './state.ts';

/** What a step of a program asked for that has to wait until the step is over. */
export interface Pending {
  signals: { pid: number; signal: SignalName }[];
}

/** Address of the cluster's DNS Service. */
export const clusterDns = '10.96.0.10';

export const addressOf = (machine: Machine, sandbox: Sandbox): string =>
  sandbox.hostNetwork ? nodeAddress(machine.state.settings.index) : sandbox.ip;

const isLoopback = (address: string): boolean => address.startsWith('127.') || address === 'localhost' || address === '0.0.0.0' || address === '::1';

/** The world as one process of a container sees it. `onChance`: who asks a server notes for itself what its answer depends on. */
export function createHost(machine: Machine, container: Container, sandbox: Sandbox, record: ProcessRecord, pending: Pending, onChance?: () => void): Host {
  return new ContainerHost(machine, container, sandbox, record, pending, onChance);
}

/** Most steps use little of it: it holds what it is made of and nothing made for later. */
class ContainerHost implements Host {
  readonly now: SimTime;
  readonly epochMs: number;
  private readonly machine: Machine;
  private readonly container: Container;
  private readonly sandbox: Sandbox;
  private readonly record: ProcessRecord;
  private readonly pending: Pending;
  private readonly onChance: (() => void) | undefined;
  private ownFiles: Host['files'] | undefined;

  constructor(machine: Machine, container: Container, sandbox: Sandbox, record: ProcessRecord, pending: Pending, onChance: (() => void) | undefined) {
    this.now = machine.now;
    this.epochMs = machine.epochMs;
    this.machine = machine;
    this.container = container;
    this.sandbox = sandbox;
    this.record = record;
    this.pending = pending;
    this.onChance = onChance;
  }

  get files(): Host['files'] {
    const { machine, container, sandbox } = this;
    return (this.ownFiles ??= withDevices(
      createFiles(fileTree(machine, container, sandbox, () => this.unsteady())),
      (stream, text) => this.output(stream, text),
      (stream, text) => appendLog(container, stream, text, machine.epochMs),
    ));
  }

  get hostname(): string {
    return this.sandbox.hostname;
  }

  get podIP(): string {
    return addressOf(this.machine, this.sandbox);
  }

  get uid(): number {
    return this.container.status.user?.uid ?? 0;
  }

  get dns(): Host['dns'] {
    const { searches, ndots } = this.container.config.dns;
    return { nameserver: clusterDns, searches, ndots };
  }

  private get from(): Origin {
    return { node: this.machine.state.settings.node, podUid: this.container.status.podUid };
  }

  private unsteady(): void {
    if (this.record.exec !== undefined) this.record.exec.steady = false;
  }

  private isOwn(address: string): boolean {
    return isLoopback(address) || address === this.podIP;
  }

  random(bound: number): number {
    this.onChance?.();
    this.unsteady();
    return this.machine.random('workload').below(bound);
  }

  markUnsteady(): void {
    if (this.onChance === undefined) this.unsteady();
    else this.onChance();
  }

  output(stream: 'stdout' | 'stderr', text: string): void {
    const { exec } = this.record;
    if (exec === undefined) appendLog(this.container, stream, text, this.epochMs);
    else if (exec[stream].length < execOutputLimit) exec[stream] += text;
  }

  listen(port: number): 'ok' | 'in-use' {
    return listen(this.machine, this.container, this.sandbox, this.record, port);
  }

  unlisten(port: number): void {
    unlisten(this.machine, this.container, this.sandbox, this.record, port);
  }

  resolve(name: string, type: 'A' | 'AAAA'): HostDnsAnswer {
    this.unsteady();
    return this.machine.network.resolve({ from: this.from, name, type });
  }

  connect(address: string, port: number): HostConnection {
    this.unsteady();
    const { state, network } = this.machine;
    if (!this.isOwn(address)) return network.connect(this.from, address, port);
    const open = listenerOn(state, portsOf(state, this.sandbox), port) !== undefined;
    return open ? { ok: true, latencyMs: 0, address, port } : { ok: false, error: 'refused', latencyMs: 0, address, port };
  }

  http(request: Parameters<Host['http']>[0]): HostHttpAnswer {
    this.unsteady();
    const { machine } = this;
    return this.isOwn(request.address) ? machine.askLocal(portsOf(machine.state, this.sandbox), request) : machine.network.http(this.from, request);
  }

  kill(pid: number, signal: SignalName): boolean {
    this.unsteady();
    const exists = this.container.processes.some((other) => other.pid === pid);
    if (exists) this.pending.signals.push({ pid, signal });
    return exists;
  }

  processes(): { pid: number; command: string }[] {
    return this.container.processes.map(({ pid, command }) => ({ pid, command }));
  }

  setMemory(bytes: number): void {
    if (this.record.memoryBytes === bytes) return;
    this.record.memoryBytes = bytes;
    raiseUsage(this.machine, this.container.status.podUid, this.container.status.id);
  }
}

const execOutputLimit = 1 << 20;

/** Standard streams as files: programs redirect into them. */
function withDevices(files: Host['files'], output: Host['output'], log: Host['output']): Host['files'] {
  const sinks: Record<string, (text: string) => void> = {
    '/dev/null': () => undefined,
    '/dev/stdout': (text) => output('stdout', text),
    '/dev/stderr': (text) => output('stderr', text),
    '/proc/self/fd/1': (text) => output('stdout', text),
    '/proc/self/fd/2': (text) => output('stderr', text),
    '/proc/1/fd/1': (text) => log('stdout', text),
    '/proc/1/fd/2': (text) => log('stderr', text),
  };
  return {
    ...files,
    write: (path, content, append) => {
      const sink = sinks[path];
      if (sink === undefined) return files.write(path, content, append);
      sink(content);
      return undefined;
    },
  };
}

/** /etc files that are the pod's, not the image's. Upstream: pkg/kubelet/kubelet_pods.go managedHostsFileContent. */
function generatedFile(machine: Machine, container: Container, sandbox: Sandbox, path: string): string | undefined {
  if (path === '/etc/hostname') return `${sandbox.hostname}\n`;
  if (path === '/etc/resolv.conf') {
    const { searches, ndots } = container.config.dns;
    return `${searches.length === 0 ? '' : `search ${searches.join(' ')}\n`}nameserver ${clusterDns}\noptions ndots:${ndots}\n`;
  }
  if (path !== '/etc/hosts') return undefined;
  const own = `127.0.0.1\tlocalhost\n::1\tlocalhost ip6-localhost ip6-loopback\nfe00::0\tip6-localnet\nfe00::0\tip6-mcastprefix\nfe00::1\tip6-allnodes\nfe00::2\tip6-allrouters\n${addressOf(machine, sandbox)}\t${sandbox.hostname}\n`;
  const aliases = container.config.hostAliases.map(({ ip, hostnames }) => `${ip}\t${hostnames.join('\t')}\n`).join('');
  return `# Kubernetes-managed hosts file.\n${own}${aliases === '' ? '' : `\n# Entries added by HostAliases.\n${aliases}`}`;
}

function fileTree(machine: Machine, container: Container, sandbox: Sandbox, unsteady: () => void): FileTree {
  const { config, status } = container;
  const pod = machine.state.pods[status.podUid];
  return {
    now: machine.now,
    image: imageFiles(config.image),
    layer: container.layer,
    mounts: config.mounts,
    volume: (name) => pod?.volumes[name],
    generated: (path) => generatedFile(machine, container, sandbox, path),
    readOnlyRoot: config.readOnlyRootFilesystem,
    terminationPath: config.terminationMessagePath,
    changed: (volume, byBytes) => {
      unsteady();
      if (volume === undefined) {
        raiseGeneration(machine, container);
        return;
      }
      touchVolume(machine, status.podUid, volume);
      const own = pod?.volumes[volume];
      if (own === undefined || byBytes === 0) return;
      own.usedBytes = Math.max(0, own.usedBytes + byBytes);
      raiseUsage(machine, status.podUid);
    },
  };
}

/** Files of a volume changed: every container that mounts it could notice. */
export function touchVolume(machine: Machine, podUid: string, volume: string): void {
  for (const id of machine.state.pods[podUid]?.containers ?? []) {
    const container = machine.state.containers[id];
    if (container?.status.state === 'running' && container.config.mounts.some((mount) => mount.volume === volume)) raiseGeneration(machine, container);
  }
}

/** Bytes of a container's writable layer, as `du` counts. */
export function layerBytes(container: Container): number {
  let bytes = 0;
  for (const path in container.layer) bytes += diskBlocks(container.layer[path]?.size ?? 0);
  return bytes;
}

function listen(machine: Machine, container: Container, sandbox: Sandbox, record: ProcessRecord, port: number): 'ok' | 'in-use' {
  const ports = portsOf(machine.state, sandbox);
  const owner = ports[port];
  if (owner !== undefined) return owner.containerId === container.status.id && owner.pid === record.pid ? 'ok' : 'in-use';
  ports[port] = { containerId: container.status.id, pid: record.pid };
  raiseGeneration(machine, container);
  return 'ok';
}

function unlisten(machine: Machine, container: Container, sandbox: Sandbox, record: ProcessRecord, port: number): void {
  const ports = portsOf(machine.state, sandbox);
  const owner = ports[port];
  if (owner?.containerId !== container.status.id || owner.pid !== record.pid) return;
  delete ports[port];
  raiseGeneration(machine, container);
}

/** The image as the runtime names it. */
export function fullImageName(image: string): string {
  const parsed = parseReference(image);
  return typeof parsed === 'string' ? image : parsed.name;
}
