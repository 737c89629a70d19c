import type { FileError, Host, SignalName } from '../contract.ts';
import { harmless, signalName, type OpenFile, type Proc, type Tree } from './state.ts';

/** A process tree at one instant, with what it may use. */
export interface Kernel {
  readonly tree: Tree;
  readonly host: Host;
  /** coreutils instead of busybox. */
  readonly gnu: boolean;
  /** A signal reaches a process of the tree. */
  deliver(proc: Proc, signal: number): void;
}

/** As the C library words them. */
export const errorText: Readonly<Record<FileError | string, string>> = {
  ENOENT: 'No such file or directory', EROFS: 'Read-only file system', EISDIR: 'Is a directory', ENOTDIR: 'Not a directory', EEXIST: 'File exists',
  EACCES: 'Permission denied', ENOSPC: 'No space left on device', ENOTEMPTY: 'Directory not empty',
};

export const pipeRoom = 65_536;

/** Absolute, without '.' and '..'. */
export function absolute(cwd: string, path: string): string {
  const parts: string[] = [];
  for (const part of (path.startsWith('/') ? path : `${cwd}/${path}`).split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
}

export function addOpen({ tree }: Kernel, file: OpenFile): string {
  const id = String(tree.nextOpen++);
  tree.open[id] = file;
  return id;
}

export const openAt = ({ tree }: Kernel, proc: Proc, fd: number): OpenFile | undefined => tree.open[proc.fds[fd] ?? ''];

const devices = /^\/dev\/(null|zero|full|u?random|tty)$/;
const standard: Readonly<Record<string, number>> = { '/dev/stdin': 0, '/dev/stdout': 1, '/dev/stderr': 2, '/dev/fd/0': 0, '/dev/fd/1': 1, '/dev/fd/2': 2, '/proc/self/fd/1': 1, '/proc/self/fd/2': 2 };
const ofMain: Readonly<Record<string, 'stdout' | 'stderr'>> = { '/proc/1/fd/1': 'stdout', '/proc/1/fd/2': 'stderr' };

/** Opens a path; `mode` as in shell redirections. */
export function openPath(k: Kernel, proc: Proc, path: string, mode: string): string | { error: FileError } {
  const full = absolute(proc.cwd, path);
  const copied = standard[full];
  if (copied !== undefined) return proc.fds[copied] ?? { error: 'ENOENT' };
  if (ofMain[full] !== undefined && k.tree.pid1) return addOpen(k, { kind: 'output', stream: ofMain[full] });
  const device = devices.exec(full)?.[1];
  if (device !== undefined) return addOpen(k, { kind: 'device', name: device });
  const { files } = k.host;
  if (mode === '<') {
    const content = files.read(full);
    if (typeof content !== 'string') return content;
    return addOpen(k, { kind: 'file', path: full, offset: 0 });
  }
  const problem = files.write(full, '', mode !== '>' && mode !== '>|');
  if (full.startsWith('/dev/shm/')) k.tree.usesShm = true;
  return problem !== undefined ? { error: problem } : addOpen(k, { kind: 'file', path: full, offset: 0 });
}

/** Writes; 'broken': nobody reads any more. A full pipe takes all: the writer looks at `hasRoom` before it goes on. */
export function writeTo(k: Kernel, proc: Proc, fd: number, text: string, zeros = 0): 'ok' | 'broken' | FileError {
  const file = openAt(k, proc, fd);
  if (file === undefined) return 'EACCES';
  switch (file.kind) {
    case 'output':
      if (text !== '') k.host.output(file.stream, text);
      return 'ok';
    case 'file':
      return k.host.files.write(file.path, text, true) ?? 'ok';
    case 'capture':
      file.text += text;
      return 'ok';
    case 'write-end': {
      const pipe = k.tree.open[file.pipe];
      if (pipe?.kind !== 'pipe' || !hasEnd(k, 'read-end', file.pipe)) return 'broken';
      pipe.text += text;
      pipe.zeros += zeros;
      return 'ok';
    }
    case 'device':
      return file.name === 'full' ? 'ENOSPC' : 'ok';
    default:
      return 'EACCES';
  }
}

export function hasRoom(k: Kernel, proc: Proc): boolean {
  const file = openAt(k, proc, 1);
  if (file?.kind !== 'write-end') return true;
  const pipe = k.tree.open[file.pipe];
  return pipe?.kind !== 'pipe' || pipe.text.length + pipe.zeros < pipeRoom || !hasEnd(k, 'read-end', file.pipe);
}

function hasEnd({ tree }: Kernel, kind: 'read-end' | 'write-end', pipe: string): boolean {
  return tree.procs.some((proc) => Object.values(proc.fds).some((id) => {
    const file = tree.open[id];
    return file?.kind === kind && file.pipe === pipe;
  }));
}

export interface Input {
  text: string;
  /** Bytes without content that came before. */
  zeros: number;
  ended: boolean;
}

const nothing: Input = { text: '', zeros: 0, ended: true };

/** What can be read now; undefined: it must be waited for. `peek` leaves it there. */
export function readFrom(k: Kernel, proc: Proc, fd: number, peek = false): Input | undefined {
  const file = openAt(k, proc, fd);
  if (file === undefined) return nothing;
  switch (file.kind) {
    case 'file': {
      const content = k.host.files.read(file.path);
      const text = typeof content === 'string' ? content.slice(file.offset) : '';
      // Of large files only the beginning is kept.
      const size = k.host.files.stat(file.path)?.size ?? 0;
      const zeros = text.length >= 4096 ? Math.max(0, size - file.offset - text.length) : 0;
      if (!peek) file.offset += text.length + zeros;
      return { text, zeros, ended: true };
    }
    case 'text': {
      const text = file.text.slice(file.offset);
      if (!peek) file.offset = file.text.length;
      return { text, zeros: 0, ended: true };
    }
    case 'read-end':
      return readPipe(k, file.pipe, peek);
    case 'console': {
      const { text, ended } = file;
      if (text === '' && !ended) return undefined;
      if (!peek) file.text = '';
      return { text, zeros: 0, ended };
    }
    case 'device':
      if (/random/.test(file.name)) k.host.markUnsteady();
      return /zero|full|random/.test(file.name) ? { text: '', zeros: pipeRoom, ended: false } : nothing;
    default:
      return nothing;
  }
}

function readPipe(k: Kernel, id: string, peek: boolean): Input | undefined {
  const pipe = k.tree.open[id];
  if (pipe?.kind !== 'pipe') return nothing;
  const ended = !hasEnd(k, 'write-end', id);
  if (pipe.text === '' && pipe.zeros === 0 && !ended) return undefined;
  const input = { text: pipe.text, zeros: pipe.zeros, ended };
  if (!peek) {
    pipe.text = '';
    pipe.zeros = 0;
  }
  return input;
}

/** Gives back what was read too much: `read` takes a line only. */
export function unread(k: Kernel, proc: Proc, fd: number, text: string): void {
  const file = openAt(k, proc, fd);
  if (file?.kind === 'file' || file?.kind === 'text') file.offset -= text.length;
  else if (file?.kind === 'console') file.text = text + file.text;
  else if (file?.kind === 'read-end') {
    const pipe = k.tree.open[file.pipe];
    if (pipe?.kind === 'pipe') pipe.text = text + pipe.text;
  }
}

/** Drops open files that nobody holds. */
export function collect({ tree }: Kernel): void {
  // Only the three that it began with.
  if (tree.nextOpen === 3) return;
  const held = new Set<string>();
  for (const proc of tree.procs) {
    for (const id of Object.values(proc.fds)) held.add(id);
    for (const frame of proc.shell?.frames ?? []) if (frame.kind === 'fds') for (const id of Object.values(frame.fds)) held.add(id);
    if (proc.shell?.capture !== undefined) held.add(proc.shell.capture);
  }
  for (const id of held) {
    const file = tree.open[id];
    if (file !== undefined && 'pipe' in file) held.add(file.pipe);
  }
  for (const id in tree.open) if (!held.has(id)) delete tree.open[id];
}

/** A process ends: its parent learns the status, its ports close. */
export function endProc(k: Kernel, proc: Proc, status: number): void {
  const { tree, host } = k;
  for (const port of proc.ports ?? []) host.unlisten(port);
  tree.procs = tree.procs.filter((other) => other !== proc);
  proc.fds = {};
  const parent = tree.procs.find((other) => other.pid === proc.parent);
  if (parent !== undefined) {
    (parent.ended ??= {})[proc.pid] = status;
    parent.owedUs += proc.owedUs;
  }
  if (proc.pid === tree.main) tree.mainStatus = status;
  collect(k);
}

/** Names that the runtime knows; others are told as SIGTERM. */
const hostSignals = new Set(['TERM', 'KILL', 'INT', 'QUIT', 'HUP', 'USR1', 'USR2', 'WINCH']);

/** kill(2) as a process of the tree calls it. False: no such process; 'denied': PID 1 cannot be killed from its own namespace. */
export function sendSignal(k: Kernel, pid: number, signal: number): boolean | 'denied' {
  const { tree, host } = k;
  const own = tree.procs.find((proc) => proc.pid === pid);
  const unkillable = pid === 1 && (tree.pid1 || own === undefined);
  if (unkillable && signal === 9) return 'denied';
  if (own !== undefined) {
    if (signal !== 0) k.deliver(own, signal);
    return true;
  }
  host.markUnsteady();
  if (signal === 0) return host.processes().some((process) => process.pid === pid);
  const name = signalName(signal) ?? 'TERM';
  if (!hostSignals.has(name)) return harmless.has(signal) || unkillable || host.kill(pid, 'SIGTERM');
  return host.kill(pid, `SIG${name}` as SignalName);
}
