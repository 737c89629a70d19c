/** Text without what steers a terminal: colours, titles and bells of a container's log are not ours to obey. Newlines and tabs stay. */
export function plainText(text: string): string {
  let plain = '';
  for (let at = 0; at < text.length;) {
    if (text[at] === '\x1b') {
      at = sequenceEnd(text, at + 1);
    } else {
      if (!isControl(text, at)) plain += text[at];
      at += 1;
    }
  }
  return plain;
}

export function isControl(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code < 0x20 ? code !== 9 && code !== 10 : code >= 0x7f && code < 0xa0;
}

/** Past '[31m', past a title with its end, or past one character. */
function sequenceEnd(text: string, start: number): number {
  if (text[start] === '[') {
    let at = start + 1;
    while (at < text.length && (text.charCodeAt(at) < 0x40 || text.charCodeAt(at) > 0x7e)) at += 1;
    return at + 1;
  }
  if (text[start] === ']') {
    let at = start + 1;
    while (at < text.length && text[at] !== '\x07' && text[at] !== '\x1b' && text[at] !== '\n') at += 1;
    return text[at] === '\x07' ? at + 1 : text[at] === '\x1b' ? at + 2 : at;
  }
  return start + 1;
}
