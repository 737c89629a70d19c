import { describe, expect, it } from 'vitest';
import type { ApiObject } from '../../api/resources.ts';
import type { Pod, ResourceQuota, Service } from '../../api/schema/types.ts';
import type { ApiRequest } from '../component.ts';
import { createTestServer, podManifest } from './testing/test-server.ts';

const create = (object: object, resource: ApiRequest['resource'] = 'pods'): ApiRequest => ({ verb: 'create', resource, namespace: 'default', object: object as ApiObject });
const named = (verb: ApiRequest['verb'], name: string, more: Partial<ApiRequest> = {}): ApiRequest => ({ verb, resource: 'pods', namespace: 'default', name, ...more });
const configMap = (name: string, more: object = {}) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, ...more });

describe('creating', () => {
  it('gives a pod its metadata, wipes its status and lets admission complete it (A-10, A-11, A-40..A-45)', () => {
    const server = createTestServer();
    const answer = server.ask(create({ ...podManifest('web'), status: { phase: 'Running' } }));
    const pod = answer.object as Pod;
    expect(answer.code).toBe(201);
    expect(pod.metadata).toMatchObject({ namespace: 'default', generation: 1, creationTimestamp: '2026-01-05T09:00:00Z', resourceVersion: String(server.store.revision) });
    expect(pod.metadata.uid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(pod.status).toEqual({ phase: 'Pending', qosClass: 'BestEffort' });
    expect(pod.spec).toMatchObject({ serviceAccountName: 'default', priority: 0, preemptionPolicy: 'PreemptLowerPriority' });
    expect(pod.spec.volumes?.[0]?.name).toMatch(/^kube-api-access-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
    expect(pod.spec.tolerations?.map(({ key }) => key)).toEqual(['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable']);
  });

  it('makes names from generateName and refuses a name that is taken (A-12, A-13)', () => {
    const server = createTestServer();
    const first = server.inside(create({ ...podManifest(''), metadata: { generateName: 'web-' } }));
    expect((first.object as Pod).metadata.name).toMatch(/^web-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
    server.ask(create(podManifest('twice')));
    expect(server.ask(create(podManifest('twice'))).status).toMatchObject({ code: 409, reason: 'AlreadyExists', message: 'pods "twice" already exists' });
  });

  it('marks a gated pod (A-11)', () => {
    const pod = createTestServer().ask(create(podManifest('gated', { schedulingGates: [{ name: 'example.com/wait' }] }))).object as Pod;
    expect(pod.status.conditions).toEqual([
      {
        type: 'PodScheduled', status: 'False', reason: 'SchedulingGated', message: 'Scheduling is blocked due to non-empty scheduling gates',
        lastTransitionTime: '2026-01-05T09:00:00Z',
      },
    ]);
  });

  it('refuses content for a namespace that is not there, or on its way out (A-40)', () => {
    const server = createTestServer();
    expect(server.ask({ ...create(podManifest('a')), namespace: 'nowhere' }).status?.message).toBe('namespaces "nowhere" not found');
    server.ask({ verb: 'create', resource: 'namespaces', object: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team' } } });
    expect(server.ask({ verb: 'delete', resource: 'namespaces', name: 'team' }).object).toMatchObject({ status: { phase: 'Terminating' } });
    expect(server.ask({ ...create(podManifest('a')), namespace: 'team' }).status?.message)
      .toBe('pods "a" is forbidden: unable to create new content in namespace team because it is being terminated');
  });

  it('writes nothing on a dry run (A-14)', () => {
    const server = createTestServer();
    const before = server.store.revision;
    expect(server.ask({ ...create(podManifest('dry')), options: { dryRun: true } }).code).toBe(201);
    expect(server.store.revision).toBe(before);
  });
});

describe('updating', () => {
  it('raises a pod\'s generation for its spec alone (A-20)', () => {
    const server = createTestServer();
    server.ask(create(podManifest('web')));
    const label = server.ask(named('patch', 'web', { patch: { type: 'merge', body: { metadata: { labels: { a: 'b' } } } } }));
    const image = server.ask(named('patch', 'web', { patch: { type: 'strategic', body: { spec: { containers: [{ name: 'app', image: 'nginx:1.27' }] } } } }));
    const status = server.inside(named('patch', 'web', { subresource: 'status', patch: { type: 'merge', body: { status: { phase: 'Running' }, spec: { nodeName: 'n' } } } }));
    expect([label, image, status].map(({ object }) => (object as Pod).metadata.generation)).toEqual([1, 2, 2]);
    expect(status.object).toMatchObject({ status: { phase: 'Running' } });
    expect((status.object as Pod).spec.nodeName).toBeUndefined();
  });

  it('ignores a status that comes by the main door (A-21)', () => {
    const server = createTestServer();
    server.ask(create(podManifest('web')));
    const answer = server.ask(named('patch', 'web', { patch: { type: 'merge', body: { status: { phase: 'Failed' } } } }));
    expect((answer.object as Pod).status.phase).toBe('Pending');
  });

  it('writes nothing when nothing changes, and refuses what rests on an old version (A-22, A-23)', () => {
    const server = createTestServer();
    const old = server.ask(create(configMap('a', { data: { k: '1' } }), 'configmaps')).object as ApiObject;
    const before = server.store.revision;
    const put = (object: object) => server.ask({ verb: 'update', resource: 'configmaps', namespace: 'default', name: 'a', object: object as ApiObject });
    expect(put(configMap('a', { data: { k: '1' } })).code).toBe(200);
    expect(server.store.revision).toBe(before);
    expect(put(configMap('a', { data: { k: '2' } })).code).toBe(200);
    expect(put({ ...old, data: { k: '3' } }).status?.message).toBe(
      'Operation cannot be fulfilled on configmaps "a": the object has been modified; please apply your changes to the latest version and try again',
    );
  });
});

describe('deleting', () => {
  it('removes an unbound pod at once, after a write that says so (A-30)', () => {
    const server = createTestServer();
    server.ask(create(podManifest('web')));
    const from = server.store.changeCount;
    expect(server.ask(named('delete', 'web')).object).toMatchObject({ metadata: { deletionGracePeriodSeconds: 0, generation: 2 } });
    expect(server.store.changesFrom(from).map(({ type }) => type)).toEqual(['MODIFIED', 'DELETED']);
  });

  it('gives a bound pod its grace, which can only be shortened (A-31, A-32)', () => {
    const server = createTestServer();
    server.ask(create(podManifest('web', { nodeName: 'node-a', terminationGracePeriodSeconds: 30 })));
    const remove = (gracePeriodSeconds?: number) => {
      server.advance(1000);
      const { metadata } = server.ask(named('delete', 'web', { options: gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds } })).object as Pod;
      return [metadata.deletionTimestamp, metadata.deletionGracePeriodSeconds, metadata.generation];
    };
    expect(remove()).toEqual(['2026-01-05T09:00:31Z', 30, 2]);
    expect(remove(100)).toEqual(['2026-01-05T09:00:31Z', 30, 2]);
    expect(remove(5)).toEqual(['2026-01-05T09:00:06Z', 5, 2]);
    expect(server.ask(named('get', 'web')).code).toBe(200);
    remove(0);
    expect(server.ask(named('get', 'web')).code).toBe(404);
  });

  it('waits for finalizers, and goes with the last of them (A-33)', () => {
    const server = createTestServer();
    server.ask(create(configMap('a', { metadata: { name: 'a', finalizers: ['example.com/hold'] } }), 'configmaps'));
    const request = (verb: ApiRequest['verb'], more: Partial<ApiRequest> = {}) => server.ask({ verb, resource: 'configmaps', namespace: 'default', name: 'a', ...more });
    expect(request('delete').object).toMatchObject({ metadata: { deletionGracePeriodSeconds: 0, finalizers: ['example.com/hold'] } });
    expect(request('patch', { patch: { type: 'merge', body: { metadata: { finalizers: null } } } }).code).toBe(200);
    expect(request('get').code).toBe(404);
  });

  it('leaves a finalizer for the garbage collector where the dependents matter (A-34)', () => {
    const server = createTestServer();
    server.inside(create({ apiVersion: 'apps/v1', kind: 'ReplicaSet', metadata: { name: 'rs' }, spec: { selector: {}, template: { spec: { containers: [] } } } }, 'replicasets.apps'));
    const answer = server.ask({ verb: 'delete', resource: 'replicasets.apps', namespace: 'default', name: 'rs', options: { propagationPolicy: 'Foreground' } });
    expect((answer.object as ApiObject).metadata.finalizers).toEqual(['foregroundDeletion']);
  });

  it('names what a precondition misses (A-35)', () => {
    const server = createTestServer();
    server.ask(create(podManifest('web')));
    expect(server.ask(named('delete', 'web', { options: { preconditions: { uid: 'other' } } })).status).toMatchObject({ code: 409, reason: 'Conflict' });
  });
});

describe('subresources', () => {
  it('binds a pod once, with its node\'s zone, and without a new generation (A-50, A-51)', () => {
    const server = createTestServer();
    server.put({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'node-a', labels: { 'topology.kubernetes.io/zone': 'z1' } }, spec: {}, status: {} } as unknown as ApiObject);
    server.ask(create(podManifest('web')));
    const bind = (node: string) => server.inside(named('create', 'web', {
      subresource: 'binding', object: { apiVersion: 'v1', kind: 'Binding', metadata: { name: 'web' }, target: { kind: 'Node', name: node } },
    }));
    expect(bind('node-a').code).toBe(201);
    const pod = server.ask(named('get', 'web')).object as Pod;
    expect(pod).toMatchObject({ metadata: { generation: 1, labels: { 'topology.kubernetes.io/zone': 'z1' } }, spec: { nodeName: 'node-a' } });
    expect(pod.status.conditions).toMatchObject([{ type: 'PodScheduled', status: 'True' }]);
    expect(bind('node-b').status?.message).toBe('Operation cannot be fulfilled on pods/binding "web": pod web is already assigned to node "node-a"');
  });

  it('holds back an eviction that a budget does not allow (A-54)', () => {
    const server = createTestServer();
    server.ask(create(podManifest('web', { nodeName: 'node-a' }, { labels: { app: 'e' } })));
    server.inside(named('patch', 'web', { subresource: 'status', patch: { type: 'merge', body: { status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] } } } }));
    server.put({
      apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: { name: 'b', namespace: 'default', generation: 1 }, spec: { selector: { matchLabels: { app: 'e' } } },
      status: { observedGeneration: 1, disruptionsAllowed: 0, desiredHealthy: 1, currentHealthy: 1, expectedPods: 1 },
    } as unknown as ApiObject);
    const answer = server.ask(named('create', 'web', { subresource: 'eviction', object: { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'web' } } }));
    expect(answer.status).toMatchObject({ code: 429, details: { causes: [{ message: 'The disruption budget b needs 1 healthy pods and has 1 currently' }] } });
  });
});

