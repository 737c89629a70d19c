import type { Pod } from '../api/schema/types.ts';
import type { ApiClient, RestRequest, RestResponse } from '../kubectl/contract.ts';
import type { Cluster } from './cluster.ts';
import type { Context } from './component.ts';
import { handleHttp } from './kube-apiserver/http/handler.ts';
import { answerLogs, logPath } from './pod-logs.ts';

type ExecOutcome = { stdout: string; stderr: string; exitCode: number };

/** A client of the API server within one event: what it writes happens at this instant, in the user's name. */
export function createClient(
  cluster: Cluster, context: Context, execOutcome: (id: string) => ExecOutcome | undefined, onExec: (id: string) => void,
): ApiClient {
  return {
    epochMs: context.epochMs,
    request: (request) => restRequest(cluster, context, request),
    startExec: ({ namespace, pod, container }, command) => {
      const id = `exec-${context.cause}-${context.random('exec').below(0x7fffffff)}`;
      onExec(id);
      const object = context.live.get('pods', namespace, pod);
      const node = object?.spec.nodeName ?? '';
      const containerId = object === undefined ? undefined : runningContainer(object, context, container);
      context.schedule({
        to: `container-runtime/${node}`, afterMs: 30, kind: 'cri',
        payload: { id, replyTo: 'user', call: { op: 'exec', containerId: containerId ?? '', command, timeoutMs: 0, purpose: 'user' } },
      });
      return id;
    },
    execOutcome,
  };
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
