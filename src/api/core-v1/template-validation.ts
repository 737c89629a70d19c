import { forbidden, invalid, notSupported } from '../meta/field-error.ts';
import type { Errors } from '../meta/check.ts';
import { validateAnnotations, validateLabelSelector, validateLabels } from '../meta/object-meta.ts';
import { isEmptySelector, selectorMatches } from '../meta/selectors.ts';
import type { LabelSelector, PodTemplateSpec } from '../schema/types.ts';
import { required } from '../meta/field-error.ts';
import { validatePodAnnotations, validatePodSpec } from './pod-validation.ts';

/** Upstream: pkg/apis/core/validation ValidatePodTemplateSpec. */
export function validateTemplate(errors: Errors, path: string, template: PodTemplateSpec | undefined): void {
  const metadata = template?.metadata;
  validateLabels(errors, `${path}.labels`, metadata?.labels);
  validateAnnotations(errors, `${path}.annotations`, metadata?.annotations);
  validatePodAnnotations(errors, metadata?.annotations, template?.spec ?? { containers: [] }, `${path}.annotations`);
  validatePodSpec(errors, `${path}.spec`, template?.spec ?? { containers: [] }, '', false);
  if ((template?.spec?.ephemeralContainers ?? []).length > 0) errors.push(forbidden(`${path}.spec.ephemeralContainers`, 'ephemeral containers not allowed in pod template'));
}

const labelsMismatch = '`selector` does not match template `labels`';

export function validateTemplateLabels(errors: Errors, path: string, template: PodTemplateSpec | undefined, selector: LabelSelector): void {
  const labels = template?.metadata?.labels;
  if (!isEmptySelector(selector) && !selectorMatches(selector, labels)) errors.push(invalid(`${path}.metadata.labels`, labels, labelsMismatch));
}

export function validateAlwaysRestarts(errors: Errors, path: string, template: PodTemplateSpec | undefined, kind: string): void {
  const spec = template?.spec;
  if (spec?.restartPolicy !== 'Always') errors.push(notSupported(`${path}.spec.restartPolicy`, spec?.restartPolicy, ['Always']));
  if (spec?.activeDeadlineSeconds !== undefined) errors.push(forbidden(`${path}.spec.activeDeadlineSeconds`, `activeDeadlineSeconds in ${kind} is not Supported`));
}

/** A selector that must be there and must not be empty. False where it cannot be used. */
export function validateOwnSelector(errors: Errors, path: string, selector: LabelSelector | undefined, emptyProblem: string): selector is LabelSelector {
  if (selector === undefined) {
    errors.push(required(path));
    return false;
  }
  validateLabelSelector(errors, path, selector);
  if (isEmptySelector(selector)) errors.push(invalid(path, selector, emptyProblem));
  return (selector.matchExpressions ?? []).every(({ operator, values = [] }) => usable(operator, values.length));
}

const usable = (operator: string, values: number) =>
  operator === 'In' || operator === 'NotIn' ? values > 0 : (operator === 'Exists' || operator === 'DoesNotExist') && values === 0;
