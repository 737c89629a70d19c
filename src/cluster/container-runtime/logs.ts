import type { LogLine } from '../kubelet/cri.ts';
import { byteLength } from './files.ts';
import type { Container } from './state.ts';

/** Kept lines of a container. Simplified: the kubelet keeps 10 MiB a file. */
const keptLines = 2000;
const lineLimit = 16_384;

/** Takes output as it comes and makes lines of it. */
export function appendLog(container: Container, stream: 'stdout' | 'stderr', text: string, epochMs: number): void {
  const parts = (container.partial[stream] + text).split('\n');
  container.partial[stream] = parts.pop() as string;
  for (const part of parts) addLine(container, stream, part, epochMs);
  if (container.partial[stream].length > lineLimit) flushStream(container, stream, epochMs);
}

/** What was written without a line end is a line as well once the process is gone. */
export function flushLog(container: Container, epochMs: number): void {
  flushStream(container, 'stdout', epochMs);
  flushStream(container, 'stderr', epochMs);
}

function flushStream(container: Container, stream: 'stdout' | 'stderr', epochMs: number): void {
  const text = container.partial[stream];
  container.partial[stream] = '';
  if (text !== '') addLine(container, stream, text, epochMs);
}

function addLine(container: Container, stream: 'stdout' | 'stderr', text: string, at: number): void {
  const { log } = container;
  log.push(Object.freeze({ at, stream, text: text.length > lineLimit ? text.slice(0, lineLimit) : text }));
  if (log.length > keptLines + 500) log.splice(0, log.length - keptLines);
}

/** Upstream: pkg/kubelet/kuberuntime MaxContainerTerminationMessageLength, ...LogLength, ...LogLines. */
const messageLimit = 4096;
const logMessageLimit = 2048;
const logMessageLines = 80;

/** The termination message: of the file its end, else, if asked for and the container failed, the end of the log. */
export function terminationMessage(container: Container, exitCode: number): string {
  const { terminationMessagePath, terminationMessagePolicy } = container.config;
  const node = container.layer[terminationMessagePath];
  const written = node === undefined || node === null ? '' : tail(node.content, messageLimit);
  if (written !== '' || terminationMessagePolicy !== 'FallbackToLogsOnError' || exitCode === 0) return written;
  const lines: readonly LogLine[] = container.log.slice(-logMessageLines);
  return tail(lines.map((line) => `${line.text}\n`).join(''), logMessageLimit);
}

function tail(text: string, limit: number): string {
  if (byteLength(text) <= limit) return text;
  let end = text.slice(-limit);
  while (byteLength(end) > limit) end = end.slice(1);
  return end;
}
