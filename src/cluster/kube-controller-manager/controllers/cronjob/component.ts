import { findCondition } from '../../../../api/meta/conditions.ts';
import { controllerOf, controllerReference } from '../../../../api/meta/owners.ts';
import type { CronJob, CronJobStatus, Job, ObjectReference } from '../../../../api/schema/types.ts';
import { compareText, samePlain } from '../../../../sim/plain.ts';
import { formatRfc3339, parseRfc3339 } from '../../../../sim/time.ts';
import type { ApiObject } from '../../../../api/resources.ts';
import type { ApiRequest, Component, Context, WatchChange } from '../../../component.ts';
import { controller, createControllerState, enqueue, enqueueAfter, errorText, failed, namespaceTerminating, regarding, type ControllerState, type Reply, type Step } from '../../controller.ts';
import { queueKey, splitQueueKey } from '../../workqueue.ts';
import { nextTime, parseSchedule, type Schedule } from './schedule.ts';

/** Upstream: pkg/controller/cronjob nextScheduleDelta, and the bound after which missed starts are not counted one by one. */
const extraMs = 100;
const tooMany = 100;

export interface CronJobState extends ControllerState {
  /** The status to be written when the Jobs of a sync are made. */
  pending: Record<string, CronJobStatus>;
}

export const cronJob: Component<CronJobState> = controller<CronJobState>({
  reportsAs: 'cronjob-controller',
  watches: [{ resource: 'cronjobs.batch' }, { resource: 'jobs.batch' }],
  start: () => ({ ...createControllerState(), pending: {} }),
  observe: ({ queue }, change, context) => {
    if (change.resource === 'cronjobs.batch') {
      if (change.type !== 'DELETED') enqueue(queue, queueKey(change.object), context);
      return;
    }
    const { object } = change as WatchChange<'jobs.batch'>;
    const owner = controllerOf(object);
    if (owner?.kind === 'CronJob') enqueue(queue, `${object.metadata.namespace}/${owner.name}`, context);
  },
  sync,
  build: (state, key, { kind }, context) => (kind === 'status' ? statusRequest(state, key, context) : []),
  replied,
});

const endOf = ({ status }: Job): 'Complete' | 'Failed' | undefined =>
  (['Complete', 'Failed'] as const).find((type) => findCondition(status?.conditions, type)?.status === 'True');

/** Upstream: pkg/controller/cronjob/cronjob_controllerv2.go syncCronJob. */
function sync(state: CronJobState, key: string, context: Context): Step[] {
  const { namespace, name } = splitQueueKey(key);
  const found = context.view.get('cronjobs.batch', namespace, name);
  if (found === undefined) return [];
  const jobs = context.view.by('jobs.batch', 'owner', found.metadata.uid).filter((job) => controllerOf(job)?.uid === found.metadata.uid);
  const status: CronJobStatus = { ...found.status, active: [...(found.status?.active ?? [])] };
  state.pending[key] = status;
  const steps = trimHistory(found, jobs);
  settleActive(found, jobs, status, context);
  if (found.metadata.deletionTimestamp === undefined && found.spec.suspend !== true) steps.push(...start(found, jobs, status, key, context));
  return [...steps, { kind: 'status', requests: [] }];
}

/** Jobs that ended leave the list of active ones; those that vanished are missed. */
function settleActive(found: CronJob, jobs: readonly Job[], status: CronJobStatus, context: Context): void {
  const active = status.active as ObjectReference[];
  for (const job of jobs) {
    const end = endOf(job);
    const listed = active.findIndex(({ uid }) => uid === job.metadata.uid);
    if (end !== undefined && listed >= 0) {
      active.splice(listed, 1);
      context.event({ regarding: regarding(found), type: 'Normal', reason: 'SawCompletedJob', message: `Saw completed job: ${job.metadata.name}, condition: ${end}` });
      const at = job.status.completionTime;
      if (end === 'Complete' && at !== undefined && compareText(status.lastSuccessfulTime ?? '', at) < 0) status.lastSuccessfulTime = at;
    } else if (end === undefined && listed < 0 && job.metadata.deletionTimestamp === undefined) {
      context.event({ regarding: regarding(found), type: 'Warning', reason: 'UnexpectedJob', message: `Saw a job that the controller did not create or forgot: ${job.metadata.name}` });
    }
  }
  status.active = active.filter((reference) => {
    if (jobs.some(({ metadata }) => metadata.uid === reference.uid)) return true;
    const job = context.live.get('jobs.batch', reference.namespace, reference.name as string);
    if (job?.metadata.uid === reference.uid) return true;
    context.event({ regarding: regarding(found), type: 'Normal', reason: 'MissingJob', message: `Active job went missing: ${reference.name}` });
    return false;
  });
}

interface Due {
  at: number;
  missed: number;
}

/** The latest time at which a Job should have been started and was not. */
function due(found: CronJob, schedule: Schedule, nowMs: number): Due | undefined {
  const { startingDeadlineSeconds } = found.spec;
  let from = parseRfc3339(found.status?.lastScheduleTime ?? found.metadata.creationTimestamp) ?? nowMs;
  if (startingDeadlineSeconds !== undefined) from = Math.max(from, nowMs - startingDeadlineSeconds * 1000);
  let result: Due | undefined;
  for (let at = nextTime(schedule, from); at !== undefined && at <= nowMs; at = nextTime(schedule, at)) result = { at, missed: (result?.missed ?? -1) + 1 };
  return result;
}

