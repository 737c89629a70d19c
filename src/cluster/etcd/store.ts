import { keyOf, splitKey, type ApiObject, type ObjectKey, type ObjectOf, type ResourceName } from '../../api/resources.ts';
import { assert, must } from '../../sim/assert.ts';
import { compareText, deepFreeze } from '../../sim/plain.ts';
import type { SimTime } from '../../sim/time.ts';
import { filingsOf, type IndexName } from './indexes.ts';

/** One state of one key. `object` undefined: deleted at this revision. */
export interface Version {
  revision: number;
  at: SimTime;
  /** The event in whose handling it was written, and for whom. */
  cause: number;
  actor: string;
  object: ApiObject | undefined;
}

export interface Change {
  type: 'ADDED' | 'MODIFIED' | 'DELETED';
  key: ObjectKey;
  resource: ResourceName;
  version: Version;
  /** The object before; for DELETED its last state. */
  previous: ApiObject | undefined;
}

interface Membership {
  revision: number;
  key: ObjectKey;
  added: boolean;
}

/** One filing place: who is in it now, and every coming and going, so that any past revision can be read back. */
interface Bucket {
  members: Set<ObjectKey>;
  log: Membership[];
}

/** All filing places of one resource. Found by parts, so that no text has to be put together for each look. */
interface Shelf {
  all: Bucket;
  namespaces: Map<string, Bucket>;
  indexes: Map<IndexName, Map<string, Bucket>>;
}

const none: readonly never[] = [];

const createBucket = (): Bucket => ({ members: new Set(), log: [] });
const createShelf = (): Shelf => ({ all: createBucket(), namespaces: new Map(), indexes: new Map() });

/** What stands under a key, made when it is not there yet. */
function made<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let value = map.get(key);
  if (value === undefined) map.set(key, (value = make()));
  return value;
}

/**
 * One revisioned store: each key's versions in revision order, every past state readable, objects frozen and shared between versions.
 * Upstream: etcd 3 (global revision, every write +1).
 */
export class Store {
  private versions = new Map<ObjectKey, Version[]>();
  private shelves = new Map<ResourceName, Shelf>();
  private current = 0;
  private changes: Change[] = [];

  /** The newest revision; 0 before the first write. */
  get revision(): number {
    return this.current;
  }

  get changeCount(): number {
    return this.changes.length;
  }

  /** Writes an object (metadata.resourceVersion is set here) and returns the change. */
  put(resource: ResourceName, object: ApiObject, by: { at: SimTime; cause: number; actor: string }): Change {
    const key = keyOf(resource, object.metadata.namespace, object.metadata.name);
    const revision = ++this.current;
    const stored = deepFreeze({ ...object, metadata: { ...object.metadata, resourceVersion: String(revision) } });
    return this.append(resource, key, { ...by, revision, object: stored });
  }

  remove(key: ObjectKey, by: { at: SimTime; cause: number; actor: string }): Change {
    assert(this.get(key) !== undefined, `remove of a key that is not there: ${key}`);
    return this.append(splitKey(key).resource, key, { ...by, revision: ++this.current, object: undefined });
  }

  private append(resource: ResourceName, key: ObjectKey, version: Version): Change {
    const list = this.versions.get(key);
    const previous = list?.[list.length - 1]?.object;
    if (list === undefined) this.versions.set(key, [version]);
    else list.push(version);
    const change: Change = {
      type: version.object === undefined ? 'DELETED' : previous === undefined ? 'ADDED' : 'MODIFIED',
      key,
      resource,
      version,
      previous,
    };
    this.changes.push(change);
    this.fileAway(resource, key, previous, version);
    return change;
  }

  private fileAway(resource: ResourceName, key: ObjectKey, previous: ApiObject | undefined, version: Version): void {
    const { object, revision } = version;
    const shelf = made(this.shelves, resource, createShelf);
    if (previous === undefined || object === undefined) {
      const namespace = (object ?? previous)?.metadata.namespace ?? '';
      this.move(shelf.all, key, revision, object !== undefined);
      if (namespace !== '') this.move(made(shelf.namespaces, namespace, createBucket), key, revision, object !== undefined);
    }
    for (const { index, source, values } of filingsOf(resource)) {
      if (previous !== undefined && object !== undefined && source(previous) === source(object)) continue;
      const old = previous === undefined ? none : values(previous);
      const next = object === undefined ? none : values(object);
      if (old.length + next.length === 0) continue;
      const drawer = made(shelf.indexes, index, () => new Map<string, Bucket>());
      for (const value of old) if (!next.includes(value)) this.move(made(drawer, value, createBucket), key, revision, false);
      for (const value of next) if (!old.includes(value)) this.move(made(drawer, value, createBucket), key, revision, true);
    }
  }

