import { podRequests } from '../api/core-v1/pod-resources.ts';
import { quantityToMilli, quantityToNumber } from '../api/quantity.ts';
import type { ObjectKey } from '../api/resources.ts';
import type { Node, Pod } from '../api/schema/types.ts';
import type { Cluster } from './cluster.ts';
import type { Change } from './etcd/store.ts';

/** Which pod has which address. */
export type Addresses = Map<string, ObjectKey>;

/** What must hold on a node: room for all that was put there, and an address for one pod alone. */
export function checkNode(cluster: Cluster, addresses: Addresses, { key, resource, version, previous }: Change, broken: string[]): void {
  if (resource !== 'pods') return;
  const pod = version.object as Pod | undefined;
  checkAddress(addresses, key, pod, previous as Pod | undefined, broken);
  if (pod !== undefined && version.actor === 'kube-scheduler' && pod.spec.nodeName && !(previous as Pod | undefined)?.spec.nodeName) checkRoom(cluster, key, pod.spec.nodeName, broken);
}

function checkAddress(addresses: Addresses, key: ObjectKey, pod: Pod | undefined, previous: Pod | undefined, broken: string[]): void {
  const before = previous?.status.podIP;
  const now = pod === undefined || pod.spec.hostNetwork === true || isOver(pod) ? undefined : pod.status.podIP;
  if (before !== undefined && before !== now && addresses.get(before) === key) addresses.delete(before);
  if (now === undefined) return;
  const holder = addresses.get(now);
  if (holder !== undefined && holder !== key) broken.push(`${key}: address ${now} is that of ${holder}`);
  addresses.set(now, key);
}

const isOver = ({ status }: Pod): boolean => status.phase === 'Succeeded' || status.phase === 'Failed';

/** The scheduler never puts more on a node than it has room for; what was bound past it does not count against it. */
function checkRoom({ store }: Cluster, key: ObjectKey, name: string, broken: string[]): void {
  const node = store.get(`nodes//${name}`) as Node | undefined;
  const room = node?.status.allocatable;
  if (room === undefined) return;
  const pods = store.by('pods', 'node', name).filter((pod) => !isOver(pod) && pod.metadata.deletionTimestamp === undefined);
  const requests = pods.map((pod) => podRequests(pod));
  const cpu = requests.reduce((sum, item) => sum + quantityToMilli(item.cpu), 0);
  const memory = requests.reduce((sum, item) => sum + quantityToNumber(item.memory), 0);
  if (cpu > quantityToMilli(room.cpu)) broken.push(`${key}: ${cpu}m cpu are asked for on ${name}, which has ${room.cpu ?? ''}`);
  if (memory > quantityToNumber(room.memory)) broken.push(`${key}: ${memory} bytes are asked for on ${name}, which has ${room.memory ?? ''}`);
  if (pods.length > quantityToNumber(room.pods)) broken.push(`${key}: ${pods.length} pods on ${name}, which has room for ${room.pods ?? ''}`);
}
