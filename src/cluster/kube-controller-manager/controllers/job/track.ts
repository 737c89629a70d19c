import { findCondition, setCondition } from '../../../../api/meta/conditions.ts';
import type { Job, JobCondition, JobStatus, Pod } from '../../../../api/schema/types.ts';
import { samePlain } from '../../../../sim/plain.ts';
import type { Context } from '../../../component.ts';
import type { Step } from '../../controller.ts';
import { formatIndexes } from './indexes.ts';
import type { Picture } from './picture.ts';
import { isIndexed, isTracked, untrackRequest } from './pods.ts';
import { judge } from './policy.ts';

export interface Plan {
  steps: Step[];
  active: number;
  ready: number;
  terminating: number;
}

const condition = (type: string, status: string, reason: { reason?: string; message?: string }, timestamp: string): JobCondition => ({
  type, status, lastProbeTime: timestamp, lastTransitionTime: timestamp, reason: reason.reason ?? '', message: reason.message ?? '',
});

type Reason = { reason?: string; message?: string };

/** The status with ended pods remembered as uncounted; then their finalizers; then the counts and, if all is over, the end. */
export function track(found: Job, picture: Picture, plan: Plan, failing: Reason | undefined, done: Reason | undefined, context: Context): Step[] {
  const { pods, newSucceeded } = picture;
  const indexed = isIndexed(found);
  const ending = failing !== undefined || done !== undefined || found.metadata.deletionTimestamp !== undefined;
  const old = found.status.uncountedTerminatedPods ?? {};
  // Pods that were running when the Job ended count as failed.
  const lost = pods.filter((pod) => isTracked(pod) && pod.status.phase !== 'Succeeded' && (pod.status.phase === 'Failed' || ending));
  const countedFailures = lost.filter((pod) => !(pod.status.phase === 'Failed' && !judge(found, pod).counts)).map(({ metadata }) => metadata.uid);
  const uncounted = {
    ...lists('succeeded', indexed ? [] : [...(old.succeeded ?? []), ...newSucceeded.map(({ metadata }) => metadata.uid)]),
    ...lists('failed', [...new Set([...(old.failed ?? []), ...countedFailures])]),
  };
  const { startTime, conditions: before, ...rest } = found.status;
  const target = failing !== undefined ? condition('FailureTarget', 'True', failing, context.timestamp) : done !== undefined ? condition('SuccessCriteriaMet', 'True', done, context.timestamp) : undefined;
  const suspension = failing === undefined && done === undefined ? suspend(found, context) : undefined;
  const change = target ?? suspension;
  const conditions = change === undefined ? before : withNew(before, change);
  const status: JobStatus = {
    ...rest,
    ...(conditions === undefined ? {} : { conditions }),
    ...(suspension?.status === 'True' || startTime === undefined ? {} : { startTime: suspension?.reason === 'JobResumed' ? context.timestamp : startTime }),
    ...count('active', plan.active), ready: plan.ready, terminating: plan.terminating, uncountedTerminatedPods: uncounted,
    ...(indexed ? indexFields(picture) : {}),
  };
  if (plan.active === 0) delete status.active;
  const ended = [...newSucceeded, ...lost];
  const steps: Step[] = [{ kind: 'status', requests: [], data: status }];
  steps.push(...finalStep(ended));
  const final = counted(status, failing, done, plan, context);
  if (!samePlain(final, status)) steps.push({ kind: 'final', requests: [], data: final });
  return steps;
}

const lists = (field: 'succeeded' | 'failed', uids: readonly string[]) => (uids.length === 0 ? {} : { [field]: [...uids] });
const count = (field: keyof JobStatus, value: number) => (value === 0 ? {} : { [field]: value });

const withNew = (conditions: readonly JobCondition[] | undefined, next: JobCondition): JobCondition[] => {
  const known = findCondition(conditions, next.type as string);
  return known !== undefined && known.status === next.status ? (conditions as JobCondition[]) : setCondition(conditions, next);
};

function indexFields({ succeededIndexes, failedIndexes, job: found }: Picture): Partial<JobStatus> {
  return {
    ...count('succeeded', succeededIndexes.size),
    ...(succeededIndexes.size === 0 ? {} : { completedIndexes: formatIndexes(succeededIndexes) }),
    ...(found.spec.backoffLimitPerIndex === undefined ? {} : { failedIndexes: formatIndexes(failedIndexes) }),
  };
}

/** Upstream: flushUncountedAndRemoveFinalizers, enactJobFinished. */
function counted(status: JobStatus, failing: Reason | undefined, done: Reason | undefined, plan: Plan, { timestamp }: Context): JobStatus {
  const { succeeded = [], failed: lost = [] } = status.uncountedTerminatedPods ?? {};
  const next: JobStatus = { ...status, uncountedTerminatedPods: {}, ...count('succeeded', (status.succeeded ?? 0) + succeeded.length), ...count('failed', (status.failed ?? 0) + lost.length) };
  const over = failing ?? done;
  if (over === undefined || plan.terminating > 0) return next;
  next.conditions = withNew(next.conditions, condition(failing !== undefined ? 'Failed' : 'Complete', 'True', over, timestamp));
  if (done !== undefined) next.completionTime = timestamp;
  return next;
}

/** The condition that suspending or going on writes. */
function suspend({ spec, status }: Job, { timestamp }: Context): JobCondition | undefined {
  const known = findCondition(status?.conditions, 'Suspended')?.status;
  if (spec.suspend === true) return known === 'True' ? undefined : condition('Suspended', 'True', { reason: 'JobSuspended', message: 'Job suspended' }, timestamp);
  return known === 'True' ? condition('Suspended', 'False', { reason: 'JobResumed', message: 'Job resumed' }, timestamp) : undefined;
}

export const finalStep = (pods: readonly Pod[]): Step[] => (pods.length === 0 ? [] : [{ kind: 'finalizers', requests: pods.map(untrackRequest) }]);
