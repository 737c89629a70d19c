import { parseQuantity } from '../../api/quantity.ts';
import type { Pod, ResourceFieldSelector } from '../../api/schema/types.ts';
import { compareText } from '../../sim/plain.ts';
import { nodeAddress } from './options.ts';
import type { AnyContainer } from './pod-spec.ts';
import type { Env, PodWorker } from './state.ts';

const mapText = (map: Record<string, string> | undefined): string =>
  Object.entries(map ?? {}).sort(([a], [b]) => compareText(a, b)).map(([key, value]) => `${key}=${JSON.stringify(value)}`).join('\n');

/** The downward API. Upstream: pkg/fieldpath, kubelet_pods.go podFieldSelectorRuntimeValue. */
export function fieldValue(env: Env, worker: PodWorker, path: string): string {
  const { pod } = worker;
  const { metadata, spec } = pod;
  const subscript = /^metadata\.(labels|annotations)\['(.*)'\]$/.exec(path);
  if (subscript !== null) return (metadata[subscript[1] as 'labels' | 'annotations'] ?? {})[subscript[2] as string] ?? '';
  const podIP = spec.hostNetwork === true ? nodeAddress(env.node) : worker.podIP;
  const values: Record<string, () => string> = {
    'metadata.name': () => metadata.name,
    'metadata.namespace': () => metadata.namespace ?? '',
    'metadata.uid': () => metadata.uid,
    'metadata.labels': () => mapText(metadata.labels),
    'metadata.annotations': () => mapText(metadata.annotations),
    'spec.nodeName': () => spec.nodeName ?? '',
    'spec.serviceAccountName': () => spec.serviceAccountName ?? '',
    'status.hostIP': () => nodeAddress(env.node),
    'status.hostIPs': () => nodeAddress(env.node),
    'status.podIP': () => podIP,
    'status.podIPs': () => podIP,
  };
  return values[path]?.() ?? '';
}

/** limits fall back to what the node can give. Upstream: pkg/api/v1/resource ExtractContainerResourceValue. */
export function resourceValueOf(node: { cpu: string; memory: string }, container: AnyContainer, selector: ResourceFieldSelector): string {
  const [field = '', name = ''] = splitFirst(selector.resource);
  const own = (container.resources?.[field as 'limits' | 'requests'] as Record<string, string> | undefined)?.[name];
  const fallback = field === 'limits' ? (name === 'cpu' ? node.cpu : name === 'memory' ? node.memory : '0') : '0';
  return dividedUp(String(own ?? fallback), selector.divisor === undefined || selector.divisor === '0' ? '1' : String(selector.divisor));
}

function splitFirst(text: string): [string, string] {
  const dot = text.indexOf('.');
  return [text.slice(0, dot), text.slice(dot + 1)];
}

function dividedUp(quantity: string, divisor: string): string {
  const amount = parseQuantity(quantity);
  const unit = parseQuantity(divisor);
  if (typeof amount === 'string' || typeof unit === 'string' || unit.nano === 0n) return '0';
  return String((amount.nano + unit.nano - 1n) / unit.nano);
}

/** The container that a resourceFieldRef names, else the one it stands in. */
export const namedContainer = (pod: Pod, name: string | undefined): AnyContainer | undefined =>
  [...pod.spec.containers, ...(pod.spec.initContainers ?? [])].find((container) => container.name === name);
