import type { Theme } from '../../../store/view.ts';
import type { Monaco } from './load.ts';

export const themeName = (theme: Theme): string => `kubelapse-${theme}`;

/** Monaco wants colours as hex, so it reads them from the tokens of each theme. */
export function defineThemes(monaco: Monaco): void {
  for (const theme of ['dark', 'light'] as const) {
    const read = tokensOf(theme);
    const hex = (name: string) => read(name).replace('#', '');
    monaco.editor.defineTheme(themeName(theme), {
      base: theme === 'dark' ? 'vs-dark' : 'vs', inherit: true,
      rules: [
        { token: '', foreground: hex('--code-value') }, { token: 'type', foreground: hex('--code-key') }, { token: 'string', foreground: hex('--code-value'), fontStyle: 'bold' },
        { token: 'number', foreground: hex('--code-number'), fontStyle: 'bold' }, { token: 'keyword', foreground: hex('--code-value'), fontStyle: 'bold' }, { token: 'comment', foreground: hex('--code-comment') },
        { token: 'operators', foreground: hex('--code-punct') }, { token: 'delimiter', foreground: hex('--code-punct') }, { token: 'delimiter.bracket', foreground: hex('--code-punct') }, { token: 'delimiter.square', foreground: hex('--code-punct') }, { token: 'string.yaml', foreground: hex('--code-value'), fontStyle: 'bold' }, { token: 'number.yaml', foreground: hex('--code-number'), fontStyle: 'bold' }, { token: 'type.yaml', foreground: hex('--code-key') }, { token: 'string.escape', foreground: hex('--code-value') }, { token: 'namespace', foreground: hex('--code-punct') }, { token: 'tag', foreground: hex('--code-punct') }, { token: 'meta', foreground: hex('--code-punct') },
      ],
      colors: {
        'editor.background': read('--surface-panel'), 'editor.foreground': read('--code-value'), 'editorLineNumber.foreground': read('--ink-3'), 'editorLineNumber.activeForeground': read('--ink-1'), 'editorLineNumber.dimmedForeground': read('--ink-3'),
        ...Object.fromEntries([1, 2, 3, 4, 5, 6].map((level) => [`editorBracketHighlight.foreground${level}`, read('--code-punct')])),
        'editorCursor.foreground': read('--ink-1'), 'editorLightBulb.foreground': read('--ink-3'), 'editorLightBulbAutoFix.foreground': read('--ink-3'), 'editorLightBulbAi.foreground': read('--ink-3'), 'editor.lineHighlightBackground': theme === 'dark' ? '#ffffff0c' : '#11151d08', 'editor.lineHighlightBorder': '#00000000', 'editor.selectionBackground': theme === 'dark' ? '#e9edf52e' : '#11151d24',
        'editorIndentGuide.background1': read('--line'), 'editorIndentGuide.activeBackground1': read('--line'), 'editorError.foreground': read('--state-failed'), 'editorWarning.foreground': read('--state-not-ready'), 'editorInfo.foreground': read('--ink-3'),
        ...Object.fromEntries(symbols.map((symbol) => [`symbolIcon.${symbol}Foreground`, read('--ink-3')])),
        'editorWidget.background': read('--surface-overlay'), 'editorWidget.border': read('--line-strong'), 'editorHoverWidget.background': read('--surface-overlay'), 'editorHoverWidget.border': read('--line-strong'),
        'editorSuggestWidget.background': read('--surface-overlay'), 'editorSuggestWidget.border': read('--line-strong'), 'editorSuggestWidget.foreground': read('--ink-1'), 'editorSuggestWidget.selectedBackground': read('--surface-hover'),
        'editorSuggestWidget.selectedForeground': read('--ink-1'), 'editorSuggestWidget.highlightForeground': read('--ink-1'), 'editorSuggestWidget.focusHighlightForeground': read('--ink-1'), 'list.hoverBackground': read('--surface-hover'),
        'list.activeSelectionBackground': read('--surface-hover'), 'list.activeSelectionForeground': read('--ink-1'), focusBorder: read('--focus'), 'input.background': read('--surface-panel'), 'scrollbarSlider.background': `${read('--line-strong')}cc`, 'widget.shadow': '#00000033',
      },
    });
  }
}

const symbols = ['enumerator', 'enumeratorMember', 'property', 'field', 'snippet', 'text', 'value', 'class', 'variable', 'keyword', 'constant', 'module', 'object', 'array', 'string', 'number', 'boolean', 'unit', 'struct', 'color', 'reference'];

/** Token values of a theme, whichever is on screen. */
function tokensOf(theme: Theme): (name: string) => string {
  const probe = document.createElement('div');
  probe.dataset.theme = theme;
  probe.style.setProperty('forced-color-adjust', 'none');
  document.body.append(probe);
  const style = getComputedStyle(probe);
  const known = new Map<string, string>();
  for (const name of ['--code-key', '--code-value', '--code-punct', '--code-comment', '--code-number', '--surface-panel', '--surface-overlay', '--surface-hover', '--ink-1', '--ink-3', '--line', '--line-strong', '--focus', '--state-failed', '--state-not-ready']) {
    known.set(name, sixDigits(style.getPropertyValue(name).trim(), probe));
  }
  probe.remove();
  return (name) => known.get(name) ?? '#808080';
}

/** Monaco knows six digits only; a built stylesheet writes #fff, and forced colours are words. */
function sixDigits(colour: string, probe: HTMLElement): string {
  if (/^#[\da-f]{6}$/i.test(colour)) return colour;
  probe.style.color = colour;
  const parts = /(\d+)\D+(\d+)\D+(\d+)/.exec(getComputedStyle(probe).color);
  return parts === null ? '#808080' : `#${parts.slice(1, 4).map((part) => Number(part).toString(16).padStart(2, '0')).join('')}`;
}
