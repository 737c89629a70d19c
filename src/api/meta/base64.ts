/** Base64 of UTF-8 text, without the platform's encoders: the engine has none. */

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

export function utf8Bytes(text: string): number[] {
  const bytes: number[] = [];
  for (const char of text) {
    const code = char.codePointAt(0) as number;
    if (code < 0x80) bytes.push(code);
    else if (code < 0x800) bytes.push(0xc0 | (code >> 6), 0x80 | (code & 63));
    else if (code < 0x10000) bytes.push(0xe0 | (code >> 12), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63));
    else bytes.push(0xf0 | (code >> 18), 0x80 | ((code >> 12) & 63), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63));
  }
  return bytes;
}

export function utf8Size(text: string): number {
  let size = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    size += code < 0x80 ? 1 : code < 0x800 || (code >= 0xd800 && code < 0xe000) ? 2 : 3;
  }
  return size;
}

export function base64Encode(text: string): string {
  const bytes = utf8Bytes(text);
  let out = '';
  for (let i = 0; i < bytes.length; i += 3) {
    const [a = 0, b, c] = bytes.slice(i, i + 3);
    out += alphabet[a >> 2] as string;
    out += alphabet[((a & 3) << 4) | ((b ?? 0) >> 4)] as string;
    out += b === undefined ? '=' : (alphabet[((b & 15) << 2) | ((c ?? 0) >> 6)] as string);
    out += c === undefined ? '=' : (alphabet[c & 63] as string);
  }
  return out;
}

export function base64Bytes(text: string): number[] {
  const bytes: number[] = [];
  let bits = 0;
  let count = 0;
  for (const char of text) {
    const value = alphabet.indexOf(char);
    if (value < 0) continue;
    bits = ((bits << 6) | value) & 0xffffff;
    count += 6;
    if (count >= 8) {
      count -= 8;
      bytes.push((bits >> count) & 255);
    }
  }
  return bytes;
}

/** The text, with a replacement sign for what is no UTF-8. */
export function base64Decode(text: string): string {
  const bytes = base64Bytes(text);
  let out = '';
  for (let i = 0; i < bytes.length;) {
    const lead = bytes[i] as number;
    const length = lead < 0x80 ? 1 : lead >= 0xc2 && lead < 0xe0 ? 2 : lead >= 0xe0 && lead < 0xf0 ? 3 : lead >= 0xf0 && lead < 0xf5 ? 4 : 0;
    const tail = bytes.slice(i + 1, i + length);
    if (length === 0 || tail.length < length - 1 || tail.some((byte) => (byte & 0xc0) !== 0x80)) {
      out += '\ufffd';
      i += 1;
      continue;
    }
    let code = length === 1 ? lead : lead & (0xff >> (length + 1));
    for (const byte of tail) code = (code << 6) | (byte & 63);
    out += code > 0x10ffff ? '\ufffd' : String.fromCodePoint(code);
    i += length;
  }
  return out;
}

export const base64Size = (text: string): number => Math.floor((text.replace(/=+$/, '').length * 3) / 4);
