import type { Fix, Problem } from './problem.ts';

/** What goes wrong with manifests that were pasted from web pages, each at its character. */
export function checkPaste(_text: string): Problem[] {
  return [];
}

export function applyFix(text: string, fix: Fix): string {
  const lines = text.split('\n');
  const offset = (line: number, column: number) => lines.slice(0, line - 1).reduce((sum, item) => sum + item.length + 1, 0) + column - 1;
  return text.slice(0, offset(fix.line, fix.column)) + fix.text + text.slice(offset(fix.endLine, fix.endColumn));
}
