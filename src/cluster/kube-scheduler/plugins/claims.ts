import type { PersistentVolume, PersistentVolumeClaim, Pod, StorageClass } from '../../../api/schema/types.ts';
import type { View } from '../../component.ts';
import type { Cycle } from '../framework.ts';

/** A claim that a pod's volume names. */
export interface ClaimName {
  name: string;
  ephemeral: boolean;
}

const none: readonly ClaimName[] = [];

export function claimNames({ metadata, spec }: Pod): readonly ClaimName[] {
  let names: ClaimName[] | undefined;
  for (const { name, persistentVolumeClaim, ephemeral } of spec.volumes ?? []) {
    if (persistentVolumeClaim !== undefined) (names ??= []).push({ name: persistentVolumeClaim.claimName, ephemeral: false });
    else if (ephemeral !== undefined) (names ??= []).push({ name: `${metadata.name}-${name}`, ephemeral: true });
  }
  return names ?? none;
}

export const claimKey = (pod: Pod, { name }: ClaimName): string => `${pod.metadata.namespace}/${name}`;

export const claimOf = ({ view, pod }: Cycle, { name }: ClaimName): PersistentVolumeClaim | undefined => view.get('persistentvolumeclaims', pod.metadata.namespace, name);

export const volumeOf = ({ view }: Cycle, name: string): PersistentVolume | undefined => view.get('persistentvolumes', undefined, name);

export function classOf(view: View, { spec }: PersistentVolumeClaim): StorageClass | undefined {
  const name = spec.storageClassName;
  return name === undefined || name === '' ? undefined : view.get('storageclasses.storage.k8s.io', undefined, name);
}

const completed = 'pv.kubernetes.io/bind-completed';

/** Upstream: volume binder isPVCFullyBound. */
export const isBound = ({ metadata, spec }: PersistentVolumeClaim): boolean => spec.volumeName !== undefined && spec.volumeName !== '' && metadata.annotations?.[completed] !== undefined;
