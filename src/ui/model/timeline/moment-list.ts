import type { ProbeType } from '../../../cluster/notes.ts';
import type { ConditionValue, ContainerValue, EventMark, LaneValue, ProbeMark, SignalMark, Tone } from '../../../worker/protocol.ts';
import type { SimTime } from '../../../sim/time.ts';
import type { Film, LaneData, Span } from '../film/film.ts';
import type { Said } from '../format.ts';
import { endpointMoments } from './endpoint-moments.ts';

export type MomentWord =
  | 'probe-passed' | 'probe-failed' | 'probe-timeout' | 'probe-unknown' | 'n-of-m' | 'again' | 'condition-becomes' | 'condition-is' | 'container-started' | 'container-waits'
  | 'container-ended' | 'probes-folded' | 'pod-created' | 'pod-gone' | 'left-service' | 'joined-service' | 'endpoints-ready' | 'hook-started' | 'hook-finished' | 'hook-failed'
  | 'signal-to' | 'grace-until' | 'startup' | 'liveness' | 'readiness' | 'you-did';

/** One line of the list of moments. */
export interface MomentEntry {
  at: SimTime;
  icon: string;
  hue: Tone | 'ink' | 'quiet';
  title: Said<MomentWord>;
  /** `probe`: the kind of probe is a word itself and is put into the title as {probe}. */
  probe?: ProbeType;
  detail: Said<MomentWord>;
  /** Steady successes in one line, from `at` until here. */
  foldUntil?: SimTime;
  rank: number;
}

/** All moments of a pod with what the user did, oldest first. */
export function momentEntries(film: Film, podUid: string): MomentEntry[] {
  const entries: MomentEntry[] = [];
  for (const data of film.lanesOfPod(podUid)) entries.push(...(readers[data.lane.kind]?.(film, data) ?? []));
  for (const { lane } of film.lanesOfKind('inputs')) {
    for (const { at, value } of film.marksBetween(lane.id, 0, film.head)) if (value.kind === 'input') entries.push({ at, icon: 'bolt', hue: 'ink', title: value.summary, detail: { key: 'you-did' }, rank: 0 });
  }
  entries.push(...endpointMoments(film, podUid));
  return withFolds(film, podUid, entries.toSorted((a, b) => a.at - b.at || a.rank - b.rank));
}

type Reader = (film: Film, data: LaneData) => MomentEntry[];

const readers: Partial<Record<LaneData['lane']['kind'], Reader>> = { pod: podMoments, container: containerMoments, condition: conditionMoments, probe: probeMoments, signals: signalMoments, events: eventMoments };

function spansOf(film: Film, data: LaneData): (Span | { value: undefined; from: SimTime })[] {
  return data.spans.at.map((from, index) => {
    const value = film.value(data.spans.value[index] ?? -1);
    return value === undefined ? { value, from } : { value, from, until: data.spans.at[index + 1] ?? Infinity };
  });
}

function podMoments(film: Film, data: LaneData): MomentEntry[] {
  const entries: MomentEntry[] = [];
  let before: LaneValue | undefined;
  for (const { value, from } of spansOf(film, data)) {
    const was = before?.kind === 'pod' ? before : undefined;
    before = value;
    const name = data.lane.label;
    if (value === undefined) entries.push({ at: from, icon: 'pod', hue: 'quiet', title: { key: 'pod-gone', values: { name } }, detail: '', rank: 6 });
    else if (value.kind !== 'pod') continue;
    else if (was === undefined) entries.push({ at: from, icon: 'pod', hue: 'ink', title: { key: 'pod-created', values: { name } }, detail: value.status, rank: 1 });
    else if (value.tone === 'terminating' && was.tone !== 'terminating') entries.push({ at: from, icon: 'state-terminating', hue: 'terminating', title: 'Terminating', detail: value.deadlineAt === undefined ? '' : { key: 'grace-until', values: { seconds: Math.round((value.deadlineAt - from) / 1000) } }, rank: 2 });
  }
  return entries;
}

