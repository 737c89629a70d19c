import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { Fault, Input } from '../../scenarios/schema.ts';
import type { SimTime } from '../../sim/time.ts';
import type { FromWorker, SessionSource } from '../../worker/protocol.ts';
import { clearAnswers } from './answers.ts';
import { engine, restartEngine } from './engine-client.ts';
import { film, receiveDelta, resetFilm } from './film.ts';
import { cursor, playbackStore } from './playback.ts';
import { awaitNew, awaitSelection, settleSelection } from './selection.ts';
import { firstWindow } from './viewport.ts';

export interface InputResult {
  id: number;
  input: Input;
  stdout: string;
  stderr: string;
  exit: number | null;
  /** A new branch was begun by it. */
  branch: number | undefined;
}

export interface SessionState {
  status: 'empty' | 'loading' | 'running' | 'broken';
  /** Of the catalog; undefined for a link or a file. */
  example: string | undefined;
  source: SessionSource | undefined;
  bug: { message: string; source: SessionSource } | undefined;
  result: InputResult | undefined;
  /** Rises with every act that may change what a past moment looks like. */
  epoch: number;
}

export const sessionStore = createStore<SessionState>()(() => ({ status: 'empty', example: undefined, source: undefined, bug: undefined, result: undefined, epoch: 0 }));

export function useSession<T>(select: (state: SessionState) => T): T {
  return useStore(sessionStore, select);
}

export interface OpenOptions {
  example?: string;
  cursor?: SimTime;
  /** 'pod/web', or a lane. */
  select?: string;
  playing?: boolean;
}

let requestedTo = 0;
let unsubscribe: (() => void) | undefined;
const pending = new Map<number, Input>();
let nextId = 1;

/** A new film. The engine answers with its growth; the rest of the page follows the stores. */
export function openSource(source: SessionSource, options: OpenOptions = {}): void {
  unsubscribe ??= engine().subscribe(receive);
  resetFilm();
  clearAnswers();
  pending.clear();
  const at = options.cursor ?? 0;
  sessionStore.setState((state) => ({ status: 'loading', example: options.example, source, bug: undefined, result: undefined, epoch: state.epoch + 1 }));
  playbackStore.setState({ cursor: at, playing: options.playing ?? false, live: false });
  awaitSelection(options.select);
  firstWindow(0);
  requestedTo = Math.max(at + 10_000, 30_000);
  engine().post({ type: 'load', source, runTo: requestedTo });
}

function receive(message: FromWorker): void {
  switch (message.type) {
    case 'film': {
      const loading = sessionStore.getState().status === 'loading';
      receiveDelta(message.delta);
      settleSelection();
      if (loading) {
        sessionStore.setState({ status: 'running' });
        firstWindow(message.delta.untilMs);
        runTo(message.delta.untilMs);
      }
      return;
    }
    case 'input-result': {
      const input = pending.get(message.id);
      pending.delete(message.id);
      if (input === undefined) return;
      const { id, stdout, stderr, exit, branch } = message;
      sessionStore.setState((state) => ({ epoch: state.epoch + 1, result: { id, input, stdout, stderr, exit, branch: branch === branchBefore ? undefined : branch } }));
      clearAnswers();
      const made = /^(pod|deployment|statefulset|daemonset|replicaset|job|service)(?:\.[\w.]+)?\/(\S+) created/m.exec(stdout);
      if (made !== null) awaitNew(`${made[1]}/${made[2]}`);
      requestedTo = 0;
      runTo(Math.max(film().untilMs, cursor() + 1000));
      return;
    }
    case 'bug':
      sessionStore.setState({ status: 'broken', bug: { message: message.message, source: message.source } });
      return;
    case 'answer':
  }
}

let branchBefore = 0;

/** Asks for the film up to a time, if that was not asked before. */
export function runTo(at: SimTime): void {
  if (at <= requestedTo || sessionStore.getState().status !== 'running') return;
  requestedTo = Math.round(at);
  engine().post({ type: 'run', runTo: requestedTo });
}

/** A user's act at the cursor. The result comes into `result`, with the id that is returned. */
export function act(input: Input): number {
  const id = nextId++;
  pending.set(id, input);
  branchBefore = film().branch;
  engine().post({ type: 'input', id, input });
  return id;
}

export function applyText(text: string, name: string): void {
  act({ at: cursor(), kind: 'apply', text, name });
}

export function injectFault(fault: Fault): void {
  act({ at: cursor(), kind: 'fault', fault });
}

export function runKubectl(line: string): void {
  act({ at: cursor(), kind: 'kubectl', line });
}

export function switchBranch(branch: number): void {
  clearAnswers();
  requestedTo = 0;
  engine().post({ type: 'switch-branch', branch, runTo: Math.max(film().untilMs, cursor()) });
  sessionStore.setState((state) => ({ epoch: state.epoch + 1 }));
}

/** What a link carries: the source with the inputs of the branch on screen. */
export function currentSource(): SessionSource | undefined {
  const { source } = sessionStore.getState();
  if (source === undefined) return undefined;
  const branch = film().branches.find((item) => item.id === film().branch);
  return { ...source, inputs: branch?.inputs ?? source.inputs };
}

/** Begins again with the same film after our bug, in a fresh engine. */
export function recover(): void {
  const source = currentSource();
  restartEngine();
  unsubscribe = undefined;
  if (source !== undefined) openSource({ ...source, inputs: [] });
}
