import { parseRfc3339 } from '../../sim/time.ts';
import { humanDuration } from '../duration.ts';
import { formatLabels, formatLabelSelector } from '../meta/selectors.ts';
import type * as T from '../schema/types.ts';
import { containersAndImages, firstOf, none, since, title } from './format.ts';
import { displayStatus } from './pod-status.ts';
import type { Cell, RowPrinters } from './table.ts';

/** Upstream: pkg/printers/internalversion/printers.go, one function a kind. The first cell (the name) is put in front by the table. */
export const workloadRows: RowPrinters = {
  pods: podRow,
  'replicasets.apps': replicaSetRow,
  replicationcontrollers: (rc, now) => [
    rc.spec?.replicas ?? 0, rc.status?.replicas ?? 0, rc.status?.readyReplicas ?? 0, since(rc.metadata.creationTimestamp, now),
    ...containersAndImages(rc.spec?.template?.spec), formatLabels(rc.spec?.selector),
  ],
  'deployments.apps': ({ metadata, spec, status }, now) => [
    `${status.readyReplicas ?? 0}/${spec.replicas ?? 0}`, status.updatedReplicas ?? 0, status.availableReplicas ?? 0,
    since(metadata.creationTimestamp, now), ...containersAndImages(spec.template.spec), formatLabelSelector(spec.selector),
  ],
  'statefulsets.apps': ({ metadata, spec, status }, now) => [
    `${status.readyReplicas ?? 0}/${spec.replicas ?? 0}`, since(metadata.creationTimestamp, now), ...containersAndImages(spec.template.spec),
  ],
  'daemonsets.apps': ({ metadata, spec, status }, now) => [
    status.desiredNumberScheduled, status.currentNumberScheduled, status.numberReady, status.updatedNumberScheduled ?? 0,
    status.numberAvailable ?? 0, formatLabels(spec.template.spec?.nodeSelector), since(metadata.creationTimestamp, now),
    ...containersAndImages(spec.template.spec), formatLabelSelector(spec.selector),
  ],
  'controllerrevisions.apps': ({ metadata, revision }, now) => [controllerText(metadata), revision ?? 0, since(metadata.creationTimestamp, now)],
  podtemplates: ({ template }) => [...containersAndImages(template?.spec), formatLabels(template?.metadata?.labels)],
  'jobs.batch': jobRow,
  'cronjobs.batch': ({ metadata, spec, status }, now) => [
    spec.schedule, spec.timeZone ?? none, title(spec.suspend), status.active?.length ?? 0, since(status.lastScheduleTime, now, none),
    since(metadata.creationTimestamp, now), ...containersAndImages(spec.jobTemplate.spec?.template.spec),
    formatLabelSelector(spec.jobTemplate.spec?.selector),
  ],
  'poddisruptionbudgets.policy': ({ metadata, spec, status }, now) => [
    String(spec.minAvailable ?? 'N/A'), String(spec.maxUnavailable ?? 'N/A'), status?.disruptionsAllowed ?? 0, since(metadata.creationTimestamp, now),
  ],
  'horizontalpodautoscalers.autoscaling': ({ metadata, spec, status }, now) => [
    `${spec.scaleTargetRef.kind}/${spec.scaleTargetRef.name}`, targetsText(spec.metrics ?? [], status?.currentMetrics ?? []),
    spec.minReplicas === undefined ? '<unset>' : String(spec.minReplicas), spec.maxReplicas, status?.currentReplicas ?? 0,
    since(metadata.creationTimestamp, now),
  ],
};

function podRow(pod: T.Pod, now: number): Cell[] {
  const { status, ready, total, restarts, lastRestartAt } = displayStatus(pod);
  const ago = restarts > 0 && lastRestartAt !== undefined ? ` (${humanDuration(now - lastRestartAt)} ago)` : '';
  const gates = pod.spec.readinessGates ?? [];
  const open = gates.filter(({ conditionType }) =>
    pod.status.conditions?.some(({ type, status: value }) => type === conditionType && value === 'True'));
  return [
    `${ready}/${total}`, status, `${restarts}${ago}`, since(pod.metadata.creationTimestamp, now),
    pod.status.podIPs?.[0]?.ip ?? none, pod.spec.nodeName || none, pod.status.nominatedNodeName || none,
    gates.length === 0 ? none : `${open.length}/${gates.length}`,
  ];
}

function replicaSetRow({ metadata, spec, status }: T.ReplicaSet, now: number): Cell[] {
  return [
    spec.replicas ?? 0, status.replicas, status.readyReplicas ?? 0, since(metadata.creationTimestamp, now),
    ...containersAndImages(spec.template?.spec), formatLabelSelector(spec.selector),
  ];
}

function controllerText(metadata: T.ObjectMeta): string {
  const owner = metadata.ownerReferences?.find(({ controller }) => controller === true);
  if (owner === undefined) return none;
  const slash = owner.apiVersion.indexOf('/');
  return `${owner.kind.toLowerCase()}${slash < 0 ? '' : `.${owner.apiVersion.slice(0, slash)}`}/${owner.name}`;
}

function jobRow({ metadata, spec, status }: T.Job, now: number): Cell[] {
  const startedAt = parseRfc3339(status.startTime ?? '');
  const endedAt = parseRfc3339(status.completionTime ?? '') ?? now;
  return [
    jobStatus(metadata, status), `${status.succeeded ?? 0}/${completionsText(spec)}`,
    startedAt === undefined ? '' : humanDuration(endedAt - startedAt), since(metadata.creationTimestamp, now),
    ...containersAndImages(spec.template.spec), formatLabelSelector(spec.selector),
  ];
}

function completionsText({ completions, parallelism = 0 }: T.JobSpec): string {
  return completions !== undefined ? String(completions) : parallelism > 1 ? `1 of ${parallelism}` : '1';
}

function jobStatus(metadata: T.ObjectMeta, status: T.JobStatus): string {
  const has = (type: string) => status.conditions?.some((condition) => condition.type === type && condition.status === 'True') === true;
  const ended = ['Complete', 'Failed'].find(has);
  if (ended !== undefined) return ended;
  if (metadata.deletionTimestamp !== undefined) return 'Terminating';
  return ['Suspended', 'FailureTarget', 'SuccessCriteriaMet'].find(has) ?? 'Running';
}

/** Upstream: printers.go formatHPAMetrics. */
function targetsText(specs: readonly T.MetricSpec[], statuses: readonly T.MetricStatus[]): string {
  const texts = specs.map((spec, index) => {
    const field = (spec.type[0] ?? '').toLowerCase() + spec.type.slice(1);
    const wanted = spec[field as 'resource'];
    if (wanted === undefined) return '<unknown type>';
    const current = statuses[index]?.[field as 'resource']?.current;
    const { averageValue, averageUtilization, value } = wanted.target;
    const byResource = field === 'resource' || field === 'containerResource';
    if (averageValue !== undefined) {
      const text = `${current?.averageValue ?? '<unknown>'}/${averageValue}`;
      return byResource ? `${wanted.name}: ${text}` : field === 'pods' ? text : `${text} (avg)`;
    }
    if (!byResource) return `${current?.value ?? '<unknown>'}/${value ?? '<unknown>'}`;
    const percent = (number: number | undefined, otherwise: string) => (number === undefined ? otherwise : `${number}%`);
    return `${wanted.name}: ${percent(current?.averageUtilization, '<unknown>')}/${percent(averageUtilization, '<auto>')}`;
  });
  return firstOf(texts, 2, none, ', ');
}
