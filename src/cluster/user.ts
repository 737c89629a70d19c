import { resumeKubectl, startKubectl } from '../kubectl/kubectl.ts';
import { splitCommandLine } from '../kubectl/words.ts';
import type { ApiClient, KubectlEnvironment, KubectlOutcome } from '../kubectl/contract.ts';
import type { Fault, Input } from '../scenarios/schema.ts';
import type { Actor } from '../sim/simulation.ts';
import type { SimTime } from '../sim/time.ts';
import type { Cluster } from './cluster.ts';
import type { Context } from './component.ts';
import { faultTargets } from './faults.ts';
import type { CriReply } from './kubelet/cri.ts';
import { createClient } from './client.ts';

/** One command of the user, from its start to its end. */
export interface CommandRecord {
  id: number;
  line: string;
  startedAt: SimTime;
  endedAt?: SimTime;
  stdout: string;
  stderr: string;
  /** null while it runs. */
  exit: number | null;
  step?: number;
  /** kubectl's own state while it waits. */
  waiting?: unknown;
  stdin?: string;
  files?: Record<string, string>;
}

export interface UserState {
  commands: CommandRecord[];
  execs: Record<string, { stdout: string; stderr: string; exitCode: number } | null>;
}

/** How often a waiting command looks again. Simplified: the real one watches; what it prints is the same. */
const pollMs = 200;

/** Whoever sits at the keyboard: kubectl lines, applied manifests, faults. Inputs arrive as events of kind 'input'. */
export function createUser(cluster: Cluster): Actor<UserState, Context> {
  return {
    start: () => ({ commands: [], execs: {} }),
    handle: (state, event, context) => {
      switch (event.kind) {
        case 'input':
          return begin(cluster, state, event.payload as Input, context);
        case 'start-command':
          return runCommand(cluster, state, event.payload as number, context);
        case 'poll':
          return poll(cluster, state, context);
        case 'cri-reply':
          return keepExec(state, event.payload as CriReply);
      }
    },
  };
}

function begin(cluster: Cluster, state: UserState, input: Input, context: Context): void {
  if (input.kind === 'fault') {
    context.note('input', { summary: faultSummary(input.fault), input });
    for (const { to, kind, payload } of faultTargets(cluster, input.fault)) context.schedule({ to, afterMs: 0, kind, payload });
    return;
  }
  const applied = input.kind === 'apply';
  const line = applied ? 'apply -f -' : input.line;
  context.note('input', { summary: applied ? `apply ${input.name ?? ''}`.trim() : `kubectl ${line}`, input });
  const record: CommandRecord = { id: state.commands.length, line, startedAt: context.now, stdout: '', stderr: '', exit: null };
  if (applied) record.stdin = input.text;
  else {
    if (input.stdin !== undefined) record.stdin = input.stdin;
    if (input.files !== undefined) record.files = input.files;
    if (input.step !== undefined) record.step = input.step;
  }
  state.commands.push(record);
  // The kubectl program has to start, read its configuration and ask for the server's resources before it does anything.
  const startMs = applied ? 20 : context.random('kubectl-start').between(260, 420);
  context.schedule({ afterMs: startMs, kind: 'start-command', payload: record.id });
}

function environmentOf(cluster: Cluster, state: UserState, record: CommandRecord, context: Context): KubectlEnvironment {
  const client: ApiClient = createClient(cluster, context, (id) => state.execs[id] ?? undefined, (id, outcome) => {
    state.execs[id] = outcome;
  });
  return {
    client,
    namespace: cluster.options.namespace,
    ...(record.stdin === undefined ? {} : { stdin: record.stdin }),
    ...(record.files === undefined ? {} : { files: record.files }),
  };
}

function runCommand(cluster: Cluster, state: UserState, id: number, context: Context): void {
  const record = state.commands[id];
  if (record === undefined) return;
  settle(state, record, startKubectl(splitCommandLine(record.line), environmentOf(cluster, state, record, context)), context);
}

function poll(cluster: Cluster, state: UserState, context: Context): void {
  for (const record of state.commands) {
    if (record.waiting === undefined) continue;
    settle(state, record, resumeKubectl(record.waiting, environmentOf(cluster, state, record, context)), context);
  }
}

function settle(state: UserState, record: CommandRecord, outcome: KubectlOutcome, context: Context): void {
  record.stdout = outcome.stdout;
  record.stderr = outcome.stderr;
  if (outcome.status === 'waiting') {
    record.waiting = outcome.state;
    context.schedule({ afterMs: pollMs, kind: 'poll', key: 'poll' });
    return;
  }
  delete record.waiting;
  record.exit = outcome.exit;
  record.endedAt = context.now;
  const { line, stdout, stderr, exit, startedAt, step } = record;
  context.note('kubectl', { line, stdout, stderr, exit, startedAt, ...(step === undefined ? {} : { step }) });
  void state;
}

function keepExec(state: UserState, reply: CriReply): void {
  const { result } = reply;
  const exec = result.exec;
  if (exec !== undefined) state.execs[reply.id] = { stdout: exec.stdout, stderr: exec.stderr, exitCode: exec.exitCode };
  else state.execs[reply.id] = { stdout: '', stderr: result.ok ? '' : `${/^error\b/i.test(result.error) ? '' : 'error: '}${result.error}\n`, exitCode: result.ok ? 0 : 1 };
}

/** A fault in a few words, as the input's mark shows it. */
function faultSummary(fault: Fault): string {
  return Object.entries(fault).map(([key, value]) => `${key} ${String(value)}`).join(' ');
}
