import type { ApiObject } from '../../api/resources.ts';

type Plain = Record<string, unknown>;

const fieldsMax = 6;
/** Change with every write. */
const always = new Set(['metadata.resourceVersion', 'metadata.managedFields', 'metadata.generation']);

/** The fields that a write touched, two steps deep: 'spec.nodeName', 'status.conditions'. Nothing for what is new or gone. */
export function changedFields(before: ApiObject | undefined, after: ApiObject | undefined): string[] {
  if (before === undefined || after === undefined) return [];
  const [old, now] = [before as unknown as Plain, after as unknown as Plain];
  const fields: string[] = [];
  for (const top of Object.keys({ ...old, ...now })) {
    if (old[top] === now[top]) continue;
    if (!isPlain(old[top]) || !isPlain(now[top])) {
      if (!same(old[top], now[top])) fields.push(top);
      continue;
    }
    for (const key of Object.keys({ ...old[top], ...now[top] })) {
      if (!always.has(`${top}.${key}`) && !same(old[top][key], now[top][key])) fields.push(`${top}.${key}`);
    }
  }
  return fields.length > fieldsMax ? [...fields.slice(0, fieldsMax), '…'] : fields;
}

const isPlain = (value: unknown): value is Plain => typeof value === 'object' && value !== null && !Array.isArray(value);
const same = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a) === JSON.stringify(b);