function containerMoments(film: Film, data: LaneData): MomentEntry[] {
  const entries: MomentEntry[] = [];
  let before: ContainerValue | undefined;
  for (const { value, from } of spansOf(film, data)) {
    if (value?.kind !== 'container' || value.role === 'pause') continue;
    const name = data.lane.label;
    if (value.state === 'running' && before?.state !== 'running') entries.push({ at: from, icon: `role-${value.role === 'ephemeral' ? 'app' : value.role}`, hue: 'ink', title: { key: 'container-started', values: { name } }, detail: value.image, rank: 3 });
    else if (value.state === 'terminated' && before?.state !== 'terminated') entries.push({ at: from, icon: value.exitCode === 0 ? 'state-completed' : 'state-failed', hue: value.exitCode === 0 ? 'succeeded' : 'failed', title: { key: 'container-ended', values: { name, code: value.exitCode ?? 0 } }, detail: value.reason ?? '', rank: 3 });
    else if (value.state === 'waiting' && value.reason !== before?.reason && (value.tone === 'back-off' || value.tone === 'failed')) entries.push({ at: from, icon: `state-${value.tone}`, hue: value.tone, title: value.reason ?? '', detail: value.message ?? { key: 'container-waits', values: { name } }, rank: 3 });
    before = value;
  }
  return entries;
}

function conditionMoments(film: Film, data: LaneData): MomentEntry[] {
  const entries: MomentEntry[] = [];
  let before: ConditionValue | undefined;
  const type = data.lane.label;
  for (const { value, from } of spansOf(film, data)) {
    if (value?.kind !== 'condition') continue;
    const hue: Tone = value.status === 'True' ? 'ready' : value.status === 'False' ? 'not-ready' : 'unknown';
    const detail = value.message ?? value.reason ?? '';
    if (before !== undefined && before.status !== value.status) entries.push({ at: from, icon: `state-${hue}`, hue, title: { key: 'condition-becomes', values: { type, before: before.status, after: value.status } }, detail, rank: 4 });
    else if (before === undefined && value.status === 'True') entries.push({ at: from, icon: `state-${hue}`, hue, title: { key: 'condition-is', values: { type, after: value.status } }, detail, rank: 4 });
    before = value;
  }
  return entries;
}

const failureKey = { failure: 'probe-failed', timeout: 'probe-timeout', unknown: 'probe-unknown' } as const;

function probeMoments(film: Film, data: LaneData): MomentEntry[] {
  const probe = data.lane.probe ?? 'liveness';
  return film.marksBetween(data.lane.id, 0, film.head).flatMap(({ at, value }): MomentEntry[] => {
    if (value.kind !== 'probe') return [];
    if (isPass(value)) return value.crosses ? [{ at, icon: `${probe}-ok`, hue: 'ready', title: { key: 'probe-passed' }, probe, detail: value.message, rank: 1 }] : [];
    const counted = `${Math.min(value.run, value.threshold)}/${value.threshold}`;
    const again = value.run > value.threshold;
    const key = again ? 'again' : failureKey[value.outcome as keyof typeof failureKey];
    return [{ at, icon: `${probe}-fail`, hue: 'failed', title: { key }, probe, detail: [again ? '' : counted, value.message].filter((part) => part !== '').join(', '), rank: 1 }];
  });
}

const isPass = (value: ProbeMark): boolean => value.outcome === 'success' || value.outcome === 'warning';

function signalMoments(film: Film, data: LaneData): MomentEntry[] {
  return film.marksBetween(data.lane.id, 0, film.head).flatMap(({ at, value }) => (value.kind === 'signal' && value.signal !== 'grace' ? [signalMoment(at, value)] : []));
}

function signalMoment(at: SimTime, value: SignalMark): MomentEntry {
  const base = { at, icon: 'bolt', hue: 'ink' as const, rank: 2 };
  if (value.signal.startsWith('SIG')) return { ...base, title: value.signal, detail: { key: 'signal-to', values: { container: value.container } } };
  const key = value.phase === 'finished' ? 'hook-finished' : value.phase === 'started' || value.phase === undefined ? 'hook-started' : 'hook-failed';
  return { ...base, title: { key, values: { hook: value.signal } }, detail: value.message ?? value.container };
}

