import { findCondition } from '../../../../api/meta/conditions.ts';
import type { ApiObject } from '../../../../api/resources.ts';
import type { Job, JobStatus } from '../../../../api/schema/types.ts';
import { samePlain } from '../../../../sim/plain.ts';
import type { ApiRequest, Component, Context, WatchChange } from '../../../component.ts';
import {
  controller, createControllerState, enqueue, enqueueAfter, errorText, failed, namespaceTerminating, regarding, type ControllerState, type Reply, type Step,
} from '../../controller.ts';
import { queueKey, splitQueueKey } from '../../workqueue.ts';
import { ownerOf } from '../replicaset/tally.ts';
import { chooseVictims } from '../replicaset/victims.ts';
import { deadlineAt, failure, isFinished, look, success, type Picture } from './picture.ts';
import { deleteRequest, failuresOf, finishedAt, indexOf, isIndexed, isTracked, podRequest, untrackRequest } from './pods.ts';
import { judge } from './policy.ts';
import { finalStep, track, type Plan } from './track.ts';

/** Upstream: pkg/controller/job/job_controller.go SyncJobBatchPeriod, DefaultJobPodFailureBackOff, MaxJobPodFailureBackOff, MaxPodCreateDeletePerSync. */
const batchMs = 1000;
const firstBackoffMs = 10_000;
const longestBackoffMs = 600_000;
const burst = 500;

interface Backoff {
  failures: number;
  lastAt: number;
  /** Pods that were taken into account. */
  seen: Record<string, true>;
}

export interface JobState extends ControllerState {
  /** Keys whose look for changed pods is due within the second. */
  batched: Record<string, true>;
  backoff: Record<string, Backoff>;
  /** The Job as our last write left it, while a sync goes on. */
  written: Record<string, Job>;
}

export const job: Component<JobState> = controller<JobState>({
  reportsAs: 'job-controller',
  watches: [{ resource: 'jobs.batch' }, { resource: 'pods', controller: 'Job' }],
  start: () => ({ ...createControllerState(), batched: {}, backoff: {}, written: {} }),
  observe,
  sync,
  build: (state, key, { kind, data }, context) => (kind === 'status' || kind === 'final' ? statusRequest(state, key, data as JobStatus, context) : []),
  replied,
  other: (state, event, context) => {
    const { key } = event.payload as { key: string };
    delete state.batched[key];
    enqueue(state.queue, key, context);
  },
});

function observe(state: JobState, change: WatchChange, context: Context): void {
  if (change.resource === 'jobs.batch') {
    const key = queueKey(change.object);
    if (change.type === 'DELETED') {
      delete state.backoff[key];
      releasePods(change.object as Job, context);
    } else enqueue(state.queue, key, context);
    return;
  }
  const { object } = change as WatchChange<'pods'>;
  const owner = ownerOf(object, 'Job');
  if (owner === undefined) return;
  const { namespace, name } = splitQueueKey(owner.key);
  if (context.view.get('jobs.batch', namespace, name)?.metadata.uid !== owner.uid) {
    if (change.type !== 'DELETED' && isTracked(object)) context.api(untrackRequest(object));
  } else if (state.batched[owner.key] === undefined) {
    state.batched[owner.key] = true;
    context.schedule({ afterMs: batchMs, kind: 'batch', payload: { key: owner.key } });
  }
}

/** Nobody counts the pods of a Job that is gone. */
function releasePods({ metadata }: Job, context: Context): void {
  for (const pod of context.view.by('pods', 'owner', metadata.uid)) if (isTracked(pod)) context.api(untrackRequest(pod));
}

