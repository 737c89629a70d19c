import { compareText, samePlain } from '../../sim/plain.ts';
import { duplicate, invalid, notSupported, required, tooLong, tooMany, type FieldError } from '../meta/field-error.ts';
import { notNegative, ruled, sortedMap, type Errors } from '../meta/check.ts';
import { goQuote } from '../meta/go-text.ts';
import { dns1123LabelProblems, dns1123SubdomainProblems, labelKeyProblems } from '../meta/names.ts';
import { immutable, immutableProblem, validateLabelSelector, validateObjectMeta, validateObjectMetaUpdate } from '../meta/object-meta.ts';
import { selectorMatches } from '../meta/selectors.ts';
import { defaultTemplate } from '../apps-v1/workloads.ts';
import { innerForm } from '../inner-form.ts';
import { fill } from '../core-v1/pod-defaults.ts';
import { shownSelector, validateTemplate } from '../core-v1/template-validation.ts';
import { cronProblem } from './cron-schedule.ts';
import type { Container, CronJob, Job, JobSpec, PodFailurePolicyRule, PodSpec, PodTemplateSpec, SuccessPolicyRule } from '../schema/types.ts';

/** Upstream: pkg/apis/batch/v1/defaults.go. */
export function defaultJob(job: Job): void {
  (job as { spec?: unknown }).spec ??= {};
  (job as { status?: unknown }).status ??= {};
  const spec = job.spec;
  defaultTemplate((spec.template ??= {} as PodTemplateSpec));
  if (spec.completions === undefined && spec.parallelism === undefined) fill(spec, { completions: 1, parallelism: 1 });
  fill(spec, {
    parallelism: 1, backoffLimit: spec.backoffLimitPerIndex === undefined ? 6 : 2_147_483_647, completionMode: 'NonIndexed', suspend: false, manualSelector: false,
    podReplacementPolicy: spec.podFailurePolicy === undefined ? 'TerminatingOrFailed' : 'Failed',
  });
  for (const rule of spec.podFailurePolicy?.rules ?? []) for (const condition of rule.onPodConditions ?? []) fill(condition, { status: 'True' });
  // Labels of the template serve a job that has none.
  if (Object.keys(job.metadata.labels ?? {}).length === 0 && spec.template.metadata?.labels !== undefined) job.metadata.labels = { ...spec.template.metadata.labels };
}

export function defaultCronJob(job: CronJob): void {
  (job as { spec?: unknown }).spec ??= {};
  (job as { status?: unknown }).status ??= {};
  const spec = job.spec;
  (spec as { schedule?: unknown }).schedule ??= '';
  fill(spec, { concurrencyPolicy: 'Allow', suspend: false, successfulJobsHistoryLimit: 3, failedJobsHistoryLimit: 1 });
  const template = (spec.jobTemplate ??= {} as CronJob['spec']['jobTemplate']);
  fill(template, { metadata: {}, spec: {} });
  defaultTemplate(((template.spec as JobSpec).template ??= {} as PodTemplateSpec));
}

const oneOfRequired = (values: readonly string[]) => `valid values: [${values.map(goQuote).join(' ')}]`;

function validateKnown(errors: Errors, path: string, value: string | undefined, supported: readonly string[]): void {
  if (!value) errors.push(required(path, oneOfRequired(supported.toSorted(compareText))));
  else if (!supported.includes(value)) errors.push(notSupported(path, value, supported));
}

/** An Invalid error whose text leaves the value out. */
const bare = (field: string, detail: string): FieldError => ({ type: 'FieldValueInvalid', field, detail });

