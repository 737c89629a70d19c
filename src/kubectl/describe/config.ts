import { base64Size } from '../../api/meta/base64.ts';
import { canonicalQuantity } from '../../api/quantity.ts';
import type { HorizontalPodAutoscaler, HPAScalingRules, LimitRange, MetricSpec, MetricStatus, MetricTarget, MetricValueStatus, ResourceQuota } from '../../api/schema/types.ts';
import { compareText } from '../../sim/plain.ts';
import { goQuote } from '../../api/meta/go-text.ts';
import { annotationLines, formatLabels, formatLabelSelector, grid, head, labelLines, line, none, rows, time, unset } from './lines.ts';
import { list, type Describer, type Describers } from './look.ts';

const byName = (map: Readonly<Record<string, string>> | undefined) => Object.entries(map ?? {}).sort(([a], [b]) => compareText(a, b));

const configMaps: Describer<'configmaps'> = (map) => [
  head(map), '\nData\n====\n',
  ...byName(map.data).map(([key, value]) => `${key}:\n----\n${value}\n\n`),
  '\nBinaryData\n====\n', ...byName(map.binaryData).map(([key, value]) => `${key}: ${base64Size(value)} bytes\n`), '\n',
].join('');

const secrets: Describer<'secrets'> = (secret) =>
  `${head(secret)}\n${rows(0, { Type: secret.type ?? '' })}\nData\n====\n${byName(secret.data).map(([key, value]) => rows(0, { [key]: `${base64Size(value)} bytes` })).join('')}`;

const serviceAccounts: Describer<'serviceaccounts'> = (account) => {
  const names = (account.imagePullSecrets ?? []).map(({ name }) => name ?? '');
  const title = 'Image pull secrets:';
  return head(account) + (names.length === 0 ? [none] : names).map((name, index) => line(0, `${index === 0 ? title : ' '.repeat(title.length)}\t${name}`)).join('');
};

const scopeTexts: Readonly<Record<string, string>> = {
  Terminating: 'have an active deadline. These pods have a limited lifespan on a node before being actively terminated by the system.',
  NotTerminating: 'do not have an active deadline. These pods usually include long running pods whose container command is not expected to terminate.',
  BestEffort: 'do not have resource requirements set. These pods have a best effort quality of service.',
  NotBestEffort: 'have at least one resource requirement set. These pods have a burstable or guaranteed quality of service.',
};

function quotaLines({ metadata, spec, status }: ResourceQuota, level: number, under: string): string {
  const scopes = (spec.scopes ?? []).toSorted(compareText);
  return [
    rows(level, { Name: metadata.name, Namespace: level === 0 ? metadata.namespace : undefined, Scopes: scopes.join(', ') || undefined }),
    ...scopes.map((scope) => (scopeTexts[scope] === undefined ? '' : line(level, `${level === 0 ? ' ' : ''}* Matches all pods that ${scopeTexts[scope]}`))),
    line(level, 'Resource\tUsed\tHard'), line(level, `--------\t${under}\t${under}`),
    ...byName(status?.hard).map(([name, hard]) => line(level, `${name}\t${canonicalQuantity(status?.used?.[name] ?? '0')}\t${canonicalQuantity(hard)}`)),
  ].join('');
}

const resourceQuotas: Describer<'resourcequotas'> = (quota) => quotaLines(quota, 0, '----');

const limitColumns = ['Type', 'Resource', 'Min', 'Max', 'Default Request', 'Default Limit', 'Max Limit/Request Ratio'];
const limitFields = ['min', 'max', 'defaultRequest', 'default', 'maxLimitRequestRatio'] as const;

/** Upstream walks maps here: the order of a kind's resources is any. */
const limitRows = (ranges: readonly LimitRange[]): string[][] => ranges.flatMap(({ spec }) => spec.limits.flatMap((item) =>
  [...new Set(limitFields.flatMap((field) => Object.keys(item[field] ?? {})))].sort(compareText).map((name) =>
    [item.type, name, ...limitFields.map((field) => (item[field]?.[name] === undefined ? '-' : canonicalQuantity(item[field][name])))])));

const limitRanges: Describer<'limitranges'> = (range) => rows(0, { Name: range.metadata.name, Namespace: range.metadata.namespace }) + grid(0, limitColumns, limitRows([range]));

const namespaces: Describer<'namespaces'> = ({ metadata, status }, look) => {
  const quotas = list(look, 'resourcequotas', metadata.name);
  const ranges = list(look, 'limitranges', metadata.name);
  const conditions = status.conditions ?? [];
  return [
    rows(0, { Name: metadata.name }), labelLines('Labels', metadata.labels), annotationLines('Annotations', metadata.annotations), rows(0, { Status: status.phase ?? '' }),
    conditions.length === 0 ? '' : `Conditions:\n${grid(1, ['Type', 'Status', 'LastTransitionTime', 'Reason', 'Message'], conditions.map((one) => [one.type, one.status, time(one.lastTransitionTime), one.reason ?? '', one.message ?? '']))}`,
    '\n', quotas.length === 0 ? 'No resource quota.\n' : `Resource Quotas\n${quotas.map((quota) => quotaLines(quota, 1, '---')).join('')}`,
    '\n', ranges.length === 0 ? 'No LimitRange resource.\n' : `Resource Limits\n${grid(0, limitColumns, limitRows(ranges)).replace(/^/gm, ' ').slice(0, -1)}`,
  ].join('');
};

