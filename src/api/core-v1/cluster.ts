import { samePlain } from '../../sim/plain.ts';
import { forbidden, invalid } from '../meta/field-error.ts';
import { ruled, sortedEntries, type Errors } from '../meta/check.ts';
import { dns1123LabelProblems, dns1123SubdomainProblems, labelKeyProblems, labelValueProblems } from '../meta/names.ts';
import { validateObjectMeta, validateObjectMetaUpdate } from '../meta/object-meta.ts';
import type { Namespace, Node, NodeSpec, ServiceAccount, Taint } from '../schema/types.ts';
import { validateTaintEffect } from './affinity-validation.ts';
import { familyOf, validateCidr } from './ip-validation.ts';
import { roundResources } from './pod-defaults.ts';
import { validateQuantityValue } from './resource-validation.ts';

/** Namespaces, nodes and service accounts. */

export function defaultNamespace(namespace: Namespace): void {
  namespace.metadata.labels = { ...namespace.metadata.labels, ...(namespace.metadata.name ? { 'kubernetes.io/metadata.name': namespace.metadata.name } : {}) };
  (namespace as { spec?: unknown }).spec ??= {};
  (namespace as { status?: unknown }).status ??= {};
  namespace.status.phase ??= 'Active';
}

export function validateNamespace(errors: Errors, namespace: Namespace): void {
  validateObjectMeta(errors, namespace.metadata, false, dns1123LabelProblems);
  for (const finalizer of namespace.spec?.finalizers ?? []) {
    ruled(errors, 'spec.finalizers', finalizer, labelKeyProblems);
    if (!finalizer.includes('/') && !['kubernetes', 'orphan', 'foregroundDeletion'].includes(finalizer)) {
      errors.push(invalid('spec.finalizers', finalizer, 'name is neither a standard finalizer name nor is it fully qualified'));
    }
  }
}

export function defaultNode(node: Node): void {
  (node as { spec?: unknown }).spec ??= {};
  (node as { status?: unknown }).status ??= {};
  const spec = node.spec as NodeSpec;
  // Two names of one thing.
  if (spec.podCIDR !== undefined && spec.podCIDRs?.[0] !== spec.podCIDR) spec.podCIDRs = [spec.podCIDR];
  else if (spec.podCIDRs?.[0] !== undefined) spec.podCIDR = spec.podCIDRs[0];
  const status = node.status;
  // What is allocatable is all of the capacity unless the node says less.
  if (status.allocatable === undefined && status.capacity !== undefined) status.allocatable = { ...status.capacity };
  roundResources(status.capacity, status.allocatable);
  (status as { daemonEndpoints?: unknown }).daemonEndpoints ??= { kubeletEndpoint: { Port: 0 } };
  (status as { nodeInfo?: unknown }).nodeInfo ??= {
    machineID: '', systemUUID: '', bootID: '', kernelVersion: '', osImage: '', containerRuntimeVersion: '', kubeletVersion: '', kubeProxyVersion: '',
    operatingSystem: '', architecture: '',
  };
}

function validateTaints(errors: Errors, path: string, taints: readonly Taint[] = []): void {
  const seen = new Set<string>();
  taints.forEach((taint, index) => {
    const at = `${path}[${index}]`;
    ruled(errors, `${at}.key`, taint.key ?? '', labelKeyProblems);
    const problems = labelValueProblems(taint.value ?? '');
    if (problems.length > 0) errors.push(invalid(`${at}.value`, taint.value, problems.join(';')));
    validateTaintEffect(errors, `${at}.effect`, taint.effect);
    const pair = `${taint.effect ?? ''}/${taint.key ?? ''}`;
    if (seen.has(pair)) {
      const value = { Key: taint.key ?? '', Value: taint.value ?? '', Effect: taint.effect ?? '', TimeAdded: taint.timeAdded ?? null };
      errors.push({ type: 'FieldValueDuplicate', field: at, value, detail: 'taints must be unique by key and effect pair' });
    }
    seen.add(pair);
  });
}

function validateNodeResources(errors: Errors, node: Node): void {
  for (const field of ['capacity', 'allocatable'] as const) {
    for (const [name, quantity] of sortedEntries(node.status?.[field])) validateQuantityValue(errors, `status.${field}.${name}`, name, quantity);
  }
}

export function validateNode(errors: Errors, node: Node): void {
  validateObjectMeta(errors, node.metadata, false, dns1123SubdomainProblems);
  validateTaints(errors, 'metadata.taints', node.spec?.taints);
  validateNodeResources(errors, node);
  const cidrs = node.spec?.podCIDRs ?? [];
  cidrs.forEach((cidr, index) => validateCidr(errors, `spec.podCIDRs[${index}]`, cidr));
  if (cidrs.length > 2 || (cidrs.length === 2 && new Set(cidrs.map(familyOf)).size < 2)) {
    errors.push(invalid('spec.podCIDRs', cidrs, 'may specify no more than one CIDR for each IP family'));
  }
}

export function validateNodeUpdate(errors: Errors, node: Node, old: Node): void {
  validateObjectMetaUpdate(errors, node.metadata, old.metadata);
  validateNodeResources(errors, node);
  const addresses = node.status?.addresses ?? [];
  addresses.forEach((address, index) => {
    if (addresses.findIndex((other) => samePlain(other, address)) < index) {
      errors.push({ type: 'FieldValueDuplicate', field: `status.addresses[${index}]`, value: { Type: address.type, Address: address.address }, detail: '' });
    }
  });
  if ((old.spec?.podCIDRs ?? []).length > 0 && !samePlain(node.spec?.podCIDRs ?? [], old.spec?.podCIDRs)) errors.push(forbidden('spec.podCIDRs', 'node updates may not change podCIDR except from "" to valid'));
  validateTaints(errors, 'metadata.taints', node.spec?.taints);
  const provider = node.spec?.providerID ?? '';
  if (old.spec?.providerID && old.spec.providerID !== provider) errors.push(invalid('spec.providerID', null, `field cannot be ${provider === '' ? 'cleared' : 'modified'} once set`));
}

export function nodeWarnings(node: Node): string[] {
  return [
    ...(node.spec?.configSource === undefined ? [] : ['spec.configSource: the feature is no longer supported']),
    ...(node.spec?.externalID === undefined ? [] : ['spec.externalID: this field is deprecated, and is unused by Kubernetes']),
  ];
}

export function validateServiceAccount(errors: Errors, account: ServiceAccount): void {
  validateObjectMeta(errors, account.metadata, true, dns1123SubdomainProblems);
}