function validateExitCodes(errors: Errors, path: string, rule: NonNullable<PodFailurePolicyRule['onExitCodes']>, names: readonly string[]): void {
  validateKnown(errors, `${path}.operator`, rule.operator, ['In', 'NotIn']);
  if (rule.containerName !== undefined && !names.includes(rule.containerName)) {
    errors.push(invalid(`${path}.containerName`, rule.containerName, 'must be one of the container or initContainer names in the pod template'));
  }
  const values = rule.values ?? [];
  if (values.length === 0) errors.push(invalid(`${path}.values`, rule.values, 'at least one value is required'));
  else if (values.length > 255) errors.push(tooMany(`${path}.values`, values.length, 255));
  values.forEach((value, index) => {
    const at = `${path}.values[${index}]`;
    if (rule.operator === 'In' && value === 0) errors.push(invalid(at, value, 'must not be 0 for the In operator'));
    if (values.indexOf(value) < index) errors.push(duplicate(at, value));
  });
  if (values.some((value, index) => index > 0 && (values[index - 1] as number) > value)) errors.push(invalid(`${path}.values`, values, 'must be ordered'));
}

const actions = ['Count', 'FailIndex', 'FailJob', 'Ignore'];

function validateFailurePolicy(errors: Errors, path: string, spec: JobSpec): void {
  const rules = spec.podFailurePolicy?.rules ?? [];
  if (rules.length > 20) errors.push(tooMany(`${path}.rules`, rules.length, 20));
  const names = [...(spec.template?.spec?.containers ?? []), ...(spec.template?.spec?.initContainers ?? [])].map((container) => container.name);
  rules.forEach((rule, index) => {
    const at = `${path}.rules[${index}]`;
    if (rule.action === 'FailIndex') {
      if (spec.backoffLimitPerIndex === undefined) errors.push(invalid(`${at}.action`, rule.action, 'requires the backoffLimitPerIndex to be set'));
    } else validateKnown(errors, `${at}.action`, rule.action, actions);
    if (rule.onExitCodes !== undefined) validateExitCodes(errors, `${at}.onExitCodes`, rule.onExitCodes, names);
    const conditions = rule.onPodConditions ?? [];
    if (conditions.length > 20) errors.push(tooMany(`${at}.onPodConditions`, conditions.length, 20));
    conditions.forEach((condition, i) => {
      ruled(errors, `${at}.onPodConditions[${i}].type`, condition.type ?? '', labelKeyProblems);
      validateKnown(errors, `${at}.onPodConditions[${i}].status`, condition.status, ['False', 'True', 'Unknown']);
    });
    if (rule.onExitCodes !== undefined && conditions.length > 0) errors.push(bare(at, 'specifying both OnExitCodes and OnPodConditions is not supported'));
    if (rule.onExitCodes === undefined && conditions.length === 0) errors.push(bare(at, 'specifying one of OnExitCodes and OnPodConditions is required'));
  });
}

/** '0,2-4' over so many completions: how many indexes, or what is wrong. Upstream: validateIndexesFormat. */
function countIndexes(text: string, completions: number): number | string {
  if (text === '') return 0;
  let last: number | undefined;
  let total = 0;
  for (const part of text.split(',')) {
    const ends = part.split('-');
    if (ends.length > 2) return `the fragment ${goQuote(part)} violates the requirement that an index interval can have at most two parts separated by '-'`;
    const numbers: number[] = [];
    for (const end of ends) {
      if (!/^[+-]?\d+$/.test(end)) return `cannot convert string to integer for index: ${goQuote(end)}`;
      const value = Number(end);
      if (value >= completions) return `too large index: ${goQuote(end)}`;
      numbers.push(value);
    }
    const first = numbers[0] as number;
    if (last !== undefined && last >= first) return `non-increasing order, previous: ${last}, current: ${first}`;
    last = first;
    if (numbers.length === 2) {
      const second = numbers[1] as number;
      if (first >= second) return `non-increasing order, previous: ${first}, current: ${second}`;
      total += second - first + 1;
      last = second;
    } else total += 1;
  }
  return total;
}

