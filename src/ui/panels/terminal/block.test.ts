import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { columnsOf, erase, layOut, noBlock, redraw, type Block } from './block.ts';

const columns = 10;
const escape = '\x1b';
const sequences = new RegExp(`${escape}\\[(\\d*)([ABCJ])|\\r|\\n|[^${escape}]`, 'gu');

/** A terminal of ten columns that knows what redraw writes. */
class Paper {
  rows: string[][] = [[]];
  row = 0;
  column = 0;

  write(text: string): void {
    for (const [part, count = '1', letter] of text.matchAll(sequences)) {
      const by = Number(count === '' ? 1 : count);
      if (letter === 'A') this.row = Math.max(0, this.row - by);
      else if (letter === 'B') this.row += by;
      else if (letter === 'C') this.column = Math.min(columns - 1, this.column + by);
      else if (letter === 'J') this.rows = [...this.rows.slice(0, this.row), (this.rows[this.row] ?? []).slice(0, Math.min(this.column, columns - 1))];
      else if (part === '\r') this.column = 0;
      else if (part === '\n') this.rows[(this.row += 1)] ??= [];
      else this.#put(part);
    }
  }

  #put(char: string): void {
    const wide = columnsOf(char);
    if (this.column + wide > columns) {
      this.column = 0;
      this.rows[(this.row += 1)] ??= [];
    }
    const row = this.rows[this.row] as string[];
    row[this.column] = char;
    if (wide === 2) row[this.column + 1] = '';
    this.column += wide;
  }

  text(): string {
    return this.rows.map((row) => Array.from(row, (char) => char ?? ' ').join('')).join('\n');
  }
}

const place = ({ rows, row, column }: Block) => ({ text: rows.join('\n'), row, column });

describe('the block', () => {
  it('breaks long lines, and lines that were begun with Enter', () => {
    expect(layOut('get pods -A', 11, '$ ', columns, 20)).toEqual({ rows: ['$ get pods', ' -A'], joined: [false, true], row: 1, column: 3 });
    expect(layOut('a\nb', 1, '$ ', columns, 20)).toEqual({ rows: ['$ a', '> b'], joined: [false, false], row: 0, column: 3 });
    expect(layOut('12345678', 8, '$ ', columns, 20)).toEqual({ rows: ['$ 12345678', ''], joined: [false, true], row: 1, column: 0 });
    expect(layOut('1234567中', 8, '$ ', columns, 20).rows).toEqual(['$ 1234567', '中']);
  });

  it('shows the rows about the caret if there are too many', () => {
    expect(layOut('a\nb\nc\nd\ne', 9, '$ ', columns, 3)).toMatchObject({ rows: ['> c', '> d', '> e'], row: 2 });
    expect(layOut('a\nb\nc\nd\ne', 0, '$ ', columns, 3)).toMatchObject({ rows: ['$ a', '> b', '> c'], row: 0 });
  });

  it('writes no more than what is new', () => {
    const at = (text: string) => layOut(text, text.length, '$ ', columns, 20);
    expect(redraw(at('ge'), at('get'))).toBe('t');
    expect(redraw(at('get'), at('ge'))).toBe('\r\x1b[4C\x1b[J');
    expect(redraw(at('get'), at('get'))).toBe('');
  });

  it('brings the screen from any text to any other', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\n', '中'), maxLength: 40 });
    fc.assert(fc.property(fc.array(fc.tuple(text, fc.nat(40), fc.integer({ min: 2, max: 6 })), { minLength: 1, maxLength: 6 }), (steps) => {
      const paper = new Paper();
      let block = noBlock;
      for (const [typed, at, most] of steps) {
        const next = layOut(typed, Math.min(at, typed.length), '$ ', columns, most);
        paper.write(redraw(block, next));
        block = next;
        expect({ text: paper.text(), row: paper.row, column: paper.column }).toEqual(place(next));
      }
      paper.write(erase(block));
      expect({ text: paper.text(), row: paper.row, column: paper.column }).toEqual({ text: '', row: 0, column: 0 });
    }), { numRuns: 400 });
  });
});
