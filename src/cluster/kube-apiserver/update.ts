import { invalid, type FieldError } from '../../api/meta/field-error.ts';
import { badRequest, conflict, invalidStatus, isStatus, notFoundStatus } from '../../api/meta/status.ts';
import type { ApiObject } from '../../api/resources.ts';
import type { ObjectMeta, Status } from '../../api/schema/types.ts';
import { validateCreate, validateStatusUpdate, validateUpdate, warningsFor } from '../../api/validate.ts';
import { samePlain } from '../../sim/plain.ts';
import { admit, validateAdmission } from './admission/chain.ts';
import { createDecoded } from './create.ts';
import type { Call, Outcome } from './environment.ts';
import { ownedAfterUpdate, withManagers } from './managed-fields.ts';
import { keptMetadata, withGeneration, writerOf } from './metadata.ts';
import { checkResizeOnNode, takePart, validatePart } from './registry/pod-parts.ts';
import type { Strategy } from './registry/strategy.ts';
import { strategyOf } from './registry/table.ts';
import { checkNamespace, readObject, remove, stored, write } from './write.ts';

/** PUT. Upstream: apiserver pkg/endpoints/handlers/update.go. */
export function update(call: Call): Outcome {
  const object = readObject(call, call.request.object);
  if (isStatus(object)) return object;
  const refusal = checkName(call, object);
  if (refusal !== undefined) return refusal;
  const old = stored(call);
  if (old !== undefined) return updateDecoded(call, object, old);
  if (call.subresource !== undefined || !strategyOf(call.info.resource).createsOnUpdate) return notFoundStatus(call.info, call.name);
  return createDecoded(call, object);
}

export function checkName(call: Call, { metadata }: ApiObject): Outcome | undefined {
  const { name, namespace } = metadata;
  if (name && name !== call.name) return badRequest(`the name of the object (${name}) does not match the name on the URL (${call.name})`);
  if (!name) return badRequest(`the name of the object (${call.name} based on URL) was undeterminable: name must be provided`);
  void namespace;
  return checkNamespace(call, { metadata } as ApiObject);
}

/** Upstream: apiserver pkg/registry/generic/registry/store.go Update and rest/update.go BeforeUpdate. */
export function updateDecoded(call: Call, object: ApiObject, old: ApiObject, manage = ownChanges(call, old)): Outcome {
  const strategy = strategyOf(call.info.resource);
  const admitted = admit(call, object, old);
  if (isStatus(admitted)) return admitted;
  const refusal = checkVersion(call, admitted.metadata, old, strategy);
  if (refusal !== undefined) return refusal;
  const next = prepare(call, admitted, old, strategy);
  return finishUpdate(call, next, old, manage);
}

/** Who writes from outside owns what changes; components own nothing. */
const ownChanges = (call: Call, old: ApiObject) => (next: ApiObject): ApiObject => {
  if (call.caller.inside || call.subresource === 'status' || samePlain(next, old)) return next;
  return withManagers(next, ownedAfterUpdate(next, old, call.info, writerOf(call)));
};

/** Validates, stores, and deletes what was only waiting for its last finalizer. */
export function finishUpdate(call: Call, next: ApiObject, old: ApiObject, manage = (object: ApiObject) => object): Outcome {
  const strategy = strategyOf(call.info.resource);
  if (!call.caller.inside) {
    const errors = [...validatorOf(call)(call.info, next, old), ...(strategy.validate?.(next, old, call) ?? [])];
    if (errors.length > 0) return invalidStatus(call.info, call.name, errors);
    if (call.subresource === undefined) call.warnings.push(...warningsFor(call.info, next, old));
  }
  const denied = validateAdmission(call, next, old) ?? checkResizeOnNode(call, next, old);
  if (denied !== undefined) return denied;
  if (isDone(next, old)) {
    remove(call, old);
    return next;
  }
  const ready = (call.subresource === undefined ? strategy.beforeStore?.(next, old, call) : undefined) ?? next;
  return isStatus(ready) ? ready : write(call, manage(ready), old);
}

const isPart = ({ subresource }: Call): boolean => subresource === 'ephemeralcontainers' || subresource === 'resize';

