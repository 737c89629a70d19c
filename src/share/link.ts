import { deflateSync, Inflate, strFromU8, strToU8 } from 'fflate';
import { fromBase64Url, toBase64Url } from './base64url.ts';
import { readState, ShareError, type SharedState } from './state.ts';

export { ShareError, type SharedState, type SharedView } from './state.ts';

/** Links longer than this are cut by some chat programs; then a file is better. */
export const comfortableLength = 8000;
/** No link unpacks to more. */
export const decodedLimitBytes = 1_000_000;

const newest = 1;
const piece = 1024;

/** '#v1.<deflate, base64url>' of scenario, inputs, cursor and view. The same state gives the same text everywhere. */
export function encodeLink({ scenario, seed, inputs, cursor, view }: SharedState): string {
  const text = JSON.stringify({ scenario, seed, cursor, ...(inputs.length === 0 ? {} : { inputs }), view });
  const packed = deflateSync(strToU8(`${checksum(text)}${text}`), { level: 9, mem: 8 });
  return `#v${newest}.${toBase64Url(packed)}`;
}

export const isLink = (hash: string): boolean => /^#v\d+\./.test(hash);

/** Reads a link. Throws ShareError. */
export function decodeLink(hash: string): SharedState {
  const match = /^#v(\d+)\.(.*)$/.exec(hash);
  if (match === null) throw new ShareError('not-a-link');
  if (Number(match[1]) !== newest) throw new ShareError('unknown-version', `v${match[1]}`);
  const text = unpack(fromBase64Url(match[2] ?? ''));
  const body = text.slice(8);
  if (text.slice(0, 8) !== checksum(body)) throw new ShareError('damaged', `${hash.length}`);
  return readState(parse(body));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ShareError('damaged', `${text.length}`);
  }
}

/** Unpacks in small pieces, so that a hostile link cannot fill the memory. */
function unpack(packed: Uint8Array): string {
  const chunks: Uint8Array[] = [];
  let total = 0;
  let ended = false;
  try {
    const inflate = new Inflate((chunk, final) => {
      total += chunk.length;
      if (total > decodedLimitBytes) throw new ShareError('too-large', `${total}`);
      chunks.push(chunk);
      ended = final;
    });
    for (let at = 0; at < packed.length; at += piece) inflate.push(packed.subarray(at, at + piece), at + piece >= packed.length);
  } catch (error) {
    if (error instanceof ShareError) throw error;
    throw new ShareError('damaged', `${packed.length}`);
  }
  if (!ended) throw new ShareError('damaged', `${packed.length}`);
  const all = new Uint8Array(total);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return strFromU8(all);
}

/** FNV-1a over UTF-16 units: tells a cut or mistyped link from a whole one. */
function checksum(text: string): string {
  let value = 0x811c_9dc5;
  for (let index = 0; index < text.length; index += 1) value = Math.imul(value ^ text.charCodeAt(index), 0x0100_0193) >>> 0;
  return value.toString(16).padStart(8, '0');
}
