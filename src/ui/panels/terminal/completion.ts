import { resources, type ResourceInfo, type ResourceName } from '../../../api/resources.ts';
import { lastWords } from './shell-words.ts';
import { plainWords, valueFlags } from './verbs.ts';

/** What could stand where the caret is. Names have to be asked of the cluster. */
export type Wanted =
  | { kind: 'words'; words: readonly string[]; /** No blank after it. */ open?: boolean }
  | { kind: 'names'; resource: ResourceName; namespace: string | undefined; /** 'pod/' */ before: string }
  | { kind: 'containers'; pod: string; namespace: string | undefined }
  | { kind: 'files' };

export interface Place {
  /** The text typed so far of the word. */
  prefix: string;
  wanted: Wanted[];
}

const verbs = ('annotate api-resources api-versions apply auth autoscale cluster-info config cordon create debug delete describe diff drain edit events exec explain expose get help label logs options patch '
  + 'replace rollout run scale set taint top uncordon version wait').split(' ');

const parts: Readonly<Record<string, readonly string[]>> = {
  rollout: ['history', 'pause', 'restart', 'resume', 'status', 'undo'], set: ['env', 'image', 'resources', 'selector', 'serviceaccount', 'subject'], top: ['node', 'pod'], auth: ['can-i', 'whoami'], 'cluster-info': ['dump'],
  create: ['clusterrole', 'clusterrolebinding', 'configmap', 'cronjob', 'deployment', 'ingress', 'job', 'namespace', 'poddisruptionbudget', 'priorityclass', 'quota', 'role', 'rolebinding', 'secret', 'service', 'serviceaccount', 'token'],
  config: ['current-context', 'get-contexts', 'set-context', 'view'], apply: ['edit-last-applied', 'set-last-applied', 'view-last-applied'],
};

const always = ['--namespace', '--output', '--help'];
const flags: Readonly<Record<string, readonly string[]>> = {
  get: ['--all-namespaces', '--watch', '--watch-only', '--selector', '--field-selector', '--sort-by', '--show-labels', '--label-columns', '--no-headers', '--filename', '--ignore-not-found', '--show-kind', '--show-managed-fields'],
  describe: ['--all-namespaces', '--selector', '--show-events', '--filename'], logs: ['--all-containers', '--container', '--follow', '--previous', '--prefix', '--selector', '--since', '--tail', '--timestamps', '--all-pods'],
  events: ['--all-namespaces', '--for', '--types', '--watch', '--no-headers'], apply: ['--filename', '--dry-run', '--server-side', '--force-conflicts', '--prune', '--selector', '--validate'], create: ['--filename', '--dry-run', '--save-config'],
  delete: ['--all', '--cascade', '--filename', '--force', '--grace-period', '--ignore-not-found', '--now', '--selector', '--wait', '--timeout'], scale: ['--replicas', '--current-replicas', '--timeout'],
  exec: ['--container', '--stdin', '--tty'], run: ['--image', '--dry-run', '--restart', '--env', '--labels', '--port', '--command', '--expose', '--rm'], expose: ['--port', '--target-port', '--name', '--type', '--selector', '--dry-run'],
  label: ['--overwrite', '--all', '--selector', '--list'], annotate: ['--overwrite', '--all', '--selector', '--list'], drain: ['--ignore-daemonsets', '--delete-emptydir-data', '--force', '--grace-period', '--timeout', '--disable-eviction'],
  taint: ['--overwrite', '--all'], patch: ['--patch', '--type', '--subresource'], rollout: ['--to-revision', '--revision', '--watch', '--timeout'], wait: ['--for', '--timeout', '--all', '--selector'], autoscale: ['--min', '--max', '--cpu'],
  set: ['--all', '--containers', '--requests', '--limits', '--env'], top: ['--containers', '--sort-by', '--all-namespaces'], debug: ['--image', '--target', '--copy-to', '--profile'], replace: ['--filename', '--force'], diff: ['--filename', '--server-side'],
};
/** Flags that stand alone: a blank goes after them. */
const bare = new Set('all-namespaces watch watch-only show-labels no-headers ignore-not-found show-kind show-managed-fields all-containers follow previous prefix timestamps all-pods all force now overwrite list ignore-daemonsets delete-emptydir-data disable-eviction stdin tty command expose rm server-side force-conflicts prune save-config containers help'
  .split(' ').map((name) => `--${name}`));

