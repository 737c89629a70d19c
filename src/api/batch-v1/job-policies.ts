import { compareText } from '../../sim/plain.ts';
import { duplicate, invalid, notSupported, required, tooLong, tooMany, type FieldError } from '../meta/field-error.ts';
import { notNegative, ruled, type Errors } from '../meta/check.ts';
import { goQuote } from '../meta/go-text.ts';
import { labelKeyProblems } from '../meta/names.ts';
import type { JobSpec, PodFailurePolicyRule, SuccessPolicyRule } from '../schema/types.ts';

/** How a Job's failures and successes are judged. Upstream: pkg/apis/batch/validation/validation.go validatePodFailurePolicy, validateSuccessPolicy, validateIndexesFormat. */

const oneOfRequired = (values: readonly string[]) => `valid values: [${values.map(goQuote).join(' ')}]`;

function validateKnown(errors: Errors, path: string, value: string | undefined, supported: readonly string[]): void {
  if (!value) errors.push(required(path, oneOfRequired(supported.toSorted(compareText))));
  else if (!supported.includes(value)) errors.push(notSupported(path, value, supported));
}

/** An Invalid error whose text leaves the value out. */
const bare = (field: string, detail: string): FieldError => ({ type: 'FieldValueInvalid', field, detail });

function validateExitCodes(errors: Errors, path: string, rule: NonNullable<PodFailurePolicyRule['onExitCodes']>, names: readonly string[]): void {
  validateKnown(errors, `${path}.operator`, rule.operator, ['In', 'NotIn']);
  if (rule.containerName !== undefined && !names.includes(rule.containerName)) {
    errors.push(invalid(`${path}.containerName`, rule.containerName, 'must be one of the container or initContainer names in the pod template'));
  }
  const values = rule.values ?? [];
  if (values.length === 0) errors.push(invalid(`${path}.values`, rule.values, 'at least one value is required'));
  else if (values.length > 255) errors.push(tooMany(`${path}.values`, values.length, 255));
  values.forEach((value, index) => {
    const at = `${path}.values[${index}]`;
    if (rule.operator === 'In' && value === 0) errors.push(invalid(at, value, 'must not be 0 for the In operator'));
    if (values.indexOf(value) < index) errors.push(duplicate(at, value));
  });
  if (values.some((value, index) => index > 0 && (values[index - 1] as number) > value)) errors.push(invalid(`${path}.values`, values, 'must be ordered'));
}

const actions = ['Count', 'FailIndex', 'FailJob', 'Ignore'];

export function validateFailurePolicy(errors: Errors, path: string, spec: JobSpec): void {
  const rules = spec.podFailurePolicy?.rules ?? [];
  if (rules.length > 20) errors.push(tooMany(`${path}.rules`, rules.length, 20));
  const names = [...(spec.template?.spec?.containers ?? []), ...(spec.template?.spec?.initContainers ?? [])].map((container) => container.name);
  rules.forEach((rule, index) => {
    const at = `${path}.rules[${index}]`;
    if (rule.action === 'FailIndex') {
      if (spec.backoffLimitPerIndex === undefined) errors.push(invalid(`${at}.action`, rule.action, 'requires the backoffLimitPerIndex to be set'));
    } else validateKnown(errors, `${at}.action`, rule.action, actions);
    if (rule.onExitCodes !== undefined) validateExitCodes(errors, `${at}.onExitCodes`, rule.onExitCodes, names);
    const conditions = rule.onPodConditions ?? [];
    if (conditions.length > 20) errors.push(tooMany(`${at}.onPodConditions`, conditions.length, 20));
    conditions.forEach((condition, i) => {
      ruled(errors, `${at}.onPodConditions[${i}].type`, condition.type ?? '', labelKeyProblems);
      validateKnown(errors, `${at}.onPodConditions[${i}].status`, condition.status, ['False', 'True', 'Unknown']);
    });
    if (rule.onExitCodes !== undefined && conditions.length > 0) errors.push(bare(at, 'specifying both OnExitCodes and OnPodConditions is not supported'));
    if (rule.onExitCodes === undefined && conditions.length === 0) errors.push(bare(at, 'specifying one of OnExitCodes and OnPodConditions is required'));
  });
}

