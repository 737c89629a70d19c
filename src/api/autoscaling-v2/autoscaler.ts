import { forbidden, invalid, notSupported, required } from '../meta/field-error.ts';
import { ifOneOf, named, ruled, type Errors } from '../meta/check.ts';
import { dns1123LabelProblems, dns1123SubdomainProblems, pathSegmentProblems } from '../meta/names.ts';
import { validateLabelSelector, validateObjectMeta, validateObjectMetaUpdate } from '../meta/object-meta.ts';
import { fill } from '../core-v1/pod-defaults.ts';
import { validateContainerResourceName } from '../core-v1/resource-validation.ts';
import { quantitySign } from '../quantity.ts';
import type { CrossVersionObjectReference, HorizontalPodAutoscaler, HPAScalingPolicy, HPAScalingRules, MetricIdentifier, MetricSpec, MetricTarget } from '../schema/types.ts';

const upPolicies = (): HPAScalingPolicy[] => [{ type: 'Pods', value: 4, periodSeconds: 15 }, { type: 'Percent', value: 100, periodSeconds: 15 }];
const downPolicies = (): HPAScalingPolicy[] => [{ type: 'Percent', value: 100, periodSeconds: 15 }];

/** Upstream: pkg/apis/autoscaling/v2/defaults.go. */
export function defaultAutoscaler(autoscaler: HorizontalPodAutoscaler): void {
  (autoscaler as { spec?: unknown }).spec ??= {};
  (autoscaler as { status?: unknown }).status ??= {};
  const spec = autoscaler.spec as NonNullable<HorizontalPodAutoscaler['spec']>;
  fill(spec, { minReplicas: 1, metrics: [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } } }] });
  if (spec.behavior === undefined) return;
  spec.behavior.scaleUp = { ...spec.behavior.scaleUp };
  spec.behavior.scaleDown = { ...spec.behavior.scaleDown };
  fill(spec.behavior.scaleUp, { selectPolicy: 'Max', stabilizationWindowSeconds: 0, policies: upPolicies() });
  fill(spec.behavior.scaleDown, { selectPolicy: 'Max', policies: downPolicies() });
}

function validateReference(errors: Errors, path: string, ref: Partial<CrossVersionObjectReference> | undefined, mayBeCore: boolean): void {
  named(errors, `${path}.kind`, ref?.kind, pathSegmentProblems);
  named(errors, `${path}.name`, ref?.name, pathSegmentProblems);
  const version = ref?.apiVersion ?? '';
  const at = `${path}.apiVersion`;
  if (version.split('/').length > 2) errors.push(invalid(at, version, `unexpected GroupVersion string: ${version}`));
  // A replication controller is the one core kind that scales.
  else if (!mayBeCore && !version.includes('/') && !(version === 'v1' && ref?.kind === 'ReplicationController')) errors.push(invalid(at, version, 'apiVersion must specify API group'));
}

function validateTarget(errors: Errors, path: string, target: Partial<MetricTarget> = {}): void {
  if (!target.type) errors.push(required(`${path}.type`, 'must specify a metric target type'));
  if (!['Utilization', 'Value', 'AverageValue'].includes(target.type ?? '')) {
    errors.push(invalid(`${path}.type`, target.type ?? '', 'must be either Utilization, Value, or AverageValue'));
  }
  if (target.value !== undefined && quantitySign(target.value) !== 1) errors.push(invalid(`${path}.value`, target.value, 'must be positive'));
  if (target.averageValue !== undefined && quantitySign(target.averageValue) !== 1) errors.push(invalid(`${path}.averageValue`, target.averageValue, 'must be positive'));
  if (target.averageUtilization !== undefined && target.averageUtilization < 1) errors.push(invalid(`${path}.averageUtilization`, target.averageUtilization, 'must be greater than 0'));
}

function validateMetric(errors: Errors, path: string, metric: Partial<MetricIdentifier> | undefined): void {
  named(errors, `${path}.name`, metric?.name, pathSegmentProblems);
  const last = errors.at(-1);
  if (!metric?.name && last !== undefined) last.detail = 'must specify a metric name';
  if (metric?.selector !== undefined) validateLabelSelector(errors, `${path}.selector`, metric.selector);
}

function validateUtilization(errors: Errors, path: string, target: Partial<MetricTarget> = {}): void {
  validateTarget(errors, path, target);
  if (target.averageUtilization === undefined && target.averageValue === undefined) {
    errors.push(required(`${path}.averageUtilization`, 'must set either a target raw value or a target utilization'));
  }
  if (target.averageUtilization !== undefined && target.averageValue !== undefined) {
    errors.push(forbidden(`${path}.averageValue`, 'may not set both a target raw value and a target utilization'));
  }
}

