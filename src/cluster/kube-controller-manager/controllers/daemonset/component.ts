import { controllerOf } from '../../../../api/meta/owners.ts';
import type { ApiObject } from '../../../../api/resources.ts';
import type { DaemonSet, DaemonSetStatus, Node, Pod } from '../../../../api/schema/types.ts';
import { samePlain } from '../../../../sim/plain.ts';
import type { ApiRequest, Component, Context, WatchChange } from '../../../component.ts';
import {
  controller, createControllerState, enqueue, enqueueAfter, errorText, failed, namespaceTerminating, regarding, type ControllerState, type Reply, type Step,
} from '../../controller.ts';
import { currentRevision, revisionLabel, revisionsOf, surplusRevisions } from '../../history.ts';
import { queueKey, splitQueueKey } from '../../workqueue.ts';
import { availableAt } from '../replicaset/status.ts';
import { isReady, ownerOf } from '../replicaset/tally.ts';
import { byAge, isAvailable, isGoing, isNew, look, placeOn, podRequest, type Picture } from './picture.ts';
import { deleteStep, roll, surges } from './rolling.ts';

/** Upstream: pkg/controller/daemon/daemon_controller.go BurstReplicas. */
const burst = 250;

export interface DaemonSetState extends ControllerState {
  /** By set and node: failures of its pod there, for the back-off of replacing them. */
  failedPods: Record<string, { count: number; retryAt: number }>;
}

export const daemonSet: Component<DaemonSetState> = controller<DaemonSetState>({
  reportsAs: 'daemonset-controller',
  watches: [{ resource: 'daemonsets.apps' }, { resource: 'pods', controller: 'DaemonSet' }, { resource: 'nodes' }, { resource: 'controllerrevisions.apps' }],
  start: () => ({ ...createControllerState(), failedPods: {} }),
  observe,
  sync,
  build: (_state, key, { kind }, context) => (kind === 'status' ? statusRequest(key, context) : []),
  replied,
  afterFailure: (_state, _key, step, rest) => (step.kind === 'status' ? [] : rest.filter(({ kind }) => kind === 'status')),
});

function observe({ queue }: DaemonSetState, change: WatchChange, context: Context): void {
  const { object } = change;
  if (change.resource === 'daemonsets.apps') {
    if (change.type !== 'DELETED') enqueue(queue, queueKey(object), context);
  } else if (change.resource === 'nodes') {
    const { previous } = change as WatchChange<'nodes'>;
    const node = object as Node;
    const same = previous !== undefined && change.type === 'MODIFIED' && samePlain(previous.metadata.labels, node.metadata.labels) && samePlain(previous.spec, node.spec);
    if (same) return;
    for (const set of context.view.list('daemonsets.apps')) if (change.type !== 'MODIFIED' || concerns(set, previous, node)) enqueue(queue, queueKey(set), context);
  } else {
    const owner = change.resource === 'pods' ? ownerOf(object as Pod, 'DaemonSet')?.key : daemonOwner(object as ApiObject);
    if (owner !== undefined) enqueue(queue, owner, context);
  }
}

/** A node that may keep its pod but would get none any more is not looked at. Upstream: syncNodeUpdate. */
function concerns(set: DaemonSet, previous: Node | undefined, node: Node): boolean {
  if (previous === undefined) return true;
  const [before, after] = [placeOn(set, previous), placeOn(set, node)];
  return (after.should && !before.should) || (before.may && !after.may);
}

const daemonOwner = (object: ApiObject): string | undefined => {
  const owner = controllerOf(object);
  return owner?.kind === 'DaemonSet' ? `${object.metadata.namespace}/${owner.name}` : undefined;
};

function sync(state: DaemonSetState, key: string, context: Context): Step[] {
  const { namespace, name } = splitQueueKey(key);
  const set = context.view.get('daemonsets.apps', namespace, name);
  if (set === undefined) return [];
  if (set.metadata.deletionTimestamp !== undefined) return [];
  const revisions = revisionsOf(context.view, set);
  const { revision, steps } = currentRevision(set, revisions, revisionLabel);
  if (revision === undefined || steps.length > 0) return steps;
  const hash = revision.metadata.labels?.[revisionLabel] ?? '';
  const picture = look(set, hash, context);
  const changes = manage(state, key, picture, context);
  const update = changes.length > 0 || set.spec.updateStrategy?.type === 'OnDelete' ? [] : roll(picture, context);
  const status: Step = { kind: 'status', requests: [] };
  const rest = [...changes, ...update];
  const used = new Set([revision.metadata.name, ...picture.nodes.flatMap(({ pods }) => pods.map((pod) => `${name}-${pod.metadata.labels?.[revisionLabel] ?? ''}`))]);
  return [...rest, status, ...(rest.length === 0 ? surplusRevisions(set, revisions, used) : [])];
}