/** Upstream: syncJob, trackJobStatusAndRemoveFinalizers. */
function sync(state: JobState, key: string, context: Context): Step[] {
  const { namespace, name } = splitQueueKey(key);
  const found = context.view.get('jobs.batch', namespace, name);
  delete state.written[key];
  if (found === undefined) return [];
  if (isFinished(found)) return finalStep(context.view.by('pods', 'owner', found.metadata.uid).filter(isTracked));
  const picture = look(found, context);
  noteFailures(state, key, picture, context.epochMs);
  const started = found.status?.startTime === undefined && found.spec.suspend !== true ? { startTime: context.timestamp } : {};
  const base: Job = { ...found, status: { ...found.status, ...started } };
  const reason = failure({ ...picture, job: base }, context.epochMs);
  const deadline = deadlineAt(base);
  if (reason === undefined && deadline !== undefined) enqueueAfter(key, deadline - context.epochMs, context);
  const interrupted = reason ?? success(picture, 0);
  const early = reason === undefined && interrupted?.reason === 'SuccessPolicy' ? interrupted : undefined;
  const plan = reason !== undefined || early !== undefined ? removeActive(picture) : manage(state, key, picture, context);
  const done = reason === undefined ? (early ?? success(picture, plan.active)) : undefined;
  return [...plan.steps, ...track(base, picture, plan, reason, done, context)];
}

function removeActive({ active, terminating }: Picture): Plan {
  const steps: Step[] = active.length === 0 ? [] : [{ kind: 'delete', requests: active.map(deleteRequest) }];
  const assigned = active.filter(({ spec }) => spec.nodeName !== undefined).length;
  return { steps, active: 0, ready: 0, terminating: terminating + assigned };
}

/** Failures since the last success, for the back-off before the next pod. */
function noteFailures(state: JobState, key: string, { newFailed, newSucceeded, job: found }: Picture, nowMs: number): void {
  if (newFailed.length + newSucceeded.length === 0) return;
  const backoff: Backoff = (state.backoff[key] ??= { failures: 0, lastAt: 0, seen: {} });
  const ended = [...newFailed, ...newSucceeded].map((pod) => ({ pod, at: finishedAt(pod, nowMs) })).sort((a, b) => a.at - b.at);
  for (const { pod, at } of ended) {
    if (backoff.seen[pod.metadata.uid] !== undefined || (pod.status.phase === 'Failed' && !judge(found, pod).counts)) continue;
    backoff.seen[pod.metadata.uid] = true;
    if (pod.status.phase === 'Succeeded') backoff.failures = 0;
    else {
      backoff.failures++;
      backoff.lastAt = at;
    }
  }
}

function backoffMs(failures: number): number {
  let waitMs = failures === 0 ? 0 : firstBackoffMs;
  for (let i = 1; i < failures && waitMs < longestBackoffMs; i++) waitMs *= 2;
  return Math.min(waitMs, longestBackoffMs);
}

/** Upstream: manageJob. */
function manage(state: JobState, key: string, picture: Picture, context: Context): Plan {
  const { job: found, active, ready, succeeded, terminating } = picture;
  const keep: Plan = { steps: [], active: active.length, ready, terminating };
  if (found.metadata.deletionTimestamp !== undefined) return keep;
  const { completions, parallelism = 1, suspend } = found.spec;
  const wanted = suspend === true ? 0 : completions === undefined ? (succeeded > 0 ? active.length : parallelism) : Math.min(parallelism, completions - succeeded);
  if (active.length > wanted) return shrink(picture, wanted, context);
  const replaceable = found.spec.podReplacementPolicy === 'Failed' ? terminating : 0;
  const missing = Math.min(wanted - active.length - replaceable, burst);
  if (missing <= 0) return keep;
  if (found.spec.backoffLimitPerIndex === undefined) {
    const backoff = state.backoff[key];
    const waitMs = backoff === undefined ? 0 : backoff.lastAt + backoffMs(backoff.failures) - context.epochMs;
    if (waitMs > 0) {
      enqueueAfter(key, waitMs, context);
      return keep;
    }
  }
  const requests = isIndexed(found) ? indexedRequests(key, picture, missing, context) : Array.from({ length: missing }, () => podRequest(found, undefined, 0));
  const steps: Step[] = [];
  for (let done = 0, batch = 1; done < requests.length; done += batch, batch *= 2) steps.push({ kind: 'create', requests: requests.slice(done, done + batch) });
  return { ...keep, steps, active: active.length + requests.length };
}

