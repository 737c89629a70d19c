import { compareText } from '../../sim/plain.ts';
import { invalid, notFound, required, forbidden, type FieldError } from '../meta/field-error.ts';
import { negativeProblem, ruled, sortedEntries, unique, type Errors } from '../meta/check.ts';
import { dns1123LabelProblems, labelKeyProblems } from '../meta/names.ts';
import { compareQuantity, isWholeQuantity, parseQuantity, quantitySign } from '../quantity.ts';
import type { ResourceRequirements } from '../schema/types.ts';

const hugePages = 'hugepages-';
export const isHugePages = (name: string): boolean => name.startsWith(hugePages);

const containerResources = ['cpu', 'memory', 'ephemeral-storage'];
/** Upstream: pkg/apis/core/helper standardResources. */
const standardResources = [...containerResources, 'pods', 'storage', 'services', 'replicationcontrollers', 'resourcequotas', 'secrets', 'configmaps',
  'persistentvolumeclaims', 'services.nodeports', 'services.loadbalancers', 'requests.cpu', 'requests.memory', 'requests.storage',
  'requests.ephemeral-storage', 'limits.cpu', 'limits.memory', 'limits.ephemeral-storage'];

export const isNative = (name: string): boolean => !name.includes('/') || name.includes('kubernetes.io/');

/** 'nvidia.com/gpu'. Upstream: helper.IsExtendedResourceName. */
export const isExtended = (name: string): boolean => !isNative(name) && !name.startsWith('requests.') && labelKeyProblems(`requests.${name}`).length === 0;

/** Only what can be shared may be asked for without a limit. */
const mayOvercommit = (name: string) => isNative(name) && !isHugePages(name);

const isInteger = (name: string) =>
  isExtended(name) || ['pods', 'services', 'replicationcontrollers', 'resourcequotas', 'secrets', 'configmaps', 'persistentvolumeclaims', 'services.nodeports', 'services.loadbalancers'].includes(name);

export type ResourceNameRule = (errors: Errors, path: string, name: string) => void;

export function validateResourceName(errors: Errors, path: string, name: string): boolean {
  if (!ruled(errors, path, name, labelKeyProblems)) return false;
  if (name.includes('/') || standardResources.includes(name) || isHugePages(name) || name.startsWith('requests.hugepages-')) return true;
  errors.push(invalid(path, name, 'must be a standard resource type or fully qualified'));
  return false;
}

export function validateContainerResourceName(errors: Errors, path: string, name: string): void {
  validateResourceName(errors, path, name);
  if (!name.includes('/')) {
    if (!containerResources.includes(name) && !isHugePages(name)) errors.push(invalid(path, name, 'must be a standard resource for containers'));
  } else if (!isNative(name) && !isExtended(name)) errors.push(invalid(path, name, "doesn't follow extended resource name standard"));
}

function validatePodResourceName(errors: Errors, path: string, name: string): void {
  if (!validateResourceName(errors, path, name) || name === 'cpu' || name === 'memory' || isHugePages(name)) return;
  errors.push({ type: 'FieldValueNotSupported', field: path, value: name, detail: 'supported values: "cpu", "hugepages-", "memory"' });
}

export function validateQuantityValue(errors: Errors, path: string, name: string, quantity: string): void {
  if (quantitySign(quantity) < 0) errors.push(invalid(path, quantity, negativeProblem));
  if (isInteger(name) && !isWholeQuantity(quantity)) errors.push(invalid(path, quantity, 'must be an integer'));
}

function hugePageProblem(name: string, quantity: string): string | undefined {
  const size = parseQuantity(name.slice(hugePages.length));
  const amount = parseQuantity(quantity);
  if (typeof size !== 'string' && typeof amount !== 'string' && size.nano > 0n && amount.nano % size.nano === 0n) return undefined;
  return `${quantity} is not positive integer multiple of ${name}`;
}

function validateHugePages(errors: Errors, path: string, name: string, quantity: string): void {
  const problem = isHugePages(name) ? hugePageProblem(name, quantity) : undefined;
  if (problem !== undefined) errors.push(invalid(path, quantity, problem));
}

/** Upstream: pkg/apis/core/validation validateResourceRequirements. */
export function validateResources(errors: Errors, path: string, resources: ResourceRequirements | undefined, claimNames: ReadonlySet<string>, level: 'container' | 'pod' = 'container'): void {
  if (resources === undefined) return;
  const nameRule = level === 'pod' ? validatePodResourceName : validateContainerResourceName;
  const { limits = {}, requests = {} } = resources;
  for (const [name, quantity] of sortedEntries(limits)) {
    const at = `${path}.limits[${name}]`;
    nameRule(errors, at, name);
    validateQuantityValue(errors, at, name, quantity);
    validateHugePages(errors, at, name, quantity);
  }
  for (const [name, quantity] of sortedEntries(requests)) {
    const at = `${path}.requests[${name}]`;
    nameRule(errors, at, name);
    validateQuantityValue(errors, at, name, quantity);
    const limit = limits[name];
    if (limit === undefined) {
      if (!mayOvercommit(name)) errors.push(required(`${path}.limits`, 'Limit must be set for non overcommitable resources'));
    } else {
      const order = compareQuantity(quantity, limit);
      if (order !== 0 && !mayOvercommit(name)) errors.push(invalid(`${path}.requests`, quantity, `must be equal to ${name} limit of ${limit}`));
      else if (order > 0) errors.push(invalid(`${path}.requests`, quantity, `must be less than or equal to ${name} limit of ${limit}`));
    }
    validateHugePages(errors, at, name, quantity);
  }
  const names = [...Object.keys(limits), ...Object.keys(requests)];
  if (names.some(isHugePages) && !names.some((name) => name === 'cpu' || name === 'memory')) {
    errors.push(forbidden(path, 'HugePages require cpu or memory'));
  }
  validateClaimNames(errors, `${path}.claims`, resources.claims ?? [], claimNames);
}

function validateClaimNames(errors: Errors, path: string, claims: { name: string; request?: string }[], known: ReadonlySet<string>): void {
  const seen = new Set<string>();
  claims.forEach(({ name = '', request }, index) => {
    const at = `${path}[${index}]`;
    if (name === '') errors.push(required(at));
    else if (!seen.has(name)) {
      if (request !== undefined) ruled(errors, `${at}.request`, request, dns1123LabelProblems);
      unique(errors, at, request === undefined ? name : `${name}/${request}`, seen);
    } else unique(errors, at, name, seen);
    if (known.has(name)) return;
    const list = [...known].sort(compareText).join(', ');
    errors.push({ ...notFound(at, name), detail: `must be one of the names in pod.spec.resourceClaims${known.size === 0 ? ' which is empty' : `: ${list}`}` } satisfies FieldError);
  });
}
