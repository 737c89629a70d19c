import { splitKey, type ApiObject, type ObjectKey, type ResourceName } from '../../api/resources.ts';
import type { Endpoint, EndpointSlice, Event, Pod } from '../../api/schema/types.ts';
import type { Change } from '../../cluster/etcd/store.ts';
import type { SimTime } from '../../sim/time.ts';
import type { Answers, Message, Question } from '../protocol.ts';
import { changedFields } from './changed-fields.ts';
import type { Run } from './run.ts';

type Asked = Extract<Question, { about: 'messages' }>;

/** A message that is in the window, not yet in words: most of many are never told. */
interface Found {
  sentAt: SimTime;
  receivedAt: SimTime;
  tell(): Message;
}

const server = 'kube-apiserver';
const manager = 'kube-controller-manager';
const lease = 'leases.coordination.k8s.io';

/** The messages of a window of time, from the log of the run and its store. */
export function messagesBetween(run: Run, asked: Asked): Answers['messages'] {
  const { beginAt } = run.messages;
  const search = new Search(run, { ...asked, from: Math.max(asked.from, beginAt) });
  search.writes();
  search.deliveries();
  search.exchanges();
  const { found } = search;
  const messages = nearest(found, asked.around, asked.limit)
    .sort((a, b) => a.sentAt - b.sentAt || a.receivedAt - b.receivedAt)
    .map((item) => item.tell());
  return { messages, total: found.length, beginAt };
}

/** The `limit` messages nearest to a moment: the widest distance that has no more, found by halving. */
function nearest(found: readonly Found[], around: SimTime, limit: number): Found[] {
  if (found.length <= limit) return [...found];
  const distance = ({ sentAt, receivedAt }: Found) => (around < sentAt ? sentAt - around : Math.max(0, around - receivedAt));
  let [low, high] = [0, 1];
  const within = (radius: number) => found.reduce((count, item) => count + (distance(item) <= radius ? 1 : 0), 0);
  while (within(high) < limit) high *= 2;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (within(middle) <= limit) low = middle;
    else high = middle - 1;
  }
  return found.filter((item) => distance(item) <= low).slice(0, limit);
}

class Search {
  readonly found: Found[] = [];
  private readonly run: Run;
  private readonly asked: Asked;
  private readonly writers: ReadonlySet<string>;

  constructor(run: Run, asked: Asked) {
    this.run = run;
    this.asked = asked;
    this.writers = writersOf(run, asked.podUid);
  }

  /** The writes of one event, which all have its time. */
  private writesOf(seq: number, at: SimTime): Change[] {
    const { store } = this.run.cluster;
    const writes: Change[] = [];
    for (let i = store.changesUntil(at - 1); i < store.changeCount; i++) {
      const change = store.changeAt(i);
      if (change.version.at > at) break;
      if (change.version.cause === seq) writes.push(change);
    }
    return writes;
  }

  private in(sentAt: SimTime, receivedAt: SimTime): boolean {
    return receivedAt >= this.asked.from && sentAt <= this.asked.until;
  }

  private hides(resource: string): boolean {
    return (resource === lease && !this.asked.leases) || (resource === 'events' && !this.asked.events);
  }

  private wants(change: Change): boolean {
    return this.asked.podUid === undefined || concerns(change, this.asked.podUid);
  }

  /** What the API server wrote. Simplified: etcd has it within the same millisecond. */
  writes(): void {
    const { store } = this.run.cluster;
    const last = store.changesUntil(this.asked.until);
    for (let i = store.changesUntil(this.asked.from - 1); i < last; i++) {
      const change = store.changeAt(i);
      const { at, actor, object } = change.version;
      if (actor === 'boot' || this.hides(change.resource) || !this.wants(change)) continue;
      this.found.push({ sentAt: at, receivedAt: at, tell: () => ({ id: `e${change.version.revision}`, kind: 'put', from: server, to: 'etcd', sentAt: at, receivedAt: at, verb: object === undefined ? 'delete' : 'put', ...about(change) }) });
    }
  }

  deliveries(): void {
    const { deliveries: rows, deliveriesCut } = this.run.messages;
    const { store } = this.run.cluster;
    const listed = new Set<string>();
    const told = new Set<number>();
    for (let i = 0; i < rows.at.length; i++) {
      const receivedAt = rows.at[i] as SimTime;
      if (receivedAt < this.asked.from) continue;
      const change = store.changeAt(rows.position[i] as number);
      const { at: sentAt, actor } = change.version;
      if (!this.in(sentAt, receivedAt)) continue;
      const to = this.receiver(rows.to[i] as string);
      const id = `w${deliveriesCut + i}`;
      if (actor === 'boot') {
        if (listed.has(to) || this.asked.podUid !== undefined) continue;
        listed.add(to);
        this.found.push({ sentAt, receivedAt, tell: () => ({ id, kind: 'list', from: server, to, sentAt, receivedAt, verb: 'list' }) });
      } else if (!this.hides(change.resource) && this.wants(change) && !(to === manager && told.has(change.version.revision))) {
        if (to === manager) told.add(change.version.revision);
        this.found.push({ sentAt, receivedAt, tell: () => ({ id, kind: 'watch', from: server, to, sentAt, receivedAt, verb: watchType(change, to), ...about(change) }) });
      }
    }
  }