/** Told better by other lanes. */
const quietEvents: ReadonlySet<string> = new Set(['Unhealthy', 'Created', 'Started', 'BackOff', 'Pulling', 'Killing']);

function eventMoments(film: Film, data: LaneData): MomentEntry[] {
  return film.marksBetween(data.lane.id, 0, film.head).flatMap(({ at, value }) => (value.kind === 'event' && !quietEvents.has(value.reason) ? [eventMoment(at, value)] : []));
}

const eventMoment = (at: SimTime, value: EventMark): MomentEntry =>
  ({ at, icon: 'flag', hue: value.type === 'Warning' ? 'not-ready' : 'quiet', title: value.reason, detail: value.message, rank: 2 });

/** Up to so many successes in a row have a line each. */
const foldFrom = 3;

function withFolds(film: Film, podUid: string, entries: MomentEntry[]): MomentEntry[] {
  const result: MomentEntry[] = [];
  entries.forEach((entry, index) => {
    result.push(entry, ...successes(film, podUid, entry.at + 1, (entries[index + 1]?.at ?? film.head + 1) - 1));
  });
  return result;
}

function successes(film: Film, podUid: string, a: SimTime, b: SimTime): MomentEntry[] {
  const found = countPasses(film, podUid, a, b);
  if (found.total === 0) return [];
  if (found.total >= foldFrom) return [{ at: found.first, icon: 'more', hue: 'quiet', title: { key: 'probes-folded', values: { count: found.total } }, detail: '', foldUntil: found.last, rank: 5 }];
  return passesBetween(film, podUid, a, b).map(({ at, probe }) => ({ at, icon: `${probe}-ok`, hue: 'ready' as const, title: { key: 'probe-passed' as const }, probe, detail: '', rank: 1 }));
}

export interface Passes { total: number; first: SimTime; last: SimTime; by: Partial<Record<ProbeType, number>> }

/** Successes of a pod's probes within [a, b] that changed nothing. Arithmetic for steady series: the length of the run costs nothing. */
export function countPasses(film: Film, podUid: string, a: SimTime, b: SimTime): Passes {
  const sum: Passes = { total: 0, first: Infinity, last: -Infinity, by: {} };
  const add = (probe: ProbeType, count: number, first: SimTime, last: SimTime) => {
    if (count <= 0) return;
    sum.total += count;
    sum.by[probe] = (sum.by[probe] ?? 0) + count;
    sum.first = Math.min(sum.first, first);
    sum.last = Math.max(sum.last, last);
  };
  for (const data of film.lanesOfPod(podUid)) {
    const probe = data.lane.probe;
    if (data.lane.kind !== 'probe' || probe === undefined) continue;
    for (const { at, value } of film.marksBetween(data.lane.id, a, b)) if (value.kind === 'probe' && isPass(value) && !value.crosses) add(probe, 1, at, at);
    for (const span of film.spansBetween(data.lane.id, a, b)) {
      if (span.value.kind !== 'probe-series') continue;
      const period = span.value.periodMs;
      const end = Math.min(film.seriesEnd(data, span) - 1, b, film.head);
      const first = span.from + Math.max(0, Math.ceil((a - span.from) / period)) * period;
      const count = Math.floor((end - first) / period) + 1;
      add(probe, count, first, first + (count - 1) * period);
    }
  }
  return sum;
}

function passesBetween(film: Film, podUid: string, a: SimTime, b: SimTime): { at: SimTime; probe: ProbeType }[] {
  return film.lanesOfPod(podUid).flatMap((data) => {
    const probe = data.lane.probe;
    if (data.lane.kind !== 'probe' || probe === undefined) return [];
    return film.probeTicks(data.lane.id, a, b).flatMap((tick) => (tick.mark === undefined || (isPass(tick.mark) && !tick.mark.crosses) ? [{ at: tick.at, probe }] : []));
  }).toSorted((x, y) => x.at - y.at);
}