/** Upstream: podsShouldBeOnNode, syncNodes. */
function manage(state: DaemonSetState, key: string, picture: Picture, context: Context): Step[] {
  const create: ApiRequest[] = [];
  const remove: Pod[] = [];
  for (const { node, place, pods } of picture.nodes) {
    const { name } = node.metadata;
    const standing: Pod[] = [];
    for (const pod of pods) {
      if (isGoing(pod)) continue;
      if (pod.status.phase === 'Failed' || pod.status.phase === 'Succeeded') {
        if (place.may && mayReplace(state, key, pod, name, picture.set, context)) remove.push(pod);
      } else standing.push(pod);
    }
    const going = pods.some(isGoing);
    if (place.should && standing.length === 0 && !pods.some((pod) => !isGoing(pod)) && !going) create.push(podRequest(picture, name));
    else if (!place.may) remove.push(...standing);
    else if (place.may && standing.length > 1 && !surges(picture.set)) remove.push(...[...standing].sort(byAge).slice(1));
  }
  const steps: Step[] = remove.length === 0 ? [] : [deleteStep(remove.slice(0, burst))];
  for (let done = 0, batch = 1; done < Math.min(create.length, burst); done += batch, batch *= 2) steps.push({ kind: 'create', requests: create.slice(done, Math.min(done + batch, burst)) });
  return steps;
}

/** A pod that failed is replaced after 1 s, 2 s, 4 s, ... at most 15 minutes. */
function mayReplace({ failedPods }: DaemonSetState, key: string, pod: Pod, node: string, set: DaemonSet, context: Context): boolean {
  const place = `${key} ${node}`;
  if (pod.status.phase === 'Failed') {
    const known = failedPods[place];
    if (known !== undefined && known.retryAt > context.now) {
      enqueueAfter(key, known.retryAt - context.now, context);
      return false;
    }
    const count = (known?.count ?? 0) + 1;
    failedPods[place] = { count, retryAt: context.now + Math.min(900_000, 1000 * (1 << Math.min(count - 1, 10))) };
  }
  const word = pod.status.phase === 'Failed' ? ['Warning', 'FailedDaemonPod', 'failed', 'kill'] as const : ['Normal', 'SucceededDaemonPod', 'succeeded', 'delete'] as const;
  const { namespace, name } = pod.metadata;
  context.event({ regarding: regarding(set), type: word[0], reason: word[1], message: `Found ${word[2]} daemon pod ${namespace}/${name} on node ${node}, will try to ${word[3]} it` });
  return true;
}

/** Upstream: updateDaemonSetStatus. */
function statusRequest(key: string, context: Context): ApiRequest[] {
  const { namespace, name } = splitQueueKey(key);
  const set = context.view.get('daemonsets.apps', namespace, name);
  if (set === undefined) return [];
  const { revision } = currentRevision(set, revisionsOf(context.view, set), revisionLabel);
  const hash = revision?.metadata.labels?.[revisionLabel] ?? '';
  const counts = { desired: 0, current: 0, misscheduled: 0, ready: 0, updated: 0, available: 0 };
  let next = Infinity;
  for (const { place, pods } of look(set, hash, context).nodes) {
    if (!place.should) {
      if (pods.length > 0) counts.misscheduled++;
      continue;
    }
    counts.desired++;
    if (pods.length === 0) continue;
    counts.current++;
    const [pod] = [...pods].sort(byAge) as [Pod, ...Pod[]];
    if (isReady(pod)) {
      counts.ready++;
      if (isAvailable(pod, set, context.epochMs)) counts.available++;
      else next = Math.min(next, availableAt(pod, set.spec.minReadySeconds ?? 0) ?? Infinity);
    }
    if (isNew(pod, hash)) counts.updated++;
  }
  if (next !== Infinity) enqueueAfter(key, next - context.epochMs, context);
  const some = (field: keyof DaemonSetStatus, value: number) => (value === 0 ? {} : { [field]: value });
  const status: DaemonSetStatus = {
    currentNumberScheduled: counts.current, numberMisscheduled: counts.misscheduled, desiredNumberScheduled: counts.desired, numberReady: counts.ready,
    observedGeneration: set.metadata.generation ?? 0,
    ...some('updatedNumberScheduled', counts.updated), ...some('numberAvailable', counts.available), ...some('numberUnavailable', counts.desired - counts.available),
    ...(set.status?.collisionCount === undefined ? {} : { collisionCount: set.status.collisionCount }),
  };
  return samePlain(status, set.status) ? [] : [{ verb: 'update', resource: 'daemonsets.apps', namespace, name, subresource: 'status', object: { ...set, status } }];
}

function replied(_state: DaemonSetState, key: string, { step, request, response }: Reply, context: Context): boolean | void {
  const { namespace, name } = splitQueueKey(key);
  const set = context.view.get('daemonsets.apps', namespace, name);
  if (set === undefined || !['create', 'delete'].includes(step.kind)) return step.kind === 'trim' || (step.kind === 'revision' && response.code === 409);
  const report = (type: 'Normal' | 'Warning', reason: string, message: string) => context.event({ regarding: regarding(set), type, reason, message });
  if (step.kind === 'create') {
    if (!failed(response)) report('Normal', 'SuccessfulCreate', `Created pod: ${(response.object as ApiObject).metadata.name}`);
    else if (!namespaceTerminating(response)) report('Warning', 'FailedCreate', `Error creating: ${errorText(response)}`);
    else return true;
  } else if (!failed(response)) report('Normal', 'SuccessfulDelete', `Deleted pod: ${request.name}`);
  else if (response.code === 404) return true;
  else report('Warning', 'FailedDelete', `Error deleting: ${errorText(response)}`);
}
