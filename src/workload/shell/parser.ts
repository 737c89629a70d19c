import type { Redirection } from './code.ts';
import { readDouble, readWord, SyntaxProblem, type Cursor } from './words.ts';

/** A cursor in a shell text, with the heredocs that begin after the present line. */
export interface Parser extends Cursor {
  heredocs: { redirection: Redirection; end: string; tabs: boolean; quoted: boolean }[];
}

export function skipBlanks(p: Parser): void {
  for (;;) {
    const c = p.source.charAt(p.at);
    if (c === ' ' || c === '\t') p.at++;
    else if (p.source.startsWith('\\\n', p.at)) p.at += 2;
    else if (c === '#') while (p.at < p.source.length && p.source.charAt(p.at) !== '\n') p.at++;
    else return;
  }
}

/** Takes a line end and the heredocs that begin after it. */
function takeLineEnd(p: Parser): boolean {
  if (p.source.charAt(p.at) !== '\n') return false;
  p.at++;
  for (const { redirection, end, tabs, quoted } of p.heredocs.splice(0)) {
    let body = '';
    for (;;) {
      if (p.at >= p.source.length) break;
      const stop = p.source.indexOf('\n', p.at);
      let line = p.source.slice(p.at, stop < 0 ? p.source.length : stop);
      p.at = stop < 0 ? p.source.length : stop + 1;
      if (tabs) line = line.replace(/^\t+/, '');
      if (line === end) break;
      body += `${line}\n`;
    }
    redirection.target = quoted ? [{ t: 'text', text: body, quoted: true }] : readDouble({ source: body, at: 0 }, '');
  }
  return true;
}

export function skipLines(p: Parser): void {
  do skipBlanks(p);
  while (takeLineEnd(p));
}

export function unexpected(p: Parser, wanted = ''): SyntaxProblem {
  skipBlanks(p);
  const hint = wanted === '' ? '' : ` (expecting "${wanted}")`;
  if (p.at >= p.source.length) return new SyntaxProblem(`syntax error: unexpected end of file${hint}`, true);
  const token = /^(\n|&&|\|\||;;|[;&|()<>]|[^\s;&|()<>]+)/.exec(p.source.slice(p.at))?.[0] ?? '';
  return new SyntaxProblem(`syntax error: unexpected ${token === '\n' ? 'newline' : `"${token}"`}${hint}`);
}

/** An operator at the cursor, taken if it is there. */
export function take(p: Parser, operator: string): boolean {
  skipBlanks(p);
  if (!p.source.startsWith(operator, p.at)) return false;
  p.at += operator.length;
  return true;
}

export const wordEnd = /[\s;&|()<>]|$/;

/** The reserved word or plain command name at the cursor, not taken. */
export function peekWord(p: Parser): string {
  skipBlanks(p);
  return /^[^\s;&|()<>'"\\$`]+/.exec(p.source.slice(p.at, p.at + 40))?.[0] ?? '';
}

export function takeWord(p: Parser, word: string): boolean {
  if (peekWord(p) !== word || !wordEnd.test(p.source.charAt(p.at + word.length))) return false;
  p.at += word.length;
  return true;
}

export function expect(p: Parser, word: string): void {
  skipLines(p);
  if (!takeWord(p, word)) throw unexpected(p, word);
}

const redirectionAt = /(\d*)(<<-|<<<|<<|<>|<&|>&|>>|>\||&>>|&>|<|>)/y;

export function redirection(p: Parser): Redirection | undefined {
  redirectionAt.lastIndex = p.at;
  const found = redirectionAt.exec(p.source);
  if (found === null) return undefined;
  p.at += found[0].length;
  const op = found[2] ?? '';
  const fd = found[1] === '' ? (op.startsWith('<') ? 0 : 1) : Number(found[1]);
  skipBlanks(p);
  const raw = p.at;
  const target = readWord(p);
  if (target.length === 0) throw unexpected(p);
  const result: Redirection = { fd, op, target };
  if (op === '<<' || op === '<<-') {
    result.op = '<<';
    const text = p.source.slice(raw, p.at);
    p.heredocs.push({ redirection: result, end: text.replace(/['"\\]/g, ''), tabs: op === '<<-', quoted: /['"\\]/.test(text) });
  }
  return result;
}

export function redirections(p: Parser): Redirection[] {
  const found: Redirection[] = [];
  for (;;) {
    skipBlanks(p);
    const next = redirection(p);
    if (next === undefined) return found;
    found.push(next);
  }
}
