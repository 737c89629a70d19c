/** A stretch of a text that another text takes the place of. */
export interface Edit {
  from: number;
  to: number;
  text: string;
}

/** A stretch of a text with edits that do not overlap. */
export function edited(code: string, start: number, end: number, edits: readonly Edit[]): string {
  let text = '';
  let at = start;
  for (const edit of [...edits].sort((a, b) => a.from - b.from || a.to - b.to)) {
    text += code.slice(at, edit.from) + edit.text;
    at = edit.to;
  }
  return text + code.slice(at, end);
}
