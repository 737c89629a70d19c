import type { ContainerStatus } from '../../../api/schema/types.ts';
import type { ProbeType } from '../../notes.ts';
import { isSidecar } from '../pod-spec.ts';
import type { PodWorker, ProbeWorker } from '../state.ts';

export const probeKey = (container: string, probe: ProbeType): string => `${container} ${probe}`;

export const probeOf = (worker: PodWorker, container: string, probe: ProbeType): ProbeWorker | undefined => worker.probes[probeKey(container, probe)];

/** The published result of a container's probe; undefined: none for this container id. */
export function verdictOf(worker: PodWorker, container: string, containerId: string, probe: ProbeType): ProbeWorker['result'] | undefined {
  const prober = probeOf(worker, container, probe);
  return prober?.containerId === containerId ? prober.result : undefined;
}

/** Sets `started` and `ready`. Upstream: pkg/kubelet/prober/prober_manager.go UpdatePodStatus. */
export function applyProbeResults(worker: PodWorker, init: ContainerStatus[], apps: ContainerStatus[]): void {
  for (const status of apps) applyTo(worker, status);
  for (const status of init) {
    const container = worker.pod.spec.initContainers?.find((item) => item.name === status.name);
    if (container !== undefined && isSidecar(container)) applyTo(worker, status);
    else {
      status.started = status.state?.running !== undefined;
      status.ready = status.state?.terminated?.exitCode === 0;
    }
  }
}

function applyTo(worker: PodWorker, status: ContainerStatus): void {
  status.started = isStarted(worker, status);
  status.ready = status.started && isReady(worker, status);
}

const idOf = (status: ContainerStatus): string => (status.containerID ?? '').slice('containerd://'.length);

export function isStarted(worker: PodWorker, status: ContainerStatus): boolean {
  if (status.state?.running === undefined) return false;
  const startup = probeOf(worker, status.name, 'startup');
  if (startup === undefined) return true;
  return startup.containerId === idOf(status) && startup.result === 'success';
}

function isReady(worker: PodWorker, status: ContainerStatus): boolean {
  const readiness = probeOf(worker, status.name, 'readiness');
  if (readiness === undefined) return true;
  return readiness.containerId === idOf(status) && readiness.result === 'success';
}

/** Containers whose readiness the sync just asked about: started, with a probe that does not succeed. */
export function unreadyProbes(worker: PodWorker): ProbeWorker[] {
  const { status } = worker;
  if (status === undefined) return [];
  const list: ProbeWorker[] = [];
  for (const item of [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])]) {
    const readiness = probeOf(worker, item.name, 'readiness');
    if (readiness !== undefined && item.started === true && !item.ready && item.state?.running !== undefined) list.push(readiness);
  }
  return list;
}