  private move(bucket: Bucket, key: ObjectKey, revision: number, added: boolean): void {
    if (bucket.members.has(key) === added) return;
    if (added) bucket.members.add(key);
    else bucket.members.delete(key);
    bucket.log.push({ revision, key, added });
  }

  /** The object as of a revision (default: newest). */
  get(key: ObjectKey, revision = this.current): ApiObject | undefined {
    return this.versionAt(key, revision)?.object;
  }

  /** The version that a revision sees; it may be a deletion. */
  versionAt(key: ObjectKey, revision = this.current): Version | undefined {
    const list = this.versions.get(key);
    if (list === undefined) return undefined;
    const newest = list[list.length - 1] as Version;
    if (newest.revision <= revision) return newest;
    let low = 0;
    let high = list.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((list[middle] as Version).revision <= revision) low = middle + 1;
      else high = middle;
    }
    return low === 0 ? undefined : list[low - 1];
  }

  /** All states a key ever had, oldest first. */
  versionsOf(key: ObjectKey): readonly Version[] {
    return this.versions.get(key) ?? [];
  }

  private membersAt(bucket: Bucket | undefined, revision: number): Iterable<ObjectKey> {
    if (bucket === undefined) return none;
    const { log, members } = bucket;
    if (log.length === 0 || (log[log.length - 1] as Membership).revision <= revision) return members;
    const then = new Set(members);
    for (let i = log.length - 1; i >= 0 && (log[i] as Membership).revision > revision; i--) {
      const { key, added } = log[i] as Membership;
      if (added) then.delete(key);
      else then.add(key);
    }
    return then;
  }

  private read<R extends ResourceName>(bucket: Bucket | undefined, revision: number): ObjectOf<R>[] {
    const result: ObjectOf<R>[] = [];
    for (const key of this.membersAt(bucket, revision)) {
      const object = this.get(key, revision);
      if (object !== undefined) result.push(object as ObjectOf<R>);
    }
    return result;
  }

  private placeOf(resource: ResourceName, namespace: string | undefined): Bucket | undefined {
    const shelf = this.shelves.get(resource);
    return namespace === undefined || namespace === '' ? shelf?.all : shelf?.namespaces.get(namespace);
  }

  /** All objects of a resource, in one namespace if given, ordered by key as etcd lists them. */
  list<R extends ResourceName>(resource: R, namespace?: string, revision = this.current): ObjectOf<R>[] {
    return this.read<R>(this.placeOf(resource, namespace), revision).sort((a, b) => {
      const left = (a as ApiObject).metadata;
      const right = (b as ApiObject).metadata;
      return compareText(left.namespace ?? '', right.namespace ?? '') || compareText(left.name, right.name);
    });
  }

  /** How many objects a resource has (in a namespace if given), without reading them. */
  count(resource: ResourceName, namespace?: string): number {
    return this.placeOf(resource, namespace)?.members.size ?? 0;
  }

  /** The objects filed under a value of an index, in the order in which they were filed. */
  by<R extends ResourceName>(resource: R, index: IndexName, value: string, revision = this.current): ObjectOf<R>[] {
    return this.read<R>(this.shelves.get(resource)?.indexes.get(index)?.get(value), revision);
  }

  /** The change at a position of the log. */
  changeAt(position: number): Change {
    return must(this.changes[position], `no change at ${position}`);
  }

  /** The changes from position `from` of the log on (position = number of changes before). */
  changesFrom(from: number): readonly Change[] {
    return from === 0 ? this.changes : this.changes.slice(from);
  }

  /** Position in the change log of the first change after a time. */
  changesUntil(at: SimTime): number {
    let low = 0;
    let high = this.changes.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.changes[middle] as Change).version.at <= at) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The newest revision written at or before a time. */
  revisionAt(at: SimTime): number {
    const position = this.changesUntil(at);
    return position === 0 ? 0 : (this.changes[position - 1] as Change).version.revision;
  }

  checkpoint(): number {
    return this.changes.length;
  }

  /** Takes over the first `position` changes of another store. */
  adopt(other: Store, position: number): void {
    this.changes = other.changes.slice(0, position);
    this.restore(position);
  }

  /** Goes back to an earlier position: what was written after it is forgotten, as if it never was. */
  restore(saved: unknown): void {
    const position = saved as number;
    const kept = this.changes.slice(0, position);
    this.versions = new Map();
    this.shelves = new Map();
    this.changes = [];
    this.current = 0;
    for (const change of kept) {
      this.current = change.version.revision;
      this.append(change.resource, change.key, change.version);
    }
  }
}
