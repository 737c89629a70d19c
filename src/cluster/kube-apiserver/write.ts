import { applyDefaults } from '../../api/default.ts';
import { decode } from '../../api/decode.ts';
import { badRequest, internalStatus, isStatus } from '../../api/meta/status.ts';
import { keyOf, type ApiObject } from '../../api/resources.ts';
import { samePlain } from '../../sim/plain.ts';
import type { Call, Outcome } from './environment.ts';

/** A deep copy that may be changed, frozen parts included. */
export function thaw<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(thaw) as T;
  const copy: Record<string, unknown> = {};
  for (const key in value) {
    const part = (value as Record<string, unknown>)[key];
    if (part !== undefined) copy[key] = thaw(part);
  }
  return copy as T;
}

/** Decoded (from outside) and defaulted. From inside the object is of its type already. */
export function readObject(call: Call, value: unknown): Outcome {
  let object: ApiObject;
  // A component's status is written as it is: nothing of it is defaulted, and nothing below changes it.
  if (call.caller.inside && call.subresource === 'status') return value as ApiObject;
  // A recorder made its Event for this request, and defaults only touch its outermost fields.
  if (call.caller.inside && call.info.resource === 'events') object = { ...(value as ApiObject) };
  else if (call.caller.inside) object = thaw(value) as ApiObject;
  else {
    const decoded = decode(call.info, value, call.options.fieldValidation ?? 'Warn');
    if ('error' in decoded) return decoded.error;
    call.warnings.push(...decoded.warnings);
    object = thaw(decoded.object);
  }
  if (object.metadata === undefined) object.metadata = { name: '' } as ApiObject['metadata'];
  applyDefaults(call.info, object);
  return object;
}

/** Upstream: apiserver pkg/registry/rest/meta.go EnsureObjectNamespaceMatchesRequestNamespace. */
export function checkNamespace(call: Call, object: ApiObject): Outcome | undefined {
  const given = object.metadata.namespace ?? '';
  if (!call.info.namespaced) return given === '' ? undefined : badRequest('namespace may not be set on this type of object');
  if (given === '' || given === call.namespace) return undefined;
  return badRequest('the namespace of the provided object does not match the namespace sent on the request');
}

export function stored(call: Call, name = call.name): ApiObject | undefined {
  return call.env.store.get(keyOf(call.info.resource, call.info.namespaced ? call.namespace : undefined, name));
}

/** Writes, unless nothing differs or it is a dry run. Answers with what is (or would be) stored. */
export function write(call: Call, next: ApiObject, old: ApiObject | undefined): ApiObject {
  if (old !== undefined && samePlain(next, old)) return old;
  const { env, info, caller } = call;
  if (call.dryRun) return next;
  const change = env.store.put(info.resource, next, { at: env.now, cause: env.cause, actor: caller.actor });
  env.changed(change);
  return change.version.object as ApiObject;
}

export function remove(call: Call, object: ApiObject): void {
  const { env, info, caller } = call;
  if (call.dryRun) return;
  env.changed(env.store.remove(keyOf(info.resource, object.metadata.namespace, object.metadata.name), { at: env.now, cause: env.cause, actor: caller.actor }));
}

export { internalStatus, isStatus };
