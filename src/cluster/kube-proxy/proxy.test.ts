import { expect, test } from 'vitest';
import type { Endpoint, EndpointSlice, Service } from '../../api/schema/types.ts';
import { chooseEndpoint, type ProxyQuestion } from './proxy.ts';

const ready = { ready: true, serving: true, terminating: false };
const leaving = { ready: false, serving: true, terminating: true };
const failing = { ready: false, serving: false, terminating: false };

const endpoint = (address: string, conditions: Endpoint['conditions'] & object, nodeName = 'node-a'): Endpoint => ({ addresses: [address], conditions, nodeName });

function choose(endpoints: Endpoint[], spec: Partial<Service['spec']> = {}, question: Partial<ProxyQuestion> = {}) {
  const slice = { apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice', addressType: 'IPv4', metadata: { name: 'web-x' }, ports: [{ name: '', port: 8080, protocol: 'TCP' }], endpoints } as EndpointSlice;
  const service = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'web' }, spec, status: {} } as Service;
  return chooseEndpoint({ service, servicePort: { port: 80 }, slices: [slice], node: 'node-a', clientAddress: '10.244.0.9', external: false, random: () => 0, ...question });
}

test('P-1: a connection goes to a ready endpoint, on the port that the slice says', () => {
  expect(choose([endpoint('10.244.0.2', failing), endpoint('10.244.0.3', ready)])).toEqual({ ok: true, address: '10.244.0.3', port: 8080, node: 'node-a' });
});

test('P-2: without a ready endpoint those take it that end but still serve; without these it is refused', () => {
  expect(choose([endpoint('10.244.0.2', leaving), endpoint('10.244.0.3', failing)])).toMatchObject({ address: '10.244.0.2' });
  expect(choose([endpoint('10.244.0.3', failing)])).toEqual({ ok: false, error: 'refused' });
  expect(choose([])).toEqual({ ok: false, error: 'refused' });
});

test('P-3: under a local policy only this node counts; others having some makes packets vanish', () => {
  const elsewhere = endpoint('10.244.1.2', ready, 'node-b');
  expect(choose([elsewhere], { internalTrafficPolicy: 'Local' })).toEqual({ ok: false, error: 'timeout' });
  expect(choose([elsewhere, endpoint('10.244.0.2', ready)], { internalTrafficPolicy: 'Local' })).toMatchObject({ address: '10.244.0.2' });
  expect(choose([elsewhere], { externalTrafficPolicy: 'Local' }, { external: true })).toEqual({ ok: false, error: 'timeout' });
});

test('P-4: every ready endpoint has the same chance; a client with affinity stays with one', () => {
  const endpoints = [1, 2, 3].map((n) => endpoint(`10.244.0.${n}`, ready));
  expect([0, 1, 2].map((draw) => choose(endpoints, {}, { random: () => draw }))).toMatchObject(endpoints.map(({ addresses }) => ({ address: addresses[0] })));
  const sticky = [0, 1, 2].map((draw) => choose(endpoints, { sessionAffinity: 'ClientIP' }, { random: () => draw }));
  expect(new Set(sticky.map((choice) => JSON.stringify(choice))).size).toBe(1);
});
