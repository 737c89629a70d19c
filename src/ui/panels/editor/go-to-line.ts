import { activeFile, editorStore } from '../../store/editor.ts';

type Reveal = (line: number, column: number) => void;

let rich: Reveal | undefined;

/** The rich editing surface, once it is there, moves its own caret. */
export function setReveal(reveal: Reveal | undefined): void {
  rich = reveal;
}

export function goToLine(line: number, column: number): void {
  if (rich !== undefined) return rich(line, column);
  const area = document.querySelector<HTMLTextAreaElement>('#editor-text textarea');
  const text = activeFile(editorStore.getState())?.text ?? '';
  if (area === null) return;
  const start = text.split('\n').slice(0, line - 1).reduce((sum, row) => sum + row.length + 1, 0) + column - 1;
  area.focus();
  area.setSelectionRange(start, start);
  area.scrollTop = Math.max(0, (line - 5) * 18);
}
