import type { ResourceName } from '../resources.ts';

export interface ColumnDefinition {
  name: string;
  /** 0: always shown; 1: only with -o wide. */
  priority: 0 | 1;
}

/** 'Name|Ready|+IP': a plus marks a column that only wide output shows. */
const rows: Readonly<Record<ResourceName | 'default', string>> = {
  default: 'Name|Age',
  namespaces: 'Name|Status|Age',
  nodes: 'Name|Status|Roles|Age|Version|+Internal-IP|+External-IP|+OS-Image|+Kernel-Version|+Container-Runtime',
  pods: 'Name|Ready|Status|Restarts|Age|+IP|+Node|+Nominated Node|+Readiness Gates',
  services: 'Name|Type|Cluster-IP|External-IP|Port(s)|Age|+Selector',
  endpoints: 'Name|Endpoints|Age',
  configmaps: 'Name|Data|Age',
  secrets: 'Name|Type|Data|Age',
  serviceaccounts: 'Name|Age',
  events: 'Last Seen|Type|Reason|Object|+Subobject|+Source|Message|+First Seen|+Count|+Name',
  limitranges: 'Name|Created At',
  resourcequotas: 'Name|Request|Limit|Age',
  persistentvolumes: 'Name|Capacity|Access Modes|Reclaim Policy|Status|Claim|StorageClass|VolumeAttributesClass|Reason|Age|+VolumeMode',
  persistentvolumeclaims: 'Name|Status|Volume|Capacity|Access Modes|StorageClass|VolumeAttributesClass|Age|+VolumeMode',
  podtemplates: 'Name|Containers|Images|Pod Labels',
  replicationcontrollers: 'Name|Desired|Current|Ready|Age|+Containers|+Images|+Selector',
  'replicasets.apps': 'Name|Desired|Current|Ready|Age|+Containers|+Images|+Selector',
  'deployments.apps': 'Name|Ready|Up-to-date|Available|Age|+Containers|+Images|+Selector',
  'statefulsets.apps': 'Name|Ready|Age|+Containers|+Images',
  'daemonsets.apps': 'Name|Desired|Current|Ready|Up-to-date|Available|Node Selector|Age|+Containers|+Images|+Selector',
  'controllerrevisions.apps': 'Name|Controller|Revision|Age',
  'jobs.batch': 'Name|Status|Completions|Duration|Age|+Containers|+Images|+Selector',
  'cronjobs.batch': 'Name|Schedule|Timezone|Suspend|Active|Last Schedule|Age|+Containers|+Images|+Selector',
  'endpointslices.discovery.k8s.io': 'Name|AddressType|Ports|Endpoints|Age',
  'leases.coordination.k8s.io': 'Name|Holder|Age',
  'priorityclasses.scheduling.k8s.io': 'Name|Value|Global-Default|Age|PreemptionPolicy',
  'poddisruptionbudgets.policy': 'Name|Min Available|Max Unavailable|Allowed Disruptions|Age',
  'horizontalpodautoscalers.autoscaling': 'Name|Reference|Targets|MinPods|MaxPods|Replicas|Age',
  'storageclasses.storage.k8s.io': 'Name|Provisioner|ReclaimPolicy|VolumeBindingMode|AllowVolumeExpansion|Age',
  'ingresses.networking.k8s.io': 'Name|Class|Hosts|Address|Ports|Age',
  'ingressclasses.networking.k8s.io': 'Name|Controller|Parameters|Age',
  'networkpolicies.networking.k8s.io': 'Name|Pod-Selector|Age',
};

/** The columns of the server-side Table of a resource. */
export function columnsOf(resource: ResourceName): readonly ColumnDefinition[] {
  return (rows[resource] ?? rows.default)
    .split('|')
    .map((text) => (text.startsWith('+') ? { name: text.slice(1), priority: 1 } : { name: text, priority: 0 }));
}
