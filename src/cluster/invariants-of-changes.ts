import type { ApiObject, ResourceName } from '../api/resources.ts';
import type { ContainerStatus, Deployment, Event, Pod, PodCondition } from '../api/schema/types.ts';
import { parseRfc3339 } from '../sim/time.ts';
import type { Change } from './etcd/store.ts';

/** What must hold of one object, and between one state of it and the next. */
export function checkChange({ key, resource, version, previous }: Change, broken: string[]): void {
  const { object } = version;
  if (object === undefined) return;
  const say = (text: string) => broken.push(`${key}: ${text}`);
  checkMetadata(object, previous, say);
  rules[resource]?.(object, previous, say, version.actor);
}

type Say = (text: string) => void;
type Rule = (object: ApiObject, previous: ApiObject | undefined, say: Say, actor: string) => void;

const rules: Partial<Record<ResourceName, Rule>> = {
  pods: (object, previous, say, actor) => checkPod(object as Pod, previous as Pod | undefined, say, actor),
  events: (object, previous, say) => checkEvent(object as Event, previous as Event | undefined, say),
  'deployments.apps': (object, _, say) => checkCounts((object as Deployment).status as Record<string, unknown>, say),
  'replicasets.apps': (object, _, say) => checkCounts((object as { status?: Record<string, unknown> } & ApiObject).status ?? {}, say),
};

function checkMetadata(object: ApiObject, previous: ApiObject | undefined, say: Say): void {
  if (previous === undefined || previous.metadata.uid !== object.metadata.uid) return;
  const now = object.metadata;
  const before = previous.metadata;
  if (now.creationTimestamp !== before.creationTimestamp) say('creationTimestamp changed');
  if ((now.generation ?? 0) < (before.generation ?? 0)) say(`generation fell from ${before.generation ?? 0} to ${now.generation ?? 0}`);
  if (before.deletionTimestamp !== undefined && now.deletionTimestamp === undefined) say('deletion was taken back');
  if (before.deletionTimestamp !== undefined && (now.deletionGracePeriodSeconds ?? 0) > (before.deletionGracePeriodSeconds ?? 0)) say('the grace period grew');
  const { observedGeneration } = (object as { status?: { observedGeneration?: number } }).status ?? {};
  if (observedGeneration !== undefined && now.generation !== undefined && observedGeneration > now.generation) say(`observed generation ${observedGeneration} of ${now.generation}`);
}

const isOver = (phase: string | undefined) => phase === 'Succeeded' || phase === 'Failed';

const statusesOf = ({ status }: Pod): ContainerStatus[] =>
  [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? []), ...(status.ephemeralContainerStatuses ?? [])];

function checkPod(pod: Pod, previous: Pod | undefined, say: Say, actor: string): void {
  if (previous !== undefined && previous.metadata.uid === pod.metadata.uid) checkPodStep(pod, previous, say);
  const { status, spec } = pod;
  const statuses = statusesOf(pod);
  for (const container of statuses) checkContainer(container, say);
  const running = statuses.some((container) => container.state?.running !== undefined);
  if (running && status.podIP === undefined) say('a container runs, and the pod has no address');
  // The garbage collector of pods writes off those whose node is gone, whatever still runs there; the kubelet only says what is over.
  if (running && isOver(status.phase) && !isOver(previous?.status.phase) && actor.startsWith('kubelet/')) say(`a container runs in a pod that has ${status.phase ?? ''}`);
  if (status.phase === 'Running' && (status.containerStatuses ?? []).every((container) => container.state?.running === undefined && container.state?.terminated === undefined && container.lastState?.terminated === undefined)) {
    say('Running, and no container has ever run');
  }
  if (status.phase === 'Succeeded' && (status.containerStatuses ?? []).some((container) => (container.state?.terminated?.exitCode ?? -1) !== 0)) say('Succeeded, and a container has not');
  const conditions = new Map((status.conditions ?? []).map((condition) => [condition.type, condition]));
  if (conditions.size !== (status.conditions ?? []).length) say('a condition stands twice');
  if (conditions.get('Ready')?.status === 'True' && conditions.get('ContainersReady')?.status !== 'True') say('Ready, and its containers are not');
  if (spec.nodeName !== undefined && spec.nodeName !== '' && conditions.get('PodScheduled')?.status === 'False') say('on a node, and not scheduled');
}

