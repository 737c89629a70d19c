import type { Pod } from '../../api/schema/types.ts';
import type { ApiResponse, Context } from '../component.ts';
import { placePod, removePod } from './cache.ts';
import type { Outcome } from './cycle.ts';
import { writeCondition } from './failure.ts';
import type { Cycle } from './framework.ts';
import { podText } from './pod-facts.ts';
import { bindVolumes, claimIsBound } from './plugins/volume-binding.ts';
import { failedOnce, removeQueued, requeue } from './queue.ts';
import type { SchedulerState } from './state.ts';
import { note, report } from './tell.ts';

/** Upstream: VolumeBindingArgs.bindTimeoutSeconds. */
const volumeTimeoutMs = 600_000;

/** Upstream: schedule_one.go assume, bindingCycle. */
export function assume(state: SchedulerState, cycle: Cycle, outcome: Outcome, context: Context): void {
  const { pod } = cycle;
  const { uid } = pod.metadata;
  const node = outcome.node as string;
  placePod(state, pod, node);
  state.assumed[uid] = { node, pod };
  delete state.nominated[uid];
  note(context, pod, outcome, 'bound');
  const claims = bindVolumes(cycle, node, context);
  if (claims.length === 0) return bind(pod, node, context);
  state.preBind[uid] = { claims };
  context.schedule({ afterMs: volumeTimeoutMs, kind: 'volumes-late', payload: { uid }, key: `volumes ${uid}` });
}

function bind(pod: Pod, node: string, context: Context): void {
  const { uid, namespace = '', name } = pod.metadata;
  context.api({
    verb: 'create', resource: 'pods', namespace, name, subresource: 'binding',
    object: { apiVersion: 'v1', kind: 'Binding', metadata: { name, namespace, uid }, target: { kind: 'Node', name: node } },
  }, { kind: 'bound', payload: { pod, node } });
}

export interface BoundReply {
  pod: Pod;
  node: string;
  response: ApiResponse;
}

export function bound(state: SchedulerState, { pod, node, response }: BoundReply, context: Context): void {
  const { uid } = pod.metadata;
  if (response.code < 400) {
    removeQueued(state.queue, uid);
    return report(context, pod, 'Normal', 'Scheduled', 'Binding', `Successfully assigned ${podText(pod)} to ${node}`);
  }
  if (response.code === 404) forgetPod(state, pod, context);
  else if (state.assumed[uid] !== undefined) bindingFailed(state, pod, `running Bind plugin DefaultBinder: ${response.status?.message ?? ''}`, context);
}

function bindingFailed(state: SchedulerState, pod: Pod, message: string, context: Context): void {
  const { uid } = pod.metadata;
  unassume(state, uid);
  const waiting = state.queue.pods[uid];
  if (waiting === undefined) return;
  failedOnce(waiting, true, context.now);
  requeue(state.queue, uid, context.now);
  report(context, pod, 'Warning', 'FailedScheduling', 'Scheduling', message);
  writeCondition(pod, 'SchedulerError', message, undefined, context);
}

export function unassume(state: SchedulerState, uid: string): void {
  const assumed = state.assumed[uid];
  if (assumed === undefined) return;
  removePod(state, assumed.pod, assumed.node);
  delete state.assumed[uid];
}

export function forgetPod(state: SchedulerState, pod: Pod, context: Context): void {
  const { uid } = pod.metadata;
  removeQueued(state.queue, uid);
  delete state.nominated[uid];
  if (state.preBind[uid] !== undefined) endPreBind(state, uid, context);
  unassume(state, uid);
}

/** Volumes that were waited for may be bound now. */
export function volumesChanged(state: SchedulerState, context: Context): void {
  for (const uid in state.preBind) {
    const { claims } = state.preBind[uid] as { claims: string[] };
    const assumed = state.assumed[uid];
    if (assumed !== undefined && !claims.every((name) => claimIsBound(context.view, assumed.pod, name))) continue;
    endPreBind(state, uid, context);
    if (assumed !== undefined) bind(assumed.pod, assumed.node, context);
  }
}

function endPreBind(state: SchedulerState, uid: string, context: Context): void {
  delete state.preBind[uid];
  context.cancel(`volumes ${uid}`);
}

export function volumesLate(state: SchedulerState, uid: string, context: Context): void {
  const assumed = state.assumed[uid];
  delete state.preBind[uid];
  if (assumed !== undefined) bindingFailed(state, assumed.pod, 'running PreBind plugin "VolumeBinding": binding volumes: context deadline exceeded', context);
}
