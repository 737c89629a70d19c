import { err, fail, getOptions, gnu, memo, path, type Call, type CommandEntry, type Outcome } from '../command.ts';
import { errorText, hasRoom, openAt, openPath, readFrom, writeTo } from '../kernel.ts';
import { parseBytes } from './seconds.ts';

/** Commands that fill files and pipes. */
export const fillingCommands: Readonly<Record<string, CommandEntry>> = {
  dd: { run: dd },
  truncate: { run: truncate },
  fallocate: { run: truncate },
};

interface Copying {
  left: number;
  done: number;
  opened: boolean;
  began: number;
}

/** dd and its kind fill files in pieces of at most 4 MiB a millisecond-step of 10. */
const pieceBytes = 4_194_304;

function dd(call: Call): Outcome {
  const words: Record<string, string> = {};
  for (const arg of call.args) {
    const [key = '', value = ''] = arg.split(/=(.*)/s);
    words[key] = value;
  }
  const block = parseBytes(words.bs ?? words.ibs ?? '512') ?? 512;
  const source = words.if === undefined ? '' : path(call, words.if);
  const endless = /^\/dev\/(zero|u?random|full)$/.test(source);
  let total = words.count === undefined ? Infinity : block * Number(words.count);
  if (!endless && source !== '') {
    const size = call.files.stat(source)?.size;
    if (size === undefined && source !== '/dev/null') return fail(call, gnu(call) ? `failed to open '${words.if ?? ''}': No such file or directory` : `can't open '${words.if ?? ''}': No such file or directory`);
    total = Math.min(total, size ?? 0);
  }
  if (source === '') {
    const input = readFrom(call.k, call.proc, 0);
    if (input === undefined) return { block: 'input' };
    total = Math.min(total, input.text.length + input.zeros);
  }
  return fill(call, words.of, total, block);
}

function fill(call: Call, target: string | undefined, total: number, block: number): Outcome {
  const kept = memo<Copying>(call, () => ({ left: Number.isFinite(total) ? total : 1e15, done: 0, opened: false, began: call.now }));
  if (!kept.opened && target !== undefined) {
    const opened = openPath(call.k, call.proc, target, '>');
    if (typeof opened !== 'string') return fail(call, gnu(call) ? `failed to open '${target}': ${errorText[opened.error]}` : `can't open '${target}': ${errorText[opened.error]}`);
    call.proc.fds = { ...call.proc.fds, 1: opened };
    kept.opened = true;
  }
  call.proc.memoryBytes = Math.min(block, 2_147_483_648) + 500_000;
  const toFile = openAt(call.k, call.proc, 1)?.kind === 'file';
  for (let pieces = 0; pieces < 8 && kept.left > 0; pieces++) {
    const size = Math.min(kept.left, pieceBytes);
    const result = writeTo(call.k, call.proc, 1, toFile ? '\0'.repeat(size) : '', size);
    if (result === 'broken') return 141;
    if (result !== 'ok') {
      report(call, kept, block);
      return fail(call, `error writing '${target ?? 'standard output'}': ${errorText[result] ?? result}`);
    }
    kept.left -= size;
    kept.done += size;
    if (!hasRoom(call.k, call.proc)) return { block: 'output', at: call.now + 20 };
  }
  if (kept.left > 0) return { at: call.now + 20 };
  report(call, kept, block);
  return 0;
}

function report(call: Call, { done, began }: Copying, block: number): void {
  const blocks = `${Math.floor(done / block)}+0`;
  const seconds = Math.max(1, call.now - began + 1) / 1000;
  err(call, `${blocks} records in\n${blocks} records out\n${done} bytes (${(done / 1_048_576).toFixed(1)}MB) copied, ${seconds.toFixed(6)} seconds, ${(done / 1_048_576 / seconds).toFixed(1)}MB/s\n`);
}

/** truncate -s SIZE FILE, fallocate -l SIZE FILE. */
function truncate(call: Call): Outcome {
  const { rest, values } = getOptions(call.args, ['s', 'l', 'o', 'length', 'size']);
  const size = parseBytes(values.s ?? values.l ?? values.size ?? values.length ?? '0') ?? 0;
  const outcome = fill(call, rest[0], size, size === 0 ? 1 : size);
  return outcome;
}
