import { addQuantity } from '../../../api/quantity.ts';
import type { Pod, PodStatus, ResourceRequirements } from '../../../api/schema/types.ts';
import { lastingContainers } from '../pod-spec.ts';

/** Sums over the containers that last. Upstream: pkg/kubelet/kubelet_pods.go convertToAPIPodLevelResources. */
export function podResources(pod: Pod): Pick<PodStatus, 'allocatedResources' | 'resources'> {
  const limits = sum(pod, 'limits');
  const requests = sum(pod, 'requests');
  const resources: ResourceRequirements = { ...(limits === undefined ? {} : { limits }), ...(requests === undefined ? {} : { requests }) };
  return { ...(requests === undefined ? {} : { allocatedResources: requests }), resources };
}

function sum(pod: Pod, field: 'limits' | 'requests'): Record<string, string> | undefined {
  let total: Record<string, string> | undefined = pod.spec.resources?.[field] as Record<string, string> | undefined;
  if (total !== undefined) return total;
  for (const container of lastingContainers(pod)) {
    for (const [name, quantity] of Object.entries(container.resources?.[field] ?? {})) {
      total ??= {};
      const before = total[name];
      total[name] = before === undefined ? String(quantity) : addQuantity(before, String(quantity));
    }
  }
  return total;
}