  /**
   * Controllers that never write about what was asked for are one receiver: the process that they run in.
   * Upstream: cmd/kube-controller-manager: one shared informer factory, one watch a resource.
   */
  private receiver(to: string): string {
    return this.writers.has(to) || to.startsWith('kubelet/') || to === 'kube-scheduler' ? to : manager;
  }

  exchanges(): void {
    const { exchanges: rows } = this.run.messages;
    for (let i = 0; i < rows.at.length; i++) {
      const replyAt = rows.replyAt[i] as SimTime;
      const [there, back] = [this.in(rows.sentAt[i] as SimTime, rows.at[i] as SimTime), replyAt >= 0 && this.in(rows.replySentAt[i] as SimTime, replyAt)];
      if (!there && !back) continue;
      const kind = rows.kind[i];
      if (kind === 'request') this.request(i, there, back);
      else if (kind === 'cri') this.call(i, there, back);
      else this.command(i);
    }
  }

  private request(i: number, there: boolean, back: boolean): void {
    const { exchanges: rows, exchangesCut } = this.run.messages;
    const resource = rows.resource[i] as ResourceName;
    if (this.hides(resource)) return;
    const [seq, at] = [rows.seq[i] as number, rows.at[i] as SimTime];
    const key: ObjectKey = `${resource}/${rows.namespace[i] as string}/${rows.name[i] as string}`;
    const writes = this.writesOf(seq, at);
    const change = writes.find((write) => write.resource === resource && (rows.name[i] === '' || write.key === key)) ?? writes.find((write) => write.resource === resource);
    const { podUid } = this.asked;
    if (podUid !== undefined && !(change === undefined ? this.isPod(resource, key, at, podUid) : this.wants(change))) return;
    const [from, to, sentAt, subresource, code] = [rows.from[i] as string, rows.to[i] as string, rows.sentAt[i] as SimTime, rows.subresource[i] as string, rows.code[i] as number];
    const id = `c${exchangesCut + i}`;
    const said = () => ({
      verb: rows.verb[i] as string, resource, ...(rows.namespace[i] === '' ? {} : { namespace: rows.namespace[i] as string }), ...(rows.name[i] === '' ? {} : { name: rows.name[i] as string }),
      ...(podUid === undefined || resource !== 'pods' ? {} : { podUid }), ...(change === undefined ? {} : about(change)), ...(subresource === '' ? {} : { subresource }), ...(code < 0 ? {} : { code }),
    });
    if (there) this.found.push({ sentAt, receivedAt: at, tell: () => ({ id, kind: 'request', from, to, sentAt, receivedAt: at, ...said() }) });
    if (!back) return;
    const [replySentAt, replyAt, text] = [rows.replySentAt[i] as SimTime, rows.replyAt[i] as SimTime, rows.text[i] as string];
    this.found.push({
      sentAt: replySentAt, receivedAt: replyAt,
      tell: () => ({ id: `r${exchangesCut + i}`, kind: 'response', from: to, to: from, sentAt: replySentAt, receivedAt: replyAt, ...said(), answers: id, detail: text }),
    });
  }

  /** A request that wrote nothing is about the pod if the pod had that name then. */
  private isPod(resource: ResourceName, key: ObjectKey, at: SimTime, podUid: string): boolean {
    const { store } = this.run.cluster;
    return resource === 'pods' && store.get(key, store.revisionAt(at))?.metadata.uid === podUid;
  }

  private call(i: number, there: boolean, back: boolean): void {
    const { exchanges: rows, exchangesCut, owners } = this.run.messages;
    const owner = owners.get(rows.subject[i] as string);
    const podUid = owner?.podUid ?? (rows.subject[i] as string);
    if (this.asked.podUid !== undefined && this.asked.podUid !== podUid) return;
    const [from, to, sentAt, at, verb, code] = [rows.from[i] as string, rows.to[i] as string, rows.sentAt[i] as SimTime, rows.at[i] as SimTime, rows.verb[i] as string, rows.code[i] as number];
    const id = `c${exchangesCut + i}`;
    const name = verb === 'pull-image' || verb === 'exec' ? owner?.container : rows.name[i] || owner?.container;
    const detail = name === rows.name[i] ? '' : (rows.name[i] as string);
    const said = { verb, podUid, ...(name === undefined || name === '' ? {} : { name }), ...(code < 0 ? {} : { code }) };
    if (there) this.found.push({ sentAt, receivedAt: at, tell: () => ({ id, kind: 'cri', from, to, sentAt, receivedAt: at, ...said, ...(detail === '' ? {} : { detail }) }) });
    if (!back) return;
    const [replySentAt, replyAt, text] = [rows.replySentAt[i] as SimTime, rows.replyAt[i] as SimTime, rows.text[i] as string];
    this.found.push({
      sentAt: replySentAt, receivedAt: replyAt,
      tell: () => ({ id: `r${exchangesCut + i}`, kind: 'cri-reply', from: to, to: from, sentAt: replySentAt, receivedAt: replyAt, ...said, answers: id, ...(text || detail ? { detail: text || detail } : {}) }),
    });
  }