const values: Readonly<Record<string, readonly string[]>> = {
  '--output': ['json', 'yaml', 'wide', 'name', 'jsonpath=', 'jsonpath-file=', 'custom-columns=', 'go-template='], '--for': ['condition=Ready', 'condition=Available', 'condition=Complete', 'create', 'delete', 'jsonpath='],
  '--type': ['json', 'merge', 'strategic'], '--cascade': ['background', 'foreground', 'orphan'], '--dry-run': ['client', 'server', 'none'], '--restart': ['Always', 'Never', 'OnFailure'], '--wait': ['true', 'false'], '--types': ['Normal', 'Warning'],
};
const long: Readonly<Record<string, string>> = { '-n': '--namespace', '-o': '--output', '-f': '--filename', '-c': '--container' };

const scalable = resources.filter((info) => info.subresources.includes('scale')).map((info) => info.plural);
const rolled = ['daemonsets', 'deployments', 'statefulsets'];
const kindsOf: Readonly<Record<string, readonly string[]>> = { scale: scalable, rollout: rolled, autoscale: scalable, expose: ['deployments', 'pods', 'replicasets', 'replicationcontrollers', 'services'], set: [...rolled, 'jobs', 'pods', 'replicasets'], taint: ['nodes'] };
const kinds = resources.map((info) => info.plural).sort((a, b) => (a < b ? -1 : 1));

const findKind = (word: string): ResourceInfo | undefined => {
  const low = word.toLowerCase();
  return resources.find((info) => info.plural === low || info.singular === low || info.resource === low || info.shortNames.includes(low));
};

/** `text`: the line up to the caret. */
export function placeOf(text: string, commands: readonly string[]): Place {
  const words = lastWords(text);
  const prefix = words.at(-1) ?? '';
  if (words.length === 1) return { prefix, wanted: [{ kind: 'words', words: commands }] };
  const [program = ''] = words;
  if (program !== 'kubectl' && program !== 'k') return { prefix, wanted: [{ kind: 'files' }] };
  return kubectlPlace(words.slice(1, -1), prefix);
}

function kubectlPlace(before: readonly string[], prefix: string): Place {
  if (before.includes('--')) return { prefix, wanted: [] };
  const plain = plainWords(before);
  const [verb = ''] = plain;
  const namespace = namespaceIn(before);
  const equals = /^(--?[\w-]+)=(.*)$/s.exec(prefix);
  if (equals !== null) return { prefix: equals[2] ?? '', wanted: valuesOf(equals[1] ?? '', plain, namespace) };
  const last = before.at(-1) ?? '';
  if (valueFlags.has(last)) return { prefix, wanted: valuesOf(last, plain, namespace) };
  if (prefix.startsWith('-')) {
    const known = [...(flags[verb] ?? []), ...always];
    return { prefix, wanted: [{ kind: 'words', words: known.filter((flag) => bare.has(flag)) }, { kind: 'words', words: known.filter((flag) => !bare.has(flag)).map((flag) => `${flag}=`), open: true }] };
  }
  if (plain.length === 0) return { prefix, wanted: [{ kind: 'words', words: verbs }] };
  return { prefix, wanted: positional(verb, plain.slice(1), prefix, namespace) };
}

function namespaceIn(words: readonly string[]): string | undefined {
  const at = words.findIndex((word) => word === '-n' || word === '--namespace');
  if (at >= 0) return words[at + 1];
  return words.map((word) => /^(?:--namespace=|-n=?)(.+)$/.exec(word)?.[1]).find((name) => name !== undefined);
}

