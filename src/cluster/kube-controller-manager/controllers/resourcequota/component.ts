import { podRequests } from '../../../../api/core-v1/pod-resources.ts';
import { addUsage, countedNames, inScope, usageOf, type Usage } from '../../../../api/core-v1/quota-usage.ts';
import { resources, type ApiObject, type ResourceName } from '../../../../api/resources.ts';
import type { Pod, ResourceQuota } from '../../../../api/schema/types.ts';
import { compareText, samePlain } from '../../../../sim/plain.ts';
import type { Component, Context, View, WatchChange } from '../../../component.ts';
import { controller, createControllerState, enqueue, type ControllerState, type Step } from '../../controller.ts';
import { batchWaitMs, queueKey, splitQueueKey } from '../../workqueue.ts';
import { isTerminal } from '../replicaset/tally.ts';

const counted: readonly ResourceName[] = ['pods', 'services', 'persistentvolumeclaims', 'configmaps', 'secrets', 'replicationcontrollers', 'deployments.apps', 'replicasets.apps',
  'statefulsets.apps', 'jobs.batch', 'cronjobs.batch'];

/**
 * Counts what a new quota covers, and gives back what deleted or ended objects used; what is created the API server counts itself.
 * Upstream: pkg/controller/resourcequota. Simplified: without the full look every five minutes, which would find nothing.
 */
export const resourceQuota: Component<ControllerState> = controller<ControllerState>({
  reportsAs: 'resourcequota-controller',
  watches: [{ resource: 'resourcequotas' }, ...counted.map((resource) => ({ resource }))],
  start: createControllerState,
  observe,
  sync,
});

function observe({ queue }: ControllerState, change: WatchChange, context: Context): void {
  if (change.resource === 'resourcequotas') {
    const { type, object, previous } = change as WatchChange<'resourcequotas'>;
    if (type !== 'DELETED' && !samePlain(previous?.spec, object.spec)) enqueue(queue, queueKey(object), context, batchWaitMs);
    return;
  }
  if (!givesBack(change)) return;
  const { namespace } = change.object.metadata;
  if (context.view.count('resourcequotas', namespace) === 0) return;
  for (const quota of context.view.list('resourcequotas', namespace)) enqueue(queue, queueKey(quota), context, batchWaitMs);
}

function givesBack({ type, resource, object, previous }: WatchChange): boolean {
  if (type === 'DELETED') return true;
  if (resource !== 'pods' || previous === undefined) return false;
  const [before, after] = [previous as Pod, object as Pod];
  return isTerminal(before) !== isTerminal(after) || (before.spec !== after.spec && !samePlain(podRequests(before), podRequests(after)));
}

function sync(_state: ControllerState, key: string, { view }: Context): Step[] {
  const { namespace, name } = splitQueueKey(key);
  const quota = view.get('resourcequotas', namespace, name);
  if (quota === undefined) return [];
  const hard = quota.spec?.hard ?? {};
  const all = usedBy(quota, view);
  const used = Object.fromEntries(Object.keys(hard).sort(compareText).map((each) => [each, all[each] ?? '0']));
  const status = { hard, used };
  if (samePlain(status, quota.status)) return [];
  return [{ kind: 'status', requests: [{ verb: 'update', resource: 'resourcequotas', namespace, name, subresource: 'status', object: { ...quota, status } }] }];
}

function usedBy(quota: ResourceQuota, view: View): Usage {
  const used: Usage = {};
  for (const { resource, namespaced } of resources) {
    if (!namespaced || countedNames(resource, quota.spec?.hard ?? {}).length === 0) continue;
    for (const object of view.list(resource, quota.metadata.namespace) as ApiObject[]) if (inScope(quota, resource, object)) addUsage(used, usageOf(resource, object));
  }
  return used;
}