  /** A line of kubectl: sent when Enter was pressed, received when the program asks the server. For a pod only if it changed it. */
  private command(i: number): void {
    const { exchanges: rows, exchangesCut } = this.run.messages;
    const writes = this.writesOf(rows.seq[i] as number, rows.at[i] as SimTime);
    const { podUid } = this.asked;
    if (podUid !== undefined && !writes.some((change) => concerns(change, podUid))) return;
    const [sentAt, receivedAt] = [rows.sentAt[i] as SimTime, rows.at[i] as SimTime];
    this.found.push({
      sentAt, receivedAt,
      tell: () => {
        const command = this.run.cluster.userState.commands[Number(rows.name[i])];
        const exit = command?.exit ?? undefined;
        const own = podUid ?? writes.map(podOf).find((uid) => uid !== undefined);
        return {
          id: `c${exchangesCut + i}`, kind: 'command', from: 'user', to: server, sentAt, receivedAt, verb: 'kubectl', detail: command?.line ?? '',
          ...(own === undefined ? {} : { podUid: own }), ...(exit === undefined ? {} : { code: exit }),
        };
      },
    });
  }
}

/** Who wrote about what was asked for, as far as the store has been read. Forgotten with the run. */
const read = new WeakMap<Run, { podUid: string | undefined; until: number; writers: Set<string> }>();

function writersOf(run: Run, podUid: string | undefined): ReadonlySet<string> {
  const { store } = run.cluster;
  const last = read.get(run);
  const known = last !== undefined && last.podUid === podUid && last.until <= store.changeCount ? last : { podUid, until: 0, writers: new Set<string>() };
  for (let i = known.until; i < store.changeCount; i++) {
    const change = store.changeAt(i);
    if (!known.writers.has(change.version.actor) && (podUid === undefined || concerns(change, podUid))) known.writers.add(change.version.actor);
  }
  known.until = store.changeCount;
  read.set(run, known);
  return known.writers;
}

const stateOf = (change: Change): ApiObject => (change.version.object ?? change.previous) as ApiObject;

/** The pod that a change is of, or that its Event is about. */
function podOf(change: Change): string | undefined {
  if (change.resource === 'pods') return stateOf(change).metadata.uid;
  if (change.resource !== 'events') return undefined;
  const { involvedObject } = stateOf(change) as Event;
  return involvedObject.kind === 'Pod' ? involvedObject.uid : undefined;
}

function concerns(change: Change, podUid: string): boolean {
  if (change.resource !== 'endpointslices.discovery.k8s.io') return podOf(change) === podUid;
  // The slice lists many pods: it concerns those whose entry came, changed or went.
  const [now, before] = [endpointOf(change.version.object, podUid), endpointOf(change.previous, podUid)];
  return now !== before && JSON.stringify(now) !== JSON.stringify(before);
}

function endpointOf(slice: ApiObject | undefined, podUid: string): Endpoint | undefined {
  return (slice as EndpointSlice | undefined)?.endpoints?.find((endpoint) => endpoint.targetRef?.uid === podUid);
}

/** A pod that is bound to a node is new to the kubelet there. */
function watchType(change: Change, to: string): string {
  const previous = change.previous as Pod | undefined;
  return change.type === 'MODIFIED' && change.resource === 'pods' && to.startsWith('kubelet/') && previous?.spec.nodeName !== to.slice(8) ? 'ADDED' : change.type;
}

function about(change: Change): Pick<Message, 'resource' | 'namespace' | 'name' | 'podUid' | 'revision' | 'detail'> {
  const { namespace, name } = splitKey(change.key);
  const podUid = podOf(change);
  const detail = change.resource === 'events' ? (stateOf(change) as Event).reason ?? '' : changedFields(change.previous, change.version.object).join(', ');
  return {
    resource: change.resource, name, revision: change.version.revision, ...(namespace === '' ? {} : { namespace }), ...(podUid === undefined ? {} : { podUid }), ...(detail === '' ? {} : { detail }),
  };
}
