import { describe, expect, test } from 'vitest';
import type { ApiObject, ResourceName } from '../../api/resources.ts';
import type { View } from '../component.ts';
import { fakePrograms, testRuntime, type FakeProgram } from '../container-runtime/testing/test-runtime.ts';
import { createNetwork } from './network.ts';

const server: FakeProgram = {
  step: (wake, host) => {
    if (wake.kind === 'start') host.listen(80);
    return wake.kind === 'signal' ? { status: 'exited', exitCode: 0 } : { status: 'running' };
  },
  answer: (request, host) => (request.kind === 'http' ? { kind: 'http', status: 200, headers: {}, body: `${host.podIP} ${request.path}`, delayMs: 5 } : { kind: 'accepted', delayMs: 0 }),
};

const metadata = (name: string, more: object = {}) => ({ name, namespace: 'default', uid: name, creationTimestamp: '', resourceVersion: '1', ...more });

const objects: Record<string, ApiObject[]> = {
  namespaces: [{ apiVersion: 'v1', kind: 'Namespace', metadata: metadata('default') }],
  services: [
    { apiVersion: 'v1', kind: 'Service', metadata: metadata('web'), spec: { clusterIP: '10.96.7.7', clusterIPs: ['10.96.7.7'], type: 'NodePort', ports: [{ port: 8080, nodePort: 30_080, targetPort: 80 }] }, status: {} } as ApiObject,
    { apiVersion: 'v1', kind: 'Service', metadata: metadata('lost'), spec: { clusterIP: '10.96.7.8', ports: [{ port: 80 }] }, status: {} } as ApiObject,
  ],
  'endpointslices.discovery.k8s.io': [{
    apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice', addressType: 'IPv4', metadata: metadata('web-1', { labels: { 'kubernetes.io/service-name': 'web' } }),
    ports: [{ name: '', port: 80, protocol: 'TCP' }], endpoints: [{ addresses: ['10.244.1.2'], nodeName: 'node-b', conditions: { ready: true } }],
  } as ApiObject],
};

const live: View = {
  revision: 1,
  get: (resource: ResourceName, _namespace: string | undefined, name: string) => objects[resource]?.find((object) => object.metadata.name === name) as never,
  list: (resource: ResourceName) => (objects[resource] ?? []) as never[],
  by: (resource: ResourceName, _index: string, value: string) =>
    (objects[resource] ?? []).filter((object) => `default/kubernetes.io/service-name=${object.metadata.labels?.['kubernetes.io/service-name'] ?? ''}` === value) as never[],
  count: () => 0,
};

function twoNodes() {
  const a = testRuntime({ server }, { node: { name: 'node-a', index: 0 } });
  const b = testRuntime({ server }, { node: { name: 'node-b', index: 1 } });
  const client = a.startContainer({}, { podUid: 'client' });
  const backend = b.startContainer({ command: ['server'] }, { podUid: 'backend' });
  const cutOff: string[] = [];
  const network = createNetwork({
    live, now: () => 1000, epochMs: () => 1000, random: () => 0, runtimeState: (node) => ({ 'node-a': a.state, 'node-b': b.state })[node],
    nodes: () => ['node-a', 'node-b'], cutOff: () => cutOff, programs: fakePrograms({ server }),
  });
  return { network, cutOff, client, backend, from: { node: 'node-a', podUid: 'client' } };
}

describe('the network', () => {
  test('N-3: a Service address leads to an endpoint\'s container, on its target port', () => {
    const { network, backend, from } = twoNodes();
    expect(network.connect(from, '10.96.7.7', 8080)).toEqual({ ok: true, latencyMs: 1, node: 'node-b', podUid: 'backend', containerId: backend, address: '10.244.1.2', port: 80 });
    expect(network.http(from, { method: 'GET', address: '10.96.7.7', port: 8080, path: '/x' })).toMatchObject({ ok: true, status: 200, body: '10.244.1.2 /x', podUid: 'backend', latencyMs: 6 });
    expect(network.http(from, { method: 'GET', address: '172.30.0.11', port: 30_080, path: '/' })).toMatchObject({ ok: true, podUid: 'backend' });
  });

  test('N-4: refused where nobody listens and by a Service without endpoints; silence where there is no rule; no route to a missing pod', () => {
    const { network, from } = twoNodes();
    expect(network.connect(from, '10.244.1.2', 81)).toMatchObject({ ok: false, error: 'refused' });
    expect(network.connect(from, '10.96.7.8', 80)).toMatchObject({ ok: false, error: 'refused' });
    expect(network.connect(from, '10.96.7.7', 81)).toMatchObject({ ok: false, error: 'timeout' });
    expect(network.connect(from, '10.244.1.99', 80)).toMatchObject({ ok: false, error: 'unreachable' });
    expect(network.connect(from, '8.8.8.8', 53)).toMatchObject({ ok: false, error: 'timeout' });
  });

  test('N-5: a node whose network is down reaches nobody and is reached by nobody', () => {
    const { network, cutOff, from } = twoNodes();
    cutOff.push('node-b');
    expect(network.connect(from, '10.244.1.2', 80)).toMatchObject({ ok: false, error: 'timeout' });
    expect(network.resolve({ from: { node: 'node-b' }, name: 'web.default.svc.cluster.local', type: 'A' })).toMatchObject({ code: 'TIMEOUT' });
    expect(network.resolve({ from, name: 'web.default.svc.cluster.local', type: 'A' })).toMatchObject({ code: 'NOERROR', addresses: ['10.96.7.7'] });
  });
});
