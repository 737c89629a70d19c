import { containerRequests, isSidecar } from '../../api/core-v1/pod-resources.ts';
import { quantityToMilli, quantityToNumber } from '../../api/quantity.ts';
import type { Container, Pod, PodSpec } from '../../api/schema/types.ts';

/** Of containers that ask for nothing. Upstream: pkg/scheduler/util/pod_resources.go DefaultMilliCPURequest, DefaultMemoryRequest. */
const defaultMilliCpu = 100;
const defaultMemory = 200 * 1024 * 1024;

export const isAssigned = ({ spec }: Pod): boolean => spec.nodeName !== undefined && spec.nodeName !== '';
export const isOver = ({ status }: Pod): boolean => status.phase === 'Succeeded' || status.phase === 'Failed';
/** Takes room on a node: even while it is going away. */
export const takesRoom = (pod: Pod): boolean => isAssigned(pod) && !isOver(pod);
export const priorityOf = ({ spec }: Pod): number => spec.priority ?? 0;
export const podText = ({ metadata }: Pod): string => `${metadata.namespace}/${metadata.name}`;

export interface NonZero {
  cpu: number;
  memory: number;
}

const nonZeroBySpec = new WeakMap<PodSpec, NonZero>();

/** Upstream: pkg/scheduler/framework/types.go calculateResource (non0). */
export function nonZeroRequests({ spec }: Pod): NonZero {
  let known = nonZeroBySpec.get(spec);
  if (known === undefined) nonZeroBySpec.set(spec, (known = computeNonZero(spec)));
  return known;
}

function computeNonZero(spec: PodSpec): NonZero {
  const of = (name: 'cpu' | 'memory', read: (text: string | undefined) => number, fallback: number): number => {
    const level = spec.resources?.requests?.[name];
    const overhead = read(spec.overhead?.[name]);
    if (level !== undefined) return read(level) + overhead;
    // With amounts for the whole pod, a default stands in only for what no container asks for at all.
    const standIn = spec.resources === undefined || containerRequests(spec)[name] === undefined ? fallback : 0;
    const one = (container: Container) => (container.resources?.requests?.[name] === undefined ? standIn : read(container.resources.requests[name]));
    let total = spec.containers.reduce((sum, container) => sum + one(container), 0);
    let sidecars = 0;
    let peak = 0;
    for (const container of spec.initContainers ?? []) {
      if (isSidecar(container)) {
        total += one(container);
        sidecars += one(container);
        peak = Math.max(peak, sidecars);
      } else peak = Math.max(peak, sidecars + one(container));
    }
    return Math.max(total, peak) + overhead;
  };
  return { cpu: of('cpu', quantityToMilli, defaultMilliCpu), memory: of('memory', quantityToNumber, defaultMemory) };
}

export interface HostPort {
  protocol: string;
  ip: string;
  port: number;
}

const noPorts: readonly HostPort[] = [];

/** Upstream: pkg/scheduler/util GetHostPorts: main containers and sidecars. */
export function hostPorts({ spec }: Pod): readonly HostPort[] {
  let ports: HostPort[] | undefined;
  const add = (container: Container) => {
    for (const { hostPort, hostIP, protocol } of container.ports ?? []) {
      if (hostPort !== undefined && hostPort > 0) (ports ??= []).push({ protocol: protocol || 'TCP', ip: hostIP || '0.0.0.0', port: hostPort });
    }
  };
  for (const container of spec.containers) add(container);
  for (const container of spec.initContainers ?? []) if (isSidecar(container)) add(container);
  return ports ?? noPorts;
}

export const portKey = ({ protocol, ip, port }: HostPort): string => `${protocol}/${ip}/${port}`;
