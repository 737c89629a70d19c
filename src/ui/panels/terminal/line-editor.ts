/** The line being typed, as readline edits it. A command of several lines is one text with newlines. Pure. */
export interface Line {
  text: string;
  /** The caret: an offset into the text. */
  at: number;
  /** Oldest first. */
  history: readonly string[];
  /** Where in the history it stands; its length: the new line. */
  place: number;
  /** The new line, while an older one is shown. */
  draft: string;
  killed: string;
  /** Ctrl+R: what is looked for; `found`: whether there is one. */
  search?: { query: string; place: number; found: boolean; before: string };
}

export type Edit =
  | 'left' | 'right' | 'word-left' | 'word-right' | 'home' | 'end' | 'backspace' | 'delete' | 'kill-to-start' | 'kill-to-end' | 'kill-word' | 'kill-blank-word' | 'kill-word-ahead' | 'yank'
  | 'up' | 'down' | 'search' | 'cancel-search';

export const emptyLine = (history: readonly string[] = []): Line => ({ text: '', at: 0, history, place: history.length, draft: '', killed: '' });

export function insert(line: Line, text: string): Line {
  if (line.search !== undefined) return look({ ...line, search: { ...line.search, query: line.search.query + text } }, line.search.place);
  return { ...line, text: line.text.slice(0, line.at) + text + line.text.slice(line.at), at: line.at + text.length };
}

export function edit(line: Line, action: Edit): Line {
  if (line.search !== undefined) {
    if (action === 'search') return look(line, line.search.place - 1);
    if (action === 'backspace') return look({ ...line, search: { ...line.search, query: line.search.query.slice(0, -1) } }, line.history.length - 1);
    if (action === 'cancel-search') return leaveSearch({ ...line, text: line.search.before, at: line.search.before.length });
    return edit(leaveSearch(line), action);
  }
  return edits[action](line);
}

/** Puts a text in place of what stands from `start` to the caret. */
export function replaceBefore(line: Line, start: number, text: string): Line {
  return { ...line, text: line.text.slice(0, start) + text + line.text.slice(line.at), at: start + text.length };
}

/** A new line after this one was given; neither blanks nor the same command twice in a row are remembered. */
export function submitted(line: Line): Line {
  const { text, history, killed } = line;
  const next = text.trim() === '' || text === history.at(-1) ? history : [...history, text].slice(-historyMost);
  return { ...emptyLine(next), killed };
}

const historyMost = 200;

/** What stands before the text. */
export function promptOf(line: Line): string {
  if (line.search === undefined) return '$ ';
  return `(${line.search.found ? '' : 'failed '}reverse-i-search)\`${line.search.query}': `;
}

const before = ({ text, at }: Line): number => (/[\uDC00-\uDFFF]/.test(text[at - 1] ?? '') && at > 1 ? at - 2 : Math.max(0, at - 1));
const after = ({ text, at }: Line): number => (/[\uD800-\uDBFF]/.test(text[at] ?? '') ? Math.min(text.length, at + 2) : Math.min(text.length, at + 1));
const rowStart = ({ text, at }: Line): number => text.lastIndexOf('\n', at - 1) + 1;
const rowEnd = ({ text, at }: Line): number => (text.indexOf('\n', at) < 0 ? text.length : text.indexOf('\n', at));
const wordStart = ({ text, at }: Line): number => at - (/[\p{L}\p{N}]*[^\p{L}\p{N}]*$/u.exec(text.slice(0, at))?.[0].length ?? 0);
const wordEnd = ({ text, at }: Line): number => at + (/^[^\p{L}\p{N}]*[\p{L}\p{N}]*/u.exec(text.slice(at))?.[0].length ?? 0);
const blankWordStart = ({ text, at }: Line): number => at - (/\S*\s*$/.exec(text.slice(0, at))?.[0].length ?? 0);

const kill = (line: Line, from: number, to: number, keep = true): Line => ({
  ...line, text: line.text.slice(0, from) + line.text.slice(to), at: from, killed: keep && to > from ? line.text.slice(from, to) : line.killed,
});

