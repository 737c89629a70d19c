import type { Plugin } from './framework.ts';
import { imageLocality } from './plugins/image-locality.ts';
import { interPodAffinity } from './plugins/inter-pod-affinity.ts';
import { nodeAffinity } from './plugins/node-affinity.ts';
import { nodeName } from './plugins/node-name.ts';
import { nodePorts } from './plugins/node-ports.ts';
import { nodeResourcesBalancedAllocation, nodeResourcesFit } from './plugins/node-resources.ts';
import { nodeUnschedulable } from './plugins/node-unschedulable.ts';
import { podTopologySpread } from './plugins/pod-topology-spread.ts';
import { taintToleration } from './plugins/taint-toleration.ts';
import { volumeBinding } from './plugins/volume-binding.ts';
import { volumeRestrictions } from './plugins/volume-restrictions.ts';
import { volumeZone } from './plugins/volume-zone.ts';

/** The default profile in its order. Upstream: pkg/scheduler/apis/config/v1/default_plugins.go. */
export const plugins: readonly Plugin[] = [
  nodeUnschedulable, nodeName, taintToleration, nodeAffinity, nodePorts, nodeResourcesFit,
  volumeRestrictions, volumeBinding, volumeZone, podTopologySpread, interPodAffinity,
  nodeResourcesBalancedAllocation, imageLocality,
];

export const filters: readonly Plugin[] = plugins.filter(({ filter }) => filter !== undefined);
export const scorers: readonly Plugin[] = plugins.filter(({ score }) => score !== undefined);
export const localScorers: readonly Plugin[] = scorers.filter(({ local }) => local === true);
