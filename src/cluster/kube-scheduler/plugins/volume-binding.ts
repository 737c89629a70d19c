import { nodeSelectorMatches } from '../../../api/core-v1/node-selection.ts';
import { compareQuantity } from '../../../api/quantity.ts';
import type { Node, PersistentVolume, PersistentVolumeClaim, Pod, StorageClass } from '../../../api/schema/types.ts';
import { selectorMatches } from '../../../api/meta/selectors.ts';
import type { Context, View } from '../../component.ts';
import { unresolvable, type Cycle, type Plugin, type Rejection } from '../framework.ts';
import { claimNames, claimOf, classOf, isBound, volumeOf } from './claims.ts';

const name = 'VolumeBinding';

interface Claims {
  bound: PersistentVolumeClaim[];
  /** To be bound on the node that is chosen. */
  waiting: { claim: PersistentVolumeClaim; storageClass: StorageClass }[];
}

/** Upstream: pkg/scheduler/framework/plugins/volumebinding (podHasPVCs, GetPodVolumeClaims). */
function preFilter(cycle: Cycle): Rejection | false | undefined {
  const names = claimNames(cycle.pod);
  if (names.length === 0) return false;
  const claims: Claims = { bound: [], waiting: [] };
  let immediate = false;
  for (const each of names) {
    const claim = claimOf(cycle, each);
    if (claim === undefined) {
      return unresolvable(name, each.ephemeral
        ? `waiting for ephemeral volume controller to create the persistentvolumeclaim "${each.name}"`
        : `persistentvolumeclaim "${each.name}" not found`);
    }
    if (claim.status?.phase === 'Lost') return unresolvable(name, `persistentvolumeclaim "${each.name}" bound to non-existent persistentvolume "${claim.spec.volumeName}"`);
    if (claim.metadata.deletionTimestamp !== undefined) return unresolvable(name, `persistentvolumeclaim "${each.name}" is being deleted`);
    const storageClass = classOf(cycle.view, claim);
    if (isBound(claim)) claims.bound.push(claim);
    else if (storageClass?.volumeBindingMode === 'WaitForFirstConsumer' && !claim.spec.volumeName) claims.waiting.push({ claim, storageClass });
    else immediate = true;
  }
  if (immediate) return unresolvable(name, 'pod has unbound immediate PersistentVolumeClaims');
  cycle.data.set(name, claims);
  return undefined;
}

/** Upstream: FindPodVolumes. */
function filter(cycle: Cycle, { node }: { node?: Node }): Rejection | undefined {
  const { bound, waiting } = cycle.data.get(name) as Claims;
  if (node === undefined) return undefined;
  for (const { spec } of bound) {
    const volume = volumeOf(cycle, spec.volumeName as string);
    if (volume === undefined) return unresolvable(name, 'node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)');
    if (!reaches(volume, node)) return unresolvable(name, "node(s) didn't match PersistentVolume's node affinity");
  }
  if (waiting.length === 0) return undefined;
  const taken = new Set<string>();
  for (const { claim, storageClass } of waiting) {
    const volume = matchingVolume(cycle, claim, node, taken);
    if (volume !== undefined) taken.add(volume.metadata.name);
    else if (!canProvision(storageClass, node)) return unresolvable(name, "node(s) didn't find available persistent volumes to bind");
  }
  return undefined;
}

const reaches = ({ spec }: PersistentVolume, node: Node): boolean => spec.nodeAffinity?.required === undefined || nodeSelectorMatches(spec.nodeAffinity.required, node);

/** The smallest free volume that does. Upstream: component-helpers storage/volume FindMatchingVolume. */
function matchingVolume({ view }: Pick<Cycle, 'view'>, { metadata, spec }: PersistentVolumeClaim, node: Node | undefined, taken: ReadonlySet<string>): PersistentVolume | undefined {
  let best: PersistentVolume | undefined;
  for (const volume of view.list('persistentvolumes')) {
    const { claimRef, capacity, accessModes = [], storageClassName = '', volumeMode = 'Filesystem' } = volume.spec;
    if (taken.has(volume.metadata.name) || volume.metadata.deletionTimestamp !== undefined) continue;
    if (claimRef !== undefined && (claimRef.name !== metadata.name || claimRef.namespace !== metadata.namespace || (claimRef.uid !== undefined && claimRef.uid !== metadata.uid))) continue;
    if (claimRef === undefined && volume.status?.phase !== undefined && volume.status.phase !== 'Available') continue;
    if (storageClassName !== (spec.storageClassName ?? '') || volumeMode !== (spec.volumeMode ?? 'Filesystem')) continue;
    if (compareQuantity(capacity?.storage, spec.resources?.requests?.storage) < 0 || !(spec.accessModes ?? []).every((mode) => accessModes.includes(mode))) continue;
    if (spec.selector !== undefined && !selectorMatches(spec.selector, volume.metadata.labels)) continue;
    if (node !== undefined && !reaches(volume, node)) continue;
    if (best === undefined || compareQuantity(capacity?.storage, best.spec.capacity?.storage) < 0) best = volume;
  }
  return best;
}

function canProvision({ provisioner, allowedTopologies = [] }: StorageClass, { metadata }: Node): boolean {
  if (provisioner === '' || provisioner === 'kubernetes.io/no-provisioner') return false;
  return allowedTopologies.length === 0 || allowedTopologies.some(({ matchLabelExpressions = [] }) => (
    matchLabelExpressions.every(({ key, values }) => metadata.labels?.[key] !== undefined && values.includes(metadata.labels[key]))
  ));
}

/**
 * Tells the volume controllers where the claims that waited for this pod belong: a volume found gets its claim, else the claim its node.
 * Returns the claims that must be bound before the pod. Upstream: PreBind, BindPodVolumes.
 */
export function bindVolumes(cycle: Cycle, nodeName: string, context: Context): string[] {
  const { waiting } = (cycle.data.get(name) as Claims | undefined) ?? { waiting: [] };
  const node = cycle.state.nodes[nodeName]?.node;
  const taken = new Set<string>();
  return waiting.map(({ claim }) => {
    const { namespace = '', name: claimName, uid } = claim.metadata;
    const volume = matchingVolume(cycle, claim, node, taken);
    if (volume !== undefined) {
      taken.add(volume.metadata.name);
      const claimRef = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', namespace, name: claimName, uid };
      context.api({ verb: 'patch', resource: 'persistentvolumes', name: volume.metadata.name, patch: { type: 'merge', body: { spec: { claimRef } } } });
    } else {
      const annotations = { 'volume.kubernetes.io/selected-node': nodeName };
      context.api({ verb: 'patch', resource: 'persistentvolumeclaims', namespace, name: claimName, patch: { type: 'merge', body: { metadata: { annotations } } } });
    }
    return claimName;
  });
}

/** A claim that is gone is no longer waited for: the pod's own check comes later. */
export function claimIsBound(view: View, pod: Pod, claimName: string): boolean {
  const claim = view.get('persistentvolumeclaims', pod.metadata.namespace, claimName);
  return claim === undefined || isBound(claim);
}

export const usesClaim = (pod: Pod, claim: { metadata: { name: string; namespace?: string } }): boolean =>
  claim.metadata.namespace === pod.metadata.namespace && claimNames(pod).some((own) => own.name === claim.metadata.name);

export const volumeBinding: Plugin = {
  name,
  preFilter,
  filter,
  wakes: ({ kind, object }, pod) => kind === 'node-add' || kind === 'node-update'
    || (kind === 'storage' && object !== undefined && (object.kind !== 'PersistentVolumeClaim' || usesClaim(pod, object))),
};
