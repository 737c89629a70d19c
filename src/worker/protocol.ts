import type { Problem } from '../api/problem.ts';
import type { ApiObject, ResourceName } from '../api/resources.ts';
import type { SchedulingDecision, ProbeType } from '../cluster/notes.ts';
import type { Input } from '../scenarios/schema.ts';
import type { SimTime } from '../sim/time.ts';

/** Every message between the page and the engine's worker. Types only. */

/** What a link carries, less the view: enough to make the film again. */
export interface SessionSource {
  /** Text of scenario.yaml (without inputs of the user). */
  scenario: string;
  seed: number;
  inputs: Input[];
}

export type ToWorker =
  /** A new film. Answer: `film` messages. */
  | { type: 'load'; source: SessionSource; /** Simulate at least up to here. */ runTo: SimTime }
  /** Simulate on, up to here (the page asks as its cursor moves). */
  | { type: 'run'; runTo: SimTime }
  /** A user's act at a time: in the past of the newest input it forks (a new branch); what was simulated after it is dropped. */
  | { type: 'input'; id: number; input: Input }
  | { type: 'switch-branch'; branch: number; runTo: SimTime }
  | { type: 'ask'; id: number; question: Question };

/** Questions with one answer each, all about a moment `at`. */
export type Question =
  | { about: 'object'; resource: ResourceName; namespace: string; name: string; at: SimTime }
  | { about: 'objects'; resource: ResourceName; namespace?: string; at: SimTime }
  /** The moments at which an object changed. */
  | { about: 'changes'; resource: ResourceName; namespace: string; name: string }
  | { about: 'logs'; podUid: string; container: string; at: SimTime; previous: boolean; tail: number }
  /** `until`: a command that waits (get -w, logs -f, wait) goes on up to there; all that it printed since `at` is the answer. */
  | { about: 'kubectl'; line: string; at: SimTime; until?: SimTime; stdin?: string; files?: Record<string, string> }
  /** How a fact came about: the lane and the moment of a span or mark. */
  | { about: 'why'; lane: string; at: SimTime }
  | { about: 'decision'; podUid: string; at: SimTime }
  /** What the components said to each other in a window of time; if there are more than `limit`, those nearest to `around`. */
  | { about: 'messages'; podUid?: string; from: SimTime; until: SimTime; around: SimTime; limit: number; leases: boolean; events: boolean }
  /** What the API server would say to this text (server dry run), for marks in the editor. */
  | { about: 'check'; text: string; at: SimTime };

export interface Answers {
  object: { object: ApiObject | null };
  objects: { objects: ApiObject[] };
  changes: { at: SimTime[] };
  logs: { lines: { at: SimTime; stream: 'stdout' | 'stderr'; text: string }[] };
  /** `waiting`: it has not ended yet. */
  kubectl: { stdout: string; stderr: string; exit: number; waiting?: boolean };
  why: { chain: WhyStep[] };
  decision: { decision: SchedulingDecision | null; at: SimTime };
  /** By time sent. `total`: how many there are in all; `beginAt`: before it they are no longer known. */
  messages: { messages: Message[]; total: number; beginAt: SimTime };
  check: { problems: Problem[] };
}

/** One message between two actors ('user', 'kube-apiserver', 'etcd', 'kube-scheduler', 'kubelet/node-a', 'container-runtime/node-a', ...). */
export interface Message {
  /** The same for the same message as long as the past does not change. */
  id: string;
  kind: 'command' | 'request' | 'response' | 'watch' | 'list' | 'put' | 'cri' | 'cri-reply';
  from: string;
  to: string;
  sentAt: SimTime;
  receivedAt: SimTime;
  /** A verb of the API, ADDED and the like for watches, an operation of the runtime, 'put' or 'delete' for etcd. */
  verb: string;
  resource?: ResourceName;
  subresource?: string;
  namespace?: string;
  name?: string;
  podUid?: string;
  /** That the write made, or that the watch event carries. */
  revision?: number;
  /** HTTP status, or the exit code of a command; for the runtime 0 or 1. Absent if the sender does not wait for it or it is not there yet. */
  code?: number;
  /** A command line, the reason of an Event, the fields that a change touched, an error. */
  detail?: string;
  /** The id of the request or call that this answers. */
  answers?: string;
}

/** One link of a causal chain, oldest first. The page makes the words from `fact` and `values`. */
export interface WhyStep {
  at: SimTime;
  actor: string;
  fact: string;
  values: Record<string, string | number | boolean>;
  lane?: string;
}

export type FromWorker =
  | { type: 'film'; delta: FilmDelta }
  | { type: 'answer'; id: number; answer: Answers[keyof Answers] | { error: string } }
  /** The result of an input: what kubectl printed. */
  | { type: 'input-result'; id: number; branch: number; stdout: string; stderr: string; exit: number | null }
  /** A bug of ours: the text, and the source that reproduces it. */
  | { type: 'bug'; message: string; source: SessionSource };

