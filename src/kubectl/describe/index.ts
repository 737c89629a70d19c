import type { ApiObject, ResourceInfo } from '../../api/resources.ts';
import { alignTabs } from '../table.ts';
import { configuration } from './config.ts';
import { generic } from './generic.ts';
import { eventLines, type Describer, type Describers, type Look } from './look.ts';
import { network } from './network.ts';
import { nodes } from './nodes.ts';
import { pods } from './pod.ts';
import { storage } from './storage.ts';
import { workloads } from './workloads.ts';

const describers: Describers = { pods, nodes, ...workloads, ...network, ...configuration, ...storage };

/** Kinds that upstream describes without their events. */
const silent = new Set(['secrets', 'namespaces', 'resourcequotas', 'limitranges', 'networkpolicies.networking.k8s.io']);

/** What 'kubectl describe' prints of one object. */
export function describeObject(info: ResourceInfo, object: ApiObject, look: Look): string {
  const describer = describers[info.resource] as Describer<never> | undefined;
  const text = describer === undefined ? generic(info, object) : describer(object as never, look);
  return alignTabs(text + (silent.has(info.resource) ? '' : eventLines(look, info, object)), 0, 2);
}
