import { required } from '../meta/field-error.ts';
import { notNegative, type Errors } from '../meta/check.ts';
import { dns1123SubdomainProblems } from '../meta/names.ts';
import { validateObjectMeta, validateObjectMetaUpdate } from '../meta/object-meta.ts';
import { fill } from './pod-defaults.ts';
import { validateAlwaysRestarts, validateTemplate, validateTemplateLabels } from './template-validation.ts';
import type { ReplicationController } from '../schema/types.ts';
import { defaultTemplate } from '../apps-v1/workloads.ts';

/** Upstream: pkg/apis/core/v1/defaults.go SetDefaults_ReplicationController, pkg/apis/core/validation/validation.go ValidateReplicationController. */

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
