/**
 * Text whose cells end with tabs, its columns aligned with blanks. A column is a run of lines that have a cell in it: any line that does not ends it.
 * A line's last cell takes part in no column. Upstream: Go text/tabwriter, as kubectl sets it up for tables and for describe.
 */
export function alignTabs(text: string, minWidth: number, padding: number, remembered?: number[]): string {
  const lines = text.split('\n').map((line) => line.split('\t'));
  const last = lines.pop() as string[];
  const widths: number[] = [];
  const out: string[] = [];
  const write = (from: number, to: number) => {
    for (const cells of lines.slice(from, to)) out.push(`${cells.map((cell, index) => (index < widths.length ? cell.padEnd((widths[index] as number) + cell.length - lengthOf(cell)) : cell)).join('')}\n`);
  };
  const format = (start: number, end: number) => {
    const column = widths.length;
    const has = (index: number) => column < (lines[index] as string[]).length - 1;
    let from = start;
    for (let i = start; i < end; i++) {
      if (!has(i)) continue;
      write(from, i);
      from = i;
      let width = Math.max(minWidth, remembered?.[column] ?? 0);
      for (; i < end && has(i); i++) width = Math.max(width, lengthOf((lines[i] as string[])[column] as string) + padding);
      if (remembered !== undefined) remembered[column] = width;
      widths.push(width);
      format(from, i);
      widths.pop();
      from = i;
    }
    write(from, end);
  };
  format(0, lines.length);
  return out.join('') + last.join('\t');
}

const lengthOf = (text: string): number => (/[\ud800-\udfff]/.test(text) ? [...text].length : text.length);

/** Rows as kubectl prints tables. `remembered`: the widths so far, for rows that come later. */
export function renderColumns(rows: readonly (readonly string[])[], remembered?: number[]): string {
  return alignTabs(rows.map((row) => `${row.join('\t')}\n`).join(''), 6, 3, remembered);
}
