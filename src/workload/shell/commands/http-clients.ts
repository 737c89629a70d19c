import type { HostHttpAnswer } from '../../contract.ts';
import { fail, getOptions, later, memo, out, err, path, readFile, type Call, type Options, type Outcome } from '../command.ts';
import { errorText } from '../kernel.ts';
import { lookup, parseUrl, statusText, type Address } from './resolver.ts';

interface Reached {
  url: Address;
  ip: string;
  answer: HostHttpAnswer | undefined;
  latencyMs: number;
}

interface Sending {
  method: string;
  headers: Record<string, string>;
  body?: string;
  follow: number;
}

/** One request with its redirects; `answer` undefined: the name is unknown. */
function request(call: Call, text: string, sending: Sending): Reached | undefined {
  let url = parseUrl(text);
  if (url === undefined) return undefined;
  let latencyMs = 0;
  for (let hops = sending.follow; ; hops--) {
    const found = lookup(call, url.host);
    latencyMs += found.latencyMs;
    if (found.address === undefined) return { url, ip: '', answer: undefined, latencyMs };
    call.host.markUnsteady();
    const headers = { Host: url.host, ...sending.headers };
    const answer = call.host.http({ method: sending.method, address: found.address, port: url.port, path: url.path.replace(/#.*/, ''), scheme: url.scheme, headers, ...(sending.body === undefined ? {} : { body: sending.body }) });
    latencyMs += answer.latencyMs;
    const target = answer.ok && answer.status >= 300 && answer.status < 400 ? (answer.headers.Location ?? answer.headers.location) : undefined;
    const next: Address | undefined = target === undefined || hops <= 0 ? undefined : target.startsWith('/') ? { ...url, path: target } : parseUrl(target);
    if (next === undefined) return { url, ip: found.address, answer, latencyMs };
    url = next;
  }
}

const connectErrors: Readonly<Record<string, string>> = { refused: 'Connection refused', timeout: 'Connection timed out', unreachable: 'Host is unreachable' };

const headersOf = (options: readonly string[]): Record<string, string> =>
  Object.fromEntries(options.map((line) => line.split(/:\s*(.*)/s)).map(([name = '', value = '']) => [name, value]));

/** Values of an option that may come more than once. */
const repeated = (args: readonly string[], ...names: string[]): string[] =>
  args.flatMap((arg, index) => (names.includes(arg) ? [args[index + 1] ?? ''] : names.filter((name) => name.startsWith('--') && arg.startsWith(`${name}=`)).map((name) => arg.slice(name.length + 1))));

type Answer = { afterMs: number; out: string; err: string; status: number };

/** busybox wget. Upstream: busybox networking/wget.c */
export function wget(call: Call): Outcome {
  const options = getOptions(call.args, ['O', 'T', 't', 'P', 'o', 'U', 'Y', 'header', 'post-data', 'timeout', 'tries', 'output-document']);
  const [url] = options.rest;
  if (url === undefined) return fail(call, 'missing URL');
  return later(call, () => wgetOnce(call, options, url));
}

function wgetOnce(call: Call, options: Options, text: string): Answer {
  const { flags, values } = options;
  const data = values['post-data'];
  const reached = request(call, text, { method: data === undefined ? (flags.has('spider') ? 'HEAD' : 'GET') : 'POST', headers: { 'User-Agent': 'Wget', ...headersOf(repeated(call.args, '--header')) }, ...(data === undefined ? {} : { body: data }), follow: 5 });
  const limit = Number(values.T ?? values.timeout ?? 900) * 1000;
  const quiet = flags.has('q');
  if (reached === undefined) return { afterMs: 1, out: '', err: `wget: not an http or ftp url: ${text}\n`, status: 1 };
  const { answer, ip, url, latencyMs } = reached;
  if (answer === undefined) return { afterMs: latencyMs, out: '', err: `wget: bad address '${url.host}'\n`, status: 1 };
  const said = quiet ? '' : `Connecting to ${url.host}${url.port === 80 ? '' : `:${url.port}`} (${ip}:${url.port})\n`;
  if (latencyMs > limit) return { afterMs: limit, out: '', err: `${said}wget: download timed out\n`, status: 1 };
  const ends = (message: string): Answer => ({ afterMs: latencyMs, out: '', err: `${said}wget: ${message}\n`, status: 1 });
  if (!answer.ok) return ends(answer.error in connectErrors ? `can't connect to remote host (${ip}): ${connectErrors[answer.error] ?? ''}` : `error getting response${answer.error === 'reset' ? ': Connection reset by peer' : ''}`);
  const shown = flags.has('S') ? `  HTTP/1.1 ${answer.status} ${statusText(answer.status)}\n${Object.entries(answer.headers).map(([name, value]) => `  ${name}: ${value}\n`).join('')}` : '';
  if (answer.status >= 300) return { ...ends(`server returned error: HTTP/1.1 ${answer.status} ${statusText(answer.status)}`), err: `${said}${shown}wget: server returned error: HTTP/1.1 ${answer.status} ${statusText(answer.status)}\n` };
  if (flags.has('spider')) return { afterMs: latencyMs, out: '', err: quiet ? '' : `${said}${shown}remote file exists\n`, status: 0 };
  return save(call, options, reached, answer.body, said + shown);
}

function save(call: Call, { flags, values }: Options, { url, latencyMs }: Reached, body: string, said: string): Answer {
  const target = values.O ?? values['output-document'] ?? (url.path.replace(/\?.*/, '').replace(/^.*\//, '') || 'index.html');
  const bar = `${(target === '-' ? '-' : target).slice(0, 20).padEnd(20)} 100% |********************************| ${String(body.length).padStart(5)}  0:00:00 ETA\n`;
  const quiet = flags.has('q');
  if (target === '-' || target === '/dev/stdout') return { afterMs: latencyMs, out: body, err: quiet ? '' : `${said}writing to stdout\n${bar}written to stdout\n`, status: 0 };
  if (target !== '/dev/null') {
    const full = path(call, values.P === undefined ? target : `${values.P}/${target}`);
    if (values.O === undefined && call.files.stat(full) !== undefined) return { afterMs: latencyMs, out: '', err: `${said}wget: can't open '${target}': File exists\n`, status: 1 };
    const problem = call.files.write(full, body, false);
    if (problem !== undefined) return { afterMs: latencyMs, out: '', err: `${said}wget: can't open '${target}': ${errorText[problem] ?? problem}\n`, status: 1 };
  }
  return { afterMs: latencyMs, out: '', err: quiet ? '' : `${said}saving to '${target}'\n${bar}'${target}' saved\n`, status: 0 };
}

const curlValued = ['o', 'X', 'H', 'd', 'm', 'w', 'A', 'u', 'e', 'x', 'F', 'b', 'c', 'T', 'connect-timeout', 'max-time', 'retry', 'retry-delay', 'retry-max-time', 'output', 'write-out', 'request', 'header', 'data', 'data-raw', 'data-binary', 'resolve', 'cacert', 'user-agent', 'url', 'user', 'cert', 'key'];

/** curl 8. */
export function curl(call: Call): Outcome {
  const options = getOptions(call.args, curlValued);
  const text = options.rest[0] ?? options.values.url;
  if (text === undefined) {
    err(call, "curl: try 'curl --help' or 'curl --manual' for more information\n");
    return 2;
  }
  const tries = Number(options.values.retry ?? 0);
  const kept = memo(call, () => ({ left: tries, until: -1, answer: undefined as Answer | undefined }));
  if (kept.answer !== undefined && call.now >= kept.until) {
    const { answer } = kept;
    if (answer.status === 0 || kept.left <= 0 || (answer.status === 7 && !options.flags.has('retry-connrefused') && !options.flags.has('retry-all-errors'))) {
      out(call, answer.out);
      err(call, answer.err);
      return answer.status;
    }
    kept.left--;
    kept.answer = undefined;
    kept.until = call.now + Number(options.values['retry-delay'] ?? 1) * 1000;
  }
  if (call.now < kept.until) return { at: kept.until };
  kept.answer = curlOnce(call, options, text);
  kept.until = call.now + Math.round(kept.answer.afterMs);
  return { at: kept.until };
}

function curlOnce(call: Call, options: Options, text: string): Answer {
  const { flags, values } = options;
  const has = (...names: string[]) => names.some((name) => flags.has(name));
  const quiet = has('s', 'silent') && !has('S', 'show-error');
  const body = values.d ?? values.data ?? values['data-raw'] ?? values['data-binary'];
  const method = values.X ?? values.request ?? (has('I', 'head') ? 'HEAD' : body === undefined ? 'GET' : 'POST');
  const headers = { 'User-Agent': 'curl/8.5.0', Accept: '*/*', ...headersOf(repeated(call.args, '-H', '--header')) };
  const data = body?.startsWith('@') === true ? (readFile(call, body.slice(1)) ?? '') : body;
  const reached = request(call, text, { method, headers, ...(data === undefined ? {} : { body: data }), follow: has('L', 'location') ? 10 : 0 });
  const ends = (afterMs: number, status: number, message: string): Answer => ({ afterMs, out: written(values, reached, '000'), err: quiet ? '' : `curl: (${status}) ${message}\n`, status });
  if (reached === undefined) return ends(1, 3, 'URL rejected: Malformed input to a URL function');
  const { answer, url, latencyMs } = reached;
  if (answer === undefined) return ends(latencyMs, 6, `Could not resolve host: ${url.host}`);
  const total = Number(values.m ?? values['max-time'] ?? 0) * 1000;
  const connect = Number(values['connect-timeout'] ?? 0) * 1000;
  const limit = [total, answer.ok ? 0 : connect].filter((ms) => ms > 0).reduce((least, ms) => Math.min(least, ms), 1e9);
  if (latencyMs > limit) return ends(limit, 28, answer.ok || total === limit ? `Operation timed out after ${limit} milliseconds with 0 bytes received` : `Failed to connect to ${url.host} port ${url.port} after ${limit} ms: Timeout was reached`);
  if (!answer.ok) {
    if (answer.error === 'reset') return ends(latencyMs, 56, 'Recv failure: Connection reset by peer');
    if (answer.error === 'not-http') return ends(latencyMs, 1, 'Received HTTP/0.9 when not allowed');
    return ends(latencyMs, answer.error === 'timeout' ? 28 : 7, `Failed to connect to ${url.host} port ${url.port} after ${Math.round(latencyMs)} ms: Could${answer.error === 'timeout' ? ' not' : "n't"} connect to server`);
  }
  if (has('f', 'fail') && answer.status >= 400) return { ...ends(latencyMs, 22, `The requested URL returned error: ${answer.status}`), out: written(values, reached, String(answer.status)) };
  const head = has('I', 'head', 'i', 'include') ? `HTTP/1.1 ${answer.status} ${statusText(answer.status)}\r\n${Object.entries(answer.headers).map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n` : '';
  const verbose = has('v', 'verbose') ? `*   Trying ${reached.ip}:${url.port}...\n* Connected to ${url.host} (${reached.ip}) port ${url.port}\n> ${method} ${url.path} HTTP/1.1\n> Host: ${url.host}\n> User-Agent: curl/8.5.0\n> Accept: */*\n> \n< HTTP/1.1 ${answer.status} ${statusText(answer.status)}\n${Object.entries(answer.headers).map(([name, value]) => `< ${name}: ${value}\n`).join('')}< \n` : '';
  const content = head + (has('I', 'head') ? '' : answer.body);
  const target = values.o ?? values.output ?? (has('O', 'remote-name') ? url.path.replace(/^.*\//, '') : undefined);
  if (target !== undefined && target !== '-' && target !== '/dev/null') call.files.write(path(call, target), content, false);
  return { afterMs: latencyMs, out: (target === undefined || target === '-' ? content : '') + written(values, reached, String(answer.status)), err: verbose, status: 0 };
}

function written(values: Readonly<Record<string, string>>, reached: Reached | undefined, status: string): string {
  const pattern = values.w ?? values['write-out'] ?? '';
  const time = ((reached?.latencyMs ?? 0) / 1000).toFixed(6);
  return pattern.replace(/%\{(\w+)\}/g, (_, name: string) => (/^(http_code|response_code)$/.test(name) ? status : name.startsWith('time_') ? time : name === 'remote_ip' ? (reached?.ip ?? '') : '')).replace(/\\n/g, '\n').replace(/\\t/g, '\t');
}
