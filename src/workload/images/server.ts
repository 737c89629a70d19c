import type { ServerAnswer, ServerRequest } from '../contract.ts';
import { err, memo, out, type Call, type CommandEntry, type Outcome } from '../shell/command.ts';

/** How one server program behaves: data, and small pure functions of its arguments. */
export interface ServerFacts {
  ports: readonly number[] | ((call: Call) => number[]);
  /** From start to listening. */
  readyMs: number;
  memory: number;
  /** Lines at the start, and once it listens. */
  begins?: (call: Call) => string;
  ready?: (call: Call) => string;
  /** Why it cannot run: text on stderr and exit status. */
  refuses?: (call: Call) => { text: string; status: number; afterMs?: number } | undefined;
  /** Signals with a handler: how it ends, or undefined status: it goes on. */
  signals?: Readonly<Record<number, { status?: number; afterMs: number; log?: string }>>;
  http?: (call: Call, request: Extract<ServerRequest, { kind: 'http' }>) => ServerAnswer;
  /** TCP, but another protocol than HTTP. */
  binary?: true;
  grpc?: (call: Call, request: Extract<ServerRequest, { kind: 'grpc-health' }>) => ServerAnswer;
  log?: 'stderr';
}

interface Serving {
  phase: 'starts' | 'serves' | 'ends' | 'refuses';
  at: number;
  began: number;
  status: number;
  text: string;
}

/** Ends soon on SIGTERM, SIGINT and SIGQUIT with status 0: what well-behaved servers do. */
export const gracefully = (afterMs = 20, log?: string): NonNullable<ServerFacts['signals']> => {
  const end = { status: 0, afterMs, ...(log === undefined ? {} : { log }) };
  return { 2: end, 3: end, 15: end };
};

export function server(facts: ServerFacts): CommandEntry {
  const signals = facts.signals ?? gracefully();
  return {
    run: (call) => runServer(call, facts, signals),
    handles: Object.keys(signals).map(Number),
    memory: facts.memory,
    answer: (call, request) => answer(call, facts, request),
  };
}

function runServer(call: Call, facts: ServerFacts, signals: NonNullable<ServerFacts['signals']>): Outcome {
  const print = (text: string) => (facts.log === 'stderr' ? err : out)(call, text);
  const kept = memo<Serving>(call, () => {
    const refusal = facts.refuses?.(call);
    if (refusal !== undefined) return { phase: 'refuses', at: call.now + (refusal.afterMs ?? 30), began: call.now, status: refusal.status, text: refusal.text };
    print(facts.begins?.(call) ?? '');
    return { phase: 'starts', at: call.now + facts.readyMs, began: call.now, status: 0, text: '' };
  });
  const signal = call.signal === undefined ? undefined : signals[call.signal];
  if (signal !== undefined && kept.phase !== 'ends') {
    print(signal.log ?? '');
    if (signal.status !== undefined) Object.assign(kept, { phase: 'ends', at: call.now + signal.afterMs, status: signal.status });
  }
  if (call.now >= kept.at) {
    if (kept.phase === 'refuses') err(call, kept.text);
    if (kept.phase === 'refuses' || kept.phase === 'ends') return kept.status;
    if (kept.phase === 'starts') {
      const ports = typeof facts.ports === 'function' ? facts.ports(call) : [...facts.ports];
      const taken = ports.find((port) => call.host.listen(port) === 'in-use');
      if (taken !== undefined) {
        err(call, `${call.name}: listen tcp 0.0.0.0:${taken}: bind: address already in use\n`);
        return 1;
      }
      call.proc.ports = ports;
      kept.phase = 'serves';
      print(facts.ready?.(call) ?? '');
    }
  }
  return kept.phase === 'serves' ? { block: 'signal' } : { at: kept.at };
}

function answer(call: Call, facts: ServerFacts, request: ServerRequest): ServerAnswer {
  if (request.kind === 'tcp') return { kind: 'accepted', delayMs: 0 };
  if (request.kind === 'grpc-health') return facts.grpc?.(call, request) ?? { kind: 'hang' };
  if (facts.binary === true) return { kind: 'not-http' };
  return facts.http?.(call, request) ?? { kind: 'http', status: 200, headers: {}, body: '', delayMs: 1 };
}

/** Milliseconds since the server began. */
export const age = (call: Call): number => call.now - (call.proc.memo as Serving).began;

export const page = (status: number, body: string, headers: Record<string, string> = {}): Extract<ServerAnswer, { kind: 'http' }> => ({ kind: 'http', status, headers: { 'Content-Type': 'text/plain; charset=utf-8', ...headers }, body, delayMs: 1 });
