import { formatDuration } from '../../../api/duration.ts';
import { goQuote } from '../../../api/meta/go-text.ts';
import type { Probe } from '../../../api/schema/types.ts';
import type { CriReply, RuntimeView } from '../cri.ts';
import type { AnyContainer } from '../pod-spec.ts';
import type { Env, PodWorker } from '../state.ts';
import { askHttp, dialErrorText, portNumber } from './http.ts';

export interface ProbeAnswer {
  outcome: 'success' | 'failure' | 'timeout' | 'warning' | 'unknown';
  message: string;
  latencyMs: number;
  /** Until when the same question gets the same answer, unless the container changes; absent: as long as it lives. */
  steadyUntil?: number;
}

export const timeoutMsOf = (probe: Probe): number => (probe.timeoutSeconds ?? 1) * 1000;

/** Asks over the network, for this instant. Upstream: pkg/kubelet/prober/prober.go runProbe. */
export function askNetwork(env: Env, worker: PodWorker, container: AnyContainer, probe: Probe): ProbeAnswer {
  const view = env.ctx.runtime(env.node.name);
  const unknown = (message: string): ProbeAnswer => ({ outcome: 'unknown', message, latencyMs: 0 });
  if (view === undefined) return unknown('no container runtime');
  const { httpGet, tcpSocket, grpc } = probe;
  const action = httpGet ?? tcpSocket ?? grpc;
  if (action === undefined) return unknown(`missing probe handler for ${worker.pod.metadata.name}`);
  const port = portNumber(container, action.port);
  if (port === undefined) return unknown(`couldn't find port: ${String(action.port)}`);
  const host = (httpGet ?? tcpSocket)?.host;
  const address = host === undefined || host === '' ? worker.podIP : host;
  const timeoutMs = timeoutMsOf(probe);
  if (httpGet !== undefined) return askHttp(view, httpGet, address, port, timeoutMs);
  if (tcpSocket !== undefined) {
    const answer = view.connect(address, port);
    if (!answer.ok && answer.error === 'timeout') return { outcome: 'timeout', message: dialErrorText(address, port, 'timeout'), latencyMs: timeoutMs };
    return {
      outcome: answer.ok ? 'success' : 'failure',
      message: answer.ok ? '' : dialErrorText(address, port, answer.error ?? 'refused'),
      latencyMs: answer.latencyMs,
      ...(answer.steadyUntil === undefined ? {} : { steadyUntil: answer.steadyUntil }),
    };
  }
  const health = view.grpcHealth(address, port, grpc?.service ?? '');
  return health.outcome === 'unimplemented' ? unimplemented(view, health, address, port) : askGrpc(health, address, port, timeoutMs);
}

/** A plain HTTP server answers with its own words, a gRPC server that it does not know the service. */
function unimplemented(view: RuntimeView, { latencyMs, steadyUntil }: Health, address: string, port: number): ProbeAnswer {
  const page = view.http({ method: 'POST', scheme: 'http', address, port, path: '/grpc.health.v1.Health/Check' });
  let detail = 'unknown service grpc.health.v1.Health';
  if (page.ok) {
    const type = page.headers['Content-Type'] ?? page.headers['content-type'] ?? '';
    const words = page.status === 404 ? 'Not Found' : page.status === 405 ? 'Method Not Allowed' : page.status === 200 ? 'OK' : 'Error';
    detail = `unexpected HTTP status code received from server: ${page.status} (${words}); transport: received unexpected content-type ${goQuote(type)}\ndata: ${goQuote(page.body)}`;
  }
  return {
    outcome: 'failure', message: `error: this server does not implement the grpc health protocol (grpc.health.v1.Health): ${detail}`, latencyMs,
    ...(steadyUntil === undefined ? {} : { steadyUntil }),
  };
}

type Health = ReturnType<NonNullable<ReturnType<Env['ctx']['runtime']>>['grpcHealth']>;

/** Upstream: pkg/probe/grpc/grpc.go. */
function askGrpc({ outcome, latencyMs, steadyUntil }: Health, address: string, port: number, timeoutMs: number): ProbeAnswer {
  const steady = steadyUntil === undefined ? {} : { steadyUntil };
  const within = formatDuration(timeoutMs);
  if (outcome === 'SERVING') return { outcome: 'success', message: 'service healthy', latencyMs, ...steady };
  if (outcome === 'NOT_SERVING') return { outcome: 'failure', message: 'service unhealthy (responded with "NOT_SERVING")', latencyMs, ...steady };
  return { outcome: outcome === 'timeout' ? 'timeout' : 'failure', message: `timeout: failed to connect service "${address}:${port}" within ${within}: context deadline exceeded`, latencyMs: timeoutMs };
}

/** What an exec'd command's end means. Upstream: pkg/probe/exec/exec.go. */
export function execAnswer(reply: CriReply, command: readonly string[], probe: Probe, tookMs: number): ProbeAnswer {
  const { result } = reply;
  if (!result.ok) return { outcome: 'unknown', message: result.error, latencyMs: tookMs };
  const { exec } = result;
  if (exec === undefined) return { outcome: 'unknown', message: 'no result', latencyMs: tookMs };
  if (exec.timedOut) {
    return { outcome: 'timeout', message: `command timed out: "${command.join(' ')}" timed out after ${formatDuration(timeoutMsOf(probe))}`, latencyMs: tookMs };
  }
  const output = (exec.stdout + exec.stderr).slice(0, 10_240);
  return { outcome: exec.exitCode === 0 ? 'success' : 'failure', message: output, latencyMs: tookMs, ...(exec.steady ? {} : { steadyUntil: 0 }) };
}