const priorityClasses: Describer<'priorityclasses.scheduling.k8s.io'> = ({ metadata, value, globalDefault, preemptionPolicy, description }) => rows(0, {
  Name: metadata.name, Value: value, GlobalDefault: globalDefault ?? false, PreemptionPolicy: preemptionPolicy ?? '', Description: description ?? '', Annotations: formatLabels(metadata.annotations),
});

const disruptionBudgets: Describer<'poddisruptionbudgets.policy'> = ({ metadata, spec, status }) => [
  rows(0, {
    Name: metadata.name, Namespace: metadata.namespace, 'Min available': spec?.minAvailable, 'Max unavailable': spec?.minAvailable === undefined ? spec?.maxUnavailable : undefined,
    Selector: spec?.selector === undefined ? unset : formatLabelSelector(spec.selector),
  }),
  'Status:\n',
  rows(2, { 'Allowed disruptions': status?.disruptionsAllowed ?? 0, Current: status?.currentHealthy ?? 0, Desired: status?.desiredHealthy ?? 0, Total: status?.expectedPods ?? 0 }),
].join('');

const unknown = '<unknown>';

/** One metric: what it counts, now and wanted. Upstream: describe.go describeHorizontalPodAutoscalerV2. */
function metricLine(metric: MetricSpec, current: MetricStatus | undefined): string {
  const pair = (label: string, target: MetricTarget, now: MetricValueStatus | undefined, perRequest: boolean) => {
    const average = target.averageValue !== undefined;
    if (average || !perRequest) return line(1, `${label}:\t${(average ? now?.averageValue : now?.value) ?? unknown} / ${(average ? target.averageValue : target.value) ?? ''}`);
    const used = now?.averageUtilization === undefined ? unknown : `${now.averageUtilization}% (${now.averageValue ?? ''})`;
    return line(1, `${label}  (as a percentage of request):\t${used} / ${target.averageUtilization === undefined ? '<auto>' : `${target.averageUtilization}%`}`);
  };
  const { resource, containerResource, pods, object, external } = metric;
  if (resource) return pair(`resource ${resource.name} on pods`, resource.target, current?.resource?.current, true);
  if (containerResource) return pair(`resource ${containerResource.name} of container "${containerResource.container}" on pods`, containerResource.target, current?.containerResource?.current, true);
  if (pods) return pair(`${goQuote(pods.metric.name)} on pods`, pods.target, current?.pods?.current, false);
  const kind = (target: MetricTarget) => (target.averageValue === undefined ? '(target value)' : '(target average value)');
  if (object) return pair(`"${object.metric.name}" on ${object.describedObject.kind}/${object.describedObject.name} ${kind(object.target)}`, object.target, current?.object?.current, false);
  return external ? pair(`${goQuote(external.metric.name)} ${kind(external.target)}`, external.target, current?.external?.current, false) : line(1, `<unknown metric type ${goQuote(metric.type)}>`);
}

function behaviorLines(direction: string, rules: HPAScalingRules | undefined): string {
  if (rules === undefined) return '';
  const { stabilizationWindowSeconds: window, policies = [], selectPolicy = 'Max' } = rules;
  return [
    line(1, `${direction}:`), window === undefined ? '' : line(2, `Stabilization Window: ${window} seconds`),
    policies.length === 0 ? '' : line(2, `Select Policy: ${selectPolicy}`) + line(2, 'Policies:'),
    ...policies.map(({ type, value, periodSeconds }) => line(3, `- Type: ${type}\tValue: ${value}\tPeriod: ${periodSeconds} seconds`)),
  ].join('');
}

const autoscalers: Describer<'horizontalpodautoscalers.autoscaling'> = (autoscaler: HorizontalPodAutoscaler) => {
  const { metadata, spec, status } = autoscaler;
  const { kind, name } = spec.scaleTargetRef;
  const conditions = status?.conditions ?? [];
  return [
    head(autoscaler), rows(0, { CreationTimestamp: time(metadata.creationTimestamp), Reference: `${kind}/${name}`, Metrics: '( current / target )' }),
    ...(spec.metrics ?? []).map((metric, index) => metricLine(metric, status?.currentMetrics?.[index])),
    rows(0, { 'Min replicas': spec.minReplicas ?? unset, 'Max replicas': spec.maxReplicas }),
    spec.behavior === undefined ? '' : `Behavior:\n${behaviorLines('Scale Up', spec.behavior.scaleUp)}${behaviorLines('Scale Down', spec.behavior.scaleDown)}`,
    rows(0, { [`${kind} pods`]: `${status?.currentReplicas ?? 0} current / ${status?.desiredReplicas ?? 0} desired` }),
    conditions.length === 0 ? '' : `Conditions:\n${grid(1, ['Type', 'Status', 'Reason', 'Message'], conditions.map((one) => [one.type, one.status, one.reason ?? '', one.message ?? '']))}`,
  ].join('');
};

export const configuration: Describers = {
  configmaps: configMaps, secrets, serviceaccounts: serviceAccounts, resourcequotas: resourceQuotas, limitranges: limitRanges, namespaces,
  'priorityclasses.scheduling.k8s.io': priorityClasses, 'poddisruptionbudgets.policy': disruptionBudgets, 'horizontalpodautoscalers.autoscaling': autoscalers,
};
