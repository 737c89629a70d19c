import { quantityToMilli, quantityToNumber } from '../../api/quantity.ts';
import type { Container, Pod } from '../../api/schema/types.ts';
import type { ContainerConfig, ContainerMount } from './cri.ts';
import { environment } from './environment.ts';
import { expand } from './expand.ts';
import { fullName, type AnyContainer, type ContainerKind } from './pod-spec.ts';
import type { StartFailure } from './start-container.ts';
import type { Env, PodWorker } from './state.ts';

/** Everything the runtime is told of a container. Upstream: pkg/kubelet/kuberuntime generateContainerConfig. */
export function containerConfig(
  env: Env, worker: PodWorker, container: AnyContainer, kind: ContainerKind, attempt: number,
): { config: ContainerConfig } | { failure: StartFailure } {
  const failure = (message: string) => ({ failure: { reason: 'CreateContainerConfigError', message } });
  const { pod } = worker;
  const user = userProblem(env, pod, container);
  if (user !== undefined) return failure(user);
  const found = environment(env, worker, container);
  if ('error' in found) return failure(found.error);
  const values = new Map(found.variables.map(({ name, value }) => [name, value]));
  const lookup = (name: string) => values.get(name);
  const limits = (container.resources?.limits ?? {}) as Record<string, string>;
  const requests = (container.resources?.requests ?? {}) as Record<string, string>;
  const behavior = pod.metadata.annotations?.[`kubelapse.dev/behavior.${container.name}`];
  const runAsUser = container.securityContext?.runAsUser ?? pod.spec.securityContext?.runAsUser;
  return {
    config: {
      name: container.name,
      kind,
      attempt,
      image: container.image ?? '',
      ...(container.command === undefined ? {} : { command: container.command.map((part) => expand(part, lookup)) }),
      ...(container.args === undefined ? {} : { args: container.args.map((part) => expand(part, lookup)) }),
      ...(container.workingDir === undefined ? {} : { workingDir: container.workingDir }),
      env: found.variables,
      mounts: mounts(container, lookup),
      ports: (container.ports ?? []).map(({ name, containerPort, protocol = 'TCP' }) => ({ containerPort, protocol, ...(name === undefined ? {} : { name }) })),
      ...(limits.memory === undefined ? {} : { memoryLimitBytes: quantityToNumber(limits.memory) }),
      ...(requests.memory === undefined ? {} : { memoryRequestBytes: quantityToNumber(requests.memory) }),
      ...(limits.cpu === undefined ? {} : { cpuLimitMilli: quantityToMilli(limits.cpu) }),
      readOnlyRootFilesystem: container.securityContext?.readOnlyRootFilesystem === true,
      terminationMessagePath: container.terminationMessagePath ?? '/dev/termination-log',
      terminationMessagePolicy: container.terminationMessagePolicy === 'FallbackToLogsOnError' ? 'FallbackToLogsOnError' : 'File',
      ...(runAsUser === undefined ? {} : { runAsUser }),
      hostAliases: (pod.spec.hostAliases ?? []).map(({ ip, hostnames }) => ({ ip, hostnames: hostnames ?? [] })),
      dns: dnsOf(pod),
      ...(behavior === undefined ? {} : { behavior }),
      ...(container.stdin === true ? { stdin: true } : {}),
      ...(container.tty === true ? { tty: true } : {}),
    },
  };
}

function mounts(container: AnyContainer, lookup: (name: string) => string | undefined): ContainerMount[] {
  return (container.volumeMounts ?? []).map(({ mountPath, name, readOnly, subPath, subPathExpr }) => {
    const inner = subPathExpr === undefined ? subPath : expand(subPathExpr, lookup);
    return { mountPath, volume: name, readOnly: readOnly === true, ...(inner === undefined || inner === '' ? {} : { subPath: inner }) };
  });
}

/** Upstream: pkg/kubelet/network/dns. */
function dnsOf({ spec, metadata }: Pod): ContainerConfig['dns'] {
  const cluster = spec.dnsPolicy === 'ClusterFirstWithHostNet' || ((spec.dnsPolicy ?? 'ClusterFirst') === 'ClusterFirst' && spec.hostNetwork !== true);
  const searches = cluster ? [`${metadata.namespace}.svc.cluster.local`, 'svc.cluster.local', 'cluster.local'] : [];
  const option = spec.dnsConfig?.options?.find(({ name }) => name === 'ndots');
  return {
    searches: [...searches, ...(spec.dnsConfig?.searches ?? [])],
    ndots: option?.value === undefined ? (cluster ? 5 : 1) : Number(option.value),
  };
}

/** Upstream: pkg/kubelet/kuberuntime/security_context.go verifyRunAsNonRoot. */
function userProblem(env: Env, pod: Pod, container: AnyContainer): string | undefined {
  const own = (container as Container).securityContext;
  const nonRoot = own?.runAsNonRoot ?? pod.spec.securityContext?.runAsNonRoot;
  if (nonRoot !== true) return undefined;
  const where = `(pod: "${fullName(pod)}", container: ${container.name})`;
  const runAsUser = own?.runAsUser ?? pod.spec.securityContext?.runAsUser;
  if (runAsUser !== undefined) return runAsUser === 0 ? `container's runAsUser breaks non-root policy ${where}` : undefined;
  const image = env.ctx.runtime(env.node.name)?.imagePresent(container.image ?? '');
  return (image?.user ?? 0) === 0 ? `container has runAsNonRoot and image will run as root ${where}` : undefined;
}
