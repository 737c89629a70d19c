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

/** GET .../log. Upstream: pkg/registry/core/pod/strategy.go LogLocation. */
export function answerLogs(env: ServerEnvironment, context: Context, { namespace, pod: name }: LogTarget, query: Record<string, string>): RestResponse {
  const checked = checkNodeRequest(env, { info: resourceInfo('pods'), namespace, name, subresource: 'log' }, query);
  if ('status' in checked) return { code: checked.status.code ?? 500, headers: {}, body: checked.status, warnings: [] };
  const headers = { 'Content-Type': 'text/plain' };
  if ('empty' in checked) return { code: 204, headers, body: '', warnings: [] };
  const { pod, container } = checked;
  const source = logSource(pod, container, query.previous === 'true');
  if ('refusal' in source) return { code: 400, headers: {}, body: badRequest(source.refusal), warnings: [] };
  const runtime = context.runtime(pod.spec.nodeName ?? '');
  const known = runtime?.containers(pod.metadata.uid).some((record) => record.id === source.id) === true;
  const body = known ? render(runtime.logs(source.id), query, context.epochMs) : `unable to retrieve container logs for containerd://${source.id}`;
  return { code: 200, headers, body, warnings: [] };
}

/** Which of a container's instances its logs are of, or why of none. Upstream: pkg/kubelet/kubelet_pods.go validateContainerLogStatus. */
export function logSource({ metadata, status }: Pod, container: string, previous: boolean): { id: string } | { refusal: string } {
  const all: ContainerStatus[] = [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? []), ...(status.ephemeralContainerStatuses ?? [])];
  const found = all.find((item) => item.name === container);
  const refused = (what: string) => ({ refusal: `container "${container}" in pod "${metadata.name}" ${what}` });
  const instance = (id: string | undefined) => (id === undefined || id === '' ? undefined : { id: id.replace(/^\w+:\/\//, '') });
  if (found === undefined) return refused('is not available');
  const { waiting, running, terminated } = found.state ?? {};
  const last = found.lastState?.terminated;
  if (previous) return instance(last?.containerID) ?? { refusal: `previous terminated container "${container}" in pod "${metadata.name}" not found` };
  if (running !== undefined) return instance(found.containerID) ?? refused('is waiting to start - no logs yet');
  if (terminated !== undefined || last !== undefined) return instance(terminated?.containerID) ?? instance(last?.containerID) ?? refused('is terminated');
  return refused(waiting === undefined ? 'is waiting to start - no logs yet' : `is waiting to start: ${waitsFor[waiting.reason ?? ''] ?? waiting.reason ?? ''}`);
}

const waitsFor: Readonly<Record<string, string>> = { ErrImagePull: "image can't be pulled", ImagePullBackOff: 'trying and failing to pull image' };

function render(lines: readonly LogLine[], query: Record<string, string>, nowMs: number): string {
  let chosen = [...lines];
  const since = query.sinceSeconds !== undefined ? nowMs - Number(query.sinceSeconds) * 1000 : query.sinceTime !== undefined ? parseRfc3339(query.sinceTime) : undefined;
  if (since !== undefined) chosen = chosen.filter((line) => line.at >= since);
  if (query.tailLines !== undefined) chosen = Number(query.tailLines) === 0 ? [] : chosen.slice(-Number(query.tailLines));
  const stamp = (at: number) => `${formatRfc3339(at).slice(0, -1)}.${String(at % 1000).padStart(3, '0')}000000Z `;
  return chosen.map((line) => `${query.timestamps === 'true' ? stamp(line.at) : ''}${line.text}\n`).join('');
}
