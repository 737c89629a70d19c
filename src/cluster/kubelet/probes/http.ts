import type { HTTPGetAction } from '../../../api/schema/types.ts';
import type { RuntimeView } from '../cri.ts';
import type { AnyContainer } from '../pod-spec.ts';
import type { ProbeAnswer } from './ask.ts';

/** A port by number or by the name that the container gives it. */
export function portNumber(container: AnyContainer, port: number | string): number | undefined {
  if (typeof port === 'number') return port;
  return container.ports?.find(({ name }) => name === port)?.containerPort ?? (/^\d+$/.test(port) ? Number(port) : undefined);
}

const connectErrors: Record<string, string> = { refused: 'connect: connection refused', unreachable: 'connect: no route to host' };

/** As Go's net package says it. */
export const dialErrorText = (address: string, port: number, error: string): string =>
  error === 'timeout' ? `dial tcp ${address}:${port}: i/o timeout` : `dial tcp ${address}:${port}: ${connectErrors[error] ?? 'connect: connection reset by peer'}`;

/** As Go's net/http client says it. */
export function httpErrorText(url: string, address: string, port: number, error: string): string {
  if (error === 'timeout') return `Get "${url}": context deadline exceeded (Client.Timeout exceeded while awaiting headers)`;
  if (error === 'reset') return `Get "${url}": EOF`;
  if (error === 'not-http') return `Get "${url}": net/http: HTTP/1.x transport connection broken: malformed HTTP response`;
  return `Get "${url}": ${dialErrorText(address, port, error)}`;
}

const hostOf = (url: string): string => /^https?:\/\/([^/:?#]+|\[[^\]]+\])/.exec(url)?.[1] ?? '';

/** Upstream: pkg/probe/http/http.go DoHTTPProbe. Redirects to the same host are followed, others end the probe with a warning. */
export function askHttp(view: RuntimeView, action: HTTPGetAction, address: string, port: number, timeoutMs: number): ProbeAnswer {
  const scheme = action.scheme === 'HTTPS' ? 'https' : 'http';
  const headers: Record<string, string> = { 'User-Agent': 'kube-probe/1.37', Accept: '*/*' };
  for (const { name, value } of action.httpHeaders ?? []) headers[name] = value;
  const path = action.path === undefined || action.path === '' ? '/' : action.path.startsWith('/') ? action.path : `/${action.path}`;
  const origin = `${scheme}://${address}:${port}`;
  let target = path;
  let latencyMs = 0;
  for (let hops = 0; hops <= 10; hops++) {
    const url = `${origin}${target}`;
    const answer = view.http({ method: 'GET', scheme, address, port, path: target, headers });
    latencyMs += answer.latencyMs;
    const timedOut: ProbeAnswer = { outcome: 'timeout', message: httpErrorText(url, address, port, 'timeout'), latencyMs: timeoutMs };
    if (latencyMs >= timeoutMs || (!answer.ok && answer.error === 'timeout')) return timedOut;
    if (!answer.ok) return { outcome: 'failure', message: httpErrorText(url, address, port, answer.error), latencyMs };
    const steady = answer.steadyUntil === undefined ? {} : { steadyUntil: answer.steadyUntil };
    if (answer.status < 200 || answer.status >= 400) return { outcome: 'failure', message: `HTTP probe failed with statuscode: ${answer.status}`, latencyMs, ...steady };
    const location = answer.headers.Location ?? answer.headers.location;
    if (answer.status < 300 || location === undefined) return { outcome: 'success', message: answer.body.slice(0, 10_240), latencyMs, ...steady };
    if (!location.startsWith('/') && hostOf(location) !== address) {
      return { outcome: 'warning', message: `Probe terminated redirects, Response body: ${answer.body.slice(0, 10_240)}`, latencyMs };
    }
    target = location.replace(/^https?:\/\/[^/]+/, '') || '/';
  }
  return { outcome: 'failure', message: `Get "${target}": stopped after 10 redirects`, latencyMs };
}
