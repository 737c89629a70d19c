import { resources, type ResourceInfo } from '../../../api/resources.ts';
import type { Subresource } from '../../component.ts';

/** What a path means. */
export interface Target {
  info: ResourceInfo;
  namespace: string;
  name: string;
  subresource: string;
}

const byPath = new Map(resources.map((info) => [`${info.group}/${info.version}/${info.plural}`, info]));
const groupVersions = new Set(resources.map((info) => `${info.group}/${info.version}`));
const groups = new Set(resources.map((info) => info.group));

/** Kinds that this server serves under a second group or an older version, as the same objects. */
const aliases: Readonly<Record<string, string>> = {
  'events.k8s.io/v1/events': '/v1/events',
};

/** /api/v1/..., /apis/GROUP/VERSION/...; 'unknown': a Status 404; undefined: no such path at all. */
export function parsePath(path: string): Target | 'unknown' | undefined {
  const parts = path.split('/').filter((part) => part !== '').map(decode);
  const core = parts[0] === 'api';
  if (!core && parts[0] !== 'apis') return undefined;
  const group = core ? '' : (parts[1] ?? '');
  const version = parts[core ? 1 : 2] ?? '';
  if (!core && !groups.has(group) && group !== 'events.k8s.io') return undefined;
  if (!groupVersions.has(`${group}/${version}`) && group !== 'events.k8s.io') return 'unknown';
  return parseRest(`${group}/${version}`, parts.slice(core ? 2 : 3));
}

function parseRest(groupVersion: string, rest: string[]): Target | 'unknown' {
  const lookup = (plural: string) => {
    const key = `${groupVersion}/${plural}`;
    return byPath.get(aliases[key] ?? key);
  };
  // A 'watch' prefix is the old way to say ?watch=1.
  const words = rest[0] === 'watch' ? rest.slice(1) : rest;
  const inNamespace = words[0] === 'namespaces' && words.length > 2 && !['status', 'finalize'].includes(words[2] as string);
  const [plural = '', name = '', subresource = '', extra] = inNamespace ? words.slice(2) : words;
  const info = lookup(plural);
  const namespace = inNamespace ? (words[1] as string) : '';
  if (info === undefined || (inNamespace && !info.namespaced) || (name !== '' && info.namespaced && !inNamespace)) return 'unknown';
  if (subresource !== '' && !info.subresources.includes(subresource)) return 'unknown';
  return extra !== undefined && subresource !== 'proxy' ? 'unknown' : { info, namespace, name, subresource };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Subresources that the request handler knows. The others (log, exec, proxy) are answered by whoever owns the node. */
export const handled: ReadonlySet<string> = new Set<Subresource | ''>([
  '', 'status', 'binding', 'scale', 'eviction', 'ephemeralcontainers', 'resize', 'finalize', 'token',
]);