function validateSuccessRule(errors: Errors, path: string, rule: SuccessPolicyRule, completions: number): void {
  const { succeededCount: count, succeededIndexes: indexes } = rule;
  if (count === undefined && indexes === undefined) errors.push(required(path, 'at least one of succeededCount or succeededIndexes must be specified'));
  let total = 0;
  if (indexes !== undefined) {
    if (indexes.length > 65_536) errors.push(tooLong(`${path}.succeededIndexes`, 65_536));
    const counted = countIndexes(indexes, completions);
    if (typeof counted === 'string') errors.push(invalid(`${path}.succeededIndexes`, indexes, `error parsing succeededIndexes: ${counted}`));
    else total = counted;
  }
  if (count === undefined) return;
  const at = `${path}.succeededCount`;
  notNegative(errors, at, count);
  if (count > completions) errors.push(invalid(at, count, `must be less than or equal to ${completions} (the number of specified completions)`));
  if (indexes !== undefined && count > total) errors.push(invalid(at, count, `must be less than or equal to ${total} (the number of indexes in the specified succeededIndexes field)`));
}

function validateIndexed(errors: Errors, path: string, spec: JobSpec): void {
  const { completions, parallelism = 0, maxFailedIndexes } = spec;
  if (completions === undefined) errors.push(required(`${path}.completions`, 'when completion mode is Indexed'));
  if (parallelism > 100_000) errors.push(invalid(`${path}.parallelism`, parallelism, 'must be less than or equal to 100000 when completion mode is Indexed'));
  if (completions !== undefined && maxFailedIndexes !== undefined && maxFailedIndexes > completions) {
    errors.push(invalid(`${path}.maxFailedIndexes`, maxFailedIndexes, 'must be less than or equal to completions'));
  }
  if (maxFailedIndexes !== undefined && maxFailedIndexes > 100_000) errors.push(invalid(`${path}.maxFailedIndexes`, maxFailedIndexes, 'must be less than or equal to 100000'));
  if (completions === undefined || completions <= 100_000 || spec.backoffLimitPerIndex === undefined) return;
  if (maxFailedIndexes === undefined) errors.push(required(`${path}.maxFailedIndexes`, 'must be specified when completions is above 100000'));
  for (const [field, value] of [['parallelism', parallelism], ['maxFailedIndexes', maxFailedIndexes ?? 0]] as const) {
    if (value > 10_000) errors.push(invalid(`${path}.${field}`, value, 'must be less than or equal to 10000 when completions are above 100000 and used with backoff limit per index'));
  }
}

const counts = ['parallelism', 'completions', 'activeDeadlineSeconds', 'backoffLimit', 'ttlSecondsAfterFinished', 'backoffLimitPerIndex', 'maxFailedIndexes'] as const;

function validateManagedBy(errors: Errors, path: string, value: string | undefined): void {
  if (value === undefined) return;
  const slash = value.indexOf('/');
  if (value === '') errors.push(required(path));
  else if (slash < 0 || slash === value.length - 1) errors.push(invalid(path, value, 'must be a domain-prefixed path (such as "acme.io/foo")'));
  else ruled(errors, path, value.slice(0, slash), dns1123SubdomainProblems);
  if (value.length > 63) errors.push(tooLong(path, 63));
}

function validateRestart(errors: Errors, path: string, spec: JobSpec): void {
  const policy = spec.template?.spec?.restartPolicy;
  if (!policy || policy === 'Always') errors.push(required(path, 'valid values: "OnFailure", "Never"'));
  else if (policy !== 'OnFailure' && policy !== 'Never') errors.push(notSupported(path, policy, ['OnFailure', 'Never'], false));
  else if (spec.podFailurePolicy !== undefined && policy !== 'Never') errors.push(invalid(path, policy, 'only "Never" is supported when podFailurePolicy is specified'));
}

