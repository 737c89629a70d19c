import type { ProbeType } from '../../../cluster/notes.ts';
import type { ContainerValue, Tone } from '../../../worker/protocol.ts';
import type { SimTime } from '../../../sim/time.ts';
import type { Film, LaneData, ProbeTick, Span } from '../film/film.ts';
import { countBefore } from '../film/series.ts';
import { left, length, type Said } from '../format.ts';
import { lastTick } from '../timeline/value.ts';
import type { Chip } from './chip.ts';

export type FootWord =
  | 'failed-of' | 'next-in' | 'restarts' | 'exit-ran' | 'exit-code' | 'sigterm-sent' | 'pre-stop-running' | 'terminating-for' | 'evicted-in' | 'pulling' | 'waiting'
  | 'silent-for' | 'unschedulable-for' | 'retry' | 'no-probes';

export interface ProbeDial {
  probe: ProbeType;
  outcome: 'ok' | 'fail' | 'none';
  /** Share of the wait for the next run that is left; undefined if it runs no more. */
  share?: number;
}

/** The last line of a chip: probes with the arcs of their next runs, or one countdown. */
export interface Foot {
  dials: ProbeDial[];
  text: Said<FootWord>;
  /** Right side: a number that runs down. */
  left?: string;
  arc?: number;
}

export function footAt(film: Film, chip: Chip, t: SimTime): Foot {
  if (chip.tone !== 'terminating') {
    const eviction = evictionAt(film, chip, t);
    if (eviction !== undefined) return countdown({ key: 'evicted-in' }, eviction.at - t, eviction.at - eviction.since);
  }
  return (feet[chip.tone] ?? probesFoot)(film, chip, t);
}

type FootOf = (film: Film, chip: Chip, t: SimTime) => Foot;

const feet: Partial<Record<Tone, FootOf>> = { starting: startingFoot, terminating: terminatingFoot, 'back-off': backOffFoot, failed: exitFoot, succeeded: exitFoot, pending: pendingFoot, unknown: unknownFoot };

const plain = (text: Said<FootWord>): Foot => ({ dials: [], text });
const countdown = (text: Said<FootWord>, leftMs: number, wholeMs: number): Foot =>
  ({ dials: [], text, left: left(leftMs), arc: wholeMs <= 0 ? 0 : Math.min(1, Math.max(0, leftMs / wholeMs)) });

function containersAt(film: Film, podUid: string, t: SimTime): { data: LaneData; span: Span; value: ContainerValue }[] {
  return film.lanesOfPod(podUid).flatMap((data) => {
    const span = data.lane.kind === 'container' ? film.spanOf(data, t) : undefined;
    return span?.value.kind === 'container' && span.value.role !== 'pause' ? [{ data, span, value: span.value }] : [];
  });
}

function startingFoot(film: Film, chip: Chip, t: SimTime): Foot {
  const waiting = containersAt(film, chip.uid, t).find(({ value }) => value.tone === 'starting');
  const since = waiting?.span.from ?? chip.since;
  return plain({ key: isPulling(film, chip.uid, t) || waiting?.value.reason === 'pulling' ? 'pulling' : 'waiting', values: { time: seconds(t - since) } });
}

/** The newest step of an image is its start: it is being pulled. */
function isPulling(film: Film, podUid: string, t: SimTime): boolean {
  const steps = film.marksBetween(`steps/${podUid}`, 0, t);
  const last = steps.findLast(({ value }) => value.kind === 'step' && value.step.startsWith('pull-'));
  return last?.value.kind === 'step' && last.value.step === 'pull-started';
}

function terminatingFoot(film: Film, chip: Chip, t: SimTime): Foot {
  const signals = film.marksBetween(`signals/${chip.uid}`, 0, t).flatMap(({ value }) => (value.kind === 'signal' ? [value] : []));
  const sent = signals.findLast((signal) => signal.signal.startsWith('SIG'));
  const hook = signals.some((signal) => signal.signal === 'preStop');
  const text: Said<FootWord> = sent !== undefined ? { key: 'sigterm-sent', values: { signal: sent.signal } } : hook ? { key: 'pre-stop-running' } : { key: 'terminating-for', values: { time: length(t - chip.since) } };
  const deadline = chip.value.deadlineAt;
  return deadline === undefined ? plain(text) : countdown(text, deadline - t, deadline - deletedAt(film, chip));
}

/** The start of the terminating stretch, whatever changed within it. */
function deletedAt(film: Film, chip: Chip): SimTime {
  const spans = film.spansBetween(`pod/${chip.uid}`, 0, chip.since);
  return spans.find((span) => span.value.kind === 'pod' && span.value.tone === 'terminating')?.from ?? chip.since;
}

function backOffFoot(film: Film, chip: Chip, t: SimTime): Foot {
  const waiting = containersAt(film, chip.uid, t).find(({ value }) => value.tone === 'back-off');
  const text: Said<FootWord> = chip.value.restarts > 0 ? { key: 'restarts', values: { count: chip.value.restarts } } : { key: 'retry' };
  const retryAt = waiting?.value.retryAt;
  return waiting === undefined || retryAt === undefined ? plain(text) : countdown(text, retryAt - t, retryAt - waiting.span.from);
}

