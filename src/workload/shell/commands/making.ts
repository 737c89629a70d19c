import { fail, gather, getOptions, out, type Call, type CommandEntry, type Outcome } from '../command.ts';
import { hasRoom, writeTo } from '../kernel.ts';

/** Commands that make text out of numbers and bytes. */
export const makingCommands: Readonly<Record<string, CommandEntry>> = {
  seq: { run: seq },
  expr: { run: expr },
  yes: { run: yes },
  base64: { run: base64 },
};

function seq(call: Call): Outcome {
  const { flags, values, rest } = getOptions(call.args.map((arg) => (/^-\d/.test(arg) ? ` ${arg}` : arg)), ['s', 'f']);
  const numbers = rest.map(Number);
  const [first, step, last] = numbers.length === 1 ? [1, 1, numbers[0]] : numbers.length === 2 ? [numbers[0], 1, numbers[1]] : numbers;
  if (first === undefined || step === undefined || last === undefined || numbers.some(Number.isNaN) || step === 0) return fail(call, 'invalid number');
  const digits = Math.max(...rest.map((text) => (text.split('.')[1] ?? '').length));
  const list: string[] = [];
  for (let i = 0; list.length < 100_000; i++) {
    const value = first + i * step;
    if (step > 0 ? value > last + 1e-9 : value < last - 1e-9) break;
    list.push(value.toFixed(digits));
  }
  const width = flags.has('w') ? Math.max(...list.map((text) => text.length)) : 0;
  if (list.length > 0) out(call, `${list.map((text) => text.padStart(width, '0')).join(values.s ?? '\n')}\n`);
  return 0;
}

function expr(call: Call): number {
  const words = call.args;
  let at = 0;
  const operators = [['|'], ['&'], ['=', '==', '!=', '<', '<=', '>', '>='], ['+', '-'], ['*', '/', '%'], [':']];
  const number = (text: string) => Number(text) || 0;
  const apply: Readonly<Record<string, (a: string, b: string) => string>> = {
    '|': (a, b) => (a !== '' && a !== '0' ? a : b), '&': (a, b) => (a !== '' && a !== '0' && b !== '' && b !== '0' ? a : '0'),
    '=': (a, b) => String(Number(a === b)), '==': (a, b) => String(Number(a === b)), '!=': (a, b) => String(Number(a !== b)),
    '<': (a, b) => String(Number(number(a) < number(b))), '<=': (a, b) => String(Number(number(a) <= number(b))), '>': (a, b) => String(Number(number(a) > number(b))), '>=': (a, b) => String(Number(number(a) >= number(b))),
    '+': (a, b) => String(number(a) + number(b)), '-': (a, b) => String(number(a) - number(b)), '*': (a, b) => String(number(a) * number(b)),
    '/': (a, b) => String(Math.trunc(number(a) / number(b))), '%': (a, b) => String(number(a) % number(b)),
    ':': (a, b) => {
      const found = new RegExp(`^(?:${b.replace(/\\([()])/g, '$1')})`).exec(a);
      return found?.[1] ?? String(found?.[0].length ?? 0);
    },
  };
  const level = (depth: number): string => {
    if (depth === operators.length) {
      const word = words[at++] ?? '';
      if (word === 'length') return String((words[at++] ?? '').length);
      if (word !== '(') return word;
      const inner = level(0);
      at++;
      return inner;
    }
    let left = level(depth + 1);
    while (operators[depth]?.includes(words[at] ?? '') === true) {
      const operator = words[at++] as string;
      left = apply[operator]?.(left, level(depth + 1)) ?? '0';
    }
    return left;
  };
  if (words.length === 0) return fail(call, 'too few arguments', 2);
  const value = level(0);
  if (at < words.length) return fail(call, 'syntax error', 2);
  out(call, `${value}\n`);
  return value === '' || value === '0' ? 1 : 0;
}

/** A burst each time; real output would be a thousand times that. */
function yes(call: Call): Outcome {
  if (!hasRoom(call.k, call.proc)) return { block: 'output' };
  const line = `${call.args.join(' ') || 'y'}\n`;
  if (writeTo(call.k, call.proc, 1, line.repeat(20)) === 'broken') return 141;
  call.k.tree.strain++;
  return { at: call.now + 100 };
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

function base64(call: Call): Outcome {
  const { flags, rest, values } = getOptions(call.args, ['w']);
  const gathered = gather(call, rest);
  if (gathered === undefined) return { block: 'input' };
  const text = gathered.texts.map((part) => part.text).join('');
  const [inBits, outBits] = flags.has('d') || flags.has('decode') ? [6, 8] : [8, 6];
  let result = '';
  let bits = 0;
  let held = 0;
  const bytes = inBits === 6 ? [...text].map((c) => alphabet.indexOf(c)).filter((code) => code >= 0) : [...text].map((c) => c.charCodeAt(0) & 255);
  const emit = (code: number) => (result += outBits === 8 ? String.fromCharCode(code) : alphabet.charAt(code));
  for (const code of bytes) {
    held = ((held << inBits) | code) & 0xffff;
    for (bits += inBits; bits >= outBits; bits -= outBits) emit((held >> (bits - outBits)) & ((1 << outBits) - 1));
  }
  if (outBits === 6) {
    if (bits > 0) emit((held << (6 - bits)) & 63);
    while (result.length % 4 !== 0) result += '=';
    out(call, values.w === '0' ? result : `${result.replace(/.{76}(?=.)/g, '$&\n')}\n`);
  } else out(call, result);
  return gathered.failed ? 1 : 0;
}
