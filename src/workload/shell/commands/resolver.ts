import type { HostDnsAnswer } from '../../contract.ts';
import type { Call } from '../command.ts';

export interface Found {
  address?: string;
  /** What the last server said. */
  code: HostDnsAnswer['code'];
  name: string;
  latencyMs: number;
}

export const isAddress = (text: string): boolean => /^\d+\.\d+\.\d+\.\d+$/.test(text) || text.includes(':');

/** getaddrinfo: /etc/hosts, then the search list. Upstream: resolv.conf(5), options ndots. */
export function lookup(call: Call, name: string): Found {
  if (isAddress(name)) return { address: name, code: 'NOERROR', name, latencyMs: 0 };
  const hosts = call.files.read('/etc/hosts');
  for (const line of typeof hosts === 'string' ? hosts.split('\n') : []) {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    if (names.includes(name) && !address.includes(':')) return { address, code: 'NOERROR', name, latencyMs: 0 };
  }
  if (name === 'localhost') return { address: '127.0.0.1', code: 'NOERROR', name, latencyMs: 0 };
  if (name === call.host.hostname) return { address: call.host.podIP, code: 'NOERROR', name, latencyMs: 0 };
  call.host.markUnsteady();
  let latencyMs = 0;
  let code: HostDnsAnswer['code'] = 'NXDOMAIN';
  for (const candidate of candidates(call, name)) {
    const answer = call.host.resolve(candidate, 'A');
    latencyMs += answer.latencyMs;
    code = answer.code;
    const [address] = answer.addresses;
    if (answer.code === 'NOERROR' && address !== undefined) return { address, code, name: candidate, latencyMs };
    if (answer.code === 'TIMEOUT') break;
  }
  return { code, name, latencyMs };
}

function candidates(call: Call, name: string): string[] {
  if (name.endsWith('.')) return [name.slice(0, -1)];
  const { searches, ndots } = call.host.dns;
  const searched = searches.map((domain) => `${name}.${domain}`);
  return name.split('.').length - 1 >= ndots ? [name, ...searched] : [...searched, name];
}

export interface Address {
  scheme: 'http' | 'https';
  host: string;
  port: number;
  path: string;
}

export function parseUrl(text: string): Address | undefined {
  const match = /^(?:(https?):\/\/)?(?:[^/@]*@)?(\[[^\]]+\]|[^/:?#\s]+)(?::(\d+))?([/?#]\S*)?$/i.exec(text);
  if (match === null) return undefined;
  const scheme = match[1]?.toLowerCase() === 'https' ? 'https' : 'http';
  const rest = match[4] ?? '/';
  return { scheme, host: match[2] ?? '', port: Number(match[3] ?? (scheme === 'https' ? 443 : 80)), path: rest.startsWith('/') ? rest : `/${rest}` };
}

const statusWords: Readonly<Record<number, string>> = {
  200: 'OK', 201: 'Created', 202: 'Accepted', 204: 'No Content', 301: 'Moved Permanently', 302: 'Found', 304: 'Not Modified', 307: 'Temporary Redirect', 308: 'Permanent Redirect',
  400: 'Bad Request', 401: 'Unauthorized', 403: 'Forbidden', 404: 'Not Found', 405: 'Method Not Allowed', 408: 'Request Timeout', 409: 'Conflict', 418: "I'm a teapot", 429: 'Too Many Requests',
  500: 'Internal Server Error', 501: 'Not Implemented', 502: 'Bad Gateway', 503: 'Service Unavailable', 504: 'Gateway Timeout',
};

export const statusText = (status: number): string => statusWords[status] ?? '';
