import { findCondition } from '../../../../api/meta/conditions.ts';
import type { Job, JobCondition, Pod } from '../../../../api/schema/types.ts';
import { parseRfc3339 } from '../../../../sim/time.ts';
import type { Context } from '../../../component.ts';
import { isActive, isReady, isTerminal } from '../replicaset/tally.ts';
import { parseIndexes } from './indexes.ts';
import { failuresOf, indexOf, isGoing, isIndexed, isTracked } from './pods.ts';
import { judge } from './policy.ts';

/** All that one look at a Job finds. */
export interface Picture {
  job: Job;
  pods: Pod[];
  active: Pod[];
  ready: number;
  terminating: number;
  /** Ended and not counted yet. */
  newSucceeded: Pod[];
  newFailed: Pod[];
  succeeded: number;
  failed: number;
  succeededIndexes: Set<number>;
  failedIndexes: Set<number>;
}

export const isFinished = ({ status }: Job): boolean => ['Complete', 'Failed'].some((type) => findCondition(status?.conditions, type)?.status === 'True');

export function look(job: Job, { view }: Context): Picture {
  const pods = view.by('pods', 'owner', job.metadata.uid);
  const active = pods.filter(isActive);
  const uncounted = job.status?.uncountedTerminatedPods ?? {};
  const known = new Set([...(uncounted.succeeded ?? []), ...(uncounted.failed ?? [])]);
  const fresh = pods.filter((pod) => isTracked(pod) && isTerminal(pod) && !known.has(pod.metadata.uid));
  const newSucceeded = fresh.filter(({ status }) => status.phase === 'Succeeded');
  const newFailed = fresh.filter(({ status }) => status.phase === 'Failed');
  const picture: Picture = {
    job, pods, active, newSucceeded, newFailed,
    ready: active.filter(isReady).length,
    terminating: pods.filter((pod) => isGoing(pod) && !isTerminal(pod)).length,
    succeeded: (job.status?.succeeded ?? 0) + newSucceeded.length + (uncounted.succeeded ?? []).length,
    failed: (job.status?.failed ?? 0) + newFailed.filter((pod) => judge(job, pod).counts).length + (uncounted.failed ?? []).length,
    succeededIndexes: parseIndexes(job.status?.completedIndexes),
    failedIndexes: parseIndexes(job.status?.failedIndexes),
  };
  if (isIndexed(job)) lookAtIndexes(picture);
  return picture;
}

function lookAtIndexes(picture: Picture): void {
  const { job, newSucceeded, pods, succeededIndexes, failedIndexes } = picture;
  const completions = job.spec.completions ?? 0;
  for (const pod of newSucceeded) if (indexOf(pod) >= 0 && indexOf(pod) < completions) succeededIndexes.add(indexOf(pod));
  picture.succeeded = succeededIndexes.size;
  const limit = job.spec.backoffLimitPerIndex;
  if (limit === undefined) return;
  for (const pod of pods) {
    if (pod.status.phase !== 'Failed' || succeededIndexes.has(indexOf(pod))) continue;
    const verdict = judge(job, pod);
    if (verdict.failIndex || (verdict.counts && failuresOf(pod) >= limit)) failedIndexes.add(indexOf(pod));
  }
}

type Reason = Pick<JobCondition, 'reason' | 'message'>;

/** Why the Job fails now, if it does. Upstream: syncJob's order of checks. */
export function failure(picture: Picture, nowMs: number): Reason | undefined {
  const { job, pods, failed } = picture;
  const { spec, status } = job;
  const known = findCondition(status?.conditions, 'FailureTarget');
  if (known?.status === 'True') return { reason: known.reason ?? '', message: known.message ?? '' };
  for (const pod of pods) {
    const message = pod.status.phase === 'Failed' && isTracked(pod) ? judge(job, pod).failJob : undefined;
    if (message !== undefined) return { reason: 'PodFailurePolicy', message };
  }
  if (failed > (spec.backoffLimit ?? 6) || restartsExceed(picture)) return { reason: 'BackoffLimitExceeded', message: 'Job has reached the specified backoff limit' };
  const deadline = deadlineAt(job);
  if (deadline !== undefined && nowMs >= deadline) return { reason: 'DeadlineExceeded', message: 'Job was active longer than specified deadline' };
  return isIndexed(job) ? indexFailure(picture) : undefined;
}

function indexFailure({ job, failedIndexes, succeededIndexes }: Picture): Reason | undefined {
  const { backoffLimitPerIndex, maxFailedIndexes, completions = 0 } = job.spec;
  if (backoffLimitPerIndex === undefined) return undefined;
  if (maxFailedIndexes !== undefined && failedIndexes.size > maxFailedIndexes) {
    return { reason: 'MaxFailedIndexesExceeded', message: 'Job has exceeded the specified maximal number of failed indexes' };
  }
  return failedIndexes.size > 0 && failedIndexes.size + succeededIndexes.size >= completions ? { reason: 'FailedIndexes', message: 'Job has failed indexes' } : undefined;
}

/** With restartPolicy OnFailure the restarts of the running pods count. Upstream: pastBackoffLimitOnFailure. */
function restartsExceed({ job, active }: Picture): boolean {
  if (job.spec.template.spec?.restartPolicy !== 'OnFailure') return false;
  let restarts = 0;
  for (const { status } of active) for (const each of [...(status.containerStatuses ?? []), ...(status.initContainerStatuses ?? [])]) restarts += each.restartCount;
  const limit = job.spec.backoffLimit ?? 6;
  return limit === 0 ? restarts > 0 : restarts >= limit;
}

/** In milliseconds since the epoch. */
export function deadlineAt({ spec, status }: Job): number | undefined {
  if (spec.activeDeadlineSeconds === undefined || spec.suspend === true || status?.startTime === undefined) return undefined;
  return (parseRfc3339(status.startTime) ?? 0) + spec.activeDeadlineSeconds * 1000;
}

/** Why the Job has succeeded, if it has. */
export function success({ job, succeeded, succeededIndexes, failedIndexes }: Picture, active: number): Reason | undefined {
  const { completions, successPolicy } = job.spec;
  for (const [index, { succeededCount, succeededIndexes: wanted }] of (successPolicy?.rules ?? []).entries()) {
    const among = wanted === undefined ? [...succeededIndexes] : [...parseIndexes(wanted)].filter((each) => succeededIndexes.has(each));
    const needed = succeededCount ?? (wanted === undefined ? undefined : parseIndexes(wanted).size);
    if (needed !== undefined && among.length >= needed) return { reason: 'SuccessPolicy', message: `Matched rules at index ${index}` };
  }
  const complete = completions === undefined ? succeeded > 0 && active === 0 : succeeded >= completions && active === 0 && failedIndexes.size === 0;
  return complete ? { reason: 'CompletionsReached', message: 'Reached expected number of succeeded pods' } : undefined;
}
