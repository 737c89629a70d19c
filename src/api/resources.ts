import type * as T from './schema/types.ts';

/** The TypeScript type of each resource, by its name as API errors print it ('deployments.apps'). */
export interface ResourceTypes {
  namespaces: T.Namespace;
  nodes: T.Node;
  pods: T.Pod;
  services: T.Service;
  endpoints: T.Endpoints;
  configmaps: T.ConfigMap;
  secrets: T.Secret;
  serviceaccounts: T.ServiceAccount;
  events: T.Event;
  limitranges: T.LimitRange;
  resourcequotas: T.ResourceQuota;
  persistentvolumes: T.PersistentVolume;
  persistentvolumeclaims: T.PersistentVolumeClaim;
  podtemplates: T.PodTemplate;
  replicationcontrollers: T.ReplicationController;
  'replicasets.apps': T.ReplicaSet;
  'deployments.apps': T.Deployment;
  'statefulsets.apps': T.StatefulSet;
  'daemonsets.apps': T.DaemonSet;
  'controllerrevisions.apps': T.ControllerRevision;
  'jobs.batch': T.Job;
  'cronjobs.batch': T.CronJob;
  'endpointslices.discovery.k8s.io': T.EndpointSlice;
  'leases.coordination.k8s.io': T.Lease;
  'priorityclasses.scheduling.k8s.io': T.PriorityClass;
  'poddisruptionbudgets.policy': T.PodDisruptionBudget;
  'horizontalpodautoscalers.autoscaling': T.HorizontalPodAutoscaler;
  'storageclasses.storage.k8s.io': T.StorageClass;
  'ingresses.networking.k8s.io': T.Ingress;
  'ingressclasses.networking.k8s.io': T.IngressClass;
  'networkpolicies.networking.k8s.io': T.NetworkPolicy;
}

export type ResourceName = keyof ResourceTypes;
export type ObjectOf<R extends ResourceName> = ResourceTypes[R];

/** What every stored object has. */
export interface ApiObject {
  apiVersion: string;
  kind: string;
  metadata: T.ObjectMeta;
}

/** An object as a client sends it: the server fills in the rest. */
export interface NewObject {
  apiVersion: string;
  kind: string;
  metadata?: Partial<T.ObjectMeta>;
  [field: string]: unknown;
}

export interface ResourceInfo {
  resource: ResourceName;
  group: string;
  version: string;
  /** Plural, as in the path: 'deployments'. */
  plural: string;
  singular: string;
  kind: string;
  shortNames: readonly string[];
  namespaced: boolean;
  /** Struct in the generated field table when it differs from the kind. */
  struct?: string;
  subresources: readonly string[];
  /** Appears in 'kubectl get all'. */
  inAll: boolean;
}

type Row = [plural: string, singular: string, kind: string, groupVersion: string, scope: 'ns' | 'cluster', shortNames: string, subresources: string, inAll?: 'all'];

