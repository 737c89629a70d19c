import { describe, expect, it } from 'vitest';
import { alignTabs, renderColumns } from './table.ts';

describe('columns', () => {
  it('are as wide as their widest cell, in runs of lines that have them (K-21)', () => {
    expect(alignTabs('Name:\tweb\nNode:\t<none>\nIPs:\n  IP:\t10.0.0.1\nLong name:\tx\n', 0, 2)).toBe('Name:  web\nNode:  <none>\nIPs:\n  IP:       10.0.0.1\nLong name:  x\n');
    expect(alignTabs('a\tb\tc\nlonger\tlonger too\td\nx\ty\n', 0, 2)).toBe('a       b           c\nlonger  longer too  d\nx       y\n');
  });

  it('are at least six wide in tables, and remember it (K-20)', () => {
    expect(renderColumns([['1/1', 'Running', '0', '66m']])).toBe('1/1   Running   0     66m\n');
    const widths: number[] = [];
    renderColumns([['NAME', 'STATUS'], ['a-long-name', 'Running']], widths);
    expect(renderColumns([['b', 'Running']], widths)).toBe('b             Running\n');
  });

  it('count characters, not bytes (K-21)', () => {
    expect(alignTabs('\u{1f600}\tx\nab\ty\n', 0, 1)).toBe('\u{1f600}  x\nab y\n');
  });
});
