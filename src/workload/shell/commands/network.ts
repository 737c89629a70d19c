import type { ServerAnswer, ServerRequest } from '../../contract.ts';
import { fail, getOptions, later, memo, out, path, type Call, type CommandEntry, type Outcome } from '../command.ts';
import { readFrom } from '../kernel.ts';
import { spawnChild } from '../spawn.ts';
import { curl, wget } from './http-clients.ts';
import { getent, nslookup } from './nslookup.ts';
import { lookup, statusText } from './resolver.ts';

export const networkCommands: Readonly<Record<string, CommandEntry>> = {
  nslookup: { run: nslookup },
  getent: { run: getent },
  wget: { run: wget },
  curl: { run: curl },
  nc: { run: nc, answer: ncAnswer },
  netcat: { run: nc, answer: ncAnswer },
  ping: { run: ping },
  httpd: { run: httpd, answer: httpdAnswer, memory: 700_000 },
};

const connectWords: Readonly<Record<string, string>> = { refused: 'Connection refused', timeout: 'Connection timed out', unreachable: 'Host is unreachable', reset: 'Connection reset by peer' };

interface Listening {
  listens: boolean;
  /** What it answers with: what it read before the first client came. */
  text: string;
}

function nc(call: Call): Outcome {
  const { flags, values, rest } = getOptions(call.args, ['w', 'p', 's', 'i', 'e', 'q']);
  if (flags.has('l') || call.args.some((arg) => /^-[a-z]*l/.test(arg))) return ncListen(call, Number(values.p ?? rest.at(-1) ?? 0));
  const [host = '', port = ''] = rest;
  if (port === '') return fail(call, 'missing port');
  return later(call, () => {
    const found = lookup(call, host);
    if (found.address === undefined) return { afterMs: found.latencyMs, out: '', err: `nc: bad address '${host}'\n`, status: 1 };
    call.host.markUnsteady();
    const answer = call.host.connect(found.address, Number(port));
    const limit = values.w === undefined ? 1e9 : Number(values.w) * 1000;
    const label = `${host} (${found.address}:${port})`;
    if (answer.latencyMs > limit) return { afterMs: limit, out: '', err: 'nc: timed out\n', status: 1 };
    if (!answer.ok) return { afterMs: answer.latencyMs, out: '', err: `nc: ${label}: ${connectWords[answer.error] ?? answer.error}\n`, status: 1 };
    return { afterMs: answer.latencyMs, out: '', err: flags.has('v') ? `${label} open\n` : '', status: 0 };
  });
}

function ncListen(call: Call, port: number): Outcome {
  const kept = memo<Listening>(call, () => ({ listens: call.host.listen(port) === 'ok', text: '' }));
  if (!kept.listens) return fail(call, 'bind: Address already in use');
  call.proc.ports = [port];
  const input = readFrom(call.k, call.proc, 0);
  if (input === undefined) return { block: 'input' };
  kept.text += input.text;
  return input.ended ? { block: 'signal' } : { block: 'input' };
}

/** Simplified: it goes on listening after a client, as in the loops in which it is used. */
function ncAnswer(call: Call, request: ServerRequest): ServerAnswer {
  const { text } = call.proc.memo as Listening;
  if (request.kind === 'tcp') return { kind: 'accepted', delayMs: 0 };
  if (request.kind === 'http') out(call, `${request.method} ${request.path} HTTP/1.1\n`);
  const found = /^HTTP\/1\.[01] (\d+)[^\n]*\n(?:[^\n]+\n)*\r?\n?(.*)$/s.exec(text.replace(/\r\n/g, '\n'));
  if (request.kind !== 'http' || text === '') return { kind: 'hang' };
  return found === null ? { kind: 'not-http' } : { kind: 'http', status: Number(found[1]), headers: {}, body: found[2] ?? '', delayMs: 1 };
}

interface Pinging {
  sent: number;
  received: number;
  address: string;
}

