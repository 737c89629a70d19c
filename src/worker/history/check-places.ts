import type { Problem } from '../protocol.ts';

/** The field that a text names which carries no field path of its own: decode errors, refusals of admission, kubectl's own complaints. */
export function pathOfMessage(message: string, value: unknown): string {
  const decoded = /cannot unmarshal (\w+) .*Go struct field \w+\.([\w.]+)/.exec(message);
  if (decoded !== null) return culprit(value, (decoded[2] as string).split('.'), decoded[1] as string) ?? (decoded[2] as string);
  return words.find(([pattern]) => pattern.test(message))?.[1] ?? '';
}

const words: readonly [pattern: RegExp, path: string][] = [
  [/generate name/, 'metadata.generateName'],
  [/resource name may not be empty|name or generateName is required/, 'metadata'],
  [/no PriorityClass with name/, 'spec.priorityClassName'],
  [/service ?account/, 'spec.serviceAccountName'],
  [/namespaces "[^"]*" not found|the namespace of the (provided )?object/, 'metadata.namespace'],
  [/exceeded quota|failed quota/, 'spec.containers[0].resources'],
  [/violates PodSecurity/, 'spec'],
];

const goType = (value: unknown): string => {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'object' ? 'object' : typeof value;
};

/** A decode error names fields without positions: the first value of the wrong type under such a path. */
function culprit(value: unknown, path: readonly string[], type: string, place = ''): string | undefined {
  if (Array.isArray(value) && !(path.length === 0 && type === 'array')) {
    for (let i = 0; i < value.length; i++) {
      const found = culprit(value[i], path, type, `${place}[${i}]`);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  const [name, ...rest] = path;
  if (name !== undefined) {
    const next = (value as Record<string, unknown> | null | undefined)?.[name];
    return next === undefined ? undefined : culprit(next, rest, type, place === '' ? name : `${place}.${name}`);
  }
  if (goType(value) === type) return place;
  // A map of texts, like labels: one of its values.
  if (goType(value) !== 'object') return undefined;
  const key = Object.keys(value as object).find((item) => goType((value as Record<string, unknown>)[item]) === type);
  return key === undefined ? undefined : /^[\w-]+$/.test(key) ? `${place}.${key}` : `${place}[${key}]`;
}

/** Offers another name for the key at the problem's place. */
export function keyFix(problem: Problem, name: string, found: string): Problem {
  const { line, column } = problem;
  return { ...problem, fix: { title: name, line, column, endLine: line, endColumn: column + found.length, text: name } };
}

/** Offers another value for the key at the problem's place; nothing where the value does not stand plainly behind it. */
export function valueFix(problem: Problem, text: string, change: (raw: string) => string): Problem {
  const line = text.split('\n')[problem.endLine - 1] ?? '';
  const match = /^['"]?\s*:\s+("[^"\\]*"|'[^']*'|[^\s"',#{}[\]]+)/.exec(line.slice(problem.endColumn - 1));
  const raw = match?.[1];
  if (match === null || raw === undefined) return problem;
  const column = problem.endColumn + match[0].length - raw.length;
  const changed = change(raw);
  if (changed === raw) return problem;
  return { ...problem, fix: { title: changed, line: problem.endLine, column, endLine: problem.endLine, endColumn: column + raw.length, text: changed } };
}
