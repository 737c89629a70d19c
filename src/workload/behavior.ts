import { parseDuration } from '../api/duration.ts';
import { quantityToNumber } from '../api/quantity.ts';
import { parseManifest } from '../api/yaml.ts';
import type { SimTime } from '../sim/time.ts';
import type { Behavior, Host, ProcessSpec, ServerAnswer, ServerRequest, StepResult, Wake } from './contract.ts';
import { behaviorProblems } from './behavior-check.ts';

/** A behaviour block as text, from an annotation: the block, or what is wrong with it, one sentence each. */
export function parseBehavior(text: string): { behavior: Behavior; problems: string[] } {
  const [document] = parseManifest(text);
  const syntax = document?.problems.map(({ message }) => message) ?? [];
  const value = document?.value;
  if (syntax.length > 0) return { behavior: {}, problems: syntax };
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { behavior: {}, problems: ['a behavior block is a mapping, such as "startsAfter: 3s"'] };
  return { behavior: value as Behavior, problems: behaviorProblems(value as Record<string, unknown>) };
}

export interface BehaviorState {
  behavior: Behavior;
  ports: number[];
  env: Readonly<Record<string, string>>;
  run: number;
  began: SimTime;
  listens: boolean;
  /** Lines of `log` said so far, by their place in the list. */
  said: number[];
  ending?: { at: SimTime; code: number };
}

const defaultMemory = 20 * 1_048_576;
/** Between two points memory moves in steps of about this many. */
const memorySteps = 60;

/** Milliseconds of a duration such as '3s'; a bare number counts as seconds. */
const ms = (value: unknown, otherwise = 0): number => (typeof value === 'number' ? value * 1000 : (parseDuration(String(value ?? '')) ?? otherwise));

export function startBehavior(spec: ProcessSpec, behavior: Behavior): BehaviorState {
  const declared = spec.ports.filter(({ protocol }) => protocol === 'TCP' || protocol === '').map(({ containerPort }) => containerPort);
  const ports = behavior.ports ?? (declared.length > 0 || behavior.http === undefined ? declared : [80]);
  return { behavior, ports, env: spec.env, run: spec.run ?? 1, began: 0, listens: false, said: [] };
}

export function stepBehavior(state: BehaviorState, wake: Wake, host: Host): StepResult {
  const { behavior } = state;
  if (wake.kind === 'start') state.began = host.now;
  if (wake.kind === 'signal') terminate(state, wake.signal, host.now);
  const age = host.now - state.began;
  const startsAfter = ms(behavior.startsAfter);
  if (!state.listens && age >= startsAfter) {
    state.listens = true;
    for (const port of state.ports) {
      if (host.listen(port) !== 'in-use') continue;
      host.output('stderr', `listen tcp :${port}: bind: address already in use\n`);
      return { status: 'exited', exitCode: 1 };
    }
  }
  const next = [state.listens ? undefined : state.began + startsAfter, ...speak(state, host), holdMemory(state, host)];
  const end = state.ending ?? nextExit(state);
  if (end !== undefined && host.now >= end.at) {
    if ('message' in end && end.message !== undefined) host.output('stderr', `${String(end.message)}\n`);
    for (const port of state.ports) host.unlisten(port);
    return { status: 'exited', exitCode: end.code };
  }
  const times = [...next, end?.at].filter((at) => at !== undefined);
  return { status: 'running', ...(times.length === 0 ? {} : { wakeAt: times.reduce((a, b) => Math.min(a, b)) }) };
}

function terminate(state: BehaviorState, signal: string, now: SimTime): void {
  if (state.ending !== undefined || !/^SIG(TERM|INT|QUIT)$/.test(signal)) return;
  const { ignore, exitAfter, code } = state.behavior.onTerm ?? {};
  if (ignore !== true) state.ending = { at: now + ms(exitAfter, 20), code: code ?? 0 };
}

