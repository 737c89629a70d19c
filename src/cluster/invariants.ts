import { keyOf, splitKey, type ApiObject, type ObjectKey } from '../api/resources.ts';
import type { EndpointSlice, Pod } from '../api/schema/types.ts';
import { samePlain } from '../sim/plain.ts';
import { parseRfc3339, type SimTime } from '../sim/time.ts';
import type { Cluster } from './cluster.ts';
import type { RuntimeState } from './container-runtime/state.ts';
import { filingsOf, type IndexName } from './etcd/indexes.ts';
import type { Change } from './etcd/store.ts';
import { checkChange } from './invariants-of-changes.ts';
import { checkNode, type Addresses } from './invariants-of-nodes.ts';
import type { KubeletState } from './kubelet/state.ts';

/** From the end of its grace to the day a pod must be gone: a relist, the clean-up, the last status. */
const goneMarginMs = 90_000;
/** For how long a container may outlive its pod. */
const orphanMs = 120_000;
/** How far an EndpointSlice may lag behind its pods. */
const endpointLagMs = 5000;
const slowCheckEveryMs = 10_000;

interface Memory {
  position: number;
  revision: number;
  /** Every uid ever given -> the key that had it. */
  uids: Map<string, ObjectKey>;
  /** Pods on their way out -> when they must be gone, or undefined while something keeps them. */
  leaving: Map<ObjectKey, SimTime>;
  goneAt: Map<string, SimTime>;
  /** By node, when its kubelet was last seen out of action. */
  outAt: Map<string, SimTime>;
  addresses: Addresses;
  slowAt: SimTime;
}

const memories = new WeakMap<Cluster, Memory>();

/** What must hold after every event. Says what does not; looks only at what changed since it was last asked of this cluster. */
export function checkInvariants(cluster: Cluster): string[] {
  let memory = memories.get(cluster);
  if (memory === undefined) memories.set(cluster, (memory = { position: 0, revision: 0, uids: new Map(), leaving: new Map(), goneAt: new Map(), outAt: new Map(), addresses: new Map(), slowAt: 0 }));
  const broken: string[] = [];
  const { store, simulation } = cluster;
  for (; memory.position < store.changeCount; memory.position++) {
    const change = store.changeAt(memory.position);
    checkIdentity(memory, change, broken);
    checkFiling(cluster, change, broken);
    checkChange(change, broken);
    checkNode(cluster, memory.addresses, change, broken);
    follow(cluster, memory, change);
  }
  if (simulation.now >= memory.slowAt) {
    memory.slowAt = simulation.now + slowCheckEveryMs;
    checkLeaving(cluster, memory, broken);
    checkRuntimes(cluster, memory, broken);
    checkEndpoints(cluster, memory, broken);
    checkQueue(cluster, broken);
  }
  return broken;
}

/** The whole state is what JSON can hold, and the store's indexes say what a scan says. For the end of a run: it looks at everything. */
export function checkWhole(cluster: Cluster): string[] {
  const broken: string[] = [];
  const { store } = cluster;
  notPlain(cluster.simulation.checkpoint(), 'state', broken);
  const latest = new Map<ObjectKey, ApiObject | undefined>();
  for (const { key, version } of store.changesFrom(0)) latest.set(key, version.object);
  const expected = new Map<string, Set<ObjectKey>>();
  for (const [key, object] of latest) {
    if (object === undefined) continue;
    for (const { index, values } of filingsOf(splitKey(key).resource)) {
      for (const value of values(object)) {
        const place = JSON.stringify([splitKey(key).resource, index, value]);
        expected.set(place, (expected.get(place) ?? new Set()).add(key));
      }
    }
  }
  for (const [place, keys] of expected) {
    const [resource, index, value] = JSON.parse(place) as [Change['resource'], IndexName, string];
    const found = store.by(resource, index, value).map((object) => keyOf(resource, object.metadata.namespace, object.metadata.name));
    if (found.length !== keys.size || found.some((key) => !keys.has(key))) broken.push(`index ${place} has ${found.join(' ')}, a scan finds ${[...keys].join(' ')}`);
  }
  return broken;
}

function checkIdentity(memory: Memory, { type, key, version, previous }: Change, broken: string[]): void {
  const { revision, object } = version;
  if (revision <= memory.revision) broken.push(`${key}: revision ${revision} after ${memory.revision}`);
  memory.revision = revision;
  if (object === undefined) return;
  const { uid, resourceVersion, ownerReferences = [] } = object.metadata;
  if (resourceVersion !== String(revision)) broken.push(`${key}: resourceVersion ${resourceVersion} at revision ${revision}`);
  if (type === 'ADDED') {
    const holder = memory.uids.get(uid);
    if (holder !== undefined) broken.push(`${key}: uid ${uid} was already given to ${holder}`);
    memory.uids.set(uid, key);
  } else if (previous?.metadata.uid !== uid) {
    broken.push(`${key}: uid changed from ${previous?.metadata.uid ?? ''} to ${uid}`);
  }
  if (ownerReferences.filter((owner) => owner.controller === true).length > 1) broken.push(`${key}: more than one controller among its owners`);
}

/** The object stands where its indexes say, and nowhere it was before. */
function checkFiling({ store }: Cluster, { key, resource, version, previous }: Change, broken: string[]): void {
  // Only the newest state of a key is filed now.
  if (store.versionAt(key)?.revision !== version.revision) return;
  const isIn = (index: IndexName, value: string) =>
    store.by(resource, index, value).some((object) => object.metadata.name === splitKey(key).name && (object.metadata.namespace ?? '') === splitKey(key).namespace);
  for (const { index, source, values } of filingsOf(resource)) {
    const now = version.object === undefined ? [] : values(version.object);
    const before = previous === undefined ? [] : values(previous);
    if (version.object !== undefined && previous !== undefined && samePlain(source(version.object), source(previous))) continue;
    for (const value of now) if (!isIn(index, value)) broken.push(`${key}: not in index ${index}=${value}`);
    for (const value of before) if (!now.includes(value) && isIn(index, value)) broken.push(`${key}: still in index ${index}=${value}`);
  }
}

