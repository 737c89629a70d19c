import { defaultDaemonSet, defaultDeployment, defaultReplicaSet, defaultStatefulSet } from './apps-v1/workloads.ts';
import { defaultNamespace, defaultNode } from './core-v1/cluster.ts';
import { defaultSecret } from './core-v1/config.ts';
import { defaultEndpoints } from './core-v1/endpoints.ts';
import { defaultPod } from './core-v1/pod-defaults.ts';
import { defaultService } from './core-v1/service.ts';
import type { ApiObject, ResourceInfo, ResourceName, ResourceTypes } from './resources.ts';

const defaults: { [R in ResourceName]?: (object: ResourceTypes[R]) => void } = {
  pods: defaultPod,
  services: defaultService,
  endpoints: defaultEndpoints,
  secrets: defaultSecret,
  namespaces: defaultNamespace,
  nodes: defaultNode,
  'deployments.apps': defaultDeployment,
  'replicasets.apps': defaultReplicaSet,
  'statefulsets.apps': defaultStatefulSet,
  'daemonsets.apps': defaultDaemonSet,
};

/** Fills in what the server fills in, in place: give it a copy. Upstream: pkg/apis/.../v1/defaults.go. */
export function applyDefaults(info: ResourceInfo, object: ApiObject): void {
  (object as { metadata?: unknown }).metadata ??= {};
  (defaults[info.resource] as ((object: ApiObject) => void) | undefined)?.(object);
}
