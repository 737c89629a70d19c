import type { NewObject, ResourceInfo } from '../../api/resources.ts';

export interface Unsimulated {
  path: string;
  message: string;
}

/** Fields that are accepted, stored and shown, and that nothing here acts on. '*' stands for each element of a list. */
const podFields: readonly [path: string, why: string][] = [
  ['runtimeClassName', 'all containers run under the same runtime'],
  ['hostPID', 'processes of other containers are not seen'],
  ['hostIPC', 'there is no shared memory'],
  ['hostUsers', 'user namespaces are not simulated'],
  ['securityContext.sysctls', 'kernel parameters do nothing'],
  ['securityContext.seLinuxOptions', 'there is no SELinux'],
  ['securityContext.seccompProfile', 'no system call is filtered'],
  ['securityContext.appArmorProfile', 'there is no AppArmor'],
  ['resourceClaims', 'devices are not simulated'],
  ['containers.*.securityContext.capabilities', 'capabilities do nothing'],
  ['containers.*.securityContext.seccompProfile', 'no system call is filtered'],
  ['containers.*.securityContext.privileged', 'privileges do nothing'],
  ['containers.*.volumeDevices', 'block devices are not simulated'],
  ['containers.*.resources.claims', 'devices are not simulated'],
];

/** What of this object is not simulated, said at the field. */
export function notSimulated(info: ResourceInfo, object: NewObject): Unsimulated[] {
  const root = podSpecPath(info);
  if (root === undefined) return simulatedKinds.has(info.kind) ? [] : [{ path: 'kind', message: `${info.kind} is accepted and stored; no controller acts on it here` }];
  const spec = root.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], object);
  const found = podFields.flatMap(([path, why]) => places(spec, path.split('.'), root).map((place) => ({ path: place, message: `accepted, not simulated: ${why}` })));
  return actedOn.has(info.kind) ? found : [{ path: 'kind', message: `${info.kind} is accepted and stored; no controller acts on it here` }, ...found];
}

const actedOn = new Set(['Pod', 'ReplicaSet', 'Deployment', 'Job', 'CronJob', 'DaemonSet', 'StatefulSet']);
const simulatedKinds = new Set([
  'Namespace', 'Node', 'Service', 'Endpoints', 'EndpointSlice', 'ConfigMap', 'Secret', 'ServiceAccount', 'Event', 'Lease', 'PriorityClass', 'PodDisruptionBudget',
  'PersistentVolume', 'PersistentVolumeClaim', 'StorageClass', 'ResourceQuota', 'LimitRange',
]);

function podSpecPath(info: ResourceInfo): string | undefined {
  if (info.kind === 'Pod') return 'spec';
  if (info.kind === 'CronJob') return 'spec.jobTemplate.spec.template.spec';
  return ['ReplicaSet', 'Deployment', 'StatefulSet', 'DaemonSet', 'Job', 'ReplicationController'].includes(info.kind) ? 'spec.template.spec' : undefined;
}

function places(value: unknown, path: readonly string[], prefix: string): string[] {
  const [first, ...rest] = path;
  if (first === undefined) return value === undefined || value === null ? [] : [prefix];
  if (typeof value !== 'object' || value === null) return [];
  if (first === '*') return Array.isArray(value) ? value.flatMap((item, index) => places(item, rest, `${prefix}[${index}]`)) : [];
  return places((value as Record<string, unknown>)[first], rest, `${prefix}.${first}`);
}
