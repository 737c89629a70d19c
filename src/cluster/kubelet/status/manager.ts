import type { ApiObject } from '../../../api/resources.ts';
import type { Pod, PodCondition, PodStatus } from '../../../api/schema/types.ts';
import { samePlain } from '../../../sim/plain.ts';
import type { ApiResponse } from '../../component.ts';
import { isTerminalPhase } from '../pod-spec.ts';
import type { Env, PodWorker } from '../state.ts';
import { ownedByKubelet, readinessOf, readyFrom } from './conditions.ts';
import { lostState } from './container-status.ts';
import { stampConditions } from './generate.ts';

/** Remembers a status and has it written, if it says something new. Upstream: pkg/kubelet/status/status_manager.go SetPodStatus. */
export function setStatus(env: Env, worker: PodWorker, status: PodStatus, forced = false): void {
  const known = worker.status;
  if (!forced && known !== undefined && samePlain(known, status)) return;
  if (regresses(worker, known, status)) return;
  worker.status = status;
  enqueue(env, worker.uid);
}

/** A container that is done for good never comes back. Upstream: checkContainerStateTransition. */
function regresses({ pod }: PodWorker, known: PodStatus | undefined, next: PodStatus): boolean {
  if (known === undefined || pod.spec.restartPolicy === 'Always' || pod.spec.restartPolicy === undefined) return false;
  return (known.containerStatuses ?? []).some((old) => {
    const exit = old.state?.terminated;
    if (exit === undefined || (exit.exitCode !== 0 && pod.spec.restartPolicy === 'OnFailure')) return false;
    if (pod.spec.containers.some((container) => container.name === old.name && container.restartPolicy !== undefined)) return false;
    return next.containerStatuses?.find((item) => item.name === old.name)?.state?.terminated === undefined;
  });
}

export function enqueue(env: Env, uid: string): void {
  const { state, ctx } = env;
  if (!state.statusQueue.includes(uid)) state.statusQueue.push(uid);
  if (state.writing === undefined) ctx.schedule({ afterMs: ctx.random('status').between(2, 9), kind: 'status', key: 'status' });
}

/** One status at a time, as the real writer is one goroutine: what changes meanwhile is merged. */
export function writeNext(env: Env): void {
  const { state } = env;
  if (state.writing !== undefined || state.stopped || state.cutOff) return;
  for (let uid = state.statusQueue.shift(); uid !== undefined; uid = state.statusQueue.shift()) {
    const worker = state.pods[uid];
    if (worker !== undefined && write(env, worker)) return;
  }
}

/** Sends what is due for a pod; false if there was nothing to send. */
function write(env: Env, worker: PodWorker): boolean {
  const { state, ctx } = env;
  const { name, namespace } = worker.pod.metadata;
  const live = ctx.live.get('pods', namespace, name);
  if (live === undefined || live.metadata.uid !== worker.uid || worker.status === undefined) return false;
  const status = mergeStatus(live.status, worker.status, worker);
  const same = samePlain(status, live.status);
  if (same && !deletable(worker, live)) return false;
  state.writing = worker.uid;
  const reply = { kind: 'status-written', payload: { uid: worker.uid } };
  if (same) sendDelete(env, worker, reply);
  else ctx.api({ verb: 'update', resource: 'pods', namespace: namespace ?? '', name, subresource: 'status', object: { ...live, status } as unknown as ApiObject }, reply);
  return true;
}

const deletable = (worker: PodWorker, live: Pod) =>
  worker.final && live.metadata.deletionTimestamp !== undefined && isTerminalPhase(worker.status?.phase);

function sendDelete({ ctx }: Env, worker: PodWorker, reply?: { kind: string; payload: Record<string, unknown> }): void {
  const { name, namespace } = worker.pod.metadata;
  ctx.api({ verb: 'delete', resource: 'pods', namespace: namespace ?? '', name, options: { gracePeriodSeconds: 0, preconditions: { uid: worker.uid } } }, reply);
}

export function statusWritten(env: Env, payload: { uid: string; response: ApiResponse }): void {
  const { state, ctx } = env;
  delete state.writing;
  const worker = state.pods[payload.uid];
  if (worker !== undefined) {
    if (payload.response.code === 409) state.statusQueue.push(payload.uid);
    else if (payload.response.code < 300) {
      const live = ctx.live.get('pods', worker.pod.metadata.namespace, worker.pod.metadata.name);
      if (live !== undefined && live.metadata.uid === worker.uid && live.status.phase !== undefined && isTerminalPhase(live.status.phase) && deletable(worker, live)) sendDelete(env, worker);
    }
  }
  writeNext(env);
}

/**
 * What is written: others' conditions first and untouched, ours after them; a terminal phase is held back while containers could still run.
 * Upstream: mergePodStatus.
 */
