import type { ContainerState, ContainerStatus, VolumeMountStatus } from '../../../api/schema/types.ts';
import { compareText } from '../../../sim/plain.ts';
import { formatRfc3339 } from '../../../sim/time.ts';
import type { ContainerStatusRecord } from '../cri.ts';
import type { AnyContainer } from '../pod-spec.ts';
import { actualResources, allocatedResources } from '../resize.ts';
import { shouldStart } from '../restart.ts';
import type { PodWorker } from '../state.ts';

const lost = 'The container could not be located when the pod was terminated';
const lostWhileDeleted = 'The container could not be located when the pod was deleted.  The container used to be Running';
const initForgotten = 'Unable to get init container status from container runtime and pod has been initialized, treat it as exited normally';

const removedMessage = 'The container is removed because RestartAllContainers in place';

/** Regular containers are sorted by name, init containers stand as in the spec. Upstream: pkg/kubelet/kubelet_pods.go convertToAPIContainerStatuses. */
export function containerStatuses(
  worker: PodWorker, containers: readonly AnyContainer[], previous: readonly ContainerStatus[] | undefined, kind: 'init' | 'app' | 'ephemeral', initialized: boolean,
): ContainerStatus[] {
  const statuses = containers.map((container) => oneStatus(worker, container, previous?.find((item) => item.name === container.name), kind, initialized));
  return kind === 'init' ? statuses : statuses.sort((a, b) => compareText(a.name, b.name));
}

function oneStatus(worker: PodWorker, container: AnyContainer, old: ContainerStatus | undefined, kind: string, initialized: boolean): ContainerStatus {
  const { pod } = worker;
  const records = worker.snapshot.containers.filter((record) => record.name === container.name);
  const record = records[0];
  const regularInit = kind === 'init' && container.restartPolicy !== 'Always';
  let status = record === undefined ? withoutRecord(worker, container, old, regularInit && initialized) : fromRecord(worker, container, record, records[1], old);
  if (regularInit && record?.state === 'exited' && record.exitCode === 0) return status;
  if (kind === 'ephemeral') {
    const { started: _started, ...rest } = status;
    return rest;
  }
  const cached = worker.reasons[container.name];
  if (cached !== undefined && shouldStart(container, pod, worker.snapshot.containers)) {
    status = {
      ...status,
      ...(status.state?.terminated === undefined ? {} : { lastState: { terminated: status.state.terminated } }),
      state: { waiting: { ...(cached.message === '' ? {} : { message: cached.message }), reason: cached.reason } },
    };
  }
  return status;
}

function withoutRecord({ pod, restartingAll }: PodWorker, container: AnyContainer, old: ContainerStatus | undefined, forgotten: boolean): ContainerStatus {
  if (restartingAll === 'removed' && old !== undefined && old.state?.waiting === undefined) {
    const reason = 'RestartingAllContainers';
    return { ...old, state: { waiting: { reason, message: removedMessage } }, lastState: { terminated: { exitCode: 137, reason, message: removedMessage } }, restartCount: old.restartCount + 1 };
  }
  if (old?.state?.terminated !== undefined) return { ...old };
  const reason = pod.spec.initContainers === undefined || pod.spec.initContainers.length === 0 ? 'ContainerCreating' : 'PodInitializing';
  const status = base(container, old);
  if (forgotten) return { ...status, state: { terminated: { exitCode: 0, reason: 'Completed', message: initForgotten } } };
  if (old?.state?.running === undefined) return { ...status, state: { waiting: { reason } } };
  const gone = { exitCode: 137, reason: 'ContainerStatusUnknown', message: lostWhileDeleted };
  return {
    ...status,
    state: { waiting: { reason } },
    lastState: status.lastState?.terminated === undefined ? { terminated: gone } : status.lastState,
    restartCount: status.restartCount + (pod.metadata.deletionTimestamp === undefined ? 1 : 0),
  };
}

function base(container: AnyContainer, old: ContainerStatus | undefined): ContainerStatus {
  return {
    name: container.name,
    state: {},
    lastState: old?.lastState ?? {},
    ready: false,
    restartCount: old?.restartCount ?? 0,
    image: container.image ?? '',
    imageID: '',
    started: false,
    ...mountStatuses(container),
  };
}

function fromRecord(worker: PodWorker, container: AnyContainer, record: ContainerStatusRecord, before: ContainerStatusRecord | undefined, old: ContainerStatus | undefined): ContainerStatus {
  const containerID = `containerd://${record.id}`;
  // The older instance may be gone from the runtime: what was told of it stays.
  const kept = old?.containerID === containerID || old?.state?.waiting !== undefined ? old?.lastState : undefined;
  const { claims: _claims, ...resources } = actualResources(worker, container) ?? {};
  const requests = allocatedResources(worker, container)?.requests;
  return {
    name: container.name,
    state: stateOf(record, old),
    lastState: before === undefined ? (kept ?? {}) : stateOf(before, undefined),
    ready: false,
    restartCount: record.attempt,
    image: record.image,
    imageID: record.imageRef,
    containerID,
    started: false,
    ...(requests === undefined || Object.keys(requests).length === 0 ? {} : { allocatedResources: requests }),
    resources,
    ...mountStatuses(container),
    user: { linux: record.user ?? { uid: 0, gid: 0, supplementalGroups: [0] } },
  };
}

function stateOf(record: ContainerStatusRecord, old: ContainerStatus | undefined): ContainerState {
  if (record.state === 'running') return { running: { startedAt: formatRfc3339(record.startedAt) } };
  if (record.state === 'exited') return { terminated: terminatedState(record) };
  if (record.state === 'unknown' && old?.state?.running !== undefined) {
    return { terminated: { exitCode: 137, reason: 'ContainerStatusUnknown', message: lost, containerID: `containerd://${record.id}` } };
  }
  return { waiting: {} };
}

const terminatedState = (record: ContainerStatusRecord) => ({
  exitCode: record.exitCode,
  reason: record.reason,
  ...(record.message === '' ? {} : { message: record.message }),
  startedAt: formatRfc3339(record.startedAt),
  finishedAt: formatRfc3339(record.finishedAt),
  containerID: `containerd://${record.id}`,
});

function mountStatuses(container: AnyContainer): { volumeMounts?: VolumeMountStatus[] } {
  if (container.volumeMounts === undefined || container.volumeMounts.length === 0) return {};
  return {
    volumeMounts: container.volumeMounts.map(({ name, mountPath, readOnly, recursiveReadOnly }) => ({
      name,
      mountPath,
      ...(readOnly === true ? { readOnly, recursiveReadOnly: recursiveReadOnly === 'Enabled' || recursiveReadOnly === 'IfPossible' ? 'Enabled' : 'Disabled' } : {}),
    })),
  };
}

/** The last state of a container that never showed its end. Upstream: pkg/kubelet/status/status_manager.go TerminatePod. */
export const lostState = (): ContainerState => ({ terminated: { exitCode: 137, reason: 'ContainerStatusUnknown', message: lost } });