/** Growth of the film. Applied in order; columns of equal length. */
export interface FilmDelta {
  branch: number;
  /** Forget everything at or after this time first (0: all). */
  truncateFrom?: SimTime;
  /** Simulated up to here. */
  head: SimTime;
  /** Nothing more will happen by itself before this time (undefined: never). */
  nextEventAt?: SimTime;
  epochMs: number;
  untilMs: SimTime;
  title: string;
  seed: number;
  lanes: Lane[];
  /** New entries of the value table that spans and marks point into (index = position in the whole table). */
  values: LaneValue[];
  /** A span lasts until the next one on its lane. value -1: nothing from here on. */
  spans: { lane: number[]; at: SimTime[]; value: number[] };
  marks: { lane: number[]; at: SimTime[]; value: number[] };
  branches: { id: number; name: string; forkedFrom?: number; forkAt: SimTime; inputs: Input[] }[];
}

/**
 * A lane: one visible aspect of one subject over time. `id` is a stable text ('pod/UID', 'container/UID/app', 'probe/UID/app/liveness',
 * 'condition/UID/Ready', 'node/node-a', 'service/default/web', 'workload/deployments.apps/default/web', 'events/UID', 'inputs', 'requests/NAME').
 */
export interface Lane {
  index: number;
  id: string;
  kind: LaneKind;
  /** What it is called: pod name, container name, condition type, ... */
  label: string;
  namespace?: string;
  /** The pod that it belongs to. */
  podUid?: string;
  container?: string;
  /** Containers: in start order. */
  order?: number;
  probe?: ProbeType;
  /** Owner chain by name, nearest first: ['ReplicaSet/web-5d4', 'Deployment/web']. */
  owners?: string[];
}

export type LaneKind =
  | 'pod' | 'container' | 'probe' | 'condition' | 'events' | 'signals' | 'node' | 'service' | 'workload' | 'inputs' | 'requests' | 'steps';

/** State words of the film, each with its own hue, glyph and pattern (UX.md 4). */
export type Tone = 'pending' | 'starting' | 'ready' | 'not-ready' | 'back-off' | 'failed' | 'succeeded' | 'terminating' | 'unknown';

export type LaneValue =
  | PodValue | ContainerValue | ConditionValue | NodeValue | ServiceValue | WorkloadValue
  | ProbeMark | ProbeSeries | EventMark | SignalMark | InputMark | RequestMark | StepMark;

export interface PodValue {
  kind: 'pod';
  /** As kubectl's STATUS column. */
  status: string;
  tone: Tone;
  phase: string;
  ready: number;
  total: number;
  restarts: number;
  node?: string;
  ip?: string;
  /** metadata.deletionTimestamp as simulated time. */
  deadlineAt?: SimTime;
  /** Why it is not scheduled, from the PodScheduled condition. */
  message?: string;
}

export interface ContainerValue {
  kind: 'container';
  role: 'pause' | 'init' | 'sidecar' | 'app' | 'ephemeral';
  state: 'waiting' | 'running' | 'terminated';
  tone: Tone;
  reason?: string;
  message?: string;
  exitCode?: number;
  signal?: number;
  ready: boolean;
  started: boolean;
  restarts: number;
  image: string;
  /** In a back-off: the next try is due at. */
  retryAt?: SimTime;
  /** The length of that back-off. */
  backOffMs?: number;
}

export interface ConditionValue { kind: 'condition'; status: 'True' | 'False' | 'Unknown'; reason?: string; message?: string }

export interface NodeValue {
  kind: 'node';
  ready: 'True' | 'False' | 'Unknown';
  schedulable: boolean;
  taints: string[];
  pressures: string[];
  cpuMilli: number;
  cpuRequestedMilli: number;
  memoryBytes: number;
  memoryRequestedBytes: number;
  pods: number;
  podCapacity: number;
  /** The kubelet runs and reaches the API server. */
  alive: boolean;
}

export interface ServiceValue {
  kind: 'service';
  type: string;
  clusterIP: string;
  ports: string[];
  endpoints: { podUid: string; podName: string; address: string; ready: boolean; serving: boolean; terminating: boolean }[];
}

export interface WorkloadValue { kind: 'workload'; resource: ResourceName; desired: number; current: number; updated: number; ready: number; available: number; revision?: string }

export interface ProbeMark { kind: 'probe'; outcome: 'success' | 'failure' | 'timeout' | 'unknown' | 'warning'; run: number; threshold: number; crosses: boolean; message: string; tookMs: number }
/** As a span on a probe lane: a success every periodMs from the span's start until the next span. */
export interface ProbeSeries { kind: 'probe-series'; periodMs: number }
export interface EventMark { kind: 'event'; type: 'Normal' | 'Warning'; reason: string; message: string; count: number; source: string; object: string; fieldPath?: string }
export interface SignalMark { kind: 'signal'; signal: string; container: string; phase?: string; killAt?: SimTime; message?: string }
export interface InputMark { kind: 'input'; summary: string; exit?: number | null; stdout?: string; stderr?: string; input: Input | null }
export interface RequestMark { kind: 'request'; ok: number; failed: number; podUid?: string; outcome: string }
export interface StepMark { kind: 'step'; step: string; detail?: string; container?: string }

export type { Problem };
