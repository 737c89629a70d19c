import { displayStatus, tone } from '../../api/print/pod-status.ts';
import type { Container, ContainerStatus, Pod } from '../../api/schema/types.ts';
import { parseRfc3339, type SimTime } from '../../sim/time.ts';
import type { ContainerValue, PodValue, Tone } from '../protocol.ts';
import type { FilmBuilder } from './film.ts';

/** When a pod's containers may try again, by 'UID container'; told by the kubelet, not by the API. */
export type Retries = Map<string, BackOff>;

export interface BackOff {
  retryAt: SimTime;
  windowMs: number;
}

export const podLane = (uid: string) => `pod/${uid}`;
export const containerLane = (uid: string, name: string) => `container/${uid}/${name}`;
export const conditionLane = (uid: string, type: string) => `condition/${uid}/${type}`;
/** The pause container has no name in the API; it is shown under one that no container can have. */
export const pauseName = '.pause';

/** Writes what one version of a pod shows onto its lanes. */
export function showPod(film: FilmBuilder, pod: Pod, at: SimTime, epochMs: number, retries: Retries, owners: string[]): void {
  const { uid, namespace, name } = pod.metadata;
  const place = { podUid: uid, ...(namespace === undefined ? {} : { namespace }) };
  const backOffOf = (container: string) => {
    const backOff = retries.get(`${uid} ${container}`);
    return backOff !== undefined && backOff.retryAt > at ? backOff : undefined;
  };
  const pods = film.lane(podLane(uid), () => ({ kind: 'pod', label: name, ...place, owners }));
  let waits = false;
  for (const [order, { container, role, status }] of containersOf(pod).entries()) {
    const lane = film.lane(containerLane(uid, container.name), () => ({
      kind: 'container', label: container.name, ...place, container: container.name, order: order + 1,
    }));
    const value = containerValue(container, role, status, backOffOf(container.name));
    waits ||= value.tone === 'back-off';
    film.span(lane, at, value);
  }
  film.span(pods, at, podValue(pod, epochMs, waits));
  for (const condition of pod.status.conditions ?? []) {
    const lane = film.lane(conditionLane(uid, condition.type), () => ({ kind: 'condition', label: condition.type, ...place }));
    film.span(lane, at, {
      kind: 'condition',
      status: condition.status as 'True' | 'False' | 'Unknown',
      ...(condition.reason === undefined ? {} : { reason: condition.reason }),
      ...(condition.message === undefined || condition.message === '' ? {} : { message: condition.message }),
    });
  }
}

/** Ends every lane of a pod that is gone. */
export function hidePod(film: FilmBuilder, pod: Pod, at: SimTime): void {
  const { uid } = pod.metadata;
  const ids = [
    podLane(uid),
    containerLane(uid, pauseName),
    ...containersOf(pod).map(({ container }) => containerLane(uid, container.name)),
    ...(pod.status.conditions ?? []).map(({ type }) => conditionLane(uid, type)),
    ...containersOf(pod).flatMap(({ container }) => ['startup', 'liveness', 'readiness'].map((probe) => `probe/${uid}/${container.name}/${probe}`)),
  ];
  for (const id of ids) {
    const lane = film.indexOf(id);
    if (lane !== undefined) film.span(lane, at, null);
  }
}

/** `waits`: a container is in a back-off. kubectl says Error for most of that time; the tone says what is going on. */
function podValue(pod: Pod, epochMs: number, waits: boolean): PodValue {
  const shown = displayStatus(pod);
  const { deletionTimestamp } = pod.metadata;
  const scheduled = pod.status.conditions?.find((condition) => condition.type === 'PodScheduled');
  return {
    kind: 'pod',
    status: shown.status,
    tone: toneOf(tone(pod, shown), waits),
    phase: pod.status.phase ?? '',
    ready: shown.ready,
    total: shown.total,
    restarts: shown.restarts,
    ...(pod.spec.nodeName ? { node: pod.spec.nodeName } : {}),
    ...(pod.status.podIP ? { ip: pod.status.podIP } : {}),
    ...(deletionTimestamp === undefined ? {} : { deadlineAt: (parseRfc3339(deletionTimestamp) ?? epochMs) - epochMs }),
    ...(scheduled?.status === 'False' && scheduled.message !== undefined ? { message: scheduled.message } : {}),
  };
}

const toneOf = (said: Tone, waits: boolean): Tone => (waits && (said === 'failed' || said === 'succeeded' || said === 'not-ready') ? 'back-off' : said);

interface ShownContainer {
  container: Container;
  role: ContainerValue['role'];
  status: ContainerStatus | undefined;
}

/** All containers of a pod in start order: init and sidecars, then apps, then ephemeral ones. */
export function containersOf(pod: Pod): ShownContainer[] {
  const find = (list: ContainerStatus[] | undefined, name: string) => list?.find((status) => status.name === name);
  const { spec, status } = pod;
  return [
    ...(spec.initContainers ?? []).map((container): ShownContainer => ({
      container,
      role: container.restartPolicy === 'Always' ? 'sidecar' : 'init',
      status: find(status.initContainerStatuses, container.name),
    })),
    ...spec.containers.map((container): ShownContainer => ({ container, role: 'app', status: find(status.containerStatuses, container.name) })),
    ...(spec.ephemeralContainers ?? []).map((container): ShownContainer => ({
      container: container as Container, role: 'ephemeral', status: find(status.ephemeralContainerStatuses, container.name),
    })),
  ];
}

function containerValue(container: Container, role: ContainerValue['role'], status: ContainerStatus | undefined, backOff: BackOff | undefined): ContainerValue {
  const { waiting, running, terminated } = status?.state ?? {};
  const reason = waiting?.reason ?? terminated?.reason;
  const message = waiting?.message ?? terminated?.message;
  const base = {
    kind: 'container' as const,
    role,
    ready: status?.ready ?? false,
    started: status?.started ?? false,
    restarts: status?.restartCount ?? 0,
    image: container.image ?? '',
    ...(reason === undefined || reason === '' ? {} : { reason }),
    ...(message === undefined || message === '' ? {} : { message }),
    ...(backOff === undefined ? {} : { retryAt: backOff.retryAt, backOffMs: backOff.windowMs }),
  };
  if (running !== undefined) return { ...base, state: 'running', tone: role === 'init' ? 'starting' : base.ready ? 'ready' : 'not-ready' };
  if (terminated === undefined) return { ...base, state: 'waiting', tone: waitingTone(status, reason) };
  return {
    ...base,
    state: 'terminated',
    tone: backOff !== undefined ? 'back-off' : terminated.exitCode === 0 ? 'succeeded' : 'failed',
    exitCode: terminated.exitCode,
    ...(terminated.signal === undefined ? {} : { signal: terminated.signal }),
  };
}

function waitingTone(status: ContainerStatus | undefined, reason: string | undefined): Tone {
  if (status === undefined) return 'pending';
  if (reason?.endsWith('BackOff') === true) return 'back-off';
  if (reason === undefined || ['ContainerCreating', 'PodInitializing', 'RestartingAllContainers', ''].includes(reason)) return 'starting';
  return 'failed';
}
