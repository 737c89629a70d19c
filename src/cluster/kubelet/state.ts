import type { Pod, PodStatus, ResourceRequirements } from '../../api/schema/types.ts';
import type { SimTime } from '../../sim/time.ts';
import type { Context, EventInput } from '../component.ts';
import type { ProbeType } from '../notes.ts';
import type { ContainerStatusRecord, CriReply, SandboxStatus } from './cri.ts';
import type { KubeletOptions } from './options.ts';

/** What every function of the kubelet works on. */
export interface Env {
  state: KubeletState;
  ctx: Context;
  node: KubeletOptions;
}

/** Plain data throughout. */
export interface KubeletState {
  pods: Record<string, PodWorker>;
  /** How many they are. */
  podCount: number;
  /** Offsets of the loops within their second: relist and sync ticker. */
  relistPhase: number;
  syncPhase: number;
  /** How long after a pod came its volumes are first measured. */
  measurePhase: number;
  startedAt: SimTime;
  /** Pods in which the runtime changed since the last relist, and when first. */
  dirty: Record<string, SimTime>;
  /** Workers that wait for the next relist. */
  waiting: string[];
  statusQueue: string[];
  /** The pod whose status is being written. */
  writing?: string;
  pulls: PullRequest[];
  nextId: number;
  /** About: containers that ended are counted until their pod changes. */
  memoryInUse: number;
  stopped: boolean;
  cutOff: boolean;
  /** Sandboxes of pods that are gone, to be removed at the next garbage collection. */
  garbage: string[];
  /** What came while the kubelet was stopped. */
  missed: { kind: string; payload: unknown }[];
  /** Events that wait for the network. */
  heldEvents: EventInput[];
  nodeLoop: NodeLoop;
}

export interface NodeLoop {
  cordoned: boolean;
  pressure: { since: SimTime; lastSeen: SimTime } | null;
  lastReportAt: SimTime;
}

export type Work = 'sync' | 'terminating' | 'terminated';

/** One pod on this node. Upstream: pkg/kubelet/pod_workers.go podSyncStatus plus what the managers keep by UID. */
export interface PodWorker {
  uid: string;
  pod: Pod;
  seenAt: SimTime;
  memoryBytes: number;
  /** The object is gone from the API. */
  gone: boolean;
  /** Refused at admission: never started. */
  rejected: boolean;
  work: Work;
  stage: 'idle' | 'waiting' | 'running' | 'finished';
  /** An update came while the worker was busy. */
  pending: boolean;
  /** Its pod was looked at after the last sync: no need to wait for the next relist. */
  relisted: boolean;
  /** -1: never synced. */
  lastSyncEnd: SimTime;
  run?: Run;
  snapshot: Snapshot;
  /** Kept when the sandbox stops. */
  podIP: string;
  /** The status manager's copy. */
  status?: PodStatus;
  /** Why a container could not be started, as last tried. */
  reasons: Record<string, { reason: string; message: string }>;
  crash: Record<string, BackOff>;
  imageBackOff: Record<string, BackOff & { error: string }>;
  volumes: Record<string, VolumeState>;
  volumesReady: boolean;
  probes: Record<string, ProbeWorker>;
  /** Effective grace in seconds, once terminating. */
  graceSeconds?: number;
  verdict?: Verdict;
  /** By container id: the image in the spec that it was made from. */
  specImages: Record<string, string>;
  /** The last run's end was written with everything down. */
  final: boolean;
  steps: { directories: boolean; volumes: boolean };
  /** By container name: the resources that are really set. */
  actual: Record<string, ResourceRequirements>;
  /** The generation of the spec that was looked at for a resize. */
  consideredGeneration?: number;
  resizing?: { generation: number; at: string };
  resizePending?: { generation: number; reason: string; message: string; at: string };
  /** RestartAllContainers: containers are being taken away, then the next status tells that they were. */
  restartingAll: 'no' | 'removing' | 'removed';
}

/** Why the kubelet itself ends a pod: becomes its phase, reason and message. */
export interface Verdict {
  phase: 'Failed';
  reason: string;
  message: string;
  disruption: boolean;
  graceSeconds?: number;
}

