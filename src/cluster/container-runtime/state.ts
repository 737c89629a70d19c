import type { SimTime } from '../../sim/time.ts';
import type { Behavior, Process, SignalName } from '../../workload/contract.ts';
import type { ContainerConfig, ContainerStatusRecord, LogLine, VolumeCommand } from '../kubelet/cri.ts';

/** What a runtime is told once; frozen, shared by all checkpoints. */
export interface RuntimeSettings {
  node: string;
  /** Position among the nodes: decides the address range of its pods and its own address. */
  index: number;
  images: { absent?: string[]; pullTakes?: Record<string, string> };
  registry: 'recorded' | 'playground';
  registryImages: RegistryEntry[];
  workloads: { image: string; container?: string; behavior: Behavior }[];
}

/** An image that a scenario's registry has. */
export interface RegistryEntry {
  image: string;
  sizeBytes?: number;
  pullTakes?: string;
  private?: boolean;
  behavior?: Behavior;
}

/** A file or directory of a layer or a volume. Frozen once made: checkpoints share it. */
export interface FileNode {
  readonly kind: 'file' | 'directory';
  readonly content: string;
  /** Bytes; larger than the content where only the beginning is kept. */
  readonly size: number;
  readonly mode: number;
  readonly changedAt: SimTime;
}

/** Path -> node; null: a file of the image that was deleted. */
export type Layer = Record<string, FileNode | null>;

export interface Volume {
  kind: VolumeCommand['kind'];
  files: Layer;
  /** Disk blocks in use, as `du` counts them. */
  usedBytes: number;
}

export interface PortOwner {
  containerId: string;
  pid: number;
}

/** TCP ports that are listened on, by number. */
export type Ports = Record<string, PortOwner>;

export interface Sandbox {
  id: string;
  podUid: string;
  namespace: string;
  name: string;
  hostname: string;
  attempt: number;
  hostNetwork: boolean;
  sharedPids: boolean;
  ready: boolean;
  /** The network namespace is there: until the sandbox is stopped, also after its pause container died. */
  networked: boolean;
  ip: string;
  /** It is being made until then; nobody sees it before. */
  visibleAt: SimTime;
  createdAt: number;
  ports: Ports;
}

export interface ExecSession {
  callId: string;
  replyTo: string;
  purpose: 'probe' | 'hook' | 'user';
  stdout: string;
  stderr: string;
  steady: boolean;
  /** How long the runtime itself takes to enter the container. */
  overheadMs: number;
}

export interface ProcessRecord {
  pid: number;
  command: string;
  process: Process;
  memoryBytes: number;
  /** The timer that counts; an older one that rings is ignored. */
  wakeAt?: SimTime;
  exec?: ExecSession;
}

export interface Container {
  status: ContainerStatusRecord;
  config: Readonly<ContainerConfig>;
  stopSignal: SignalName;
  /** The main process first; empty when not running. */
  processes: ProcessRecord[];
  nextPid: number;
  layer: Layer;
  log: LogLine[];
  /** Output that has no line end yet. */
  partial: { stdout: string; stderr: string };
  /** Stop calls that wait for the end. */
  stopping: { callId: string; replyTo: string }[];
  killAt?: SimTime;
  /** Memory put on by a fault. */
  extraMemoryBytes: number;
  /** The instant of the last generation notice. */
  noticedAt: SimTime;
}

export interface PodRecord {
  /** In the order in which they were made. */
  sandboxes: string[];
  containers: string[];
  volumes: Record<string, Volume>;
  usageNoticedAt: SimTime;
}

export interface StoredImage {
  sizeBytes: number;
}

export interface PullFault {
  pull: 'fail' | 'slow';
  takes?: string;
}

/** All that a node's container runtime holds. Plain data. */
export interface RuntimeState {
  settings: RuntimeSettings;
  networkDown: boolean;
  /** Host part of the last pod address given out: addresses go round and are not reused soon. */
  lastAddress: number;
  sandboxes: Record<string, Sandbox>;
  containers: Record<string, Container>;
  pods: Record<string, PodRecord>;
  /** Live pod addresses -> sandbox. */
  addresses: Record<string, string>;
  hostPorts: Ports;
  /** Pulled since the start, by full name; null: taken off. */
  images: Record<string, StoredImage | null>;
  pullFaults: Record<string, PullFault>;
}

export function createRuntimeState(settings: RuntimeSettings): RuntimeState {
  return {
    settings, networkDown: false, lastAddress: 1,
    sandboxes: {}, containers: {}, pods: {}, addresses: {}, hostPorts: {}, images: {}, pullFaults: {},
  };
}

export const podRecord = (state: RuntimeState, podUid: string): PodRecord =>
  (state.pods[podUid] ??= { sandboxes: [], containers: [], volumes: {}, usageNoticedAt: -1 });

/** The address of a node. The recorded cluster: node-a 172.30.0.11, node-b 172.30.0.12. */
export function nodeAddress(index: number): string {
  const host = index + 11;
  return `172.30.${host >> 8}.${host & 255}`;
}

/** First three octets of a node's pod range, a /24. */
export const podNetwork = (index: number): string => `10.${244 + (index >> 8)}.${index & 255}`;

/** The index of the node in whose pod range an address lies. */
export function nodeIndexOf(address: string): number | undefined {
  const match = /^10\.(\d+)\.(\d+)\.\d+$/.exec(address);
  const high = match === null ? 0 : Number(match[1]);
  return match === null || high < 244 ? undefined : (high - 244) * 256 + Number(match[2]);
}

/** The sandbox that a pod's containers live in now. */
export function currentSandbox(state: RuntimeState, podUid: string): Sandbox | undefined {
  const id = state.pods[podUid]?.sandboxes.at(-1);
  return id === undefined ? undefined : state.sandboxes[id];
}
