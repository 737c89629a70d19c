/** Copies plain data (what JSON can hold). Frozen objects are shared: whoever froze them promised that they never change. */
export function copyPlain<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  if (Array.isArray(value)) {
    return value.map(copyPlain) as T;
  }
  const copy: Record<string, unknown> = {};
  for (const key in value) copy[key] = copyPlain((value as Record<string, unknown>)[key]);
  return copy as T;
}

/** Freezes plain data to the ground; parts that are frozen already are taken as done. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  if (Array.isArray(value)) for (let i = 0; i < value.length; i++) deepFreeze(value[i]);
  else {
    for (const key in value) {
      const part = (value as Record<string, unknown>)[key];
      if (typeof part === 'object') deepFreeze(part);
    }
  }
  return value;
}

/** Equality of plain data; a key with the value undefined counts as absent. */
export function samePlain(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false;
    for (let i = 0; i < a.length; i++) if (!samePlain(a[i], b[i])) return false;
    return true;
  }
  if (Array.isArray(b)) return false;
  const left = a as Record<string, unknown>;
  const right = b as Record<string, unknown>;
  for (const key in left) if (!samePlain(left[key], right[key])) return false;
  for (const key in right) if (right[key] !== undefined && left[key] === undefined) return false;
  return true;
}

/** Order of two texts by UTF-16 code units: the same everywhere, unlike localeCompare. */
export const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
