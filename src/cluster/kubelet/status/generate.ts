import type { ContainerStatus, PodCondition, PodStatus } from '../../../api/schema/types.ts';
import { isTerminalPhase, newestRecord } from '../pod-spec.ts';
import { wantsRestartAll } from '../compute-actions.ts';
import { hasRestartAllRule } from '../restart.ts';
import { checkDeadline } from '../deadline.ts';
import { nodeAddress } from '../options.ts';
import { resizeConditions } from '../resize.ts';
import { sandboxState } from '../sandbox-state.ts';
import type { Env, PodWorker } from '../state.ts';
import { applyProbeResults } from '../probes/results.ts';
import { kubeletConditions } from './conditions.ts';
import { containerStatuses } from './container-status.ts';
import { podPhase } from './phase.ts';
import { addPodResources } from './resources.ts';

/**
 * The status of a pod as of the worker's snapshot. `terminal`: its containers were stopped and nothing runs.
 * Upstream: pkg/kubelet/kubelet_pods.go generateAPIPodStatus.
 */
export function generateStatus(env: Env, worker: PodWorker, terminal: boolean): PodStatus {
  const { pod } = worker;
  const old = worker.status ?? pod.status;
  checkDeadline(env, worker);
  const before = initializedBefore(worker);
  const init = containerStatuses(worker, pod.spec.initContainers ?? [], old.initContainerStatuses, 'init', before);
  const apps = containerStatuses(worker, pod.spec.containers, old.containerStatuses, 'app', before);
  const ephemeral = containerStatuses(worker, pod.spec.ephemeralContainers ?? [], old.ephemeralContainerStatuses, 'ephemeral', before);
  applyProbeResults(worker, init, apps);
  const { phase, reason, message } = phaseOf(worker, old, podPhase({ pod, init, apps, terminal, appCreated: appInSandbox(worker) }));
  const podIP = pod.spec.hostNetwork === true ? nodeAddress(env.node) : worker.podIP;
  return assemble(env, worker, { phase, reason, message, podIP, init, apps, ephemeral, old });
}

interface Parts {
  phase: string;
  reason: string | undefined;
  message: string | undefined;
  podIP: string;
  init: ContainerStatus[];
  apps: ContainerStatus[];
  ephemeral: ContainerStatus[];
  old: PodStatus;
}

function assemble(env: Env, worker: PodWorker, { phase, reason, message, podIP, init, apps, ephemeral, old }: Parts): PodStatus {
  const { pod } = worker;
  const hostIP = nodeAddress(env.node);
  const generation = pod.metadata.generation;
  const status: PodStatus = {};
  if (generation !== undefined) status.observedGeneration = generation;
  status.phase = phase;
  status.conditions = [];
  if (message !== undefined) status.message = message;
  if (reason !== undefined) status.reason = reason;
  status.hostIP = hostIP;
  status.hostIPs = [{ ip: hostIP }];
  if (podIP !== '') {
    status.podIP = podIP;
    status.podIPs = [{ ip: podIP }];
  }
  status.startTime = old.startTime ?? env.ctx.timestamp;
  if (init.length > 0) status.initContainerStatuses = init;
  status.containerStatuses = apps;
  if (ephemeral.length > 0) status.ephemeralContainerStatuses = ephemeral;
  if (pod.status.qosClass !== undefined) status.qosClass = pod.status.qosClass;
  addPodResources(worker, status);
  const restartingAll = hasRestartAllRule(pod) ? worker.restartingAll === 'removing' || wantsRestartAll(pod, worker.snapshot.containers) : undefined;
  status.conditions = stampConditions(
    [...resizeConditions(worker), ...kubeletConditions({ pod, phase, init, apps, sandbox: sandboxState(pod, worker.snapshot), verdict: worker.verdict, restartingAll, foreign: pod.status.conditions })],
    old.conditions, env.ctx.timestamp, generation,
  );
  return status;
}

/** Keeps lastTransitionTime where the status did not flip. */
export function stampConditions(conditions: PodCondition[], old: readonly PodCondition[] | undefined, now: string, generation: number | undefined): PodCondition[] {
  return conditions.map(({ type, status, reason, message, lastProbeTime }) => {
    const was = old?.find((item) => item.type === type);
    const stamped: PodCondition = { type, status };
    if (reason !== undefined) stamped.reason = reason;
    if (message !== undefined) stamped.message = message;
    if (generation !== undefined && type !== 'AllContainersRestarting') stamped.observedGeneration = generation;
    stamped.lastProbeTime = lastProbeTime ?? (null as never);
    stamped.lastTransitionTime = was?.status === status && was.lastTransitionTime !== undefined ? was.lastTransitionTime : now;
    return stamped;
  });
}

function phaseOf(worker: PodWorker, old: PodStatus, computed: string): { phase: string; reason: string | undefined; message: string | undefined } {
  const { verdict } = worker;
  if (isTerminalPhase(old.phase)) return { phase: old.phase as string, reason: old.reason ?? verdict?.reason, message: old.message ?? verdict?.message };
  if (verdict !== undefined) return verdict;
  if (isTerminalPhase(worker.pod.status.phase)) return { phase: worker.pod.status.phase as string, reason: worker.pod.status.reason, message: worker.pod.status.message };
  return old.phase === computed ? { phase: computed, reason: old.reason, message: old.message } : { phase: computed, reason: undefined, message: undefined };
}

/** A regular container was seen to exist: the init containers are past. */
export const initializedBefore = ({ pod, snapshot, status }: PodWorker): boolean =>
  pod.spec.containers.some(({ name }) => newestRecord(snapshot.containers, name) !== undefined)
  || (pod.spec.initContainers ?? []).length === 0
  || (status?.containerStatuses ?? []).some((item) => item.state?.running !== undefined || item.state?.terminated !== undefined);

function appInSandbox({ pod, snapshot }: PodWorker): boolean {
  const sandbox = snapshot.sandboxes[0]?.id;
  return pod.spec.containers.some(({ name }) => newestRecord(snapshot.containers, name)?.sandboxId === sandbox && sandbox !== undefined);
}

