import { expect, test } from 'vitest';
import type { EndpointSlice, Service } from '../../api/schema/types.ts';
import { answerDns, type DnsZone } from './dns.ts';

const service = (name: string, spec: Partial<Service['spec']>): Service => ({ apiVersion: 'v1', kind: 'Service', metadata: { name, namespace: 'default' }, spec, status: {} }) as Service;

const services: Record<string, Service> = {
  web: service('web', { clusterIP: '10.96.7.7' }),
  peers: service('peers', { clusterIP: 'None' }),
  empty: service('empty', { clusterIP: 'None' }),
  there: service('there', { type: 'ExternalName', externalName: 'db.example.com' }),
  alias: service('alias', { type: 'ExternalName', externalName: 'web.default.svc.cluster.local' }),
};

const slices: Record<string, EndpointSlice[]> = {
  peers: [{
    apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice', addressType: 'IPv4', metadata: { name: 'peers-x' },
    endpoints: [
      { addresses: ['10.244.0.5'], hostname: 'peer-0', conditions: { ready: true } },
      { addresses: ['10.244.1.6'], hostname: 'peer-1', conditions: { ready: false } },
    ],
  } as EndpointSlice],
};

const zone: DnsZone = {
  namespaceExists: (namespace) => namespace === 'default',
  service: (_namespace, name) => services[name],
  slicesOf: (_namespace, name) => slices[name] ?? [],
};

test.each([
  ['web.default.svc.cluster.local', 'NOERROR', ['10.96.7.7']],
  ['WEB.default.svc.cluster.local.', 'NOERROR', ['10.96.7.7']],
  ['_http._tcp.web.default.svc.cluster.local', 'NOERROR', ['10.96.7.7']],
  ['nosuch.default.svc.cluster.local', 'NXDOMAIN', []],
  ['web.other.svc.cluster.local', 'NXDOMAIN', []],
  ['peers.default.svc.cluster.local', 'NOERROR', ['10.244.0.5']],
  ['peer-0.peers.default.svc.cluster.local', 'NOERROR', ['10.244.0.5']],
  ['peer-1.peers.default.svc.cluster.local', 'NXDOMAIN', []],
  ['empty.default.svc.cluster.local', 'NXDOMAIN', []],
  ['there.default.svc.cluster.local', 'NOERROR', []],
  ['alias.default.svc.cluster.local', 'NOERROR', ['10.96.7.7']],
  ['10-244-0-9.default.pod.cluster.local', 'NOERROR', ['10.244.0.9']],
  ['default.svc.cluster.local', 'NOERROR', []],
  ['example.com', 'NXDOMAIN', []],
  ['web', 'NXDOMAIN', []],
])('N-1: %s is %s %j', (name, code, addresses) => {
  expect(answerDns(name, 'A', zone)).toMatchObject({ code, addresses });
});

test('N-2: a name that is there has no AAAA records, which is no error', () => {
  expect(answerDns('web.default.svc.cluster.local', 'AAAA', zone)).toEqual({ code: 'NOERROR', addresses: [] });
});
