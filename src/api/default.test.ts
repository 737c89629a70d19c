import { expect, it } from 'vitest';
import { applyDefaults } from './default.ts';
import { resourceInfo, type ResourceName } from './resources.ts';

function defaulted(resource: ResourceName, spec: object): Record<string, unknown> {
  const info = resourceInfo(resource);
  const object = { apiVersion: 'v1', kind: info.kind, metadata: { name: 'a' }, spec };
  applyDefaults(info, object as never);
  return object.spec as Record<string, unknown>;
}

it('fills in what a container leaves open, the pull policy after the tag', () => {
  const { containers } = defaulted('pods', {
    containers: [
      { name: 'a', image: 'nginx', ports: [{ containerPort: 80 }], readinessProbe: { httpGet: { port: 80 } } },
      { name: 'b', image: 'nginx:1.25', resources: { limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: '500m' } } },
    ],
  }) as { containers: object[] };
  expect(containers).toEqual([
    {
      name: 'a', image: 'nginx', imagePullPolicy: 'Always', resources: {}, terminationMessagePath: '/dev/termination-log', terminationMessagePolicy: 'File', ports: [{ containerPort: 80, protocol: 'TCP' }],
      readinessProbe: { httpGet: { port: 80, path: '/', scheme: 'HTTP' }, timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 },
    },
    {
      name: 'b', image: 'nginx:1.25', imagePullPolicy: 'IfNotPresent', terminationMessagePath: '/dev/termination-log', terminationMessagePolicy: 'File',
      resources: { limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: '500m', memory: '1Gi' } },
    },
  ]);
});

it('fills in the pod around them', () => {
  expect(defaulted('pods', { containers: [] })).toEqual({
    containers: [], restartPolicy: 'Always', dnsPolicy: 'ClusterFirst', schedulerName: 'default-scheduler', securityContext: {}, terminationGracePeriodSeconds: 30, enableServiceLinks: true,
  });
});

it('rolls Deployments by quarters', () => {
  expect(defaulted('deployments.apps', { template: {} })).toMatchObject({ replicas: 1, revisionHistoryLimit: 10, progressDeadlineSeconds: 600, strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' } } });
  expect(defaulted('deployments.apps', { template: {}, strategy: { type: 'Recreate' } })).toMatchObject({ strategy: { type: 'Recreate' } });
});

it('lets a Service listen where its pods do', () => {
  expect(defaulted('services', { ports: [{ port: 80 }] })).toMatchObject({ type: 'ClusterIP', sessionAffinity: 'None', internalTrafficPolicy: 'Cluster', ports: [{ port: 80, targetPort: 80, protocol: 'TCP' }] });
});

it('gives a Job one completion, and none when only the parallelism is said', () => {
  expect(defaulted('jobs.batch', { template: {} })).toMatchObject({ completions: 1, parallelism: 1, backoffLimit: 6, completionMode: 'NonIndexed', suspend: false });
  expect(defaulted('jobs.batch', { template: {}, parallelism: 3 })).not.toHaveProperty('completions');
});
