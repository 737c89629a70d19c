/** A broken assumption of ours: never a user's mistake, never part of the simulated story. The page shows it with the link that reproduces it. */
export class Bug extends Error {
  override name = 'Bug';
}

export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Bug(message);
}

/** The value, which our own code promises to be there. */
export function must<T>(value: T | undefined | null, message: string): T {
  if (value === undefined || value === null) throw new Bug(message);
  return value;
}

export function unreachable(value: never, message = 'unreachable'): never {
  throw new Bug(`${message}: ${JSON.stringify(value)}`);
}
