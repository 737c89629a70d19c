/** Base64 with the alphabet for addresses and without padding, over one-byte characters. */
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

export function encodeBase64(text: string): string {
  let out = '';
  for (let i = 0; i < text.length; i += 3) {
    const bits = (text.charCodeAt(i) << 16) | ((text.charCodeAt(i + 1) || 0) << 8) | (text.charCodeAt(i + 2) || 0);
    const count = Math.min(3, text.length - i) + 1;
    for (let part = 0; part < count; part++) out += alphabet[(bits >> (18 - part * 6)) & 63];
  }
  return out;
}

/** The text, or the index of the first character that cannot be. */
export function decodeBase64(text: string): string | number {
  let out = '';
  let bits = 0;
  let count = 0;
  for (let i = 0; i < text.length; i++) {
    const value = alphabet.indexOf(text[i] as string);
    if (value < 0) return i;
    bits = ((bits << 6) | value) & 0xffffff;
    count += 6;
    if (count >= 8) {
      count -= 8;
      out += String.fromCharCode((bits >> count) & 255);
    }
  }
  return count === 6 ? text.length - 1 : out;
}
