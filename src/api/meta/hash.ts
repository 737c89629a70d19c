import { nameAlphabet } from './random-name.ts';

/** FNV-1a, 32 bit, over the UTF-8 bytes of a text. */
export function fnv32a(text: string): number {
  let hash = 0x811c9dc5;
  const eat = (byte: number) => {
    hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  };
  for (const char of text) {
    const code = char.codePointAt(0) as number;
    if (code < 0x80) eat(code);
    else if (code < 0x800) [0xc0 | (code >> 6), 0x80 | (code & 63)].forEach(eat);
    else if (code < 0x10000) [0xe0 | (code >> 12), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63)].forEach(eat);
    else [0xf0 | (code >> 18), 0x80 | ((code >> 12) & 63), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63)].forEach(eat);
  }
  return hash;
}

/** Digits mapped into the alphabet of generated names. Upstream: apimachinery pkg/util/rand SafeEncodeString. */
export function safeEncode(text: string): string {
  let out = '';
  for (let i = 0; i < text.length; i++) out += nameAlphabet[text.charCodeAt(i) % nameAlphabet.length];
  return out;
}

/** Plain data as text with sorted keys: equal data, equal text. */
export function stableText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(stableText).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const record = value as Record<string, unknown>;
  const keys = Object.keys(record).filter((key) => record[key] !== undefined).sort((a, b) => (a < b ? -1 : 1));
  return `{${keys.map((key) => `${JSON.stringify(key)}:${stableText(record[key])}`).join()}}`;
}

/**
 * The value of the label pod-template-hash and of controller revision names. Simplified: the real hash runs over Go's dump of the struct, so
 * the letters differ from a real cluster's; length and alphabet are alike, and equal templates give equal hashes.
 * Upstream: pkg/controller/controller_utils.go ComputeHash.
 */
export function templateHash(template: unknown, collisionCount?: number): string {
  return safeEncode(String(fnv32a(stableText(template) + (collisionCount === undefined ? '' : `#${collisionCount}`))));
}
