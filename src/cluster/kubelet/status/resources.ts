import { addQuantity } from '../../../api/quantity.ts';
import type { Container, PodStatus, ResourceRequirements } from '../../../api/schema/types.ts';
import { lastingContainers } from '../pod-spec.ts';
import { allocatedResources, reportedResources } from '../resize.ts';
import type { PodWorker } from '../state.ts';

/** Sums over the containers that last. Upstream: pkg/kubelet/kubelet_pods.go convertToAPIPodLevelResources. */
export function addPodResources(worker: PodWorker, status: PodStatus): void {
  const own = worker.pod.spec.resources;
  const limits = own?.limits ?? sum(worker, 'limits', reportedResources);
  const requests = own?.requests ?? sum(worker, 'requests', reportedResources);
  const allocated = own?.requests ?? sum(worker, 'requests', allocatedResources);
  if (allocated !== undefined) status.allocatedResources = allocated as Record<string, string>;
  const resources: ResourceRequirements = {};
  if (limits !== undefined) resources.limits = limits;
  if (requests !== undefined) resources.requests = requests;
  status.resources = resources;
}

type Reading = (worker: PodWorker, container: Container) => ResourceRequirements | undefined;

function sum(worker: PodWorker, field: 'limits' | 'requests', read: Reading): Record<string, string> | undefined {
  let total: Record<string, string> | undefined;
  for (const container of lastingContainers(worker.pod)) {
    for (const [name, quantity] of Object.entries(read(worker, container)?.[field] ?? {})) {
      total ??= {};
      const before = total[name];
      total[name] = before === undefined ? String(quantity) : addQuantity(before, String(quantity));
    }
  }
  return total;
}
