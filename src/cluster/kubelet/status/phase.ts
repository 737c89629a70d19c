import type { ContainerStatus, Pod } from '../../../api/schema/types.ts';
import { isSidecar } from '../pod-spec.ts';
import { mayRestart } from '../restart.ts';

export interface PhaseInput {
  pod: Pod;
  init: readonly ContainerStatus[];
  apps: readonly ContainerStatus[];
  /** The kill is finished: nothing runs any more. */
  terminal: boolean;
  /** A regular container exists in the current sandbox. */
  appCreated: boolean;
}

interface Tally {
  pendingInit: number;
  failedInitFinal: number;
  pendingSidecar: number;
  unknown: number;
  running: number;
  waiting: number;
  stopped: number;
  succeeded: number;
  final: number;
}

/** Upstream: pkg/kubelet/kubelet_pods.go getPhase. */
export function podPhase({ pod, init, apps, terminal, appCreated }: PhaseInput): string {
  const tally: Tally = { pendingInit: 0, failedInitFinal: 0, pendingSidecar: 0, unknown: 0, running: 0, waiting: 0, stopped: 0, succeeded: 0, final: 0 };
  for (const container of pod.spec.initContainers ?? []) {
    const status = init.find((item) => item.name === container.name);
    if (isSidecar(container)) countSidecar(status, tally);
    else countInit(status, tally, (code) => mayRestart(container, pod, code));
  }
  for (const container of pod.spec.containers) {
    countApp(apps.find((item) => item.name === container.name), tally, (code) => mayRestart(container, pod, code));
  }
  return decide(tally, terminal, appCreated);
}

type CanRestart = (exitCode: number) => boolean;

function countInit(status: ContainerStatus | undefined, tally: Tally, canRestart: CanRestart): void {
  const exit = status?.state?.terminated ?? (status?.state?.waiting === undefined ? undefined : status.lastState?.terminated);
  if (exit === undefined) tally.pendingInit++;
  else if (exit.exitCode !== 0 && !canRestart(exit.exitCode) && exit.reason !== 'RestartingAllContainers') tally.failedInitFinal++;
}

function countSidecar(status: ContainerStatus | undefined, tally: Tally): void {
  if (status === undefined) tally.unknown++;
  else if (status.state?.running !== undefined) {
    // `started` is filled in only after the phase was decided: a running sidecar always counts as pending here (recorded 265).
    tally.pendingSidecar++;
    tally.running++;
  } else if (status.state?.terminated === undefined && status.lastState?.terminated === undefined) {
    tally.pendingSidecar++;
    tally.waiting++;
  }
}

function countApp(status: ContainerStatus | undefined, tally: Tally, canRestart: CanRestart): void {
  const exited = status?.state?.terminated;
  if (status === undefined) tally.unknown++;
  else if (status.state?.running !== undefined) tally.running++;
  else if (exited !== undefined || status.lastState?.terminated !== undefined) {
    tally.stopped++;
    const last = exited ?? status.lastState?.terminated;
    const code = last?.exitCode ?? 0;
    if (exited !== undefined && code === 0) tally.succeeded++;
    if (!canRestart(code) && last?.reason !== 'RestartingAllContainers') tally.final++;
  } else tally.waiting++;
}

function decide(tally: Tally, terminal: boolean, appCreated: boolean): string {
  const { running, stopped, succeeded, unknown } = tally;
  if (tally.failedInitFinal > 0) return 'Failed';
  if (tally.pendingInit > 0 || (tally.pendingSidecar > 0 && !appCreated)) return 'Pending';
  if (tally.waiting > 0) return 'Pending';
  if (running > 0 && unknown === 0) return 'Running';
  if (running > 0 || stopped === 0 || unknown > 0) return 'Pending';
  if (!terminal && tally.final < stopped) return 'Running';
  return stopped === succeeded ? 'Succeeded' : 'Failed';
}
