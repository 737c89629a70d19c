import type { Component } from '../component.ts';
import { deployment } from './controllers/deployment/component.ts';
import { replicaSet } from './controllers/replicaset/component.ts';

const table = {
  'deployment-controller': deployment,
  'replicaset-controller': replicaSet,
};

/** Every control loop of the controller manager, by the name of its actor. */
export const controllers: readonly { name: string; component: Component<never> }[] = Object.entries(table).map(([name, component]) => ({
  name,
  component: component as Component<never>,
}));
