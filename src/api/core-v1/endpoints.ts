import { required } from '../meta/field-error.ts';
import { ipRule, oneOf, ruled, within, type Errors } from '../meta/check.ts';
import { dns1123LabelProblems, dns1123SubdomainProblems, labelKeyProblems } from '../meta/names.ts';
import { validateObjectMeta, validateObjectMetaUpdate } from '../meta/object-meta.ts';
import type { EndpointAddress, EndpointPort, Endpoints } from '../schema/types.ts';
import { validateEndpointIp } from './ip-validation.ts';
import { fill } from './pod-defaults.ts';

export function defaultEndpoints(endpoints: Endpoints): void {
  for (const subset of endpoints.subsets ?? []) for (const port of subset.ports ?? []) fill(port, { protocol: 'TCP' });
}

function validateAddress(errors: Errors, path: string, address: EndpointAddress): void {
  const ip = address.ip ?? '';
  if (!ruled(errors, `${path}.ip`, ip, ipRule)) {
    if (address.hostname) ruled(errors, `${path}.hostname`, address.hostname, dns1123LabelProblems);
    if (address.nodeName !== undefined) ruled(errors, `${path}.nodeName`, address.nodeName, dns1123SubdomainProblems);
    validateEndpointIp(errors, `${path}.ip`, ip);
    return;
  }
  if (address.hostname) ruled(errors, `${path}.hostname`, address.hostname, dns1123LabelProblems);
  if (address.nodeName !== undefined) ruled(errors, `${path}.nodeName`, address.nodeName, dns1123SubdomainProblems);
  validateEndpointIp(errors, `${path}.ip`, ip);
}

function validatePort(errors: Errors, path: string, port: EndpointPort, needsName: boolean): void {
  if (port.name) ruled(errors, `${path}.name`, port.name, dns1123LabelProblems);
  else if (needsName) errors.push(required(`${path}.name`));
  within(errors, `${path}.port`, port.port ?? 0, 1, 65_535);
  oneOf(errors, `${path}.protocol`, port.protocol, ['SCTP', 'TCP', 'UDP']);
  if (port.appProtocol !== undefined) ruled(errors, `${path}.appProtocol`, port.appProtocol, labelKeyProblems);
}

export function validateEndpoints(errors: Errors, endpoints: Endpoints): void {
  validateObjectMeta(errors, endpoints.metadata, true, dns1123SubdomainProblems);
  endpoints.subsets?.forEach((subset, index) => {
    const at = `subsets[${index}]`;
    if ((subset.addresses ?? []).length + (subset.notReadyAddresses ?? []).length === 0) errors.push(required(at, 'must specify `addresses` or `notReadyAddresses`'));
    for (const field of ['addresses', 'notReadyAddresses'] as const) {
      subset[field]?.forEach((address, i) => validateAddress(errors, `${at}.${field}[${i}]`, address));
    }
    subset.ports?.forEach((port, i) => validatePort(errors, `${at}.ports[${i}]`, port, (subset.ports ?? []).length > 1));
  });
}

export function validateEndpointsUpdate(errors: Errors, endpoints: Endpoints, old: Endpoints): void {
  validateObjectMetaUpdate(errors, endpoints.metadata, old.metadata);
  validateEndpoints(errors, endpoints);
}
