import type { Call } from '../../cluster/context.ts';
import type { ApiResponse } from '../../cluster/component.ts';
import type { CriCall, CriReply } from '../../cluster/kubelet/cri.ts';
import type { WatchState } from '../../cluster/watch-hub.ts';
import type { SimEvent } from '../../sim/queue.ts';
import type { SimTime } from '../../sim/time.ts';

/** Rows kept of each table. An exchange is up to two messages, so this is the newest 200,000 and more. */
const rowsMax = 100_000;
/** What is cut off at once, so that cutting is rare. */
const rowsCut = 10_000;

/**
 * What the components said to each other, one row an exchange: a request with its response, a call of the runtime with its reply, a command line.
 * Columns of equal length, in the order of arrival. Only what is told nowhere else: the objects are in the store, by the row's `seq`.
 */
const exchangeColumns = () => ({
  seq: [] as number[],
  sentAt: [] as SimTime[],
  at: [] as SimTime[],
  kind: [] as ('request' | 'cri' | 'command')[],
  from: [] as string[],
  to: [] as string[],
  verb: [] as string[],
  resource: [] as string[],
  /** cri: the id of the call. */
  subresource: [] as string[],
  namespace: [] as string[],
  name: [] as string[],
  /** cri: the pod, sandbox or container that the call is about. */
  subject: [] as string[],
  /** -1: not answered. */
  replySentAt: [] as SimTime[],
  replyAt: [] as SimTime[],
  /** HTTP status; cri: 0 is ok, 1 an error. -1: the answer is awaited, -2: nobody waits for one. */
  code: [] as number[],
  /** The error's words. */
  text: [] as string[],
});

/** Changes as they reached those who watch. */
const deliveryColumns = () => ({ at: [] as SimTime[], to: [] as string[], position: [] as number[] });

type Table = Record<string, unknown[]>;

export class MessageLog {
  readonly exchanges = exchangeColumns();
  readonly deliveries = deliveryColumns();
  /** Rows cut off: a row's number is its index plus this. */
  exchangesCut = 0;
  deliveriesCut = 0;
  /** Sandbox or container id -> whose it is. */
  readonly owners = new Map<string, { podUid: string; container: string }>();
  private readonly openRequests = new Map<number, number>();
  private readonly openCalls = new Map<string, number>();

  /** The first moment from which nothing is missing. */
  get beginAt(): SimTime {
    return Math.max(this.exchangesCut === 0 ? 0 : this.exchanges.at[0] ?? 0, this.deliveriesCut === 0 ? 0 : this.deliveries.at[0] ?? 0);
  }

  /** Sees an event before it is handled. `sentAt`: when it was scheduled. */
  note(event: SimEvent, sentAt: SimTime, watchers: WatchState): void {
    switch (event.kind) {
      case 'watch':
        return this.delivered(event, watchers);
      case 'request':
        return this.request(event, event.payload as Call, sentAt);
      case 'cri':
        return this.call(event, event.payload as CriCall, sentAt);
      case 'cri-reply':
        return this.callReply(event.payload as CriReply, event.at, sentAt);
      case 'start-command':
        return void this.push(event, 'command', sentAt, 'user', 'kube-apiserver', 'kubectl', '', '', '', String(event.payload), '');
      default:
        return this.response(event, sentAt);
    }
  }

  private push(
    event: SimEvent, kind: 'request' | 'cri' | 'command', sentAt: SimTime, from: string, to: string, verb: string, resource: string, subresource: string, namespace: string, name: string, subject: string,
  ): number {
    const { exchanges: rows } = this;
    if (rows.seq.length >= rowsMax + rowsCut) this.exchangesCut += cut(rows);
    rows.seq.push(event.seq);
    rows.sentAt.push(sentAt);
    rows.at.push(event.at);
    rows.kind.push(kind);
    rows.from.push(from);
    rows.to.push(to);
    rows.verb.push(verb);
    rows.resource.push(resource);
    rows.subresource.push(subresource);
    rows.namespace.push(namespace);
    rows.name.push(name);
    rows.subject.push(subject);
    rows.replySentAt.push(-1);
    rows.replyAt.push(-1);
    rows.code.push(kind === 'cri' ? -1 : -2);
    rows.text.push('');
    return this.exchangesCut + rows.seq.length - 1;
  }

  private request(event: SimEvent, { from, request, reply }: Call, sentAt: SimTime): void {
    const { verb, resource, subresource = '', namespace = '', name = request.object?.metadata?.name ?? '' } = request;
    const row = this.push(event, 'request', sentAt, from, event.to, verb, resource, subresource, namespace, name, '');
    if (reply === undefined) return;
    this.exchanges.code[row - this.exchangesCut] = -1;
    this.openRequests.set(event.seq, row);
  }

