import type { ContainerValue, LaneValue, Tone } from '../../../worker/protocol.ts';
import type { SimTime } from '../../../sim/time.ts';
import type { Film, LaneData } from '../film/film.ts';
import { countBefore } from '../film/series.ts';
import { left, type Said } from '../format.ts';
import { failureThreshold } from './ticks.ts';
import type { Track } from './track.ts';

export type ValueWord = 'value-ready' | 'value-not-ready' | 'running' | 'exit' | 'retry-in' | 'passed' | 'per-second' | 'unreachable';

/** What stands beside the name of a row: the value at the playhead. `hot`: it is what a reader should look at. */
export interface ValueAtPlayhead {
  said: Said<ValueWord>;
  hot: boolean;
  tone?: Tone;
  /** Said aloud where only a colour and a shape say it on screen. */
  spoken?: string;
  /** Of the label, where it depends on the value (roles of containers). */
  icon?: string;
}

const nothing: ValueAtPlayhead = { said: '', hot: false };

export function valueAtPlayhead(film: Film, track: Track, t: SimTime): ValueAtPlayhead {
  const data = film.lanes.get(track.laneId);
  if (data === undefined || track.kind === 'ghost') return nothing;
  switch (track.kind) {
    case 'probe': return probeValue(film, data, t);
    case 'events': return { said: String(countBefore(data.marks.at, t, true)), hot: false };
    case 'signals': return { said: lastSignal(film, data, t), hot: false };
    case 'requests': return requestRate(film, data, t);
    default: return spanValue(film.spanOf(data, t)?.value ?? firstRole(film, data), t, film.spanOf(data, t) === undefined);
  }
}

/** Before a container exists its row still carries the icon of its role. */
const firstRole = (film: Film, data: LaneData): LaneValue | undefined => film.value(data.spans.value[0] ?? -1);

function spanValue(value: LaneValue | undefined, t: SimTime, absent: boolean): ValueAtPlayhead {
  if (value === undefined) return nothing;
  if (value.kind === 'container') return absent ? { ...nothing, icon: `role-${roleIcon(value)}` } : containerValue(value, t);
  if (absent) return nothing;
  if (value.kind === 'pod') return { said: `${value.ready}/${value.total}`, hot: false, tone: value.tone, spoken: value.status };
  if (value.kind === 'condition') return { said: value.status, hot: value.status !== 'True' };
  if (value.kind === 'node') return { said: value.ready === 'True' ? 'Ready' : 'NotReady', hot: value.ready !== 'True', tone: value.ready === 'True' ? 'ready' : 'not-ready' };
  if (value.kind === 'service') {
    const ready = value.endpoints.filter((endpoint) => endpoint.ready).length;
    return { said: `${ready}/${value.endpoints.length}`, hot: ready === 0 };
  }
  return nothing;
}

const roleIcon = (value: ContainerValue): string => (value.role === 'ephemeral' ? 'app' : value.role);

function containerValue(value: ContainerValue, t: SimTime): ValueAtPlayhead {
  const base = { tone: value.tone, icon: `role-${roleIcon(value)}`, hot: false };
  if (value.state !== 'running' && value.retryAt !== undefined && value.retryAt > t) return { ...base, said: { key: 'retry-in', values: { left: left(value.retryAt - t) } } };
  if (value.state === 'terminated') return { ...base, said: { key: 'exit', values: { code: value.exitCode ?? 0 } }, hot: (value.exitCode ?? 0) !== 0 };
  if (value.state === 'waiting') return { ...base, said: value.reason ?? '' };
  if (value.role === 'init') return { ...base, said: { key: 'running' } };
  return { ...base, said: { key: value.ready ? 'value-ready' : 'value-not-ready' }, hot: !value.ready };
}

function probeValue(film: Film, data: LaneData, t: SimTime): ValueAtPlayhead {
  const tick = lastTick(film, data, t);
  if (tick === undefined) return nothing;
  const failed = tick.mark !== undefined && tick.mark.outcome !== 'success' && tick.mark.outcome !== 'warning';
  if (failed && tick.mark !== undefined) return { said: `${Math.min(tick.mark.run, tick.mark.threshold)}/${tick.mark.threshold}`, hot: true };
  const threshold = failureThreshold(film, data);
  return { said: data.lane.probe === 'startup' || threshold === undefined ? { key: 'passed' } : `0/${threshold}`, hot: false };
}

/** The newest run at or before `t`. */
export function lastTick(film: Film, data: LaneData, t: SimTime): ReturnType<Film['probeTicks']>[number] | undefined {
  const span = film.spanOf(data, t);
  const period = span?.value.kind === 'probe-series' ? span.value.periodMs : 0;
  const recent = period > 0 ? film.probeTicks(data.lane.id, t - period, t) : [];
  if (recent.length > 0) return recent[recent.length - 1];
  const index = countBefore(data.marks.at, t, true) - 1;
  const value = film.value(data.marks.value[index] ?? -1);
  return value?.kind === 'probe' ? { at: data.marks.at[index] ?? 0, mark: value } : undefined;
}

function lastSignal(film: Film, data: LaneData, t: SimTime): string {
  for (let index = countBefore(data.marks.at, t, true) - 1; index >= 0; index -= 1) {
    const value = film.value(data.marks.value[index] ?? -1);
    if (value?.kind === 'signal' && value.signal !== 'grace') return value.signal;
  }
  return '';
}

function requestRate(film: Film, data: LaneData, t: SimTime): ValueAtPlayhead {
  let total = 0;
  for (const { value } of film.marksBetween(data.lane.id, t - 999, t)) total += value.kind === 'request' ? value.ok + value.failed : 0;
  return { said: { key: 'per-second', values: { count: total } }, hot: false };
}
