/** Where the scanner is. */
export interface Cursor {
  readonly text: string;
  pos: number;
  line: number;
  lineStart: number;
  /** Columns of the open block collections; the last is the current one. */
  indents: number[];
  flowLevel: number;
  /** A key may begin here. */
  keyAllowed: boolean;
}

const breakAt = /\r\n?|[\n\u0085\u2028\u2029]/y;
export const isBlank = (char: string | undefined): boolean => char === ' ' || char === '\t';
export const isBreak = (char: string | undefined): boolean => char !== undefined && '\r\n\u0085\u2028\u2029'.includes(char);
/** Blank, break or the end. */
export const isBlankOrEnd = (char: string | undefined): boolean => char === undefined || isBlank(char) || isBreak(char);

export const column = (cursor: Cursor): number => cursor.pos - cursor.lineStart;
export const indentOf = (cursor: Cursor): number => cursor.indents.at(-1) ?? -1;

/** Passes over a line break and says what it counts as. */
export function readBreak(cursor: Cursor): string {
  breakAt.lastIndex = cursor.pos;
  const found = breakAt.exec(cursor.text)?.[0] ?? '';
  cursor.pos += found.length;
  if (found !== '') [cursor.line, cursor.lineStart] = [cursor.line + 1, cursor.pos];
  return found === '\u2028' || found === '\u2029' || found === '' ? found : '\n';
}

export function skipWhile(cursor: Cursor, pattern: RegExp): string {
  pattern.lastIndex = cursor.pos;
  const found = pattern.exec(cursor.text)?.[0] ?? '';
  cursor.pos += found.length;
  return found;
}

export const blanks = /[ \t]*/y;
export const comment = /(?:#[^\r\n\u0085\u2028\u2029]*)?/y;
export const spaces = / */y;
const documentMark = /^(?:---|\.\.\.)(?![^ \t\r\n\u0085\u2028\u2029])/;

/** The mark of a document's start or end at the beginning of a line. */
export const markAt = (cursor: Cursor): string | undefined => column(cursor) === 0 ? documentMark.exec(cursor.text.slice(cursor.pos, cursor.pos + 4))?.[0] : undefined;

