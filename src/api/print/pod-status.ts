import type { Container, ContainerState, ContainerStateTerminated, ContainerStatus, Pod } from '../schema/types.ts';
import { parseRfc3339 } from '../../sim/time.ts';

/** How a status reads at a glance: the colour family that the page gives it. */
export type PodTone = 'pending' | 'starting' | 'ready' | 'not-ready' | 'back-off' | 'failed' | 'succeeded' | 'terminating' | 'unknown';

export interface PodDisplay {
  /** kubectl's STATUS column. A display text, not a phase. */
  status: string;
  ready: number;
  total: number;
  restarts: number;
  /** When a container last ended before a restart, milliseconds since the epoch. */
  lastRestartAt?: number;
  /** The init containers are not through. */
  initializing: boolean;
}

/** Upstream: pkg/printers/internalversion/printers.go printPod. Later findings override earlier ones; the order is the rule. */
export function displayStatus(pod: Pod): PodDisplay {
  const { status } = pod;
  const tally: Tally = { reason: statusBefore(pod), ready: 0, restarts: 0, lastRestartAt: undefined };
  const sidecars = (pod.spec.initContainers ?? []).filter(isSidecar);
  const sidecarNames = new Set(sidecars.map((container) => container.name));
  const init = countInit(pod, sidecarNames, tally);
  if (!init.initializing || conditionStatus(pod, 'Initialized') === 'True') {
    tally.restarts = init.sidecars.restarts;
    tally.lastRestartAt = init.sidecars.lastRestartAt;
    countContainers(pod, tally);
  }
  if (pod.metadata.deletionTimestamp !== undefined) {
    if (status.reason === 'NodeLost') tally.reason = 'Unknown';
    else if (!isTerminal(pod)) tally.reason = 'Terminating';
  }
  return {
    status: tally.reason,
    ready: tally.ready,
    total: pod.spec.containers.length + sidecars.length,
    restarts: tally.restarts,
    initializing: init.initializing,
    ...(tally.lastRestartAt === undefined ? {} : { lastRestartAt: tally.lastRestartAt }),
  };
}

export const isTerminal = (pod: Pod): boolean => pod.status.phase === 'Succeeded' || pod.status.phase === 'Failed';

export function conditionStatus(pod: Pod, type: string): string | undefined {
  return pod.status.conditions?.find((condition) => condition.type === type)?.status;
}

/** The tone of a pod as a whole. `display` saves counting twice. */
export function tone(pod: Pod, display: PodDisplay = displayStatus(pod)): PodTone {
  const { status } = display;
  if (status === 'Terminating') return 'terminating';
  if (pod.status.phase === 'Succeeded') return 'succeeded';
  if (pod.status.phase === 'Failed') return 'failed';
  if (status === 'Unknown' || pod.status.reason === 'NodeLost') return 'unknown';
  const word = status.slice(status.lastIndexOf(':') + 1);
  if (word.endsWith('BackOff')) return 'back-off';
  if (status === 'Running') return runningTone(pod);
  if (status === 'NotReady') return 'not-ready';
  if (status === 'Completed') return 'succeeded';
  if (pod.spec.nodeName === undefined) return 'pending';
  return startingWords.has(word) || /^Init:\d+\/\d+$/.test(status) ? 'starting' : 'failed';
}

/** The tone of one container: its state, and whether it is ready. */
export function containerTone(status: ContainerStatus | undefined): PodTone {
  const state = status?.state;
  if (state?.running !== undefined) return status?.ready === true ? 'ready' : 'not-ready';
  if (state?.terminated !== undefined) return state.terminated.exitCode === 0 ? 'succeeded' : 'failed';
  const word = state?.waiting?.reason ?? '';
  if (word.endsWith('BackOff')) return 'back-off';
  return word === '' ? 'pending' : startingWords.has(word) ? 'starting' : 'failed';
}

/** Reasons that say that work goes on, not that something is wrong. */
const startingWords: ReadonlySet<string> = new Set(['ContainerCreating', 'PodInitializing', 'Pending', '']);

function runningTone(pod: Pod): PodTone {
  const ready = pod.status.conditions?.find((condition) => condition.type === 'Ready');
  if (ready?.status === 'True') return 'ready';
  if (ready?.status === 'Unknown') return 'unknown';
  return 'not-ready';
}

interface Tally {
  reason: string;
  ready: number;
  restarts: number;
  lastRestartAt: number | undefined;
}

const isSidecar = (container: Container): boolean => container.restartPolicy === 'Always';

function statusBefore(pod: Pod): string {
  const gated = pod.status.conditions?.some(({ type, reason }) => type === 'PodScheduled' && reason === 'SchedulingGated');
  return gated === true ? 'SchedulingGated' : pod.status.reason || (pod.status.phase ?? '');
}

function addRestarts(tally: { restarts: number; lastRestartAt: number | undefined }, status: ContainerStatus): void {
  tally.restarts += status.restartCount ?? 0;
  const finishedAt = status.lastState?.terminated?.finishedAt;
  const at = finishedAt === undefined || finishedAt === null ? undefined : parseRfc3339(finishedAt);
  if (at !== undefined && (tally.lastRestartAt === undefined || tally.lastRestartAt < at)) tally.lastRestartAt = at;
}

/** The first init container that is neither done nor a started sidecar decides; nothing after it is looked at. */
function countInit(pod: Pod, sidecarNames: ReadonlySet<string>, tally: Tally) {
  const sidecars = { restarts: 0, lastRestartAt: undefined as number | undefined };
  const total = pod.spec.initContainers?.length ?? 0;
  for (const [index, status] of (pod.status.initContainerStatuses ?? []).entries()) {
    addRestarts(tally, status);
    const sidecar = sidecarNames.has(status.name);
    if (sidecar) addRestarts(sidecars, status);
    if (status.state?.terminated?.exitCode === 0) continue;
    if (sidecar && status.started === true) {
      if (status.ready) tally.ready++;
      continue;
    }
    tally.reason = `Init:${initReason(status.state ?? {}) ?? `${index}/${total}`}`;
    return { initializing: true, sidecars };
  }
  return { initializing: false, sidecars };
}

function initReason({ terminated, waiting }: ContainerState): string | undefined {
  if (terminated !== undefined) return exitReason(terminated);
  return waiting?.reason === 'PodInitializing' ? undefined : waiting?.reason || undefined;
}

function exitReason({ reason, signal, exitCode }: ContainerStateTerminated): string {
  if (reason !== undefined && reason !== '') return reason;
  return signal !== undefined && signal !== 0 ? `Signal:${signal}` : `ExitCode:${exitCode}`;
}

/** Last to first, each finding overwriting the one before: container 0 wins. */
function countContainers(pod: Pod, tally: Tally): void {
  const statuses = pod.status.containerStatuses ?? [];
  let running = false;
  let error: string | undefined;
  for (let i = statuses.length - 1; i >= 0; i--) {
    const status = statuses[i] as ContainerStatus;
    addRestarts(tally, status);
    const { waiting, terminated, running: runs } = status.state ?? {};
    if (waiting?.reason !== undefined && waiting.reason !== '') tally.reason = waiting.reason;
    else if (terminated !== undefined) {
      tally.reason = exitReason(terminated);
      if (terminated.exitCode !== 0) error = tally.reason;
    } else if (status.ready && runs !== undefined) {
      running = true;
      tally.ready++;
    }
  }
  if (tally.reason !== 'Completed') return;
  if (running && conditionStatus(pod, 'Ready') === 'True') tally.reason = 'Running';
  else tally.reason = error ?? (running ? 'NotReady' : 'Completed');
}
