/** Comparing our answers with recorded ones: placeholders like <uid> stand for any text. */

const placeholder = /<(?:uid|time|rv|ip|nodePort|rand|n|token)>/;
const volatileKeys = new Set(['managedFields']);

const compiled = new Map<string, RegExp>();

function pattern(text: string): RegExp {
  let regex = compiled.get(text);
  if (regex === undefined) {
    regex = new RegExp(`^${text.split(/<(?:uid|time|rv|ip|nodePort|rand|n|token)>/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('[^"]*?')}$`, 's');
    compiled.set(text, regex);
  }
  return regex;
}

export function agreesText(expected: string, actual: string): boolean {
  return expected === actual || (placeholder.test(expected) && pattern(expected).test(actual));
}

type Plain = Record<string, unknown>;

/** The first place where the two differ ('spec.containers[0].image'), or undefined. Keys that are undefined count as absent. */
export function difference(expected: unknown, actual: unknown, path = ''): string | undefined {
  if (typeof expected === 'string' && placeholder.test(expected)) {
    return actual !== undefined && actual !== null && agreesText(expected, String(actual)) ? undefined : path;
  }
  if (typeof expected !== 'object' || expected === null) return expected === actual ? undefined : path || '(whole)';
  if (typeof actual !== 'object' || actual === null || Array.isArray(expected) !== Array.isArray(actual)) return path || '(whole)';
  if (Array.isArray(expected)) {
    const list = actual as unknown[];
    for (let i = 0; i < Math.max(expected.length, list.length); i++) {
      const found = difference(expected[i], list[i], `${path}[${i}]`);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  for (const key of new Set([...Object.keys(expected), ...Object.keys(actual)])) {
    if (volatileKeys.has(key)) continue;
    const [left, right] = [(expected as Plain)[key], (actual as Plain)[key]];
    if (left === undefined && right === undefined) continue;
    const [wantedKey, wanted] = left === undefined ? placeholderKey(expected as Plain, key) : [key, left];
    if (wantedKey === undefined) return `${path}.${key}`;
    const found = difference(wanted, right, `${path}.${key}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A key may hold a placeholder too ('batch.kubernetes.io/controller-uid' does not, but generated names do). */
function placeholderKey(expected: Plain, key: string): [string | undefined, unknown] {
  const match = Object.keys(expected).find((candidate) => placeholder.test(candidate) && agreesText(candidate, key));
  return [match, match === undefined ? undefined : expected[match]];
}

/** How one area came out. */
export interface AreaResult {
  area: string;
  agree: number;
  all: number;
  /** Where it differs, for people. */
  differences: string[];
}

export const emptyResult = (area: string): AreaResult => ({ area, agree: 0, all: 0, differences: [] });

export function count(result: AreaResult, id: string, found: string | undefined): void {
  result.all++;
  if (found === undefined) result.agree++;
  else result.differences.push(`${id}: ${found}`);
}

/** A bug of ours is a difference like any other, told with its text. */
export function guarded(work: () => string | undefined): string | undefined {
  try {
    return work();
  } catch (error) {
    return `THROWN ${error instanceof Error ? (error.stack ?? error.message).split('\n').slice(0, 3).join(' ') : String(error)}`;
  }
}
