import { compareText, samePlain } from '../../sim/plain.ts';
import { duplicate, forbidden, invalid, required } from '../meta/field-error.ts';
import { ruled, sortedEntries, type Errors } from '../meta/check.ts';
import { dns1123SubdomainProblems, labelKeyProblems } from '../meta/names.ts';
import { validateObjectMeta, validateObjectMetaUpdate } from '../meta/object-meta.ts';
import { compareQuantity, quantityToMilli } from '../quantity.ts';
import type { LimitRange, LimitRangeItem, ResourceQuota, ResourceQuotaSpec } from '../schema/types.ts';
import { fill, roundResources } from './pod-defaults.ts';
import { isHugePages, validateContainerResourceName, validateQuantityValue, validateResourceName } from './resource-validation.ts';

/** Limit ranges and resource quotas. */

type List = Record<string, string>;

export function defaultLimitRange(range: LimitRange): void {
  (range as { spec?: unknown }).spec ??= {};
  const spec = range.spec as { limits?: LimitRangeItem[] | null };
  spec.limits ??= null;
  for (const item of spec.limits ?? []) {
    roundResources(item.default, item.defaultRequest, item.max, item.min, item.maxLimitRequestRatio);
    if (item.type !== 'Container') continue;
    // What is not said follows from what is: the maximum is the default limit, the limit the default request, else the minimum.
    const fallback = (into: 'default' | 'defaultRequest', from: List | undefined) => {
      for (const name in from) (item[into] ??= {})[name] ??= from[name] as string;
    };
    fallback('default', item.max);
    fallback('defaultRequest', item.default);
    fallback('defaultRequest', item.min);
  }
}

function validateItem(errors: Errors, path: string, item: LimitRangeItem): void {
  const inContainer = item.type === 'Pod' || item.type === 'Container';
  const nameRule = inContainer ? validateContainerResourceName : validateResourceName;
  const names = new Set<string>();
  const take = (field: 'max' | 'min' | 'default' | 'defaultRequest' | 'maxLimitRequestRatio') => {
    for (const [name] of sortedEntries(item[field])) {
      nameRule(errors, `${path}.${field}[${name}]`, name);
      names.add(name);
    }
  };
  take('max');
  take('min');
  if (item.type === 'Pod') {
    for (const field of ['default', 'defaultRequest'] as const) {
      if (Object.keys(item[field] ?? {}).length > 0) errors.push(forbidden(`${path}.${field}`, "may not be specified when `type` is 'Pod'"));
    }
  } else {
    take('default');
    take('defaultRequest');
  }
  if (item.type === 'PersistentVolumeClaim' && item.min?.storage === undefined && item.max?.storage === undefined) {
    errors.push(required(`${path}.limits`, 'either minimum or maximum storage value is required, but neither was provided'));
  }
  take('maxLimitRequestRatio');
  for (const name of [...names].sort(compareText)) compareAmounts(errors, path, item, name);
}

function compareAmounts(errors: Errors, path: string, item: LimitRangeItem, name: string): void {
  const min = item.min?.[name];
  const max = item.max?.[name];
  const limit = item.type === 'Pod' ? undefined : item.default?.[name];
  const request = item.type === 'Pod' ? undefined : item.defaultRequest?.[name];
  const ratio = item.maxLimitRequestRatio?.[name];
  const wrong = (field: string, shown: string, a: string | undefined, b: string | undefined, words: string, other: string) => {
    if (a !== undefined && b !== undefined && compareQuantity(a, b) > 0) errors.push(invalid(`${path}.${field}[${name}]`, shown, `${words} ${a} is greater than ${other} ${b}`));
  };
  wrong('min', min ?? '', min, max, 'min value', 'max value');
  wrong('defaultRequest', request ?? '', min, request, 'min value', 'default request value');
  wrong('defaultRequest', request ?? '', request, max, 'default request value', 'max value');
  wrong('defaultRequest', request ?? '', request, limit, 'default request value', 'default limit value');
  wrong('default', min ?? '', min, limit, 'min value', 'default value');
  wrong('default', max ?? '', limit, max, 'default value', 'max value');
  const at = `${path}.maxLimitRequestRatio[${name}]`;
  if (ratio !== undefined && compareQuantity(ratio, '1') < 0) errors.push(invalid(at, ratio, `ratio ${ratio} is less than 1`));
  if (ratio === undefined || min === undefined || max === undefined) return;
  const most = quantityToMilli(max) / quantityToMilli(min);
  if (quantityToMilli(ratio) / 1000 > most) errors.push(invalid(at, ratio, `ratio ${ratio} is greater than max/min = ${most.toFixed(6)}`));
}

const limitTypes = ['Pod', 'Container', 'PersistentVolumeClaim'];

export function validateLimitRange(errors: Errors, range: LimitRange): void {
  validateObjectMeta(errors, range.metadata, true, dns1123SubdomainProblems);
  const seen = new Set<string>();
  range.spec?.limits?.forEach((item, index) => {
    const at = `spec.limits[${index}]`;
    const type = item.type ?? '';
    if (ruled(errors, `${at}.type`, type, labelKeyProblems) && !type.includes('/') && !limitTypes.includes(type)) {
      errors.push(invalid(`${at}.type`, type, 'must be a standard limit type or fully qualified'));
    }
    if (seen.has(type)) errors.push(duplicate(`${at}.type`, type));
    seen.add(type);
    validateItem(errors, at, item);
  });
}

export function validateLimitRangeUpdate(errors: Errors, range: LimitRange, _old: LimitRange): void {
  validateLimitRange(errors, range);
}

