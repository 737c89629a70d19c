import { invalid } from '../meta/field-error.ts';
import { ifOneOf, type Errors } from '../meta/check.ts';
import { pathSegmentProblems } from '../meta/names.ts';
import { validateLabelSelector, validateObjectMeta, validateObjectMetaUpdate } from '../meta/object-meta.ts';
import { notOver100Percent, validateIntOrPercent } from '../apps-v1/workloads.ts';
import { shownSelector } from '../core-v1/template-validation.ts';
import type { PodDisruptionBudget } from '../schema/types.ts';

export function defaultDisruptionBudget(budget: PodDisruptionBudget): void {
  (budget as { spec?: unknown }).spec ??= {};
}

/** Upstream: pkg/apis/policy/validation. */
function validateSpec(errors: Errors, spec: PodDisruptionBudget['spec']): void {
  if (spec.minAvailable !== undefined && spec.maxUnavailable !== undefined) {
    const shown = {
      MinAvailable: spec.minAvailable, Selector: spec.selector === undefined ? null : shownSelector(spec.selector),
      MaxUnavailable: spec.maxUnavailable, UnhealthyPodEvictionPolicy: spec.unhealthyPodEvictionPolicy ?? null,
    };
    errors.push(invalid('spec', shown, 'minAvailable and maxUnavailable cannot be both set'));
  }
  for (const field of ['minAvailable', 'maxUnavailable'] as const) {
    validateIntOrPercent(errors, `spec.${field}`, spec[field]);
    notOver100Percent(errors, `spec.${field}`, spec[field]);
  }
  validateLabelSelector(errors, 'spec.selector', spec.selector);
  ifOneOf(errors, 'spec.unhealthyPodEvictionPolicy', spec.unhealthyPodEvictionPolicy, ['AlwaysAllow', 'IfHealthyBudget']);
}

export function validateDisruptionBudget(errors: Errors, budget: PodDisruptionBudget): void {
  validateSpec(errors, budget.spec);
  validateObjectMeta(errors, budget.metadata, true, pathSegmentProblems, false);
}

export function validateDisruptionBudgetUpdate(errors: Errors, budget: PodDisruptionBudget, old: PodDisruptionBudget): void {
  validateObjectMetaUpdate(errors, budget.metadata, old.metadata, false);
  validateSpec(errors, budget.spec);
}
