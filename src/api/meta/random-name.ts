/** Upstream: apimachinery pkg/util/rand. No vowels and no 0, 1, 3: generated names spell no words. */
export const nameAlphabet = 'bcdfghjklmnpqrstvwxz2456789';

/** A generateName longer than this is cut before its random end. Upstream: apiserver pkg/storage/names. */
const maxBaseLength = 58;
export const suffixLength = 5;

/** The text of a random end; `draw(27)` gives whole numbers from 0 to 26. */
export function randomSuffix(draw: (limit: number) => number, length = suffixLength): string {
  let text = '';
  for (let i = 0; i < length; i++) text += nameAlphabet[draw(nameAlphabet.length)];
  return text;
}

export const generatedName = (base: string, suffix: string): string => base.slice(0, maxBaseLength) + suffix;
