import { fieldsOf, type Field } from '../fields.ts';
import { samePlain } from '../../sim/plain.ts';
import { goValue } from './go-text.ts';
import type { PatchResult } from './patches.ts';

type Plain = Record<string, unknown>;
const isObject = (value: unknown): value is Plain => typeof value === 'object' && value !== null && !Array.isArray(value);

class PatchError extends Error {}

/**
 * A patch in which lists of objects merge by the key that the struct's table names. Upstream: apimachinery pkg/util/strategicpatch.
 * Knows the directives $patch (replace, delete, merge), $retainKeys, $setElementOrder and $deleteFromPrimitiveList.
 */
export function strategicMergePatch(original: unknown, patch: unknown, struct: string): PatchResult {
  try {
    return { value: mergeObject(isObject(original) ? original : {}, isObject(patch) ? patch : {}, struct) };
  } catch (error) {
    if (error instanceof PatchError) return { error: error.message };
    throw error;
  }
}

const directive = /^\$(setElementOrder|deleteFromPrimitiveList)\/(.*)$/s;

function mergeObject(original: Plain, patch: Plain, struct: string | undefined): Plain {
  const mode = patch['$patch'];
  if (mode === 'replace') return withoutDirectives(patch);
  if (mode === 'delete') return {};
  const retain = patch['$retainKeys'];
  const result: Plain = {};
  for (const key of Object.keys(original)) if (!Array.isArray(retain) || retain.includes(key)) result[key] = original[key];
  const fields = struct === undefined ? undefined : fieldsOf(struct);
  for (const key of Object.keys(patch)) {
    if (key === '$patch' || key === '$retainKeys') continue;
    const special = directive.exec(key);
    if (special !== null) {
      applyListDirective(result, special[1] as string, special[2] as string, patch, fields?.get(special[2] as string));
      continue;
    }
    const value = patch[key];
    if (value === null) delete result[key];
    else result[key] = mergeValue(result[key], value, fields?.get(key), patch[`$setElementOrder/${key}`], key);
  }
  return result;
}

function applyListDirective(result: Plain, name: string, key: string, patch: Plain, field: Field | undefined): void {
  const list = result[key];
  const given = patch[`$${name}/${key}`];
  if (!Array.isArray(list) || !Array.isArray(given)) return;
  if (name === 'deleteFromPrimitiveList') result[key] = list.filter((item) => !given.includes(item));
  else if (patch[key] === undefined) result[key] = inOrder(list, given, list, field?.mergeKey ?? '');
}

function mergeValue(original: unknown, value: unknown, field: Field | undefined, order: unknown, key: string): unknown {
  if (isObject(value)) {
    const struct = field !== undefined && field.shape === 'one' ? field.type : undefined;
    return mergeObject(isObject(original) ? original : {}, value, struct);
  }
  if (!Array.isArray(value)) return value;
  if (field?.mergeKey === undefined) return value.map((item) => (isObject(item) ? withoutDirectives(item) : item));
  const list = Array.isArray(original) ? original : [];
  const merged = field.mergeKey === '' ? mergeSet(list, value) : mergeByKey(list, value, field.mergeKey, field.type, key);
  return Array.isArray(order) ? inOrder(merged, order, list, field.mergeKey) : merged;
}

const mergeSet = (list: unknown[], patch: unknown[]) => [...new Set([...list, ...patch])];

function keyOf(item: unknown, mergeKey: string): unknown {
  if (mergeKey === '') return item;
  const key = isObject(item) ? item[mergeKey] : undefined;
  if (key === undefined) throw new PatchError(`map: ${goValue(item)} does not contain declared merge key: ${mergeKey}`);
  return key;
}

function mergeByKey(list: unknown[], patch: unknown[], mergeKey: string, struct: string, name: string): unknown[] {
  if (patch.some((item) => isObject(item) && item['$patch'] === 'replace')) return patch.filter((item) => isObject(item) && item['$patch'] === undefined);
  let result = [...list];
  for (const item of patch) {
    if (!isObject(item)) throw new PatchError(`unexpected element ${goValue(item)} in ${name}`);
    const key = keyOf(item, mergeKey);
    const index = result.findIndex((other) => samePlain(keyOf(other, mergeKey), key));
    if (item['$patch'] === 'delete') result = result.filter((other) => !samePlain(keyOf(other, mergeKey), key));
    else if (index < 0) result.push(mergeObject({}, item, struct));
    else result[index] = mergeObject(result[index] as Plain, item, struct);
  }
  return result;
}

/** The elements that the patch orders in its order; those that only the server has keep their place among each other. */
function inOrder(list: unknown[], order: unknown[], server: unknown[], mergeKey: string): unknown[] {
  const keys = order.map((item) => keyOf(item, mergeKey));
  const rank = (item: unknown) => keys.findIndex((key) => samePlain(key, keyOf(item, mergeKey)));
  const serverRank = (item: unknown) => server.findIndex((other) => samePlain(keyOf(other, mergeKey), keyOf(item, mergeKey)));
  const ordered = list.filter((item) => rank(item) >= 0).sort((a, b) => rank(a) - rank(b));
  const serverOnly = list.filter((item) => rank(item) < 0);
  const result: unknown[] = [];
  while (ordered.length > 0 || serverOnly.length > 0) {
    const left = ordered[0];
    const right = serverOnly[0];
    const takeRight = left === undefined || (right !== undefined && serverRank(left) >= 0 && serverRank(right) < serverRank(left));
    result.push(takeRight ? serverOnly.shift() : ordered.shift());
  }
  return result;
}

function withoutDirectives(value: Plain): Plain {
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, item]) => !key.startsWith('$') && item !== null)
      .map(([key, item]) => [key, isObject(item) ? withoutDirectives(item) : item]),
  );
}