/** Upstream: validateJobSpec, without the selector. */
function validateSpecOfJob(errors: Errors, path: string, spec: JobSpec): void {
  for (const field of counts) notNegative(errors, `${path}.${field}`, spec[field]);
  if (spec.maxFailedIndexes !== undefined && spec.backoffLimitPerIndex === undefined) errors.push(required(`${path}.backoffLimitPerIndex`, 'when maxFailedIndexes is specified'));
  validateManagedBy(errors, `${path}.managedBy`, spec.managedBy);
  const mode = spec.completionMode;
  if (mode !== undefined && mode !== 'NonIndexed' && mode !== 'Indexed') errors.push(notSupported(`${path}.completionMode`, mode, ['NonIndexed', 'Indexed'], false));
  if (mode === 'Indexed') validateIndexed(errors, path, spec);
  if (mode === undefined || mode === 'NonIndexed') {
    for (const field of ['backoffLimitPerIndex', 'maxFailedIndexes'] as const) {
      if (spec[field] !== undefined) errors.push(invalid(`${path}.${field}`, spec[field], 'requires indexed completion mode'));
    }
  }
  if (spec.podFailurePolicy !== undefined) validateFailurePolicy(errors, `${path}.podFailurePolicy`, spec);
  if (spec.successPolicy !== undefined) {
    const rules = spec.successPolicy.rules ?? [];
    if (mode !== 'Indexed') {
      errors.push(invalid(`${path}.successPolicy`, innerForm('SuccessPolicy', spec.successPolicy), 'requires indexed completion mode'));
    } else {
      if (rules.length === 0) errors.push(required(`${path}.successPolicy.rules`, 'at least one rules must be specified when the successPolicy is specified'));
      if (rules.length > 20) errors.push(tooMany(`${path}.successPolicy.rules`, rules.length, 20));
      rules.forEach((rule, index) => validateSuccessRule(errors, `${path}.successPolicy.rules[${index}]`, rule, spec.completions ?? 0));
    }
  }
  const replacement = spec.podReplacementPolicy;
  const allowed = spec.podFailurePolicy === undefined ? ['Failed', 'TerminatingOrFailed'] : ['Failed'];
  if (replacement !== undefined && !allowed.includes(replacement)) errors.push(notSupported(`${path}.podReplacementPolicy`, replacement, allowed));
  validateTemplate(errors, `${path}.template`, spec.template);
  validateRestart(errors, `${path}.template.spec.restartPolicy`, spec);
}

function validateJobSpec(errors: Errors, spec: JobSpec): void {
  validateSpecOfJob(errors, 'spec', spec);
  const selector = spec.selector;
  const own: Errors = [];
  if (selector === undefined) own.push(required('spec.selector'));
  else validateLabelSelector(own, 'spec.selector', selector);
  errors.push(...own);
  if (own.length > 0 && selector !== undefined) return;
  const labels = spec.template?.metadata?.labels;
  if (!selectorMatches(selector, labels)) errors.push(invalid('spec.template.metadata.labels', sortedMap(labels), '`selector` does not match template `labels`'));
}

const uidLabels = ['controller-uid', 'batch.kubernetes.io/controller-uid'];
const nameLabels = ['job-name', 'batch.kubernetes.io/job-name'];

/** The labels and the selector that the server itself wrote. Upstream: validateGeneratedSelector. */
function validateGenerated(errors: Errors, job: Job): void {
  const { selector, template, manualSelector } = job.spec;
  if (manualSelector === true || selector === undefined) return;
  const { uid = '', name = '' } = job.metadata;
  const expected: Record<string, string> = {};
  for (const [index, label] of uidLabels.entries()) {
    expected[label] = uid;
    expected[nameLabels[index] as string] = name;
  }
  const labels = template?.metadata?.labels ?? {};
  for (const label of ['controller-uid', 'job-name', 'batch.kubernetes.io/controller-uid', 'batch.kubernetes.io/job-name']) {
    const wanted = expected[label] as string;
    const at = `spec.template.metadata.labels[${label}]`;
    if (labels[label] === undefined) errors.push(required(at, `must be '${wanted}'`));
    else if (labels[label] !== wanted) errors.push(invalid(at, sortedMap(labels), `must be '${wanted}'`));
  }
  if (!selectorMatches(selector, expected)) errors.push(invalid('spec.selector', shownSelector(selector), '`selector` not auto-generated'));
}