export function defaultQuota(quota: ResourceQuota): void {
  (quota as { spec?: unknown }).spec ??= {};
  (quota as { status?: unknown }).status ??= {};
  roundResources(quota.spec?.hard);
  fill(quota, { status: {} });
}

const podScopes = ['Terminating', 'NotTerminating', 'NotBestEffort', 'PriorityClass', 'CrossNamespacePodAffinity'];
const scopes = [...podScopes, 'BestEffort', 'VolumeAttributesClass'];
const computeResources = ['pods', 'cpu', 'memory', 'limits.cpu', 'limits.memory', 'requests.cpu', 'requests.memory'];
const quotaResources = [...computeResources, 'ephemeral-storage', 'requests.storage', 'requests.ephemeral-storage', 'limits.ephemeral-storage', 'resourcequotas', 'services',
  'replicationcontrollers', 'secrets', 'persistentvolumeclaims', 'configmaps', 'services.nodeports', 'services.loadbalancers'];

const isQuotaResource = (name: string) => quotaResources.includes(name) || isHugePages(name) || name.startsWith('requests.hugepages-');

function scopeFits(scope: string, resource: string): boolean {
  if (scope === 'BestEffort') return resource === 'pods';
  if (scope === 'VolumeAttributesClass') return resource === 'persistentvolumeclaims' || resource === 'requests.storage';
  return !podScopes.includes(scope) || computeResources.includes(resource);
}

function conflicting(names: readonly string[]): number {
  return [['BestEffort', 'NotBestEffort'], ['Terminating', 'NotTerminating']].filter((pair) => pair.every((scope) => names.includes(scope))).length;
}

function validateScopes(errors: Errors, spec: ResourceQuotaSpec, hard: readonly string[]): void {
  const given = spec.scopes ?? [];
  for (const scope of given) {
    if (!scopes.includes(scope)) errors.push(invalid('spec.scopes', given, 'unsupported scope'));
    for (const name of hard) if (isQuotaResource(name) && !scopeFits(scope, name)) errors.push(invalid('spec.scopes', given, 'unsupported scope applied to resource'));
  }
  for (let i = conflicting(given); i > 0; i--) errors.push(invalid('spec.scopes', given, 'conflicting scopes'));
}

function validateScopeSelector(errors: Errors, spec: ResourceQuotaSpec, hard: readonly string[]): void {
  const path = 'spec.scopeSelector.matchExpressions';
  const rules = spec.scopeSelector?.matchExpressions ?? [];
  for (const rule of rules) {
    const scope = rule.scopeName ?? '';
    const values = rule.values ?? [];
    if (!scopes.includes(scope)) errors.push(invalid(`${path}.scopeName`, scope, 'unsupported scope'));
    for (const name of hard) {
      if (!isQuotaResource(name) || scopeFits(scope, name)) continue;
      const shown = { MatchExpressions: rules.map((item) => ({ ScopeName: item.scopeName, Operator: item.operator, Values: item.values ?? null })) };
      errors.push(invalid(path, shown, 'unsupported scope applied to resource'));
    }
    if (['BestEffort', 'NotBestEffort', 'Terminating', 'NotTerminating', 'CrossNamespacePodAffinity'].includes(scope) && rule.operator !== 'Exists') {
      errors.push(invalid(`${path}.operator`, rule.operator ?? '', "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity"));
    }
    if (rule.operator === 'In' || rule.operator === 'NotIn') {
      if (values.length === 0) errors.push(required(`${path}.values`, "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector"));
    } else if (rule.operator === 'Exists' || rule.operator === 'DoesNotExist') {
      if (values.length > 0) errors.push(invalid(`${path}.values`, values, "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector"));
    } else errors.push(invalid(`${path}.operator`, rule.operator ?? '', 'not a valid selector operator'));
  }
  for (let i = conflicting(rules.map((rule) => rule.scopeName)); i > 0; i--) errors.push(invalid('spec.scopes', spec.scopes ?? null, 'conflicting scopes'));
}

function validateHard(errors: Errors, path: string, list: List | undefined): void {
  for (const [name, quantity] of sortedEntries(list)) {
    const at = `${path}[${name}]`;
    validateResourceName(errors, at, name);
    if (!name.includes('/') && !isQuotaResource(name)) errors.push(invalid(at, name, 'must be a standard resource for quota'));
    validateQuantityValue(errors, at, name, quantity);
  }
}

export function validateQuota(errors: Errors, quota: ResourceQuota): void {
  validateObjectMeta(errors, quota.metadata, true, dns1123SubdomainProblems);
  const spec = quota.spec ?? {};
  const hard = Object.keys(spec.hard ?? {}).sort(compareText);
  validateHard(errors, 'spec.hard', spec.hard);
  validateScopes(errors, spec, hard);
  if (spec.scopeSelector !== undefined) validateScopeSelector(errors, spec, hard);
}

export function validateQuotaUpdate(errors: Errors, quota: ResourceQuota, old: ResourceQuota): void {
  validateObjectMetaUpdate(errors, quota.metadata, old.metadata);
  const spec = quota.spec ?? {};
  const hard = Object.keys(spec.hard ?? {}).sort(compareText);
  validateHard(errors, 'spec.hard', spec.hard);
  validateScopes(errors, spec, hard);
  if (spec.scopeSelector !== undefined) validateScopeSelector(errors, spec, hard);
  const sorted = (list: readonly string[] | undefined) => (list ?? []).toSorted(compareText);
  if (!samePlain(sorted(spec.scopes), sorted(old.spec?.scopes))) errors.push(invalid('spec.scopes', spec.scopes ?? null, 'field is immutable'));
}

