import * as sets from './apps-v1/stateful-sets.ts';
import * as apps from './apps-v1/workloads.ts';
import * as autoscaling from './autoscaling-v2/autoscaler.ts';
import * as cron from './batch-v1/cron-jobs.ts';
import * as batch from './batch-v1/jobs.ts';
import * as cluster from './core-v1/cluster.ts';
import * as config from './core-v1/config.ts';
import * as endpoints from './core-v1/endpoints.ts';
import { validateEvent } from './core-v1/event.ts';
import { validatePodCreate } from './core-v1/pod-validation.ts';
import * as replication from './core-v1/replication-controller.ts';
import { validatePodStatusUpdate, validatePodUpdate } from './core-v1/pod-update.ts';
import { claimSpecWarnings, nameWarning, podSpecWarnings } from './core-v1/pod-warnings.ts';
import * as quota from './core-v1/quota.ts';
import * as service from './core-v1/service.ts';
import * as small from './core-v1/small-kinds.ts';
import * as slices from './discovery-v1/endpoint-slice.ts';
import type { FieldError } from './meta/field-error.ts';
import { dns1123SubdomainProblems } from './meta/names.ts';
import { validateObjectMeta, validateObjectMetaUpdate } from './meta/object-meta.ts';
import * as networking from './networking-v1/networking.ts';
import * as policy from './policy-v1/disruption-budget.ts';
import type { ApiObject, ResourceInfo, ResourceName, ResourceTypes } from './resources.ts';
import * as storage from './storage-v1/storage.ts';

/** The checks of a kind. Without an own `update` a change must pass those of a new object as well. */
interface Rules<T> {
  create?: (errors: FieldError[], object: T) => void;
  update?: (errors: FieldError[], object: T, old: T) => void;
  status?: (errors: FieldError[], object: T, old: T) => void;
  warnings?: (object: T, old?: T) => string[];
}

const templateWarnings = (object: { metadata: { name?: string }; spec: { template?: { spec?: unknown; metadata?: unknown } } }): string[] =>
  podSpecWarnings(object.spec.template?.spec as never, object.spec.template?.metadata as never, 'spec.template.');