/** The job as prepared: selector and labels generated. */
export function validateJob(errors: Errors, job: Job): void {
  validateObjectMeta(errors, job.metadata, true, dns1123SubdomainProblems);
  validateGenerated(errors, job);
  validateJobSpec(errors, job.spec);
  const { completionMode, completions = 0 } = job.spec;
  const longest = `${job.metadata.name}-${completions - 1}`;
  if (completionMode === 'Indexed' && completions > 0 && dns1123LabelProblems(longest).length > 0) {
    errors.push(invalid('metadata.name', job.metadata.name, `will not able to create pod with invalid DNS label: ${longest}`));
  }
}

/** The template with what may change while a job is suspended taken from the new one. Upstream: validatePodTemplateUpdate. */
function mayBecome(next: PodTemplateSpec, old: PodTemplateSpec): PodSpec {
  const { nodeSelector: _1, tolerations: _2, schedulingGates: _3, affinity, ...rest } = old.spec ?? ({} as PodSpec);
  const { nodeSelector, tolerations, schedulingGates } = next.spec ?? ({} as PodSpec);
  const { nodeAffinity: _4, ...others } = affinity ?? {};
  const nodeAffinity = next.spec?.affinity?.nodeAffinity;
  const merged = { ...others, ...(nodeAffinity === undefined ? {} : { nodeAffinity }) };
  const withResources = (list: Container[] | undefined, news: Container[] | undefined) => list?.map((container, index) => {
    const other = news?.[index];
    if (other?.name !== container.name || news?.length !== list.length) return container;
    const { resources: _5, ...own } = container;
    return other.resources === undefined ? own : { ...own, resources: other.resources };
  });
  return {
    ...rest,
    ...(nodeSelector === undefined ? {} : { nodeSelector }), ...(tolerations === undefined ? {} : { tolerations }), ...(schedulingGates === undefined ? {} : { schedulingGates }),
    ...(affinity === undefined && Object.keys(merged).length === 0 ? {} : { affinity: merged }),
    containers: withResources(rest.containers, next.spec?.containers) ?? rest.containers,
    ...(rest.initContainers === undefined ? {} : { initContainers: withResources(rest.initContainers, next.spec?.initContainers) ?? [] }),
  };
}

function validateTemplateUpdate(errors: Errors, job: Job, old: Job): void {
  const next = job.spec.template;
  if (old.spec.suspend !== true || old.status?.startTime !== undefined) {
    if (!samePlain(next, old.spec.template)) errors.push(invalid('spec.template', innerForm('PodTemplateSpec', next), immutableProblem));
  } else if (!samePlain(next.spec, mayBecome(next, old.spec.template))) {
    errors.push(invalid('spec.template.spec', innerForm('PodSpec', next.spec), immutableProblem));
  }
}

const shapes = { podFailurePolicy: 'PodFailurePolicy', successPolicy: 'SuccessPolicy' } as const;

function validateFixed(errors: Errors, field: 'completionMode' | 'podFailurePolicy' | 'backoffLimitPerIndex' | 'managedBy' | 'successPolicy', spec: JobSpec, old: JobSpec): void {
  if (samePlain(spec[field], old[field])) return;
  const value = spec[field];
  const shown = (field === 'podFailurePolicy' || field === 'successPolicy') && value !== undefined ? innerForm(shapes[field], value as object) : value;
  errors.push(invalid(`spec.${field}`, shown, immutableProblem));
}

export function validateJobUpdate(errors: Errors, job: Job, old: Job): void {
  validateObjectMetaUpdate(errors, job.metadata, old.metadata);
  validateJobSpec(errors, job.spec);
  const { completionMode, completions, parallelism } = job.spec;
  if (completionMode !== 'Indexed') immutable(errors, 'spec.completions', completions, old.spec.completions);
  else if (completions !== old.spec.completions && completions !== parallelism) errors.push(invalid('spec.completions', completions, 'can only be modified in tandem with spec.parallelism'));
  immutable(errors, 'spec.selector', job.spec.selector, old.spec.selector);
  validateTemplateUpdate(errors, job, old);
  for (const field of ['completionMode', 'podFailurePolicy', 'backoffLimitPerIndex', 'managedBy', 'successPolicy'] as const) validateFixed(errors, field, job.spec, old.spec);
}

