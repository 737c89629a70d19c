import { samePlain } from '../../sim/plain.ts';
import { invalid, notSupported, required, tooLong, tooMany } from '../meta/field-error.ts';
import { notNegative, ruled, sortedMap, type Errors } from '../meta/check.ts';
import { dns1123LabelProblems, dns1123SubdomainProblems } from '../meta/names.ts';
import { immutable, immutableProblem, validateLabelSelector, validateObjectMeta, validateObjectMetaUpdate } from '../meta/object-meta.ts';
import { selectorMatches } from '../meta/selectors.ts';
import { defaultTemplate } from '../apps-v1/workloads.ts';
import { innerForm } from '../inner-form.ts';
import { fill } from '../core-v1/pod-defaults.ts';
import { shownSelector, validateTemplate } from '../core-v1/template-validation.ts';
import type { Container, Job, JobSpec, PodSpec, PodTemplateSpec } from '../schema/types.ts';
import { validateFailurePolicy, validateSuccessRule, validateIndexed } from './job-policies.ts';

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
export function validateSpecOfJob(errors: Errors, path: string, spec: JobSpec): void {
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
