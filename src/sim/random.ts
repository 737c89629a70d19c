import { assert } from './assert.ts';

/** The four 32-bit words of a stream's state: plain data, so that it is copied with a checkpoint. */
export type StreamState = [number, number, number, number];

/** All streams of a run, by name. A stream is made from the seed and its name when first used, so a new one never shifts another. */
export interface RandomState {
  seed: number;
  streams: Record<string, StreamState>;
}

/** A seeded source of whole numbers for one actor and purpose. */
export interface Random {
  /** 0 <= result < bound. */
  below(bound: number): number;
  /** low <= result <= high. */
  between(low: number, high: number): number;
  /** An element of a list that is not empty. */
  pick<T>(items: readonly T[]): T;
  /** `length` characters of an alphabet. */
  text(length: number, alphabet: string): string;
}

export function createRandomState(seed: number): RandomState {
  return { seed: seed | 0, streams: {} };
}

/** 32-bit FNV-1a with an avalanche step: spreads names that differ in one letter. */
export function hashText(text: string, basis = 0x811c9dc5): number {
  let hash = basis | 0;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

function seedStream(seed: number, name: string): StreamState {
  const state: StreamState = [hashText(name, seed), hashText(name, seed ^ 0x9e3779b9), hashText(name, ~seed), 1];
  for (let i = 0; i < 12; i++) nextWord(state);
  return state;
}

/** One step of sfc32 (Chris Doty-Humphrey, public domain): small, fast, integers only. */
function nextWord(state: StreamState): number {
  const [a, b, c, counter] = state;
  const result = (((a + b) | 0) + counter) | 0;
  state[3] = (counter + 1) | 0;
  state[0] = b ^ (b >>> 9);
  state[1] = (c + (c << 3)) | 0;
  state[2] = (((c << 21) | (c >>> 11)) + result) | 0;
  return result >>> 0;
}

export function randomStream(random: RandomState, name: string): Random {
  const state = (random.streams[name] ??= seedStream(random.seed, name));
  const below = (bound: number): number => {
    if (!Number.isInteger(bound) || bound <= 0 || bound > 0x1_0000_0000) assert(false, `random bound out of range: ${bound}`);
    // The words past the last whole multiple of the bound are thrown away: 2^32 % bound of them, in 32 bits.
    const last = 0xffff_ffff - (((0xffff_ffff % bound) + 1) % bound);
    let word = nextWord(state);
    while (word > last) word = nextWord(state);
    return word % bound;
  };
  return {
    below,
    between: (low, high) => low + below(high - low + 1),
    pick: (items) => items[below(items.length)] as (typeof items)[number],
    text: (length, alphabet) => {
      // In short pieces: adding one letter at a time to a long text makes a chain of texts.
      let result = '';
      let piece = '';
      for (let i = 0; i < length; i++) {
        piece += alphabet[below(alphabet.length)];
        if (piece.length === 12) {
          result += piece;
          piece = '';
        }
      }
      return result + piece;
    },
  };
}
