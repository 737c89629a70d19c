import type { ProbeMark, SignalMark } from '../../../worker/protocol.ts';
import type { SimTime } from '../../../sim/time.ts';
import type { Film, LaneData } from '../film/film.ts';
import type { Track } from './track.ts';

/** One drawn probe tick: a run, or several that are closer than they can be told apart. */
export interface Tick {
  at: SimTime;
  outcome: ProbeMark['outcome'];
  count: number;
  /** '3/3', only where the threshold is crossed by failures. */
  note?: string;
}

/** Runs that would lie nearer than this are one tick with a second outline behind. */
const mergePx = 8;

/** Ticks of a probe row in [a, b], merged for this zoom. */
export function ticksOf(film: Film, track: Track, a: SimTime, b: SimTime, msPerPx: number): Tick[] {
  const data = film.lanes.get(track.laneId);
  if (data === undefined) return [];
  const near = mergePx * msPerPx;
  const runs = [...recorded(film, data, a, b), ...steady(film, data, a, b, near)].sort((x, y) => x.at - y.at);
  const ticks: Tick[] = [];
  for (const run of runs) {
    const last = ticks[ticks.length - 1];
    if (last === undefined || run.at - last.at >= near) ticks.push(run);
    else merge(last, run);
  }
  return ticks;
}

function merge(into: Tick, run: Tick): void {
  into.count += run.count;
  if (weight[run.outcome] > weight[into.outcome]) into.outcome = run.outcome;
  if (run.note !== undefined && into.note === undefined) into.note = run.note;
}

const weight: Record<ProbeMark['outcome'], number> = { success: 0, warning: 1, unknown: 2, timeout: 3, failure: 4 };

function recorded(film: Film, data: LaneData, a: SimTime, b: SimTime): Tick[] {
  return film.marksBetween(data.lane.id, a, b).flatMap(({ at, value }) => {
    if (value.kind !== 'probe') return [];
    const crossing = value.crosses && value.outcome !== 'success' && value.outcome !== 'warning';
    return [{ at, outcome: value.outcome, count: 1, ...(crossing ? { note: `${value.threshold}/${value.threshold}` } : {}) }];
  });
}

/** Members of steady series, thinned to one a merge distance: cost follows the width of the screen, not the length of the run. */
function steady(film: Film, data: LaneData, a: SimTime, b: SimTime, near: number): Tick[] {
  const ticks: Tick[] = [];
  for (const span of film.spansBetween(data.lane.id, a, b)) {
    if (span.value.kind !== 'probe-series') continue;
    const { periodMs } = span.value;
    const stride = Math.max(1, Math.ceil(near / periodMs));
    const step = stride * periodMs;
    const end = Math.min(film.seriesEnd(data, span), film.head + 1);
    const first = span.from + Math.max(0, Math.floor((a - span.from) / step)) * step;
    for (let at = first; at < end && at <= b; at += step) ticks.push({ at, outcome: 'success', count: Math.min(stride, Math.ceil((end - at) / periodMs)) });
  }
  return ticks;
}

/** A probe that runs no more because it passed: when. Startup probes only. */
export function passedAt(film: Film, track: Track): SimTime | undefined {
  const data = film.lanes.get(track.laneId);
  const last = data?.marks.at[data.marks.at.length - 1];
  const value = film.value(data?.marks.value[data.marks.value.length - 1] ?? -1);
  return data?.lane.probe === 'startup' && value?.kind === 'probe' && value.outcome === 'success' ? last : undefined;
}

/** Failures in a row that a probe may have: read from any recorded failure. */
export function failureThreshold(film: Film, data: LaneData): number | undefined {
  for (const index of data.marks.value) {
    const value = film.value(index);
    if (value?.kind === 'probe' && value.outcome !== 'success' && value.outcome !== 'warning') return value.threshold;
  }
  return undefined;
}

export interface Flag {
  at: SimTime;
  count: number;
  warning: boolean;
}

/** Event flags: nearer than 12 px, or under the count of their neighbour, they are one. */
export function flagsOf(film: Film, track: Track, a: SimTime, b: SimTime, msPerPx: number): Flag[] {
  const flags: Flag[] = [];
  for (const { at, value } of film.marksBetween(track.laneId, a, b)) {
    if (value.kind !== 'event') continue;
    const last = flags[flags.length - 1];
    const warning = value.type === 'Warning';
    const room = last !== undefined && last.count > 1 ? 30 : 12;
    if (last === undefined || at - last.at >= room * msPerPx) flags.push({ at, count: 1, warning });
    else {
      last.count += 1;
      last.warning ||= warning;
    }
  }
  return flags;
}

