/**
 * Doors to functions that the built page loads behind the first film (scripts/engine-split): by number. No door exists in Node and in development.
 */
export const doors: ((...args: never[]) => unknown)[] = [];

let tried = false;

/** Whether a function was called that is not loaded yet: what was computed since is void. */
export const triedClosedDoor = (): boolean => tried;

export function closed(): never {
  tried = true;
  throw new Error('a part of the engine was asked for before it was loaded');
}
