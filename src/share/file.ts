import { readState, ShareError, type SharedState } from './state.ts';

/** A scenario with its inputs as a file: the same content as a link, readable. */
export const fileLimitBytes = 5_000_000;

const newest = 1;

/** Turns the content of one version into that of the next: migrations[1] makes version 2. */
const migrations: Readonly<Record<number, (content: Record<string, unknown>) => Record<string, unknown>>> = {};

export function writeFile({ scenario, seed, inputs, cursor, view }: SharedState): string {
  return `${JSON.stringify({ kubelapse: newest, scenario, seed, inputs, cursor, view }, null, 2)}\n`;
}

/** Reads a file of this or an older version. Throws ShareError. */
export function readFile(text: string): SharedState {
  if (text.length > fileLimitBytes) throw new ShareError('too-large', `${text.length}`);
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (error) {
    throw new ShareError('damaged', error instanceof Error ? error.message : '');
  }
  if (typeof content !== 'object' || content === null || !('kubelapse' in content)) throw new ShareError('not-a-link');
  let record = content as Record<string, unknown>;
  const found = record.kubelapse;
  if (typeof found !== 'number' || !Number.isInteger(found) || found < 1 || found > newest) throw new ShareError('unknown-version', String(found));
  for (let version = found; version < newest; version += 1) record = migrations[version]?.(record) ?? record;
  return readState(record);
}
