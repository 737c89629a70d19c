import { forbidden, invalid, notSupported, required } from '../meta/field-error.ts';
import { sortedMap, type Errors } from '../meta/check.ts';
import { validateAnnotations, validateLabelSelector, validateLabels } from '../meta/object-meta.ts';
import { isEmptySelector, selectorMatches } from '../meta/selectors.ts';
import type { LabelSelector, PodTemplateSpec } from '../schema/types.ts';
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
  if (!isEmptySelector(selector) && !selectorMatches(selector, labels)) errors.push(invalid(`${path}.metadata.labels`, sortedMap(labels), labelsMismatch));
}

export function validateAlwaysRestarts(errors: Errors, path: string, template: PodTemplateSpec | undefined, kind: string): void {
  const spec = template?.spec;
  if (spec?.restartPolicy !== 'Always') errors.push(notSupported(`${path}.spec.restartPolicy`, spec?.restartPolicy, ['Always']));
  if (spec?.activeDeadlineSeconds !== undefined) errors.push(forbidden(`${path}.spec.activeDeadlineSeconds`, `activeDeadlineSeconds in ${kind} is not Supported`));
}

/** How Go prints a selector: an expression always has its key and operator. */
export function shownSelector({ matchLabels, matchExpressions }: LabelSelector): Record<string, unknown> {
  return {
    ...(matchLabels === undefined ? {} : { matchLabels }),
    ...(matchExpressions === undefined ? {} : {
      matchExpressions: matchExpressions.map(({ key = '', operator = '', values }) => ({ key, operator, ...(values === undefined ? {} : { values }) })),
    }),
  };
}

/** A selector that must be there and must not be empty. False where it cannot be used. */
export function validateOwnSelector(errors: Errors, path: string, selector: LabelSelector | undefined, emptyProblem: string): selector is LabelSelector {
  if (selector === undefined) {
    errors.push(required(path));
    return false;
  }
  const own: Errors = [];
  validateLabelSelector(own, path, selector);
  errors.push(...own);
  if (isEmptySelector(selector)) errors.push(invalid(path, shownSelector(selector), emptyProblem));
  return own.length === 0;
}
