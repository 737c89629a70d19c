import { cannotOpen, err, fail, gather, getOptions, linesOf, memo, out, path, unlines, type Call, type CommandEntry, type Outcome } from '../command.ts';
import { hasRoom, readFrom, writeTo } from '../kernel.ts';
import { parseBytes } from './seconds.ts';

/** The beginnings and ends of files and pipes. */
export const endCommands: Readonly<Record<string, CommandEntry>> = {
  head: { run: head },
  tail: { run: tail },
};

function head(call: Call): Outcome {
  const short = /^-\d+$/.test(call.args[0] ?? '') ? call.args[0]?.slice(1) : undefined;
  const { rest, values } = getOptions(short === undefined ? call.args : call.args.slice(1), ['n', 'c', 'lines', 'bytes']);
  const bytes = values.c ?? values.bytes;
  if (bytes !== undefined) return headBytes(call, rest, parseBytes(bytes) ?? 0);
  const count = Number(short ?? values.n ?? values.lines ?? 10);
  const kept = memo(call, () => ({ left: count, text: '' }));
  if (rest.length > 0) {
    const gathered = gather({ ...call, proc: { ...call.proc, memo: undefined } }, rest);
    for (const { name, text } of gathered?.texts ?? []) {
      if (rest.length > 1) out(call, `==> ${name} <==\n`);
      out(call, unlines(linesOf(text).slice(0, count)));
    }
    return gathered?.failed === true ? 1 : 0;
  }
  const input = readFrom(call.k, call.proc, 0);
  if (input === undefined) return { block: 'input' };
  kept.text += input.text;
  const lines = kept.text.split('\n');
  const whole = lines.slice(0, -1).slice(0, kept.left);
  out(call, unlines(whole));
  kept.left -= whole.length;
  kept.text = lines.at(-1) ?? '';
  if (kept.left === 0) return 0;
  if (!input.ended) return input.zeros > 0 ? { at: call.now + 50 } : { block: 'input' };
  out(call, kept.text);
  return 0;
}

function headBytes(call: Call, names: string[], total: number): Outcome {
  if (!/^\/dev\/(zero|u?random)$/.test(names[0] ?? '')) {
    const gathered = gather(call, names);
    if (gathered === undefined) return { block: 'input' };
    let left = total;
    for (const { text } of gathered.texts) {
      out(call, text.slice(0, left));
      left -= Math.min(left, text.length);
    }
    if (left > 0 && gathered.zeros > 0) writeTo(call.k, call.proc, 1, '', left);
    return gathered.failed ? 1 : 0;
  }
  const kept = memo(call, () => ({ left: total }));
  const size = Math.min(kept.left, 4_194_304);
  if (names[0] !== '/dev/zero' && total <= 65_536) {
    call.host.markUnsteady();
    for (let i = 0; i < total; i++) out(call, String.fromCharCode(call.host.random(256)));
    return 0;
  }
  if (writeTo(call.k, call.proc, 1, '', size) === 'broken') return 141;
  kept.left -= size;
  if (kept.left === 0) return 0;
  return hasRoom(call.k, call.proc) ? { at: call.now + 10 } : { block: 'output', at: call.now + 10 };
}

interface Following {
  shown: boolean;
  offsets: Record<string, number>;
  held: number;
  text: string;
}

/** How fast tail swallows a line that never ends: bytes in 50 ms. A 100 MiB limit is then met after a third of a second. */
const swallowed = 16_777_216;
/** Without a limit somebody else has to stop it. */
const mostSwallowed = 68_719_476_736;

function tail(call: Call): Outcome {
  const first = call.args[0] ?? '';
  const short = /^[-+]\d+f?$/.test(first) ? first : undefined;
  const { rest, flags, values } = getOptions(short === undefined ? call.args : call.args.slice(1), ['n', 'c', 's', 'lines', 'bytes', 'pid']);
  const follows = flags.has('f') || flags.has('F') || flags.has('follow') || short?.endsWith('f') === true;
  const kept = memo<Following>(call, () => ({ shown: false, offsets: {}, held: 0, text: '' }));
  if (rest.some((name) => /^\/dev\/(zero|u?random)$/.test(name))) return swallow(call, kept, swallowed);
  const wanted = short?.replace('f', '') ?? values.n ?? values.lines ?? (values.c === undefined ? '10' : `c${values.c}`);
  if (rest.length === 0 || rest[0] === '-') return tailInput(call, kept, wanted);
  if (!kept.shown) {
    let failed = 0;
    for (const name of rest) {
      const text = call.files.read(path(call, name));
      if (name.startsWith('/dev/')) kept.offsets[name] = 0;
      else if (typeof text === 'string') {
        if (rest.length > 1) out(call, `==> ${name} <==\n`);
        out(call, lastOf(text, wanted));
        kept.offsets[name] = text.length;
      } else {
        err(call, cannotOpen(call, name, text.error));
        failed++;
      }
    }
    kept.shown = true;
    if (!follows) return failed > 0 ? 1 : 0;
    if (failed === rest.length && !flags.has('F')) return fail(call, 'no files');
  }
  if (rest.every((name) => name.startsWith('/dev/'))) return { block: 'signal' };
  call.host.markUnsteady();
  for (const name of rest) {
    const text = call.files.read(path(call, name));
    if (typeof text !== 'string') continue;
    const offset = kept.offsets[name] ?? 0;
    out(call, text.length < offset ? text : text.slice(offset));
    kept.offsets[name] = text.length;
  }
  return { at: call.now + 1000 };
}

function lastOf(text: string, wanted: string): string {
  if (wanted.startsWith('c')) return wanted.startsWith('c+') ? text.slice(Number(wanted.slice(2)) - 1) : text.slice(-Number(wanted.slice(1).replace('-', '')));
  if (wanted.startsWith('+')) return unlines(linesOf(text).slice(Number(wanted.slice(1)) - 1));
  const count = Number(wanted.replace('-', ''));
  return count === 0 ? '' : unlines(linesOf(text).slice(-count));
}

function swallow(call: Call, kept: Following, bytes: number): Outcome {
  kept.held += bytes;
  call.proc.memoryBytes = kept.held;
  return kept.held < mostSwallowed ? { at: call.now + 50 } : { block: 'signal' };
}

function tailInput(call: Call, kept: Following, wanted: string): Outcome {
  const input = readFrom(call.k, call.proc, 0);
  if (input === undefined) return { block: 'input' };
  kept.text = lastOf(kept.text + input.text, wanted);
  if (input.zeros > 0) {
    kept.held += input.zeros;
    call.proc.memoryBytes = kept.held;
    if (!input.ended) return { at: call.now + 5 };
  }
  if (!input.ended) return { block: 'input' };
  out(call, kept.text);
  return 0;
}