const rows: readonly Row[] = [
  ['namespaces', 'namespace', 'Namespace', 'v1', 'cluster', 'ns', 'status finalize'],
  ['nodes', 'node', 'Node', 'v1', 'cluster', 'no', 'status proxy'],
  ['pods', 'pod', 'Pod', 'v1', 'ns', 'po', 'status binding eviction log exec attach portforward proxy resize ephemeralcontainers', 'all'],
  ['services', 'service', 'Service', 'v1', 'ns', 'svc', 'status proxy', 'all'],
  ['endpoints', 'endpoints', 'Endpoints', 'v1', 'ns', 'ep', ''],
  ['configmaps', 'configmap', 'ConfigMap', 'v1', 'ns', 'cm', ''],
  ['secrets', 'secret', 'Secret', 'v1', 'ns', '', ''],
  ['serviceaccounts', 'serviceaccount', 'ServiceAccount', 'v1', 'ns', 'sa', 'token'],
  ['events', 'event', 'Event', 'v1', 'ns', 'ev', ''],
  ['limitranges', 'limitrange', 'LimitRange', 'v1', 'ns', 'limits', ''],
  ['resourcequotas', 'resourcequota', 'ResourceQuota', 'v1', 'ns', 'quota', 'status'],
  ['persistentvolumes', 'persistentvolume', 'PersistentVolume', 'v1', 'cluster', 'pv', 'status'],
  ['persistentvolumeclaims', 'persistentvolumeclaim', 'PersistentVolumeClaim', 'v1', 'ns', 'pvc', 'status'],
  ['podtemplates', 'podtemplate', 'PodTemplate', 'v1', 'ns', '', ''],
  ['replicationcontrollers', 'replicationcontroller', 'ReplicationController', 'v1', 'ns', 'rc', 'status scale', 'all'],
  ['replicasets', 'replicaset', 'ReplicaSet', 'apps/v1', 'ns', 'rs', 'status scale', 'all'],
  ['deployments', 'deployment', 'Deployment', 'apps/v1', 'ns', 'deploy', 'status scale', 'all'],
  ['statefulsets', 'statefulset', 'StatefulSet', 'apps/v1', 'ns', 'sts', 'status scale', 'all'],
  ['daemonsets', 'daemonset', 'DaemonSet', 'apps/v1', 'ns', 'ds', 'status', 'all'],
  ['controllerrevisions', 'controllerrevision', 'ControllerRevision', 'apps/v1', 'ns', '', ''],
  ['jobs', 'job', 'Job', 'batch/v1', 'ns', '', 'status', 'all'],
  ['cronjobs', 'cronjob', 'CronJob', 'batch/v1', 'ns', 'cj', 'status', 'all'],
  ['endpointslices', 'endpointslice', 'EndpointSlice', 'discovery.k8s.io/v1', 'ns', '', ''],
  ['leases', 'lease', 'Lease', 'coordination.k8s.io/v1', 'ns', '', ''],
  ['priorityclasses', 'priorityclass', 'PriorityClass', 'scheduling.k8s.io/v1', 'cluster', 'pc', ''],
  ['poddisruptionbudgets', 'poddisruptionbudget', 'PodDisruptionBudget', 'policy/v1', 'ns', 'pdb', 'status'],
  ['horizontalpodautoscalers', 'horizontalpodautoscaler', 'HorizontalPodAutoscaler', 'autoscaling/v2', 'ns', 'hpa', 'status', 'all'],
  ['storageclasses', 'storageclass', 'StorageClass', 'storage.k8s.io/v1', 'cluster', 'sc', ''],
  ['ingresses', 'ingress', 'Ingress', 'networking.k8s.io/v1', 'ns', 'ing', 'status'],
  ['ingressclasses', 'ingressclass', 'IngressClass', 'networking.k8s.io/v1', 'cluster', '', ''],
  ['networkpolicies', 'networkpolicy', 'NetworkPolicy', 'networking.k8s.io/v1', 'ns', 'netpol', ''],
];

const words = (text: string): string[] => (text === '' ? [] : text.split(' '));

/** One row a resource: what the paths, discovery, kubectl and the registry know of it. */
export const resources: readonly ResourceInfo[] = rows.map(([plural, singular, kind, groupVersion, scope, shortNames, subresources, inAll]) => {
  const slash = groupVersion.indexOf('/');
  const group = slash < 0 ? '' : groupVersion.slice(0, slash);
  return {
    resource: (group === '' ? plural : `${plural}.${group}`) as ResourceName,
    group,
    version: groupVersion.slice(slash + 1),
    plural,
    singular,
    kind,
    shortNames: words(shortNames),
    namespaced: scope === 'ns',
    subresources: words(subresources),
    inAll: inAll === 'all',
  };
});

const byResource = new Map(resources.map((info) => [info.resource, info]));
const byKind = new Map(resources.map((info) => [`${apiVersionOf(info)} ${info.kind}`, info]));

export function apiVersionOf(info: ResourceInfo): string {
  return info.group === '' ? info.version : `${info.group}/${info.version}`;
}

export function resourceInfo(resource: ResourceName): ResourceInfo {
  return byResource.get(resource) as ResourceInfo;
}

/** The resource that an apiVersion and a kind name, if the server has it. */
export function resourceOfKind(apiVersion: string, kind: string): ResourceInfo | undefined {
  return byKind.get(`${apiVersion} ${kind}`);
}

/** A store key: 'pods/default/web', 'nodes//node-a'. */
export type ObjectKey = `${string}/${string}/${string}`;

export function keyOf(resource: ResourceName, namespace: string | undefined, name: string): ObjectKey {
  return `${resource}/${namespace ?? ''}/${name}`;
}

export function splitKey(key: string): { resource: ResourceName; namespace: string; name: string } {
  const [resource, namespace, ...rest] = key.split('/');
  return { resource: resource as ResourceName, namespace: namespace ?? '', name: rest.join('/') };
}