const edits: Record<Edit, (line: Line) => Line> = {
  left: (line) => ({ ...line, at: before(line) }),
  right: (line) => ({ ...line, at: after(line) }),
  'word-left': (line) => ({ ...line, at: wordStart(line) }),
  'word-right': (line) => ({ ...line, at: wordEnd(line) }),
  home: (line) => ({ ...line, at: rowStart(line) }),
  end: (line) => ({ ...line, at: rowEnd(line) }),
  backspace: (line) => kill(line, before(line), line.at, false),
  delete: (line) => kill(line, line.at, after(line), false),
  'kill-to-start': (line) => kill(line, rowStart(line), line.at),
  'kill-to-end': (line) => kill(line, line.at, rowEnd(line)),
  'kill-word': (line) => kill(line, wordStart(line), line.at),
  'kill-blank-word': (line) => kill(line, blankWordStart(line), line.at),
  'kill-word-ahead': (line) => kill(line, line.at, wordEnd(line)),
  yank: (line) => insert(line, line.killed),
  up: (line) => (rowStart(line) > 0 ? toRow(line, rowStart(line) - 1) : recall(line, line.place - 1)),
  down: (line) => (rowEnd(line) < line.text.length ? toRow(line, rowEnd(line) + 1) : recall(line, line.place + 1)),
  search: (line) => ({ ...line, search: { query: '', place: line.history.length - 1, found: true, before: line.text } }),
  'cancel-search': (line) => line,
};

/** To the row that holds an offset, in the same column as far as it goes. */
function toRow(line: Line, offset: number): Line {
  const there = { ...line, at: offset };
  const start = rowStart(there);
  return { ...line, at: Math.min(start + line.at - rowStart(line), rowEnd({ ...line, at: start })) };
}

function recall(line: Line, place: number): Line {
  if (place < 0 || place > line.history.length) return line;
  const draft = line.place === line.history.length ? line.text : line.draft;
  const text = line.history[place] ?? draft;
  return { ...line, place, draft, text, at: text.length };
}

/** The newest line at or before a place that holds the query. */
function look(line: Line, from: number): Line {
  const search = line.search as NonNullable<Line['search']>;
  if (search.query === '') return { ...line, text: search.before, at: search.before.length, search: { ...search, place: line.history.length - 1, found: true } };
  for (let place = Math.min(from, line.history.length - 1); place >= 0; place -= 1) {
    const text = line.history[place] ?? '';
    const at = text.indexOf(search.query);
    if (at >= 0) return { ...line, text, at, search: { ...search, place, found: true } };
  }
  return { ...line, search: { ...search, found: false } };
}

function leaveSearch(line: Line): Line {
  const { search, ...rest } = line;
  return search === undefined ? line : rest;
}

/** The line that Enter gives: the search is over. */
export const accepted = leaveSearch;

/** What the keys of a terminal mean. */
export const keys: Readonly<Record<string, Edit>> = {
  '\x01': 'home', '\x1b[H': 'home', '\x1bOH': 'home', '\x1b[1~': 'home', '\x05': 'end', '\x1b[F': 'end', '\x1bOF': 'end', '\x1b[4~': 'end',
  '\x02': 'left', '\x1b[D': 'left', '\x1bOD': 'left', '\x06': 'right', '\x1b[C': 'right', '\x1bOC': 'right', '\x1bb': 'word-left', '\x1b[1;5D': 'word-left', '\x1b[1;3D': 'word-left',
  '\x1bf': 'word-right', '\x1b[1;5C': 'word-right', '\x1b[1;3C': 'word-right', '\x7f': 'backspace', '\x08': 'backspace', '\x04': 'delete', '\x1b[3~': 'delete',
  '\x15': 'kill-to-start', '\x0b': 'kill-to-end', '\x17': 'kill-blank-word', '\x1b\x7f': 'kill-word', '\x1b\x08': 'kill-word', '\x1bd': 'kill-word-ahead', '\x19': 'yank',
  '\x10': 'up', '\x1b[A': 'up', '\x1bOA': 'up', '\x0e': 'down', '\x1b[B': 'down', '\x1bOB': 'down', '\x12': 'search', '\x07': 'cancel-search', '\x1b': 'cancel-search',
};
