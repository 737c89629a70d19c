import type { ContainerValue, PodValue, Tone } from '../../../worker/protocol.ts';
import type { SimTime } from '../../../sim/time.ts';
import type { Film, Span } from '../film/film.ts';
import { goDuration, type Said } from '../format.ts';
import type { Track } from './track.ts';

export type BarWord = 'endpoints' | 'pulling' | 'ready' | 'not-ready' | 'running-ready' | 'running-not-ready' | 'running' | 'back-off' | 'unreachable';

/** A stretch of one state. Labels from the longest to the shortest: the first that fits is written. */
export interface Bar {
  from: SimTime;
  until: SimTime;
  tone: Tone;
  labels: Said<BarWord>[];
  /** A quieter fill: sidecars. */
  quiet: boolean;
  /** An exit happened where it begins: a cross. */
  exit: boolean;
}

/** A stretch of a condition. */
export interface Strip {
  from: SimTime;
  until: SimTime;
  status: 'True' | 'False' | 'Unknown';
}

/** Bars of a pod, container or node row that overlap [a, b]; neighbours that look the same are one. */
export function barsOf(film: Film, track: Track, a: SimTime, b: SimTime): Bar[] {
  const bars: Bar[] = [];
  const spans = film.spansBetween(track.laneId, a, Math.min(b, film.head));
  spans.forEach((span, index) => {
    if (span.until <= span.from) return;
    const bar = barOf(film, span, spans[index + 1]);
    if (bar === undefined) return;
    const last = bars[bars.length - 1];
    if (last !== undefined && last.until === bar.from && sameLook(last, bar)) last.until = bar.until;
    else bars.push(...(track.kind === 'container' && bar.tone === 'starting' ? withPulls(film, track, bar) : [bar]));
  });
  return bars;
}

/** Bars of an old branch's future. */
export function ghostBars(film: Film, track: Track): Bar[] {
  const ghost = film.ghosts.get(track.laneId)?.[track.ghost ?? 0];
  if (ghost === undefined) return [];
  return ghost.spans.flatMap(({ at, value }, index) =>
    (value?.kind === 'pod' ? [{ from: at, until: ghost.spans[index + 1]?.at ?? ghost.until, tone: value.tone, labels: [], quiet: false, exit: false }] : []));
}

export function stripsOf(film: Film, track: Track, a: SimTime, b: SimTime): Strip[] {
  const strips: Strip[] = [];
  for (const span of film.spansBetween(track.laneId, a, Math.min(b, film.head))) {
    if (span.value.kind !== 'condition') continue;
    const until = Math.min(span.until, film.head);
    const last = strips[strips.length - 1];
    if (last !== undefined && last.until === span.from && last.status === span.value.status) last.until = until;
    else strips.push({ from: span.from, until, status: span.value.status });
  }
  return strips;
}

function barOf(film: Film, span: Span, next: Span | undefined): Bar | undefined {
  const value = span.value;
  const until = Math.min(span.until, film.head);
  const base = { from: span.from, until, quiet: false, exit: false };
  if (value.kind === 'pod') return { ...base, tone: value.tone, labels: podLabels(value) };
  if (value.kind === 'container') return containerBar(value, base, next);
  if (value.kind === 'node') {
    const tone: Tone = value.ready === 'True' ? 'ready' : value.ready === 'False' ? 'not-ready' : 'unknown';
    return { ...base, tone, labels: [value.ready === 'True' ? 'Ready' : 'NotReady'] };
  }
  if (value.kind === 'service') {
    const ready = value.endpoints.filter((endpoint) => endpoint.ready).length;
    const total = value.endpoints.length;
    const tone: Tone = total === 0 ? 'pending' : ready === total ? 'ready' : 'not-ready';
    return { ...base, tone, labels: [{ key: 'endpoints', values: { ready, total } }, `${ready}/${total}`] };
  }
  return undefined;
}

function podLabels(value: PodValue): Said<BarWord>[] {
  if (value.tone === 'ready') return [{ key: 'ready' }];
  if (value.tone === 'not-ready' && value.status === 'Running') return [{ key: 'not-ready' }];
  return [value.status];
}

/** A finished init container is its run, drawn thin with a check at its end, and then nothing: the row is free again. */
function containerBar(value: ContainerValue, base: Omit<Bar, 'tone' | 'labels'>, next: Span | undefined): Bar | undefined {
  const bar = { ...base, quiet: value.role === 'sidecar', exit: value.reason === 'CrashLoopBackOff' || (value.tone === 'back-off' && value.state === 'terminated') };
  if (value.role === 'init') {
    if (value.tone === 'succeeded') return undefined;
    const after = next?.value;
    if (value.state === 'running' && after?.kind === 'container' && after.tone === 'succeeded') return { ...bar, tone: 'succeeded', labels: [] };
  }
  return { ...bar, tone: value.tone, labels: containerLabels(value) };
}

function containerLabels(value: ContainerValue): Said<BarWord>[] {
  if (value.tone === 'back-off') {
    const wait = waitOf(value);
    if (wait === undefined) return value.reason === undefined ? [] : [value.reason];
    return [{ key: 'back-off', values: { wait } }, wait];
  }
  if (value.state === 'running' && value.role === 'init') return [{ key: 'running' }];
  if (value.state === 'running') return [{ key: value.ready ? 'running-ready' : 'running-not-ready' }, { key: value.ready ? 'ready' : 'not-ready' }];
  if (value.state === 'terminated' && value.tone === 'failed') return [`${value.reason ?? 'Error'} ${value.exitCode ?? ''}`.trimEnd(), value.reason ?? 'Error'];
  return value.reason === undefined ? [] : [value.reason];
}

/** While an image is pulled the bar says so: the steps of the pod know when. */
function withPulls(film: Film, track: Track, bar: Bar): Bar[] {
  const container = film.lane(track.laneId)?.container;
  const marks = film.marksBetween(`steps/${track.podUid ?? ''}`, bar.from, bar.until)
    .flatMap(({ at, value }) => (value.kind === 'step' && value.container === container && value.step.startsWith('pull-') ? [{ at, step: value.step }] : []));
  const start = marks.find(({ step }) => step === 'pull-started')?.at;
  if (start === undefined) return [bar];
  const end = marks.find(({ at, step }) => at >= start && (step === 'pull-finished' || step === 'pull-failed'))?.at ?? bar.until;
  const parts: Bar[] = [{ ...bar, until: start }, { ...bar, from: start, until: end, labels: [{ key: 'pulling' }] }, { ...bar, from: end }];
  return parts.filter((part) => part.until > part.from);
}

/** The back-off's length as the kubelet says it ('back-off 20s restarting failed container'), or as the film knows it. */
function waitOf(value: ContainerValue): string | undefined {
  const told = /back-off (\S+) restarting/.exec(value.message ?? '')?.[1];
  const wait = told ?? (value.backOffMs === undefined ? undefined : goDuration(value.backOffMs));
  return wait?.replace(/^(\d+)s$/, '$1 s');
}

const sameLook = (a: Bar, b: Bar): boolean =>
  a.tone === b.tone && a.quiet === b.quiet && !b.exit && JSON.stringify(a.labels) === JSON.stringify(b.labels);
