/** Where the text of the line being typed stands on the screen, and the shortest way to bring the screen from one state to the next. Pure. */
export interface Block {
  rows: readonly string[];
  /** A row that goes on the one above: it was too long. */
  joined: readonly boolean[];
  row: number;
  column: number;
}

export const noBlock: Block = { rows: [''], joined: [false], row: 0, column: 0 };

/** Columns that a character takes. Simplified: East Asian wide and full-width characters and pictures take two, marks that combine none. */
export function widthOf(char: string): number {
  if (/\p{Mn}|\p{Me}|\u200b|\u200d|\ufe0f/u.test(char)) return 0;
  return /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{1f300}-\u{1faff}]|[\u{20000}-\u{3fffd}]/u.test(char) ? 2 : 1;
}

export const columnsOf = (text: string): number => [...text].reduce((sum, char) => sum + widthOf(char), 0);

/** `most`: rows that fit on the screen; of a longer text those about the caret are shown. */
export function layOut(text: string, at: number, prompt: string, columns: number, most: number): Block {
  const rows = [''];
  const joined = [false];
  let width = 0;
  let caret = { row: 0, column: 0 };
  const put = (char: string) => {
    const wide = widthOf(char);
    if (width + wide > columns) {
      rows.push('');
      joined.push(true);
      width = 0;
    }
    rows[rows.length - 1] += char;
    width += wide;
  };
  const mark = () => {
    caret = { row: rows.length - 1, column: width };
  };
  for (const char of prompt) put(char);
  let offset = 0;
  for (const char of text) {
    if (offset === at) mark();
    offset += char.length;
    if (char !== '\n') {
      put(char);
      continue;
    }
    rows.push('> ');
    joined.push(false);
    width = 2;
  }
  if (at >= offset) mark();
  if (caret.column >= columns) {
    // The caret of a full row stands at the beginning of the next.
    if (caret.row === rows.length - 1) {
      rows.push('');
      joined.push(true);
    }
    caret = { row: caret.row + 1, column: 0 };
  }
  const first = rows.length <= most ? 0 : Math.max(0, Math.min(caret.row - Math.floor(most / 2), rows.length - most));
  return { rows: rows.slice(first, first + most), joined: joined.slice(first, first + most), row: caret.row - first, column: caret.column };
}

/** What to write so that `next` stands where `now` stands. */
export function redraw(now: Block, next: Block): string {
  const { row, column } = difference(now, next);
  const rest = next.rows.slice(row).map((text, index) => (index === 0 ? fromColumn(text, column) : `${next.joined[row + index] === true && text !== '' ? '' : '\r\n'}${text}`)).join('');
  const left = now.rows.slice(row).some((text, index) => (index === 0 ? columnsOf(text) > column : true));
  if (rest === '' && !left) return move(now, next.row, next.column);
  const written = { row: next.rows.length - 1, column: columnsOf(next.rows.at(-1) ?? '') };
  return `${move(now, row, column)}${left ? '\x1b[J' : ''}${rest}${written.row === next.row && written.column === next.column ? '' : move(written, next.row, next.column)}`;
}

/** Takes the block off the screen; the caret stays at its beginning. */
export const erase = (now: Block): string => `${move(now, 0, 0)}\x1b[J`;

function difference(now: Block, next: Block): { row: number; column: number } {
  const shared = Math.min(now.rows.length, next.rows.length);
  for (let row = 0; row < shared; row += 1) {
    if (row > 0 && now.joined[row] !== next.joined[row]) return lastOf(next, row - 1);
    const [a, b] = [[...(now.rows[row] ?? '')], [...(next.rows[row] ?? '')]];
    const same = b.findIndex((char, index) => char !== a[index]);
    const until = same < 0 ? b.length : same;
    if (a.length !== b.length || same >= 0) return { row, column: columnsOf(b.slice(0, until).join('')) };
  }
  return next.rows.length === now.rows.length ? { row: shared - 1, column: columnsOf(next.rows[shared - 1] ?? '') } : lastOf(next, shared - 1);
}

/** At the end of a row the terminal cannot be told from the column before it: its last character is written again. */
const lastOf = (block: Block, row: number): { row: number; column: number } => ({ row, column: columnsOf([...(block.rows[row] ?? '')].slice(0, -1).join('')) });

function fromColumn(text: string, column: number): string {
  let width = 0;
  return [...text].filter((char) => {
    width += widthOf(char);
    return width > column;
  }).join('');
}

function move(from: { row: number; column: number }, row: number, column: number): string {
  if (from.row === row && from.column === column) return '';
  const up = from.row - row;
  return `\r${up > 0 ? `\x1b[${up}A` : up < 0 ? `\x1b[${-up}B` : ''}${column > 0 ? `\x1b[${column}C` : ''}`;
}
