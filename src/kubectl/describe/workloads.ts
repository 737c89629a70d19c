import { humanDuration } from '../../api/duration.ts';
import { isControlledBy, controllerOf } from '../../api/meta/owners.ts';
import { canonicalQuantity } from '../../api/quantity.ts';
import type { ApiObject } from '../../api/resources.ts';
import type { Deployment, Job, JobTemplateSpec, LabelSelector, PersistentVolumeClaim, ReplicaSet, StatefulSet } from '../../api/schema/types.ts';
import { compareText, samePlain } from '../../sim/plain.ts';
import { parseRfc3339 } from '../../sim/time.ts';
import { conditionLines, controlledBy, formatLabels, formatLabelSelector, head, labelLines, line, none, rows, time, timeIf, unset } from './lines.ts';
import { list, type Describer, type Describers, type Look } from './look.ts';
import { templateLines } from './pod.ts';

const selectorText = (selector: LabelSelector | undefined): string => formatLabelSelector(selector);

/** Upstream: describe.go getPodStatusForController. */
function podCounts(look: Look, { metadata }: ApiObject, selector: string): string {
  const count: Record<string, number> = {};
  for (const pod of list(look, 'pods', metadata.namespace, selector === none ? {} : { labelSelector: selector })) {
    if (controllerOf(pod)?.uid === metadata.uid) count[pod.status.phase ?? ''] = (count[pod.status.phase ?? ''] ?? 0) + 1;
  }
  return rows(0, { 'Pods Status': `${count.Running ?? 0} Running / ${count.Pending ?? 0} Waiting / ${count.Succeeded ?? 0} Succeeded / ${count.Failed ?? 0} Failed` });
}

/** The ReplicaSets of a Deployment, oldest first, and which of them has its template. Upstream: util/deployment GetAllReplicaSets. */
export function replicaSetsOf(look: Look, deployment: Deployment): { all: ReplicaSet[]; current: ReplicaSet | undefined } {
  const all = list(look, 'replicasets.apps', deployment.metadata.namespace)
    .filter((set) => isControlledBy(set, deployment))
    .sort((a, b) => compareText(a.metadata.creationTimestamp ?? '', b.metadata.creationTimestamp ?? '') || compareText(a.metadata.name, b.metadata.name));
  return { all, current: all.find((set) => samePlain(withoutHash(set.spec.template), withoutHash(deployment.spec.template))) };
}

const hashLabel = 'pod-template-hash';

/** Upstream: util/deployment EqualIgnoreHash. */
export function withoutHash(template: unknown): unknown {
  const { metadata, spec } = template as { metadata?: { labels?: Record<string, string>; annotations?: Record<string, string> }; spec: unknown };
  const { [hashLabel]: _, ...labels } = metadata?.labels ?? {};
  return { labels, annotations: metadata?.annotations ?? {}, spec };
}

const deployments: Describer<'deployments.apps'> = (deployment, look) => {
  const { metadata, spec, status } = deployment;
  const { strategy = {} } = spec;
  const { all, current } = replicaSetsOf(look, deployment);
  const made = (sets: readonly ReplicaSet[]) => sets.map((set) => `${set.metadata.name} (${set.status.replicas ?? 0}/${set.spec.replicas ?? 0} replicas created)`).join(', ') || none;
  const counts = [`${spec.replicas ?? 0} desired`, `${status.updatedReplicas ?? 0} updated`, `${status.replicas ?? 0} total`, `${status.availableReplicas ?? 0} available`, `${status.unavailableReplicas ?? 0} unavailable`];
  return [
    head(deployment, { CreationTimestamp: time(metadata.creationTimestamp) }),
    rows(0, {
      Selector: selectorText(spec.selector), Replicas: counts.join(' | '), StrategyType: strategy.type ?? '', MinReadySeconds: spec.minReadySeconds ?? 0,
      RollingUpdateStrategy: strategy.rollingUpdate === undefined ? undefined : `${strategy.rollingUpdate.maxUnavailable ?? 0} max unavailable, ${strategy.rollingUpdate.maxSurge ?? 0} max surge`,
    }),
    templateLines(spec.template),
    conditionLines(status.conditions),
    all.length === 0 ? '' : rows(0, { OldReplicaSets: made(all.filter((set) => set !== current)), NewReplicaSet: made(current === undefined ? [] : [current]) }),
  ].join('');
};

