import type { ServerAnswer, ServerRequest } from '../../workload/contract.ts';
import type { HttpAnswer, HttpRequest } from '../network.ts';
import { createHost } from './host.ts';
import type { Machine, MachineParts } from './machine.ts';
import { listenerOn, type Listener } from './ports.ts';
import type { Ports, Sandbox } from './state.ts';
import { connectTimeoutMs } from './timings.ts';

/** Ports on which servers are taken to speak TLS. Simplified: images do not say. */
const tlsPorts = new Set([443, 6443, 8443, 9443, 10250]);

export const speaksTls = (port: number): boolean => tlsPorts.has(port);

/** Puts a question to a listening process. */
export function ask(machine: Machine, { container, process }: Listener, request: ServerRequest): ServerAnswer {
  const sandbox = machine.state.sandboxes[container.status.sandboxId] as Sandbox;
  let steady = true;
  const host = createHost(machine, container, sandbox, process, { signals: [] }, () => {
    steady = false;
  });
  const answer = machine.programs.answer(process.process, request, host);
  return steady || answer.steadyUntil !== undefined ? answer : { ...answer, steadyUntil: machine.now };
}

/** One HTTP request to a network namespace of this node, whose connection takes `latencyMs`. */
export function askLocal(machine: Machine, ports: Ports, question: HttpRequest, latencyMs = 0): HttpAnswer {
  const { method, address, port, path } = question;
  const listener = listenerOn(machine.state, ports, port);
  const failure = (error: 'refused' | 'timeout' | 'not-http', tookMs: number): HttpAnswer => ({ ok: false, error, latencyMs: tookMs, address, port });
  if (listener === undefined) return failure('refused', latencyMs);
  if (question.scheme === 'https' && !speaksTls(port)) return failure('not-http', latencyMs);
  const answer = ask(machine, listener, { kind: 'http', method, path, port, headers: question.headers ?? {} });
  if (answer.kind === 'hang') return failure('timeout', connectTimeoutMs);
  if (answer.kind !== 'http') return failure('not-http', latencyMs);
  const { podUid } = listener.container.status;
  const base = { status: answer.status, headers: answer.headers, body: answer.body, latencyMs: latencyMs + answer.delayMs, node: machine.state.settings.node, podUid };
  return answer.steadyUntil === undefined ? { ok: true, ...base } : { ok: true, ...base, steadyUntil: answer.steadyUntil };
}

/** A machine that can also ask itself: what a process reaches on its own pod's addresses. */
export function createMachine(parts: MachineParts): Machine {
  const machine: Machine = { ...parts, askLocal: (ports, question) => askLocal(machine, ports, question) };
  return machine;
}