function exitFoot(film: Film, chip: Chip, t: SimTime): Foot {
  const ended = containersAt(film, chip.uid, t).filter(({ value }) => value.state === 'terminated' && value.role !== 'init');
  const last = ended.toSorted((a, b) => (b.value.exitCode ?? 0) - (a.value.exitCode ?? 0))[0];
  if (last === undefined) return plain('');
  const run = film.spansBetween(last.data.lane.id, 0, last.span.from).findLast((span) => span.value.kind === 'container' && span.value.state === 'running');
  const started = run === undefined ? undefined : firstRunning(film, last.data, run);
  const code = last.value.exitCode ?? 0;
  const { retryAt } = last.value;
  if (retryAt !== undefined && retryAt > t) return countdown({ key: 'exit-code', values: { code } }, retryAt - t, retryAt - last.span.from);
  return plain(started === undefined ? { key: 'exit-code', values: { code } } : { key: 'exit-ran', values: { code, time: length(last.span.from - started) } });
}

function firstRunning(film: Film, data: LaneData, run: Span): SimTime {
  let from = run.from;
  for (const span of film.spansBetween(data.lane.id, 0, run.from).toReversed()) {
    if (span.value.kind !== 'container' || span.value.state !== 'running') break;
    from = span.from;
  }
  return from;
}

function pendingFoot(_film: Film, chip: Chip, t: SimTime): Foot {
  return chip.value.message === undefined ? plain({ key: 'waiting', values: { time: seconds(t - chip.since) } }) : plain({ key: 'unschedulable-for', values: { time: length(t - chip.since) } });
}

function unknownFoot(_film: Film, chip: Chip, t: SimTime): Foot {
  return plain({ key: 'silent-for', values: { time: left(t - chip.since) } });
}

const seconds = (ms: number): string => `${Math.max(0, ms / 1000).toFixed(1)} s`;

function probesFoot(film: Film, chip: Chip, t: SimTime): Foot {
  const dials: ProbeDial[] = [];
  let failing: ProbeTick | undefined;
  let soonest = Infinity;
  for (const data of film.lanesOfPod(chip.uid)) {
    const probe = data.lane.probe;
    const last = data.lane.kind === 'probe' ? lastTick(film, data, t) : undefined;
    if (probe === undefined || data.lane.kind !== 'probe') continue;
    const failed = last?.mark !== undefined && last.mark.outcome !== 'success' && last.mark.outcome !== 'warning';
    if (failed && (failing === undefined || probe === 'readiness')) failing = last;
    const passedForGood = probe === 'startup' && last !== undefined && !failed;
    const next = passedForGood || last === undefined ? undefined : nextTick(film, data, last, t);
    if (next !== undefined) soonest = Math.min(soonest, next - t);
    dials.push({
      probe, outcome: last === undefined ? 'none' : failed ? 'fail' : 'ok',
      ...(next === undefined || last === undefined ? {} : { share: Math.min(1, Math.max(0, (next - t) / Math.max(1, next - last.at))) }),
    });
  }
  dials.sort((a, b) => order.indexOf(a.probe) - order.indexOf(b.probe));
  if (failing?.mark !== undefined) return { dials, text: { key: 'failed-of', values: { n: Math.min(failing.mark.run, failing.mark.threshold), m: failing.mark.threshold } } };
  if (Number.isFinite(soonest)) return { dials, text: { key: 'next-in', values: { time: seconds(soonest) } } };
  if (chip.value.restarts > 0) return { dials, text: { key: 'restarts', values: { count: chip.value.restarts } } };
  return { dials, text: dials.length === 0 ? { key: 'no-probes' } : '' };
}

const order: ProbeType[] = ['startup', 'liveness', 'readiness'];

/** From what is simulated already; else one usual distance after the last run. */
function nextTick(film: Film, data: LaneData, last: ProbeTick, t: SimTime): SimTime | undefined {
  const known = film.nextProbeTick(data, t);
  if (known !== undefined) return known;
  const span = film.spanOf(data, t);
  const usual = span?.value.kind === 'probe-series' ? span.value.periodMs : last.at - (data.marks.at[countBefore(data.marks.at, last.at, false) - 1] ?? last.at);
  return usual <= 0 || last.at + usual <= t ? undefined : last.at + usual;
}

const defaultTolerationMs = 300_000;

/** A lost node's pods are evicted after the default 300 s, unless a DaemonSet owns them. Simplified: other tolerations are not in the film. */
function evictionAt(film: Film, chip: Chip, t: SimTime): { at: SimTime; since: SimTime } | undefined {
  const node = chip.value.node;
  const owners = film.lane(`pod/${chip.uid}`)?.owners ?? [];
  if (node === undefined || owners.some((owner) => owner.startsWith('DaemonSet/') || owner.startsWith('Node/'))) return undefined;
  if (chip.tone === 'succeeded' || chip.tone === 'failed') return undefined;
  let since: SimTime | undefined;
  for (const span of film.spansBetween(`node/${node}`, 0, t)) {
    const lost = span.value.kind === 'node' && span.value.taints.some((taint) => /^node\.kubernetes\.io\/(unreachable|not-ready).*:NoExecute$/.test(taint));
    since = lost ? since ?? span.from : undefined;
  }
  const from = since === undefined ? undefined : Math.max(since, 0);
  return from === undefined || t >= from + defaultTolerationMs ? undefined : { at: from + defaultTolerationMs, since: from };
}
