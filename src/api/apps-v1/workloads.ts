import { samePlain } from '../../sim/plain.ts';
import { forbidden, invalid, notSupported, required } from '../meta/field-error.ts';
import { notNegative, ruled, sortedMap, type Errors } from '../meta/check.ts';
import { dns1123LabelProblems, dns1123SubdomainProblems, percentProblems } from '../meta/names.ts';
import { immutable, immutableProblem, validateLabelSelector, validateObjectMeta, validateObjectMetaUpdate } from '../meta/object-meta.ts';
import { isEmptySelector, selectorMatches } from '../meta/selectors.ts';
import { innerForm } from '../inner-form.ts';
import { validateClaimSpec } from '../core-v1/claim-validation.ts';
import { defaultClaimSpec, defaultPodSpec, fill } from '../core-v1/pod-defaults.ts';
import { shownSelector, validateAlwaysRestarts, validateOwnSelector, validateTemplate, validateTemplateLabels } from '../core-v1/template-validation.ts';
import type { DaemonSet, Deployment, IntOrString, PersistentVolumeClaim, PodSpec, PodTemplateSpec, ReplicaSet, ReplicationController, StatefulSet, Volume } from '../schema/types.ts';

/** ReplicationControllers, Deployments, ReplicaSets, StatefulSets, DaemonSets. Upstream: pkg/apis/apps/v1/defaults.go, pkg/apis/apps/validation/validation.go. */

export function defaultTemplate(template: PodTemplateSpec): void {
  (template as { metadata?: unknown }).metadata ??= {};
  template.spec ??= {} as PodSpec;
  (template.spec as { containers?: unknown }).containers ??= null;
  defaultPodSpec(template.spec);
}

type Workload = { spec: { template: PodTemplateSpec } };

