import { invalid, notSupported, required } from '../meta/field-error.ts';
import { present, ruled, type Errors } from '../meta/check.ts';
import { labelKeyProblems } from '../meta/names.ts';
import { quantitySign } from '../quantity.ts';
import type { ObjectFieldSelector, ResourceFieldSelector } from '../schema/types.ts';

export const envFieldPaths = ['metadata.name', 'metadata.namespace', 'metadata.uid', 'spec.nodeName', 'spec.serviceAccountName', 'status.hostIP', 'status.hostIPs', 'status.podIP', 'status.podIPs'];
export const volumeFieldPaths = ['metadata.annotations', 'metadata.labels', 'metadata.name', 'metadata.namespace', 'metadata.uid'];
const knownLabels = [...envFieldPaths, ...volumeFieldPaths, 'spec.restartPolicy', 'spec.schedulerName', 'status.phase'];

/** Upstream: validateObjectFieldSelector with pods.ConvertDownwardAPIFieldLabel. */
export function validateFieldRef(errors: Errors, path: string, ref: ObjectFieldSelector, supported: readonly string[]): void {
  const fieldPath = ref.fieldPath ?? '';
  present(errors, `${path}.apiVersion`, ref.apiVersion);
  if (!present(errors, `${path}.fieldPath`, fieldPath)) return;
  const at = `${path}.fieldPath`;
  const fail = (why: string) => errors.push(invalid(at, fieldPath, `error converting fieldPath: ${why}`));
  if (ref.apiVersion !== 'v1') {
    fail(`unsupported pod version: ${ref.apiVersion}`);
    return;
  }
  const [, base, subscript] = /^(.*)\['(.*)'\]$/s.exec(fieldPath) ?? [];
  if (base !== undefined && subscript !== undefined) {
    if (base !== 'metadata.annotations' && base !== 'metadata.labels') fail(`field label does not support subscript: ${fieldPath}`);
    else ruled(errors, path, base === 'metadata.annotations' ? subscript.toLowerCase() : subscript, labelKeyProblems);
    return;
  }
  const label = fieldPath === 'spec.host' ? 'spec.nodeName' : fieldPath;
  if (!knownLabels.includes(label)) fail(`field label not supported: ${fieldPath}`);
  else if (!supported.includes(label)) errors.push(notSupported(at, label, supported));
}

const resourcePaths = ['limits.cpu', 'limits.ephemeral-storage', 'limits.memory', 'requests.cpu', 'requests.ephemeral-storage', 'requests.memory'];
const byteDivisors = ['1', '1k', '1M', '1G', '1T', '1P', '1E', '1Ki', '1Mi', '1Gi', '1Ti', '1Pi', '1Ei'];
const divisorKinds: readonly [RegExp, readonly string[], string][] = [
  [/^(limits|requests)\.cpu$/, ['1m', '1'], '1m and 1 are supported with the cpu resource'],
  [/^(limits|requests)\.memory$/, byteDivisors, `${byteDivisors.join(', ')} are supported with the memory resource`],
  [/^(limits|requests)\.ephemeral-storage$/, byteDivisors, `${byteDivisors.join(', ')} are supported with the local ephemeral storage resource`],
  [/^(limits|requests)\.hugepages-/, byteDivisors, `${byteDivisors.join(', ')} are supported with the hugepages resource`],
];

/** Upstream: validateContainerResourceFieldSelector. */
export function validateResourceFieldRef(errors: Errors, path: string, ref: ResourceFieldSelector, inVolume: boolean): void {
  const resource = ref.resource ?? '';
  if (inVolume && !ref.containerName) errors.push(required(`${path}.containerName`));
  else if (resource === '') errors.push(required(`${path}.resource`));
  else if (!resourcePaths.includes(resource) && !/^(limits|requests)\.hugepages-/.test(resource)) errors.push(notSupported(`${path}.resource`, resource, resourcePaths));
  const divisor = ref.divisor ?? '0';
  if (quantitySign(divisor) === 0) return;
  for (const [pattern, allowed, text] of divisorKinds) {
    if (pattern.test(resource) && !allowed.includes(divisor)) errors.push(invalid(`${path}.divisor`, resource, `only divisor's values ${text}`));
  }
}
