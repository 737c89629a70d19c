import type { ContainerStatus, Pod } from '../api/schema/types.ts';
import type { RestRequest, RestResponse } from '../kubectl/contract.ts';
import { formatRfc3339, parseRfc3339 } from '../sim/time.ts';
import { badRequest } from '../api/meta/status.ts';
import { resourceInfo } from '../api/resources.ts';
import type { Context } from './component.ts';
import { checkNodeRequest } from './kube-apiserver/http/node-requests.ts';
import type { ServerEnvironment } from './kube-apiserver/server.ts';
import type { LogLine } from './kubelet/cri.ts';

export interface LogTarget {
  namespace: string;
  pod: string;
}

const pattern = /^\/api\/v1\/namespaces\/([^/]+)\/pods\/([^/]+)\/log$/;

/** The pod that a request asks the logs of, if it does. */
export function logPath(request: RestRequest): LogTarget | undefined {
  const match = request.method === 'GET' ? pattern.exec(request.path) : null;
  return match === null ? undefined : { namespace: match[1] as string, pod: match[2] as string };
}

/** GET .../log. Upstream: pkg/registry/core/pod/strategy.go LogLocation, pkg/kubelet/kubelet_pods.go validateContainerLogStatus. */
export function answerLogs(env: ServerEnvironment, context: Context, { namespace, pod: name }: LogTarget, query: Record<string, string>): RestResponse {
  const checked = checkNodeRequest(env, { info: resourceInfo('pods'), namespace, name, subresource: 'log' }, query);
  if ('status' in checked) return { code: checked.status.code ?? 500, headers: {}, body: checked.status, warnings: [] };
  const headers = { 'Content-Type': 'text/plain' };
  if ('empty' in checked) return { code: 204, headers, body: '', warnings: [] };
  const { pod, container } = checked;
  const previous = query.previous === 'true';
  const refusal = whyNoLog(pod, container, previous);
  if (refusal !== undefined) {
    const status = badRequest(refusal);
    return { code: 400, headers: {}, body: status, warnings: [] };
  }
  const runtime = context.runtime(pod.spec.nodeName ?? '');
  const records = (runtime?.containers(pod.metadata.uid) ?? []).filter((record) => record.name === container);
  const record = previous ? records.find((item, index) => index > 0 || item.state === 'exited') : records[0];
  const lines = record === undefined ? [] : (runtime?.logs(record.id) ?? []);
  return { code: 200, headers, body: render(lines, query, context.epochMs), warnings: [] };
}

function whyNoLog(pod: Pod, container: string, previous: boolean): string | undefined {
  const all: ContainerStatus[] = [...(pod.status.initContainerStatuses ?? []), ...(pod.status.containerStatuses ?? [])];
  const status = all.find((item) => item.name === container);
  if (status === undefined) return `container "${container}" in pod "${pod.metadata.name}" is not available`;
  if (previous) {
    return status.lastState?.terminated === undefined && status.state?.terminated === undefined
      ? `previous terminated container "${container}" in pod "${pod.metadata.name}" not found`
      : undefined;
  }
  const waiting = status.state?.waiting;
  if (waiting === undefined || status.lastState?.terminated !== undefined) return undefined;
  if (waiting.reason === 'ErrImagePull' || waiting.reason === 'ImagePullBackOff') {
    return `container "${container}" in pod "${pod.metadata.name}" is waiting to start: ${waiting.reason === 'ErrImagePull' ? 'image can\'t be pulled' : 'trying and failing to pull image'}`;
  }
  return `container "${container}" in pod "${pod.metadata.name}" is waiting to start: ${waiting.reason ?? 'ContainerCreating'}`;
}

function render(lines: readonly LogLine[], query: Record<string, string>, nowMs: number): string {
  let chosen = [...lines];
  const since = query.sinceSeconds !== undefined ? nowMs - Number(query.sinceSeconds) * 1000 : query.sinceTime !== undefined ? parseRfc3339(query.sinceTime) : undefined;
  if (since !== undefined) chosen = chosen.filter((line) => line.at >= since);
  if (query.tailLines !== undefined) chosen = Number(query.tailLines) === 0 ? [] : chosen.slice(-Number(query.tailLines));
  const stamp = (at: number) => `${formatRfc3339(at).slice(0, -1)}.${String(at % 1000).padStart(3, '0')}000000Z `;
  return chosen.map((line) => `${query.timestamps === 'true' ? stamp(line.at) : ''}${line.text}\n`).join('');
}
