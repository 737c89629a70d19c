import type { Container, EphemeralContainer, Pod } from '../../api/schema/types.ts';
import type { Context, EventInput } from '../component.ts';
import type { ContainerStatusRecord } from './cri.ts';
import type { Env } from './state.ts';

export type AnyContainer = Container | EphemeralContainer;
export type ContainerKind = ContainerStatusRecord['kind'];

export const isSidecar = (container: AnyContainer): boolean => container.restartPolicy === 'Always';
export const isTerminalPhase = (phase: string | undefined): boolean => phase === 'Succeeded' || phase === 'Failed';
export const fullName = (pod: Pod): string => `${pod.metadata.name}_${pod.metadata.namespace}(${pod.metadata.uid})`;

/** Spec, kind and field path of a container by name. */
export function findContainer(pod: Pod, name: string): { container: AnyContainer; kind: ContainerKind; fieldPath: string } | undefined {
  const app = pod.spec.containers.find((item) => item.name === name);
  if (app !== undefined) return { container: app, kind: 'app', fieldPath: `spec.containers{${name}}` };
  const init = pod.spec.initContainers?.find((item) => item.name === name);
  if (init !== undefined) return { container: init, kind: isSidecar(init) ? 'sidecar' : 'init', fieldPath: `spec.initContainers{${name}}` };
  const ephemeral = pod.spec.ephemeralContainers?.find((item) => item.name === name);
  return ephemeral === undefined ? undefined : { container: ephemeral, kind: 'ephemeral', fieldPath: `spec.ephemeralContainers{${name}}` };
}

export const sidecars = (pod: Pod): Container[] => pod.spec.initContainers?.filter(isSidecar) ?? [];

/** Containers whose state counts for readiness: sidecars first, then apps, as in the spec. */
export const lastingContainers = (pod: Pod): Container[] => [...sidecars(pod), ...pod.spec.containers];

/** Newest record of a container. */
export const newestRecord = (records: readonly ContainerStatusRecord[], name: string): ContainerStatusRecord | undefined =>
  records.find((record) => record.name === name);

/** Records an Event about a pod or one of its containers. */
export function podEvent(env: Env, pod: Pod, type: 'Normal' | 'Warning', reason: string, message: string, container?: string): void {
  const fieldPath = container === undefined ? undefined : findContainer(pod, container)?.fieldPath;
  sendEvent(env, { regarding: referenceTo(pod, fieldPath), type, reason, message, host: env.node.name });
}

/** Without network the recorder keeps what it cannot send, up to a point. */
export function sendEvent({ state, ctx }: Env, event: EventInput): void {
  if (!state.cutOff) ctx.event(event);
  else if (state.heldEvents.length < 1000) state.heldEvents.push(event);
}

function referenceTo(pod: Pod, fieldPath: string | undefined): EventInput['regarding'] {
  const { name, namespace, uid, resourceVersion } = pod.metadata;
  return {
    apiVersion: 'v1', kind: 'Pod', name, uid, resourceVersion,
    ...(namespace === undefined ? {} : { namespace }),
    ...(fieldPath === undefined ? {} : { fieldPath }),
  };
}

/** d plus a random part of up to `percent` of it. Upstream: wait.Jitter. */
export const jitter = (ctx: Context, durationMs: number, percent = 50): number =>
  durationMs + ctx.random('jitter').below(Math.max(1, Math.floor((durationMs * percent) / 100)));
