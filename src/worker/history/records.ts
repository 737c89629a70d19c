import type { NoteKind, Notes } from '../../cluster/notes.ts';
import type { TraceRecord } from '../../sim/trace.ts';
import type { Input } from '../../scenarios/schema.ts';
import type { FilmBuilder } from './film.ts';
import { containerLane, pauseName, type Retries } from './pods.ts';

type Show = { [K in NoteKind]?: (film: FilmBuilder, note: Notes[K], record: TraceRecord, retries: Retries) => void };

const probeLane = (film: FilmBuilder, note: { podUid: string; container: string; probe: Notes['probe-result']['probe'] }) =>
  film.lane(`probe/${note.podUid}/${note.container}/${note.probe}`, () => ({
    kind: 'probe', label: note.probe, podUid: note.podUid, container: note.container, probe: note.probe,
  }));

const signalLane = (film: FilmBuilder, podUid: string) => film.lane(`signals/${podUid}`, () => ({ kind: 'signals', label: 'signals', podUid }));
const stepLane = (film: FilmBuilder, podUid: string) => film.lane(`steps/${podUid}`, () => ({ kind: 'steps', label: 'steps', podUid }));
const inputLane = (film: FilmBuilder) => film.lane('inputs', () => ({ kind: 'inputs', label: 'inputs' }));

function step(film: FilmBuilder, record: TraceRecord, podUid: string, word: string, detail?: string, container?: string): void {
  film.mark(stepLane(film, podUid), record.at, {
    kind: 'step', step: word, ...(detail === undefined ? {} : { detail }), ...(container === undefined ? {} : { container }),
  });
}

/** How each kind of note shows on the film. */
const show: Show = {
  'probe-result': (film, note, record) => {
    const lane = probeLane(film, note);
    film.span(lane, record.at, null);
    const { outcome, run, threshold, crosses, message, startedAt } = note;
    film.mark(lane, record.at, { kind: 'probe', outcome, run, threshold, crosses, message, tookMs: record.at - startedAt });
  },
  'probe-series': (film, note) => film.span(probeLane(film, note), note.firstAt, { kind: 'probe-series', periodMs: note.periodMs }),
  'probe-series-end': (film, note) => film.span(probeLane(film, note), note.before, null),
  hook: (film, note, record) => film.mark(signalLane(film, note.podUid), record.at, {
    kind: 'signal', signal: note.hook, container: note.container, phase: note.phase, ...(note.message === undefined ? {} : { message: note.message }),
  }),
  signal: (film, note, record) => film.mark(signalLane(film, note.podUid), record.at, {
    kind: 'signal', signal: note.signal, container: note.container, ...(note.killAt === undefined ? {} : { killAt: note.killAt }),
  }),
  grace: (film, note, record) => film.mark(signalLane(film, note.podUid), record.at, { kind: 'signal', signal: 'grace', container: '', killAt: note.endsAt }),
  pull: (film, note, record) => {
    if (note.podUid !== undefined) step(film, record, note.podUid, `pull-${note.phase}`, note.message ?? note.image, note.container);
  },
  volume: (film, note, record) => step(film, record, note.podUid, `volume-${note.phase}`, note.message ?? note.volume),
  'pod-step': (film, note, record) => {
    step(film, record, note.podUid, note.step, note.detail);
    if (note.step === 'sandbox-ready' || note.step === 'sandbox-stopped') showPause(film, note.podUid, record.at, note.step === 'sandbox-ready');
  },
  'container-step': (film, note, record) => step(film, record, note.podUid, note.step, note.reason, note.container),
  'back-off': (film, note, record, retries) => {
    retries.set(`${note.podUid} ${note.container}`, { retryAt: note.retryAt, windowMs: note.windowMs });
    step(film, record, note.podUid, 'back-off', `${note.windowMs / 1000}s`, note.container);
  },
  assumption: (film, note, record) => step(film, record, note.podUid, 'assumption', note.text, note.container),
  input: (film, note, record) => film.mark(inputLane(film), record.at, { kind: 'input', summary: note.summary, input: note.input as Input }),
  kubectl: (film, note, record) => film.mark(inputLane(film), record.at, {
    kind: 'input', summary: `kubectl ${note.line}`, exit: note.exit, stdout: note.stdout, stderr: note.stderr, input: null,
  }),
  request: (film, note, record) => {
    const lane = film.lane(`requests/${note.client}`, () => ({ kind: 'requests', label: note.client }));
    const ok = note.outcome === 'ok' ? note.count : 0;
    film.mark(lane, record.at, { kind: 'request', ok, failed: note.count - ok, outcome: note.outcome, ...(note.podUid === undefined ? {} : { podUid: note.podUid }) });
  },
};

function showPause(film: FilmBuilder, podUid: string, at: number, running: boolean): void {
  const lane = film.lane(containerLane(podUid, pauseName), () => ({ kind: 'container', label: 'pause', podUid, container: pauseName, order: 0 }));
  film.span(lane, at, {
    kind: 'container', role: 'pause', image: 'registry.k8s.io/pause:3.10', restarts: 0,
    state: running ? 'running' : 'terminated', tone: running ? 'ready' : 'succeeded', ready: running, started: running,
    ...(running ? {} : { exitCode: 0 }),
  });
}

/** Puts one noted fact on the film. */
export function showRecord(film: FilmBuilder, record: TraceRecord, retries: Retries): void {
  const shows = show[record.kind as NoteKind] as ((film: FilmBuilder, note: unknown, record: TraceRecord, retries: Retries) => void) | undefined;
  shows?.(film, record.data, record, retries);
}
