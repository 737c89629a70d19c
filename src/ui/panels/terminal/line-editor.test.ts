import { describe, expect, it } from 'vitest';
import { edit, emptyLine, insert, keys, promptOf, replaceBefore, submitted, type Line } from './line-editor.ts';

/** Types: names of keys in <>, everything else as text. */
function typed(text: string, line: Line = emptyLine()): Line {
  const names: Record<string, string> = {
    left: '\x1b[D', right: '\x1b[C', up: '\x1b[A', down: '\x1b[B', home: '\x1b[H', bs: '\x7f', del: '\x1b[3~', 'c-a': '\x01', 'c-e': '\x05', 'c-u': '\x15', 'c-k': '\x0b', 'c-w': '\x17', 'c-y': '\x19', 'c-r': '\x12', 'c-g': '\x07', 'm-b': '\x1bb', 'm-f': '\x1bf', 'm-bs': '\x1b\x7f',
  };
  return [...text.matchAll(/<([a-z-]+)>|[^<]+/g)].reduce((now, [part, name]) => {
    if (name === 'enter') return submitted(now);
    const action = name === undefined ? undefined : keys[names[name] ?? ''];
    return action === undefined ? insert(now, part) : edit(now, action);
  }, line);
}

/** The text with the caret as '|'. */
const shown = ({ text, at }: Line): string => `${text.slice(0, at)}|${text.slice(at)}`;

describe('the line', () => {
  it.each([
    ['get pods', 'get pods|'],
    ['pods<c-a>get <c-e> -A', 'get pods -A|'],
    ['ab<left><bs>', '|b'],
    ['ab<home><del>', '|b'],
    ['get pods<left><left><c-u>', '|ds'],
    ['get pods<c-w>', 'get |'],
    ['get pod/web-1<c-w>x<c-y>', 'get xpod/web-1|'],
    ['get pod/web-1<m-bs>', 'get pod/web-|'],
    ['get pods -A<m-b><m-b><c-k>', 'get |'],
    ['get pods<c-a><m-f>!', 'get!| pods'],
    ['a😀<left><bs>', '|😀'],
    ['a😀<bs>', 'a|'],
    ['<bs><left><del>', '|'],
    ['a\nbc<up>', 'a|\nbc'],
    ['a\nbc<up><down>d', 'a\nbd|c'],
    ['a\nbc<c-u>', 'a\n|'],
  ])('%j is %j', (keysTyped, result) => {
    expect(shown(typed(keysTyped))).toBe(result);
  });

  it('puts a completion in place of what was typed of the word', () => {
    expect(shown(replaceBefore(typed('get po -A<left><left><left>'), 4, 'pods '))).toBe('get pods | -A');
  });
});

describe('the history', () => {
  const line = typed('get pods<enter>get nodes<enter>get nodes<enter>  <enter>');

  it('keeps each command once in a row, and no blanks', () => {
    expect(line.history).toEqual(['get pods', 'get nodes']);
  });

  it('goes up and down, and back to what was being typed', () => {
    expect(shown(typed('new<up>', line))).toBe('get nodes|');
    expect(shown(typed('new<up><up><up>', line))).toBe('get pods|');
    expect(shown(typed('new<up><up><down><down><down>', line))).toBe('new|');
  });

  it('is searched backwards', () => {
    const searching = typed('x<c-r>get', line);
    expect([promptOf(searching), shown(searching)]).toEqual(['(reverse-i-search)`get\': ', '|get nodes']);
    expect(shown(typed('<c-r>', searching))).toBe('|get pods');
    expect(promptOf(typed(' none', searching))).toBe('(failed reverse-i-search)`get none\': ');
    expect(shown(typed('<bs><bs><bs>', searching))).toBe('x|');
    expect(shown(typed('<c-g>', searching))).toBe('x|');
    expect(shown(typed('<c-r><c-e> -A', searching))).toBe('get pods -A|');
  });
});
