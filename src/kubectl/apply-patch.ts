import { fieldsOf, type Field } from '../api/fields.ts';
import { samePlain } from '../sim/plain.ts';

type Plain = Record<string, unknown>;

const isPlain = (value: unknown): value is Plain => typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * The strategic merge patch that makes `current` what `modified` says, and takes away what `original` (the last applied) had and `modified` has not.
 * Upstream: apimachinery/pkg/util/strategicpatch CreateThreeWayMergePatch.
 */
export function threeWayPatch(struct: string, original: Plain, modified: Plain, current: Plain): Plain {
  return patchStruct(struct, original, modified, current);
}

function patchStruct(struct: string | undefined, original: Plain, modified: Plain, current: Plain): Plain {
  const fields = struct === undefined ? undefined : fieldsOf(struct);
  const patch: Plain = {};
  for (const [key, value] of Object.entries(modified)) {
    const part = patchValue(fields?.get(key), original[key], value, current[key]);
    if (part !== undefined) Object.assign(patch, part.extra?.(key), { [key]: part.value });
  }
  for (const key of Object.keys(original)) {
    if (modified[key] === undefined && current[key] !== undefined) patch[key] = null;
  }
  return patch;
}

type Part = { value: unknown; extra?: (key: string) => Plain } | undefined;

function patchValue(field: Field | undefined, original: unknown, modified: unknown, current: unknown): Part {
  if (modified === null) return current === undefined ? undefined : { value: null };
  if (isPlain(modified)) {
    if (!isPlain(current)) return { value: modified };
    const struct = field?.shape === 'one' ? field.type : undefined;
    const nested = field?.shape === 'map' ? patchStruct(undefined, isPlain(original) ? original : {}, modified, current) : patchStruct(struct, isPlain(original) ? original : {}, modified, current);
    return Object.keys(nested).length === 0 ? undefined : { value: nested };
  }
  if (Array.isArray(modified) && Array.isArray(current) && field?.mergeKey !== undefined && field.mergeKey !== '') {
    return patchList(field, Array.isArray(original) ? original : [], modified, current);
  }
  return samePlain(modified, current) ? undefined : { value: modified };
}

function patchList(field: Field, original: unknown[], modified: unknown[], current: unknown[]): Part {
  const key = field.mergeKey as string;
  const idOf = (item: unknown) => (isPlain(item) ? item[key] : undefined);
  const find = (list: unknown[], id: unknown) => list.find((item) => idOf(item) === id);
  const patches: unknown[] = [];
  for (const item of modified) {
    const id = idOf(item);
    const there = find(current, id);
    if (!isPlain(item)) continue;
    if (!isPlain(there)) {
      patches.push(item);
      continue;
    }
    const before = find(original, id);
    const nested = patchStruct(field.type, isPlain(before) ? before : {}, item, there);
    if (Object.keys(nested).length > 0) patches.push({ [key]: id, ...nested });
  }
  for (const item of original) {
    const id = idOf(item);
    if (find(modified, id) === undefined && find(current, id) !== undefined) patches.push({ $patch: 'delete', [key]: id });
  }
  if (patches.length === 0) return undefined;
  const order = modified.filter(isPlain).map((item) => ({ [key]: item[key] }));
  return { value: patches, extra: (name) => ({ [`$setElementOrder/${name}`]: order }) };
}
