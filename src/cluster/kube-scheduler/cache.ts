import { podRequestAmounts } from '../../api/core-v1/pod-resources.ts';
import { resourceValue } from '../../api/quantity.ts';
import type { Node, Pod } from '../../api/schema/types.ts';
import { hostPorts, nonZeroRequests, portKey, priorityOf } from './pod-facts.ts';
import { fileInGroups } from './pod-groups.ts';
import { claimKey, claimNames } from './plugins/claims.ts';
import type { NodeInfo, SchedulerState } from './state.ts';

const emptyNode = (): NodeInfo => ({ version: 0, allocatable: {}, requested: {}, nonZero: { cpu: 0, memory: 0 }, pods: 0, priorities: {}, ports: {} });

/** Adds what a pod takes to a node's sums, or takes it off. */
export function accountPod(info: NodeInfo, pod: Pod, sign: 1 | -1): void {
  const requests = podRequestAmounts(pod);
  for (const name in requests) info.requested[name] = (info.requested[name] ?? 0) + sign * (requests[name] as number);
  const nonZero = nonZeroRequests(pod);
  info.nonZero.cpu += sign * nonZero.cpu;
  info.nonZero.memory += sign * nonZero.memory;
  info.pods += sign;
  bump(info.priorities, String(priorityOf(pod)), sign);
  for (const port of hostPorts(pod)) bump(info.ports, portKey(port), sign);
}

function bump(counts: Record<string, number>, key: string, by: number): void {
  const next = (counts[key] ?? 0) + by;
  if (next === 0) delete counts[key];
  else counts[key] = next;
}

export const copyNode = (info: NodeInfo): NodeInfo => ({ ...info, requested: { ...info.requested }, nonZero: { ...info.nonZero }, priorities: { ...info.priorities }, ports: { ...info.ports } });

export function placePod(state: SchedulerState, pod: Pod, node: string): void {
  const info = (state.nodes[node] ??= emptyNode());
  accountPod(info, pod, 1);
  info.version = state.nextVersion++;
  fileInGroups(state, pod, node, 1);
  fileClaims(state, pod, 1);
}

function fileClaims({ claims }: SchedulerState, pod: Pod, sign: 1 | -1): void {
  for (const each of claimNames(pod)) bump(claims, claimKey(pod, each), sign);
}

export function removePod(state: SchedulerState, pod: Pod, node: string): void {
  const info = state.nodes[node];
  if (info === undefined) return;
  accountPod(info, pod, -1);
  info.version = state.nextVersion++;
  fileInGroups(state, pod, node, -1);
  fileClaims(state, pod, -1);
  if (info.node === undefined && info.pods <= 0) delete state.nodes[node];
}

/** A node came or changed. */
export function putNode(state: SchedulerState, node: Node): void {
  const { name } = node.metadata;
  const info = (state.nodes[name] ??= emptyNode());
  const isNew = info.node === undefined;
  const moved = !isNew && zoneOf(info.node as Node) !== zoneOf(node);
  if (info.node?.status.images !== node.status.images) {
    fileImages(state, info.node, -1);
    fileImages(state, node, 1);
  }
  info.node = node;
  info.version = state.nextVersion++;
  info.allocatable = {};
  for (const resource in node.status.allocatable) info.allocatable[resource] = resourceValue(resource, node.status.allocatable[resource]);
  if (isNew || moved) state.order = null;
}

export function dropNode(state: SchedulerState, node: Node): void {
  const { name } = node.metadata;
  const info = state.nodes[name];
  if (info === undefined) return;
  fileImages(state, info.node, -1);
  delete info.node;
  if (info.pods <= 0) delete state.nodes[name];
  state.order = null;
}

/** The order in which nodes are tried; made anew when a node came, went or moved. */
export const nodeOrder = (state: SchedulerState): string[] =>
  (state.order ??= zoneOrder(state, Object.keys(state.nodes).filter((name) => state.nodes[name]?.node !== undefined)));

const zoneOf = ({ metadata: { labels = {} } }: Node): string =>
  `${labels['topology.kubernetes.io/region'] ?? ''}:${labels['topology.kubernetes.io/zone'] ?? ''}`;

/** One node of each zone in turn. Upstream: pkg/scheduler/backend/cache/node_tree.go list. */
function zoneOrder(state: SchedulerState, names: readonly string[]): string[] {
  const zones = new Map<string, string[]>();
  for (const name of names) {
    const zone = zoneOf((state.nodes[name] as NodeInfo).node as Node);
    const list = zones.get(zone);
    if (list === undefined) zones.set(zone, [name]);
    else list.push(name);
  }
  const order: string[] = [];
  for (let i = 0; order.length < names.length; i++) {
    for (const list of zones.values()) if (i < list.length) order.push(list[i] as string);
  }
  return order;
}

/** Upstream: cache.addNodeImageStates: the size is the one that the first node with the image reported. */
function fileImages(state: SchedulerState, node: Node | undefined, sign: 1 | -1): void {
  for (const { names = [], sizeBytes = 0 } of node?.status.images ?? []) {
    for (const name of names) {
      const image = (state.images[name] ??= { size: sizeBytes, nodes: 0 });
      image.nodes += sign;
      if (image.nodes <= 0) delete state.images[name];
    }
  }
}