/** Signals and hooks of a pod. */
export interface SignalShapes {
  hooks: { name: string; from: SimTime; until: SimTime; ended: boolean; failed: boolean }[];
  letters: { at: SimTime; letter: string; planned: boolean }[];
  /** From a signal to what follows if the process stays. */
  waits: { from: SimTime; until: SimTime }[];
}

export function signalsOf(film: Film, track: Track): SignalShapes {
  const shapes: SignalShapes = { hooks: [], letters: [], waits: [] };
  const planned = new Map<string, SimTime>();
  for (const { at, value } of film.marksBetween(track.laneId, 0, Infinity)) {
    if (value.kind !== 'signal') continue;
    if (value.signal === 'grace') planGrace(planned, value, at);
    else if (!value.signal.startsWith('SIG')) addHook(shapes, value, at, film.head);
    else addLetter(shapes, planned, value, at);
  }
  const ends = endOfLane(film, track);
  for (const [key, killAt] of planned) {
    const from = Number(key.split('@')[1]);
    if (ends !== undefined && ends < killAt) shapes.waits.push({ from, until: ends });
    else {
      shapes.waits.push({ from, until: killAt });
      shapes.letters.push({ at: killAt, letter: 'K', planned: true });
    }
  }
  return shapes;
}

/** From the deletion on the end of the grace period is known; a signal with its own deadline replaces it. */
function planGrace(planned: Map<string, SimTime>, value: SignalMark, at: SimTime): void {
  for (const key of planned.keys()) if (key.startsWith('grace@')) planned.delete(key);
  if (value.killAt !== undefined) planned.set(`grace@${at}`, value.killAt);
}

function addHook(shapes: SignalShapes, value: SignalMark, at: SimTime, head: SimTime): void {
  const open = shapes.hooks.findLast((hook) => hook.name === value.signal && !hook.ended);
  if (value.phase === 'started' || value.phase === undefined) shapes.hooks.push({ name: value.signal, from: at, until: head, ended: false, failed: false });
  else if (open !== undefined) Object.assign(open, { until: at, ended: true, failed: value.phase !== 'finished' });
}

function addLetter(shapes: SignalShapes, planned: Map<string, SimTime>, value: SignalMark, at: SimTime): void {
  shapes.letters.push({ at, letter: value.signal.slice(3, 4), planned: false });
  for (const key of planned.keys()) if (key.startsWith('grace@')) planned.delete(key);
  for (const key of planned.keys()) {
    if (!key.startsWith(`${value.container}@`)) continue;
    shapes.waits.push({ from: Number(key.split('@')[1]), until: at });
    planned.delete(key);
  }
  if (value.killAt !== undefined && value.killAt > at) planned.set(`${value.container}@${at}`, value.killAt);
}

/** When the pod of this row is gone, or its last container has ended. */
function endOfLane(film: Film, track: Track): SimTime | undefined {
  const pod = film.lanes.get(`pod/${track.podUid ?? ''}`);
  if (pod === undefined) return undefined;
  const index = pod.spans.value.lastIndexOf(-1);
  return index >= 0 && index === pod.spans.value.length - 1 ? pod.spans.at[index] : undefined;
}

export interface Column {
  from: SimTime;
  until: SimTime;
  ok: number;
  failed: number;
}

/** Requests in columns of a round length that are at least 3 px wide. */
export function columnsOf(film: Film, track: Track, a: SimTime, b: SimTime, msPerPx: number): { columns: Column[]; perSecond: number; max: number } {
  const width = roundUp(Math.max(1000, 3 * msPerPx));
  const columns = new Map<number, Column>();
  for (const { at, value } of film.marksBetween(track.laneId, a - width, Math.min(b, film.head))) {
    if (value.kind !== 'request') continue;
    const slot = Math.floor(at / width);
    const column = columns.get(slot) ?? { from: slot * width, until: (slot + 1) * width, ok: 0, failed: 0 };
    column.ok += value.ok;
    column.failed += value.failed;
    columns.set(slot, column);
  }
  const list = [...columns.values()];
  return { columns: list, perSecond: 1000 / width, max: list.reduce((most, column) => Math.max(most, column.ok + column.failed), 1) };
}

const roundSteps = [1000, 2000, 5000, 10_000, 20_000, 30_000, 60_000, 120_000, 300_000, 600_000, 1_800_000, 3_600_000];
const roundUp = (ms: number): number => roundSteps.find((step) => step >= ms) ?? Math.ceil(ms / 3_600_000) * 3_600_000;
