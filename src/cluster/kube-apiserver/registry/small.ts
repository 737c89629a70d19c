import type { ApiObject } from '../../../api/resources.ts';
import type { Job, Namespace, Secret } from '../../../api/schema/types.ts';

/** Upstream: pkg/registry/core/namespace/strategy.go: every new name space waits for its content at deletion. */
export function freshNamespace(object: ApiObject): ApiObject {
  const namespace = object as Namespace;
  const finalizers = namespace.spec?.finalizers ?? [];
  const spec = { ...namespace.spec, finalizers: finalizers.includes('kubernetes') ? finalizers : [...finalizers, 'kubernetes'] };
  return { ...namespace, spec } as ApiObject;
}

/** Finalizers change through the finalize subresource alone. */
export function keepNamespaceFinalizers(next: ApiObject, old: ApiObject): ApiObject {
  const { spec } = old as Namespace;
  return { ...next, ...(spec === undefined ? {} : { spec }) } as ApiObject;
}

/** Upstream: pkg/registry/core/secret/strategy.go: an update without a type keeps the old one. */
export function wipeSecret(next: ApiObject, old: ApiObject): ApiObject {
  const type = (next as Secret).type || (old as Secret).type;
  return type === undefined ? next : ({ ...next, type } as ApiObject);
}

/** Upstream: pkg/registry/batch/job/strategy.go generateSelector: a job finds its pods by its own uid. */
export function jobDefaultsOnCreate(object: ApiObject): ApiObject {
  const job = object as Job;
  const uid = job.metadata.uid ?? '';
  if (job.spec.manualSelector === true) return object;
  const own = { 'batch.kubernetes.io/controller-uid': uid, 'batch.kubernetes.io/job-name': job.metadata.name, 'controller-uid': uid, 'job-name': job.metadata.name };
  const { template } = job.spec;
  return {
    ...job,
    spec: {
      ...job.spec,
      selector: { ...job.spec.selector, matchLabels: { ...job.spec.selector?.matchLabels, 'batch.kubernetes.io/controller-uid': uid } },
      template: { ...template, metadata: { ...template.metadata, labels: { ...template.metadata?.labels, ...own } } },
    },
  } as unknown as ApiObject;
}
