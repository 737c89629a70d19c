import { generatedName, randomSuffix } from '../../api/meta/random-name.ts';
import type { ApiObject } from '../../api/resources.ts';
import type { ObjectMeta } from '../../api/schema/types.ts';
import { samePlain } from '../../sim/plain.ts';
import { formatRfc3339 } from '../../sim/time.ts';
import type { Call } from './environment.ts';
import type { Strategy } from './registry/strategy.ts';

const bytes = Array.from({ length: 256 }, (_, value) => value.toString(16).padStart(2, '0'));

/** A version 4 UUID from the seeded stream. */
export function newUid(call: Call): string {
  const random = call.env.random('uid');
  const word = () => {
    const bits = random.below(0x1_0000_0000);
    return `${bytes[bits >>> 24]}${bytes[(bits >>> 16) & 255]}${bytes[(bits >>> 8) & 255]}${bytes[bits & 255]}`;
  };
  const text = word() + word() + word() + word();
  const variant = '89ab'[Number.parseInt(text[16] as string, 16) & 3] as string;
  return `${text.slice(0, 8)}-${text.slice(8, 12)}-4${text.slice(13, 16)}-${variant}${text.slice(17, 20)}-${text.slice(20)}`;
}

export function generateName(base: string, call: Call): string {
  const random = call.env.random('generate-name');
  return generatedName(base, randomSuffix((limit) => random.below(limit)));
}

/** What only the server sets. Upstream: apiserver pkg/registry/rest/create.go FillObjectMetaSystemFields. */
export function systemMetadata(metadata: Partial<ObjectMeta>, call: Call, strategy: Strategy): ObjectMeta {
  const own: Record<string, unknown> = {};
  for (const key in metadata) if (!serverOwned.has(key)) own[key] = metadata[key as keyof ObjectMeta];
  own.name = metadata.name ?? '';
  if (call.info.namespaced) own.namespace = call.namespace;
  own.uid = newUid(call);
  own.creationTimestamp = formatRfc3339(call.env.epochMs);
  if (strategy.generation.length > 0) own.generation = 1;
  return own as unknown as ObjectMeta;
}

const serverOwned = new Set([
  'selfLink', 'deletionTimestamp', 'deletionGracePeriodSeconds', 'resourceVersion', 'generation', 'uid', 'creationTimestamp', 'namespace', 'managedFields',
]);

/** What an update cannot change. Upstream: apiserver pkg/registry/rest/update.go BeforeUpdate. */
export function keptMetadata(next: Partial<ObjectMeta>, old: ObjectMeta): ObjectMeta {
  const {
    selfLink: _1, deletionTimestamp: _2, deletionGracePeriodSeconds: _3, generation: _4, creationTimestamp: _5, uid, resourceVersion: _7, managedFields: _8,
    ...rest
  } = next;
  const kept: Record<string, unknown> = rest;
  // Another uid is for the validation to refuse.
  if (uid && uid !== old.uid) kept.uid = uid;
  else if (old.uid !== undefined) kept.uid = old.uid;
  for (const field of ['creationTimestamp', 'deletionTimestamp', 'deletionGracePeriodSeconds', 'generation', 'resourceVersion', 'managedFields'] as const) {
    if (old[field] !== undefined) kept[field] = old[field];
  }
  return kept as unknown as ObjectMeta;
}

/** The object with its generation one higher if a field that counts has changed. */
export function withGeneration(next: ApiObject, old: ApiObject, strategy: Strategy): ApiObject {
  if (strategy.generation.length === 0) return next;
  const changed = strategy.generation.some((path) => !samePlain(at(next, path), at(old, path)));
  return changed ? { ...next, metadata: { ...next.metadata, generation: (old.metadata.generation ?? 0) + 1 } } : next;
}

function at(object: object, path: string): unknown {
  let value: unknown = object;
  for (const part of path.split('.')) value = (value as Record<string, unknown> | undefined)?.[part];
  return value;
}

/** As whom a client's write is remembered. */
export function writerOf({ options, env, subresource }: Call): { manager: string; time: string; subresource?: string } {
  return { manager: options.fieldManager ?? 'unknown', time: formatRfc3339(env.epochMs), ...(subresource === undefined ? {} : { subresource }) };
}
