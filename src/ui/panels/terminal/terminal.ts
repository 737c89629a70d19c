import { translate } from '../../parts/i18n.ts';
import { editorStore, writeFile } from '../../store/editor.ts';
import { film } from '../../store/film.ts';
import { keep, readKept } from '../../store/persist.ts';
import { sessionStore } from '../../store/session.ts';
import { language, setView, viewStore } from '../../store/view.ts';
import { erase, layOut, noBlock, redraw, type Block } from './block.ts';
import { candidatesOf } from './candidates.ts';
import { choose, inColumns, placeOf } from './completion.ts';
import { accepted, edit, emptyLine, insert, keys, promptOf, replaceBefore, submitted, type Line } from './line-editor.ts';
import { messages } from './messages.ts';
import { isControl, plainText } from './plain-text.ts';
import type { Streams } from './run.ts';
import { createScreen, type Screen } from './screen.ts';
import { runShell, shellWords, type Surroundings } from './shell.ts';
import { parseShell } from './shell-words.ts';

type Key = keyof (typeof messages)['en'];
const say = (key: Key, values?: Record<string, string>): string => translate(messages, language(), key, values);

/** The page's one terminal: it lives on while its tab is closed, with what runs in it. */
export class KubectlTerminal {
  readonly screen: Screen = createScreen();
  #line: Line = emptyLine(readKept<string[]>('terminal') ?? []);
  #block: Block = noBlock;
  #busy: AbortController | undefined;
  /** Typed while a command ran. */
  #ahead: string[] = [];
  #transcript = '';
  /** The output does not end in a newline. */
  #hanging = false;
  #tabLeaves = false;
  #listeners = new Set<(tabLeaves: boolean) => void>();

