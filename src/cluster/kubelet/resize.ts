import type { Container, Pod, PodCondition, ResourceRequirements } from '../../api/schema/types.ts';
import { compareText, samePlain } from '../../sim/plain.ts';
import { nextId } from './calls.ts';
import { objectionToResources } from './admission.ts';
import { lastingContainers, newestRecord, podEvent } from './pod-spec.ts';
import type { Outcome } from './run.ts';
import type { Env, PodWorker, Run, Step } from './state.ts';

const resizable = ['cpu', 'memory'] as const;
type Amounts = Record<string, string>;

const amounts = (resources: ResourceRequirements | undefined, field: 'limits' | 'requests'): Amounts => (resources?.[field] ?? {}) as Amounts;

/** What is really set for a container that runs; before it runs, what the spec says. */
export const actualResources = (worker: PodWorker, container: Container): ResourceRequirements | undefined => worker.actual[container.name] ?? container.resources;

/** What the kubelet has granted: the spec, unless a resize has to wait. */
export const allocatedResources = (worker: PodWorker, container: Container): ResourceRequirements | undefined =>
  worker.resizePending === undefined ? container.resources : actualResources(worker, container);

function changedResources(worker: PodWorker, container: Container): string[] {
  const actual = worker.actual[container.name];
  if (actual === undefined || newestRecord(worker.snapshot.containers, container.name)?.state !== 'running') return [];
  return resizable.filter((name) => (['limits', 'requests'] as const).some((field) => amounts(actual, field)[name] !== amounts(container.resources, field)[name]));
}

const containersToResize = (worker: PodWorker): Container[] => lastingContainers(worker.pod).filter((container) => changedResources(worker, container).length > 0);

/** A change of resources that its policy allows only with a new container. */
export function resizeNeedsRestart(worker: PodWorker, container: Container): boolean {
  if (worker.resizing === undefined || worker.resizePending !== undefined) return false;
  const changed = changedResources(worker, container);
  return changed.some((name) => container.resizePolicy?.some(({ resourceName, restartPolicy }) => resourceName === name && restartPolicy === 'RestartContainer'));
}

/** Before the status of a sync: a resize that was asked for is granted, or put off. Upstream: pkg/kubelet/allocation, kubelet.go handlePodResourcesResize. */
export function considerResize(env: Env, worker: PodWorker): void {
  const generation = worker.pod.metadata.generation ?? 0;
  if (worker.consideredGeneration === generation && worker.resizePending === undefined) return;
  worker.consideredGeneration = generation;
  if (containersToResize(worker).length === 0) {
    delete worker.resizePending;
    return;
  }
  const objection = objectionToResources(env, worker);
  if (objection !== undefined) {
    if (worker.resizePending?.generation === generation) return;
    worker.resizePending = { generation, reason: 'Deferred', message: objection.message, at: env.ctx.timestamp };
    podEvent(env, worker.pod, 'Warning', 'ResizeDeferred', `Pod resize Deferred: ${describe(worker.pod, objection.message)}`);
    return;
  }
  delete worker.resizePending;
  if (worker.resizing?.generation === generation) return;
  worker.resizing = { generation, at: env.ctx.timestamp };
  podEvent(env, worker.pod, 'Normal', 'ResizeStarted', `Pod resize started: ${describe(worker.pod)}`);
}

export const resizeInPlace = (worker: PodWorker): boolean =>
  worker.resizing !== undefined && worker.resizePending === undefined && containersToResize(worker).some((container) => !resizeNeedsRestart(worker, container));

/** Simplified: the runtime is not told; the new limits count from the container's next start. */
export function resizeStep(env: Env, worker: PodWorker, run: Run, step: Step): Outcome {
  if (step.stage === 'begin') {
    step.stage = 'setting';
    run.waitsFor = nextId(env, worker.uid, 'run');
    env.ctx.schedule({ afterMs: env.ctx.random('resize').between(40, 90), kind: 'timer', payload: { id: run.waitsFor } });
    return 'wait';
  }
  if (run.reply === undefined) return 'wait';
  for (const container of containersToResize(worker)) if (!resizeNeedsRestart(worker, container) && container.resources !== undefined) worker.actual[container.name] = container.resources;
  return 'done';
}

/** At the end of a sync: was that all of it? Then its pod is looked at anew. Upstream: PLEG RequestReinspection. */
export function completeResize(env: Env, worker: PodWorker): boolean {
  if (worker.resizing === undefined || containersToResize(worker).length > 0) return false;
  delete worker.resizing;
  podEvent(env, worker.pod, 'Normal', 'ResizeCompleted', `Pod resize completed: ${describe(worker.pod)}`);
  return true;
}

export function resizeConditions({ resizing, resizePending }: PodWorker): PodCondition[] {
  const list: PodCondition[] = [];
  if (resizePending !== undefined) {
    const { reason, message, at, generation } = resizePending;
    list.push({ type: 'PodResizePending', observedGeneration: generation, status: 'True', lastProbeTime: at, lastTransitionTime: at, reason, message });
  }
  if (resizing !== undefined) list.push({ type: 'PodResizeInProgress', observedGeneration: resizing.generation, status: 'True', lastProbeTime: resizing.at, lastTransitionTime: resizing.at });
  return list;
}

const ordered = (map: Amounts): Amounts => Object.fromEntries(Object.keys(map).toSorted(compareText).map((key) => [key, map[key] as string]));

function describe({ spec, metadata }: Pod, error?: string): string {
  const part = ({ name, resources }: Container) => ({
    name,
    resources: {
      ...(resources?.limits === undefined ? {} : { limits: ordered(resources.limits as Amounts) }), ...(resources?.requests === undefined ? {} : { requests: ordered(resources.requests as Amounts) }),
    },
  });
  const sidecars = lastingContainers({ spec } as Pod).filter((container) => !spec.containers.includes(container));
  return JSON.stringify({
    ...(sidecars.length === 0 ? {} : { initContainers: sidecars.map(part) }), containers: spec.containers.map(part), generation: metadata.generation, ...(error === undefined ? {} : { error }),
  });
}

/** Requests of memory are as granted, all else as set. Upstream: kubelet_pods.go convertToAPIPodLevelResources. */
export function reportedResources(worker: PodWorker, container: Container): ResourceRequirements {
  const actual = actualResources(worker, container);
  const granted = amounts(allocatedResources(worker, container), 'requests').memory;
  if (granted === undefined || samePlain(actual, container.resources)) return actual ?? {};
  return { ...actual, requests: { ...amounts(actual, 'requests'), memory: granted } };
}
