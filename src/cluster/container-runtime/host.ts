import type { Host, HostConnection, HostHttpAnswer, SignalName } from '../../workload/contract.ts';
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

/** The world as one process of a container sees it. */
export function createHost(machine: Machine, container: Container, sandbox: Sandbox, record: ProcessRecord, pending: Pending): Host {
  const { config, status } = container;
  const from = { node: machine.state.settings.node, podUid: status.podUid };
  const unsteady = () => {
    if (record.exec !== undefined) record.exec.steady = false;
  };
  const output = (stream: 'stdout' | 'stderr', text: string) => {
    if (record.exec === undefined) appendLog(container, stream, text, machine.epochMs);
    else if (record.exec[stream].length < execOutputLimit) record.exec[stream] += text;
  };
  const isOwn = (address: string) => isLoopback(address) || address === addressOf(machine, sandbox);
  return {
    now: machine.now,
    epochMs: machine.epochMs,
    random: (bound) => {
      unsteady();
      return machine.random('workload').below(bound);
    },
    files: withDevices(createFiles(fileTree(machine, container, sandbox, unsteady)), output, (stream, text) => appendLog(container, stream, text, machine.epochMs)),
    hostname: sandbox.hostname,
    podIP: addressOf(machine, sandbox),
    uid: status.user?.uid ?? 0,
    output,
    listen: (port) => listen(machine, container, sandbox, record, port),
    unlisten: (port) => unlisten(machine, container, sandbox, record, port),
    dns: { nameserver: clusterDns, searches: config.dns.searches, ndots: config.dns.ndots },
    resolve: (name, type) => {
      unsteady();
      return machine.network.resolve({ from, name, type });
    },
    connect: (address, port): HostConnection => {
      unsteady();
      if (!isOwn(address)) return machine.network.connect(from, address, port);
      const open = listenerOn(machine.state, portsOf(machine.state, sandbox), port) !== undefined;
      return open ? { ok: true, latencyMs: 0, address, port } : { ok: false, error: 'refused', latencyMs: 0, address, port };
    },
    http: (request): HostHttpAnswer => {
      unsteady();
      return isOwn(request.address) ? machine.askLocal(portsOf(machine.state, sandbox), request) : machine.network.http(from, request);
    },
    kill: (pid, signal) => {
      unsteady();
      const exists = container.processes.some((other) => other.pid === pid);
      if (exists) pending.signals.push({ pid, signal });
      return exists;
    },
    processes: () => container.processes.map(({ pid, command }) => ({ pid, command })),
    setMemory: (bytes) => {
      if (record.memoryBytes === bytes) return;
      record.memoryBytes = bytes;
      raiseUsage(machine, status.podUid, status.id);
    },
    markUnsteady: unsteady,
  };
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
