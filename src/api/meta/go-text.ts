import { compareText } from '../../sim/plain.ts';

const printable = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;
const shortEscapes: Readonly<Record<string, string>> = {
  '"': '\\"', '\\': '\\\\', '\u0007': '\\a', '\b': '\\b', '\f': '\\f', '\n': '\\n', '\r': '\\r', '\t': '\\t', '\v': '\\v',
};
const hex = (code: number, width: number) => code.toString(16).padStart(width, '0');

/** Text in double quotes as Go's %q prints it. */
export function goQuote(text: string): string {
  if (/^[ !#-[\]-~]*$/.test(text)) return `"${text}"`;
  let out = '"';
  for (const char of text) {
    const code = char.codePointAt(0) as number;
    if (shortEscapes[char] !== undefined) out += shortEscapes[char];
    else if (code >= 0xd800 && code <= 0xdfff) out += '\ufffd';
    else if (printable.test(char)) out += char;
    else if (code < 0x80) out += `\\x${hex(code, 2)}`;
    else if (code < 0x10000) out += `\\u${hex(code, 4)}`;
    else out += `\\U${hex(code, 8)}`;
  }
  return `${out}"`;
}

/** JSON as Go's encoder writes it: no blanks, angle brackets and ampersands escaped. */
export function goJson(value: unknown): string {
  return JSON.stringify(value ?? null).replace(/[<>&\u2028\u2029]/g, (char) => `\\u${hex(char.charCodeAt(0), 4)}`);
}

/** A value as Go's %v prints it inside slices and maps. */
export function goValue(value: unknown): string {
  if (value === null || value === undefined) return '<nil>';
  if (Array.isArray(value)) return `[${value.map(goValue).join(' ')}]`;
  if (typeof value === 'object') return `map[${Object.keys(value).toSorted(compareText).map((key) => `${key}:${goValue((value as Record<string, unknown>)[key])}`).join(' ')}]`;
  return String(value);
}
