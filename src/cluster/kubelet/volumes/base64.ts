const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

function bytesOf(text: string): number[] {
  const bytes: number[] = [];
  let bits = 0;
  let held = 0;
  for (const char of text) {
    const value = alphabet.indexOf(char);
    if (value < 0) continue;
    held = (held << 6) | value;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push((held >> bits) & 255);
    held &= (1 << bits) - 1;
  }
  return bytes;
}

/** The text that base64 stands for, read as UTF-8; bytes that are none become the replacement character. */
export function decodeBase64(text: string): string {
  const bytes = bytesOf(text);
  let out = '';
  for (let i = 0; i < bytes.length; i++) {
    const first = bytes[i] as number;
    const more = first < 0x80 ? 0 : first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : first >= 0xc0 ? 1 : -1;
    if (more < 0 || i + more >= bytes.length) {
      out += '\ufffd';
      continue;
    }
    let code = more === 0 ? first : first & (0x3f >> more);
    for (let k = 0; k < more; k++) code = (code << 6) | ((bytes[++i] as number) & 0x3f);
    out += String.fromCodePoint(code > 0x10ffff ? 0xfffd : code);
  }
  return out;
}