describe('what the server gives out and limits', () => {
  it('finds addresses and node ports for Services, and refuses those that are taken (A-60, A-61)', () => {
    const server = createTestServer();
    const service = (name: string, spec: object) => create({ apiVersion: 'v1', kind: 'Service', metadata: { name }, spec: { ports: [{ port: 80 }], ...spec } }, 'services');
    const first = server.ask(service('a', { type: 'NodePort' })).object as Service;
    expect(first.spec.clusterIP).toMatch(/^10\.96\.\d+\.\d+$/);
    expect(first.spec.ports?.[0]?.nodePort).toBeGreaterThanOrEqual(30_086);
    expect(server.ask(service('b', { clusterIP: first.spec.clusterIP })).status?.message)
      .toBe(`Service "b" is invalid: spec.clusterIPs: Invalid value: ["${first.spec.clusterIP}"]: failed to allocate IP ${first.spec.clusterIP}: provided IP is already allocated`);
    expect((server.ask(service('c', { clusterIP: 'None' })).object as Service).spec.clusterIPs).toEqual(['None']);
  });

  it('counts what a quota allows (A-47)', () => {
    const server = createTestServer();
    server.ask(create({ apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'q' }, spec: { hard: { pods: '1' } } }, 'resourcequotas'));
    expect(server.ask(create(podManifest('a'))).code).toBe(201);
    expect(server.ask(create(podManifest('b'))).status?.message).toBe('pods "b" is forbidden: exceeded quota: q, requested: pods=1, used: pods=1, limited: pods=1');
    const quota = server.ask({ verb: 'get', resource: 'resourcequotas', namespace: 'default', name: 'q' }).object as ResourceQuota;
    expect(quota.status).toEqual({ hard: { pods: '1' }, used: { pods: '1' } });
  });

  it('fills in and enforces what a LimitRange says (A-41)', () => {
    const server = createTestServer();
    server.ask(create({
      apiVersion: 'v1', kind: 'LimitRange', metadata: { name: 'l' },
      spec: { limits: [{ type: 'Container', default: { cpu: '500m' }, defaultRequest: { cpu: '200m' }, max: { cpu: '1' } }] },
    }, 'limitranges'));
    const pod = server.ask(create(podManifest('a'))).object as Pod;
    expect(pod.spec.containers[0]?.resources).toEqual({ requests: { cpu: '200m' }, limits: { cpu: '500m' } });
    expect(pod.metadata.annotations?.['kubernetes.io/limit-ranger']).toBe('LimitRanger plugin set: cpu request for container app; cpu limit for container app');
    const big = podManifest('b', { containers: [{ name: 'app', image: 'x', resources: { limits: { cpu: '2' } } }] });
    expect(server.ask(create(big)).status?.message).toBe('pods "b" is forbidden: maximum cpu usage per Container is 1, but limit is 2');
  });
});