export interface BackOff {
  windowMs: number;
  updatedAt: SimTime;
  /** What the entry is for besides its key: image and resources. */
  subject: string;
}

export interface Snapshot {
  sandboxes: SandboxStatus[];
  /** Newest first. */
  containers: KnownContainer[];
}

/** With the image as the pod wrote it when the container was created: a later change of the spec shows against it. */
export type KnownContainer = ContainerStatusRecord & { specImage?: string };

export interface VolumeState {
  stage: 'mounting' | 'mounted';
  dueAt: SimTime;
  attempts: number;
  /** Sources as of the last mount: a later change is brought over by a sync. */
  version: string;
}

export interface PullRequest {
  /** What its container's step waits for. */
  id: string;
  uid: string;
  container: string;
  image: string;
  credentials: string[];
  queuedAt: SimTime;
  callId?: string;
}

/** A pass of the worker: steps done one after another. */
export interface Run {
  kind: Work;
  startedAt: SimTime;
  steps: Step[];
  /** The CRI call or timer that the first step waits for. */
  waitsFor?: string;
  reply?: CriReply;
  actions: number;
  /** The soonest retry that an error names (a crash back-off), else an ordinary error. */
  failed: boolean;
  retryAt?: SimTime;
  kills: Record<string, Kill>;
  /** Made in this pass. */
  sandboxId?: string;
}

export interface Step {
  do: StepName;
  stage: string;
  container?: string;
  kind?: ContainerStatusRecord['kind'];
  containerId?: string;
  attempt?: number;
  sandboxId?: string;
  imageRef?: string;
  targets?: KillTarget[];
  text?: string;
}

export type StepName =
  | 'volumes' | 'prepare' | 'actions' | 'sandbox' | 'start' | 'kill' | 'stop-sandboxes' | 'remove-containers' | 'resize'
  | 'terminating-end' | 'unmount' | 'terminated-end';

export interface KillTarget {
  containerId: string;
  name: string;
  message: string;
  /** Overrides what the pod says. */
  graceSeconds?: number;
  probe?: ProbeType;
}

/** One container on its way down. */
export interface Kill extends KillTarget {
  stage: 'hook' | 'order' | 'stopping' | 'done';
  graceMs: number;
  startedAt: SimTime;
  /** Names of containers that must be down first. */
  after: string[];
}

export interface ProbeWorker {
  container: string;
  probe: ProbeType;
  periodMs: number;
  /** A tick is at tickAt + k * periodMs. */
  tickAt: SimTime;
  /** The tick that is in the queue. */
  dueAt?: SimTime;
  containerId: string;
  /** Published result for containerId. */
  result: 'success' | 'failure' | 'unknown';
  lastOutcome: 'success' | 'failure' | 'none';
  run: number;
  onHold: boolean;
  /** Between the tick and the answer: when it began. */
  inFlight?: { id: string; startedAt: SimTime };
  /** Published results that the pod's worker has yet to hear of. */
  news: number;
  /** A trigger or a tick came meanwhile. */
  triggered: boolean;
  /** Steady: no tick is queued until something changes. */
  series: boolean;
  /** Fault input: what the probe answers instead of asking. */
  forced?: 'fail' | 'timeout';
}

export const worker = (env: Env, uid: string): PodWorker | undefined => env.state.pods[uid];

export const createWorker = (pod: Pod, seenAt: SimTime): PodWorker => ({
  uid: pod.metadata.uid,
  pod,
  seenAt,
  memoryBytes: 0,
  gone: false,
  rejected: false,
  work: 'sync',
  stage: 'idle',
  pending: false,
  relisted: false,
  lastSyncEnd: -1,
  snapshot: { sandboxes: [], containers: [] },
  podIP: '',
  reasons: {},
  crash: {},
  imageBackOff: {},
  volumes: {},
  volumesReady: false,
  probes: {},
  specImages: {},
  final: false,
  steps: { directories: false, volumes: false },
  actual: {},
  restartingAll: 'no',
});
