import { invalid, notSupported, required, tooMany } from '../meta/field-error.ts';
import { ipRule, isIpv6, oneOf, ruled, unique, type Errors } from '../meta/check.ts';
import { dns1123LabelProblems, dns1123SubdomainProblems, labelKeyProblems, labelValueProblems } from '../meta/names.ts';
import { immutable, validateLabels, validateObjectMeta } from '../meta/object-meta.ts';
import { validateEndpointIp } from '../core-v1/ip-validation.ts';
import { fill } from '../core-v1/pod-defaults.ts';
import type { Endpoint, EndpointSlice } from '../schema/types.ts';

/** Upstream: pkg/apis/discovery. */
export function defaultEndpointSlice(slice: EndpointSlice): void {
  const plain = slice as unknown as Record<string, unknown>;
  plain.endpoints ??= null;
  plain.ports ??= null;
  for (const endpoint of slice.endpoints ?? []) fill(endpoint, { conditions: {}, addresses: null });
  for (const port of slice.ports ?? []) fill(port, { name: '', protocol: 'TCP' });
}

function validateAddress(errors: Errors, list: string, index: number, address: string, type: string): void {
  const at = `${list}[${index}]`;
  if (type === 'FQDN') {
    ruled(errors, at, address, (text) => (text.includes('.') ? dns1123SubdomainProblems(text.replace(/\.$/, '')) : ['should be a domain with at least two segments separated by dots']));
    return;
  }
  if (type !== 'IPv4' && type !== 'IPv6') return;
  if (!ruled(errors, at, address, ipRule)) return;
  if (isIpv6(address) !== (type === 'IPv6')) errors.push(invalid(list, address, `must be an ${type} address`));
  validateEndpointIp(errors, at, address);
}

function validateHints(errors: Errors, path: string, hints: NonNullable<Endpoint['hints']>): void {
  for (const [field, rule] of [['forZones', labelValueProblems], ['forNodes', dns1123SubdomainProblems]] as const) {
    const items = hints[field] ?? [];
    if (items.length > 8) errors.push(tooMany(`${path}.${field}`, items.length, 8));
    const seen = new Set<string>();
    items.forEach(({ name = '' }, index) => {
      unique(errors, `${path}.${field}[${index}].name`, name, seen);
      ruled(errors, `${path}.${field}[${index}].name`, name, rule);
    });
  }
}

export function validateEndpointSlice(errors: Errors, slice: EndpointSlice): void {
  validateObjectMeta(errors, slice.metadata, true, dns1123SubdomainProblems);
  oneOf(errors, 'addressType', slice.addressType, ['FQDN', 'IPv4', 'IPv6']);
  const names = new Set<string>();
  slice.ports?.forEach((port, index) => {
    const at = `ports[${index}]`;
    if (port.name) ruled(errors, `${at}.name`, port.name, dns1123LabelProblems);
    unique(errors, `${at}.name`, port.name ?? '', names);
    const protocol = port.protocol as string | undefined;
    if (protocol === undefined) errors.push(required(`${at}.protocol`));
    else if (!['SCTP', 'TCP', 'UDP'].includes(protocol)) errors.push(notSupported(`${at}.protocol`, protocol, ['SCTP', 'TCP', 'UDP']));
    if (port.appProtocol !== undefined) ruled(errors, `${at}.appProtocol`, port.appProtocol, labelKeyProblems);
  });
  const endpoints = slice.endpoints ?? [];
  if (endpoints.length > 1000) errors.push(tooMany('endpoints', endpoints.length, 1000));
  endpoints.forEach((endpoint, index) => {
    const at = `endpoints[${index}]`;
    const addresses = endpoint.addresses ?? [];
    if (addresses.length === 0) errors.push(required(`${at}.addresses`));
    else if (addresses.length > 100) errors.push(tooMany(`${at}.addresses`, addresses.length, 100));
    addresses.forEach((address, i) => validateAddress(errors, `${at}.addresses`, i, address, slice.addressType));
    if (endpoint.nodeName !== undefined) ruled(errors, `${at}.nodeName`, endpoint.nodeName, dns1123SubdomainProblems);
    validateLabels(errors, `${at}.deprecatedTopology`, endpoint.deprecatedTopology);
    if (endpoint.hostname !== undefined) ruled(errors, `${at}.hostname`, endpoint.hostname, dns1123LabelProblems);
    if (endpoint.hints !== undefined) validateHints(errors, `${at}.hints`, endpoint.hints);
  });
}

export function validateEndpointSliceUpdate(errors: Errors, slice: EndpointSlice, old: EndpointSlice): void {
  validateEndpointSlice(errors, slice);
  immutable(errors, 'addressType', slice.addressType, old.addressType);
}
