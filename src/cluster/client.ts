import type { Pod } from '../api/schema/types.ts';
import type { ApiClient, RestRequest, RestResponse } from '../kubectl/contract.ts';
import type { Cluster } from './cluster.ts';
import type { Context } from './component.ts';
import { nodeAddress } from './container-runtime/state.ts';
import { handleHttp } from './kube-apiserver/http/handler.ts';
import type { KubeletState } from './kubelet/state.ts';
import { answerLogs, logPath } from './pod-logs.ts';

type ExecOutcome = { stdout: string; stderr: string; exitCode: number };

/** A client of the API server within one event: what it writes happens at this instant, in the user's name. */
export function createClient(
  cluster: Cluster, context: Context, execOutcome: (id: string) => ExecOutcome | undefined, onExec: (id: string, outcome: ExecOutcome | null) => void,
): ApiClient {
  return {
    epochMs: context.epochMs,
    request: (request) => restRequest(cluster, context, request),
    startExec: ({ namespace, pod, container }, command) => {
      const id = `exec-${context.cause}-${context.random('exec').below(0x7fffffff)}`;
      const object = context.live.get('pods', namespace, pod);
      const node = object?.spec.nodeName ?? '';
      const containerId = object === undefined ? undefined : runningContainer(object, context, container);
      const { error, afterMs } = whyNoExec(cluster, pod, node, container, containerId);
      onExec(id, error !== undefined && afterMs === 0 ? { stdout: '', stderr: `${error}\n`, exitCode: 1 } : null);
      if (error === undefined) {
        const call = { op: 'exec', containerId: containerId ?? '', command, timeoutMs: 0, purpose: 'user' };
        context.schedule({ to: `container-runtime/${node}`, afterMs: 30, kind: 'cri', payload: { id, replyTo: 'user', call } });
      } else if (afterMs > 0) {
        context.schedule({ to: 'user', afterMs, kind: 'cri-reply', payload: { id, op: 'exec', result: { ok: false, error } } });
      }
      return id;
    },
    execOutcome,
  };
}

/** The API server's connection to a kubelet. Upstream: net/http Transport dialer of the kubelet client. */
const dialTimeoutMs = 30_000;

/** What stands between kubectl exec and the container. Upstream: pkg/registry/core/pod/strategy.go ExecLocation; the kubelet's own answer. */
function whyNoExec(cluster: Cluster, pod: string, node: string, container: string, containerId: string | undefined): { error?: string; afterMs: number } {
  if (node === '') return { error: `Error from server (BadRequest): pod ${pod} does not have a host assigned`, afterMs: 0 };
  const kubelet = cluster.simulation.stateOf<KubeletState>(`kubelet/${node}`);
  const found = cluster.nodes.find(({ name }) => name === node);
  if (kubelet === undefined || found === undefined) return { error: `Error from server (NotFound): nodes "${node}" not found`, afterMs: 0 };
  const backend = `Error from server: error dialing backend: dial tcp ${nodeAddress(found.index)}:10250`;
  if (kubelet.cutOff) return { error: `${backend}: i/o timeout`, afterMs: dialTimeoutMs };
  if (kubelet.stopped) return { error: `${backend}: connect: connection refused`, afterMs: 0 };
  if (containerId === undefined) return { error: `error: Internal error occurred: unable to upgrade connection: container not found ("${container}")`, afterMs: 0 };
  return { afterMs: 0 };
}

/** One REST request, pod logs included. */
export function restRequest(cluster: Cluster, context: Context, request: RestRequest): RestResponse {
  const target = logPath(request);
  if (target !== undefined) return answerLogs(cluster.environment(context, 'user'), context, target, request.query);
  return handleHttp(cluster.environment(context, 'user'), request);
}

function runningContainer(pod: Pod, context: Context, container: string): string | undefined {
  const records = context.runtime(pod.spec.nodeName ?? '')?.containers(pod.metadata.uid) ?? [];
  return records.find((record) => record.name === container && record.state === 'running')?.id;
}
