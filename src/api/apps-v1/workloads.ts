import { forbidden, invalid, notSupported, required } from '../meta/field-error.ts';
import { notNegative, ruled, sortedMap, type Errors } from '../meta/check.ts';
import { dns1123SubdomainProblems, percentProblems } from '../meta/names.ts';
import { immutable, validateLabelSelector, validateObjectMeta, validateObjectMetaUpdate } from '../meta/object-meta.ts';
import { isEmptySelector, selectorMatches } from '../meta/selectors.ts';
import { defaultPodSpec, fill } from '../core-v1/pod-defaults.ts';
import { shownSelector, validateAlwaysRestarts, validateOwnSelector, validateTemplate, validateTemplateLabels } from '../core-v1/template-validation.ts';
import type { DaemonSet, Deployment, IntOrString, PodSpec, PodTemplateSpec, ReplicaSet } from '../schema/types.ts';

/** Deployments, ReplicaSets, DaemonSets. Upstream: pkg/apis/apps/v1/defaults.go, pkg/apis/apps/validation/validation.go. */

export function defaultTemplate(template: PodTemplateSpec): void {
  (template as { metadata?: unknown }).metadata ??= {};
  template.spec ??= {} as PodSpec;
  (template.spec as { containers?: unknown }).containers ??= null;
  defaultPodSpec(template.spec);
}

type Workload = { spec: { template: PodTemplateSpec } };

export function begin(object: Workload): void {
  object.spec ??= {} as Workload['spec'];
  object.spec.template ??= {} as PodTemplateSpec;
  (object as { status?: unknown }).status ??= {};
  defaultTemplate(object.spec.template);
}

export function defaultDeployment(deployment: Deployment): void {
  begin(deployment);
  const spec = deployment.spec;
  fill(spec, { replicas: 1, strategy: {}, revisionHistoryLimit: 10, progressDeadlineSeconds: 600 });
  const strategy = spec.strategy ?? {};
  fill(strategy, { type: 'RollingUpdate' });
  if (strategy.type !== 'RollingUpdate') return;
  strategy.rollingUpdate = { ...strategy.rollingUpdate };
  fill(strategy.rollingUpdate, { maxUnavailable: '25%', maxSurge: '25%' });
}

export function defaultReplicaSet(replicaSet: ReplicaSet): void {
  begin(replicaSet as Workload);
  fill(replicaSet.spec, { replicas: 1 });
}

export function defaultDaemonSet(set: DaemonSet): void {
  begin(set);
  fill(set.spec, { updateStrategy: {}, revisionHistoryLimit: 10 });
  const strategy = set.spec.updateStrategy ?? {};
  fill(strategy, { type: 'RollingUpdate' });
  if (strategy.type !== 'RollingUpdate') return;
  strategy.rollingUpdate = { ...strategy.rollingUpdate };
  fill(strategy.rollingUpdate, { maxUnavailable: 1, maxSurge: 0 });
}

export function validateIntOrPercent(errors: Errors, path: string, value: IntOrString | undefined): void {
  if (typeof value === 'string') ruled(errors, path, value, percentProblems);
  else notNegative(errors, path, value);
}

const percentOf = (value: IntOrString | undefined): number | undefined => (typeof value === 'string' && /^\d+%$/.test(value) ? Number(value.slice(0, -1)) : undefined);
export const amountOf = (value: IntOrString | undefined): number => percentOf(value) ?? (typeof value === 'number' ? value : 0);

export function notOver100Percent(errors: Errors, path: string, value: IntOrString | undefined): void {
  if ((percentOf(value) ?? 0) > 100) errors.push(invalid(path, value, 'must not be greater than 100%'));
}

function validateDeploymentStrategy(errors: Errors, path: string, strategy: NonNullable<Deployment['spec']['strategy']>): void {
  const rolling = strategy.rollingUpdate;
  const at = `${path}.rollingUpdate`;
  if (strategy.type === 'Recreate') {
    if (rolling !== undefined) errors.push(forbidden(at, "may not be specified when strategy `type` is 'Recreate'"));
  } else if (strategy.type === 'RollingUpdate') {
    validateIntOrPercent(errors, `${at}.maxUnavailable`, rolling?.maxUnavailable);
    validateIntOrPercent(errors, `${at}.maxSurge`, rolling?.maxSurge);
    if (amountOf(rolling?.maxUnavailable) === 0 && amountOf(rolling?.maxSurge) === 0) {
      errors.push(invalid(`${at}.maxUnavailable`, rolling?.maxUnavailable, 'may not be 0 when `maxSurge` is 0'));
    }
    notOver100Percent(errors, `${at}.maxUnavailable`, rolling?.maxUnavailable);
  } else {
    const value = { Type: strategy.type ?? '', RollingUpdate: rolling === undefined ? null : { MaxUnavailable: rolling.maxUnavailable ?? 0, MaxSurge: rolling.maxSurge ?? 0 } };
    errors.push(notSupported(path, value, ['Recreate', 'RollingUpdate'], false));
  }
}

function validateReplicated(errors: Errors, path: string, template: PodTemplateSpec, selector: ReplicaSet['spec']['selector'] | undefined): void {
  if (selector !== undefined) validateTemplateLabels(errors, path, template, selector);
  validateTemplate(errors, path, template);
  validateAlwaysRestarts(errors, path, template, 'ReplicaSet');
}