/** Simplified: a zone is known if its area is one of the IANA database's; its city is taken as it is. */
const areas = /^(UTC|GMT|Etc\/.+|EST|MST|HST|EST5EDT|CST6CDT|MST7MDT|PST8PDT|CET|MET|EET|WET|(Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Europe|Indian|Pacific|US|Canada|Brazil|Chile|Mexico)\/[A-Z].*|[A-Z][A-Za-z-]+)$/;
const knownZone = (zone: string) => areas.test(zone);

const zonePattern = /^[A-Za-z0-9_+-]+(\/[A-Za-z0-9_+-]+)*$/;

function validateTimeZone(errors: Errors, path: string, zone: string | undefined): void {
  if (zone === undefined) return;
  if (zone === '') errors.push(invalid(path, zone, 'timeZone must be nil or non-empty string'));
  else if (!zonePattern.test(zone) || !knownZone(zone)) errors.push(invalid(path, zone, 'unknown time zone ' + zone));
  else if (zone.toLowerCase() === 'local') errors.push(invalid(path, zone, 'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones'));
}

function validateCronSpec(errors: Errors, spec: CronJob['spec'], oldSchedule?: string): void {
  if (spec.schedule) {
    const problem = cronProblem(spec.schedule);
    if (problem !== undefined) errors.push(invalid('spec.schedule', spec.schedule, problem));
    if (/TZ/.test(spec.schedule)) {
      if (spec.timeZone !== undefined) errors.push(invalid('spec.schedule', spec.schedule, 'cannot use both timeZone field and TZ or CRON_TZ in schedule'));
      else if (spec.schedule !== oldSchedule) errors.push(invalid('spec.schedule', spec.schedule, 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead'));
    }
  }
  notNegative(errors, 'spec.startingDeadlineSeconds', spec.startingDeadlineSeconds);
  validateTimeZone(errors, 'spec.timeZone', spec.timeZone);
  if (!spec.concurrencyPolicy) errors.push(required('spec.concurrencyPolicy'));
  else if (!['Allow', 'Forbid', 'Replace'].includes(spec.concurrencyPolicy)) errors.push(notSupported('spec.concurrencyPolicy', spec.concurrencyPolicy, ['Allow', 'Forbid', 'Replace']));
  const inner = spec.jobTemplate?.spec as JobSpec;
  if (inner.selector !== undefined) errors.push(invalid('spec.jobTemplate.spec.selector', shownSelector(inner.selector), '`selector` will be auto-generated'));
  if (inner.manualSelector === true) errors.push(notSupported('spec.jobTemplate.spec.manualSelector', true, ['nil', 'false'], false));
  validateSpecOfJob(errors, 'spec.jobTemplate.spec', inner);
  notNegative(errors, 'spec.successfulJobsHistoryLimit', spec.successfulJobsHistoryLimit);
  notNegative(errors, 'spec.failedJobsHistoryLimit', spec.failedJobsHistoryLimit);
  if (!spec.schedule) errors.push(required('spec.schedule'));
}

/** Its jobs get eleven more characters. */
const cronNameMax = 52;

export function validateCronJob(errors: Errors, job: CronJob): void {
  validateObjectMeta(errors, job.metadata, true, dns1123SubdomainProblems);
  validateCronSpec(errors, job.spec);
  if ((job.metadata.name ?? '').length > cronNameMax) errors.push(invalid('metadata.name', job.metadata.name, `must be no more than ${cronNameMax} characters`));
}

export function validateCronJobUpdate(errors: Errors, job: CronJob, old: CronJob): void {
  validateObjectMetaUpdate(errors, job.metadata, old.metadata);
  validateCronSpec(errors, job.spec, old.spec.schedule);
}