function start(found: CronJob, jobs: readonly Job[], status: CronJobStatus, key: string, context: Context): Step[] {
  const report = (type: 'Normal' | 'Warning', reason: string, message: string) => context.event({ regarding: regarding(found), type, reason, message });
  const schedule = parseSchedule(found.spec.schedule);
  if (schedule === undefined) {
    report('Warning', 'UnparseableSchedule', `unparseable schedule: "${found.spec.schedule}"`);
    return [];
  }
  const { epochMs } = context;
  const next = nextTime(schedule, epochMs);
  if (next !== undefined) enqueueAfter(key, next - epochMs + extraMs, context);
  const wanted = due(found, schedule, epochMs);
  if (wanted === undefined) return [];
  if (wanted.missed > tooMany) report('Warning', 'TooManyMissedTimes', 'too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew');
  const stamp = formatRfc3339(wanted.at);
  const { startingDeadlineSeconds, concurrencyPolicy } = found.spec;
  if (startingDeadlineSeconds !== undefined && wanted.at + startingDeadlineSeconds * 1000 < epochMs) {
    report('Warning', 'MissSchedule', `Missed scheduled time to start a job: ${stamp}`);
    return [];
  }
  const name = `${found.metadata.name}-${Math.floor(wanted.at / 60_000)}`;
  const active = status.active as ObjectReference[];
  if (active.some((reference) => reference.name === name) || jobs.some(({ metadata }) => metadata.name === name)) return [];
  const steps: Step[] = [];
  if (concurrencyPolicy === 'Forbid' && active.length > 0) {
    report('Normal', 'JobAlreadyActive', 'Not starting job because prior execution is running and concurrency policy is Forbid');
    return [];
  }
  if (concurrencyPolicy === 'Replace' && active.length > 0) {
    steps.push({ kind: 'delete', requests: active.map((reference): ApiRequest => deleteJob(reference.namespace as string, reference.name as string)) });
    active.length = 0;
  }
  return [...steps, { kind: 'create', requests: [jobRequest(found, name, stamp)], data: stamp }];
}

const deleteJob = (namespace: string, name: string): ApiRequest => ({ verb: 'delete', resource: 'jobs.batch', namespace, name, options: { propagationPolicy: 'Background' } });

function jobRequest(found: CronJob, name: string, stamp: string): ApiRequest {
  const { namespace = '' } = found.metadata;
  const { metadata, spec } = found.spec.jobTemplate;
  return {
    verb: 'create', resource: 'jobs.batch', namespace,
    object: {
      apiVersion: 'batch/v1', kind: 'Job',
      metadata: {
        name, namespace, ownerReferences: [controllerReference(found)],
        annotations: { ...metadata?.annotations, 'batch.kubernetes.io/cronjob-scheduled-timestamp': stamp },
        ...(metadata?.labels === undefined ? {} : { labels: metadata.labels }),
      },
      spec,
    },
  };
}

/** Of ended Jobs only so many stay, the newest. */
function trimHistory(found: CronJob, jobs: readonly Job[]): Step[] {
  const { successfulJobsHistoryLimit, failedJobsHistoryLimit } = found.spec;
  const surplus = (end: 'Complete' | 'Failed', limit: number | undefined): Job[] => {
    if (limit === undefined) return [];
    const ended = jobs.filter((job) => endOf(job) === end && job.metadata.deletionTimestamp === undefined);
    ended.sort((a, b) => compareText(a.status.startTime ?? '', b.status.startTime ?? '') || compareText(a.metadata.name, b.metadata.name));
    return ended.slice(0, Math.max(0, ended.length - limit));
  };
  const requests = [...surplus('Complete', successfulJobsHistoryLimit), ...surplus('Failed', failedJobsHistoryLimit)].map(({ metadata }) => deleteJob(metadata.namespace as string, metadata.name));
  return requests.length === 0 ? [] : [{ kind: 'delete', requests }];
}

function statusRequest({ pending }: CronJobState, key: string, { view }: Context): ApiRequest[] {
  const { namespace, name } = splitQueueKey(key);
  const found = view.get('cronjobs.batch', namespace, name);
  const { active = [], ...rest } = pending[key] ?? {};
  delete pending[key];
  const status: CronJobStatus = active.length === 0 ? rest : { ...rest, active };
  if (found === undefined || samePlain(status, found.status)) return [];
  return [{ verb: 'update', resource: 'cronjobs.batch', namespace, name, subresource: 'status', object: { ...found, status } }];
}

function replied(state: CronJobState, key: string, { step, request, response }: Reply, context: Context): boolean | void {
  const { namespace, name } = splitQueueKey(key);
  const found = context.view.get('cronjobs.batch', namespace, name);
  if (found === undefined) return response.code === 404;
  const report = (type: 'Normal' | 'Warning', reason: string, message: string) => context.event({ regarding: regarding(found), type, reason, message });
  if (step.kind === 'delete') {
    if (!failed(response)) report('Normal', 'SuccessfulDelete', `Deleted job ${request.name}`);
    return response.code === 404;
  }
  if (step.kind !== 'create') return;
  if (failed(response)) {
    if (!namespaceTerminating(response)) report('Warning', 'FailedCreate', `Error creating job: ${errorText(response)}`);
    return;
  }
  const { apiVersion, kind, metadata } = response.object as ApiObject;
  report('Normal', 'SuccessfulCreate', `Created job ${metadata.name}`);
  const status = state.pending[key] ?? {};
  const reference: ObjectReference = { apiVersion, kind, namespace, name: metadata.name, uid: metadata.uid, resourceVersion: metadata.resourceVersion };
  state.pending[key] = { ...status, active: [...(status.active ?? []), reference], lastScheduleTime: step.data as string };
}