describe('pod security (A-49)', () => {
  it('refuses what the namespace does not allow, and warns of a template', () => {
    const server = createTestServer();
    server.ask(create(podManifest('old', { hostNetwork: true })));
    const labels = { 'pod-security.kubernetes.io/enforce': 'baseline' };
    const labelled = server.ask({ verb: 'patch', resource: 'namespaces', name: 'default', patch: { type: 'merge', body: { metadata: { labels } } } });
    expect(labelled.warnings).toEqual(['existing pods in namespace "default" violate the new PodSecurity enforce level "baseline:latest"', 'old: host namespaces']);
    expect(server.ask(create(podManifest('plain'))).code).toBe(201);
    const containers = ['a', 'b'].map((name) => ({ name, image: 'x', securityContext: { privileged: true } }));
    expect(server.ask(create(podManifest('many', { containers, hostNetwork: true }))).status?.message).toBe(
      'pods "many" is forbidden: violates PodSecurity "baseline:latest": host namespaces (hostNetwork=true), privileged (containers "a", "b" must not set securityContext.privileged=true)',
    );
    const deployment = {
      apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'd' },
      spec: { selector: { matchLabels: { a: 'b' } }, template: { metadata: { labels: { a: 'b' } }, spec: { containers: containers.slice(0, 1) } } },
    };
    expect(server.ask(create(deployment, 'deployments.apps'))).toMatchObject({
      code: 201, warnings: ['would violate PodSecurity "baseline:latest": privileged (container "a" must not set securityContext.privileged=true)'],
    });
  });
});
