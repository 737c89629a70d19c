import { ShareError } from './state.ts';

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** RFC 4648 section 5, without padding. */
export function toBase64Url(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 3) {
    const [a = 0, b = 0, c = 0] = bytes.subarray(at, at + 3);
    const group = (a << 16) | (b << 8) | c;
    const count = Math.min(3, bytes.length - at) + 1;
    for (let index = 0; index < count; index += 1) text += letters[(group >> (18 - 6 * index)) & 63];
  }
  return text;
}

export function fromBase64Url(text: string): Uint8Array {
  if (text.length % 4 === 1) throw new ShareError('damaged', `${text.length}`);
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4));
  let bits = 0;
  let held = 0;
  let at = 0;
  for (const letter of text) {
    const value = letters.indexOf(letter);
    if (value < 0) throw new ShareError('damaged', letter);
    held = ((held << 6) | value) & 0xff_ffff;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes[at] = (held >> bits) & 255;
      at += 1;
    }
  }
  return bytes;
}