const replicaSets: Describer<'replicasets.apps'> = (set, look) => {
  const { spec, status } = set;
  return [
    head(set, { Selector: selectorText(spec.selector) }),
    controlledBy(set),
    rows(0, { Replicas: `${status.replicas ?? 0} current / ${spec.replicas ?? 0} desired` }),
    podCounts(look, set, selectorText(spec.selector)),
    spec.template === undefined ? '' : templateLines(spec.template),
    conditionLines(status.conditions),
  ].join('');
};

const replicationControllers: Describer<'replicationcontrollers'> = (controller, look) => {
  const { spec, status } = controller;
  const selector = formatLabels(spec.selector);
  return [
    head(controller, { Selector: selector }),
    rows(0, { Replicas: `${status.replicas ?? 0} current / ${spec.replicas ?? 0} desired` }),
    podCounts(look, controller, selector),
    spec.template === undefined ? '' : templateLines(spec.template),
    conditionLines(status.conditions),
  ].join('');
};

const statefulSets: Describer<'statefulsets.apps'> = (set, look) => {
  const { metadata, spec, status } = set;
  const { updateStrategy = {}, persistentVolumeClaimRetentionPolicy: retention } = spec;
  const { partition, maxUnavailable } = updateStrategy.rollingUpdate ?? {};
  return [
    head(set, { CreationTimestamp: time(metadata.creationTimestamp), Selector: selectorText(spec.selector) }),
    rows(0, {
      'Service Name': spec.serviceName || undefined, 'Pod Management Policy': spec.podManagementPolicy || undefined,
      Replicas: `${spec.replicas ?? 0} desired | ${status.replicas} total`, 'Update Strategy': updateStrategy.type ?? '',
    }),
    partition === undefined ? '' : rows(1, { Partition: partition, MaxUnavailable: maxUnavailable }),
    retention === undefined ? '' : `Persistent Volume Claim Retention Policy:\n${rows(1, { WhenDeleted: retention.whenDeleted ?? '', WhenScaled: retention.whenScaled ?? '' })}`,
    podCounts(look, set, selectorText(spec.selector)),
    templateLines(spec.template),
    claimTemplates(spec),
  ].join('');
};

function claimTemplates({ volumeClaimTemplates = [] }: StatefulSet['spec']): string {
  if (volumeClaimTemplates.length === 0) return rows(0, { 'Volume Claims': none });
  return `Volume Claims:\n${volumeClaimTemplates.map(({ metadata, spec }: PersistentVolumeClaim) => [
    rows(1, { Name: metadata.name, StorageClass: spec.storageClassName ?? '' }),
    labelLines('Labels', metadata.labels, '  '),
    labelLines('Annotations', metadata.annotations, '  '),
    rows(1, { Capacity: canonicalQuantity(spec.resources?.requests?.storage ?? '<default>'), 'Access Modes': `[${(spec.accessModes ?? []).join(' ')}]` }),
  ].join('')).join('')}`;
}

const daemonSets: Describer<'daemonsets.apps'> = (set, look) => {
  const { spec, status } = set;
  const counted: [string, number | undefined][] = [
    ['Desired Number of Nodes Scheduled', status.desiredNumberScheduled], ['Current Number of Nodes Scheduled', status.currentNumberScheduled],
    ['Number of Nodes Scheduled with Up-to-date Pods', status.updatedNumberScheduled], ['Number of Nodes Scheduled with Available Pods', status.numberAvailable],
    ['Number of Nodes Misscheduled', status.numberMisscheduled],
  ];
  return [
    head(set, { Selector: selectorText(spec.selector), 'Node-Selector': formatLabels(spec.template.spec?.nodeSelector) }),
    ...counted.map(([label, value]) => line(0, `${label}: ${value ?? 0}`)),
    podCounts(look, set, selectorText(spec.selector)),
    templateLines(spec.template),
  ].join('');
};

