import type { ObjectOf, ResourceName } from '../api/resources.ts';
import type { Pod } from '../api/schema/types.ts';
import type { SimTime } from '../sim/time.ts';
import type { Component, Subscription, WatchChange } from './component.ts';
import type { Change, Store } from './etcd/store.ts';

/** What one component has seen and what is on its way to it. Plain data. */
export interface WatcherState {
  /** The informer cache as one integer: the revision of the last change delivered. */
  seen: number;
  /** Positions in the store's change log, and when each arrives; both ascending. */
  pending: number[];
  dueAt: SimTime[];
  /** Cut off: nothing arrives until the network is back, then everything does. */
  held: boolean;
}

export type WatchState = Record<string, WatcherState>;

/** Who follows what, as a table that never changes while a component lives. */
export interface WatchRoutes {
  byResource: Map<ResourceName, string[]>;
  podsByNode: Map<string, string[]>;
  /** Who wants only pods of one kind of owner. */
  controllers: { watcher: string; kind: string }[];
  /** By node and owner's kind: all whom such pods concern, put together when first asked for. */
  ofPods: Map<string, Map<string, readonly string[]>>;
}

export const createRoutes = (): WatchRoutes => ({ byResource: new Map(), podsByNode: new Map(), controllers: [], ofPods: new Map() });

function addTo<K>(map: Map<K, string[]>, key: K, watcher: string): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [watcher]);
  else list.push(watcher);
}

export function addRoutes(routes: WatchRoutes, watcher: string, watches: readonly Subscription[]): void {
  routes.ofPods.clear();
  for (const { resource, node, controller } of watches) {
    if (node !== undefined) addTo(routes.podsByNode, node, watcher);
    else if (controller !== undefined) routes.controllers.push({ watcher, kind: controller });
    else addTo(routes.byResource, resource, watcher);
  }
}

/** The watchers that a change concerns. A pod that moves to a node concerns that node's kubelet from then on. */
export function watchersOf(routes: WatchRoutes, change: Change): readonly string[] {
  if (change.resource !== 'pods') return routes.byResource.get(change.resource) ?? [];
  const pod = (change.version.object ?? change.previous) as Pod;
  const node = pod.spec.nodeName ?? '';
  // A pod that is let go still concerns the kind that had it.
  const kind = controllerKind(pod) || (change.previous === undefined ? '' : controllerKind(change.previous as Pod));
  let ofNode = routes.ofPods.get(node);
  if (ofNode === undefined) routes.ofPods.set(node, (ofNode = new Map()));
  let all = ofNode.get(kind);
  if (all === undefined) ofNode.set(kind, (all = podWatchers(routes, node, kind)));
  return all;
}

function controllerKind({ metadata }: Pod): string {
  const owners = metadata.ownerReferences;
  if (owners !== undefined) for (const owner of owners) if (owner.controller === true) return owner.kind;
  return '';
}

function podWatchers(routes: WatchRoutes, node: string, kind: string): string[] {
  const own = routes.controllers.filter((entry) => kind === '' || entry.kind === kind).map((entry) => entry.watcher);
  return [...(routes.byResource.get('pods') ?? []), ...own, ...(node === '' ? [] : (routes.podsByNode.get(node) ?? []))];
}

const createWatcher = (): WatcherState => ({ seen: 0, pending: [], dueAt: [], held: false });

/**
 * Puts a change on its way. Returns when to wake the watcher, or undefined if it is to be woken before that anyway (or is cut off).
 * Order is kept: a later change never overtakes an earlier one.
 */
export function enqueueChange(state: WatchState, watcher: string, position: number, arrivesAt: SimTime): SimTime | undefined {
  const own = (state[watcher] ??= createWatcher());
  const last = own.dueAt[own.dueAt.length - 1] ?? 0;
  const dueAt = Math.max(last, arrivesAt);
  own.pending.push(position);
  own.dueAt.push(dueAt);
  return own.pending.length === 1 && !own.held ? dueAt : undefined;
}

/** Takes what has arrived by now; `wakeAt`: when the next is due. */
export function takeArrived(state: WatchState, watcher: string, store: Store, now: SimTime, component: Component<never>): { changes: WatchChange[]; wakeAt?: SimTime } {
  const own = state[watcher];
  if (own === undefined || own.held) return { changes: [] };
  let count = 0;
  while (count < own.pending.length && (own.dueAt[count] as SimTime) <= now) count++;
  const positions = take(own, count);
  const onlyNode = nodeOf(component);
  const changes: WatchChange[] = [];
  for (const position of positions) {
    const change = store.changeAt(position);
    own.seen = change.version.revision;
    changes.push(toWatchChange(change, onlyNode));
  }
  const next = own.dueAt[0];
  return next === undefined ? { changes } : { changes, wakeAt: next + (component.patienceMs ?? 0) };
}

/** Mostly all that is under way has arrived. */
function take(own: WatcherState, count: number): number[] {
  if (count < own.pending.length) {
    own.dueAt.splice(0, count);
    return own.pending.splice(0, count);
  }
  const { pending } = own;
  own.pending = [];
  own.dueAt = [];
  return pending;
}

function nodeOf({ watches }: Component<never>): string | undefined {
  for (const { resource, node } of watches) if (resource === 'pods') return node;
  return undefined;
}

function toWatchChange(change: Change, onlyNode: string | undefined): WatchChange {
  const object = (change.version.object ?? change.previous) as ObjectOf<ResourceName>;
  const { previous } = change;
  if (change.type !== 'MODIFIED' || previous === undefined) return { type: change.type, resource: change.resource, object };
  if (change.resource === 'pods' && onlyNode !== undefined && (previous as Pod).spec.nodeName !== onlyNode) {
    return { type: 'ADDED', resource: change.resource, object };
  }
  return { type: 'MODIFIED', resource: change.resource, object, previous: previous as ObjectOf<ResourceName> };
}

/** Cuts a watcher off, or lets it catch up: then it is woken at the returned time with all that it missed. */
export function holdWatcher(state: WatchState, watcher: string, held: boolean, now: SimTime): SimTime | undefined {
  const own = (state[watcher] ??= createWatcher());
  own.held = held;
  if (held || own.pending.length === 0) return undefined;
  own.dueAt = own.dueAt.map((dueAt) => Math.max(dueAt, now));
  return now;
}
