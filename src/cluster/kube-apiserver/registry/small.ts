import type { ApiObject } from '../../../api/resources.ts';
import type { DaemonSet, Job, Namespace, Secret } from '../../../api/schema/types.ts';
import { samePlain } from '../../../sim/plain.ts';
import type { Call } from '../environment.ts';
import { newUid } from '../metadata.ts';

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

/** A LimitRange without a name gets one. Upstream: pkg/registry/core/limitrange/strategy.go. */
export function nameLimitRange(object: ApiObject, call: Call): ApiObject {
  return object.metadata.name === '' ? { ...object, metadata: { ...object.metadata, name: newUid(call) } } : object;
}

const templateGeneration = 'deprecated.daemonset.template.generation';

/** A counter from the days before controller revisions. Upstream: pkg/registry/apps/daemonset/strategy.go, pkg/apis/apps/v1/conversion.go. */
export function countTemplates(next: ApiObject, old?: ApiObject | Call): ApiObject {
  const before = old !== undefined && 'metadata' in old ? (old as DaemonSet) : undefined;
  const count = Number(before?.metadata.annotations?.[templateGeneration] ?? 0);
  const changed = before === undefined || !samePlain(before.spec.template, (next as DaemonSet).spec.template);
  return { ...next, metadata: { ...next.metadata, annotations: { ...next.metadata.annotations, [templateGeneration]: String(changed ? count + 1 : count) } } } as ApiObject;
}

/** Upstream: pkg/registry/batch/job/strategy.go generateSelector: a job finds its pods by its own uid. */
export function jobDefaultsOnCreate(object: ApiObject): ApiObject {
  const job = object as Job;
  const uid = job.metadata.uid ?? '';
  if (job.spec.manualSelector === true) return object;
  const own = { 'batch.kubernetes.io/controller-uid': uid, 'batch.kubernetes.io/job-name': job.metadata.name, 'controller-uid': uid, 'job-name': job.metadata.name };
  const { template } = job.spec;
  const labels = { ...template.metadata?.labels, ...own };
  // Labels that were taken from the template are the same map there, so they grow along with it.
  const shared = samePlain(job.metadata.labels ?? {}, template.metadata?.labels ?? {});
  return {
    ...job,
    metadata: shared ? { ...job.metadata, labels } : job.metadata,
    spec: {
      ...job.spec,
      selector: { ...job.spec.selector, matchLabels: { ...job.spec.selector?.matchLabels, 'batch.kubernetes.io/controller-uid': uid } },
      template: { ...template, metadata: { ...template.metadata, labels } },
    },
  } as unknown as ApiObject;
}
