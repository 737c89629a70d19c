/** The few programs beside kubectl that stand in pipes and scripts. Text in, text out; what they cannot do they say. */
export interface Program {
  args: readonly string[];
  stdin: string | undefined;
  files: Readonly<Record<string, string>>;
}

export interface Outcome {
  stdout: string;
  stderr: string;
  exit: number;
}

export const programs: Readonly<Record<string, (program: Program) => Outcome>> = {
  echo: ({ args }) => {
    const flags = args.slice(0, args.findIndex((arg) => !/^-[neE]+$/.test(arg)) < 0 ? args.length : args.findIndex((arg) => !/^-[neE]+$/.test(arg)));
    const text = args.slice(flags.length).join(' ');
    const escapes: Record<string, string> = { n: '\n', t: '\t', '\\': '\\' };
    const said = flags.some((flag) => flag.includes('e')) ? text.replace(/\\([nt\\])/g, (_, char: string) => escapes[char] ?? char) : text;
    return fine(`${said}${flags.some((flag) => flag.includes('n')) ? '' : '\n'}`);
  },
  true: () => fine(''),
  false: () => ({ ...fine(''), exit: 1 }),
  alias: () => fine(''),
  ls: ({ files }) => fine(Object.keys(files).sort((a, b) => (a < b ? -1 : 1)).map((name) => `${name}\n`).join('')),
  cat: (program) => overText('cat', program, [], (text) => fine(text)),
  head: (program) => overText('head', program, ['n'], (text, { n = '10' }) => fine(linesOf(text).slice(0, Number(n)).join(''))),
  tail: (program) => overText('tail', program, ['n'], (text, { n = '10' }) => fine(linesOf(text).slice(n.startsWith('+') ? Number(n) - 1 : -Number(n)).join(''))),
  wc: (program) => overText('wc', program, [], (text, flags) => {
    const counts = { l: text.split('\n').length - 1, w: text.split(/\s+/).filter((word) => word !== '').length, c: new TextEncoder().encode(text).length };
    const wanted = (['l', 'w', 'c'] as const).filter((key) => flags[key] !== undefined);
    return fine(wanted.length === 1 ? `${counts[wanted[0] as 'l']}\n` : `${(wanted.length === 0 ? (['l', 'w', 'c'] as const) : wanted).map((key) => String(counts[key]).padStart(7)).join(' ')}\n`);
  }),
  sort: (program) => overText('sort', program, ['k'], (text, flags) => {
    const sorted = linesOf(text).map((line) => line.replace(/\n?$/, '\n')).sort((a, b) => (flags.n === undefined ? (a < b ? -1 : a > b ? 1 : 0) : parseFloat(a) - parseFloat(b)));
    return fine((flags.r === undefined ? sorted : sorted.reverse()).join(''));
  }),
  grep: (program) => {
    const { words, flags } = read(program.args, ['e', 'A', 'B', 'C']);
    const [pattern, ...rest] = flags.e === undefined ? words : [flags.e, ...words];
    if (pattern === undefined) return { ...fine(''), stderr: 'Usage: grep [OPTION]... PATTERNS [FILE]...\n', exit: 2 };
    const options = Object.entries(flags).filter(([key]) => key !== 'e').flatMap(([key, value]) => (value === '' ? [`-${key}`] : [`-${key}`, value]));
    return overText('grep', { ...program, args: [...options, ...rest] }, ['A', 'B', 'C'], (text, given) => grep(text, pattern, given));
  },
};

const fine = (stdout: string): Outcome => ({ stdout, stderr: '', exit: 0 });
const linesOf = (text: string): string[] => text.split(/(?<=\n)/).filter((line) => line !== '');

/** -n 3, -n3, -3, -iv: flags by their letter. */
function read(args: readonly string[], valued: readonly string[]): { words: string[]; flags: Record<string, string> } {
  const words: string[] = [];
  const flags: Record<string, string> = {};
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index] as string;
    const letter = arg[1] ?? '';
    if (!arg.startsWith('-') || arg === '-') words.push(arg);
    else if (/^-\d+$/.test(arg)) flags.n = arg.slice(1);
    else if (valued.includes(letter)) flags[letter] = arg.length > 2 ? arg.slice(2) : (args[(index += 1)] ?? '');
    else for (const one of arg.slice(1)) flags[one] = '';
  }
  return { words, flags };
}

function overText(name: string, { args, stdin, files }: Program, valued: readonly string[], work: (text: string, flags: Record<string, string>) => Outcome): Outcome {
  const { words, flags } = read(args, valued);
  const missing = words.filter((word) => word !== '-' && fileNamed(files, word) === undefined);
  const texts = words.length === 0 ? [stdin ?? ''] : words.map((word) => (word === '-' ? (stdin ?? '') : (fileNamed(files, word) ?? '')));
  const outcome = missing.length === words.length && words.length > 0 ? { ...fine(''), exit: 1 } : work(texts.join(''), flags);
  return { ...outcome, stderr: missing.map((word) => `${name}: ${word}: No such file or directory\n`).join('') + outcome.stderr, exit: missing.length > 0 ? 1 : outcome.exit };
}

export const fileNamed = (files: Readonly<Record<string, string>>, path: string): string | undefined => {
  const name = path.replace(/^\.\//, '');
  return Object.hasOwn(files, name) ? files[name] : undefined;
};

function grep(text: string, pattern: string, flags: Record<string, string>): Outcome {
  let wanted: RegExp;
  try {
    const source = flags.F === undefined ? (flags.E === undefined ? pattern.replace(/\\([|+?(){}])/g, '$1') : pattern) : pattern.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    wanted = new RegExp(flags.w === undefined ? source : `\\b(?:${source})\\b`, flags.i === undefined ? '' : 'i');
  } catch {
    return { ...fine(''), stderr: `grep: Invalid regular expression\n`, exit: 2 };
  }
  const lines = linesOf(text).map((line) => line.replace(/\n$/, ''));
  const hits = lines.map((line) => wanted.test(line) !== (flags.v !== undefined));
  const count = hits.filter(Boolean).length;
  if (flags.c !== undefined) return { ...fine(`${count}\n`), exit: count > 0 ? 0 : 1 };
  if (flags.q !== undefined) return { ...fine(''), exit: count > 0 ? 0 : 1 };
  const [above, below] = [Number(flags.B ?? flags.C ?? 0), Number(flags.A ?? flags.C ?? 0)];
  const shown = lines.map((_, index) => hits.slice(Math.max(0, index - below), index + above + 1).some(Boolean));
  const numbered = (line: string, index: number) => (flags.n === undefined ? line : `${index + 1}${hits[index] === true ? ':' : '-'}${line}`);
  return { ...fine(lines.map((line, index) => (shown[index] === true ? `${numbered(line, index)}\n` : '')).join('')), exit: count > 0 ? 0 : 1 };
}
