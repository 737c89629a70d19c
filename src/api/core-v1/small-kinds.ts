import { forbidden, invalid, required } from '../meta/field-error.ts';
import { ifOneOf, notNegative, oneOf, type Errors } from '../meta/check.ts';
import { dns1123SubdomainProblems } from '../meta/names.ts';
import { immutable, validateObjectMeta, validateObjectMetaUpdate } from '../meta/object-meta.ts';
import type { ControllerRevision, Lease, PodTemplate, PriorityClass } from '../schema/types.ts';
import { defaultTemplate } from '../apps-v1/workloads.ts';
import { fill } from './pod-defaults.ts';
import { validateTemplate } from './template-validation.ts';

/** Kinds with a handful of rules each: PriorityClass, Lease, ControllerRevision, PodTemplate. */

export function defaultPriorityClass(item: PriorityClass): void {
  fill(item, { preemptionPolicy: 'PreemptLowerPriority', value: 0 });
}

const systemClasses: Readonly<Record<string, number>> = { 'system-node-critical': 2_000_001_000, 'system-cluster-critical': 2_000_000_000 };
const userMax = 1_000_000_000;

/** Upstream: pkg/apis/scheduling/validation. */
export function validatePriorityClass(errors: Errors, item: PriorityClass): void {
  validateObjectMeta(errors, item.metadata, false, dns1123SubdomainProblems);
  const name = item.metadata.name ?? '';
  if (name.startsWith('system-')) {
    const value = systemClasses[name];
    const why = value === undefined ? `${name} is not a known system priority class`
      : value !== item.value ? `value of ${name} PriorityClass must be ${value}`
      : item.globalDefault === true ? `globalDefault of ${name} PriorityClass must be false` : undefined;
    if (why !== undefined) errors.push(forbidden('metadata.name', `priority class names with 'system-' prefix are reserved for system use only. error: ${why}`));
  } else if ((item.value ?? 0) > userMax) errors.push(forbidden('value', `maximum allowed value of a user defined priority is ${userMax}`));
  if (item.preemptionPolicy !== undefined) oneOf(errors, 'preemptionPolicy', item.preemptionPolicy, ['PreemptLowerPriority', 'Never'], false);
}

export function validatePriorityClassUpdate(errors: Errors, item: PriorityClass, old: PriorityClass): void {
  validateObjectMetaUpdate(errors, item.metadata, old.metadata);
  if ((item.value ?? 0) !== (old.value ?? 0)) errors.push(forbidden('value', 'may not be changed in an update.'));
  immutable(errors, 'preemptionPolicy', item.preemptionPolicy, old.preemptionPolicy);
}

export function defaultLease(lease: Lease): void {
  (lease as { spec?: unknown }).spec ??= {};
}

/** Upstream: pkg/apis/coordination/validation. */
function validateLeaseSpec(errors: Errors, spec: NonNullable<Lease['spec']>): void {
  if (spec.leaseDurationSeconds !== undefined && spec.leaseDurationSeconds <= 0) errors.push(invalid('spec.leaseDurationSeconds', spec.leaseDurationSeconds, 'must be greater than 0'));
  notNegative(errors, 'spec.leaseTransitions', spec.leaseTransitions);
  ifOneOf(errors, 'spec.strategy', spec.strategy, ['OldestEmulationVersion']);
  if (spec.preferredHolder && !spec.strategy) errors.push(forbidden('spec.preferredHolder', 'may only be specified if `strategy` is defined'));
}

export function validateLease(errors: Errors, lease: Lease): void {
  validateObjectMeta(errors, lease.metadata, true, dns1123SubdomainProblems, false);
  validateLeaseSpec(errors, lease.spec ?? {});
}

export function validateLeaseUpdate(errors: Errors, lease: Lease, old: Lease): void {
  validateObjectMetaUpdate(errors, lease.metadata, old.metadata, false);
  validateLeaseSpec(errors, lease.spec ?? {});
}

export function validateRevision(errors: Errors, item: ControllerRevision): void {
  validateObjectMeta(errors, item.metadata, true, dns1123SubdomainProblems);
  notNegative(errors, 'revision', item.revision);
  if (item.data === undefined || item.data === null) errors.push(required('data', 'data is mandatory'));
}

export function validateRevisionUpdate(errors: Errors, item: ControllerRevision, old: ControllerRevision): void {
  validateObjectMetaUpdate(errors, item.metadata, old.metadata);
  validateRevision(errors, item);
  immutable(errors, 'data', item.data, old.data);
}

export function defaultPodTemplate(item: PodTemplate): void {
  defaultTemplate((item.template ??= {}));
}

export function validatePodTemplate(errors: Errors, item: PodTemplate): void {
  validateObjectMeta(errors, item.metadata, true, dns1123SubdomainProblems);
  validateTemplate(errors, 'template', item.template);
}
