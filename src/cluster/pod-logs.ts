import type { ContainerStatus, Pod } from '../api/schema/types.ts';
import type { RestRequest, RestResponse } from '../kubectl/contract.ts';
import { formatRfc3339, parseRfc3339 } from '../sim/time.ts';
import type { Context } from './component.ts';
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

const failure = (code: number, reason: string, message: string): RestResponse => ({
  code,
  headers: {},
  body: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, code },
  warnings: [],
});

/** GET .../log. Upstream: pkg/registry/core/pod/strategy.go LogLocation, pkg/kubelet/kubelet_pods.go validateContainerLogStatus. */
export function answerLogs(context: Context, { namespace, pod: name }: LogTarget, query: Record<string, string>): RestResponse {
  const pod = context.live.get('pods', namespace, name);
  if (pod === undefined) return failure(404, 'NotFound', `pods "${name}" not found`);
  const names = [...(pod.spec.initContainers ?? []), ...pod.spec.containers].map((container) => container.name);
  const appNames = pod.spec.containers.map((container) => container.name);
  let container = query.container;
  if (container === undefined || container === '') {
    if (appNames.length > 1 || (pod.spec.initContainers?.length ?? 0) > 0) {
      const inits = (pod.spec.initContainers ?? []).map((item) => item.name);
      const initPart = inits.length > 0 ? ` or one of the init containers: [${inits.join(' ')}]` : '';
      if (appNames.length > 1 || inits.length > 0) {
        return failure(400, 'BadRequest', `a container name must be specified for pod ${name}, choose one of: [${appNames.join(' ')}]${initPart}`);
      }
    }
    container = appNames[0] ?? '';
  }
  if (!names.includes(container)) return failure(400, 'BadRequest', `container ${container} is not valid for pod ${name}`);
  if (pod.spec.nodeName === undefined || pod.spec.nodeName === '') return { code: 200, headers: { 'Content-Type': 'text/plain' }, body: '', warnings: [] };
  const previous = query.previous === 'true';
  const refusal = whyNoLog(pod, container, previous);
  if (refusal !== undefined) return failure(400, 'BadRequest', refusal);
  const records = (context.runtime(pod.spec.nodeName)?.containers(pod.metadata.uid) ?? []).filter((record) => record.name === container);
  const record = previous ? records.find((item, index) => index > 0 || item.state === 'exited') : records[0];
  const lines = record === undefined ? [] : (context.runtime(pod.spec.nodeName)?.logs(record.id) ?? []);
  return { code: 200, headers: { 'Content-Type': 'text/plain' }, body: render(lines, query, context.epochMs), warnings: [] };
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
