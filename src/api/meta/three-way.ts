import { samePlain } from '../../sim/plain.ts';
import { fieldsOf, type Field } from '../fields.ts';

type Plain = Record<string, unknown>;
const isObject = (value: unknown): value is Plain => typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * The strategic merge patch of 'kubectl apply': what the manifest says otherwise than the live object, and what left the manifest since the last
 * time. An empty object: nothing to do. Upstream: apimachinery strategicpatch.CreateThreeWayMergePatch.
 */
export function threeWayPatch(original: unknown, modified: unknown, current: unknown, struct: string): Plain {
  const changes = diffObject(asObject(current), asObject(modified), struct, 'changes');
  const deletions = diffObject(asObject(original), asObject(modified), struct, 'deletions');
  return mergeDiffs(deletions, changes) as Plain;
}

/** The same for kinds that only take JSON merge patches. */
export function threeWayMergePatch(original: unknown, modified: unknown, current: unknown): Plain {
  return mergeDiffs(
    diffObject(asObject(original), asObject(modified), undefined, 'deletions'),
    diffObject(asObject(current), asObject(modified), undefined, 'changes'),
  ) as Plain;
}

const asObject = (value: unknown): Plain => (isObject(value) ? value : {});

type Mode = 'changes' | 'deletions';

function diffObject(from: Plain, to: Plain, struct: string | undefined, mode: Mode): Plain {
  const patch: Plain = {};
  const fields = struct === undefined ? undefined : fieldsOf(struct);
  if (mode === 'deletions') {
    for (const key of Object.keys(from)) if (to[key] === undefined || to[key] === null) patch[key] = null;
  }
  for (const key of Object.keys(to)) {
    const before = from[key];
    const after = to[key];
    if (after === null || after === undefined) continue;
    const field = fields?.get(key);
    if (isObject(before) && isObject(after)) {
      const inner = diffObject(before, after, field?.shape === 'one' ? field.type : undefined, mode);
      if (Object.keys(inner).length > 0) patch[key] = inner;
    } else if (Array.isArray(before) && Array.isArray(after) && field?.mergeKey !== undefined) {
      diffList(patch, key, before, after, field, mode);
    } else if (mode === 'changes' && !samePlain(before, after)) patch[key] = after;
  }
  return patch;
}

function diffList(patch: Plain, key: string, from: unknown[], to: unknown[], field: Field, mode: Mode): void {
  const mergeKey = field.mergeKey as string;
  if (mergeKey === '') {
    const left = mode === 'changes' ? to.filter((item) => !from.includes(item)) : from.filter((item) => !to.includes(item));
    if (left.length > 0) patch[mode === 'changes' ? key : `$deleteFromPrimitiveList/${key}`] = left;
    return;
  }
  const idOf = (item: unknown) => asObject(item)[mergeKey];
  const items: unknown[] = [];
  for (const item of to) {
    const before = from.find((other) => samePlain(idOf(other), idOf(item)));
    if (before === undefined) {
      if (mode === 'changes') items.push(item);
      continue;
    }
    const inner = diffObject(asObject(before), asObject(item), field.type, mode);
    if (Object.keys(inner).length > 0) items.push({ ...inner, [mergeKey]: idOf(item) });
  }
  if (mode === 'deletions') {
    for (const item of from) if (!to.some((other) => samePlain(idOf(other), idOf(item)))) items.push({ $patch: 'delete', [mergeKey]: idOf(item) });
  }
  if (items.length === 0) return;
  patch[key] = items;
  patch[`$setElementOrder/${key}`] = to.map((item) => ({ [mergeKey]: idOf(item) }));
}

/** Deletions and changes as one patch; elements of the same merge key side by side. */
function mergeDiffs(a: unknown, b: unknown): unknown {
  if (Array.isArray(a) && Array.isArray(b)) return [...a, ...b];
  if (!isObject(a) || !isObject(b)) return b;
  const result: Plain = { ...a };
  for (const key of Object.keys(b)) {
    result[key] = key.startsWith('$setElementOrder/') || result[key] === undefined ? b[key] : mergeDiffs(result[key], b[key]);
  }
  return result;
}