function follow(cluster: Cluster, memory: Memory, { key, resource, version, previous }: Change): void {
  if (resource !== 'pods') return;
  const pod = version.object as Pod | undefined;
  if (pod === undefined) {
    memory.leaving.delete(key);
    if (previous !== undefined) memory.goneAt.set(previous.metadata.uid, version.at);
  } else if (pod.metadata.deletionTimestamp !== undefined) {
    const endsAt = (parseRfc3339(pod.metadata.deletionTimestamp) ?? 0) - cluster.options.epochMs;
    memory.leaving.set(key, endsAt + goneMarginMs);
  }
}

const kubeletOf = (cluster: Cluster, node: string) => cluster.simulation.stateOf<KubeletState>(`kubelet/${node}`);

function checkLeaving(cluster: Cluster, memory: Memory, broken: string[]): void {
  const { now } = cluster.simulation;
  for (const [key, goneBy] of memory.leaving) {
    const pod = cluster.store.get(key) as Pod;
    const kubelet = kubeletOf(cluster, pod.spec.nodeName ?? '');
    // Nobody to end it, or something that holds it: the count begins anew when that is over.
    if ((pod.metadata.finalizers ?? []).length > 0 || kubelet === undefined || kubelet.stopped || kubelet.cutOff) memory.leaving.set(key, Math.max(goneBy, now + goneMarginMs));
    else if (now > goneBy) broken.push(`${key}: deleted at ${pod.metadata.deletionTimestamp ?? ''}, still there`);
  }
}

function checkRuntimes(cluster: Cluster, memory: Memory, broken: string[]): void {
  const { now } = cluster.simulation;
  for (const { name } of cluster.nodes) {
    const state = cluster.simulation.stateOf<RuntimeState>(`container-runtime/${name}`);
    const kubelet = kubeletOf(cluster, name);
    if (state === undefined || kubelet === undefined) continue;
    if (kubelet.stopped || kubelet.cutOff) memory.outAt.set(name, now);
    const outAt = memory.outAt.get(name) ?? 0;
    for (const [id, { status: { podUid } }] of Object.entries(state.containers)) {
      const goneAt = memory.goneAt.get(podUid);
      if (goneAt !== undefined && now - Math.max(goneAt, outAt) > orphanMs) broken.push(`node ${name}: container ${id.slice(0, 8)} of pod ${podUid}, which is gone since ${goneAt}`);
    }
  }
}

function checkEndpoints(cluster: Cluster, memory: Memory, broken: string[]): void {
  const { store, simulation } = cluster;
  for (const slice of store.list('endpointslices.discovery.k8s.io')) {
    for (const { targetRef, addresses } of (slice as EndpointSlice).endpoints ?? []) {
      if (targetRef?.kind !== 'Pod') continue;
      const pod = store.get(keyOf('pods', slice.metadata.namespace, targetRef.name ?? '')) as Pod | undefined;
      const goneAt = memory.goneAt.get(targetRef.uid ?? '');
      if (goneAt !== undefined && simulation.now - goneAt > endpointLagMs) broken.push(`endpointslice ${slice.metadata.name}: pod ${targetRef.name ?? ''} is gone since ${goneAt}`);
      if (pod?.metadata.uid === targetRef.uid && pod?.status.podIP !== undefined && !addresses.includes(pod.status.podIP)) {
        const changedAt = store.versionAt(keyOf('pods', slice.metadata.namespace, targetRef.name ?? ''))?.at ?? 0;
        if (simulation.now - changedAt > endpointLagMs) broken.push(`endpointslice ${slice.metadata.name}: ${addresses.join()} is not the address of ${targetRef.name ?? ''}`);
      }
    }
  }
}

/** Timers may be set anew at will, but what was set before must not pile up. */
function checkQueue(cluster: Cluster, broken: string[]): void {
  const { heap } = cluster.simulation.checkpoint().queue;
  const objects = cluster.nodes.length + cluster.store.count('pods') + cluster.store.count('jobs.batch') + cluster.store.count('deployments.apps');
  if (heap.length > 200 + 40 * objects) broken.push(`the queue holds ${heap.length} events for ${objects} objects: ${mostOf(heap.map((event) => `${event.to} ${event.kind}`))}`);
}

function mostOf(words: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1]).slice(0, 4).map(([word, count]) => `${count} x ${word}`).join(', ');
}

function notPlain(value: unknown, path: string, broken: string[]): void {
  if (broken.length > 20 || value === null || typeof value === 'string' || typeof value === 'boolean') return;
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) broken.push(`${path} is ${value}`);
  } else if (typeof value !== 'object') {
    // A key without a value is lost in a copy as JSON, and so is one that was never there.
    if (value !== undefined) broken.push(`${path} is a ${typeof value}`);
  } else if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) notPlain(value[i], `${path}[${i}]`, broken);
  } else if (Object.getPrototypeOf(value) !== Object.prototype && Object.getPrototypeOf(value) !== null) {
    broken.push(`${path} is an instance of ${String((value as object).constructor.name)}`);
  } else {
    for (const [key, item] of Object.entries(value)) notPlain(item, `${path}.${key}`, broken);
  }
}

