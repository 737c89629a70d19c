import { samePlain } from '../../sim/plain.ts';
import { invalid, notSupported, required } from '../meta/field-error.ts';
import { notNegative, ruled, sortedMap, type Errors } from '../meta/check.ts';
import { dns1123LabelProblems } from '../meta/names.ts';
import { immutable, immutableProblem, validateObjectMeta, validateObjectMetaUpdate } from '../meta/object-meta.ts';
import { innerForm } from '../inner-form.ts';
import { validateClaimSpec } from '../core-v1/claim-validation.ts';
import { defaultClaimSpec, fill } from '../core-v1/pod-defaults.ts';
import { shownSelector, validateAlwaysRestarts, validateOwnSelector, validateTemplate, validateTemplateLabels } from '../core-v1/template-validation.ts';
import type { PersistentVolumeClaim, PodSpec, PodTemplateSpec, StatefulSet, Volume } from '../schema/types.ts';
import { amountOf, begin, notOver100Percent, validateIntOrPercent } from './workloads.ts';

/** Upstream: pkg/apis/apps/v1/defaults.go SetDefaults_StatefulSet, pkg/apis/apps/validation/validation.go ValidateStatefulSet. */

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
