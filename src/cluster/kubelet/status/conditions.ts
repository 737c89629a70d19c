import type { ContainerStatus, Pod, PodCondition } from '../../../api/schema/types.ts';
import { isSidecar, isTerminalPhase } from '../pod-spec.ts';
import type { SandboxState } from '../sandbox-state.ts';
import type { Verdict } from '../state.ts';

export interface ConditionInput {
  pod: Pod;
  phase: string;
  init: readonly ContainerStatus[];
  apps: readonly ContainerStatus[];
  sandbox: SandboxState;
  verdict: Verdict | undefined;
  /** undefined: no container has such a rule. */
  restartingAll: boolean | undefined;
  /** Conditions on the object: readiness gates are looked up here. */
  foreign: readonly PodCondition[] | undefined;
}

const condition = (type: string, ok: boolean, reason?: string, message?: string): PodCondition => ({
  type, status: ok ? 'True' : 'False', ...(reason === undefined ? {} : { reason }), ...(message === undefined ? {} : { message }),
});

const sandboxMessages: Record<SandboxState, string> = { ready: '', none: 'no pod sandbox exists', 'not-ready': 'pod sandbox is not ready' };

/** In the order in which the kubelet writes them. Upstream: pkg/kubelet/status/generate.go, kubelet_pods.go generateAPIPodStatus. */
export function kubeletConditions(input: ConditionInput): PodCondition[] {
  const { verdict, phase, sandbox, restartingAll } = input;
  const ready = containersReady(input);
  const list = [
    sandbox === 'ready' ? condition('PodReadyToStartContainers', true) : condition('PodReadyToStartContainers', false, 'PodSandboxNotReady', sandboxMessages[sandbox]),
    initialized(input),
    podReady(input, ready),
    ready,
    condition('PodScheduled', true),
  ];
  if (verdict?.disruption === true && isTerminalPhase(phase)) list.unshift(condition('DisruptionTarget', true, 'TerminationByKubelet', verdict.message));
  if (restartingAll === true) list.push(condition('AllContainersRestarting', true, 'RestartAllContainersStarted', 'container exited with restart policy rule'));
  else if (restartingAll === false) list.push(condition('AllContainersRestarting', false));
  return list;
}

function initialized({ pod, phase, init, apps }: ConditionInput): PodCondition {
  const containers = pod.spec.initContainers ?? [];
  if (phase === 'Succeeded') return condition('Initialized', true, 'PodCompleted');
  const unknown = containers.filter(({ name }) => !init.some((status) => status.name === name)).map(({ name }) => name);
  const incomplete = containers.filter((container) => {
    const status = init.find((item) => item.name === container.name);
    if (status === undefined) return false;
    return isSidecar(container) ? status.started !== true : !status.ready;
  }).map(({ name }) => name);
  const appRan = apps.some((status) => status.state?.running !== undefined || status.state?.terminated !== undefined || status.lastState?.terminated !== undefined);
  if (appRan || unknown.length + incomplete.length === 0) return condition('Initialized', true);
  return condition('Initialized', false, 'ContainersNotInitialized', listText(unknown, incomplete, 'incomplete'));
}

function listText(unknown: readonly string[], others: readonly string[], word: string): string {
  const parts = [];
  if (unknown.length > 0) parts.push(`containers with unknown status: [${unknown.join(' ')}]`);
  if (others.length > 0) parts.push(`containers with ${word} status: [${others.join(' ')}]`);
  return parts.join(', ');
}

function containersReady({ pod, phase, init, apps }: ConditionInput): PodCondition {
  if (phase === 'Succeeded') return condition('ContainersReady', false, 'PodCompleted');
  if (phase === 'Failed') return condition('ContainersReady', false, 'PodFailed');
  return readinessOf(pod, init, apps);
}

/** Which lasting containers are not ready, from their statuses alone. */
export function readinessOf(pod: Pod, init: readonly ContainerStatus[], apps: readonly ContainerStatus[]): PodCondition {
  const unknown: string[] = [];
  const unready: string[] = [];
  const look = (name: string, statuses: readonly ContainerStatus[]) => {
    const status = statuses.find((item) => item.name === name);
    if (status === undefined) unknown.push(name);
    else if (!status.ready) unready.push(name);
  };
  for (const container of pod.spec.initContainers ?? []) if (isSidecar(container)) look(container.name, init);
  for (const container of pod.spec.containers) look(container.name, apps);
  if (unknown.length + unready.length === 0) return condition('ContainersReady', true);
  return condition('ContainersReady', false, 'ContainersNotReady', listText(unknown, unready, 'unready'));
}

function podReady({ pod, foreign }: ConditionInput, containers: PodCondition): PodCondition {
  if (containers.status !== 'True') return { ...containers, type: 'Ready' };
  const missing: string[] = [];
  for (const { conditionType } of pod.spec.readinessGates ?? []) {
    const found = foreign?.find((item) => item.type === conditionType);
    if (found === undefined) missing.push(`corresponding condition of pod readiness gate "${conditionType}" does not exist.`);
    else if (found.status !== 'True') missing.push(`the status of pod readiness gate "${conditionType}" is not "True", but ${found.status}`);
  }
  return missing.length === 0 ? condition('Ready', true) : condition('Ready', false, 'ReadinessGatesNotReady', missing.join(', '));
}

export const readyFrom = (pod: Pod, containers: PodCondition, foreign: readonly PodCondition[] | undefined): PodCondition =>
  podReady({ pod, foreign } as ConditionInput, containers);

/** Conditions that the kubelet owns: all others on the object are left as they are. */
const owned = new Set(['PodScheduled', 'Ready', 'Initialized', 'ContainersReady', 'PodReadyToStartContainers', 'PodResizePending', 'PodResizeInProgress', 'AllContainersRestarting']);
export const ownedByKubelet = (type: string): boolean => owned.has(type);
