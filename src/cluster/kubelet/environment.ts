import type { EnvFromSource, EnvVar, EnvVarSource, Service } from '../../api/schema/types.ts';
import { compareText } from '../../sim/plain.ts';
import { expand } from './expand.ts';
import { fieldValue, namedContainer, resourceValueOf } from './field-ref.ts';
import type { AnyContainer } from './pod-spec.ts';
import type { Env, PodWorker } from './state.ts';
import { decodeBase64 } from './volumes/base64.ts';

export interface Variable {
  name: string;
  value: string;
}

/** All variables of a container, or why they cannot be had. Upstream: pkg/kubelet/kubelet_pods.go makeEnvironmentVariables. */
export function environment(env: Env, worker: PodWorker, container: AnyContainer): { variables: Variable[] } | { error: string } {
  const services = serviceVariables(env, worker);
  const values = new Map<string, string>();
  for (const source of container.envFrom ?? []) {
    const error = addFrom(env, worker, source, values);
    if (error !== undefined) return { error };
  }
  const lookup = (name: string) => values.get(name) ?? services.get(name);
  for (const variable of container.env ?? []) {
    const result = valueOf(env, worker, container, variable, lookup);
    if (typeof result === 'object') return result;
    if (result !== undefined) values.set(variable.name, result);
  }
  for (const [name, value] of services) if (!values.has(name)) values.set(name, value);
  return { variables: [...values].map(([name, value]) => ({ name, value })) };
}

type Found = { data: Record<string, string> } | { error: string } | undefined;

/** The data of a ConfigMap or Secret; undefined: it is missing and may be. */
function dataOf(env: Env, namespace: string, kind: 'configmap' | 'secret', name: string, optional: boolean | undefined): Found {
  const { live } = env.ctx;
  if (kind === 'configmap') {
    const object = live.get('configmaps', namespace, name);
    if (object !== undefined) return { data: object.data ?? {} };
  } else {
    const object = live.get('secrets', namespace, name);
    if (object !== undefined) return { data: Object.fromEntries(Object.entries(object.data ?? {}).map(([key, value]) => [key, decodeBase64(value)])) };
  }
  return optional === true ? undefined : { error: `${kind} "${name}" not found` };
}

function addFrom(env: Env, { pod }: PodWorker, source: EnvFromSource, values: Map<string, string>): string | undefined {
  const reference = source.configMapRef ?? source.secretRef;
  if (reference === undefined) return undefined;
  const found = dataOf(env, pod.metadata.namespace ?? '', source.configMapRef === undefined ? 'secret' : 'configmap', reference.name ?? '', reference.optional);
  if (found === undefined) return undefined;
  if ('error' in found) return found.error;
  for (const key of Object.keys(found.data).sort(compareText)) values.set(`${source.prefix ?? ''}${key}`, found.data[key] as string);
  return undefined;
}

function valueOf(env: Env, worker: PodWorker, container: AnyContainer, variable: EnvVar, lookup: (name: string) => string | undefined): string | undefined | { error: string } {
  if (variable.valueFrom === undefined) return expand(variable.value ?? '', lookup);
  const { fieldRef, resourceFieldRef } = variable.valueFrom;
  if (fieldRef !== undefined) return fieldValue(env, worker, fieldRef.fieldPath);
  if (resourceFieldRef !== undefined) {
    return resourceValueOf(env.node, namedContainer(worker.pod, resourceFieldRef.containerName) ?? container, resourceFieldRef);
  }
  return keyValue(env, worker.pod.metadata.namespace ?? '', variable.valueFrom);
}

function keyValue(env: Env, namespace: string, { configMapKeyRef, secretKeyRef }: EnvVarSource): string | undefined | { error: string } {
  const reference = configMapKeyRef ?? secretKeyRef;
  if (reference === undefined) return '';
  const kind = configMapKeyRef === undefined ? 'secret' : 'configmap';
  const found = dataOf(env, namespace, kind, reference.name ?? '', reference.optional);
  if (found === undefined) return undefined;
  if ('error' in found) return found;
  const value = found.data[reference.key];
  if (value !== undefined || reference.optional === true) return value;
  return { error: `couldn't find key ${reference.key} in ${kind === 'secret' ? 'Secret' : 'ConfigMap'} ${namespace}/${reference.name}` };
}

/** Upstream: pkg/kubelet/envvars/envvars.go FromServices. The API server's own service is always there. */
function serviceVariables({ ctx }: Env, { pod }: PodWorker): Map<string, string> {
  const values = new Map<string, string>();
  const { namespace = '' } = pod.metadata;
  const linked = pod.spec.enableServiceLinks === false ? [] : ctx.live.list('services', namespace);
  const master = ctx.live.get('services', 'default', 'kubernetes');
  const services = [...linked.filter((service) => service !== master), ...(master === undefined ? [] : [master])];
  for (const service of services) {
    const { clusterIP } = service.spec;
    if (clusterIP === undefined || clusterIP === '' || clusterIP === 'None') continue;
    addService(service, clusterIP, values);
  }
  return values;
}

const variableName = (text: string) => text.toUpperCase().replaceAll('-', '_');

function addService({ metadata, spec }: Service, address: string, values: Map<string, string>): void {
  const prefix = variableName(metadata.name);
  const ports = spec.ports ?? [];
  const first = ports[0];
  if (first === undefined) return;
  values.set(`${prefix}_SERVICE_HOST`, address);
  values.set(`${prefix}_SERVICE_PORT`, String(first.port));
  for (const { name, port } of ports) if (name !== undefined && name !== '') values.set(`${prefix}_SERVICE_PORT_${variableName(name)}`, String(port));
  ports.forEach(({ port, protocol = 'TCP' }, index) => {
    const url = `${protocol.toLowerCase()}://${address}:${port}`;
    const start = `${prefix}_PORT_${port}_${protocol.toUpperCase()}`;
    if (index === 0) values.set(`${prefix}_PORT`, url);
    values.set(start, url);
    values.set(`${start}_PROTO`, protocol.toLowerCase());
    values.set(`${start}_PORT`, String(port));
    values.set(`${start}_ADDR`, address);
  });
}
