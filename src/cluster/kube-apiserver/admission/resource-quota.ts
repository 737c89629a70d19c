import { addUsage, countedNames, inScope, usageOf, type Usage } from '../../../api/core-v1/quota-usage.ts';
import { compareQuantity, quantitySign, subtractQuantity } from '../../../api/quantity.ts';
import { keyOf, resources, type ApiObject, type ResourceName } from '../../../api/resources.ts';
import type { Pod, ResourceQuota, Status } from '../../../api/schema/types.ts';
import { compareText } from '../../../sim/plain.ts';
import { forbid, type Attributes, type Plugin } from './plugin.ts';

/**
 * Upstream: apiserver pkg/admission/plugin/resourcequota (controller.go CheckRequest).
 * Simplified: what is used is counted from the store at this moment instead of read from the quota's status, so that it is never out of date.
 */
export const resourceQuota: Plugin = {
  name: 'ResourceQuota',
  validate: (attributes) => {
    const { call } = attributes;
    if (!call.info.namespaced || call.info.resource === 'resourcequotas' || call.info.resource === 'events') return undefined;
    const quotas = call.env.store.list('resourcequotas', call.namespace).filter((quota) => concerned(attributes, quota));
    if (quotas.length === 0) return undefined;
    return checkSpecified(attributes, quotas) ?? checkLimits(attributes, quotas);
  },
};

const hardOf = (quota: ResourceQuota): Readonly<Record<string, string>> => quota.spec?.hard ?? {};

function concerned({ call, object }: Attributes, quota: ResourceQuota): boolean {
  const { resource } = call.info;
  return countedNames(resource, hardOf(quota)).length > 0 && inScope(quota, resource, object);
}

/** Where cpu or memory is limited every container must say what it wants. */
function checkSpecified(attributes: Attributes, quotas: readonly ResourceQuota[]): Status | undefined {
  if (attributes.call.info.resource !== 'pods' || attributes.old !== undefined) return undefined;
  const pod = attributes.object as Pod;
  for (const quota of quotas) {
    const wanting = Object.keys(hardOf(quota)).sort(compareText).filter((name) => sides[name] !== undefined)
      .map((name) => ({ name, containers: [...(pod.spec.initContainers ?? []), ...pod.spec.containers].filter((container) => !names(container.resources, name)) }))
      .filter(({ containers }) => containers.length > 0);
    if (wanting.length === 0) continue;
    const text = wanting.map(({ name, containers }) => `${name} for: ${containers.map((container) => container.name).sort(compareText).join(',')}`).join('; ');
    return forbid(attributes, `failed quota: ${quota.metadata.name}: must specify ${text}`);
  }
  return undefined;
}

const sides: Readonly<Record<string, ['requests' | 'limits', string]>> = {
  cpu: ['requests', 'cpu'], memory: ['requests', 'memory'], 'requests.cpu': ['requests', 'cpu'], 'requests.memory': ['requests', 'memory'],
  'limits.cpu': ['limits', 'cpu'], 'limits.memory': ['limits', 'memory'],
};

function names(declared: { requests?: Record<string, string>; limits?: Record<string, string> } | undefined, name: string): boolean {
  const [side, resource] = sides[name] as ['requests' | 'limits', string];
  return declared?.[side]?.[resource] !== undefined;
}

function checkLimits(attributes: Attributes, quotas: readonly ResourceQuota[]): Status | undefined {
  const { call, object, old } = attributes;
  const { resource } = call.info;
  const delta = usageOf(resource, object);
  if (old !== undefined) for (const [name, amount] of Object.entries(usageOf(resource, old))) delta[name] = subtractQuantity(delta[name], amount);
  const accepted: { quota: ResourceQuota; used: Usage }[] = [];
  for (const quota of quotas) {
    const hard = hardOf(quota);
    const asked = countedNames(resource, hard).filter((name) => quantitySign(delta[name]) > 0).sort(compareText);
    if (asked.length === 0) continue;
    const used = usedBy(attributes, quota);
    const after = { ...used };
    addUsage(after, delta);
    const exceeded = asked.filter((name) => compareQuantity(after[name], hard[name]) > 0);
    if (exceeded.length > 0) {
      const list = (amounts: Readonly<Record<string, string>>) => exceeded.map((name) => `${name}=${amounts[name] ?? '0'}`).join(',');
      return forbid(attributes, `exceeded quota: ${quota.metadata.name}, requested: ${list(delta)}, used: ${list(used)}, limited: ${list(hard)}`);
    }
    accepted.push({ quota, used: Object.fromEntries(Object.keys(hard).sort(compareText).map((name) => [name, after[name] ?? '0'])) });
  }
  if (!call.dryRun) for (const { quota, used } of accepted) writeUsage(attributes, quota, used);
  return undefined;
}

/** All that the objects in the name space use of what the quota counts. */
function usedBy({ call }: Attributes, quota: ResourceQuota): Usage {
  const hard = hardOf(quota);
  const used: Usage = {};
  for (const info of resources) {
    if (!info.namespaced || countedNames(info.resource, hard).length === 0) continue;
    for (const object of call.env.store.list(info.resource, call.namespace) as ApiObject[]) {
      if (inScope(quota, info.resource as ResourceName, object)) addUsage(used, usageOf(info.resource, object));
    }
  }
  return used;
}

function writeUsage({ call }: Attributes, quota: ResourceQuota, used: Usage): void {
  const { env, caller } = call;
  const current = env.store.get(keyOf('resourcequotas', quota.metadata.namespace, quota.metadata.name)) as ResourceQuota | undefined;
  if (current === undefined) return;
  const next = { ...current, status: { hard: hardOf(current), used } } as ApiObject;
  env.changed(env.store.put('resourcequotas', next, { at: env.now, cause: env.cause, actor: caller.actor }));
}