function shrink({ active, ready, terminating }: Picture, wanted: number, context: Context): Plan {
  const victims = chooseVictims(active, active, Math.min(active.length - wanted, burst), context.epochMs);
  const gone = new Set(victims);
  const kept = active.filter((pod) => !gone.has(pod));
  return {
    // What is taken back on purpose is no failure: it is not counted.
    steps: [{ kind: 'finalizers', requests: victims.filter(isTracked).map(untrackRequest) }, { kind: 'delete', requests: victims.map(deleteRequest) }],
    active: kept.length,
    ready: wanted === 0 ? 0 : Math.min(ready, kept.length),
    terminating: terminating + victims.filter(({ spec }) => spec.nodeName !== undefined).length,
  };
}

/** The lowest indexes that are neither done nor running. One that waits after a failure keeps its place: none behind it starts instead. */
function indexedRequests(key: string, picture: Picture, count: number, context: Context): ApiRequest[] {
  const { job: found, active, pods, succeededIndexes, failedIndexes } = picture;
  const busy = new Set(active.map(indexOf));
  const requests: ApiRequest[] = [];
  let nextMs = Infinity;
  let places = count;
  for (let index = 0; index < (found.spec.completions ?? 0) && places > 0; index++) {
    if (busy.has(index) || succeededIndexes.has(index) || failedIndexes.has(index)) continue;
    places--;
    let failures = 0;
    if (found.spec.backoffLimitPerIndex !== undefined) {
      const ended = pods.filter((pod) => indexOf(pod) === index && pod.status.phase === 'Failed').sort((a, b) => failuresOf(b) - failuresOf(a))[0];
      if (ended !== undefined) {
        failures = failuresOf(ended) + (judge(found, ended).counts ? 1 : 0);
        const waitMs = finishedAt(ended, context.epochMs) + backoffMs(failures) - context.epochMs;
        if (waitMs > 0) {
          nextMs = Math.min(nextMs, waitMs);
          continue;
        }
      }
    }
    requests.push(podRequest(found, index, failures));
  }
  if (nextMs !== Infinity) enqueueAfter(key, nextMs, context);
  return requests;
}

function statusRequest(state: JobState, key: string, status: JobStatus, context: Context): ApiRequest[] {
  const { namespace, name } = splitQueueKey(key);
  const found = state.written[key] ?? context.view.get('jobs.batch', namespace, name);
  if (found === undefined || samePlain(status, found.status)) return [];
  return [{ verb: 'update', resource: 'jobs.batch', namespace, name, subresource: 'status', object: { ...found, status } }];
}

function replied(state: JobState, key: string, { step, request, response }: Reply, context: Context): boolean | void {
  const { namespace, name } = splitQueueKey(key);
  const found = context.view.get('jobs.batch', namespace, name);
  if (found === undefined) return response.code === 404;
  const report = (type: 'Normal' | 'Warning', reason: string, message: string) => context.event({ regarding: regarding(found), type, reason, message });
  switch (step.kind) {
    case 'create':
      if (!failed(response)) return report('Normal', 'SuccessfulCreate', `Created pod: ${(response.object as ApiObject).metadata.name}`);
      if (!namespaceTerminating(response)) report('Warning', 'FailedCreate', `Error creating: ${errorText(response)}`);
      return;
    case 'delete':
      if (!failed(response)) return report('Normal', 'SuccessfulDelete', `Deleted pod: ${request.name}`);
      return response.code === 404;
    case 'finalizers':
      return response.code === 404;
    default:
      if (failed(response)) return;
      tellChange(state.written[key] ?? found, response.object as Job, report);
      state.written[key] = response.object as Job;
  }
}

/** The Events that go with a new condition. */
function tellChange(before: Job, after: Job, report: (type: 'Normal' | 'Warning', reason: string, message: string) => void): void {
  for (const { type, status, reason = '', message = '' } of after.status.conditions ?? []) {
    const old = findCondition(before.status?.conditions, type as string);
    if (old?.status === status) continue;
    if (type === 'Complete') report('Normal', 'Completed', 'Job completed');
    else if (type === 'Failed') report('Warning', reason, message);
    else if (type === 'Suspended') report('Normal', status === 'True' ? 'Suspended' : 'Resumed', message);
  }
}
