import type { EndpointSlice, Service } from '../../api/schema/types.ts';

/** What the DNS server knows of the cluster. */
export interface DnsZone {
  namespaceExists(namespace: string): boolean;
  service(namespace: string, name: string): Service | undefined;
  slicesOf(namespace: string, name: string): readonly EndpointSlice[];
}

export interface DnsRecords {
  code: 'NOERROR' | 'NXDOMAIN';
  addresses: string[];
  /** The question went on to a server outside of the cluster. */
  forwarded?: boolean;
}

const nowhere: DnsRecords = { code: 'NXDOMAIN', addresses: [] };
const nothing: DnsRecords = { code: 'NOERROR', addresses: [] };
const found = (addresses: string[]): DnsRecords => ({ code: 'NOERROR', addresses });

const zoneName = 'cluster.local';

/**
 * The answer of CoreDNS with kubeadm's Corefile (pods insecure, no other zones). Names outside of the cluster do not resolve.
 * Upstream: coredns plugin/kubernetes kubernetes.go Services, findPods, findServices.
 */
export function answerDns(name: string, type: 'A' | 'AAAA' | 'SRV', zone: DnsZone, depth = 0): DnsRecords {
  const plain = name.toLowerCase().replace(/\.$/, '');
  if (plain !== zoneName && !plain.endsWith(`.${zoneName}`)) return { ...nowhere, forwarded: true };
  const records = inZone(plain.slice(0, Math.max(0, plain.length - zoneName.length - 1)), zone, depth);
  return type === 'A' ? records : { ...records, addresses: [] };
}

/** The labels before the zone, last first: kind, namespace, service, endpoint. */
function inZone(prefix: string, zone: DnsZone, depth: number): DnsRecords {
  const [kind, namespace, ...rest] = prefix === '' ? [] : prefix.split('.').reverse();
  if (kind === undefined) return nothing;
  if (kind !== 'svc' && kind !== 'pod') return nowhere;
  if (namespace === undefined) return nothing;
  if (!zone.namespaceExists(namespace)) return nowhere;
  if (rest.length === 0) return nothing;
  return kind === 'pod' ? ofPod(rest) : ofService(namespace, rest, zone, depth);
}

/** '10-244-0-5': the address in the name, whether or not a pod has it. */
function ofPod([dashed = '', ...more]: string[]): DnsRecords {
  const address = dashed.replaceAll('-', '.');
  const isAddress = /^(\d{1,3}\.){3}\d{1,3}$/.test(address) && address.split('.').every((part) => Number(part) <= 255);
  return more.length === 0 && isAddress ? found([address]) : nowhere;
}

function ofService(namespace: string, [name = '', ...rest]: string[], zone: DnsZone, depth: number): DnsRecords {
  const service = zone.service(namespace, name);
  if (service === undefined) return nowhere;
  const { type, clusterIP, externalName } = service.spec;
  if (type === 'ExternalName') return rest.length === 0 ? alias(externalName ?? '', zone, depth) : nowhere;
  // _port._protocol.service: the records of the service itself.
  const isPort = rest.length === 2 && rest.every((label) => label.startsWith('_'));
  const endpoint = isPort ? undefined : rest[0];
  if (!isPort && rest.length > 1) return nowhere;
  if (endpoint === undefined && clusterIP !== undefined && clusterIP !== 'None' && clusterIP !== '') return found([clusterIP]);
  const addresses = readyAddresses(zone.slicesOf(namespace, name), endpoint);
  return addresses.length === 0 ? nowhere : found(addresses);
}

/** A name for a name. If the target does not resolve, the alias alone is the answer: no error, no address. */
function alias(target: string, zone: DnsZone, depth: number): DnsRecords {
  if (depth > 7 || target === '') return nothing;
  return found(answerDns(target, 'A', zone, depth + 1).addresses);
}

/** Addresses of ready endpoints (publishNotReadyAddresses makes them ready in the slice), or of the one with this host name. */
function readyAddresses(slices: readonly EndpointSlice[], endpoint: string | undefined): string[] {
  const addresses: string[] = [];
  for (const slice of slices) {
    if (slice.addressType !== 'IPv4') continue;
    for (const { addresses: own, conditions, hostname } of slice.endpoints ?? []) {
      const address = own[0];
      if (address === undefined || conditions?.ready === false) continue;
      if (endpoint === undefined || (hostname ?? address.replaceAll('.', '-')) === endpoint) addresses.push(address);
    }
  }
  return [...new Set(addresses)];
}
