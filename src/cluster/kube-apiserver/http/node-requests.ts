import { forbidden, invalid, type FieldError } from '../../../api/meta/field-error.ts';
import { badRequest, invalidStatus, notFoundStatus } from '../../../api/meta/status.ts';
import { keyOf, resourceInfo } from '../../../api/resources.ts';
import type { Pod, Status } from '../../../api/schema/types.ts';
import type { ServerEnvironment } from '../environment.ts';
import type { Target } from './paths.ts';

/** log, exec, attach and portforward: what the server itself checks before it turns to the pod's node. */
export type NodeRequest =
  | { status: Status }
  /** The log of a pod that no node has yet. */
  | { empty: true }
  | { pod: Pod; container: string };

type Query = Readonly<Record<string, string>>;

/** Upstream: pkg/registry/core/pod/strategy.go LogLocation, streamLocation; pkg/apis/core/validation ValidatePodLogOptions. */
export function checkNodeRequest(env: ServerEnvironment, { namespace, name, subresource }: Target, query: Query): NodeRequest {
  const info = resourceInfo('pods');
  const pod = env.store.get(keyOf('pods', namespace, name)) as Pod | undefined;
  if (subresource === 'log') {
    const errors = logOptionErrors(query);
    if (errors.length > 0) return { status: invalidStatus({ kind: 'PodLogOptions', group: '' }, name, errors) };
  }
  if (pod === undefined) return { status: notFoundStatus(info, name) };
  const container = subresource === 'portforward' ? '' : chooseContainer(pod, query.container ?? '');
  if (typeof container !== 'string') return container;
  const { nodeName } = pod.spec;
  if (!nodeName) return subresource === 'log' ? { empty: true } : { status: badRequest(`pod ${name} does not have a host assigned`) };
  if (env.store.get(keyOf('nodes', undefined, nodeName)) === undefined) return { status: notFoundStatus(info, nodeName) };
  return { pod, container };
}

function chooseContainer(pod: Pod, asked: string): string | { status: Status } {
  const { name } = pod.metadata;
  const all = [...(pod.spec.initContainers ?? []), ...pod.spec.containers, ...(pod.spec.ephemeralContainers ?? [])].map((container) => container.name);
  if (asked !== '') return all.includes(asked) ? asked : { status: badRequest(`container ${asked} is not valid for pod ${name}`) };
  const [only, second] = pod.spec.containers;
  const preferred = pod.metadata.annotations?.['kubectl.kubernetes.io/default-container'];
  if (preferred !== undefined && all.includes(preferred)) return preferred;
  if (second === undefined && only !== undefined && (pod.spec.initContainers ?? []).length === 0) return only.name;
  return { status: badRequest(`a container name must be specified for pod ${name}, choose one of: [${all.join(' ')}]`) };
}

function logOptionErrors(query: Query): FieldError[] {
  const errors: FieldError[] = [];
  const number = (key: string) => (query[key] === undefined ? undefined : Number(query[key]));
  const [tail, bytes, seconds] = [number('tailLines'), number('limitBytes'), number('sinceSeconds')];
  if (tail !== undefined && tail < 0) errors.push(invalid('tailLines', tail, 'must be greater than or equal to 0'));
  if (bytes !== undefined && bytes < 1) errors.push(invalid('limitBytes', bytes, 'must be greater than 0'));
  if (seconds !== undefined && query.sinceTime !== undefined) errors.push(forbidden('[]', 'at most one of `sinceTime` or `sinceSeconds` may be specified'));
  else if (seconds !== undefined && seconds < 1) errors.push(invalid('sinceSeconds', seconds, 'must be greater than 0'));
  return errors;
}
