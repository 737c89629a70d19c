import { duplicate, forbidden, invalid, notSupported, required } from '../meta/field-error.ts';
import { ifOneOf, positive, present, ruled, type Errors } from '../meta/check.ts';
import { dns1123LabelProblems, dns1123SubdomainProblems, labelKeyProblems, labelValueProblems } from '../meta/names.ts';
import { validateLabelSelector } from '../meta/object-meta.ts';
import type { Affinity, LabelSelector, NodeSelector, NodeSelectorRequirement, NodeSelectorTerm, PodAffinity, PodAffinityTerm, Toleration, TopologySpreadConstraint } from '../schema/types.ts';

function validateExpression(errors: Errors, path: string, rule: NodeSelectorRequirement, checkValues: boolean): void {
  const values = rule.values ?? [];
  const at = `${path}.values`;
  switch (rule.operator) {
    case 'In': case 'NotIn': present(errors, at, values, "must be specified when `operator` is 'In' or 'NotIn'"); break;
    case 'Exists': case 'DoesNotExist':
      if (values.length > 0) errors.push(forbidden(at, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"));
      break;
    case 'Gt': case 'Lt':
      if (values.length !== 1) errors.push(required(at, "must be specified single value when `operator` is 'Lt' or 'Gt'"));
      break;
    default: errors.push(invalid(`${path}.operator`, rule.operator ?? '', 'not a valid selector operator'));
  }
  ruled(errors, `${path}.key`, rule.key ?? '', labelKeyProblems);
  if (checkValues) values.forEach((value, index) => ruled(errors, `${at}[${index}]`, value, labelValueProblems));
}

function validateFieldExpression(errors: Errors, path: string, rule: NodeSelectorRequirement): void {
  const values = rule.values ?? [];
  if (rule.operator !== 'In' && rule.operator !== 'NotIn') errors.push(invalid(`${path}.operator`, rule.operator ?? '', 'not a valid selector operator'));
  else if (values.length !== 1) errors.push(required(`${path}.values`, "must be only one value when `operator` is 'In' or 'NotIn' for node field selector"));
  if (rule.key !== 'metadata.name') errors.push(invalid(`${path}.key`, rule.key ?? '', 'not a valid field selector key'));
  else values.forEach((value, index) => ruled(errors, `${path}.values[${index}]`, value, dns1123SubdomainProblems));
}

function validateTerm(errors: Errors, path: string, term: NodeSelectorTerm | undefined, checkValues: boolean): void {
  term?.matchExpressions?.forEach((rule, index) => validateExpression(errors, `${path}.matchExpressions[${index}]`, rule, checkValues));
  term?.matchFields?.forEach((rule, index) => validateFieldExpression(errors, `${path}.matchFields[${index}]`, rule));
}

/** Upstream: ValidateNodeSelector. */
export function validateNodeSelector(errors: Errors, path: string, selector: NodeSelector): void {
  const at = `${path}.nodeSelectorTerms`;
  present(errors, at, selector.nodeSelectorTerms ?? [], 'must have at least one node selector term');
  selector.nodeSelectorTerms?.forEach((term, index) => validateTerm(errors, `${at}[${index}]`, term, true));
}

function validateWeight(errors: Errors, path: string, weight = 0): void {
  if (weight <= 0 || weight > 100) errors.push(invalid(`${path}.weight`, weight, 'must be in the range 1-100'));
}

/** Upstream: ValidateMatchLabelKeysAndMismatchLabelKeys. */
function validateLabelKeys(errors: Errors, path: string, match: readonly string[] = [], mismatch: readonly string[] = [], selector: LabelSelector | undefined): void {
  for (const [field, keys] of [['matchLabelKeys', match], ['mismatchLabelKeys', mismatch]] as const) {
    if (keys.length === 0) continue;
    if (selector === undefined) errors.push(forbidden(`${path}.${field}`, 'must not be specified when labelSelector is not set'));
    else keys.forEach((key, index) => ruled(errors, `${path}.${field}[${index}]`, key, labelKeyProblems));
  }
  const seen = new Set(Object.keys(selector?.matchLabels ?? {}));
  for (const { key } of selector?.matchExpressions ?? []) {
    if (match.includes(key) && seen.has(key)) errors.push(invalid(`${path}[${match.indexOf(key)}]`, key, 'exists in both matchLabelKeys and labelSelector'));
    seen.add(key);
  }
  match.forEach((key, index) => {
    if (mismatch.includes(key)) errors.push(invalid(`${path}.matchLabelKeys[${index}]`, key, 'exists in both matchLabelKeys and mismatchLabelKeys'));
  });
}

function validateAffinityTerm(errors: Errors, path: string, term: PodAffinityTerm): void {
  validateLabelSelector(errors, `${path}.labelSelector`, term.labelSelector);
  validateLabelSelector(errors, `${path}.namespaceSelector`, term.namespaceSelector);
  for (const name of term.namespaces ?? []) ruled(errors, `${path}.namespace`, name, dns1123LabelProblems);
  validateLabelKeys(errors, path, term.matchLabelKeys, term.mismatchLabelKeys, term.labelSelector);
  present(errors, `${path}.topologyKey`, term.topologyKey, 'can not be empty');
  ruled(errors, `${path}.topologyKey`, term.topologyKey ?? '', labelKeyProblems);
}

const required_ = 'requiredDuringSchedulingIgnoredDuringExecution';
const preferred = 'preferredDuringSchedulingIgnoredDuringExecution';

function validatePodTerms(errors: Errors, path: string, affinity: PodAffinity | undefined): void {
  affinity?.[required_]?.forEach((term, index) => validateAffinityTerm(errors, `${path}.${required_}[${index}]`, term));
  affinity?.[preferred]?.forEach((weighted, index) => {
    validateWeight(errors, `${path}.${preferred}[${index}]`, weighted.weight);
    validateAffinityTerm(errors, `${path}.${preferred}[${index}].podAffinityTerm`, weighted.podAffinityTerm ?? ({} as PodAffinityTerm));
  });
}

/** Upstream: validateAffinity. */
export function validateAffinity(errors: Errors, path: string, affinity: Affinity | undefined): void {
  const node = affinity?.nodeAffinity;
  if (node?.[required_] !== undefined) validateNodeSelector(errors, `${path}.nodeAffinity.${required_}`, node[required_]);
  node?.[preferred]?.forEach((term, index) => {
    const at = `${path}.nodeAffinity.${preferred}[${index}]`;
    validateWeight(errors, at, term.weight);
    validateTerm(errors, `${at}.preference`, term.preference, false);
  });
  validatePodTerms(errors, `${path}.podAffinity`, affinity?.podAffinity);
  validatePodTerms(errors, `${path}.podAntiAffinity`, affinity?.podAntiAffinity);
}

/** Upstream: ValidateTolerations. */
export function validateTolerations(errors: Errors, path: string, tolerations: readonly Toleration[] = []): void {
  tolerations.forEach((toleration, index) => {
    const at = `${path}[${index}]`;
    const { key = '', operator = '', value = '', effect = '' } = toleration;
    if (key !== '') ruled(errors, `${at}.key`, key, labelKeyProblems);
    else if (operator !== 'Exists') {
      errors.push(invalid(`${at}.operator`, operator, 'operator must be Exists when `key` is empty, which means "match all values and all keys"'));
    }
    if (toleration.tolerationSeconds !== undefined && effect !== 'NoExecute') {
      errors.push(invalid(`${at}.effect`, effect, "effect must be 'NoExecute' when `tolerationSeconds` is set"));
    }
    validateTolerationOperator(errors, `${at}.operator`, operator, value);
    if (effect !== '') validateTaintEffect(errors, `${at}.effect`, effect);
  });
}

function validateTolerationOperator(errors: Errors, path: string, operator: string, value: string): void {
  if (operator === '' || operator === 'Equal') {
    const problems = labelValueProblems(value);
    if (problems.length > 0) errors.push(invalid(path, value, problems.join(';')));
  } else if (operator === 'Exists') {
    if (value !== '') errors.push(invalid(path, value, "value must be empty when `operator` is 'Exists'"));
  } else {
    // The comparing operators stand in the list only for those who try them: they are off.
    const comparing = operator === 'Lt' || operator === 'Gt';
    errors.push(notSupported(path, operator, comparing ? ['Equal', 'Exists', 'Lt', 'Gt'] : ['Equal', 'Exists'], false));
  }
}

export const taintEffects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

export function validateTaintEffect(errors: Errors, path: string, effect: string | undefined): void {
  if (present(errors, path, effect) && !taintEffects.includes(effect as string)) errors.push(notSupported(path, effect, taintEffects, false));
}

const actions = ['DoNotSchedule', 'ScheduleAnyway'];

/** Upstream: validateTopologySpreadConstraints. */
export function validateSpread(errors: Errors, path: string, constraints: readonly TopologySpreadConstraint[] = []): void {
  constraints.forEach((constraint, index) => {
    const at = `${path}[${index}]`;
    const { topologyKey = '', whenUnsatisfiable = '', minDomains } = constraint;
    positive(errors, `${at}.maxSkew`, constraint.maxSkew ?? 0);
    present(errors, `${at}.topologyKey`, topologyKey, 'can not be empty');
    ifOneOf(errors, `${at}.whenUnsatisfiable`, whenUnsatisfiable, actions);
    const repeated = constraints.slice(index + 1).some((other) => (other.topologyKey ?? '') === topologyKey && (other.whenUnsatisfiable ?? '') === whenUnsatisfiable);
    if (repeated) errors.push(duplicate(`${at}.{topologyKey, whenUnsatisfiable}`, `{${topologyKey}, ${whenUnsatisfiable}}`));
    positive(errors, `${at}.minDomains`, minDomains);
    if (minDomains !== undefined && whenUnsatisfiable !== 'DoNotSchedule') {
      errors.push(invalid(`${at}.minDomains`, minDomains, `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${whenUnsatisfiable}`));
    }
    ifOneOf(errors, `${at}.nodeAffinityPolicy`, constraint.nodeAffinityPolicy, ['Honor', 'Ignore']);
    ifOneOf(errors, `${at}.nodeTaintsPolicy`, constraint.nodeTaintsPolicy, ['Honor', 'Ignore']);
    validateLabelKeys(errors, at, constraint.matchLabelKeys, [], constraint.labelSelector);
    validateLabelSelector(errors, `${at}.labelSelector`, constraint.labelSelector);
  });
}
