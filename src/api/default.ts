import { defaultStatefulSet } from './apps-v1/stateful-sets.ts';
import { defaultDaemonSet, defaultDeployment, defaultReplicaSet } from './apps-v1/workloads.ts';
import { defaultAutoscaler } from './autoscaling-v2/autoscaler.ts';
import { defaultCronJob } from './batch-v1/cron-jobs.ts';
import { defaultJob } from './batch-v1/jobs.ts';
import { defaultNamespace, defaultNode } from './core-v1/cluster.ts';
import { defaultSecret } from './core-v1/config.ts';
import { defaultEndpoints } from './core-v1/endpoints.ts';
import { defaultEvent } from './core-v1/event.ts';
import { defaultPod } from './core-v1/pod-defaults.ts';
import { defaultReplicationController } from './core-v1/replication-controller.ts';
import { defaultLimitRange, defaultQuota } from './core-v1/quota.ts';
import { defaultService } from './core-v1/service.ts';
import { defaultLease, defaultPodTemplate, defaultPriorityClass } from './core-v1/small-kinds.ts';
import { defaultEndpointSlice } from './discovery-v1/endpoint-slice.ts';
import { defaultIngress, defaultNetworkPolicy } from './networking-v1/networking.ts';
import { defaultDisruptionBudget } from './policy-v1/disruption-budget.ts';
import type { ApiObject, ResourceInfo, ResourceName, ResourceTypes } from './resources.ts';
import { defaultClaim, defaultStorageClass, defaultVolumeObject } from './storage-v1/storage.ts';

const defaults: { [R in ResourceName]?: (object: ResourceTypes[R]) => void } = {
  pods: defaultPod,
  services: defaultService,
  endpoints: defaultEndpoints,
  secrets: defaultSecret,
  namespaces: defaultNamespace,
  nodes: defaultNode,
  events: defaultEvent,
  limitranges: defaultLimitRange,
  resourcequotas: defaultQuota,
  persistentvolumes: defaultVolumeObject,
  persistentvolumeclaims: defaultClaim,
  podtemplates: defaultPodTemplate,
  replicationcontrollers: defaultReplicationController,
  'deployments.apps': defaultDeployment,
  'replicasets.apps': defaultReplicaSet,
  'statefulsets.apps': defaultStatefulSet,
  'daemonsets.apps': defaultDaemonSet,
  'jobs.batch': defaultJob,
  'cronjobs.batch': defaultCronJob,
  'endpointslices.discovery.k8s.io': defaultEndpointSlice,
  'leases.coordination.k8s.io': defaultLease,
  'priorityclasses.scheduling.k8s.io': defaultPriorityClass,
  'poddisruptionbudgets.policy': defaultDisruptionBudget,
  'horizontalpodautoscalers.autoscaling': defaultAutoscaler,
  'storageclasses.storage.k8s.io': defaultStorageClass,
  'ingresses.networking.k8s.io': defaultIngress,
  'networkpolicies.networking.k8s.io': defaultNetworkPolicy,
};

/** Fills in what the server fills in, in place: give it a copy. Upstream: pkg/apis/.../v1/defaults.go. */
export function applyDefaults(info: ResourceInfo, object: ApiObject): void {
  (object as { metadata?: unknown }).metadata ??= {};
  (defaults[info.resource] as ((object: ApiObject) => void) | undefined)?.(object);
}
