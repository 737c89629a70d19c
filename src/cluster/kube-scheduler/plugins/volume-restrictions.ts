import { unresolvable, unschedulable, type Plugin } from '../framework.ts';
import { claimKey, claimNames, claimOf } from './claims.ts';

const name = 'VolumeRestrictions';

/** Upstream: pkg/scheduler/framework/plugins/volumerestrictions. Simplified: cloud disks that only one pod may mount are not looked at. */
export const volumeRestrictions: Plugin = {
  name,
  preFilter: (cycle) => {
    const single: string[] = [];
    for (const each of claimNames(cycle.pod)) {
      if (each.ephemeral) continue;
      const claim = claimOf(cycle, each);
      if (claim === undefined) return unresolvable(name, `persistentvolumeclaim "${each.name}" not found`);
      if (claim.spec.accessModes?.includes('ReadWriteOncePod') === true) single.push(claimKey(cycle.pod, each));
    }
    if (single.length === 0) return false;
    cycle.data.set(name, { single, users: single.reduce((sum, key) => sum + (cycle.state.claims[key] ?? 0), 0) });
    return undefined;
  },
  filter: ({ data }) => ((data.get(name) as { users: number }).users > 0
    ? unschedulable(name, 'node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another pod')
    : undefined),
  imagine: ({ data }, other, _node, sign) => {
    const found = data.get(name) as { single: string[]; users: number } | undefined;
    if (found !== undefined) for (const each of claimNames(other)) if (found.single.includes(claimKey(other, each))) found.users += sign;
  },
  wakes: ({ kind, pod: other, object }, pod) => (kind === 'pod-delete' && other !== undefined
    ? claimNames(other).some((each) => claimNames(pod).some((own) => claimKey(pod, own) === claimKey(other, each)))
    : kind === 'storage' && object?.kind === 'PersistentVolumeClaim' && claimNames(pod).some((own) => own.name === object.metadata.name && object.metadata.namespace === pod.metadata.namespace)),
};
