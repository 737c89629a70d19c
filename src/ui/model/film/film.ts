import type {
  FilmDelta, Lane, LaneKind, LaneValue, NodeValue, PodValue, ProbeMark, ServiceValue, WorkloadValue,
} from '../../../worker/protocol.ts';
import type { SimTime } from '../../../sim/time.ts';
import { forkBetween, keepGhosts } from './ghosts.ts';
import { Moments, type Moment } from './moments.ts';
import type { Branch, Ghost, LaneData, Mark, Present, ProbeTick, Span } from './parts.ts';
import { appendSuperseding, countBefore, cutFrom, insertSorted } from './series.ts';

export type { Branch, Ghost, LaneData, Mark, Present, ProbeTick, Span } from './parts.ts';

/**
 * The film as the page holds it. Mutable and append-only between truncations; `version` grows with every change, so views compare one integer.
 * Every question is answered by binary search: nothing here walks the whole run.
 */
export class Film {
  version = 0;
  branch = 0;
  head: SimTime = 0;
  nextEventAt: SimTime | undefined;
  epochMs = 0;
  untilMs: SimTime = 0;
  title = '';
  seed = 0;
  branches: Branch[] = [];
  readonly lanes = new Map<string, LaneData>();
  readonly ghosts = new Map<string, Ghost[]>();
  readonly values: LaneValue[] = [];
  readonly #byIndex: LaneData[] = [];
  readonly #byKind = new Map<LaneKind, LaneData[]>();
  readonly #byPod = new Map<string, LaneData[]>();
  readonly #moments = new Moments();

  apply(delta: FilmDelta): void {
    if (delta.truncateFrom !== undefined) this.#truncate(delta.truncateFrom, delta);
    this.branch = delta.branch;
    this.head = delta.head;
    this.nextEventAt = delta.nextEventAt;
    this.epochMs = delta.epochMs;
    this.untilMs = delta.untilMs;
    this.title = delta.title;
    this.seed = delta.seed;
    this.branches = delta.branches;
    for (const value of delta.values) this.values.push(value);
    for (const lane of delta.lanes) this.#addLane(lane);
    this.#append(delta.spans, 'spans');
    this.#append(delta.marks, 'marks');
    this.#moments.settle();
    this.version += 1;
  }

  lane(laneId: string): Lane | undefined {
    return this.lanes.get(laneId)?.lane;
  }

  lanesOfKind(kind: LaneKind): readonly LaneData[] {
    return this.#byKind.get(kind) ?? [];
  }

  /** All lanes of a pod, in the order in which they appeared. */
  lanesOfPod(podUid: string): readonly LaneData[] {
    return this.#byPod.get(podUid) ?? [];
  }

  value(index: number): LaneValue | undefined {
    return this.values[index];
  }

  valueAt(laneId: string, t: SimTime): LaneValue | undefined {
    return this.spanAt(laneId, t)?.value;
  }

  spanAt(laneId: string, t: SimTime): Span | undefined {
    const data = this.lanes.get(laneId);
    return data === undefined ? undefined : this.spanOf(data, t);
  }

  spanOf(data: LaneData, t: SimTime): Span | undefined {
    const index = countBefore(data.spans.at, t, true) - 1;
    const value = this.values[data.spans.value[index] ?? -1];
    if (index < 0 || value === undefined) return undefined;
    return { value, from: data.spans.at[index] ?? 0, until: data.spans.at[index + 1] ?? Infinity };
  }

  /** Spans that overlap [a, b], in order. */
  spansBetween(laneId: string, a: SimTime, b: SimTime): Span[] {
    const data = this.lanes.get(laneId);
    if (data === undefined) return [];
    const result: Span[] = [];
    const { at, value } = data.spans;
    for (let index = Math.max(0, countBefore(at, a, true) - 1); index < at.length && (at[index] ?? 0) <= b; index += 1) {
      const found = this.values[value[index] ?? -1];
      if (found !== undefined) result.push({ value: found, from: at[index] ?? 0, until: at[index + 1] ?? Infinity });
    }
    return result;
  }

  /** Marks with a <= at <= b, in order. */
  marksBetween(laneId: string, a: SimTime, b: SimTime): Mark[] {
    const data = this.lanes.get(laneId);
    if (data === undefined) return [];
    const result: Mark[] = [];
    const { at, value } = data.marks;
    for (let index = countBefore(at, a, false); index < at.length && (at[index] ?? 0) <= b; index += 1) {
      const found = this.values[value[index] ?? -1];
      if (found !== undefined) result.push({ at: at[index] ?? 0, value: found });
    }
    return result;
  }

  podsAt(t: SimTime): Present<PodValue>[] {
    return this.#present<PodValue>('pod', t);
  }

  nodesAt(t: SimTime): Present<NodeValue>[] {
    return this.#present<NodeValue>('node', t);
  }

  servicesAt(t: SimTime): Present<ServiceValue>[] {
    return this.#present<ServiceValue>('service', t);
  }

  workloadsAt(t: SimTime): Present<WorkloadValue>[] {
    return this.#present<WorkloadValue>('workload', t);
  }

