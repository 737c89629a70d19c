import { resourceValue } from '../../api/quantity.ts';
import type { Pod, Taint, Toleration } from '../../api/schema/types.ts';
import { isSidecar, isTerminalPhase, podEvent } from './pod-spec.ts';
import type { Env, PodWorker } from './state.ts';
import { enqueue } from './status/manager.ts';

interface Rejection {
  reason: string;
  message: string;
}

/** A pod comes to the node: it is let in, or rejected for good. Upstream: pkg/kubelet/kubelet.go HandlePodAdditions, lifecycle/predicate.go. */
export function admit(env: Env, worker: PodWorker): boolean {
  const rejection = firstObjection(env, worker);
  if (rejection === undefined) {
    env.ctx.note('pod-step', { podUid: worker.uid, step: 'admitted' });
    return true;
  }
  worker.rejected = true;
  worker.final = true;
  podEvent(env, worker.pod, 'Warning', rejection.reason, rejection.message);
  const { generation } = worker.pod.metadata;
  worker.status = {
    ...(generation === undefined ? {} : { observedGeneration: generation }),
    phase: 'Failed',
    reason: rejection.reason,
    message: `Pod was rejected: ${rejection.message}`,
    startTime: env.ctx.timestamp,
    ...(worker.pod.status.qosClass === undefined ? {} : { qosClass: worker.pod.status.qosClass }),
  };
  enqueue(env, worker.uid);
  return false;
}

function firstObjection(env: Env, worker: PodWorker): Rejection | undefined {
  const { pod } = worker;
  if (env.state.nodeLoop.pressure !== null && pod.status.qosClass === 'BestEffort' && !tolerates(pod, { key: 'node.kubernetes.io/memory-pressure', effect: 'NoSchedule' })) {
    return { reason: 'Evicted', message: 'The node had condition: [MemoryPressure]. ' };
  }
  return objectionToResources(env, worker) ?? mismatch(env, pod);
}

/** What a pod asks of the node: the sum over its lasting containers or its largest init container. */
export function podRequest(pod: Pod, resource: string): number {
  const ask = (container: { resources?: { requests?: Record<string, unknown> } }) => resourceValue(resource, String(container.resources?.requests?.[resource] ?? '0'));
  let lasting = 0;
  let peak = 0;
  for (const container of pod.spec.initContainers ?? []) {
    if (isSidecar(container)) lasting += ask(container);
    else peak = Math.max(peak, lasting + ask(container));
  }
  for (const container of pod.spec.containers) lasting += ask(container);
  const overhead = pod.spec.overhead?.[resource];
  return Math.max(lasting, peak) + (overhead === undefined ? 0 : resourceValue(resource, String(overhead)));
}

/** What the node lacks for a pod's requests. */
export function objectionToResources(env: Env, worker: PodWorker): Rejection | undefined {
  const says = (resource: string, requested: number, used: number, capacity: number): Rejection => ({
    reason: `OutOf${resource}`, message: `Node didn't have enough resource: ${resource}, requested: ${requested}, used: ${used}, capacity: ${capacity}`,
  });
  const own = requestsOf(worker);
  const room = { pods: Number(env.node.pods), cpu: resourceValue('cpu', env.node.cpu), memory: resourceValue('memory', env.node.memory) };
  // A pod that asks for nothing can only lack a place: the others need not be looked at while all together have one.
  if (own.cpu === 0 && own.memory === 0 && env.state.podCount <= room.pods) return undefined;
  let count = 0;
  let cpu = 0;
  let memory = 0;
  for (const uid in env.state.pods) {
    const other = env.state.pods[uid] as PodWorker;
    if (other === worker || other.rejected || other.stage === 'finished' || isTerminalPhase(other.pod.status.phase)) continue;
    const asked = requestsOf(other);
    count++;
    cpu += asked.cpu;
    memory += asked.memory;
  }
  if (count + 1 > room.pods) return says('pods', 1, count, room.pods);
  if (own.cpu > 0 && cpu + own.cpu > room.cpu) return says('cpu', own.cpu, cpu, room.cpu);
  return own.memory > 0 && memory + own.memory > room.memory ? says('memory', own.memory, memory, room.memory) : undefined;
}

/** Counted once for a spec: specs are frozen, and a resize makes a new one. */
const counted = new WeakMap<object, { cpu: number; memory: number }>();

function requestsOf({ pod }: PodWorker): { cpu: number; memory: number } {
  let requests = counted.get(pod.spec);
  if (requests === undefined) counted.set(pod.spec, (requests = { cpu: podRequest(pod, 'cpu'), memory: podRequest(pod, 'memory') }));
  return requests;
}

function mismatch(env: Env, pod: Pod): Rejection | undefined {
  const node = env.ctx.live.get('nodes', undefined, env.node.name);
  if (node === undefined) return undefined;
  const labels = node.metadata.labels ?? {};
  if (Object.entries(pod.spec.nodeSelector ?? {}).some(([key, value]) => labels[key] !== value)) {
    return { reason: 'NodeAffinity', message: "Predicate NodeAffinity failed: node(s) didn't match Pod's node affinity/selector" };
  }
  const hostPorts = (other: Pod) => other.spec.containers.flatMap((container) => (container.ports ?? []).flatMap(({ hostPort, protocol = 'TCP' }) => (hostPort === undefined || hostPort === 0 ? [] : [`${protocol} ${hostPort}`])));
  const wanted = hostPorts(pod);
  if (wanted.length > 0) {
    const taken = Object.values(env.state.pods).filter((other) => other.uid !== pod.metadata.uid && other.stage !== 'finished').flatMap((other) => hostPorts(other.pod));
    if (wanted.some((port) => taken.includes(port))) return { reason: 'NodePorts', message: "Predicate NodePorts failed: node(s) didn't have free ports for the requested pod ports" };
  }
  const taint = (node.spec.taints ?? []).find((item) => item.effect === 'NoExecute' && !tolerates(pod, item));
  return taint === undefined ? undefined : { reason: 'TaintToleration', message: "Predicate TaintToleration failed: node(s) had taints that the pod didn't tolerate" };
}

const tolerates = (pod: Pod, taint: Taint): boolean => (pod.spec.tolerations ?? []).some((toleration) => matches(toleration, taint));

const matches = ({ key, operator, value, effect }: Toleration, taint: Taint): boolean =>
  (effect === undefined || effect === '' || effect === taint.effect)
  && (key === undefined || key === '' ? operator === 'Exists' : key === taint.key && (operator === 'Exists' || (value ?? '') === (taint.value ?? '')));
