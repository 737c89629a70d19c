import { unresolvable, type Plugin } from '../framework.ts';
import { claimNames, claimOf, volumeOf } from './claims.ts';

const name = 'VolumeZone';
const keys = ['failure-domain.beta.kubernetes.io/zone', 'failure-domain.beta.kubernetes.io/region', 'topology.kubernetes.io/zone', 'topology.kubernetes.io/region'];

interface Bound {
  key: string;
  values: string[];
}

/** Upstream: pkg/scheduler/framework/plugins/volumezone. */
export const volumeZone: Plugin = {
  name,
  preFilter: (cycle) => {
    const bounds: Bound[] = [];
    for (const each of claimNames(cycle.pod)) {
      const volumeName = claimOf(cycle, each)?.spec.volumeName;
      const labels = volumeName === undefined || volumeName === '' ? undefined : volumeOf(cycle, volumeName)?.metadata.labels;
      for (const key of keys) if (labels?.[key] !== undefined) bounds.push({ key, values: labels[key].split('__') });
    }
    if (bounds.length === 0) return false;
    cycle.data.set(name, bounds);
    return undefined;
  },
  filter: ({ data }, { node }) => {
    const labels = node?.metadata.labels ?? {};
    // A node that says nothing of zones is in none: everything goes.
    if (!keys.some((key) => labels[key] !== undefined)) return undefined;
    const fits = (data.get(name) as Bound[]).every(({ key, values }) => labels[key] !== undefined && values.includes(labels[key]));
    return fits ? undefined : unresolvable(name, 'node(s) had no available volume zone');
  },
  wakes: ({ kind }) => kind === 'node-add' || kind === 'node-update' || kind === 'storage',
};
