import type { HttpAnswer } from '../network.ts';

/**
 * The Container Runtime Interface, as types. Calls that take time are events of kind 'cri' to the actor 'container-runtime/NODE' with payload
 * CriCall; the answer comes as an event of kind 'cri-reply' to 'kubelet/NODE' with payload CriReply and the same id.
 * What the kubelet reads at one instant (status lists, sockets) it asks of RuntimeView directly.
 */
export interface CriCall {
  id: string;
  call: CriRequest;
  /** Who gets the reply; default: the kubelet of the node. */
  replyTo?: string;
}

export type CriRequest =
  | { op: 'run-sandbox'; podUid: string; namespace: string; name: string; attempt: number; hostNetwork: boolean; hostname: string; shareProcessNamespace: boolean }
  | { op: 'stop-sandbox'; sandboxId: string }
  | { op: 'remove-sandbox'; sandboxId: string }
  /** credentials: registry hosts or repositories that the pod's pull secrets open. podUid, container: whose pull it is, for the film. */
  | { op: 'pull-image'; image: string; credentials: string[]; podUid?: string; container?: string }
  | { op: 'create-container'; sandboxId: string; config: ContainerConfig }
  | { op: 'start-container'; containerId: string }
  | { op: 'stop-container'; containerId: string; graceMs: number }
  | { op: 'remove-container'; containerId: string }
  /** timeoutMs 0: none. `purpose` names the caller for the film. */
  | { op: 'exec'; containerId: string; command: string[]; timeoutMs: number; purpose: 'probe' | 'hook' | 'user' };

export interface CriReply {
  id: string;
  op: CriRequest['op'];
  result:
    | { ok: true; sandboxId?: string; ip?: string; containerId?: string; imageRef?: string; sizeBytes?: number; tookMs?: number; exec?: ExecResult }
    /** `error` is the text that the kubelet shows (rpc prefix included where the real one has it). */
    | { ok: false; error: string; exec?: ExecResult };
}

export interface ExecResult {
  exitCode: number;
  stdout: string;
  stderr: string;
  timedOut: boolean;
  /** It read only this container's files and processes: it will say the same until the container's generation changes. */
  steady: boolean;
}

export interface ContainerMount {
  mountPath: string;
  /** Which volume of the pod, by spec name; files live in the runtime under podUid + volume. */
  volume: string;
  subPath?: string;
  readOnly: boolean;
}

export interface ContainerConfig {
  name: string;
  kind: 'init' | 'sidecar' | 'app' | 'ephemeral';
  /** Becomes restartCount. */
  attempt: number;
  image: string;
  command?: string[];
  args?: string[];
  workingDir?: string;
  env: { name: string; value: string }[];
  mounts: ContainerMount[];
  /** Declared ports: what a generic server listens on. */
  ports: { name?: string; containerPort: number; protocol: string }[];
  memoryLimitBytes?: number;
  memoryRequestBytes?: number;
  cpuLimitMilli?: number;
  readOnlyRootFilesystem: boolean;
  terminationMessagePath: string;
  terminationMessagePolicy: 'File' | 'FallbackToLogsOnError';
  runAsUser?: number;
  hostAliases: { ip: string; hostnames: string[] }[];
  dns: { searches: string[]; ndots: number };
  /** Text of the annotation kubelapse.dev/behavior.<container>, if any. */
  behavior?: string;
  stdin?: boolean;
  tty?: boolean;
}

export interface SandboxStatus {
  id: string;
  podUid: string;
  attempt: number;
  state: 'ready' | 'not-ready';
  ip: string | undefined;
  /** Epoch milliseconds. */
  createdAt: number;
}

export interface ContainerStatusRecord {
  /** 64 hex digits, without 'containerd://'. */
  id: string;
  sandboxId: string;
  podUid: string;
  name: string;
  kind: ContainerConfig['kind'];
  attempt: number;
  state: 'created' | 'running' | 'exited' | 'unknown';
  /** Image as the runtime names it: 'docker.io/library/nginx:1.27', and its digest reference. */
  image: string;
  imageRef: string;
  createdAt: number;
  /** Epoch milliseconds; 0 when it never ran. */
  startedAt: number;
  finishedAt: number;
  exitCode: number;
  /** Completed, Error, OOMKilled, StartError, Unknown. */
  reason: string;
  /** Runtime error and/or termination message, already limited. */
  message: string;
  /** Rises whenever something changes that a probe or exec could notice: files, listeners, processes. */
  generation: number;
  user?: { uid: number; gid: number; supplementalGroups: number[] };
}

export interface VolumeFile {
  path: string;
  content: string;
  mode: number;
}

/** What the kubelet can see at this instant on its node. */
export interface RuntimeView {
  /** Newest first. */
  sandboxes(podUid: string): SandboxStatus[];
  /** Newest first, all names. */
  containers(podUid: string): ContainerStatusRecord[];
  podUids(): string[];
  imagePresent(image: string): { present: boolean; imageRef?: string; sizeBytes?: number; user?: number; invalid?: string };
  /** A TCP connect and an HTTP request from the node to an address, for probes and hooks. */
  connect(address: string, port: number): { ok: boolean; error?: 'refused' | 'timeout' | 'unreachable'; latencyMs: number; steadyUntil?: number };
  http(request: { method: string; scheme: 'http' | 'https'; address: string; port: number; path: string; headers?: Record<string, string> }): HttpAnswer;
  /** gRPC health: NOT_SERVING, SERVING, unimplemented (no health service), refused, timeout. */
  grpcHealth(address: string, port: number, service: string): { outcome: 'SERVING' | 'NOT_SERVING' | 'unimplemented' | 'refused' | 'timeout'; latencyMs: number; steadyUntil?: number };
  /** Bytes that a pod's emptyDir or writable layers hold. */
  volumeUsage(podUid: string, volume: string): number;
  /** Current memory of a container, bytes. */
  memoryUsage(containerId: string): number;
  logs(containerId: string): readonly LogLine[];
}

export interface LogLine {
  /** Epoch milliseconds. */
  at: number;
  stream: 'stdout' | 'stderr';
  text: string;
}

/** Sent by the kubelet as event kind 'volume' to the runtime: files of a mounted volume are put in place, or the volume is taken down. */
export interface VolumeCommand {
  podUid: string;
  volume: string;
  /** undefined: remove it. */
  files: VolumeFile[] | undefined;
  kind: 'emptyDir' | 'configMap' | 'secret' | 'projected' | 'downwardAPI' | 'hostPath' | 'persistentVolumeClaim' | 'other';
}

/**
 * Sent by the runtime to its kubelet as event kind 'runtime-changed' the moment something changes that a relist, a probe or the statistics would
 * notice. The kubelet computes when its own loops would have seen it (lazy PLEG): nothing is polled.
 */
export interface RuntimeChanged {
  podUid: string;
  containerId?: string;
  what: 'container-started' | 'container-exited' | 'sandbox' | 'generation' | 'removed' | 'usage';
}
