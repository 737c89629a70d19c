import { goQuote } from '../../api/meta/go-text.ts';
import type { HTTPGetAction, LifecycleHandler, Pod } from '../../api/schema/types.ts';
import type { ExecResult } from './cri.ts';
import { httpErrorText, portNumber } from './probes/http.ts';
import { fullName, type AnyContainer } from './pod-spec.ts';
import type { Env, PodWorker } from './state.ts';

/** What a failed hook says. Upstream: pkg/kubelet/lifecycle/handlers.go. */
export function describeHook(pod: Pod, container: string, hook: LifecycleHandler, error: string, exec: ExecResult | undefined): string {
  const where = `for Container "${container}" in Pod "${fullName(pod)}" failed - error:`;
  if (hook.exec !== undefined) {
    const command = hook.exec.command ?? [];
    const output = exec === undefined ? '' : exec.stdout + exec.stderr;
    const text = exec === undefined ? error : `command '${command.join(' ')}' exited with ${exec.exitCode}: ${exec.stderr}`;
    return `Exec lifecycle hook ([${command.join(' ')}]) ${where} ${text}, message: ${goQuote(output)}`;
  }
  if (hook.httpGet !== undefined) return `HTTP lifecycle hook (${hook.httpGet.path ?? '/'}) ${where} ${error}`;
  return `Sleep lifecycle hook (${hook.sleep?.seconds ?? 0}) ${where} ${error}`;
}

/** An answer of any status is a success; only the transport can fail. */
export function httpHook(env: Env, worker: PodWorker, container: AnyContainer, action: HTTPGetAction): { error?: string; latencyMs: number } {
  const view = env.ctx.runtime(env.node.name);
  const port = portNumber(container, action.port);
  if (view === undefined || port === undefined) return { error: `failed to find port ${String(action.port)}`, latencyMs: 0 };
  const address = action.host === undefined || action.host === '' ? worker.podIP : action.host;
  const scheme = action.scheme === 'HTTPS' ? 'https' : 'http';
  const path = action.path ?? '/';
  const answer = view.http({ method: 'GET', scheme, address, port, path });
  if (answer.ok) return { latencyMs: answer.latencyMs };
  return { error: httpErrorText(`${scheme}://${address}:${port}${path}`, address, port, answer.error), latencyMs: answer.latencyMs };
}
