/**
 * The part of the shell's language that people type at kubectl: words with quotes, pipes, ';', '&&', '||', here-documents and redirections.
 * Variables and substitutions are not expanded: what looks like one is handed on as it is, or refused where that would mislead.
 */

export interface SimpleCommand {
  /** Without their quotes. */
  words: string[];
  /** As typed. */
  raws: string[];
  /** A here-document or here-string. */
  stdin?: string;
  /** `< file` */
  from?: string;
  /** `> file`, `>> file` */
  to?: { file: string; append: boolean };
  /** `2>&1`, `2> file` */
  errors?: 'out' | { file: string };
}

export interface Step {
  /** When it runs, going by how the step before ended. */
  when: 'always' | 'success' | 'failure';
  pipeline: SimpleCommand[];
}

export type Parsed = { status: 'complete'; steps: Step[] } | { status: 'incomplete' } | { status: 'error'; message: string };

type Token = { kind: 'word'; raw: string; value: string } | { kind: 'operator'; text: string } | { kind: 'here'; body: string };

class Incomplete extends Error {}
class Refused extends Error {}

export function parseShell(text: string): Parsed {
  try {
    return { status: 'complete', steps: stepsOf(tokensOf(text)) };
  } catch (error) {
    if (error instanceof Incomplete) return { status: 'incomplete' };
    if (error instanceof Refused) return { status: 'error', message: error.message };
    throw error;
  }
}

/** The words of the command that the text ends in, for completion; the last one is what is being typed ('' after a blank). */
export function lastWords(text: string): string[] {
  let words = [''];
  let began = false;
  for (let at = 0; at < text.length;) {
    const char = text[at] as string;
    if (/\s/.test(char)) {
      if (began) words.push('');
      began = false;
      at += 1;
    } else if (/[|;&]/.test(char)) {
      words = [''];
      began = false;
      at += 1;
    } else {
      const word = wordAt(text, at, true);
      words[words.length - 1] = word.value;
      began = true;
      at = word.end;
    }
  }
  return words;
}

const operators = ['&&', '||', '<<<', '<<-', '<<', '>>', '2>>', '2>&1', '2>', '1>&2', '&>', '>', '<', '|', ';', '&'].sort((a, b) => b.length - a.length);

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  const waiting: { token: { kind: 'here'; body: string }; end: string; tabs: boolean }[] = [];
  for (let at = 0; at < text.length;) {
    const char = text[at] as string;
    if (char === '\n') {
      at += 1;
      for (const here of waiting.splice(0)) at = readHere(text, at, here);
      tokens.push({ kind: 'operator', text: '\n' });
    } else if (/\s/.test(char)) {
      at += 1;
    } else if (char === '\\' && text[at + 1] === '\n') {
      at += 2;
    } else if (char === '#') {
      while (at < text.length && text[at] !== '\n') at += 1;
    } else {
      const operator = operators.find((item) => text.startsWith(item, at));
      if (operator === undefined) {
        const { value, raw, end } = wordAt(text, at, false);
        tokens.push({ kind: 'word', value, raw });
        at = end;
      } else {
        at += operator.length;
        if (operator !== '<<' && operator !== '<<-') {
          tokens.push({ kind: 'operator', text: operator });
          continue;
        }
        while (text[at] === ' ') at += 1;
        if (at >= text.length || text[at] === '\n') throw new Refused("syntax error near unexpected token `newline'");
        const { value, end } = wordAt(text, at, false);
        const token = { kind: 'here' as const, body: '' };
        waiting.push({ token, end: value, tabs: operator === '<<-' });
        tokens.push(token);
        at = end;
      }
    }
  }
  if (waiting.length > 0 || text.endsWith('\\')) throw new Incomplete();
  return tokens;
}

