import type { PlainLine } from './plain-lines.ts';

/** What stands at a place of a line and how it would be right. from, to: what the repair replaces, when it is more than the place. */
export interface Repair {
  at: number;
  length: number;
  message: string;
  title: string;
  from?: number;
  to?: number;
  text: string;
  /** The same goes for other lines: all are repaired at once. */
  joint?: true;
}

interface Rule {
  /** An error breaks the manifest; a warning is accepted by the cluster and seldom meant. */
  severity: 'error' | 'warning' | 'info';
  pattern: RegExp;
  repair(match: RegExpExecArray, line: PlainLine): Repair | undefined;
}

const names: Record<string, string> = {
  '：': 'full-width colon', '，': 'full-width comma', '；': 'full-width semicolon', '、': 'ideographic comma', '。': 'ideographic full stop', '！': 'full-width exclamation mark',
  '【': 'left black lenticular bracket', '】': 'right black lenticular bracket', '［': 'full-width left bracket', '］': 'full-width right bracket', '｛': 'full-width left brace', '｝': 'full-width right brace',
  '（': 'full-width left parenthesis', '）': 'full-width right parenthesis', '＃': 'full-width number sign', '－': 'full-width hyphen', '‐': 'hyphen', '‑': 'non-breaking hyphen', '–': 'en dash', '—': 'em dash', '−': 'minus sign', '•': 'bullet',
  '“': 'left curly quote', '”': 'right curly quote', '‘': 'left single curly quote', '’': 'right single curly quote', '＂': 'full-width quotation mark', '＇': 'full-width apostrophe', '„': 'low quotation mark', '«': 'left guillemet', '»': 'right guillemet',
  '\u00a0': 'no-break space', '\u3000': 'ideographic space', '\u202f': 'narrow no-break space', '\u200b': 'zero-width space', '\u200c': 'zero-width non-joiner', '\u200d': 'zero-width joiner', '\u2060': 'word joiner', '\ufeff': 'byte order mark', '\u00ad': 'soft hyphen',
  '\t': 'tab',
};
const code = (char: string): string => `U+${(char.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, '0')}`;
const isSeen = (char: string): boolean => !/[\s\u00ad\u200b-\u200f\u2028-\u202f\u2060-\u2069\ufeff]/.test(char);

/** 'full-width colon “：” (U+FF1A)'. */
function nameOf(char: string): string {
  const name = names[char] ?? (/[\uff01-\uff5e]/.test(char) ? 'full-width character' : isSeen(char) ? 'character' : 'invisible character');
  return `${name} ${isSeen(char) ? `${char} ` : ''}(${code(char)})`;
}

const plainForm: Record<string, string> = { '【': '[', '】': ']', '、': ',', '。': '.', '\u3000': '  ' };
const toPlain = (char: string): string => plainForm[char] ?? (/[\uff01-\uff5e]/.test(char) ? String.fromCharCode(char.charCodeAt(0) - 0xfee0) : ' ');
const shown = (text: string): string => /^ +$/.test(text) ? (text.length === 1 ? 'a space' : `${text.length} spaces`) : `"${text.trim()}"`;

/** One character, or a run of it, that another should stand for. */
const swap = (at: number, found: string, why: string, text: string): Repair =>
  ({ at, length: found.length, message: `${nameOf(found[0] as string)} ${why}`, title: text === '' ? 'Remove it' : `Replace it with ${shown(text)}`, text });

const wideSpace = '\\u00a0\\u1680\\u2000-\\u200a\\u202f\\u205f\\u3000';
const name = '[A-Za-z_$][\\w.$/-]*';
const before = `^[ \\t${wideSpace}]*(?:- *)*`;
const otherQuotes = '“”‘’„«»＂＇';
const flowEnd = '[ \\t]*(?:[,，\\]}】］]|$)';