const sources: Readonly<Record<string, { type: string; check: (errors: Errors, path: string, source: never) => void }>> = {
  object: {
    type: 'Object', check: (errors, path, source: NonNullable<MetricSpec['object']>) => {
      validateReference(errors, `${path}.describedObject`, source.describedObject, true);
      validateMetric(errors, `${path}.metric`, source.metric);
      validateTarget(errors, `${path}.target`, source.target);
      if (source.target?.value === undefined && source.target?.averageValue === undefined) errors.push(required(`${path}.target.averageValue`, 'must set either a target value or averageValue'));
    },
  },
  external: {
    type: 'External', check: (errors, path, source: NonNullable<MetricSpec['external']>) => {
      validateMetric(errors, `${path}.metric`, source.metric);
      validateTarget(errors, `${path}.target`, source.target);
      if (source.target?.value === undefined && source.target?.averageValue === undefined) errors.push(required(`${path}.target.averageValue`, 'must set either a target value for metric or a per-pod target'));
      if (source.target?.value !== undefined && source.target.averageValue !== undefined) errors.push(forbidden(`${path}.target.value`, 'may not set both a target value for metric and a per-pod target'));
    },
  },
  pods: {
    type: 'Pods', check: (errors, path, source: NonNullable<MetricSpec['pods']>) => {
      validateMetric(errors, `${path}.metric`, source.metric);
      validateTarget(errors, `${path}.target`, source.target);
      if (source.target?.averageValue === undefined) errors.push(required(`${path}.target.averageValue`, 'must specify a positive target averageValue'));
    },
  },
  resource: {
    type: 'Resource', check: (errors, path, source: NonNullable<MetricSpec['resource']>) => {
      if (!source.name) errors.push(required(`${path}.name`, 'must specify a resource name'));
      validateUtilization(errors, `${path}.target`, source.target);
    },
  },
  containerResource: {
    type: 'ContainerResource', check: (errors, path, source: NonNullable<MetricSpec['containerResource']>) => {
      if (!source.name) errors.push(required(`${path}.name`, 'must specify a resource name'));
      else validateContainerResourceName(errors, `${path}.name`, source.name);
      if (!source.container) errors.push(required(`${path}.container`, 'must specify a container'));
      else ruled(errors, `${path}.container`, source.container, dns1123LabelProblems);
      validateUtilization(errors, `${path}.target`, source.target);
    },
  },
};

const sourceTypes = Object.values(sources).map((source) => source.type);

function validateMetricSpec(errors: Errors, path: string, spec: MetricSpec): void {
  const type = spec.type as string | undefined;
  if (!type) errors.push(required(`${path}.type`, 'must specify a metric source type'));
  if (!sourceTypes.includes(type ?? '')) errors.push(notSupported(`${path}.type`, type, sourceTypes));
  const given = Object.keys(sources).filter((name) => (spec as unknown as Record<string, unknown>)[name] !== undefined);
  const first = given[0];
  if (first !== undefined) sources[first]?.check(errors, `${path}.${first}`, (spec as unknown as Record<string, unknown>)[first] as never);
  const expected = Object.keys(sources).find((name) => sources[name]?.type === type);
  if (expected !== undefined && !given.includes(expected)) errors.push(required(`${path}.${expected}`, 'must populate information for the given metric source'));
  if (given.length !== 1) for (const name of given) if (name !== expected) errors.push(forbidden(`${path}.${name}`, 'must populate the given metric source only'));
}

function validateRules(errors: Errors, path: string, rules: HPAScalingRules | undefined): void {
  if (rules === undefined) return;
  const window = rules.stabilizationWindowSeconds;
  const at = `${path}.stabilizationWindowSeconds`;
  if (window !== undefined && window < 0) errors.push(invalid(at, window, 'must be greater than or equal to zero'));
  if (window !== undefined && window > 3600) errors.push(invalid(at, window, 'must be less than or equal to 3600'));
  ifOneOf(errors, `${path}.selectPolicy`, rules.selectPolicy, ['Disabled', 'Max', 'Min']);
  const policies = rules.policies ?? [];
  if (policies.length === 0) errors.push(required(`${path}.policies`, 'must specify at least one Policy'));
  policies.forEach((policy, index) => {
    const where = `${path}.policies[${index}]`;
    ifOneOf(errors, `${where}.type`, policy.type ?? '', ['Percent', 'Pods']);
    for (const field of ['value', 'periodSeconds'] as const) if ((policy[field] ?? 0) <= 0) errors.push(invalid(`${where}.${field}`, policy[field] ?? 0, 'must be greater than zero'));
    if ((policy.periodSeconds ?? 0) > 1800) errors.push(invalid(`${where}.periodSeconds`, policy.periodSeconds, 'must be less than or equal to 1800'));
  });
  if (rules.tolerance !== undefined && quantitySign(rules.tolerance) < 0) errors.push(invalid(`${path}.tolerance`, rules.tolerance, 'must be greater than or equal to 0'));
}

function validateSpec(errors: Errors, spec: NonNullable<HorizontalPodAutoscaler['spec']>): void {
  const min = spec.minReplicas;
  const max = spec.maxReplicas ?? 0;
  if (min !== undefined && min < 1) errors.push(invalid('spec.minReplicas', min, 'must be greater than or equal to 1'));
  if (min !== undefined && max < min) errors.push(invalid('spec.maxReplicas', max, 'must be greater than or equal to `minReplicas`'));
  validateReference(errors, 'spec.scaleTargetRef', spec.scaleTargetRef, false);
  spec.metrics?.forEach((metric, index) => validateMetricSpec(errors, `spec.metrics[${index}]`, metric));
  validateRules(errors, 'spec.behavior.scaleUp', spec.behavior?.scaleUp);
  validateRules(errors, 'spec.behavior.scaleDown', spec.behavior?.scaleDown);
  if (max === 0) errors.push(required('spec.maxReplicas'));
  else if (max < 1) errors.push(invalid('spec.maxReplicas', max, 'must be greater than or equal to 1'));
}

export function validateAutoscaler(errors: Errors, autoscaler: HorizontalPodAutoscaler): void {
  validateObjectMeta(errors, autoscaler.metadata, true, dns1123SubdomainProblems);
  validateSpec(errors, autoscaler.spec as NonNullable<HorizontalPodAutoscaler['spec']>);
}

export function validateAutoscalerUpdate(errors: Errors, autoscaler: HorizontalPodAutoscaler, old: HorizontalPodAutoscaler): void {
  validateObjectMetaUpdate(errors, autoscaler.metadata, old.metadata);
  validateSpec(errors, autoscaler.spec as NonNullable<HorizontalPodAutoscaler['spec']>);
}