function valuesOf(flag: string, plain: readonly string[], namespace: string | undefined): Wanted[] {
  const name = long[flag] ?? flag;
  if (name === '--namespace') return [names('namespaces', undefined)];
  if (name === '--filename' || name === '--patch-file') return [{ kind: 'files' }];
  if (name === '--container') return plain[1] === undefined ? [] : [{ kind: 'containers', pod: plain[1].replace(/^pods?\//, ''), namespace }];
  const words = values[name] ?? [];
  return [{ kind: 'words', words: words.filter((word) => !word.endsWith('=')) }, { kind: 'words', words: words.filter((word) => word.endsWith('=')), open: true }];
}

const names = (resource: ResourceName, namespace: string | undefined, before = ''): Wanted => ({ kind: 'names', resource, namespace, before });

function positional(verb: string, given: readonly string[], prefix: string, namespace: string | undefined): Wanted[] {
  const pods = names('pods', namespace);
  if (verb === 'cordon' || verb === 'uncordon' || verb === 'drain') return [names('nodes', namespace)];
  if (verb === 'logs' || verb === 'exec' || verb === 'debug') {
    if (given.length === 0) return slash(prefix, namespace, [...rolled, 'jobs']) ?? [pods];
    return verb === 'logs' && given.length === 1 ? [{ kind: 'containers', pod: given[0] as string, namespace }] : [];
  }
  const own = parts[verb];
  if (own !== undefined && given.length === 0) return [{ kind: 'words', words: own }];
  if (verb === 'top') return given.length === 1 ? [given[0] === 'node' ? names('nodes', namespace) : pods] : [];
  if (verb === 'create' || verb === 'run' || verb === 'apply' || verb === 'config' || verb === 'auth' || verb === 'version') return [];
  const rest = own === undefined ? given : given.slice(1);
  if (verb === 'explain') return rest.length === 0 ? [{ kind: 'words', words: kinds }] : [];
  const withSlash = slash(prefix, namespace, kinds);
  if (withSlash !== undefined) return withSlash;
  const [kind] = rest;
  if (kind === undefined) return [{ kind: 'words', words: kindsFor(kindsOf[verb] ?? kinds, prefix) }];
  const info = findKind(kind);
  return info === undefined ? [] : [names(info.resource, namespace)];
}

/** 'pods', but 'pod' as well for who has typed so far and means the singular. */
const kindsFor = (plurals: readonly string[], prefix: string): readonly string[] => (plurals.some((word) => word.startsWith(prefix)) ? plurals : resources.filter((info) => plurals.includes(info.plural)).map((info) => info.singular));

function slash(prefix: string, namespace: string | undefined, allowed: readonly string[]): Wanted[] | undefined {
  const at = prefix.indexOf('/');
  if (at < 0) return undefined;
  const info = findKind(prefix.slice(0, at));
  return info === undefined || !(allowed.includes(info.plural) || info.resource === 'pods') ? [] : [names(info.resource, namespace, prefix.slice(0, at + 1))];
}

export interface Candidate {
  text: string;
  /** What goes after it when it is the only one. */
  after: string;
}

/** What Tab does: the text to put in for the prefix, and what to show if that says nothing new. */
export function choose(prefix: string, candidates: readonly Candidate[]): { text: string; show: readonly string[] } {
  const fitting = [...new Map(candidates.filter(({ text }) => text.startsWith(prefix)).map((item) => [item.text, item])).values()];
  const [first] = fitting;
  if (first === undefined) return { text: prefix, show: [] };
  if (fitting.length === 1) return { text: first.text + first.after, show: [] };
  let common = first.text;
  for (const { text } of fitting) while (!text.startsWith(common)) common = common.slice(0, -1);
  return { text: common, show: common.length > prefix.length ? [] : fitting.map(({ text }) => text).sort((a, b) => (a < b ? -1 : 1)) };
}

/** Words in columns, down and then across, as a shell lists them. */
export function inColumns(words: readonly string[], width: number): string {
  const cell = Math.max(...words.map((word) => word.length)) + 2;
  const columns = Math.max(1, Math.floor(width / cell));
  const rows = Math.ceil(words.length / columns);
  return Array.from({ length: rows }, (_, row) => `${Array.from({ length: columns }, (__, column) => (words[column * rows + row] ?? '').padEnd(cell)).join('').trimEnd()}\n`).join('');
}
