import type { Problem } from '../../../../worker/protocol.ts';
import type { EditorFile } from '../../../store/editor.ts';
import { viewStore, type Language, type Theme } from '../../../store/view.ts';
import type { Monaco, Monacos } from './load.ts';
import { loadMonaco } from './load.ts';
import { themeName } from './theme.ts';

export interface RichEditor {
  show(files: readonly EditorFile[], active: EditorFile | undefined): void;
  setCaret(caret: { start: number; end: number; scrollTop: number }, focus: boolean): void;
  reveal(line: number, column: number): void;
  restyle(theme: Theme, language: Language): void;
  focus(): void;
  dispose(): void;
}

interface Options {
  onText: (fileId: string, text: string) => void;
  onApply: () => void;
}

const labels: Record<Language, string> = {
  en: 'Manifest editor. Press Control M to let Tab move the focus.', zh: '清单编辑器。按 Control M 后可用 Tab 移动焦点。',
};

export async function createEditor(host: HTMLElement, { onText, onApply }: Options): Promise<RichEditor> {
  const { theme, language } = viewStore.getState();
  const monaco = await loadMonaco(language);
  const editor = monaco.editor.create(host, { ...settings, model: null, theme: themeName(theme), ariaLabel: labels[language] });
  editor.addCommand(monaco.KeyMod.CtrlCmd | monaco.KeyCode.Enter, onApply);
  const models = new Map<string, Monacos['ITextModel']>();
  const modelOf = ({ id, name, text }: EditorFile) => {
    const known = models.get(id);
    if (known !== undefined) return known;
    const model = monaco.editor.createModel(text, 'yaml', monaco.Uri.parse(`file:///${id}/${name}`));
    model.updateOptions({ tabSize: 2, insertSpaces: true });
    model.onDidChangeContent(() => onText(id, model.getValue()));
    models.set(id, model);
    return model;
  };
  return {
    show: (files, active) => {
      for (const file of files) {
        const model = modelOf(file);
        // Typing arrives here as well: only a text from elsewhere is put in, as one step of undo.
        if (model.getValue() !== file.text) model.pushEditOperations([], [{ range: model.getFullModelRange(), text: file.text }], () => null);
        setMarkers(monaco, model, file.problems);
      }
      for (const [id, model] of models) {
        if (files.some((file) => file.id === id)) continue;
        model.dispose();
        models.delete(id);
      }
      const wanted = active === undefined ? null : modelOf(active);
      if (editor.getModel() !== wanted) editor.setModel(wanted);
    },
    setCaret: ({ start, end, scrollTop }) => {
      const model = editor.getModel();
      if (model === null) return;
      const [from, to] = [model.getPositionAt(start), model.getPositionAt(end)];
      editor.setSelection({ startLineNumber: from.lineNumber, startColumn: from.column, endLineNumber: to.lineNumber, endColumn: to.column });
      editor.setScrollTop(scrollTop);
    },
    reveal: (lineNumber, column) => {
      editor.revealLineInCenterIfOutsideViewport(lineNumber);
      editor.setPosition({ lineNumber, column });
      editor.focus();
    },
    restyle: (nextTheme, nextLanguage) => {
      monaco.editor.setTheme(themeName(nextTheme));
      editor.updateOptions({ ariaLabel: labels[nextLanguage] });
    },
    focus: () => editor.focus(),
    dispose: () => {
      editor.dispose();
      for (const model of models.values()) model.dispose();
    },
  };
}

const owners = ['yaml', 'apiserver', 'kubectl', 'kubelapse'] as const;

function setMarkers(monaco: Monaco, model: Monacos['ITextModel'], problems: readonly Problem[]): void {
  const severity = { error: monaco.MarkerSeverity.Error, warning: monaco.MarkerSeverity.Warning, info: monaco.MarkerSeverity.Info };
  for (const owner of owners) {
    monaco.editor.setModelMarkers(model, owner, problems.filter(({ source }) => source === owner).map((problem) => ({
      severity: severity[problem.severity], message: problem.message, source: owner, startLineNumber: problem.line, startColumn: problem.column, endLineNumber: problem.endLine, endColumn: problem.endColumn,
    })));
  }
}

const settings = {
  fontFamily: '"JetBrains Mono Variable", ui-monospace, "Sarasa Mono SC", "Noto Sans Mono CJK SC", monospace', fontSize: 12, lineHeight: 18, fontWeight: '450', fontLigatures: false,
  minimap: { enabled: false }, automaticLayout: true, scrollBeyondLastLine: false, padding: { top: 6, bottom: 6 }, lineNumbersMinChars: 4, lineDecorationsWidth: 10, glyphMargin: false, folding: false,
  renderLineHighlight: 'all' as const, overviewRulerLanes: 0, hideCursorInOverviewRuler: true, overviewRulerBorder: false, fixedOverflowWidgets: true, stickyScroll: { enabled: false }, tabSize: 2, insertSpaces: true,
  quickSuggestions: { other: true, comments: false, strings: true }, wordBasedSuggestions: 'off' as const, acceptSuggestionOnEnter: 'smart' as const, scrollbar: { verticalScrollbarSize: 8, horizontalScrollbarSize: 8, useShadows: false }, guides: { indentation: true, highlightActiveIndentation: false },
  occurrencesHighlight: 'off' as const, selectionHighlight: false, renderWhitespace: 'none' as const, unicodeHighlight: { nonBasicASCII: false }, bracketPairColorization: { enabled: false }, matchBrackets: 'never' as const, contextmenu: true,
  fullwidthCharacterWidth: 'twoCells' as const,
};
