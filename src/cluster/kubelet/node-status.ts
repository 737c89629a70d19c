import type { ApiObject } from '../../api/resources.ts';
import type { ContainerImage, Lease, Node, NodeCondition, NodeStatus } from '../../api/schema/types.ts';
import { addQuantity } from '../../api/quantity.ts';
import { formatRfc3339, formatRfc3339Micro } from '../../sim/time.ts';
import type { ApiResponse } from '../component.ts';
import { nodeAddress, type KubeletOptions } from './options.ts';
import { sendEvent } from './pod-spec.ts';
import type { Env } from './state.ts';

const leaseSeconds = 40;
export const leasePeriodMs = 10_000;
const reportPeriodMs = 300_000;

/** Upstream: pkg/kubelet/nodestatus/setters.go. */
export function nodeConditions(now: string, transitions: Record<string, string>, memoryPressure: boolean): NodeCondition[] {
  const condition = (type: string, status: string, reason: string, message: string): NodeCondition => ({
    type, status, lastHeartbeatTime: now, lastTransitionTime: transitions[`${type} ${status}`] ?? now, reason, message,
  });
  return [
    memoryPressure
      ? condition('MemoryPressure', 'True', 'KubeletHasInsufficientMemory', 'kubelet has insufficient memory available')
      : condition('MemoryPressure', 'False', 'KubeletHasSufficientMemory', 'kubelet has sufficient memory available'),
    condition('DiskPressure', 'False', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'),
    condition('PIDPressure', 'False', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'),
    condition('Ready', 'True', 'KubeletReady', 'kubelet is posting ready status'),
  ];
}

function nodeStatus(node: KubeletOptions, now: string, images: ContainerImage[]): NodeStatus {
  const storage = { 'ephemeral-storage': '270553174016', 'hugepages-2Mi': '0' };
  return {
    capacity: { cpu: node.cpu, ...storage, memory: addQuantity(node.memory, '100Mi'), pods: node.pods },
    allocatable: { cpu: node.cpu, ...storage, 'ephemeral-storage': '243497856212', memory: node.memory, pods: node.pods },
    conditions: nodeConditions(now, {}, false),
    addresses: [{ type: 'InternalIP', address: nodeAddress(node) }, { type: 'Hostname', address: node.name }],
    daemonEndpoints: { kubeletEndpoint: { Port: 10250 } },
    nodeInfo: {
      machineID: machineId(node), systemUUID: machineId(node), bootID: machineId(node), kernelVersion: '6.18.0', osImage: 'Debian GNU/Linux 12 (bookworm)',
      containerRuntimeVersion: 'containerd://2.4.2', kubeletVersion: 'v1.37.2', kubeProxyVersion: '', operatingSystem: 'linux', architecture: 'amd64', runningInUserNamespace: false,
    },
    images,
    runtimeHandlers: ['', 'runc'].map((name) => ({ name, features: { recursiveReadOnlyMounts: true, userNamespaces: true } })),
    features: { supplementalGroupsPolicy: true },
    declaredFeatures: ['ExtendWebSocketsToKubelet', 'InPlacePodLevelResourcesVerticalScaling', 'InPlacePodVerticalScalingInitContainers', 'RestartAllContainersOnContainerExits'],
  };
}

const machineId = ({ index }: KubeletOptions) => `00000000-0000-4000-9000-${String(index + 1).padStart(12, '0')}`;

/** The Node and its Lease as they stand when the film begins: registered long ago. */
export function initialNode(node: KubeletOptions, epochMs: number): ApiObject[] {
  const created = formatRfc3339(epochMs - 3_600_000);
  const podCIDR = `10.244.${node.index}.0/24`;
  const object: Node = {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name: node.name, uid: machineId(node).replace('-9000-', '-a000-'), resourceVersion: '', creationTimestamp: created,
      labels: node.labels,
      annotations: { 'node.alpha.kubernetes.io/ttl': '0', 'volumes.kubernetes.io/controller-managed-attach-detach': 'true' },
    },
    spec: { podCIDR, podCIDRs: [podCIDR], ...(node.taints.length === 0 ? {} : { taints: node.taints.map((taint) => ({ ...taint })) }) },
    status: { ...nodeStatus(node, formatRfc3339(epochMs), []), conditions: nodeConditions(formatRfc3339(epochMs), agedTransitions(created), false) },
  };
  return [object as unknown as ApiObject, leaseOf(node, object.metadata.uid, epochMs, created) as unknown as ApiObject];
}

const agedTransitions = (created: string) => ({ 'MemoryPressure False': created, 'DiskPressure False': created, 'PIDPressure False': created, 'Ready True': created });

function leaseOf(node: KubeletOptions, nodeUid: string, epochMs: number, created: string): Lease {
  return {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: {
      name: node.name, namespace: 'kube-node-lease', uid: machineId(node).replace('-9000-', '-b000-'), resourceVersion: '', creationTimestamp: created,
      ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: node.name, uid: nodeUid }],
    },
    spec: { holderIdentity: node.name, leaseDurationSeconds: leaseSeconds, renewTime: formatRfc3339Micro(epochMs) },
  };
}

