import { parseScenarioDuration } from '../scenarios/parse.ts';
import type { TrafficSpec } from '../scenarios/schema.ts';
import type { Actor } from '../sim/simulation.ts';
import type { Component, Context } from './component.ts';
import type { HttpAnswer } from './network.ts';

/** A client outside the cluster's pods that asks a Service at a steady pace. */
export interface TrafficState {
  sent: number;
}

interface InFlight {
  answer: HttpAnswer;
  startedAt: number;
}

interface Target {
  host: string;
  port: number;
  path: string;
}

const urlPattern = /^https?:\/\/([^/:]+)(?::(\d+))?(\/.*)?$/;

/** 'http://web/' in namespace 'default' -> the name that the cluster's DNS knows. Undefined: no URL. */
export function targetOf(url: string, namespace: string): Target | undefined {
  const match = urlPattern.exec(url);
  if (match === null) return undefined;
  const [first = '', second = namespace, ...rest] = (match[1] as string).split('.');
  const host = rest.length > 0 || /^\d/.test(first) ? (match[1] as string) : `${first}.${second}.svc.cluster.local`;
  return { host, port: Number(match[2] ?? 80), path: match[3] ?? '/' };
}

/** One client. It runs on the first node, as a pod of the host network would. */
export function traffic(spec: TrafficSpec, namespace: string, node: string): Component<TrafficState> & Actor<TrafficState, Context> {
  const target = targetOf(spec.url, namespace);
  const fromMs = parseScenarioDuration(spec.from ?? '0s') ?? 0;
  const untilMs = parseScenarioDuration(spec.until ?? '') ?? Number.MAX_SAFE_INTEGER;
  const dueMs = (n: number) => fromMs + Math.floor((n * 1000) / spec.rate);
  return {
    reportsAs: spec.name,
    watches: [],
    start: (context) => {
      if (target !== undefined && spec.rate > 0) context.schedule({ afterMs: fromMs, kind: 'send' });
      return { sent: 0 };
    },
    handle: (state, event, context) => {
      if (event.kind === 'answered') return settle(spec, event.payload as InFlight, context);
      if (event.kind !== 'send' || target === undefined) return;
      send(target, node, context);
      state.sent++;
      const next = dueMs(state.sent);
      if (next < untilMs) context.schedule({ afterMs: Math.max(1, next - context.now), kind: 'send' });
    },
  };
}

function send(target: Target, node: string, context: Context): void {
  const from = { node };
  const startedAt = context.now;
  const dns = /^\d+\.\d+\.\d+\.\d+$/.test(target.host) ? undefined : context.network.resolve({ from, name: target.host, type: 'A' });
  const address = dns === undefined ? target.host : dns.addresses[0];
  const answer: HttpAnswer = address === undefined
    ? { ok: false, error: 'unreachable', latencyMs: dns?.latencyMs ?? 0, address: target.host, port: target.port }
    : context.network.http(from, { method: 'GET', address, port: target.port, path: target.path });
  context.schedule({ afterMs: Math.min(answer.latencyMs, 30_000), kind: 'answered', payload: { answer, startedAt } satisfies InFlight });
}

/** The answer is there, unless who was asked has gone meanwhile: then the connection was reset. */
function settle(spec: TrafficSpec, { answer, startedAt }: InFlight, context: Context): void {
  const tookMs = context.now - startedAt;
  const base = { client: spec.name, service: spec.url, tookMs, count: 1 };
  if (!answer.ok) return context.note('request', { ...base, outcome: answer.error === 'refused' ? 'refused' : answer.error === 'timeout' ? 'timeout' : answer.error === 'reset' ? 'reset' : 'error' });
  const alive = context.runtime(answer.node)?.containers(answer.podUid).some((container) => container.state === 'running') ?? false;
  const outcome = !alive ? 'reset' : answer.status < 500 ? 'ok' : 'error';
  context.note('request', { ...base, outcome, status: answer.status, podUid: answer.podUid });
}
