import { keyOf, resourceOfKind, resources, splitKey, type ApiObject, type ResourceName } from '../../../../api/resources.ts';
import type { OwnerReference } from '../../../../api/schema/types.ts';
import { samePlain } from '../../../../sim/plain.ts';
import type { ApiRequest, Component, Context, View, WatchChange } from '../../../component.ts';
import { controller, createControllerState, enqueue, type ControllerState, type Step } from '../../controller.ts';

/** Written all the time by every node, and never an owner: found in the index when their owner goes. */
const unwatched: readonly ResourceName[] = ['events', 'leases.coordination.k8s.io'];
const watched = resources.map(({ resource }) => resource).filter((resource) => !unwatched.includes(resource));
const withOwners = resources.map(({ resource }) => resource).filter((resource) => resource !== 'events');

/**
 * Deletes what has lost its owners, and carries out foreground and orphaning deletions. The graph is the store's own index of owners.
 * Upstream: pkg/controller/garbagecollector.
 */
export const garbageCollector: Component<ControllerState> = controller<ControllerState>({
  reportsAs: 'garbage-collector',
  watches: watched.map((resource) => ({ resource })),
  start: createControllerState,
  observe,
  sync,
  replied: (_state, _key, { response }) => response.code === 404,
});

const finalizersOf = ({ metadata }: ApiObject): readonly string[] => metadata.finalizers ?? [];
const isGoing = ({ metadata }: ApiObject): boolean => metadata.deletionTimestamp !== undefined;
const waitsForDependents = (object: ApiObject): boolean => isGoing(object) && finalizersOf(object).includes('foregroundDeletion');
const orphansDependents = (object: ApiObject): boolean => isGoing(object) && finalizersOf(object).includes('orphan');
const keyFor = (resource: ResourceName, { metadata }: ApiObject): string => keyOf(resource, metadata.namespace, metadata.name);

function observe({ queue }: ControllerState, { type, resource, object, previous }: WatchChange, context: Context): void {
  const own = object as ApiObject;
  if (type === 'DELETED') {
    for (const [kind, dependent] of dependentsOf(context.live, own.metadata.uid)) enqueue(queue, keyFor(kind, dependent), context);
    // An owner that waits for this one may go now.
    for (const owner of own.metadata.ownerReferences ?? []) {
      const found = ownerObject(context.live, own, owner);
      if (found !== undefined && waitsForDependents(found.object)) enqueue(queue, keyFor(found.resource, found.object), context);
    }
    return;
  }
  const before = previous as ApiObject | undefined;
  const concerned = waitsForDependents(own) || orphansDependents(own);
  if (concerned && (before === undefined || before.metadata.deletionTimestamp !== own.metadata.deletionTimestamp || !samePlain(before.metadata.finalizers, own.metadata.finalizers))) {
    enqueue(queue, keyFor(resource, own), context);
  }
  const owners = own.metadata.ownerReferences;
  if (owners === undefined || owners.length === 0 || (before !== undefined && samePlain(before.metadata.ownerReferences, owners))) return;
  if (owners.some((owner) => ownerObject(context.view, own, owner) === undefined)) enqueue(queue, keyFor(resource, own), context);
}

function* dependentsOf(view: View, uid: string): Iterable<[ResourceName, ApiObject]> {
  for (const resource of withOwners) for (const object of view.by(resource, 'owner', uid)) yield [resource, object as ApiObject];
}

function ownerObject(view: View, dependent: ApiObject, owner: OwnerReference): { resource: ResourceName; object: ApiObject } | undefined {
  const info = resourceOfKind(owner.apiVersion, owner.kind);
  if (info === undefined) return undefined;
  const object = view.get(info.resource, info.namespaced ? dependent.metadata.namespace : undefined, owner.name) as ApiObject | undefined;
  return object?.metadata.uid === owner.uid ? { resource: info.resource, object } : undefined;
}