  constructor() {
    this.screen.onData((data) => this.#receive(data));
    this.screen.onKey((event) => this.#takesKey(event));
    this.#print(`${say('welcome')}\n`);
    this.#draw();
    let { source } = sessionStore.getState();
    sessionStore.subscribe((state) => {
      if (state.source === source || state.status !== 'running') return;
      const isFirst = source === undefined;
      ({ source } = state);
      if (!isFirst) this.#announce(`${say('new-film', { title: film().title })}\n`);
    });
    viewStore.subscribe((now, before) => {
      if (now.theme !== before.theme || now.language !== before.language || now.presenter !== before.presenter) requestAnimationFrame(() => this.restyle());
    });
  }

  attach(host: HTMLElement): void {
    this.screen.attach(host);
    this.restyle();
  }

  restyle(): void {
    this.screen.restyle(say('label'));
    this.fit();
  }

  /** The line being typed is taken off first: a terminal that changes its width breaks long lines anew. */
  fit(): void {
    if (!this.screen.wantsFit()) return;
    this.screen.write(this.#busy === undefined ? erase(this.#block) : '', () => {
      this.screen.fit();
      this.#block = noBlock;
      if (this.#busy === undefined) this.#draw();
    });
    this.#block = noBlock;
  }

  /** All that was typed and printed. */
  text(): string {
    return this.#transcript;
  }

  get tabLeaves(): boolean {
    return this.#tabLeaves;
  }

  onTabLeaves(listener: (tabLeaves: boolean) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Keys that the page keeps, or that the browser needs for copy and paste. */
  #takesKey(event: KeyboardEvent): boolean {
    const key = event.key.toLowerCase();
    const mod = event.ctrlKey || event.metaKey;
    if (key === 'f6' || (key === 'tab' && (event.shiftKey || this.#tabLeaves)) || (mod && key === 'k')) return false;
    if (event.ctrlKey && key === 'm') {
      event.preventDefault();
      if (event.type === 'keydown') this.toggleTab();
      return false;
    }
    if (mod && (key === 'v' || (key === 'c' && (event.shiftKey || this.screen.selection() !== '')))) return false;
    return true;
  }

  toggleTab(): void {
    this.#tabLeaves = !this.#tabLeaves;
    for (const listener of this.#listeners) listener(this.#tabLeaves);
  }

  #receive(data: string): void {
    if (data === '\x03') return this.#interrupt();
    // A paste is text, whatever is in it; each end of a line is an Enter.
    if (data.length > 1 && !data.startsWith('\x1b')) this.#ahead.push(...data.replace(/\r\n?|\n/g, '\n').split(/(?<=\n)|(?=\n)/).map((part) => (part === '\n' ? '\r' : part.replace(/\t/g, '    '))));
    else this.#ahead.push(data);
    this.#pump();
  }

  #pump(): void {
    while (this.#busy === undefined) {
      const data = this.#ahead.shift();
      if (data === undefined) return;
      this.#take(data);
    }
  }

  #take(data: string): void {
    if (data === '\r' || data === '\n') return this.#enter();
    if (data === '\t') return void this.#complete();
    if (data === '\x0c') return this.#clear();
    if (data === '\x04' && this.#line.text === '') return;
    const action = keys[data];
    if (action !== undefined) this.#line = edit(this.#line, action);
    else if (!isControl(data, 0)) this.#line = insert(this.#line, data);
    this.#draw();
  }

  #draw(): void {
    const { text, at } = this.#line;
    const next = layOut(text, at, promptOf(this.#line), this.screen.columns, this.screen.rows - 1);
    this.screen.write(redraw(this.#block, next));
    this.#block = next;
  }

  /** The whole line, caret at its end, for good. */
  #finish(suffix = ''): void {
    const { text } = this.#line;
    const { rows, joined } = layOut(text, text.length, '$ ', this.screen.columns, Infinity);
    this.screen.write(this.#block.rows.length >= this.screen.rows - 1 ? `${erase(this.#block)}${rows.map((row, index) => `${index === 0 || (joined[index] === true && row !== '') ? '' : '\r\n'}${row}`).join('')}` : redraw(this.#block, { rows, joined, ...endOf(rows) }));
    this.screen.write(`${suffix}\r\n`);
    this.#transcript += `$ ${text.replace(/\n/g, '\n> ')}${suffix}\n`;
    this.#block = noBlock;
  }

  #enter(): void {
    this.#line = accepted(this.#line);
    // A prompt that was copied along with a command is no part of it.
    const text = this.#line.text.replace(/^\s*\$ /, '');
    if (parseShell(text).status === 'incomplete') {
      this.#line = insert({ ...this.#line, at: this.#line.text.length }, '\n');
      return this.#draw();
    }
    this.#finish();
    this.#line = submitted({ ...this.#line, text });
    if (text.trim() === '') return this.#draw();
    keep('terminal', this.#line.history);
    void this.#run(text);
  }

  async #run(text: string): Promise<void> {
    const busy = new AbortController();
    this.#busy = busy;
    const print = (said: string) => {
      if (!busy.signal.aborted) this.#print(said);
    };
    const streams: Streams = { out: print, err: print, notice: (key) => print(`${say(key)}\n`), signal: busy.signal };
    try {
      await runShell(text, streams, this.#around);
    } catch (error) {
      print(`${error instanceof Error ? error.message : String(error)}\n`);
    }
    if (this.#busy === busy) this.#prompt();
  }

  #prompt(): void {
    this.#busy = undefined;
    if (this.#hanging) this.#print('\n');
    this.#block = noBlock;
    this.#draw();
    this.#pump();
  }

  #interrupt(): void {
    this.#ahead = [];
    if (this.#busy !== undefined) {
      this.#busy.abort();
      this.#print('^C\n');
      return this.#prompt();
    }
    this.#line = accepted(this.#line);
    this.#finish('^C');
    this.#line = emptyLine(this.#line.history);
    this.#draw();
  }

  #print(text: string): void {
    if (text === '') return;
    const clean = plainText(text);
    this.#transcript += clean;
    if (clean !== '') this.#hanging = !clean.endsWith('\n');
    this.screen.write(clean.replace(/\n/g, '\r\n'));
  }

  /** Between two commands: above the line being typed. */
  #announce(text: string): void {
    if (this.#busy !== undefined) return this.#print(text);
    this.screen.write(erase(this.#block));
    this.#block = noBlock;
    this.#print(text);
    this.#draw();
  }

  #clear(): void {
    this.screen.write(`${erase(this.#block)}\x1b[3J\x1b[2J\x1b[H`);
    this.#block = noBlock;
    if (this.#busy === undefined) this.#draw();
  }

  async #complete(): Promise<void> {
    if (this.#line.search !== undefined) this.#line = accepted(this.#line);
    const busy = new AbortController();
    this.#busy = busy;
    const { text, at } = this.#line;
    try {
      const { prefix, wanted } = placeOf(text.slice(0, at), shellWords);
      const { text: put, show } = choose(prefix, await candidatesOf(wanted, Object.keys(this.#around.files())));
      if (this.#busy !== busy) return;
      if (show.length > 0) {
        this.screen.write(`\r\n${inColumns(show, this.screen.columns).replace(/\n/g, '\r\n')}`);
        this.#block = noBlock;
      }
      // A word with quotes stands there otherwise than it reads: left alone.
      if (put !== prefix && text.slice(0, at).endsWith(prefix)) this.#line = replaceBefore(this.#line, at - prefix.length, put);
    } catch {
      // Nothing to complete with: the line stays.
    }
    if (this.#busy !== busy) return;
    this.#busy = undefined;
    this.#draw();
    this.#pump();
  }

  readonly #around: Surroundings = {
    files: () => Object.fromEntries(editorStore.getState().files.map(({ name, text }) => [name, text])),
    write: writeFile,
    clear: () => this.#clear(),
    close: () => setView({ drawer: undefined }),
    help: () => say('help'),
    history: () => this.#line.history,
  };
}

const endOf = (rows: readonly string[]): { row: number; column: number } => {
  const last = layOut(rows.at(-1) ?? '', (rows.at(-1) ?? '').length, '', Infinity, Infinity);
  return { row: rows.length - 1, column: last.column };
};

let only: KubectlTerminal | undefined;

export function kubectlTerminal(): KubectlTerminal {
  only ??= new KubectlTerminal();
  return only;
}
