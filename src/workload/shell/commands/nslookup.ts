import { err, fail, getOptions, later, type Call, type Outcome } from '../command.ts';
import { isAddress, lookup } from './resolver.ts';

/**
 * busybox's nslookup. Upstream: busybox networking/nslookup.c (1.29 and newer): a name with a dot is asked as it stands, one without in every search
 * domain; answers are printed as they come; one bad answer makes the exit status 1. Up to 1.28 it asked the C library instead.
 */
export function nslookup(call: Call): Outcome {
  const { rest } = getOptions(call.args.map((arg) => (arg.startsWith('-') ? `-${arg}` : arg)), ['type', 'query']);
  const [name, server] = rest;
  if (name === undefined) return fail(call, 'usage: nslookup [HOST] [DNS_SERVER]');
  call.host.markUnsteady();
  return later(call, () => (isOld(call) && !/\.(svc|cluster)(\.|$)/.test(name) ? oldLookup(call, name) : newLookup(call, name, server)));
}

const isOld = (call: Call): boolean => /busybox:1\.(\d|1\d|2[0-8])(\.\d+)?(-|$|@)/.test(call.k.tree.image);

type Answer = { afterMs: number; out: string; err: string; status: number };

function newLookup(call: Call, name: string, server: string | undefined): Answer {
  const nameserver = server === undefined ? call.host.dns.nameserver : (lookup(call, server).address ?? server);
  const header = `Server:\t\t${nameserver}\nAddress:\t${nameserver}:53\n\n`;
  if (isAddress(name)) return { afterMs: 2, out: `${header}${cannotFind(`${name.split('.').reverse().join('.')}.in-addr.arpa`, 'NXDOMAIN')}\n`, err: '', status: 1 };
  const full = name.replace(/\.$/, '');
  const names = name.includes('.') ? [full] : call.host.dns.searches.map((domain) => `${full}.${domain}`);
  const answers = (['AAAA', 'A'] as const).flatMap((type) => names.map((asked) => ({ type, asked, ...call.host.resolve(asked, type) })));
  if (answers.every((answer) => answer.code === 'TIMEOUT')) {
    return { afterMs: 15_000, out: `${header};; connection timed out; no servers could be reached\n\n`, err: '', status: 1 };
  }
  let status = 0;
  let text = header;
  let afterMs = 1;
  for (const { asked, code, addresses, latencyMs } of answers) {
    afterMs = Math.max(afterMs, latencyMs);
    if (code !== 'NOERROR') {
      text += cannotFind(asked, code === 'TIMEOUT' ? 'No answer' : code);
      status = 1;
    } else {
      if (!asked.endsWith('.cluster.local') && addresses.length > 0) text += 'Non-authoritative answer:\n';
      for (const address of addresses) text += `Name:\t${asked}\nAddress: ${address}\n`;
    }
    text += '\n';
  }
  return { afterMs, out: text, err: '', status };
}

const cannotFind = (name: string, why: string): string => `** server can't find ${name}: ${why}\n`;

function oldLookup(call: Call, name: string): Answer {
  const { nameserver } = call.host.dns;
  const found = lookup(call, name);
  const header = `Server:    ${nameserver}\nAddress 1: ${nameserver} kube-dns.kube-system.svc.cluster.local\n\n`;
  if (found.address === undefined) return { afterMs: found.latencyMs, out: header, err: `nslookup: can't resolve '${name}'\n`, status: 1 };
  return { afterMs: found.latencyMs, out: `${header}Name:      ${name}\nAddress 1: ${found.address} ${found.name}\n`, err: '', status: 0 };
}

/** getent hosts NAME */
export function getent(call: Call): Outcome {
  const [database, name = ''] = call.args;
  if (database !== 'hosts' && database !== 'ahosts' && database !== 'ahostsv4') {
    err(call, 'kubelapse: getent of this database is not simulated\n');
    return 127;
  }
  return later(call, () => {
    const found = lookup(call, name);
    return { afterMs: found.latencyMs, out: found.address === undefined ? '' : `${found.address.padEnd(15)} ${found.name}\n`, err: '', status: found.address === undefined ? 2 : 0 };
  });
}