/** '0,2-4' over so many completions: how many indexes, or what is wrong. Upstream: validateIndexesFormat. */
function countIndexes(text: string, completions: number): number | string {
  if (text === '') return 0;
  let last: number | undefined;
  let total = 0;
  for (const part of text.split(',')) {
    const ends = part.split('-');
    if (ends.length > 2) return `the fragment ${goQuote(part)} violates the requirement that an index interval can have at most two parts separated by '-'`;
    const numbers: number[] = [];
    for (const end of ends) {
      if (!/^[+-]?\d+$/.test(end)) return `cannot convert string to integer for index: ${goQuote(end)}`;
      const value = Number(end);
      if (value >= completions) return `too large index: ${goQuote(end)}`;
      numbers.push(value);
    }
    const first = numbers[0] as number;
    if (last !== undefined && last >= first) return `non-increasing order, previous: ${last}, current: ${first}`;
    last = first;
    if (numbers.length === 2) {
      const second = numbers[1] as number;
      if (first >= second) return `non-increasing order, previous: ${first}, current: ${second}`;
      total += second - first + 1;
      last = second;
    } else total += 1;
  }
  return total;
}

export function validateSuccessRule(errors: Errors, path: string, rule: SuccessPolicyRule, completions: number): void {
  const { succeededCount: count, succeededIndexes: indexes } = rule;
  if (count === undefined && indexes === undefined) errors.push(required(path, 'at least one of succeededCount or succeededIndexes must be specified'));
  let total = 0;
  if (indexes !== undefined) {
    if (indexes.length > 65_536) errors.push(tooLong(`${path}.succeededIndexes`, 65_536));
    const counted = countIndexes(indexes, completions);
    if (typeof counted === 'string') errors.push(invalid(`${path}.succeededIndexes`, indexes, `error parsing succeededIndexes: ${counted}`));
    else total = counted;
  }
  if (count === undefined) return;
  const at = `${path}.succeededCount`;
  notNegative(errors, at, count);
  if (count > completions) errors.push(invalid(at, count, `must be less than or equal to ${completions} (the number of specified completions)`));
  if (indexes !== undefined && count > total) errors.push(invalid(at, count, `must be less than or equal to ${total} (the number of indexes in the specified succeededIndexes field)`));
}

export function validateIndexed(errors: Errors, path: string, spec: JobSpec): void {
  const { completions, parallelism = 0, maxFailedIndexes } = spec;
  if (completions === undefined) errors.push(required(`${path}.completions`, 'when completion mode is Indexed'));
  if (parallelism > 100_000) errors.push(invalid(`${path}.parallelism`, parallelism, 'must be less than or equal to 100000 when completion mode is Indexed'));
  if (completions !== undefined && maxFailedIndexes !== undefined && maxFailedIndexes > completions) {
    errors.push(invalid(`${path}.maxFailedIndexes`, maxFailedIndexes, 'must be less than or equal to completions'));
  }
  if (maxFailedIndexes !== undefined && maxFailedIndexes > 100_000) errors.push(invalid(`${path}.maxFailedIndexes`, maxFailedIndexes, 'must be less than or equal to 100000'));
  if (completions === undefined || completions <= 100_000 || spec.backoffLimitPerIndex === undefined) return;
  if (maxFailedIndexes === undefined) errors.push(required(`${path}.maxFailedIndexes`, 'must be specified when completions is above 100000'));
  for (const [field, value] of [['parallelism', parallelism], ['maxFailedIndexes', maxFailedIndexes ?? 0]] as const) {
    if (value > 10_000) errors.push(invalid(`${path}.${field}`, value, 'must be less than or equal to 10000 when completions are above 100000 and used with backoff limit per index'));
  }
}