/** Simplified: a host answers if its address belongs to something that can be connected to or refuses. */
function ping(call: Call): Outcome {
  const { values, rest, flags } = getOptions(call.args, ['c', 'W', 'w', 'i', 's', 'I']);
  const host = rest[0] ?? '';
  call.host.markUnsteady();
  const count = Number(values.c ?? 1e9);
  const kept = memo<Pinging>(call, () => {
    const address = lookup(call, host).address ?? '';
    if (address !== '') out(call, `PING ${host} (${address}): 56 data bytes\n`);
    return { sent: 0, received: 0, address };
  });
  if (kept.address === '') return fail(call, `bad address '${host}'`);
  if (kept.sent < count) {
    const answer = call.host.connect(kept.address, 7);
    if (answer.ok || answer.error === 'refused') {
      if (!flags.has('q')) out(call, `64 bytes from ${kept.address}: seq=${kept.sent} ttl=64 time=0.${String(80 + call.host.random(90)).padStart(3, '0')} ms\n`);
      kept.received++;
    }
    kept.sent++;
    return { at: call.now + (kept.sent < count || kept.received < kept.sent ? 1000 : 1) };
  }
  out(call, `\n--- ${host} ping statistics ---\n${kept.sent} packets transmitted, ${kept.received} packets received, ${Math.round((1 - kept.received / kept.sent) * 100)}% packet loss\n`);
  return kept.received > 0 ? 0 : 1;
}

interface Serving {
  home: string;
  listens: boolean;
}

/** busybox httpd: without -f it goes to the background. */
function httpd(call: Call): Outcome {
  const { flags, values } = getOptions(call.args, ['p', 'h', 'c', 'u', 'r']);
  const port = Number((values.p ?? '80').replace(/^.*:/, ''));
  if (!flags.has('f') && !flags.has('i')) {
    if (!inUse(call, port)) {
      const child = spawnChild(call.k, call.proc, [call.proc.argv[0] ?? 'httpd', '-f', ...call.args]);
      if (child !== undefined) child.parent = call.k.tree.main;
      return 0;
    }
    return fail(call, 'bind: Address already in use');
  }
  const kept = memo<Serving>(call, () => ({ home: path(call, values.h ?? '.'), listens: call.host.listen(port) === 'ok' }));
  if (!kept.listens) return fail(call, 'bind: Address already in use');
  if (kept.home !== '/' && call.files.stat(kept.home)?.kind !== 'directory') return fail(call, `can't change directory to '${values.h ?? '.'}': No such file or directory`);
  call.proc.ports = [port];
  return { block: 'signal' };
}

function inUse(call: Call, port: number): boolean {
  if (call.k.tree.procs.some((proc) => proc.ports?.includes(port) === true)) return true;
  if (call.host.listen(port) === 'in-use') return true;
  call.host.unlisten(port);
  return false;
}

function httpdAnswer(call: Call, request: ServerRequest): ServerAnswer {
  if (request.kind === 'tcp') return { kind: 'accepted', delayMs: 0 };
  if (request.kind === 'grpc-health') return { kind: 'hang' };
  const { home } = call.proc.memo as Serving;
  return serveFile(call, home, request.path) ?? { kind: 'http', status: 404, headers: { 'Content-type': 'text/html' }, body: `<HTML><HEAD><TITLE>404 ${statusText(404)}</TITLE></HEAD>\n<BODY><H1>404 ${statusText(404)}</H1>\nThe requested URL was not found\n</BODY></HTML>\n`, delayMs: 1 };
}

const types: Readonly<Record<string, string>> = { html: 'text/html', htm: 'text/html', txt: 'text/plain', json: 'application/json', css: 'text/css', js: 'application/javascript' };

/** A file below a folder as an HTTP answer; undefined: there is none. */
export function serveFile(call: Call, home: string, requested: string, indexes: readonly string[] = ['index.html']): Extract<ServerAnswer, { kind: 'http' }> | undefined {
  const name = requested.replace(/[?#].*/, '');
  for (const candidate of name.endsWith('/') ? indexes.map((index) => name + index) : [name]) {
    const content = call.files.read(`${home === '/' ? '' : home.replace(/\/$/, '')}${candidate}`);
    if (typeof content !== 'string') continue;
    return { kind: 'http', status: 200, headers: { 'Content-Type': types[candidate.replace(/^.*\./, '')] ?? 'application/octet-stream', 'Content-Length': String(content.length) }, body: content, delayMs: 1 };
  }
  return undefined;
}

