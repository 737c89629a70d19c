import { controllerReference } from '../../../../api/meta/owners.ts';
import type { Container, EnvVar, Job, Pod, PodSpec } from '../../../../api/schema/types.ts';
import { parseRfc3339 } from '../../../../sim/time.ts';
import type { ApiRequest } from '../../../component.ts';
import { findCondition } from '../../../../api/meta/conditions.ts';

export const trackingFinalizer = 'batch.kubernetes.io/job-tracking';
const indexKey = 'batch.kubernetes.io/job-completion-index';
const failuresKey = 'batch.kubernetes.io/job-index-failure-count';

export const isTracked = ({ metadata }: Pod): boolean => metadata.finalizers?.includes(trackingFinalizer) ?? false;
export const isGoing = ({ metadata }: Pod): boolean => metadata.deletionTimestamp !== undefined;
export const isIndexed = ({ spec }: Job): boolean => spec.completionMode === 'Indexed';

export function indexOf({ metadata }: Pod): number {
  const text = metadata.annotations?.[indexKey];
  return text === undefined ? -1 : Number(text);
}

export const failuresOf = ({ metadata }: Pod): number => Number(metadata.annotations?.[failuresKey] ?? 0);

/** When a pod was over. Upstream: pkg/controller/job/backoff_utils.go getFinishedTime. */
export function finishedAt(pod: Pod, nowMs: number): number {
  const ends = (pod.status.containerStatuses ?? []).map(({ state }) => parseRfc3339(state?.terminated?.finishedAt ?? '')).filter((at) => at !== undefined);
  if (ends.length > 0) return Math.max(...ends);
  const ready = findCondition(pod.status.conditions, 'Ready');
  if (ready?.status === 'False' && ready.lastTransitionTime !== undefined) return parseRfc3339(ready.lastTransitionTime) ?? nowMs;
  return parseRfc3339(pod.metadata.deletionTimestamp ?? '') ?? nowMs;
}

const withIndex = (containers: readonly Container[]): Container[] => {
  const variable: EnvVar = { name: 'JOB_COMPLETION_INDEX', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: `metadata.labels['${indexKey}']` } } };
  return containers.map((container) => (container.env?.some(({ name }) => name === variable.name) === true ? container : { ...container, env: [...(container.env ?? []), variable] }));
};

/** A pod of the Job; with an index it also carries that. Upstream: manageJob, addIndexToTemplate. */
export function podRequest(job: Job, index: number | undefined, failures: number): ApiRequest {
  const { namespace = '', name } = job.metadata;
  const { metadata = {}, spec } = job.spec.template as { metadata?: { labels?: Record<string, string>; annotations?: Record<string, string>; finalizers?: string[] }; spec: PodSpec };
  const perIndex = job.spec.backoffLimitPerIndex !== undefined;
  const own = index === undefined ? {} : { [indexKey]: String(index), ...(perIndex ? { [failuresKey]: String(failures) } : {}) };
  const annotations = { ...metadata.annotations, ...own };
  const labels = { ...metadata.labels, ...(index === undefined ? {} : { [indexKey]: String(index) }) };
  return {
    verb: 'create', resource: 'pods', namespace,
    object: {
      apiVersion: 'v1', kind: 'Pod',
      metadata: {
        generateName: index === undefined ? `${name}-` : `${name}-${index}-`, namespace, labels,
        finalizers: [...(metadata.finalizers ?? []), trackingFinalizer], ownerReferences: [controllerReference(job)],
        ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
      },
      spec: index === undefined ? spec : {
        ...spec, containers: withIndex(spec.containers), ...(spec.initContainers === undefined ? {} : { initContainers: withIndex(spec.initContainers) }), hostname: `${name}-${index}`,
      },
    },
  };
}

export function untrackRequest({ metadata }: Pod): ApiRequest {
  const kept = (metadata.finalizers ?? []).filter((finalizer) => finalizer !== trackingFinalizer);
  return {
    verb: 'patch', resource: 'pods', namespace: metadata.namespace as string, name: metadata.name,
    patch: { type: 'merge', body: { metadata: { uid: metadata.uid, finalizers: kept.length === 0 ? null : kept } } },
  };
}

export const deleteRequest = ({ metadata }: Pod): ApiRequest => ({ verb: 'delete', resource: 'pods', namespace: metadata.namespace as string, name: metadata.name });
