/** Facts that components tell the film beyond what the API shows. Everything else on screen is read from the store's versions. */
export interface Notes {
  /** One run of a probe. `run` of `threshold` alike results in a row; `crosses`: this one changed the published result. */
  'probe-result': {
    podUid: string; container: string; probe: ProbeType; outcome: 'success' | 'failure' | 'timeout' | 'unknown' | 'warning';
    run: number; threshold: number; crosses: boolean; message: string; startedAt: number;
  };
  /** From `firstAt` on the probe succeeds every periodMs, until a 'probe-series-end' or any later 'probe-result' of the same probe. */
  'probe-series': { podUid: string; container: string; probe: ProbeType; firstAt: number; periodMs: number };
  /** No run of the series at or after this time. */
  'probe-series-end': { podUid: string; container: string; probe: ProbeType; before: number };
  'hook': { podUid: string; container: string; hook: 'postStart' | 'preStop'; handler: 'exec' | 'httpGet' | 'sleep' | 'tcpSocket'; phase: 'started' | 'finished' | 'failed' | 'abandoned'; message?: string };
  'signal': { podUid: string; container: string; signal: string; /** What happens if it stays: SIGKILL at. */ killAt?: number };
  /** The pod's grace period began. */
  'grace': { podUid: string; seconds: number; endsAt: number };
  'pull': { podUid?: string; container?: string; image: string; phase: 'queued' | 'started' | 'finished' | 'failed'; sizeBytes?: number; expectedMs?: number; message?: string };
  'volume': { podUid: string; volume: string; kind: string; phase: 'mounting' | 'mounted' | 'failed' | 'unmounted'; message?: string };
  /** Steps of a pod's start and end on the node that the API does not show. */
  'pod-step': { podUid: string; step: 'seen' | 'admitted' | 'data-directories' | 'volumes' | 'pull-secrets' | 'sandbox-creating' | 'sandbox-ready' | 'sandbox-stopped' | 'terminating' | 'terminated' | 'cleaned'; detail?: string };
  'container-step': { podUid: string; container: string; step: 'created' | 'started' | 'exited' | 'killed' | 'oom-killed' | 'removed'; exitCode?: number; reason?: string; containerId?: string };
  'back-off': { podUid: string; container: string; of: 'crash' | 'image'; windowMs: number; retryAt: number };
  /** One decision of the scheduler. */
  'scheduling': SchedulingDecision;
  /** A guess of ours about what an image does; the page says so. */
  'assumption': { podUid: string; container: string; text: string };
  /** A field that was accepted and is not simulated. */
  'not-simulated': { object: string; field: string };
  /** Traffic: one request of a client, or `count` alike ones in this moment. */
  'request': { client: string; service: string; podUid?: string; outcome: 'ok' | 'refused' | 'timeout' | 'reset' | 'error'; status?: number; tookMs: number; count: number };
  /** What a user did, or a fault that began or ended. */
  'input': { summary: string; input: unknown };
  /** A kubectl line's output. */
  'kubectl': { line: string; stdout: string; stderr: string; exit: number | null; step?: number; startedAt: number };
}

export type ProbeType = 'startup' | 'liveness' | 'readiness';

export interface SchedulingDecision {
  podUid: string;
  outcome: 'bound' | 'unschedulable' | 'gated' | 'error';
  node?: string;
  message?: string;
  /** Per node: the first filter that said no, with its reason, or the scores by plugin (weighted) and their total. */
  nodes: { node: string; filter?: string; reason?: string; scores?: Record<string, number>; total?: number }[];
  /** Nodes that shared the largest total: the dice chose among them. */
  tied?: string[];
}

export type NoteKind = keyof Notes;
export type Note<K extends NoteKind> = Notes[K];
