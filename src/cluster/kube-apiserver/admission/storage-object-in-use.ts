import type { ApiObject } from '../../../api/resources.ts';
import type { Plugin } from './plugin.ts';

/** Volumes and claims wait for their users at deletion. Upstream: plugin/pkg/admission/storage/storageobjectinuseprotection. */
export const storageObjectInUse: Plugin = {
  name: 'StorageObjectInUseProtection',
  resources: ['persistentvolumes', 'persistentvolumeclaims'],
  admit: ({ call, object, old }) => {
    const finalizer = call.info.resource === 'persistentvolumes' ? 'kubernetes.io/pv-protection' : 'kubernetes.io/pvc-protection';
    const finalizers = object.metadata.finalizers ?? [];
    if (old !== undefined || finalizers.includes(finalizer)) return object;
    return { ...object, metadata: { ...object.metadata, finalizers: [...finalizers, finalizer] } } as ApiObject;
  },
};
