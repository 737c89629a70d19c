import { readFrom, unread } from './kernel.ts';
import { getVariable, say, setVariable, type Running } from './shells.ts';

/** Builtins that set variables and options: read, getopts, export and its kind, set. */

/** Reads one line from descriptor 0; the shell comes back to this instruction when there is none yet. */
export function read(r: Running, args: string[]): number | boolean {
  const { k, proc, shell } = r;
  const flags = args.filter((arg) => /^-[a-z]/.test(arg));
  const seconds = /^\d/.test(args[args.indexOf('-t') + 1] ?? '') && args.includes('-t') ? args[args.indexOf('-t') + 1] : undefined;
  const valued = new Set(['-t', '-p', '-n', '-d', '-u']);
  const names = args.filter((arg, index) => !arg.startsWith('-') && !valued.has(args[index - 1] ?? ''));
  const input = readFrom(k, proc, 0);
  if (input !== undefined && !input.text.includes('\n') && !input.ended) unread(k, proc, 0, input.text);
  if (input === undefined || (!input.text.includes('\n') && !input.ended)) {
    const kept = proc.memo as { until: number } | undefined;
    if (kept !== undefined && k.host.now >= kept.until) {
      delete proc.memo;
      return 1;
    }
    shell.pc--;
    proc.block = 'input';
    if (seconds !== undefined) {
      proc.memo ??= { until: k.host.now + Math.round(Number(seconds) * 1000) };
      proc.wakeAt = (proc.memo as { until: number }).until;
    }
    return false;
  }
  delete proc.memo;
  const end = input.text.indexOf('\n');
  const line = end < 0 ? input.text : input.text.slice(0, end);
  if (end >= 0) unread(k, proc, 0, input.text.slice(end + 1));
  assignLine(r, names.length > 0 ? names : ['REPLY'], flags.some((flag) => flag.includes('r')) ? line : line.replace(/\\(.)/g, '$1'));
  return end < 0 ? 1 : 0;
}

export function getopts(r: Running, [spec = '', name = '', ...given]: string[]): number {
  const list = given.length > 0 ? given : r.shell.args;
  const index = Number(getVariable(r, 'OPTIND') ?? 1);
  const at = Number(getVariable(r, '_OPTPOS') ?? 1);
  const word = list[index - 1];
  if (word === undefined || !/^-./.test(word) || word === '--') {
    setVariable(r, name, '?');
    return 1;
  }
  const letter = word.charAt(at);
  const takes = spec.charAt(spec.indexOf(letter) + 1) === ':';
  const last = at + 1 >= word.length || takes;
  const argument = at + 1 < word.length ? word.slice(at + 1) : list[index];
  setVariable(r, '_OPTPOS', String(last ? 1 : at + 1));
  setVariable(r, 'OPTIND', String(index + (last ? 1 : 0) + (takes && at + 1 >= word.length ? 1 : 0)));
  const known = letter !== ':' && spec.includes(letter);
  setVariable(r, name, known ? letter : '?');
  if (takes && known) setVariable(r, 'OPTARG', argument ?? '');
  else if (!known && !spec.startsWith(':')) say(r, `illegal option -${letter}`);
  return 0;
}

export function assignWords(r: Running, args: string[], each: (name: string) => void): number {
  let status = 0;
  for (const arg of args) {
    const [, name = arg, append, value] = /^([A-Za-z_]\w*)(?:(\+?)=(.*))?$/s.exec(arg) ?? [];
    if (!/^[A-Za-z_]\w*$/.test(name)) {
      say(r, `export: ${arg}: bad variable name`);
      status = 2;
      continue;
    }
    each(name);
    if (value !== undefined) setVariable(r, name, (append === '+' ? (getVariable(r, name) ?? '') : '') + value);
  }
  return status;
}

export function setOptions(r: Running, args: string[]): number {
  const { shell } = r;
  const change = (letter: string, on: boolean) => {
    shell.options = shell.options.replace(letter, '') + (on ? letter : '');
  };
  const long: Readonly<Record<string, string>> = { errexit: 'e', nounset: 'u', xtrace: 'x', noglob: 'f', pipefail: 'P', verbose: 'v', monitor: 'm', allexport: 'a' };
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] as string;
    if (!/^[-+]./.test(arg) || arg === '--') {
      shell.args = args.slice(arg === '--' ? i + 1 : i);
      return 0;
    }
    const on = arg.startsWith('-');
    for (const letter of arg.slice(1)) {
      const name = letter === 'o' ? (args[++i] ?? '') : '';
      if (letter !== 'o') change(letter, on);
      else if (long[name] !== undefined) change(long[name], on);
      else if (name !== '') {
        say(r, `set: illegal option -o ${name}`);
        return 2;
      }
    }
  }
  return 0;
}

function assignLine(r: Running, names: string[], line: string): void {
  const ifs = getVariable(r, 'IFS') ?? ' \t\n';
  const blanks = [...ifs].filter((c) => /\s/.test(c)).join('');
  let rest = blanks === '' ? line : trimWith(line, blanks);
  names.forEach((name, index) => {
    if (index === names.length - 1) {
      setVariable(r, name, rest);
      return;
    }
    let end = 0;
    while (end < rest.length && !ifs.includes(rest.charAt(end))) end++;
    setVariable(r, name, rest.slice(0, end));
    let next = end;
    let hard = 0;
    while (next < rest.length && ifs.includes(rest.charAt(next)) && (blanks.includes(rest.charAt(next)) || hard++ === 0)) next++;
    rest = rest.slice(next);
  });
}

function trimWith(text: string, characters: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && characters.includes(text.charAt(start))) start++;
  while (end > start && characters.includes(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}
