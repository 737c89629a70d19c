import { parseDuration } from '../api/duration.ts';
import { isQuantity } from '../api/quantity.ts';

type Kind = 'duration' | 'number' | 'boolean' | 'text' | 'quantity' | 'serving';

/** What a behaviour block may hold; '!' must be there. Lists: rows of fields. */
const rows: Readonly<Record<string, Readonly<Record<string, `${Kind}${'' | '!'}`>>>> = {
  http: { path: 'text!', status: 'number', body: 'text', delay: 'duration', from: 'duration', until: 'duration', hang: 'boolean' },
  grpc: { service: 'text', status: 'serving!', from: 'duration', until: 'duration' },
  exits: { after: 'duration!', code: 'number!', unlessEnv: 'text', run: 'number', message: 'text' },
  memory: { at: 'duration!', bytes: 'quantity!' },
  log: { at: 'duration', every: 'duration', text: 'text!' },
};
const onTerm = { exitAfter: 'duration', code: 'number', ignore: 'boolean' } as const;

const checks: Readonly<Record<Kind, [fits: (value: unknown) => boolean, wanted: string]>> = {
  duration: [(value) => typeof value === 'number' || (typeof value === 'string' && parseDuration(value) !== undefined), 'a duration such as 3s or 1m30s'],
  number: [(value) => typeof value === 'number', 'a number'],
  boolean: [(value) => typeof value === 'boolean', 'true or false'],
  text: [(value) => typeof value === 'string', 'a text'],
  quantity: [(value) => typeof value === 'number' || (typeof value === 'string' && isQuantity(value)), 'an amount such as 64Mi'],
  serving: [(value) => value === 'SERVING' || value === 'NOT_SERVING', 'SERVING or NOT_SERVING'],
};

type Raw = Record<string, unknown>;
const isRecord = (value: unknown): value is Raw => typeof value === 'object' && value !== null && !Array.isArray(value);

function checkFields(value: unknown, fields: Readonly<Record<string, string>>, where: string): string[] {
  if (!isRecord(value)) return [`${where}: expected a mapping with ${Object.keys(fields).join(', ')}`];
  const problems: string[] = [];
  for (const name of Object.keys(value)) if (fields[name] === undefined) problems.push(`${where}.${name}: unknown field; known are ${Object.keys(fields).join(', ')}`);
  for (const [name, kind] of Object.entries(fields)) {
    if (value[name] === undefined) {
      if (kind.endsWith('!')) problems.push(`${where}.${name}: required`);
      continue;
    }
    const [fits, wanted] = checks[kind.replace('!', '') as Kind];
    if (!fits(value[name])) problems.push(`${where}.${name}: expected ${wanted}, found ${JSON.stringify(value[name])}`);
  }
  return problems;
}

/** One sentence for each thing that is wrong. */
export function behaviorProblems(block: Raw): string[] {
  return Object.entries(block).flatMap(([name, value]) => {
    const fields = rows[name];
    if (fields !== undefined) return Array.isArray(value) ? value.flatMap((row, index) => checkFields(row, fields, `${name}[${index}]`)) : [`${name}: expected a list`];
    if (name === 'onTerm') return checkFields(value, onTerm, name);
    if (name === 'startsAfter') return checks.duration[0](value) ? [] : [`startsAfter: expected ${checks.duration[1]}, found ${JSON.stringify(value)}`];
    if (name === 'ports') return Array.isArray(value) && value.every((port) => typeof port === 'number') ? [] : ['ports: expected a list of port numbers'];
    return [`${name}: unknown field; known are startsAfter, ports, onTerm, ${Object.keys(rows).join(', ')}`];
  });
}