function validateDeploymentSpec(errors: Errors, spec: Deployment['spec']): void {
  notNegative(errors, 'spec.replicas', spec.replicas);
  const usable = validateOwnSelector(errors, 'spec.selector', spec.selector, 'empty selector is invalid for deployment');
  if (!usable && spec.selector !== undefined) errors.push(invalid('spec.selector', shownSelector(spec.selector), 'invalid label selector'));
  else validateSelected(errors, spec.template, spec.selector);
  validateDeploymentStrategy(errors, 'spec.strategy', spec.strategy ?? {});
  notNegative(errors, 'spec.minReadySeconds', spec.minReadySeconds);
  notNegative(errors, 'spec.revisionHistoryLimit', spec.revisionHistoryLimit);
  const deadline = spec.progressDeadlineSeconds;
  notNegative(errors, 'spec.progressDeadlineSeconds', deadline);
  if (deadline !== undefined && deadline <= (spec.minReadySeconds ?? 0)) errors.push(invalid('spec.progressDeadlineSeconds', deadline, 'must be greater than minReadySeconds'));
}

/** A null selector selects nothing, so its labels never match. */
function validateSelected(errors: Errors, template: PodTemplateSpec, selector: ReplicaSet['spec']['selector'] | undefined): void {
  if (selector === undefined) errors.push(invalid('spec.template.metadata.labels', sortedMap(template.metadata?.labels), '`selector` does not match template `labels`'));
  validateReplicated(errors, 'spec.template', template, selector);
}

export function validateDeployment(errors: Errors, deployment: Deployment): void {
  validateObjectMeta(errors, deployment.metadata, true, dns1123SubdomainProblems);
  validateDeploymentSpec(errors, deployment.spec);
}

export function validateDeploymentUpdate(errors: Errors, deployment: Deployment, old: Deployment): void {
  validateObjectMetaUpdate(errors, deployment.metadata, old.metadata);
  validateDeploymentSpec(errors, deployment.spec);
  immutable(errors, 'spec.selector', deployment.spec.selector, old.spec.selector);
}

function validateReplicaSetSpec(errors: Errors, spec: ReplicaSet['spec']): void {
  notNegative(errors, 'spec.replicas', spec.replicas);
  notNegative(errors, 'spec.minReadySeconds', spec.minReadySeconds);
  const usable = validateOwnSelector(errors, 'spec.selector', spec.selector, 'empty selector is invalid for deployment');
  if (!usable && spec.selector !== undefined) errors.push(invalid('spec.selector', shownSelector(spec.selector), 'invalid label selector'));
  else validateSelected(errors, spec.template as PodTemplateSpec, spec.selector);
}

export function validateReplicaSet(errors: Errors, replicaSet: ReplicaSet): void {
  validateObjectMeta(errors, replicaSet.metadata, true, dns1123SubdomainProblems);
  validateReplicaSetSpec(errors, replicaSet.spec);
}

export function validateReplicaSetUpdate(errors: Errors, replicaSet: ReplicaSet, old: ReplicaSet): void {
  validateObjectMetaUpdate(errors, replicaSet.metadata, old.metadata);
  validateReplicaSetSpec(errors, replicaSet.spec);
  immutable(errors, 'spec.selector', replicaSet.spec.selector, old.spec.selector);
}

function validateDaemonStrategy(errors: Errors, path: string, strategy: NonNullable<DaemonSet['spec']['updateStrategy']>): void {
  const rolling = strategy.rollingUpdate;
  const at = `${path}.rollingUpdate`;
  if (strategy.type === 'OnDelete') return;
  if (strategy.type !== 'RollingUpdate') {
    const value = { Type: strategy.type ?? '', RollingUpdate: rolling === undefined ? null : { MaxUnavailable: rolling.maxUnavailable ?? 0, MaxSurge: rolling.maxSurge ?? 0 } };
    errors.push(notSupported(path, value, ['RollingUpdate', 'OnDelete'], false));
    return;
  }
  for (const check of [validateIntOrPercent, notOver100Percent]) for (const field of ['maxUnavailable', 'maxSurge'] as const) check(errors, `${at}.${field}`, rolling?.[field]);
  const unavailable = amountOf(rolling?.maxUnavailable) !== 0;
  const surge = amountOf(rolling?.maxSurge) !== 0;
  if (unavailable && surge) errors.push(invalid(`${at}.maxSurge`, rolling?.maxSurge, 'may not be set when maxUnavailable is non-zero'));
  if (!unavailable && !surge) errors.push(required(`${at}.maxUnavailable`, 'cannot be 0 when maxSurge is 0'));
}

function validateDaemonSpec(errors: Errors, spec: DaemonSet['spec']): void {
  const { selector, template } = spec;
  const own: Errors = [];
  validateLabelSelector(own, 'spec.selector', selector);
  errors.push(...own);
  if (own.length === 0 && !selectorMatches(selector, template.metadata?.labels)) errors.push(invalid('spec.template.metadata.labels', sortedMap(template.metadata?.labels), '`selector` does not match template `labels`'));
  if (selector !== undefined && isEmptySelector(selector)) errors.push(invalid('spec.selector', shownSelector(selector), 'empty selector is invalid for daemonset'));
  validateTemplate(errors, 'spec.template', template);
  validateAlwaysRestarts(errors, 'spec.template', template, 'DaemonSet');
  notNegative(errors, 'spec.minReadySeconds', spec.minReadySeconds);
  validateDaemonStrategy(errors, 'spec.updateStrategy', spec.updateStrategy ?? {});
  notNegative(errors, 'spec.revisionHistoryLimit', spec.revisionHistoryLimit);
}

export function validateDaemonSet(errors: Errors, set: DaemonSet): void {
  validateObjectMeta(errors, set.metadata, true, dns1123SubdomainProblems);
  validateDaemonSpec(errors, set.spec);
}

export function validateDaemonSetUpdate(errors: Errors, set: DaemonSet, old: DaemonSet): void {
  validateObjectMetaUpdate(errors, set.metadata, old.metadata);
  immutable(errors, 'spec.selector', set.spec.selector, old.spec.selector);
  validateDaemonSpec(errors, set.spec);
}