  /** Runs of a probe with a <= at <= b: recorded results and the members of steady series, up to the simulated head. */
  probeTicks(laneId: string, a: SimTime, b: SimTime): ProbeTick[] {
    const data = this.lanes.get(laneId);
    if (data === undefined) return [];
    const ticks: ProbeTick[] = this.marksBetween(laneId, a, b).map((mark) => ({ at: mark.at, mark: mark.value as ProbeMark }));
    for (const span of this.spansBetween(laneId, a, b)) {
      if (span.value.kind !== 'probe-series') continue;
      const end = this.seriesEnd(data, span);
      const period = span.value.periodMs;
      const first = span.from + Math.max(0, Math.ceil((a - span.from) / period)) * period;
      for (let at = first; at < end && at <= b && at <= this.head; at += period) ticks.push({ at });
    }
    return ticks.sort((x, y) => x.at - y.at);
  }

  /** The first run after `t` that is simulated already. */
  nextProbeTick(data: LaneData, t: SimTime): SimTime | undefined {
    const mark = data.marks.at[countBefore(data.marks.at, t, true)] ?? Infinity;
    const { at, value } = data.spans;
    for (let index = Math.max(0, countBefore(at, t, true) - 1); index < at.length && (at[index] ?? 0) < mark; index += 1) {
      const found = this.values[value[index] ?? -1];
      if (found?.kind !== 'probe-series') continue;
      const from = at[index] ?? 0;
      const next = from + Math.max(0, Math.floor((t - from) / found.periodMs) + 1) * found.periodMs;
      if (next < Math.min(at[index + 1] ?? Infinity, mark) && next <= this.head) return next;
    }
    return Number.isFinite(mark) ? mark : undefined;
  }

  /** A series stops at the lane's next span or at the next recorded result. */
  seriesEnd(data: LaneData, span: Span): SimTime {
    const mark = data.marks.at[countBefore(data.marks.at, span.from, true)] ?? Infinity;
    return Math.min(span.until, mark);
  }

  /** Visible moments in order of time: what stepping stops at. */
  moments(): readonly Moment[] {
    return this.#moments.all;
  }

  /** How many distinct instants there are, and how many of them lie at or before `t`: step n of m. */
  stepsAt(t: SimTime): { step: number; steps: number } {
    const { instants } = this.#moments;
    return { step: countBefore(instants, t, true), steps: instants.length };
  }

  nextMoment(t: SimTime, podUid?: string): SimTime | undefined {
    return this.#moments.next(t, podUid, false);
  }

  previousMoment(t: SimTime, podUid?: string): SimTime | undefined {
    return this.#moments.previous(t, podUid, false);
  }

  nextTransition(t: SimTime, podUid?: string): SimTime | undefined {
    return this.#moments.next(t, podUid, true);
  }

  previousTransition(t: SimTime, podUid?: string): SimTime | undefined {
    return this.#moments.previous(t, podUid, true);
  }

  momentsBetween(a: SimTime, b: SimTime): readonly Moment[] {
    return this.#moments.between(a, b);
  }

  #present<V extends LaneValue>(kind: LaneKind, t: SimTime): Present<V>[] {
    const result: Present<V>[] = [];
    for (const data of this.lanesOfKind(kind)) {
      const span = this.spanOf(data, t);
      if (span !== undefined) result.push({ lane: data.lane, value: span.value as V, from: span.from, until: span.until });
    }
    return result;
  }

  #addLane(lane: Lane): void {
    const known = this.lanes.get(lane.id);
    if (known !== undefined) {
      known.lane = lane;
      this.#byIndex[lane.index] = known;
      return;
    }
    const data: LaneData = { lane, spans: { at: [], value: [] }, marks: { at: [], value: [] } };
    this.lanes.set(lane.id, data);
    this.#byIndex[lane.index] = data;
    push(this.#byKind, lane.kind, data);
    if (lane.podUid !== undefined) push(this.#byPod, lane.podUid, data);
  }

  #append(columns: FilmDelta['spans'], kind: 'spans' | 'marks'): void {
    for (let index = 0; index < columns.at.length; index += 1) {
      const data = this.#byIndex[columns.lane[index] ?? -1];
      const at = columns.at[index];
      const value = columns.value[index];
      if (data === undefined || at === undefined || value === undefined) continue;
      const series = data[kind];
      const before = kind === 'spans' ? this.values[series.value[series.value.length - 1] ?? -1] : undefined;
      if (kind === 'spans') appendSuperseding(series, at, value);
      else insertSorted(series, at, value);
      this.#moments.add(data.lane, at, this.values[value], before, kind === 'spans');
    }
  }

  #truncate(from: SimTime, delta: FilmDelta): void {
    if (delta.branch !== this.branch && this.lanes.size > 0) keepGhosts(this, Math.max(from, forkBetween(this.branch, delta.branch, delta.branches)), delta.branch);
    if (from <= 0) {
      for (const index of [this.lanes, this.#byKind, this.#byPod]) index.clear();
      this.values.length = 0;
      this.#byIndex.length = 0;
      this.#moments.clear();
      return;
    }
    for (const data of this.lanes.values()) {
      cutFrom(data.spans, from);
      cutFrom(data.marks, from);
    }
    this.#moments.truncate(from);
  }
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}
