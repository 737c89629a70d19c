import { conflict, deletedStatus, forbiddenStatus, isStatus, notFoundStatus } from '../../api/meta/status.ts';
import type { ApiObject } from '../../api/resources.ts';
import type { Namespace, ObjectMeta, Status } from '../../api/schema/types.ts';
import { formatRfc3339, parseRfc3339, second } from '../../sim/time.ts';
import type { ApiResponse } from '../component.ts';
import type { Call, Outcome } from './environment.ts';
import { selectObjects } from './read.ts';
import type { Strategy } from './registry/strategy.ts';
import { strategyOf } from './registry/table.ts';
import { remove, stored, write } from './write.ts';

/** DELETE of one name. Upstream: apiserver pkg/registry/generic/registry/store.go Delete. */
export function deleteOne(call: Call): ApiResponse {
  if (call.info.resource === 'jobs.batch' && call.options.propagationPolicy === undefined && !call.caller.inside) call.warnings.push(jobsOrphan);
  const object = stored(call);
  if (object === undefined) return { code: 404, status: notFoundStatus(call.info, call.name) };
  const outcome = call.info.resource === 'namespaces' ? deleteNamespace(call, object as Namespace) : deleteObject(call, object);
  if (isStatus(outcome)) return { code: outcome.code ?? 200, status: outcome };
  return { code: 200, object: outcome };
}

/** DELETE of a collection: one after the other; answers with what was there. */
export function deleteCollection(call: Call): ApiResponse {
  const selected = selectObjects(call);
  if (isStatus(selected)) return { code: selected.code ?? 400, status: selected };
  for (const object of selected.items) {
    const one: Call = { ...call, name: object.metadata.name, namespace: object.metadata.namespace ?? '' };
    const outcome = deleteObject(one, object);
    if (isStatus(outcome) && outcome.status === 'Failure' && outcome.code !== 404) return { code: outcome.code ?? 500, status: outcome };
  }
  return { code: 200, object: selected };
}

/** The object if it stays for now, or its last state, or a Status. */
export function deleteObject(call: Call, object: ApiObject): Outcome {
  const strategy = strategyOf(call.info.resource);
  const refusal = checkPreconditions(call, object);
  if (refusal !== undefined) return refusal;
  const grace = graceOf(call, object, strategy);
  if (grace === 'pending') return object;
  const finalizers = strategy.ignoresPropagation ? object.metadata.finalizers : propagationFinalizers(call, object.metadata, strategy.orphansByDefault);
  const waits = (finalizers?.length ?? 0) > 0;
  if (grace === undefined && !waits) return finish(call, object, object, strategy);
  const marked = mark(call, object, grace ?? 0, finalizers);
  const written = write(call, marked, object);
  return waits || (grace ?? 0) > 0 ? written : finish(call, object, written, strategy);
}

function checkPreconditions(call: Call, { metadata }: ApiObject): Status | undefined {
  const { uid, resourceVersion } = call.options.preconditions ?? {};
  const { kind, group } = call.info;
  const refuse = (why: string) => conflict({ plural: kind, group, kind }, metadata.name, why);
  if (uid !== undefined && uid !== metadata.uid) {
    return refuse(`the UID in the precondition (${uid}) does not match the UID in record (${metadata.uid ?? ''}). The object might have been deleted and then recreated`);
  }
  if (resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion) {
    return refuse(`the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${metadata.resourceVersion ?? ''}). The object might have been modified`);
  }
  return undefined;
}

/** Seconds of grace from now on; undefined: the kind knows none; 'pending': an earlier DELETE holds. Upstream: rest/delete.go BeforeDelete. */
function graceOf(call: Call, object: ApiObject, strategy: Strategy): number | 'pending' | undefined {
  if (strategy.gracePeriodSeconds === undefined) return undefined;
  const { deletionTimestamp, deletionGracePeriodSeconds } = object.metadata;
  const given = call.options.gracePeriodSeconds;
  const asked = given !== undefined && given < 0 ? 1 : given;
  if (deletionTimestamp === undefined) return strategy.gracePeriodSeconds(object, asked);
  if (asked === undefined || asked >= (deletionGracePeriodSeconds ?? 0)) return deletionGracePeriodSeconds === undefined ? 0 : 'pending';
  return asked;
}

/** Upstream: store.go deletionFinalizersForGarbageCollection. */
export function propagationFinalizers(call: Call, { finalizers = [] }: ObjectMeta, orphansByDefault = false): string[] {
  const policy = call.options.propagationPolicy;
  const has = (name: string) => finalizers.includes(name);
  const wanted = policy === 'Orphan' ? 'orphan' : policy === 'Foreground' ? 'foregroundDeletion'
    : policy === 'Background' ? undefined : has('orphan') ? 'orphan' : has('foregroundDeletion') ? 'foregroundDeletion' : orphansByDefault ? 'orphan' : undefined;
  const others = finalizers.filter((name) => name !== 'orphan' && name !== 'foregroundDeletion');
  return wanted === undefined ? others : [...others, wanted];
}

/** With a deletion time: now and the grace, or an earlier one shortened. The first time raises the generation. */
function mark(call: Call, object: ApiObject, grace: number, finalizers: string[] | undefined): ApiObject {
  const { metadata } = object;
  const before = metadata.deletionTimestamp === undefined ? undefined : parseRfc3339(metadata.deletionTimestamp);
  const startedAt = before === undefined ? call.env.epochMs : before - (metadata.deletionGracePeriodSeconds ?? 0) * second;
  const { finalizers: _, ...rest } = metadata;
  return {
    ...object,
    metadata: {
      ...rest,
      ...(before === undefined && metadata.generation !== undefined ? { generation: metadata.generation + 1 } : {}),
      deletionTimestamp: formatRfc3339(startedAt + grace * second),
      deletionGracePeriodSeconds: grace,
      ...((finalizers?.length ?? 0) > 0 ? { finalizers: finalizers as string[] } : {}),
    },
  };
}

function finish(call: Call, _before: ApiObject, last: ApiObject, strategy: Strategy): Outcome {
  remove(call, last);
  return strategy.returnsDeleted ? last : deletedStatus(call.info, last.metadata.name, last.metadata.uid ?? '');
}

const jobsOrphan = 'child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning';

const immortal = ['default', 'kube-system', 'kube-public'];

/** A name space first terminates; the namespace controller empties and finalizes it. Upstream: pkg/registry/core/namespace/storage. */
function deleteNamespace(call: Call, namespace: Namespace): Outcome {
  if (immortal.includes(namespace.metadata.name)) return forbiddenStatus(call.info, namespace.metadata.name, 'this namespace may not be deleted');
  const object = namespace as ApiObject;
  const refusal = checkPreconditions(call, object);
  if (refusal !== undefined) return refusal;
  let current = namespace;
  if (namespace.metadata.deletionTimestamp === undefined) {
    const finalizers = propagationFinalizers(call, namespace.metadata);
    const { finalizers: _, ...metadata } = namespace.metadata;
    current = write(call, {
      ...namespace,
      metadata: { ...metadata, deletionTimestamp: formatRfc3339(call.env.epochMs), ...(finalizers.length > 0 ? { finalizers } : {}) },
      status: { ...namespace.status, phase: 'Terminating' },
    } as ApiObject, object) as Namespace;
  }
  if ((current.spec?.finalizers?.length ?? 0) > 0 || (current.metadata.finalizers?.length ?? 0) > 0) return current as ApiObject;
  remove(call, current as ApiObject);
  return current as ApiObject;
}