/** Renews the lease, and looks at the own node as the status loop of the same period does. Upstream: component-helpers apimachinery/lease. */
export function renewLease(env: Env): void {
  const { ctx, node, state } = env;
  if (!state.stopped && !state.cutOff) {
    noticeCordon(env);
    const lease = ctx.live.get('leases.coordination.k8s.io', 'kube-node-lease', node.name);
    if (lease !== undefined) {
      const object = { ...lease, spec: { ...lease.spec, renewTime: ctx.microTimestamp } };
      ctx.api({ verb: 'update', resource: 'leases.coordination.k8s.io', namespace: 'kube-node-lease', name: node.name, object: object as unknown as ApiObject });
    }
  }
  ctx.schedule({ afterMs: leasePeriodMs + ctx.random('lease').below(400), kind: 'lease', key: 'lease' });
}

/** Cordon and uncordon show as events. Upstream: kubelet_node_status.go recordNodeSchedulableEvent. */
function noticeCordon(env: Env): void {
  const { nodeLoop } = env.state;
  const cordoned = env.ctx.live.get('nodes', undefined, env.node.name)?.spec.unschedulable === true;
  if (cordoned === nodeLoop.cordoned) return;
  nodeLoop.cordoned = cordoned;
  const reason = cordoned ? 'NodeNotSchedulable' : 'NodeSchedulable';
  nodeEvent(env, 'Normal', reason, `Node ${env.node.name} status is now: ${reason}`);
}

/** Writes the node's status when it says something new, or every five minutes. Upstream: kubelet_node_status.go tryUpdateNodeStatus. */
export function reportNode(env: Env, because: 'period' | 'change'): void {
  const { ctx, state, node } = env;
  if (because === 'period') ctx.schedule({ afterMs: reportPeriodMs, kind: 'node-report', key: 'node-report' });
  if (state.stopped || state.cutOff) return;
  const live = ctx.live.get('nodes', undefined, node.name);
  if (live === undefined) return;
  const pressure = state.nodeLoop.pressure !== null;
  const transitions: Record<string, string> = {};
  for (const { type, status, lastTransitionTime } of live.status.conditions ?? []) if (lastTransitionTime !== undefined) transitions[`${type} ${status}`] = lastTransitionTime;
  const foreign = (live.status.conditions ?? []).filter(({ type }) => !['MemoryPressure', 'DiskPressure', 'PIDPressure', 'Ready'].includes(type));
  const conditions = [...foreign, ...nodeConditions(ctx.timestamp, transitions, pressure)];
  announceFlips(env, live, conditions);
  state.nodeLoop.lastReportAt = ctx.now;
  ctx.api({
    verb: 'update', resource: 'nodes', name: node.name, subresource: 'status',
    object: { ...live, status: { ...live.status, conditions } } as unknown as ApiObject,
  }, { kind: 'node-reported' });
}

const eventReasons: Record<string, string> = {
  'MemoryPressure True': 'NodeHasInsufficientMemory', 'MemoryPressure False': 'NodeHasSufficientMemory', 'DiskPressure False': 'NodeHasNoDiskPressure',
  'PIDPressure False': 'NodeHasSufficientPID', 'Ready True': 'NodeReady', 'Ready False': 'NodeNotReady',
};

function announceFlips(env: Env, live: Node, conditions: readonly NodeCondition[]): void {
  for (const { type, status } of conditions) {
    const was = live.status.conditions?.find((condition) => condition.type === type);
    const reason = eventReasons[`${type} ${status}`];
    if (reason !== undefined && was !== undefined && was.status !== status) nodeEvent(env, 'Normal', reason, `Node ${env.node.name} status is now: ${reason}`);
  }
}

export function nodeEvent(env: Env, type: 'Normal' | 'Warning', reason: string, message: string): void {
  const { name } = env.node;
  sendEvent(env, { regarding: { apiVersion: 'v1', kind: 'Node', name, uid: name }, type, reason, message, host: name });
}

/** The write met a newer object: once more. */
export function nodeReported(env: Env, { response }: { response: ApiResponse }): void {
  if (response.code === 409) reportNode(env, 'change');
}