function nextExit({ behavior, env, run, began }: BehaviorState): { at: SimTime; code: number; message?: string } | undefined {
  const due = (behavior.exits ?? []).filter((exit) => (exit.run === undefined || exit.run === run) && (exit.unlessEnv === undefined || (env[exit.unlessEnv] ?? '') === ''));
  const first = due.reduce<(typeof due)[number] | undefined>((best, exit) => (best === undefined || ms(exit.after) < ms(best.after) ? exit : best), undefined);
  return first === undefined ? undefined : { at: began + Math.round(ms(first.after)), code: first.code, ...(first.message === undefined ? {} : { message: first.message }) };
}

/** Says what is due; gives the times of what comes. */
function speak(state: BehaviorState, host: Host): SimTime[] {
  const age = host.now - state.began;
  return (state.behavior.log ?? []).flatMap(({ at, every, text }, index) => {
    const first = ms(at);
    const interval = ms(every);
    const due = age < first ? 0 : interval > 0 ? Math.floor((age - first) / interval) + 1 : 1;
    if (due > (state.said[index] ?? 0)) host.output('stdout', `${text}\n`);
    state.said[index] = due;
    if (due === 0) return [state.began + first];
    return interval > 0 ? [state.began + first + due * interval] : [];
  });
}

/** Memory on straight lines between the points; the next time at which it has moved noticeably. */
function holdMemory({ behavior, began }: BehaviorState, host: Host): SimTime | undefined {
  const points = (behavior.memory ?? []).map(({ at, bytes }) => ({ at: ms(at), bytes: quantityToNumber(String(bytes)) }));
  const age = host.now - began;
  const after = points.findIndex(({ at }) => at > age);
  const next = after < 0 ? undefined : points[after];
  const last = points[after < 0 ? points.length - 1 : after - 1];
  if (next === undefined || last === undefined) host.setMemory(Math.round(last?.bytes ?? Math.min(defaultMemory, next?.bytes ?? defaultMemory)));
  else host.setMemory(Math.round(last.bytes + ((next.bytes - last.bytes) * (age - last.at)) / (next.at - last.at)));
  if (next === undefined) return undefined;
  if (last === undefined || last.bytes === next.bytes) return began + next.at;
  return Math.min(began + next.at, host.now + Math.max(200, Math.round((next.at - last.at) / memorySteps)));
}

interface Bounded {
  from?: string;
  until?: string;
}

const holds = ({ from, until }: Bounded, age: number): boolean => age >= ms(from) && (until === undefined || age < ms(until));

/** Until when an answer stays as it is: the next bound of any row. */
function steadyUntil(rows: readonly Bounded[], age: number, began: SimTime): { steadyUntil: SimTime } | Record<string, never> {
  const bounds = rows.flatMap(({ from, until }) => [ms(from, -1), ms(until, -1)]).filter((at) => at > age);
  return bounds.length === 0 ? {} : { steadyUntil: began + bounds.reduce((a, b) => Math.min(a, b)) };
}

const fits = (pattern: string, path: string): boolean => (pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : pattern === path.replace(/[?#].*/, ''));

export function answerBehavior({ behavior, began }: BehaviorState, request: ServerRequest, host: Host): ServerAnswer {
  const age = host.now - began;
  if (request.kind === 'tcp') return { kind: 'accepted', delayMs: 0 };
  if (request.kind === 'grpc-health') {
    const rows = behavior.grpc ?? [];
    const row = rows.find((candidate) => (candidate.service ?? '') === request.service && holds(candidate, age));
    return { kind: 'grpc-health', outcome: row?.status ?? (rows.length === 0 ? 'unimplemented' : 'NOT_SERVING'), delayMs: 1, ...steadyUntil(rows, age, began) };
  }
  const rows = behavior.http ?? [];
  const row = rows.find((candidate) => fits(candidate.path, request.path) && holds(candidate, age));
  const steady = steadyUntil(rows, age, began);
  if (row?.hang === true) return { kind: 'hang', ...steady };
  const known = rows.length === 0 || row !== undefined;
  return { kind: 'http', status: row?.status ?? (known ? 200 : 404), headers: { 'Content-Type': 'text/plain' }, body: row?.body ?? (known ? 'ok\n' : 'not found\n'), delayMs: Math.max(1, ms(row?.delay)), ...steady };
}
