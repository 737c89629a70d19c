import type { Input } from '../../../scenarios/schema.ts';
import type { SimTime } from '../../../sim/time.ts';
import type { InputMark } from '../../../worker/protocol.ts';
import { engine } from '../../store/engine-client.ts';
import { film, filmStore } from '../../store/film.ts';
import { cursor, pause, play, playbackStore, seek } from '../../store/playback.ts';
import { act, sessionStore, type InputResult } from '../../store/session.ts';
import { changesCluster, isInteractiveShell } from './verbs.ts';

/** Where a command prints, what says that it was interrupted, and what the terminal itself has to say. */
export interface Streams {
  out(text: string): void;
  err(text: string): void;
  notice(key: Notice): void;
  signal: AbortSignal;
}

export type Notice = 'forks' | 'waits' | 'follows' | 'loading' | 'no-shell' | 'other-film';

export interface KubectlCall {
  /** The words after kubectl, without their quotes. */
  words: readonly string[];
  /** The same as typed. */
  line: string;
  stdin?: string;
  files?: Record<string, string>;
}

const interrupted = 130;

/** One kubectl command at the playhead. Commands that only read are asked; those that change are acts of the user, after which time goes on. */
export async function runKubectl(call: KubectlCall, streams: Streams): Promise<number> {
  if (sessionStore.getState().status !== 'running') {
    streams.notice('loading');
    return 1;
  }
  if (call.stdin === undefined && isInteractiveShell(call.words)) {
    streams.notice('no-shell');
    return 1;
  }
  try {
    return await (changesCluster(call.words) ? change(call, streams) : read(call, streams));
  } catch (error) {
    if (error !== abortion) throw error;
    return interrupted;
  }
}

const given = ({ stdin, files }: KubectlCall) => ({ ...(stdin === undefined ? {} : { stdin }), ...(files === undefined ? {} : { files }) });

async function read(call: KubectlCall, streams: Streams): Promise<number> {
  const at = Math.round(cursor());
  const { source } = sessionStore.getState();
  const question = { about: 'kubectl' as const, line: call.line, at, ...given(call) };
  let answer = await engine().ask<'kubectl'>(question);
  const printed = new Printed(streams);
  printed.upTo(answer);
  if (answer.waiting !== true) return answer.exit;
  streams.notice('follows');
  return whileTimeGoesOn(streams, async (next) => {
    while (answer.waiting === true) {
      await next();
      if (sessionStore.getState().source !== source) return 1;
      const until = Math.min(cursor(), film().head);
      if (until <= at) continue;
      answer = await engine().ask<'kubectl'>({ ...question, until });
      if (!printed.upTo(answer)) return 1;
    }
    return answer.exit;
  });
}

async function change(call: KubectlCall, streams: Streams): Promise<number> {
  const at = Math.round(cursor());
  const { source } = sessionStore.getState();
  if (forks(at)) streams.notice('forks');
  const input: Input = { at, kind: 'kubectl', line: call.line, ...given(call) };
  const result = await resultOf(act(input), streams.signal);
  if (result === null) {
    streams.notice('other-film');
    return 1;
  }
  const printed = new Printed(streams);
  printed.upTo(result);
  const { branch } = film();
  const find = () => (sessionStore.getState().source === source && film().branch === branch ? endOf(call.line, at) : 'gone');
  if (result.exit !== null) {
    const end = await until(streams.signal, find, filmStore.subscribe);
    if (typeof end === 'object' && cursor() < end.at) seek(end.at);
    play();
    return result.exit;
  }
  streams.notice('waits');
  const exit = await whileTimeGoesOn(streams, async () => {
    const end = await until(streams.signal, find, filmStore.subscribe);
    if (typeof end !== 'object') return 1;
    await until(streams.signal, () => (cursor() >= end.at || film().branch !== branch ? true : undefined), playbackStore.subscribe);
    printed.upTo({ stdout: end.value.stdout ?? '', stderr: end.value.stderr ?? '' });
    return end.value.exit ?? 0;
  });
  if (exit !== interrupted) play();
  return exit;
}

/** Acts of the user that lie ahead of the playhead stay in a branch of their own. */
function forks(at: SimTime): boolean {
  const { branches, branch } = film();
  return branches.find((item) => item.id === branch)?.inputs.some((input) => input.at > at) ?? false;
}

