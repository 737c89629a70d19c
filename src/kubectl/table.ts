/** Columns padded as kubectl's printer does: three blanks between, the last one not padded. */
export function renderColumns(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows) for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, [...cell].length);
  const line = (row: readonly string[]) => row.map((cell, index) => (index === row.length - 1 ? cell : cell.padEnd(widths[index] as number))).join('   ');
  return rows.map((row) => `${line(row)}\n`).join('');
}
