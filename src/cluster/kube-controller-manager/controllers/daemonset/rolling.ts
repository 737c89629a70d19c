import type { DaemonSet, IntOrString, Pod } from '../../../../api/schema/types.ts';
import type { ApiRequest, Context } from '../../../component.ts';
import type { Step } from '../../controller.ts';
import { isAvailable, isGoing, isNew, podRequest, type Picture } from './picture.ts';

export const deleteStep = (pods: readonly Pod[]): Step => ({
  kind: 'delete', requests: pods.map(({ metadata }): ApiRequest => ({ verb: 'delete', resource: 'pods', namespace: metadata.namespace as string, name: metadata.name })),
});

function scaled(value: IntOrString | undefined, total: number): number {
  if (value === undefined) return 0;
  return typeof value === 'number' ? value : Math.ceil((Number(value.slice(0, -1)) * total) / 100);
}

export const surges = ({ spec }: DaemonSet): boolean => scaled(spec.updateStrategy?.rollingUpdate?.maxSurge, 100) > 0;

/** Upstream: pkg/controller/daemon/update.go rollingUpdate. */
export function roll({ set, hash, nodes }: Picture, context: Context): Step[] {
  const wanted = nodes.filter(({ place }) => place.should).length;
  const surge = scaled(set.spec.updateStrategy?.rollingUpdate?.maxSurge, wanted);
  const most = scaled(set.spec.updateStrategy?.rollingUpdate?.maxUnavailable ?? 1, wanted);
  const { epochMs } = context;
  const old: { pod: Pod; available: boolean }[] = [];
  const create: ApiRequest[] = [];
  const replaced: Pod[] = [];
  let unavailable = 0;
  for (const { node, place, pods } of nodes) {
    if (!place.should && pods.length === 0) continue;
    const fresh = pods.find((pod) => isNew(pod, hash) && !isGoing(pod));
    const before = pods.find((pod) => !isNew(pod, hash) && !isGoing(pod));
    const freshReady = fresh !== undefined && isAvailable(fresh, set, epochMs);
    if (before === undefined) {
      if (place.should && !freshReady) unavailable++;
      continue;
    }
    const available = isAvailable(before, set, epochMs);
    if (surge > 0) {
      if (freshReady) replaced.push(before);
      else if (fresh === undefined && pods.every((pod) => !isGoing(pod)) && create.length < surge) create.push(podRequest({ set, hash, nodes }, node.metadata.name));
      continue;
    }
    if (!available) unavailable++;
    old.push({ pod: before, available });
  }
  if (surge > 0) {
    const running = nodes.filter(({ pods }) => pods.some((pod) => isNew(pod, hash) && !isGoing(pod)) && pods.some((pod) => !isNew(pod, hash))).length;
    const allowed = create.slice(0, Math.max(0, surge - running + replaced.length));
    return [...(replaced.length === 0 ? [] : [deleteStep(replaced)]), ...(allowed.length === 0 ? [] : [{ kind: 'create', requests: allowed }])];
  }
  // Those that do not serve anyway go first and cost nothing.
  const victims = old.filter(({ available }) => !available).map(({ pod }) => pod);
  const budget = Math.max(0, most - unavailable);
  victims.push(...old.filter(({ available }) => available).slice(0, budget).map(({ pod }) => pod));
  return victims.length === 0 ? [] : [deleteStep(victims)];
}
