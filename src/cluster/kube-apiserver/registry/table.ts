import type { ResourceName } from '../../../api/resources.ts';
import { resourceInfo } from '../../../api/resources.ts';
import { formatRfc3339 } from '../../../sim/time.ts';
import { freshPod, initialPodStatus, podGracePeriod } from './pods.ts';
import { allocateService, freshService, keepAllocations } from './services.ts';
import { countTemplates, freshNamespace, jobDefaultsOnCreate, keepNamespaceFinalizers, nameLimitRange, wipeSecret } from './small.ts';
import type { Strategy } from './strategy.ts';

/** What most kinds do: status wiped on create and kept on update, generation from spec. */
function generic(resource: ResourceName): Strategy {
  const hasStatus = resourceInfo(resource).subresources.includes('status');
  return {
    generation: [],
    hasStatus,
    statusWritesMetadata: false,
    allowsUnconditionalUpdate: true,
    createsOnUpdate: false,
    returnsDeleted: false,
    ignoresPropagation: false,
    orphansByDefault: false,
  };
}

const spec = ['spec'];

/** How each kind differs from the generic one. */
const differences: Partial<Record<ResourceName, Partial<Strategy>>> = {
  namespaces: { prepareForCreate: freshNamespace, prepareForUpdate: keepNamespaceFinalizers, initialStatus: () => ({ phase: 'Active' }), returnsDeleted: true },
  nodes: { statusWritesMetadata: true, initialStatus: (node) => (node as { status?: object }).status ?? {}, returnsDeleted: false },
  pods: {
    prepareForCreate: freshPod, generation: spec, initialStatus: initialPodStatus, statusWritesMetadata: true, gracePeriodSeconds: podGracePeriod, returnsDeleted: true,
  },
  services: {
    prepareForCreate: freshService, prepareForUpdate: keepAllocations, beforeStore: allocateService, createsOnUpdate: true, returnsDeleted: true,
    initialStatus: () => ({ loadBalancer: {} }),
  },
  endpoints: { createsOnUpdate: true, deprecation: 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice' },
  secrets: { prepareForUpdate: wipeSecret },
  serviceaccounts: { returnsDeleted: true },
  events: { ignoresPropagation: true, createsOnUpdate: true },
  limitranges: { createsOnUpdate: true, prepareForCreate: nameLimitRange },
  resourcequotas: { returnsDeleted: true, initialStatus: () => ({}) },
  persistentvolumes: { returnsDeleted: true, initialStatus: (_object, { env }) => ({ phase: 'Pending', lastPhaseTransitionTime: formatRfc3339(env.epochMs) }) },
  persistentvolumeclaims: { returnsDeleted: true, initialStatus: () => ({ phase: 'Pending' }) },
  podtemplates: { returnsDeleted: true, generation: ['template'] },
  replicationcontrollers: { generation: spec, initialStatus: () => ({ replicas: 0 }), orphansByDefault: true },
  'replicasets.apps': { generation: spec, initialStatus: () => ({ replicas: 0 }) },
  'deployments.apps': { generation: ['spec', 'metadata.annotations'], initialStatus: () => ({}), statusWritesMetadata: true },
  'statefulsets.apps': { generation: spec, initialStatus: () => ({ replicas: 0, availableReplicas: 0 }) },
  'daemonsets.apps': {
    prepareForCreate: countTemplates, prepareForUpdate: countTemplates, generation: spec, initialStatus: () => ({ currentNumberScheduled: 0, numberMisscheduled: 0, desiredNumberScheduled: 0, numberReady: 0 }),
  },
  'jobs.batch': { generation: spec, initialStatus: () => ({}), prepareForCreate: jobDefaultsOnCreate, orphansByDefault: true },
  'cronjobs.batch': { generation: spec, initialStatus: () => ({}) },
  'endpointslices.discovery.k8s.io': { generation: ['endpoints', 'ports', 'metadata.labels', 'metadata.annotations'] },
  'leases.coordination.k8s.io': { createsOnUpdate: true, allowsUnconditionalUpdate: false },
  'priorityclasses.scheduling.k8s.io': { generation: ['never'] },
  'poddisruptionbudgets.policy': {
    generation: spec, allowsUnconditionalUpdate: false,
    initialStatus: () => ({ disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 }),
  },
  'horizontalpodautoscalers.autoscaling': { generation: spec, initialStatus: () => ({ desiredReplicas: 0 }) },
  'ingresses.networking.k8s.io': { generation: spec, initialStatus: () => ({ loadBalancer: {} }) },
  'ingressclasses.networking.k8s.io': { generation: spec },
  'networkpolicies.networking.k8s.io': { generation: spec },
};

const strategies = new Map<ResourceName, Strategy>();

export function strategyOf(resource: ResourceName): Strategy {
  let strategy = strategies.get(resource);
  if (strategy === undefined) {
    strategy = { ...generic(resource), ...differences[resource] };
    strategies.set(resource, strategy);
  }
  return strategy;
}