function validatorOf(call: Call): (info: Call['info'], next: ApiObject, old: ApiObject) => FieldError[] {
  if (call.subresource === 'status') return validateStatusUpdate;
  if (call.subresource === 'finalize') return () => [];
  if (!isPart(call)) return validateUpdate;
  return (info, next, old) => [...(call.subresource === 'resize' ? validateCreate(info, next) : []), ...validatePart(call, next, old)];
}

/** Marked for deletion, its grace over, and no finalizer left. Upstream: store.go ShouldDeleteDuringUpdate. */
function isDone({ metadata }: ApiObject, old: ApiObject): boolean {
  if (old.metadata.deletionTimestamp === undefined || (metadata.finalizers?.length ?? 0) > 0) return false;
  if ((old.metadata.deletionGracePeriodSeconds ?? 0) !== 0) return false;
  return (old.metadata.finalizers?.length ?? 0) > 0 && old.kind !== 'Namespace';
}

function checkVersion(call: Call, metadata: ObjectMeta, old: ApiObject, strategy: Strategy): Status | undefined {
  if (metadata === old.metadata) return undefined;
  const { uid, resourceVersion } = metadata;
  if (uid && uid !== old.metadata.uid && call.request.verb !== 'patch') {
    return conflict(call.info, call.name,
      `StorageError: invalid object, Code: 4, Key: ${storageKey(call)}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: ${uid}, UID in object meta: ${old.metadata.uid ?? ''}`);
  }
  if (!resourceVersion || resourceVersion === '0') {
    if (call.request.verb === 'patch' || strategy.allowsUnconditionalUpdate || call.caller.inside) return undefined;
    const ref = { group: call.info.group, kind: call.info.plural };
    return invalidStatus(ref, call.name, [invalid('metadata.resourceVersion', 0, 'must be specified for an update')]);
  }
  if (!/^\d+$/.test(resourceVersion)) return plainError(`strconv.ParseUint: parsing ${JSON.stringify(resourceVersion)}: invalid syntax`);
  return resourceVersion === old.metadata.resourceVersion ? undefined : conflict(call.info, call.name);
}

/** An error that the server did not expect: no reason. */
export const plainError = (message: string, code = 500): Status => ({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, code });

const storageKey = ({ info, namespace, name }: Call): string =>
  ['', 'registry', info.plural, ...(info.namespaced ? [namespace] : []), name].join('/');

function prepare(call: Call, object: ApiObject, old: ApiObject, strategy: Strategy): ApiObject {
  // The usual write to status: nothing else of the object was touched.
  if (call.subresource === 'status' && object.metadata === old.metadata) return { ...old, status: (object as { status?: unknown }).status } as ApiObject;
  let next: ApiObject = { ...object, metadata: keptMetadata(object.metadata, old.metadata) };
  if (call.info.namespaced) next.metadata = { ...next.metadata, namespace: call.namespace };
  if (call.subresource === 'status') return prepareStatus(next, old, strategy);
  if (isPart(call)) return withGeneration(takePart(call, next, old), old, strategy);
  if (strategy.hasStatus) next = withPart(next, 'status', (old as { status?: unknown }).status);
  next = strategy.prepareForUpdate?.(next, old, call) ?? next;
  return withGeneration(next, old, strategy);
}

/** A write to status takes only the status, and for some kinds labels and annotations. */
function prepareStatus(next: ApiObject, old: ApiObject, strategy: Strategy): ApiObject {
  const kept = withPart(next, 'spec', (old as { spec?: unknown }).spec);
  const { finalizers: _1, ownerReferences: _2, labels: _3, annotations: _4, ...metadata } = kept.metadata;
  const part = <K extends keyof ObjectMeta>(from: ObjectMeta, field: K) => (from[field] === undefined ? {} : { [field]: from[field] });
  return {
    ...kept,
    metadata: {
      ...metadata,
      ...part(strategy.statusWritesMetadata ? next.metadata : old.metadata, 'labels'),
      ...part(strategy.statusWritesMetadata ? next.metadata : old.metadata, 'annotations'),
      ...part(strategy.statusWritesMetadata ? next.metadata : old.metadata, 'finalizers'),
      ...part(old.metadata, 'ownerReferences'),
    },
  };
}

function withPart(object: ApiObject, field: 'spec' | 'status', value: unknown): ApiObject {
  const { [field]: _, ...rest } = object as ApiObject & { spec?: unknown; status?: unknown };
  return (value === undefined ? rest : { ...rest, [field]: value }) as ApiObject;
}
