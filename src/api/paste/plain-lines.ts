/** A line of a manifest with its quoted strings, comments and block scalars blotted out, so that a rule sees YAML's own text alone. */
export interface PlainLine {
  text: string;
  /** Blots stand for what does not count. As long as text. */
  plain: string;
  /** The line begins within [] or {}. */
  inFlow: boolean;
  /** How many spaces a tab at its beginning most likely stands for. */
  tabWidth: number;
}

export const blot = '\u0001';

const space = '[ \\t\\u00a0\\u2000-\\u200a\\u202f\\u205f\\u3000]';
/** Where a quotation mark or bracket opens something: at the beginning, or after an indicator. */
const atStart = new RegExp(`(?:^${space}*|[-:?]${space}+|[[{,\\uff0c\\uff1a]${space}*|"${space}*:|${blot}:)$`);
const blockHeader = new RegExp(`(?:^|[ :])[|>][+-]?\\d?[+-]?\\s*${blot}*\\s*$`);

export function plainLines(text: string): PlainLine[] {
  const state = { quote: '', depth: 0, block: undefined as number | undefined };
  const tabsOnly = !/^ +[^ \t\n]/m.test(text);
  let above = 0;
  return text.split('\n').map((line) => {
    const tabs = /^[\s\u3000]*/.exec(line)?.[0].split('\t').length as number - 1;
    const tabWidth = tabsOnly || tabs === 0 ? 2 : Math.max(1, Math.round(above / tabs));
    if (state.block !== undefined) {
      if (/^[ \r]*$/.test(line) || /^ */.exec(line)?.[0].length as number > state.block) return { text: line, plain: blot.repeat(line.length), inFlow: false, tabWidth };
      state.block = undefined;
    }
    if (/^---(?:\s|$)/.test(line)) [state.quote, state.depth] = ['', 0];
    const inFlow = state.depth > 0;
    const plain = blotOut(line, state);
    if (state.depth === 0 && state.quote === '' && blockHeader.test(plain)) state.block = blockIndent(plain);
    if (/\S/.test(line.replaceAll(blot, ''))) above = tabs > 0 ? tabs * tabWidth : columnBelow(plain, above);
    return { text: line, plain, inFlow, tabWidth };
  });
}

/** Where a line below this one would begin, were it part of the same map. */
function columnBelow(plain: string, otherwise: number): number {
  const [start = '', key] = /^ *(?:- +)*([^\s:]+:(?=\s*$))?/.exec(plain) ?? [];
  if (plain.trim() === '' || plain.trim().startsWith(blot)) return otherwise;
  return key === undefined ? start.length : start.length - key.length + 2;
}

function blotOut(line: string, state: { quote: string; depth: number }): string {
  let plain = '';
  for (let at = 0; at < line.length; at += 1) {
    const char = line[at] as string;
    if (state.quote !== '') {
      plain += blot;
      if (char === '\\' && state.quote === '"') {
        at += 1;
        if (at < line.length) plain += blot;
      } else if (char === state.quote) state.quote = '';
    } else if ((char === '"' || char === "'") && atStart.test(plain)) {
      state.quote = char;
      plain += blot;
    } else if (char === '#' && /(?:^|\s)$/.test(plain)) return plain + blot.repeat(line.length - at);
    else {
      if ((char === '[' || char === '{') && (state.depth > 0 || atStart.test(plain))) state.depth += 1;
      else if ((char === ']' || char === '}') && state.depth > 0) state.depth -= 1;
      plain += char;
    }
  }
  return plain;
}

/** Lines deeper than this belong to the block scalar that the line opens. */
function blockIndent(plain: string): number {
  const start = /^( *(?:- +)*)(.*)$/s.exec(plain) as RegExpExecArray;
  const before = start[1] as string;
  return /:/.test(start[2] as string) ? before.length : Math.max(before.lastIndexOf('-'), /^ */.exec(before)?.[0].length as number);
}
