import { podLimits, podRequests, qosClass } from './pod-resources.ts';
import { isTerminal } from '../print/pod-status.ts';
import { addQuantity } from '../quantity.ts';
import type { ApiObject, ResourceName } from '../resources.ts';
import type { PersistentVolumeClaim, Pod, ResourceQuota, Service } from '../schema/types.ts';

export type Usage = Record<string, string>;

/** Kinds that older quotas count by their plain name. Upstream: pkg/quota/v1/evaluator/core/registry.go legacyObjectCountAliases. */
const plainCounts: readonly ResourceName[] = ['configmaps', 'resourcequotas', 'replicationcontrollers', 'secrets', 'services', 'persistentvolumeclaims', 'pods'];

/** What one object uses. Upstream: pkg/quota/v1/evaluator/core/{pods,services,persistent_volume_claims}.go. */
export function usageOf(resource: ResourceName, object: ApiObject): Usage {
  const usage: Usage = { [`count/${resource}`]: '1' };
  if (resource === 'pods') return isTerminal(object as Pod) ? usage : { ...usage, pods: '1', ...podUsage(object as Pod) };
  if (plainCounts.includes(resource)) usage[resource] = '1';
  if (resource === 'services') Object.assign(usage, serviceUsage(object as Service));
  if (resource === 'persistentvolumeclaims') Object.assign(usage, claimUsage(object as PersistentVolumeClaim));
  return usage;
}

function podUsage(pod: Pod): Usage {
  const usage: Usage = {};
  const requests = podRequests(pod);
  for (const name in requests) {
    const amount = requests[name] as string;
    usage[`requests.${name}`] = amount;
    if (name === 'cpu' || name === 'memory' || name === 'ephemeral-storage' || name.startsWith('hugepages-')) usage[name] = amount;
  }
  const limits = podLimits(pod);
  for (const name in limits) usage[`limits.${name}`] = limits[name] as string;
  return usage;
}

function serviceUsage({ spec }: Service): Usage {
  const ports = spec.ports?.length ?? 0;
  const nodePorts = spec.type === 'NodePort' || (spec.type === 'LoadBalancer' && spec.allocateLoadBalancerNodePorts !== false) ? ports : 0;
  return { 'services.nodeports': String(nodePorts), 'services.loadbalancers': spec.type === 'LoadBalancer' ? '1' : '0' };
}

function claimUsage({ spec }: PersistentVolumeClaim): Usage {
  const storage = spec.resources?.requests?.['storage'];
  const usage: Usage = storage === undefined ? {} : { 'requests.storage': storage };
  if (spec.storageClassName) {
    const prefix = `${spec.storageClassName}.storageclass.storage.k8s.io/`;
    usage[`${prefix}persistentvolumeclaims`] = '1';
    if (storage !== undefined) usage[`${prefix}requests.storage`] = storage;
  }
  return usage;
}

/** Which of a quota's names this kind of object can use at all. */
export function countedNames(resource: ResourceName, hard: Readonly<Record<string, string>>): string[] {
  const own = (name: string): boolean => {
    if (name === `count/${resource}`) return true;
    if (resource === 'pods') {
      return ['pods', 'cpu', 'memory', 'ephemeral-storage'].includes(name) || name.startsWith('limits.') || name.startsWith('hugepages-')
        || (name.startsWith('requests.') && name !== 'requests.storage');
    }
    if (resource === 'persistentvolumeclaims') return name === resource || name === 'requests.storage' || name.includes('.storageclass.storage.k8s.io/');
    if (resource === 'services') return name === resource || name.startsWith('services.');
    return plainCounts.includes(resource) && name === resource;
  };
  return Object.keys(hard).filter(own);
}

/** Whether a quota's scopes take in this object. */
export function inScope({ spec }: ResourceQuota, resource: ResourceName, object: ApiObject): boolean {
  const scopes = [
    ...(spec?.scopes ?? []).map((scopeName) => ({ scopeName, operator: 'Exists', values: [] as string[] })),
    ...(spec?.scopeSelector?.matchExpressions ?? []).map(({ scopeName, operator, values }) => ({ scopeName, operator, values: values ?? [] })),
  ];
  if (scopes.length === 0) return true;
  return resource === 'pods' && scopes.every(({ scopeName, operator, values }) => podInScope(object as Pod, scopeName, operator, values));
}

function podInScope(pod: Pod, scope: string, operator: string, values: readonly string[]): boolean {
  const bestEffort = qosClass(pod) === 'BestEffort';
  switch (scope) {
    case 'BestEffort': return bestEffort;
    case 'NotBestEffort': return !bestEffort;
    case 'Terminating': return pod.spec.activeDeadlineSeconds !== undefined;
    case 'NotTerminating': return pod.spec.activeDeadlineSeconds === undefined;
    case 'CrossNamespacePodAffinity': return false;
    default: {
      const name = pod.spec.priorityClassName ?? '';
      if (operator === 'Exists') return name !== '';
      if (operator === 'DoesNotExist') return name === '';
      return operator === 'In' ? values.includes(name) : name !== '' && !values.includes(name);
    }
  }
}

export function addUsage(into: Usage, more: Usage): void {
  for (const name in more) into[name] = addQuantity(into[name] ?? '0', more[name]);
}