  private response(event: SimEvent, sentAt: SimTime): void {
    const row = this.openRequests.get(event.cause);
    if (row === undefined) return;
    const response = (event.payload as { response?: ApiResponse } | null)?.response;
    if (response === undefined) return;
    this.openRequests.delete(event.cause);
    this.answer(row, sentAt, event.at, response.code, response.status?.message ?? '');
  }

  private call(event: SimEvent, { id, call, replyTo }: CriCall, sentAt: SimTime): void {
    const node = event.to.slice(event.to.indexOf('/') + 1);
    const subject = 'containerId' in call ? call.containerId : 'sandboxId' in call ? call.sandboxId : call.podUid ?? '';
    const name = call.op === 'create-container' ? call.config.name : call.op === 'pull-image' ? call.image : call.op === 'exec' ? call.purpose : '';
    this.openCalls.set(id, this.push(event, 'cri', sentAt, replyTo ?? `kubelet/${node}`, event.to, call.op, '', id, '', name, subject));
  }

  private callReply({ id, result }: CriReply, at: SimTime, sentAt: SimTime): void {
    const row = this.openCalls.get(id);
    if (row === undefined) return;
    this.openCalls.delete(id);
    this.answer(row, sentAt, at, result.ok ? 0 : 1, result.ok ? '' : result.error);
    if (!result.ok || row < this.exchangesCut) return;
    const { subject, name } = this.exchanges;
    const [about = '', container = ''] = [subject[row - this.exchangesCut], name[row - this.exchangesCut]];
    if (result.containerId !== undefined) this.owners.set(result.containerId, { podUid: this.owners.get(about)?.podUid ?? '', container });
    else if (result.sandboxId !== undefined) this.owners.set(result.sandboxId, { podUid: about, container: '' });
  }

  private answer(row: number, sentAt: SimTime, at: SimTime, code: number, text: string): void {
    const index = row - this.exchangesCut;
    if (index < 0) return;
    const { exchanges: rows } = this;
    rows.replySentAt[index] = sentAt;
    rows.replyAt[index] = at;
    rows.code[index] = code;
    rows.text[index] = text;
  }

  /** The wake-up itself carries nothing: what has arrived by now is what the component is about to take. */
  private delivered({ to, at }: SimEvent, watchers: WatchState): void {
    const own = watchers[to];
    if (own === undefined || own.held) return;
    const { pending, dueAt } = own;
    const { deliveries: rows } = this;
    if (rows.at.length >= rowsMax + rowsCut) this.deliveriesCut += cut(rows);
    for (let i = 0; i < pending.length && (dueAt[i] as SimTime) <= at; i++) {
      rows.at.push(at);
      rows.to.push(to);
      rows.position.push(pending[i] as number);
    }
  }

  /** How far it has come, to be put back to later. */
  get place(): LogPlace {
    return { exchanges: this.exchangesCut + this.exchanges.at.length, deliveries: this.deliveriesCut + this.deliveries.at.length };
  }

  /** A copy as it was at a place, taken at a time: what was answered later is open again. */
  copyOf(point: LogPlace, at: SimTime): MessageLog {
    const copy = new MessageLog();
    [copy.exchangesCut, copy.deliveriesCut] = [this.exchangesCut, this.deliveriesCut];
    copyRows(copy.exchanges, this.exchanges, point.exchanges - this.exchangesCut);
    copyRows(copy.deliveries, this.deliveries, point.deliveries - this.deliveriesCut);
    for (const [id, owner] of this.owners) copy.owners.set(id, owner);
    copy.reopen(at);
    return copy;
  }

  /** What was not answered before `at` waits again. */
  private reopen(at: SimTime): void {
    const { seq, kind, subresource, replyAt, replySentAt, code } = this.exchanges;
    for (let i = 0; i < seq.length; i++) {
      const repliedAt = replyAt[i] as SimTime;
      if (code[i] === -2 || (repliedAt >= 0 && repliedAt < at)) continue;
      // Answered in that very millisecond, before the place or after it: if after, the same answer comes again.
      if (repliedAt > at) replyAt[i] = replySentAt[i] = code[i] = -1;
      if (kind[i] === 'request') this.openRequests.set(seq[i] as number, this.exchangesCut + i);
      else this.openCalls.set(subresource[i] as string, this.exchangesCut + i);
    }
  }
}

export interface LogPlace {
  exchanges: number;
  deliveries: number;
}

function cut(rows: Table): number {
  for (const column of Object.values(rows)) column.splice(0, rowsCut);
  return rowsCut;
}

function copyRows(into: Table, from: Table, count: number): void {
  for (const [name, column] of Object.entries(from)) into[name] = column.slice(0, Math.max(0, count));
}
