import { firstStructs, otherStructs } from './schema/fields.ts';

/** A field of a struct, from the generated table. */
export interface Field {
  /** 's', 'i', ... or a struct's name, of the value itself or of a list's or map's elements. */
  type: string;
  shape: 'one' | 'list' | 'map';
  /** The merge key of a list under strategic merge patch; '' for a merged list of plain values. */
  mergeKey?: string;
}

const compiled = new Map<string, ReadonlyMap<string, Field>>();

const isPlain = (type: string): boolean => type.length === 1;

/** Only this function knows the other table: it is no part of the first film's engine. */
const otherRow = (struct: string): string | undefined => otherStructs[struct];

function parseField(text: string): Field {
  const at = text.indexOf('@');
  const type = at < 0 ? text : text.slice(0, at);
  const open = type[0];
  return {
    type: open === '[' || open === '{' ? type.slice(1, -1) : type,
    shape: open === '[' ? 'list' : open === '{' ? 'map' : 'one',
    ...(at < 0 ? {} : { mergeKey: text.slice(at + 1) }),
  };
}

/** The fields of a struct; undefined for a name that is none. */
export function fieldsOf(struct: string): ReadonlyMap<string, Field> | undefined {
  const ready = compiled.get(struct);
  if (ready !== undefined) return ready;
  const row = firstStructs[struct] ?? (isPlain(struct) ? undefined : otherRow(struct));
  if (row === undefined) return undefined;
  const fields = new Map<string, Field>();
  for (const part of row.split(' ')) {
    const colon = part.indexOf(':');
    if (colon > 0) fields.set(part.slice(0, colon), parseField(part.slice(colon + 1)));
  }
  compiled.set(struct, fields);
  return fields;
}

/** Edits from one word to another (insert, delete, replace, swap neighbours). */
function distance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      const above = rows[i - 1] as number[];
      let best = Math.min((above[j] as number) + 1, (row[j - 1] as number) + 1, (above[j - 1] as number) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) best = Math.min(best, ((rows[i - 2] as number[])[j - 2] as number) + 1);
      row.push(best);
    }
    rows.push(row);
  }
  return (rows[a.length] as number[])[b.length] as number;
}

/** The field that a misspelt one most likely means; undefined when none is near. */
export function nearestField(struct: string, name: string): string | undefined {
  const wanted = name.trim().toLowerCase();
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(wanted.length / 3)) + 1;
  for (const field of fieldsOf(struct)?.keys() ?? []) {
    const d = distance(wanted, field.toLowerCase());
    if (d < bestDistance) [best, bestDistance] = [field, d];
  }
  return best;
}

/** The struct that holds the last part of a path like 'spec.containers[0].imag': 'Container'. Undefined off the known structs. */
export function structAt(root: string, path: string): string | undefined {
  let struct: string | undefined = root;
  const parts = path.split('.').slice(0, -1);
  for (const part of parts) {
    const field: Field | undefined = struct === undefined ? undefined : fieldsOf(struct)?.get(part.replace(/\[.*$/, ''));
    struct = field === undefined || fieldsOf(field.type) === undefined ? undefined : field.type;
  }
  return struct;
}
