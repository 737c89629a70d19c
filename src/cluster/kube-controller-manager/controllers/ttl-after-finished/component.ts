import { findCondition } from '../../../../api/meta/conditions.ts';
import type { Job } from '../../../../api/schema/types.ts';
import { parseRfc3339 } from '../../../../sim/time.ts';
import type { Component, Context, WatchChange } from '../../../component.ts';
import { controller, createControllerState, enqueueAfter, type ControllerState, type Step } from '../../controller.ts';
import { queueKey, splitQueueKey } from '../../workqueue.ts';

/** Deletes finished Jobs when their time is up. Upstream: pkg/controller/ttlafterfinished. */
export const ttlAfterFinished: Component<ControllerState> = controller<ControllerState>({
  reportsAs: 'ttl-after-finished-controller',
  watches: [{ resource: 'jobs.batch' }],
  start: createControllerState,
  observe: (_state, change, context) => {
    if (change.type === 'DELETED') return;
    const { object } = change as WatchChange<'jobs.batch'>;
    const at = expiresAt(object);
    if (at !== undefined && object.metadata.deletionTimestamp === undefined) enqueueAfter(queueKey(object), at - context.epochMs, context);
  },
  sync,
  replied: (_state, _key, { response }) => response.code === 404,
});

function expiresAt({ spec, status }: Job): number | undefined {
  if (spec.ttlSecondsAfterFinished === undefined) return undefined;
  const end = ['Complete', 'Failed'].map((type) => findCondition(status?.conditions, type)).find((condition) => condition?.status === 'True');
  const at = parseRfc3339(end?.lastTransitionTime ?? '');
  return at === undefined ? undefined : at + spec.ttlSecondsAfterFinished * 1000;
}

function sync(_state: ControllerState, key: string, context: Context): Step[] {
  const { namespace, name } = splitQueueKey(key);
  const found = context.live.get('jobs.batch', namespace, name);
  const at = found === undefined ? undefined : expiresAt(found);
  if (found === undefined || at === undefined || found.metadata.deletionTimestamp !== undefined || at > context.epochMs) return [];
  return [{ kind: 'delete', requests: [{ verb: 'delete', resource: 'jobs.batch', namespace, name, options: { propagationPolicy: 'Foreground', preconditions: { uid: found.metadata.uid } } }] }];
}