/** Upstream has no such checks: kubectl passes these texts on, or says something about a line further down. */
export const rules: readonly Rule[] = [
  {
    severity: 'error',
    pattern: /^(?:(?:\$|%|>|❯|➜|\S+@\S+[$#]|PS [^>]*>)\s+\S.*|(?:sudo )?(?:kubectl|minikube|helm|cat) [^:]*(?:: [^:]*)?|```.*|EOF\s*)$/g,
    repair: ({ 0: found }, { inFlow }) => {
      if (inFlow) return undefined;
      const what = found.trim().startsWith('```') ? 'a code fence' : found.trim() === 'EOF' ? 'the end of a shell document' : 'a shell command';
      return { at: 0, length: found.length, message: `This line is ${what}, no YAML`, title: 'Make it a comment', to: 0, text: '# ' };
    },
  },
  {
    severity: 'error',
    pattern: /^[ \u00a0\u3000]*\t\s*/g,
    repair: ({ 0: found }, { inFlow, tabWidth }) => inFlow ? undefined : {
      at: found.indexOf('\t'), length: found.length - found.indexOf('\t'), message: `${nameOf('\t')} in the indentation: YAML allows spaces only`, title: 'Indent with spaces', from: 0, to: found.length, joint: true,
      text: [...found].map((char) => char === '\t' ? ' '.repeat(tabWidth) : char === '\u3000' ? '  ' : ' ').join(''),
    },
  },
  {
    severity: 'error',
    pattern: /^( *(?:- +)*-)\t+/g,
    repair: ({ 0: found, 1: lead = '' }) => swap(lead.length, found.slice(lead.length), 'after the dash: YAML allows spaces only', ' '),
  },
  {
    severity: 'error',
    pattern: new RegExp(`^ *([${wideSpace}][ ${wideSpace}]*)`, 'g'),
    repair: ({ 0: found, 1: run = '' }) => swap(found.length - run.length, run, 'in the indentation', [...run].map((char) => char === '\u3000' ? '  ' : ' ').join('')),
  },
  {
    severity: 'error',
    pattern: new RegExp(`(?:^|[\\s:,[{-])([${wideSpace}]+)|([${wideSpace}]+)(?=\\s*$|[\\s:,\\]}])`, 'g'),
    repair: (match) => {
      const run = match[1] ?? match[2] ?? '';
      return swap(match.index + match[0].length - run.length, run, 'instead of a space', /^\s*$/.test(match.input.slice(match.index + match[0].length)) ? '' : ' ');
    },
  },
  {
    severity: 'warning',
    pattern: new RegExp(`[${wideSpace}]+`, 'g'),
    repair: (match) => swap(match.index, match[0], 'instead of a space', ' '),
  },
  {
    severity: 'error',
    pattern: /[\u00ad\u200b\u200c\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]+|(?<![^\0-\u007f])\u200d+(?![^\0-\u007f])/g,
    repair: (match) => match.index === 0 && match[0] === '\ufeff' ? undefined : swap(match.index, match[0], 'is not seen and counts', ''),
  },
  {
    severity: 'error',
    pattern: new RegExp(`${before}(${name})[ \\t]*(：)`, 'g'),
    repair: ({ 0: found, 1: key = '', input }) => {
      const next = input[found.length];
      const start = found.length - 1;
      return swap(start, '：', `after "${key}": a key ends with a colon and a space`, next === undefined || /\s/.test(next) ? ':' : ': ');
    },
  },
  {
    severity: 'error',
    pattern: new RegExp(`^[ \\t${wideSpace}]*([－‐‑–—−•])(?=[ \\t${wideSpace}]|[A-Za-z])[ \\t]*`, 'g'),
    repair: ({ 0: found, 1: dash = '' }) => ({ ...swap(found.indexOf(dash), dash, 'instead of the dash of a list item', '-'), to: found.length, text: '- ' }),
  },
  {
    severity: 'error',
    pattern: /(?:^|\s)(＃)/g,
    repair: (match) => swap(match.index + match[0].length - 1, '＃', 'begins no comment', '#'),
  },
  {
    severity: 'error',
    pattern: /^( *)-(?=[A-Za-z][\w.-]*:(?:\s|$))/g,
    repair: ({ 1: lead = '' }) => ({ at: lead.length, length: 1, message: 'A list item begins with a dash and a space', title: 'Insert a space', text: '- ' }),
  },
  {
    severity: 'error',
    pattern: new RegExp(`(?:${before}|[-:][ \\t]+|[[{,，【［][ \\t]*)(?:([“”„«＂])([^“”„«»＂]*)([“”»＂])|([‘’＇])([^‘’＇]*)([‘’＇]))(?=${flowEnd}|[ \\t]*[:：])`, 'g'),
    repair: (match, { text }) => {
      const [found, ...parts] = match;
      const [open = '', inner = '', close = ''] = parts.filter((part) => part !== undefined);
      const at = match.index + found.length - inner.length - 2;
      const content = text.slice(at + 1, at + 1 + inner.length);
      const quote = /[“”„«»＂]/.test(open) && !content.includes('"') ? '"' : content.includes("'") ? '"' : "'";
      return { at, length: found.length - (at - match.index), message: `${nameOf(open)} and ${nameOf(close)} are no quotation marks in YAML`, title: `Replace them with ${quote}`, text: quote + content + quote };
    },
  },
  {
    severity: 'error',
    pattern: new RegExp(`(?:${before}|[-:][ \\t]+|[[{,][ \\t]*)([“‘„])`, 'g'),
    repair: (match) => swap(match.index + match[0].length - 1, match[1] as string, 'is no quotation mark in YAML', /[“„]/.test(match[1] as string) ? '"' : "'"),
  },
  {
    severity: 'error',
    pattern: new RegExp(`(?:${before}|[-:][ \\t]+|[[{,，【［｛][ \\t]*)([【［｛])|([】］｝])(?=${flowEnd})`, 'g'),
    repair: (match) => {
      const char = match[1] ?? match[2] ?? '';
      if (match[2] !== undefined && !/[[【［{｛]/.test(match.input.slice(0, match.index))) return undefined;
      return swap(match.index + match[0].length - 1, char, 'is no bracket in YAML', toPlain(char));
    },
  },
  {
    severity: 'error',
    pattern: new RegExp(`[，、](?=[ \\t]*[\\u0001${otherQuotes}"'])|(?<=[\\u0001${otherQuotes}"'][ \\t]*)[，、]`, 'g'),
    repair: (match, { inFlow }) => inFlow || /[[{【［｛]/.test(match.input.slice(0, match.index)) ? swap(match.index, match[0], 'does not part the items of a list', ',') : undefined,
  },
  {
    severity: 'error',
    pattern: /[ \t](!)(?=\s*$)/g,
    repair: (match) => ({ at: match.index, length: match[0].length, message: 'Exclamation mark ! after the value: it becomes part of the text', title: 'Remove it', text: '' }),
  },
  {
    severity: 'warning',
    pattern: new RegExp(`^[ \\t]*(?:- +)*(?:${name}:[ \\t]+)[^\\s!]*[^\\s!\\u0001](!)(?=\\s*$)`, 'g'),
    repair: (match) => ({ at: match[0].length - 1, length: 1, message: 'Exclamation mark ! after the value: it becomes part of the text', title: 'Remove it', text: '' }),
  },
  {
    severity: 'warning',
    pattern: /[\uff01-\uff5e、。]/g,
    repair: (match, { plain }) => /[^\0-\u007f\uff01-\uff5e、。“”‘’]/.test(plain) ? undefined : swap(match.index, match[0], 'stays in the text as it is', toPlain(match[0])),
  },
  {
    severity: 'info',
    pattern: new RegExp(`${before}(${name})([ \\t]+):(?=\\s|$)`, 'g'),
    repair: ({ 0: found, 1: key = '', 2: gap = '' }) => ({ at: found.length - 1 - gap.length, length: gap.length, message: `Space between "${key}" and its colon`, title: 'Remove it', text: '' }),
  },
];