function readHere(text: string, from: number, { token, end, tabs }: { token: { body: string }; end: string; tabs: boolean }): number {
  for (let at = from; at <= text.length;) {
    const newline = text.indexOf('\n', at);
    const line = text.slice(at, newline < 0 ? text.length : newline);
    const plain = tabs ? line.replace(/^\t+/, '') : line;
    if (plain === end) return newline < 0 ? text.length : newline + 1;
    if (newline < 0) throw new Incomplete();
    token.body += `${plain}\n`;
    at = newline + 1;
  }
  throw new Incomplete();
}

/** `open`: an unclosed quote runs to the end. */
function wordAt(text: string, start: number, open: boolean): { value: string; raw: string; end: number } {
  let value = '';
  let at = start;
  for (; at < text.length && !/[\s|;&<>]/.test(text[at] as string); at += 1) {
    const char = text[at] as string;
    if (char === "'" || char === '"') {
      for (at += 1; at < text.length && text[at] !== char; at += 1) {
        if (char === '"' && text[at] === '\\' && /["\\$`\n]/.test(text[at + 1] ?? '')) at += 1;
        else if (char === '"' && !open) refuseSubstitution(text, at);
        value += text[at] ?? '';
      }
      if (at >= text.length && !open) throw new Incomplete();
    } else if (char === '\\') {
      at += 1;
      if (text[at] !== '\n') value += text[at] ?? '';
    } else {
      if (!open) refuseSubstitution(text, at);
      value += char;
    }
  }
  return { value, raw: text.slice(start, at).replace(/\\\n/g, ''), end: Math.min(at, text.length) };
}

function refuseSubstitution(text: string, at: number): void {
  if (text[at] === '`' || text.startsWith('$(', at)) throw new Refused('command substitution is not available here');
}

function stepsOf(tokens: readonly Token[]): Step[] {
  const steps: Step[] = [];
  let step: Step = { when: 'always', pipeline: [] };
  let command: SimpleCommand = { words: [], raws: [] };
  /** After these something has to come. */
  let open: string | undefined;
  const isEmpty = () => command.words.length === 0 && command.to === undefined;
  const endCommand = (text: string) => {
    if (isEmpty()) throw new Refused(`syntax error near unexpected token \`${text === '\n' ? 'newline' : text}'`);
    step.pipeline.push(command);
    command = { words: [], raws: [] };
  };
  const endStep = (text: string, when: Step['when']) => {
    endCommand(text);
    steps.push(step);
    step = { when, pipeline: [] };
  };
  const seam: Record<string, () => void> = {
    '|': () => endCommand('|'), ';': () => endStep(';', 'always'), '&&': () => endStep('&&', 'success'), '||': () => endStep('||', 'failure'),
    '\n': () => {
      if (!isEmpty()) endStep('\n', 'always');
    },
    '&': () => {
      throw new Refused('jobs in the background are not available here');
    },
  };
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index] as Token;
    if (token.kind === 'word') {
      command.words.push(token.value);
      command.raws.push(token.raw);
    } else if (token.kind === 'here') {
      command.stdin = token.body;
    } else if (seam[token.text] !== undefined) {
      seam[token.text]?.();
      if (token.text !== '\n') open = /^(\||&&|\|\|)$/.test(token.text) ? token.text : undefined;
      continue;
    } else {
      const target = /&[12]$/.test(token.text) ? undefined : tokens[(index += 1)];
      redirect(command, token.text, target);
    }
    open = undefined;
  }
  if (open !== undefined) throw new Incomplete();
  if (!isEmpty()) endStep('\n', 'always');
  return steps;
}

function redirect(command: SimpleCommand, operator: string, target: Token | undefined): void {
  if (operator === '2>&1') return void (command.errors = 'out');
  if (operator === '1>&2') return;
  if (target?.kind !== 'word') throw new Refused("syntax error near unexpected token `newline'");
  const file = target.value;
  if (operator === '<<<') command.stdin = `${file}\n`;
  else if (operator === '<') command.from = file;
  else if (operator.startsWith('2>')) command.errors = { file };
  else command.to = { file, append: operator === '>>' };
  if (operator === '&>') command.errors = 'out';
}
