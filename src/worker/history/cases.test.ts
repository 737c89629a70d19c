import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Problem } from '../protocol.ts';
import { answer } from './ask.ts';
import { TestSession } from './testing/whole-film.ts';

/** Manifests that people ask about, pasted as they are: each either runs or is told what is wrong, at a place of its text. */

const folder = join(import.meta.dirname, '../../../e2e/conformance/cases');
const ids = readdirSync(folder);

function isInText({ line, column, endLine, endColumn }: Problem, text: string): boolean {
  const lines = text.split('\n');
  const fits = (row: number, at: number) => row >= 1 && row <= lines.length + 1 && at >= 1 && at <= (lines[row - 1] ?? '').length + 2;
  return fits(line, column) && fits(endLine, endColumn) && (endLine > line || endColumn > column);
}

describe('a pasted manifest', () => {
  it.each(ids)('%s: is judged by the editor as kubectl apply judges it', (id) => {
    const text = readFileSync(join(folder, id, 'case.yaml'), 'utf8');
    const test = new TestSession({ scenario: 'title: paste\nsteps: []' }).runTo(500);
    const { problems } = answer<'check'>(test.session, { about: 'check', text, at: 500 });
    const command = test.session.commandCount(500);
    test.session.input({ at: 500, kind: 'apply', text });
    test.runTo(120_000);
    const { exit, stderr } = test.session.run.cluster.userState.commands[command] ?? { exit: null, stderr: '' };
    const errors = problems.filter((problem) => problem.severity === 'error');
    expect(problems.filter((problem) => !isInText(problem, text))).toEqual([]);
    expect(errors.length > 0, `errors ${JSON.stringify(errors)}\napply: ${stderr}`).toBe(exit !== 0);
    expect(test.lines().length).toBeGreaterThan(2);
  });
});
