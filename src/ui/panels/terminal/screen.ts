import { FitAddon } from '@xterm/addon-fit';
import { Terminal } from '@xterm/xterm';
import '@xterm/xterm/css/xterm.css';

/** The terminal as a surface: font and colours are those of the page. */
export interface Screen {
  readonly columns: number;
  readonly rows: number;
  /** Puts it into a place of the page. */
  attach(host: HTMLElement): void;
  detach(): void;
  write(text: string, done?: () => void): void;
  /** Takes on the size of its place. */
  fit(): void;
  /** True if the size would change. */
  wantsFit(): boolean;
  restyle(label: string): void;
  focus(): void;
  selection(): string;
  onData(listener: (text: string) => void): void;
  /** Return false to leave a key to the page. */
  onKey(listener: (event: KeyboardEvent) => boolean): void;
}

export function createScreen(): Screen {
  const terminal = new Terminal({ screenReaderMode: true, scrollback: 5000, overviewRuler: { width: 9 }, cursorBlink: false, cursorStyle: 'bar', cursorInactiveStyle: 'outline', fontWeight: 450, lineHeight: 1.15, drawBoldTextInBrightColors: false, macOptionIsMeta: true });
  const fitter = new FitAddon();
  terminal.loadAddon(fitter);
  let host: HTMLElement | undefined;
  const proposed = () => {
    const size = host === undefined || host.clientWidth === 0 || host.clientHeight === 0 ? undefined : fitter.proposeDimensions();
    return size === undefined || !Number.isFinite(size.cols) || !Number.isFinite(size.rows) ? undefined : size;
  };
  return {
    get columns() {
      return terminal.cols;
    },
    get rows() {
      return terminal.rows;
    },
    attach: (place) => {
      host = place;
      style(terminal, place);
      if (terminal.element === undefined) terminal.open(place);
      else place.append(terminal.element);
    },
    detach: () => {
      terminal.element?.remove();
      host = undefined;
    },
    write: (text, done) => terminal.write(text, done),
    fit: () => {
      const size = proposed();
      if (size !== undefined) terminal.resize(Math.max(20, size.cols), Math.max(3, size.rows));
    },
    wantsFit: () => {
      const size = proposed();
      return size !== undefined && (Math.max(20, size.cols) !== terminal.cols || Math.max(3, size.rows) !== terminal.rows);
    },
    restyle: (label) => {
      if (host !== undefined) style(terminal, host);
      terminal.textarea?.setAttribute('aria-label', label);
    },
    focus: () => terminal.focus(),
    selection: () => terminal.getSelection(),
    onData: (listener) => void terminal.onData(listener),
    onKey: (listener) => terminal.attachCustomKeyEventHandler(listener),
  };
}

/** Everything from the tokens: ink on slate, whatever the program prints. */
function style(terminal: Terminal, host: HTMLElement): void {
  const css = getComputedStyle(host);
  const token = (name: string) => css.getPropertyValue(name).trim();
  const [ink, ground, quiet, line] = [token('--ink-1'), token('--surface-panel'), token('--ink-2'), token('--line-strong')];
  const inks = Object.fromEntries(['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'].flatMap((name) => [[name, ink], [`bright${name[0]?.toUpperCase()}${name.slice(1)}`, ink]]));
  terminal.options.theme = {
    ...inks, foreground: ink, background: ground, cursor: ink, cursorAccent: ground, selectionBackground: line, selectionInactiveBackground: line, brightBlack: quiet,
    scrollbarSliderBackground: line, scrollbarSliderHoverBackground: quiet, scrollbarSliderActiveBackground: quiet, overviewRulerBorder: ground,
  };
  const size = Number.parseFloat(css.fontSize);
  if (terminal.options.fontSize !== size) terminal.options.fontSize = size;
  if (terminal.options.fontFamily !== css.fontFamily) terminal.options.fontFamily = css.fontFamily;
}
