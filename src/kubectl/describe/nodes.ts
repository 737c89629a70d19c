import { podLimits, podRequests } from '../../api/core-v1/pod-resources.ts';
import { since } from '../../api/print/format.ts';
import { addQuantity, canonicalQuantity, resourceValue } from '../../api/quantity.ts';
import type { Node, Pod } from '../../api/schema/types.ts';
import { compareText } from '../../sim/plain.ts';
import { annotationLines, grid, labelLines, line, none, quantities, rows, taintLines, time, timeIf, unset } from './lines.ts';
import { get, list, type Describer } from './look.ts';

/** Upstream: describe.go describeNode. */
export const nodes: Describer<'nodes'> = (node, look) => {
  const { metadata, spec, status } = node;
  const system = status.nodeInfo;
  const lease = get(look, 'leases.coordination.k8s.io', 'kube-node-lease', metadata.name);
  const conditions = (status.conditions ?? []).map((condition) =>
    [`${condition.type} `, `${condition.status} `, `${time(condition.lastHeartbeatTime)} `, `${time(condition.lastTransitionTime)} `, `${condition.reason ?? ''} `, condition.message ?? '']);
  const pods = list(look, 'pods', '', { fieldSelector: `spec.nodeName=${metadata.name},status.phase!=Succeeded,status.phase!=Failed` });
  return [
    rows(0, { Name: metadata.name, Roles: rolesOf(node).join(',') || none }),
    labelLines('Labels', metadata.labels),
    annotationLines('Annotations', metadata.annotations),
    rows(0, { CreationTimestamp: time(metadata.creationTimestamp) }),
    taintLines(spec.taints),
    rows(0, { Unschedulable: spec.unschedulable ?? false }),
    lease === undefined ? rows(0, { Lease: `Failed to get lease: leases.coordination.k8s.io "${metadata.name}" not found` })
      : `Lease:\n${rows(1, { HolderIdentity: lease.spec?.holderIdentity ?? unset, AcquireTime: timeIf(lease.spec?.acquireTime) ?? unset, RenewTime: timeIf(lease.spec?.renewTime) ?? unset })}`,
    conditions.length === 0 ? '' : `Conditions:\n${grid(1, ['Type', 'Status', 'LastHeartbeatTime', 'LastTransitionTime', 'Reason', 'Message'], conditions)}`,
    'Addresses:\n', ...(status.addresses ?? []).map(({ type, address }) => rows(1, { [type]: address })),
    resourcesOf('Capacity', status.capacity), resourcesOf('Allocatable', status.allocatable),
    'System Info:\n',
    rows(1, {
      'Machine ID': system?.machineID ?? '', 'System UUID': system?.systemUUID ?? '', 'Boot ID': system?.bootID ?? '', 'Kernel Version': system?.kernelVersion ?? '', 'OS Image': system?.osImage ?? '',
      'Operating System': system?.operatingSystem ?? '', Architecture: system?.architecture ?? '', 'Container Runtime Version': system?.containerRuntimeVersion ?? '', 'Kubelet Version': system?.kubeletVersion ?? '',
    }),
    rows(0, { PodCIDR: spec.podCIDR || undefined, PodCIDRs: spec.podCIDRs?.join(',') || undefined, ProviderID: spec.providerID || undefined }),
    allocation(node, pods, look.nowMs),
  ].join('');
};

const roleLabel = 'node-role.kubernetes.io/';

const rolesOf = ({ metadata }: Node): string[] =>
  Object.keys(metadata.labels ?? {}).filter((key) => key.startsWith(roleLabel)).map((key) => key.slice(roleLabel.length)).sort(compareText);

const resourcesOf = (title: string, resources: Readonly<Record<string, string>> = {}): string =>
  (Object.keys(resources).length === 0 ? '' : `${title}:\n${quantities(1, resources)}`);

type Amounts = Readonly<Record<string, string>>;

/** Upstream: describe.go describeNodeResource. */
function allocation({ status }: Node, pods: readonly Pod[], nowMs: number): string {
  const total = status.allocatable ?? status.capacity ?? {};
  const share = (name: string, amounts: Amounts) => {
    const [part, whole] = [resourceValue(name, amounts[name] ?? '0'), resourceValue(name, total[name] ?? '0')];
    return `${canonicalQuantity(amounts[name] ?? '0')} (${whole === 0 ? 0 : Math.trunc((part / whole) * 100)}%)`;
  };
  const shown = pods.map((pod) => {
    const [requests, limits] = [podRequests(pod), podLimits(pod)];
    return [pod.metadata.namespace ?? '', pod.metadata.name, '', share('cpu', requests), share('cpu', limits), share('memory', requests), share('memory', limits), since(pod.metadata.creationTimestamp, nowMs)];
  });
  const [requests, limits] = [sum(pods.map(podRequests)), sum(pods.map(podLimits))];
  const names = Object.keys(total).filter((name) => !['cpu', 'memory', 'ephemeral-storage', 'pods'].includes(name)).sort(compareText);
  const huge = names.filter((name) => name.startsWith('hugepages-'));
  const extended = names.filter((name) => !name.startsWith('hugepages-'));
  return [
    rows(0, { 'Non-terminated Pods': `(${pods.length} in total)` }),
    grid(1, ['Namespace', 'Name', '', 'CPU Requests', 'CPU Limits', 'Memory Requests', 'Memory Limits', 'Age'], shown),
    'Allocated resources:\n', line(1, '(Total limits may be over 100 percent, i.e., overcommitted.)'),
    grid(1, ['Resource', 'Requests', 'Limits'], [
      ...['cpu', 'memory', 'ephemeral-storage', ...huge].map((name) => [name, share(name, requests), share(name, limits)]),
      ...extended.map((name) => [name, requests[name] ?? '0', limits[name] ?? '0']),
    ]),
  ].join('');
}

function sum(parts: readonly Amounts[]): Amounts {
  const result: Record<string, string> = {};
  for (const part of parts) for (const [name, amount] of Object.entries(part)) result[name] = result[name] === undefined ? amount : addQuantity(result[name], amount);
  return result;
}