/** Null: another film was opened. */
function resultOf(id: number, signal: AbortSignal): Promise<InputResult | null> {
  const { source } = sessionStore.getState();
  return until(signal, () => {
    const state = sessionStore.getState();
    return state.source !== source ? null : state.result?.id === id ? state.result : undefined;
  }, sessionStore.subscribe);
}

/** Where the film says that a command ended. */
function endOf(line: string, from: SimTime): { at: SimTime; value: InputMark } | undefined {
  for (const { at, value } of film().marksBetween('inputs', from, film().head)) {
    if (value.kind === 'input' && value.exit !== undefined && value.summary === `kubectl ${line}`) return { at, value };
  }
  return undefined;
}

/** Waits in simulated time, as `sleep` does. */
export function sleep(ms: number, streams: Streams): Promise<number> {
  const end = Math.round(cursor()) + ms;
  return whileTimeGoesOn(streams, async () => {
    await until(streams.signal, () => (cursor() >= end ? true : undefined), playbackStore.subscribe);
    return 0;
  });
}

const lookMs = 120;

/**
 * A command in the foreground waits for simulated time, so that time has to pass: a film that stands still plays until the command ends.
 * `next`: a moment later, as soon as the playhead has moved.
 */
async function whileTimeGoesOn(streams: Streams, wait: (next: () => Promise<void>) => Promise<number>): Promise<number> {
  const began = !playbackStore.getState().playing;
  let byHand = false;
  if (began) play();
  const stop = playbackStore.subscribe((now, before) => {
    if (now.playing || !before.playing) return;
    // The film stops once at its end; a command that waits goes on past it.
    if (now.cursor >= film().untilMs && !before.live) play();
    else byHand = true;
  });
  const next = async () => {
    const from = cursor();
    await new Promise((resolve) => setTimeout(resolve, lookMs));
    await until(streams.signal, () => (cursor() === from ? undefined : true), playbackStore.subscribe);
  };
  try {
    return await wait(next);
  } catch (error) {
    if (error !== abortion) throw error;
    return interrupted;
  } finally {
    stop();
    if (began && !byHand) pause();
  }
}

const abortion = new Error('interrupted');

/** The first value that is there, looking again whenever a store changes. */
function until<T>(signal: AbortSignal, look: () => T | undefined, subscribe: (listener: () => void) => () => void): Promise<T> {
  return new Promise((resolve, reject) => {
    const stops: (() => void)[] = [];
    const end = () => {
      for (const stop of stops) stop();
    };
    const again = () => {
      const found = look();
      if (found === undefined) return;
      end();
      resolve(found);
    };
    const abort = () => {
      end();
      reject(abortion);
    };
    if (signal.aborted) return abort();
    stops.push(subscribe(again), sessionStore.subscribe(again));
    signal.addEventListener('abort', abort, { once: true });
    stops.push(() => signal.removeEventListener('abort', abort));
    again();
  });
}

/** What kubectl says before it does anything comes first, though it goes to the other stream. */
const early = /^(?:Warning: |Defaulted container |Found \d+ pods, using )/;

/** Prints what is new of outputs that only grow. */
class Printed {
  #out = '';
  #err = '';
  readonly #streams: Streams;

  constructor(streams: Streams) {
    this.#streams = streams;
  }

  /** False: this is not the same output any more. */
  upTo({ stdout, stderr }: { stdout: string; stderr: string }): boolean {
    if (!stdout.startsWith(this.#out) || !stderr.startsWith(this.#err)) return false;
    const [out, err] = [stdout.slice(this.#out.length), stderr.slice(this.#err.length)];
    [this.#out, this.#err] = [stdout, stderr];
    const lines = err.split(/(?<=\n)/);
    const first = lines.findIndex((line) => !early.test(line));
    const split = first < 0 ? lines.length : first;
    const parts: [(text: string) => void, string][] = [[this.#streams.err, lines.slice(0, split).join('')], [this.#streams.out, out], [this.#streams.err, lines.slice(split).join('')]];
    for (const [print, text] of parts) if (text !== '') print(text);
    return true;
  }
}
