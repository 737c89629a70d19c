import type { Component } from '../component.ts';
import { cronJob } from './controllers/cronjob/component.ts';
import { daemonSet } from './controllers/daemonset/component.ts';
import { deployment } from './controllers/deployment/component.ts';
import { disruption } from './controllers/disruption/component.ts';
import { endpointSlice } from './controllers/endpointslice/component.ts';
import { endpoints } from './controllers/endpoints/component.ts';
import { garbageCollector } from './controllers/garbage-collector/component.ts';
import { job } from './controllers/job/component.ts';
import { namespace } from './controllers/namespace/component.ts';
import { nodeLifecycle } from './controllers/node-lifecycle/component.ts';
import { persistentVolume } from './controllers/persistentvolume/component.ts';
import { podGarbageCollector } from './controllers/pod-garbage-collector/component.ts';
import { replicaSet } from './controllers/replicaset/component.ts';
import { resourceQuota } from './controllers/resourcequota/component.ts';
import { serviceAccount } from './controllers/serviceaccount/component.ts';
import { statefulSet } from './controllers/statefulset/component.ts';
import { taintEviction } from './controllers/taint-eviction/component.ts';
import { ttlAfterFinished } from './controllers/ttl-after-finished/component.ts';

const table: Record<string, Component<never>> = {
  'deployment-controller': deployment as Component<never>,
  'replicaset-controller': replicaSet as Component<never>,
  'statefulset-controller': statefulSet as Component<never>,
  'daemonset-controller': daemonSet as Component<never>,
  'job-controller': job as Component<never>,
  'cronjob-controller': cronJob as Component<never>,
  'ttl-after-finished-controller': ttlAfterFinished as Component<never>,
  'disruption-controller': disruption as Component<never>,
  'endpointslice-controller': endpointSlice as Component<never>,
  'endpoints-controller': endpoints as Component<never>,
  'namespace-controller': namespace as Component<never>,
  'garbage-collector': garbageCollector as Component<never>,
  'serviceaccount-controller': serviceAccount as Component<never>,
  'node-lifecycle-controller': nodeLifecycle as Component<never>,
  'taint-eviction-controller': taintEviction as Component<never>,
  'persistentvolume-controller': persistentVolume as Component<never>,
  'resourcequota-controller': resourceQuota as Component<never>,
  'pod-garbage-collector': podGarbageCollector as Component<never>,
};

/**
 * Loops that look at pods now and then and are not what anybody waits for: they let changes gather. In a large start each pod write would else
 * be an event for each of them.
 */
const patienceMs: Readonly<Record<string, number>> = {
  'pod-garbage-collector': 100,
  'resourcequota-controller': 50,
  'persistentvolume-controller': 50,
  'disruption-controller': 20,
  'taint-eviction-controller': 50,
  'node-lifecycle-controller': 50,
  'garbage-collector': 20,
};

/** Every control loop of the controller manager, by the name of its actor. */
export const controllers: readonly { name: string; component: Component<never> }[] = Object.entries(table).map(([name, component]) => ({
  name,
  component: patienceMs[name] === undefined ? component : { ...component, patienceMs: patienceMs[name] },
}));