export function mergeStatus(live: PodStatus, next: PodStatus, worker: PodWorker): PodStatus {
  const running = worker.work !== 'terminated' && !worker.rejected;
  const foreign = (live.conditions ?? []).filter(({ type }) => !ownedByKubelet(type));
  const ending = !isTerminalPhase(live.phase) && isTerminalPhase(next.phase);
  const conditions: PodCondition[] = foreign.filter(({ type }) => type !== 'DisruptionTarget' || !next.conditions?.some((item) => item.type === type));
  for (const item of next.conditions ?? []) {
    if (item.type !== 'DisruptionTarget' || (ending && !running) || isTerminalPhase(live.phase)) conditions.push(keepTransition(item, live.conditions));
  }
  const merged: PodStatus = { ...next };
  if (ending && running) {
    merged.phase = live.phase as string;
    put(merged, 'reason', live.reason);
    put(merged, 'message', live.message);
  }
  put(merged, 'conditions', conditions.length === 0 ? undefined : conditions);
  if (live.nominatedNodeName !== undefined) merged.nominatedNodeName = live.nominatedNodeName;
  return merged;
}

function put<K extends 'reason' | 'message' | 'conditions'>(status: PodStatus, field: K, value: PodStatus[K]): void {
  if (value !== undefined) status[field] = value;
  else if (status[field] !== undefined) delete status[field];
}

function keepTransition(item: PodCondition, live: readonly PodCondition[] | undefined): PodCondition {
  const was = live?.find((condition) => condition.type === item.type);
  const same = was !== undefined && was.status === item.status && was.lastTransitionTime !== undefined;
  return same ? { ...item, lastTransitionTime: was.lastTransitionTime as string } : item;
}

/** Upstream: SetContainerReadiness and SetContainerStartup: the prober writes past the pod worker. */
export function setContainerReadiness(env: Env, worker: PodWorker, containerId: string, change: { ready?: boolean; started?: boolean }): void {
  const { status, pod } = worker;
  if (status === undefined) return;
  const id = `containerd://${containerId}`;
  let touched = false;
  const patch = <T extends { containerID?: string; ready: boolean; started?: boolean }>(item: T): T => {
    if (item.containerID !== id || !differs(item, change)) return item;
    touched = true;
    return { ...item, ...change };
  };
  const apps = (status.containerStatuses ?? []).map(patch);
  const init = status.initContainerStatuses?.map(patch);
  if (!touched) return;
  const ready = change.ready === undefined ? undefined : isTerminalPhase(status.phase) ? undefined : readinessOf(pod, init ?? [], apps);
  const fresh = ready === undefined ? [] : stampConditions([readyFrom(pod, ready, pod.status.conditions), ready], status.conditions, env.ctx.timestamp, status.observedGeneration);
  const conditions = (status.conditions ?? []).map((condition) => fresh.find((item) => item.type === condition.type) ?? condition);
  setStatus(env, worker, { ...status, conditions, containerStatuses: apps, ...(init === undefined ? {} : { initContainerStatuses: init }) });
}

const differs = (item: { ready: boolean; started?: boolean }, change: { ready?: boolean; started?: boolean }) =>
  (change.ready !== undefined && item.ready !== change.ready) || (change.started !== undefined && item.started !== change.started);

/** The sandbox stands: written at once, past the worker. Upstream: kubelet.go OnPodSandboxReady. */
export function setSandboxReady(env: Env, worker: PodWorker): void {
  const { status } = worker;
  if (status === undefined) return;
  const fresh = stampConditions([{ type: 'PodReadyToStartContainers', status: 'True' }], status.conditions, env.ctx.timestamp, worker.pod.metadata.generation)[0] as PodCondition;
  setStatus(env, worker, { ...status, conditions: (status.conditions ?? []).map((item) => (item.type === fresh.type ? fresh : item)) });
}

/** The last word on a pod. Upstream: TerminatePod. */
export function finalStatus(worker: PodWorker, status: PodStatus, initialized: boolean): PodStatus {
  const end = <T extends { state?: { terminated?: unknown }; ready: boolean; started?: boolean }>(item: T): T =>
    item.state?.terminated === undefined ? { ...item, state: lostState(), ready: false, started: false } : item;
  const apps = initialized ? (status.containerStatuses ?? []).map(end) : status.containerStatuses;
  const init = status.initContainerStatuses?.map((item) => (initialized || item.state?.terminated !== undefined || item.state?.running !== undefined ? end(item) : item));
  const phase = isTerminalPhase(status.phase) ? status.phase : 'Failed';
  void worker;
  return { ...status, phase: phase as string, ...(apps === undefined ? {} : { containerStatuses: apps }), ...(init === undefined ? {} : { initContainerStatuses: init }) };
}
