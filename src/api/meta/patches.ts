import { copyPlain, samePlain } from '../../sim/plain.ts';

export { strategicMergePatch } from './strategic-merge.ts';
export { threeWayPatch, threeWayMergePatch } from './three-way.ts';

export type PatchResult = { value: unknown } | { error: string };

type Plain = Record<string, unknown>;
const isObject = (value: unknown): value is Plain => typeof value === 'object' && value !== null && !Array.isArray(value);

/** RFC 7386: null deletes, objects merge, all else replaces. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const result: Plain = isObject(target) ? { ...target } : {};
  for (const key of Object.keys(patch)) {
    if (patch[key] === null) delete result[key];
    else result[key] = mergePatch(result[key], patch[key]);
  }
  return result;
}

export interface JsonPatchOperation {
  op: string;
  path: string;
  from?: string;
  value?: unknown;
}

/** RFC 6902. The document is left as it is. Upstream: gopkg.in/evanphx/json-patch.v4, whose texts these are. */
export function jsonPatch(document: unknown, operations: readonly JsonPatchOperation[]): PatchResult {
  const root = { '': thaw(document) };
  for (const operation of operations) {
    const error = applyOperation(root, operation);
    if (error !== undefined) return { error };
  }
  return { value: root[''] };
}

/** A copy that may be changed, frozen parts included. */
function thaw<T>(value: T): T {
  return typeof value === 'object' && value !== null ? (JSON.parse(JSON.stringify(value)) as T) : value;
}

const unescape = (part: string) => part.replace(/~1/g, '/').replace(/~0/g, '~');

interface Target {
  holder: Plain | unknown[];
  key: string;
}

function locate(root: Plain, path: string): Target | undefined {
  const parts = path.split('/');
  let holder: unknown = root;
  for (const part of parts.slice(0, -1)) {
    const key = unescape(part);
    holder = Array.isArray(holder) ? holder[Number(key)] : isObject(holder) ? holder[key] : undefined;
    if (typeof holder !== 'object' || holder === null) return undefined;
  }
  return { holder: holder as Plain, key: unescape(parts.at(-1) as string) };
}

const read = ({ holder, key }: Target): unknown => (Array.isArray(holder) ? holder[Number(key)] : Object.hasOwn(holder, key) ? holder[key] : undefined);

function put({ holder, key }: Target, value: unknown, insert: boolean): string | undefined {
  if (!Array.isArray(holder)) {
    holder[key] = value;
    return undefined;
  }
  if (insert && key === '-') {
    holder.push(value);
    return undefined;
  }
  const index = Number(key);
  if (key === '' || !Number.isInteger(index)) return `strconv.Atoi: parsing "${key}": invalid syntax`;
  if (index < 0 || index > holder.length - (insert ? 0 : 1)) return `Unable to access invalid index: ${key}: invalid index referenced`;
  holder.splice(index, insert ? 0 : 1, value);
  return undefined;
}

function drop(target: Target): void {
  if (Array.isArray(target.holder)) target.holder.splice(Number(target.key), 1);
  else delete target.holder[target.key];
}

function applyOperation(root: Plain, { op, path, from, value }: JsonPatchOperation): string | undefined {
  const target = locate(root, path);
  const missing = (what: string) => `${op} operation does not apply: doc is missing ${what}: ${path}: missing value`;
  const fail = (why: string | undefined) => (why === undefined ? undefined : `${op} operation does not apply: ${why}`);
  switch (op) {
    case 'add':
      return target === undefined ? missing('path') : fail(put(target, thaw(value), true));
    case 'replace':
      if (target === undefined) return missing('path');
      return read(target) === undefined ? missing('key') : fail(put(target, thaw(value), false));
    case 'remove': {
      if (target === undefined) return missing('path');
      if (Array.isArray(target.holder) && Number(target.key) >= target.holder.length) return fail(`error in remove for path: '${path}': Unable to access invalid index: ${target.key}: invalid index referenced`);
      if (read(target) === undefined) return fail(`error in remove for path: '${path}': Unable to remove nonexistent key: ${target.key}: missing value`);
      drop(target);
      return undefined;
    }
    case 'test': {
      const found = target === undefined ? undefined : read(target);
      return samePlain(found ?? null, value ?? null) ? undefined : `testing value ${path} failed: test failed`;
    }
    case 'move': case 'copy': {
      const source = locate(root, from ?? '');
      const moved = source === undefined ? undefined : read(source);
      if (source === undefined || moved === undefined) return `${op} operation does not apply: doc is missing from path: ${from ?? ''}: missing value`;
      if (target === undefined) return missing('path');
      if (op === 'move') drop(source);
      return fail(put(target, copyPlain(moved), true));
    }
    default:
      return `Unexpected kind: ${op}`;
  }
}
