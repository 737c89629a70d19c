import type { Lane, LaneKind, LaneValue } from '../../../worker/protocol.ts';
import type { SimTime } from '../../../sim/time.ts';
import { countBefore } from './series.ts';

/** A visible change: stepping stops here. A transition changes a phase, a container state or a condition. */
export interface Moment {
  at: SimTime;
  lane: Lane;
  value: LaneValue | undefined;
  transition: boolean;
}

/** All moments in order of time, kept sorted as the film grows. */
export class Moments {
  readonly all: Moment[] = [];
  /** Distinct times of `all`. */
  readonly instants: SimTime[] = [];
  #fresh: Moment[] = [];

  add(lane: Lane, at: SimTime, value: LaneValue | undefined, before: LaneValue | undefined, isSpan: boolean): void {
    if (isSpan ? !spanKinds.has(lane.kind) : !isVisibleMark(value)) return;
    this.#fresh.push({ at, lane, value, transition: isSpan && isTransition(before, value) });
  }

  /** Takes in what was added since the last call: one sort of the new entries and one merge with the tail they overlap. */
  settle(): void {
    const fresh = this.#fresh;
    if (fresh.length === 0) return;
    this.#fresh = [];
    fresh.sort((a, b) => a.at - b.at);
    const from = fresh[0]?.at ?? 0;
    const tail = this.#cut(from);
    let index = 0;
    for (const old of tail) {
      for (let next = fresh[index]; next !== undefined && next.at < old.at; next = fresh[index]) {
        this.#push(next);
        index += 1;
      }
      this.#push(old);
    }
    for (const moment of fresh.slice(index)) this.#push(moment);
  }

  truncate(from: SimTime): void {
    this.#cut(from);
  }

  clear(): void {
    this.all.length = 0;
    this.instants.length = 0;
    this.#fresh = [];
  }

  between(a: SimTime, b: SimTime): readonly Moment[] {
    return this.all.slice(this.#count(a, false), this.#count(b, true));
  }

  next(t: SimTime, podUid: string | undefined, transitions: boolean): SimTime | undefined {
    if (podUid === undefined && !transitions) return this.instants[countBefore(this.instants, t, true)];
    for (let index = this.#count(t, true); index < this.all.length; index += 1) {
      const moment = this.all[index];
      if (moment !== undefined && matches(moment, podUid, transitions)) return moment.at;
    }
    return undefined;
  }

  previous(t: SimTime, podUid: string | undefined, transitions: boolean): SimTime | undefined {
    if (podUid === undefined && !transitions) return this.instants[countBefore(this.instants, t, false) - 1];
    for (let index = this.#count(t, false) - 1; index >= 0; index -= 1) {
      const moment = this.all[index];
      if (moment !== undefined && matches(moment, podUid, transitions)) return moment.at;
    }
    return undefined;
  }

  #count(t: SimTime, inclusive: boolean): number {
    let low = 0;
    let high = this.all.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const at = this.all[middle]?.at ?? 0;
      if (inclusive ? at <= t : at < t) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #cut(from: SimTime): Moment[] {
    this.instants.length = countBefore(this.instants, from, false);
    return this.all.splice(this.#count(from, false));
  }

  #push(moment: Moment): void {
    this.all.push(moment);
    if (this.instants[this.instants.length - 1] !== moment.at) this.instants.push(moment.at);
  }
}

const spanKinds: ReadonlySet<LaneKind> = new Set<LaneKind>(['pod', 'container', 'condition', 'node']);

function isVisibleMark(value: LaneValue | undefined): boolean {
  if (value === undefined) return false;
  return value.kind === 'event' || value.kind === 'signal' || value.kind === 'input' || (value.kind === 'probe' && value.crosses);
}

function isTransition(before: LaneValue | undefined, after: LaneValue | undefined): boolean {
  if (before === undefined || after === undefined) return true;
  if (before.kind === 'pod' && after.kind === 'pod') return before.phase !== after.phase || before.status !== after.status;
  if (before.kind === 'container' && after.kind === 'container') return before.state !== after.state || before.reason !== after.reason;
  if (before.kind === 'condition' && after.kind === 'condition') return before.status !== after.status;
  if (before.kind === 'node' && after.kind === 'node') return before.ready !== after.ready;
  return true;
}

const matches = (moment: Moment, podUid: string | undefined, transitions: boolean) =>
  (podUid === undefined || moment.lane.podUid === podUid) && (!transitions || moment.transition);