/** Upstream: describe.go capIndexesListOrNone. */
function cappedIndexes(indexes = ''): string {
  const comma = indexes.indexOf(',', 50);
  return indexes === '' ? none : comma < 0 ? indexes : `${indexes.slice(0, comma + 1)}...`;
}

const jobs: Describer<'jobs.batch'> = (job) => {
  const { spec, status } = job;
  const { startTime, completionTime } = status;
  const took = startTime && completionTime ? humanDuration((parseRfc3339(completionTime) as number) - (parseRfc3339(startTime) as number)) : undefined;
  return [
    head(job, { Selector: selectorText(spec.selector) }),
    controlledBy(job),
    rows(0, {
      Parallelism: spec.parallelism, Completions: spec.completions ?? unset, 'Completion Mode': spec.completionMode, Suspend: spec.suspend, 'Backoff Limit': spec.backoffLimit,
      'TTL Seconds After Finished': spec.ttlSecondsAfterFinished, 'Start Time': timeIf(startTime), 'Completed At': timeIf(completionTime), Duration: took,
      'Active Deadline Seconds': spec.activeDeadlineSeconds === undefined ? undefined : `${spec.activeDeadlineSeconds}s`,
      'Pods Statuses': podsOfJob(status), 'Completed Indexes': spec.completionMode === 'Indexed' ? cappedIndexes(status.completedIndexes) : undefined,
    }),
    templateLines(spec.template),
  ].join('');
};

const podsOfJob = ({ active = 0, ready, succeeded = 0, failed = 0 }: Job['status']): string =>
  `${active} Active${ready === undefined ? '' : ` (${ready} Ready)`} / ${succeeded} Succeeded / ${failed} Failed`;

const cronJobs: Describer<'cronjobs.batch'> = (cron) => {
  const { spec, status } = cron;
  return [
    head(cron),
    rows(0, {
      Schedule: spec.schedule, 'Concurrency Policy': spec.concurrencyPolicy ?? '', Suspend: spec.suspend === undefined ? unset : spec.suspend ? 'True' : 'False', 'Time Zone': spec.timeZone ?? unset,
      'Successful Job History Limit': spec.successfulJobsHistoryLimit ?? unset, 'Failed Job History Limit': spec.failedJobsHistoryLimit ?? unset,
      'Starting Deadline Seconds': spec.startingDeadlineSeconds === undefined ? unset : `${spec.startingDeadlineSeconds}s`,
    }),
    jobTemplate(spec.jobTemplate),
    rows(0, { 'Last Schedule Time': timeIf(status.lastScheduleTime) ?? unset, 'Active Jobs': (status.active ?? []).map(({ name }) => name).join(', ') || none }),
  ].join('');
};

function jobTemplate({ spec }: JobTemplateSpec): string {
  const { selector, parallelism, completions, activeDeadlineSeconds, template } = spec ?? {};
  return rows(0, {
    Selector: selector === undefined ? unset : selectorText(selector), Parallelism: parallelism ?? unset, Completions: completions ?? unset,
    'Active Deadline Seconds': activeDeadlineSeconds === undefined ? undefined : `${activeDeadlineSeconds}s`,
  }) + (template === undefined ? '' : templateLines(template));
}

export const workloads: Describers = {
  'deployments.apps': deployments, 'replicasets.apps': replicaSets, replicationcontrollers: replicationControllers, 'statefulsets.apps': statefulSets,
  'daemonsets.apps': daemonSets, 'jobs.batch': jobs, 'cronjobs.batch': cronJobs,
};
