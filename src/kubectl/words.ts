/** Splits a command line as a shell splits words: blanks, '…', "…" and backslash count, nothing else does. An unclosed quote runs to the end. */
export function splitCommandLine(line: string): string[] {
  const words: string[] = [];
  let current: string | undefined;
  for (let i = 0; i < line.length; i++) {
    const char = line[i] as string;
    if (/\s/.test(char)) {
      if (current !== undefined) words.push(current);
      current = undefined;
    } else if (char === "'" || char === '"') {
      current ??= '';
      for (i++; i < line.length && line[i] !== char; i++) {
        if (char === '"' && line[i] === '\\' && /["\\$`]/.test(line[i + 1] ?? '')) i++;
        current += line[i] ?? '';
      }
    } else {
      current = (current ?? '') + (char === '\\' ? (line[++i] ?? '') : char);
    }
  }
  if (current !== undefined) words.push(current);
  return words;
}