function begin(object: Workload): void {
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

export function defaultStatefulSet(set: StatefulSet): void {
  begin(set);
  const spec = set.spec;
  fill(spec, { podManagementPolicy: 'OrderedReady', updateStrategy: {}, replicas: 1, revisionHistoryLimit: 10, persistentVolumeClaimRetentionPolicy: {}, serviceName: '' });
  const strategy = spec.updateStrategy ?? {};
  if (!strategy.type) {
    strategy.type = 'RollingUpdate';
    strategy.rollingUpdate ??= {};
  }
  if (spec.ordinals !== undefined) fill(spec.ordinals, { start: 0 });
  if (strategy.rollingUpdate !== undefined && strategy.type === 'RollingUpdate') fill(strategy.rollingUpdate, { partition: 0, maxUnavailable: 1 });
  fill(spec.persistentVolumeClaimRetentionPolicy ?? {}, { whenDeleted: 'Retain', whenScaled: 'Retain' });
  for (const claim of spec.volumeClaimTemplates ?? []) {
    const plain = claim as unknown as Record<string, unknown>;
    fill(plain, { apiVersion: 'v1', kind: 'PersistentVolumeClaim', spec: {}, metadata: {} });
    plain.status = { phase: 'Pending', ...(plain.status as object | undefined) };
    defaultClaimSpec(claim.spec);
  }
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
const amountOf = (value: IntOrString | undefined): number => percentOf(value) ?? (typeof value === 'number' ? value : 0);

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

function validateStatefulStrategy(errors: Errors, path: string, strategy: NonNullable<StatefulSet['spec']['updateStrategy']>): void {
  const rolling = strategy.rollingUpdate;
  const inner = rolling === undefined ? null : { Partition: rolling.partition ?? 0, MaxUnavailable: rolling.maxUnavailable ?? null };
  if (!strategy.type) errors.push(required(path));
  else if (strategy.type === 'OnDelete') {
    if (rolling !== undefined) errors.push(invalid(`${path}.rollingUpdate`, inner, "only allowed for updateStrategy 'RollingUpdate'"));
  } else if (strategy.type === 'RollingUpdate') {
    notNegative(errors, `${path}.rollingUpdate.partition`, rolling?.partition);
    const max = rolling?.maxUnavailable;
    if (max === undefined) return;
    const at = `${path}.rollingUpdate.maxUnavailable`;
    validateIntOrPercent(errors, at, max);
    if (amountOf(max) === 0) errors.push(invalid(at, max, 'cannot be 0'));
    notOver100Percent(errors, at, max);
  } else errors.push(invalid(path, { Type: strategy.type, RollingUpdate: inner }, "must be 'RollingUpdate' or 'OnDelete'"));
}

/** The template as its pods will have it: claims are volumes, names come from the set. */
function templateOfStateful(spec: StatefulSet['spec']): PodTemplateSpec {
  const claims = spec.volumeClaimTemplates ?? [];
  const { subdomain: _s, hostname: _h, ...rest } = spec.template.spec ?? ({} as PodSpec);
  const names = [...new Set(claims.map((claim: PersistentVolumeClaim) => claim.metadata.name ?? ''))];
  const added: Volume[] = names.map((name) => ({ name, persistentVolumeClaim: { claimName: name } }));
  const own = (rest.volumes ?? []).filter((volume) => !added.some((claim) => claim.name === volume.name));
  return { ...spec.template, spec: { ...rest, volumes: [...added, ...own] } };
}

function validateStatefulSpec(errors: Errors, spec: StatefulSet['spec'], isNew: boolean): void {
  const policy = spec.podManagementPolicy;
  if (!policy) errors.push(required('spec.podManagementPolicy'));
  else if (policy !== 'OrderedReady' && policy !== 'Parallel') errors.push(invalid('spec.podManagementPolicy', policy, "must be 'OrderedReady' or 'Parallel'"));
  validateStatefulStrategy(errors, 'spec.updateStrategy', spec.updateStrategy ?? {});
  for (const field of ['whenDeleted', 'whenScaled'] as const) {
    const value = spec.persistentVolumeClaimRetentionPolicy?.[field];
    if (value !== 'Retain' && value !== 'Delete') errors.push(notSupported(`spec.persistentVolumeClaimRetentionPolicy.${field}`, value, ['Retain', 'Delete'], false));
  }
  if (isNew) spec.volumeClaimTemplates?.forEach((claim, index) => validateClaimSpec(errors, `spec.volumeClaimTemplates[${index}].spec`, claim.spec));
  notNegative(errors, 'spec.replicas', spec.replicas);
  notNegative(errors, 'spec.minReadySeconds', spec.minReadySeconds);
  notNegative(errors, 'spec.ordinals.start', spec.ordinals?.start);
  if (isNew && spec.serviceName) ruled(errors, 'spec.serviceName', spec.serviceName, dns1123LabelProblems);
  const usable = validateOwnSelector(errors, 'spec.selector', spec.selector, 'empty selector is invalid for statefulset');
  if (!usable && spec.selector !== undefined) errors.push(invalid('spec.selector', shownSelector(spec.selector), ''));
  else {
    const template = templateOfStateful(spec);
    if (spec.selector === undefined) errors.push(invalid('spec.template.metadata.labels', sortedMap(template.metadata?.labels), '`selector` does not match template `labels`'));
    else validateTemplateLabels(errors, 'spec.template', template, spec.selector);
    validateTemplate(errors, 'spec.template', template);
  }
  validateAlwaysRestarts(errors, 'spec.template', spec.template, 'StatefulSet');
}

export function validateStatefulSet(errors: Errors, set: StatefulSet): void {
  validateObjectMeta(errors, set.metadata, true, dns1123LabelProblems);
  validateStatefulSpec(errors, set.spec, true);
}

export function validateStatefulSetUpdate(errors: Errors, set: StatefulSet, old: StatefulSet): void {
  validateObjectMetaUpdate(errors, set.metadata, old.metadata);
  validateStatefulSpec(errors, set.spec, false);
  if (!samePlain(set.spec.selector, old.spec.selector)) errors.push(invalid('spec.selector', shownSelector(set.spec.selector ?? {}), immutableProblem));
  const claims = set.spec.volumeClaimTemplates;
  if (!samePlain(claims ?? [], old.spec.volumeClaimTemplates ?? [])) {
    errors.push(invalid('spec.volumeClaimTemplates', claims?.map((claim) => innerForm('PersistentVolumeClaim', claim)) ?? null, immutableProblem));
  }
  for (const field of ['serviceName', 'podManagementPolicy'] as const) immutable(errors, `spec.${field}`, set.spec[field], old.spec[field]);
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

export function defaultReplicationController(controller: ReplicationController): void {
  (controller as { spec?: unknown }).spec ??= {};
  (controller as { status?: unknown }).status ??= {};
  const spec = controller.spec;
  fill(spec, { replicas: 1 });
  if (spec.template === undefined) return;
  defaultTemplate(spec.template);
  // What the controller does not say about itself it takes from its template.
  const labels = spec.template.metadata?.labels;
  if (labels === undefined) return;
  if (Object.keys(spec.selector ?? {}).length === 0) spec.selector = { ...labels };
  if (Object.keys(controller.metadata.labels ?? {}).length === 0) controller.metadata.labels = { ...labels };
}

function validateControllerSpec(errors: Errors, spec: ReplicationController['spec']): void {
  const matchLabels = spec.selector ?? {};
  const empty = Object.keys(matchLabels).length === 0;
  notNegative(errors, 'spec.minReadySeconds', spec.minReadySeconds);
  if (empty) errors.push(required('spec.selector'));
  notNegative(errors, 'spec.replicas', spec.replicas);
  if (spec.template === undefined) {
    errors.push(required('spec.template'));
    return;
  }
  if (!empty) validateTemplateLabels(errors, 'spec.template', spec.template, { matchLabels });
  validateTemplate(errors, 'spec.template', spec.template);
  validateAlwaysRestarts(errors, 'spec.template', spec.template, 'ReplicationController');
}

export function validateReplicationController(errors: Errors, controller: ReplicationController): void {
  validateObjectMeta(errors, controller.metadata, true, dns1123SubdomainProblems);
  validateControllerSpec(errors, controller.spec);
}

export function validateReplicationControllerUpdate(errors: Errors, controller: ReplicationController, old: ReplicationController): void {
  validateObjectMetaUpdate(errors, controller.metadata, old.metadata);
  validateControllerSpec(errors, controller.spec);
}