function checkPodStep(pod: Pod, previous: Pod, say: Say): void {
  const now = pod.status;
  const before = previous.status;
  if (isOver(before.phase) && now.phase !== before.phase) say(`phase went from ${before.phase ?? ''} to ${now.phase ?? ''}`);
  // Init containers run again in a new sandbox, and when all containers are restarted together.
  if (before.phase === 'Running' && now.phase === 'Pending' && (pod.spec.initContainers ?? []).length === 0) say('phase went from Running back to Pending');
  if (previous.spec.nodeName && pod.spec.nodeName !== previous.spec.nodeName) say(`moved from node ${previous.spec.nodeName} to ${pod.spec.nodeName ?? 'none'}`);
  if (before.startTime !== undefined && now.startTime !== before.startTime) say(`startTime changed from ${before.startTime} to ${now.startTime ?? 'none'}`);
  const old = new Map(statusesOf(previous).map((container) => [container.name, container]));
  for (const container of statusesOf(pod)) {
    const earlier = old.get(container.name);
    if (earlier === undefined) continue;
    if (container.restartCount < earlier.restartCount) say(`restartCount of ${container.name} fell from ${earlier.restartCount} to ${container.restartCount}`);
  }
  const oldConditions = new Map((before.conditions ?? []).map((condition) => [condition.type, condition]));
  for (const condition of now.conditions ?? []) checkTransition(condition, oldConditions.get(condition.type), say);
}

function checkTransition(now: PodCondition, before: PodCondition | undefined, say: Say): void {
  if (before === undefined || now.lastTransitionTime === before.lastTransitionTime) return;
  if (now.status === before.status) say(`${now.type} has a new lastTransitionTime and the same status`);
}

function checkContainer({ name, state = {}, lastState = {}, ready }: ContainerStatus, say: Say): void {
  const kinds = Object.keys(state);
  if (kinds.length > 1) say(`${name} is ${kinds.join(' and ')}`);
  if (lastState.running !== undefined || lastState.waiting !== undefined) say(`${name} has a last state that is no end`);
  for (const ended of [state.terminated, lastState.terminated]) {
    const from = parseRfc3339(ended?.startedAt ?? '');
    const to = parseRfc3339(ended?.finishedAt ?? '');
    if (from !== undefined && to !== undefined && to < from) say(`${name} finished before it started`);
  }
  // An init container that is through counts as ready.
  if (ready && state.running === undefined && state.terminated?.exitCode !== 0) say(`${name} is ready, and does not run`);
}

function checkEvent(event: Event, previous: Event | undefined, say: Say): void {
  if (previous !== undefined && (event.count ?? 0) < (previous.count ?? 0)) say(`count fell from ${previous.count ?? 0} to ${event.count ?? 0}`);
  if ((parseRfc3339(event.lastTimestamp ?? '') ?? 0) < (parseRfc3339(event.firstTimestamp ?? '') ?? 0)) say('last seen before it was first seen');
}

function checkCounts(status: Record<string, unknown>, say: Say): void {
  const count = (name: string) => Number(status[name] ?? 0);
  for (const name of ['replicas', 'readyReplicas', 'availableReplicas', 'updatedReplicas', 'fullyLabeledReplicas']) if (count(name) < 0) say(`${name} is ${count(name)}`);
  if (count('readyReplicas') > count('replicas')) say(`${count('readyReplicas')} of ${count('replicas')} ready`);
  if (count('availableReplicas') > count('readyReplicas')) say(`${count('availableReplicas')} available of ${count('readyReplicas')} ready`);
  if (count('updatedReplicas') > count('replicas')) say(`${count('updatedReplicas')} updated of ${count('replicas')}`);
}