const rules: { [R in ResourceName]?: Rules<ResourceTypes[R]> } = {
  pods: { create: validatePodCreate, update: validatePodUpdate, status: validatePodStatusUpdate, warnings: (pod) => [...nameWarning(pod.metadata.name, "the Pod's hostname"), ...podSpecWarnings(pod.spec, pod.metadata)] },
  services: { create: service.validateService, update: service.validateServiceUpdate, warnings: service.serviceWarnings },
  endpoints: {
    create: endpoints.validateEndpoints, update: endpoints.validateEndpointsUpdate,
    warnings: () => ['v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice'],
  },
  configmaps: { create: config.validateConfigMap, update: config.validateConfigMapUpdate },
  secrets: { create: config.validateSecret, update: config.validateSecretUpdate, warnings: config.secretWarnings },
  namespaces: { create: cluster.validateNamespace },
  nodes: { create: cluster.validateNode, update: cluster.validateNodeUpdate, warnings: cluster.nodeWarnings },
  serviceaccounts: { create: cluster.validateServiceAccount },
  'deployments.apps': { create: apps.validateDeployment, update: apps.validateDeploymentUpdate, warnings: (object) => [...nameWarning(object.metadata.name, 'Pod names and hostnames'), ...templateWarnings(object)] },
  'replicasets.apps': { create: apps.validateReplicaSet, update: apps.validateReplicaSetUpdate, warnings: (object) => [...nameWarning(object.metadata.name, 'Pod names and hostnames'), ...templateWarnings(object)] },
  'statefulsets.apps': {
    create: sets.validateStatefulSet, update: sets.validateStatefulSetUpdate,
    warnings: (set) => [
      ...templateWarnings(set),
      ...(set.spec.volumeClaimTemplates ?? []).flatMap((claim, index) => claimSpecWarnings(claim.spec, `spec.volumeClaimTemplates[${index}]`)),
      ...((set.spec.revisionHistoryLimit ?? 0) < 0 ? ['spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended'] : []),
    ],
  },
  'daemonsets.apps': { create: apps.validateDaemonSet, update: apps.validateDaemonSetUpdate, warnings: templateWarnings },
  events: { create: validateEvent, update: validateEvent },
  limitranges: { create: quota.validateLimitRange, update: quota.validateLimitRangeUpdate },
  resourcequotas: { create: quota.validateQuota, update: quota.validateQuotaUpdate },
  persistentvolumes: { create: storage.validateVolumeObject, update: storage.validateVolumeObjectUpdate },
  persistentvolumeclaims: { create: storage.validateClaim, update: storage.validateClaimUpdate, warnings: (claim) => claimSpecWarnings(claim.spec, 'spec') },
  podtemplates: { create: small.validatePodTemplate },
  replicationcontrollers: { create: replication.validateReplicationController, update: replication.validateReplicationControllerUpdate },
  'controllerrevisions.apps': { create: small.validateRevision, update: small.validateRevisionUpdate },
  'jobs.batch': { create: batch.validateJob, update: batch.validateJobUpdate, warnings: templateWarnings },
  'cronjobs.batch': { create: cron.validateCronJob, update: cron.validateCronJobUpdate },
  'endpointslices.discovery.k8s.io': { create: slices.validateEndpointSlice, update: slices.validateEndpointSliceUpdate },
  'leases.coordination.k8s.io': { create: small.validateLease, update: small.validateLeaseUpdate },
  'priorityclasses.scheduling.k8s.io': { create: small.validatePriorityClass, update: small.validatePriorityClassUpdate },
  'poddisruptionbudgets.policy': { create: policy.validateDisruptionBudget, update: policy.validateDisruptionBudgetUpdate },
  'horizontalpodautoscalers.autoscaling': { create: autoscaling.validateAutoscaler, update: autoscaling.validateAutoscalerUpdate },
  'storageclasses.storage.k8s.io': { create: storage.validateStorageClass, update: storage.validateStorageClassUpdate },
  'ingresses.networking.k8s.io': { create: networking.validateIngress, update: networking.validateIngressUpdate },
  'ingressclasses.networking.k8s.io': { create: networking.validateIngressClass, update: networking.validateIngressClassUpdate },
  'networkpolicies.networking.k8s.io': { create: networking.validateNetworkPolicy, update: networking.validateNetworkPolicyUpdate },
};

const rulesOf = (info: ResourceInfo) => rules[info.resource] as Rules<ApiObject> | undefined;

/** What a new object breaks, in the order of the real checks. The object is decoded, defaulted and admitted. */
export function validateCreate(info: ResourceInfo, object: ApiObject): FieldError[] {
  const errors: FieldError[] = [];
  const create = rulesOf(info)?.create;
  if (create === undefined) validateObjectMeta(errors, object.metadata, info.namespaced, dns1123SubdomainProblems);
  else create(errors, object);
  return errors;
}

export function validateUpdate(info: ResourceInfo, object: ApiObject, old: ApiObject): FieldError[] {
  const errors: FieldError[] = [];
  const update = rulesOf(info)?.update;
  if (update === undefined) validateObjectMetaUpdate(errors, object.metadata, old.metadata);
  else update(errors, object, old);
  return errors;
}

export function validateStatusUpdate(info: ResourceInfo, object: ApiObject, old: ApiObject): FieldError[] {
  const errors: FieldError[] = [];
  validateObjectMetaUpdate(errors, object.metadata, old.metadata);
  rulesOf(info)?.status?.(errors, object, old);
  return errors;
}

/** Texts of the Warning headers for an accepted object. */
export function warningsFor(info: ResourceInfo, object: ApiObject, old?: ApiObject): string[] {
  return rulesOf(info)?.warnings?.(object, old) ?? [];
}
