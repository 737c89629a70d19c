import { selectorMatches } from '../../../../api/meta/selectors.ts';
import { compareQuantity } from '../../../../api/quantity.ts';
import type { PersistentVolume, PersistentVolumeClaim } from '../../../../api/schema/types.ts';

export const bindCompleted = 'pv.kubernetes.io/bind-completed';
export const boundByController = 'pv.kubernetes.io/bound-by-controller';
export const selectedNode = 'volume.kubernetes.io/selected-node';

/** A volume that says it belongs to a claim. */
export const isClaimedBy = ({ spec }: PersistentVolume, { metadata }: PersistentVolumeClaim): boolean =>
  spec.claimRef !== undefined && spec.claimRef.name === metadata.name && spec.claimRef.namespace === metadata.namespace && (spec.claimRef.uid === undefined || spec.claimRef.uid === metadata.uid);

/** The smallest volume that suits a claim; one made for it first. Upstream: component-helpers storage/volume FindMatchingVolume. */
export function matchingVolume(volumes: readonly PersistentVolume[], claim: PersistentVolumeClaim): PersistentVolume | undefined {
  let best: PersistentVolume | undefined;
  for (const volume of volumes) {
    if (volume.metadata.deletionTimestamp !== undefined || !suits(volume, claim)) continue;
    if (isClaimedBy(volume, claim)) return volume;
    if (volume.spec.claimRef !== undefined || volume.status?.phase !== 'Available') continue;
    if (best === undefined || compareQuantity(volume.spec.capacity?.storage, best.spec.capacity?.storage) < 0) best = volume;
  }
  return best;
}

function suits({ metadata, spec }: PersistentVolume, { spec: wanted }: PersistentVolumeClaim): boolean {
  return (spec.storageClassName ?? '') === (wanted.storageClassName ?? '') && (spec.volumeMode ?? 'Filesystem') === (wanted.volumeMode ?? 'Filesystem')
    && compareQuantity(spec.capacity?.storage, wanted.resources?.requests?.storage) >= 0
    && (wanted.accessModes ?? []).every((mode) => spec.accessModes?.includes(mode) ?? false)
    && (wanted.selector === undefined || selectorMatches(wanted.selector, metadata.labels));
}
