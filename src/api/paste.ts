import { plainLines, type PlainLine } from './paste/plain-lines.ts';
import { rules } from './paste/rules.ts';
import type { Fix, Problem } from './problem.ts';

/** What goes wrong with manifests that were copied from web pages and chats, each at its character, with a repair. Quoted strings, comments and block scalars are left alone. */
export function checkPaste(text: string): Problem[] {
  const joint: Problem[] = [];
  const problems = plainLines(text).flatMap((line, index) => checkLine(line, index + 1, joint));
  const fix = joinFixes(joint, text.split('\n'));
  for (const problem of joint) if (fix !== undefined) problem.fix = fix;
  return problems;
}

function checkLine(line: PlainLine, number: number, joint: Problem[]): Problem[] {
  const found: Problem[] = [];
  const taken: boolean[] = [];
  for (const rule of rules) {
    for (const match of line.plain.matchAll(rule.pattern)) {
      const repair = rule.repair(match, line);
      if (repair === undefined || taken[repair.at]) continue;
      const { at, length, message, title, from = at, to = at + length, text } = repair;
      for (let place = at; place < Math.max(at + length, to); place += 1) taken[place] = true;
      const place = { line: number, column: at + 1, endLine: number, endColumn: at + length + 1 };
      const problem: Problem = { severity: rule.severity, source: 'kubelapse', message, ...place, fix: { title, line: number, column: from + 1, endLine: number, endColumn: to + 1, text } };
      found.push(problem);
      if (repair.joint) joint.push(problem);
    }
  }
  return found.sort((a, b) => a.column - b.column);
}

/** One edit from the first to the last: repaired one by one, the lines between would no longer fit together. */
function joinFixes(problems: readonly Problem[], lines: readonly string[]): Fix | undefined {
  const [first, last] = [problems[0]?.fix, problems.at(-1)?.fix];
  if (first === undefined || last === undefined) return undefined;
  const edits = new Map(problems.map(({ fix }) => [fix?.line, fix]));
  const text = lines.slice(first.line - 1, last.line).map((line, index) => {
    const edit = edits.get(first.line + index);
    const rest = first.line + index === last.line ? '' : line.slice((edit?.endColumn ?? 1) - 1);
    return (edit?.text ?? '') + rest;
  });
  return { ...first, endLine: last.endLine, endColumn: last.endColumn, text: text.join('\n') };
}

/** The text after a fix. */
export function applyFix(text: string, fix: Fix): string {
  const lines = text.split('\n');
  const offset = (line: number, column: number): number => lines.slice(0, line - 1).reduce((sum, item) => sum + item.length + 1, 0) + column - 1;
  return text.slice(0, offset(fix.line, fix.column)) + fix.text + text.slice(offset(fix.endLine, fix.endColumn));
}