/** Upstream: attemptToDeleteItem, attemptToOrphan, processDeletingDependentsItem. */
function sync({ queue }: ControllerState, key: string, context: Context): Step[] {
  const { resource, namespace, name } = splitKey(key);
  const object = context.live.get(resource, namespace === '' ? undefined : namespace, name) as ApiObject | undefined;
  if (object === undefined) return [];
  if (orphansDependents(object)) return orphan(resource, object, context.live);
  if (waitsForDependents(object)) return waitForDependents(resource, object, queue, context);
  if (isGoing(object)) return [];
  return deleteIfUnowned(resource, object, context.live);
}

function orphan(resource: ResourceName, object: ApiObject, live: View): Step[] {
  const requests = [...dependentsOf(live, object.metadata.uid)].map(([kind, dependent]) => withoutOwners(kind, dependent, new Set([object.metadata.uid])));
  const steps: Step[] = requests.length === 0 ? [] : [{ kind: 'orphan', requests }];
  return [...steps, { kind: 'finalizer', requests: [withoutFinalizer(resource, object, 'orphan')] }];
}

function waitForDependents(resource: ResourceName, object: ApiObject, queue: ControllerState['queue'], context: Context): Step[] {
  const blocking = [...dependentsOf(context.live, object.metadata.uid)].filter(([, { metadata }]) => (
    metadata.ownerReferences?.some((owner) => owner.uid === object.metadata.uid && owner.blockOwnerDeletion === true)
  ));
  if (blocking.length === 0) return [{ kind: 'finalizer', requests: [withoutFinalizer(resource, object, 'foregroundDeletion')] }];
  for (const [kind, dependent] of blocking) if (!isGoing(dependent)) enqueue(queue, keyFor(kind, dependent), context);
  return [];
}

function deleteIfUnowned(resource: ResourceName, object: ApiObject, live: View): Step[] {
  const owners = object.metadata.ownerReferences ?? [];
  if (owners.length === 0) return [];
  const unsolid = new Set<string>();
  let waiting = false;
  for (const owner of owners) {
    const found = ownerObject(live, object, owner);
    if (found !== undefined && !waitsForDependents(found.object)) continue;
    unsolid.add(owner.uid);
    if (found !== undefined) waiting = true;
  }
  if (unsolid.size < owners.length) return unsolid.size === 0 ? [] : [{ kind: 'owners', requests: [withoutOwners(resource, object, unsolid)] }];
  const has = (finalizer: string) => finalizersOf(object).includes(finalizer);
  const parent = waiting && [...dependentsOf(live, object.metadata.uid)].length > 0;
  const propagationPolicy = parent ? 'Foreground' : has('orphan') ? 'Orphan' : has('foregroundDeletion') ? 'Foreground' : 'Background';
  return [{ kind: 'delete', requests: [{ verb: 'delete', ...target(resource, object), options: { propagationPolicy, preconditions: { uid: object.metadata.uid } } }] }];
}

const target = (resource: ResourceName, { metadata: { namespace, name } }: ApiObject) => ({ resource, name, ...(namespace === undefined ? {} : { namespace }) });

function withoutOwners(resource: ResourceName, object: ApiObject, uids: ReadonlySet<string>): ApiRequest {
  const kept = (object.metadata.ownerReferences ?? []).filter(({ uid }) => !uids.has(uid));
  return { verb: 'patch', ...target(resource, object), patch: { type: 'merge', body: { metadata: { uid: object.metadata.uid, ownerReferences: kept.length === 0 ? null : kept } } } };
}

function withoutFinalizer(resource: ResourceName, object: ApiObject, finalizer: string): ApiRequest {
  const kept = finalizersOf(object).filter((name) => name !== finalizer);
  const { resourceVersion } = object.metadata;
  return { verb: 'patch', ...target(resource, object), patch: { type: 'merge', body: { metadata: { resourceVersion, finalizers: kept.length === 0 ? null : kept } } } };
}
