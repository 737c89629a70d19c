import { forbiddenStatus, notFoundStatus } from '../../../api/meta/status.ts';
import { keyOf, resourceInfo } from '../../../api/resources.ts';
import type { Plugin } from './plugin.ts';

/** Upstream: apiserver pkg/admission/plugin/namespace/lifecycle. */
export const namespaceLifecycle: Plugin = {
  name: 'NamespaceLifecycle',
  admit: ({ call, object, old, name }) => {
    if (!call.info.namespaced || old !== undefined) return object;
    const namespace = call.env.store.get(keyOf('namespaces', undefined, call.namespace));
    if (namespace === undefined) return notFoundStatus(resourceInfo('namespaces'), call.namespace);
    if (namespace.metadata.deletionTimestamp === undefined) return object;
    const why = `unable to create new content in namespace ${call.namespace} because it is being terminated`;
    return forbiddenStatus(call.info, name, why, [
      { reason: 'NamespaceTerminating', message: `namespace ${call.namespace} is being terminated`, field: 'metadata.namespace' },
    ]);
  },
};
