import { printYaml } from '../../api/yaml/print.ts';
import { apiVersionOf, resources, type ResourceInfo } from '../../api/resources.ts';
import { compareText } from '../../sim/plain.ts';
import { ask, resourceOfWord } from '../api.ts';
import { plainError, usageError } from '../failure.ts';
import { flag, parseArguments } from '../flags.ts';
import type { Command } from '../registry.ts';
import { renderColumns } from '../table.ts';

/** What kubectl tells of itself, of the server and of the one who asks. Upstream: k8s.io/kubectl/pkg/cmd/{version,apiresources,clusterinfo,auth,config,top}. */

const clientVersion = {
  major: '1', minor: '37', gitVersion: 'v1.37.2', gitCommit: '$Format:%H$', gitTreeState: 'clean', buildDate: '2026-01-01T00:00:00Z', goVersion: 'go1.26.8', compiler: 'gc', platform: 'linux/amd64',
};
const kustomizeVersion = 'v5.8.1';

export const version: Command = {
  run(args, { client }, out) {
    const parsed = parseArguments(args, { client: flag.bool(), output: flag.text('o') }, 'kubectl version');
    const output = parsed.text('output');
    const serverVersion = parsed.bool('client') ? undefined : (ask(client, 'GET', '/version').body as Record<string, string>);
    const all = { clientVersion, kustomizeVersion, ...(serverVersion === undefined ? {} : { serverVersion }) };
    if (output === 'json') out.stdout += `${JSON.stringify(all, null, 2)}\n`;
    else if (output === 'yaml') out.stdout += printYaml(all);
    else if (output !== undefined && output !== '') throw plainError("--output must be 'yaml' or 'json'");
    else out.stdout += `Client Version: ${clientVersion.gitVersion}\nKustomize Version: ${kustomizeVersion}\n${serverVersion === undefined ? '' : `Server Version: ${serverVersion.gitVersion ?? ''}\n`}`;
  },
};

const verbsOf = ({ resource }: ResourceInfo): string[] => (resource === 'namespaces' ? ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'] : ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch']);

/** Simplified: the kinds that this server knows. */
export const apiResources: Command = {
  run(args, _, out) {
    const parsed = parseArguments(args, {
      output: flag.text('o'), namespaced: flag.bool(), 'api-group': flag.text(), verbs: flag.list(), 'no-headers': flag.bool(), 'sort-by': flag.text(), cached: flag.bool(), categories: flag.list(),
    }, 'kubectl api-resources');
    if (parsed.words.length > 0) throw usageError(`unexpected arguments: [${parsed.words.join(' ')}]`, 'kubectl api-resources');
    const found = resources.filter((info) => (!parsed.has('namespaced') || info.namespaced === parsed.bool('namespaced')) && (!parsed.has('api-group') || info.group === parsed.text('api-group'))
      && parsed.list('verbs').every((verb) => verbsOf(info).includes(verb)) && parsed.list('categories').every((category) => category === 'all' && info.inAll))
      .sort((a, b) => (parsed.text('sort-by') === 'kind' ? compareText(a.kind, b.kind) : parsed.text('sort-by') === 'name' ? 0 : compareText(a.group, b.group)) || compareText(a.plural, b.plural));
    const output = parsed.text('output');
    if (output === 'name') {
      out.stdout += found.map(({ resource }) => `${resource}\n`).join('');
      return;
    }
    if (output !== undefined && output !== 'wide') throw plainError(`--output ${output} is not available`);
    const wide = output === 'wide';
    const head = ['NAME', 'SHORTNAMES', 'APIVERSION', 'NAMESPACED', 'KIND', ...(wide ? ['VERBS', 'CATEGORIES'] : [])];
    const rows = found.map((info) => [info.plural, info.shortNames.join(','), apiVersionOf(info), String(info.namespaced), info.kind, ...(wide ? [verbsOf(info).join(','), info.inAll ? 'all' : ''] : [])]);
    out.stdout += renderColumns(parsed.bool('no-headers') ? rows : [head, ...rows]);
  },
};

export const apiVersions: Command = {
  run(args, _, out) {
    parseArguments(args, {}, 'kubectl api-versions');
    out.stdout += [...new Set(resources.map(apiVersionOf))].sort(compareText).map((text) => `${text}\n`).join('');
  },
};

const server = 'https://127.0.0.1:6443';

export const clusterInfo: Command = {
  run(args, _, out) {
    const parsed = parseArguments(args, { output: flag.text('o') }, 'kubectl cluster-info');
    if (parsed.words[0] === 'dump') throw plainError('cluster-info dump is not simulated: use get and describe');
    out.stdout += `Kubernetes control plane is running at ${server}\n\nTo further debug and diagnose cluster problems, use 'kubectl cluster-info dump'.\n`;
  },
};

/** Simplified: the one who asks may do everything, and metrics are not collected. */
export const auth: Command = {
  run(args, environment, out) {
    const [part, ...rest] = args.filter((arg, index) => !(arg.startsWith('-') && index === 0));
    if (part === 'whoami') out.stdout += renderColumns([['ATTRIBUTE', 'VALUE'], ['Username', 'admin'], ['UID', 'admin-uid'], ['Groups', '[system:masters system:authenticated]']]);
    else if (part === 'can-i') canI(rest, environment, out);
    else if (part === 'reconcile') throw plainError('kubectl auth reconcile is not simulated');
    else throw usageError(`unknown command "${part ?? ''}"`, 'kubectl auth');
  },
};

const knownVerbs = new Set('get list watch create update patch delete deletecollection use bind escalate impersonate approve sign attest *'.split(' '));

const canI = (args: readonly string[], _: unknown, out: { stdout: string; stderr: string }): void => {
  const parsed = parseArguments(args, { subresource: flag.text(), 'all-namespaces': flag.bool('A'), quiet: flag.bool('q'), list: flag.bool(), 'no-headers': flag.bool() }, 'kubectl auth can-i');
  const [verb, what] = parsed.words;
  if (verb === undefined || what === undefined) throw plainError("you must specify two arguments: verb resource or verb resource/resourceName.\nSee 'kubectl auth can-i -h' for help and examples.");
  const word = what.split('/')[0] as string;
  if (!what.startsWith('/') && word !== '*' && resourceOfWord(word) === undefined) out.stderr += `Warning: the server doesn't have a resource type '${word}'\n\n`;
  if (!knownVerbs.has(verb)) out.stderr += `Warning: verb '${verb}' is not a known verb\n\n`;
  if (!parsed.bool('quiet')) out.stdout += 'yes\n';
};

export const top: Command = {
  run() {
    throw plainError('Metrics API not available');
  },
};

/** Simplified: one context that does not change. */
export const config: Command = {
  run(args, { namespace }, out) {
    const [part] = args.filter((arg) => !arg.startsWith('-'));
    const shown: Readonly<Record<string, () => string>> = {
      view: () => printYaml({
        apiVersion: 'v1', clusters: [{ cluster: { 'certificate-authority-data': 'DATA+OMITTED', server }, name: 'kubelapse' }], contexts: [{ context: { cluster: 'kubelapse', namespace, user: 'admin' }, name: 'kubelapse' }],
        'current-context': 'kubelapse', kind: 'Config', users: [{ name: 'admin', user: { 'client-certificate-data': 'DATA+OMITTED', 'client-key-data': 'DATA+OMITTED' } }],
      }),
      'current-context': () => 'kubelapse\n',
      'get-contexts': () => renderColumns([['CURRENT', 'NAME', 'CLUSTER', 'AUTHINFO', 'NAMESPACE'], ['*', 'kubelapse', 'kubelapse', 'admin', namespace]]),
      'get-clusters': () => 'NAME\nkubelapse\n',
      'get-users': () => 'NAME\nadmin\n',
    };
    if (part !== undefined && /^(set|set-context|set-cluster|set-credentials|unset|use-context|delete-\w+|rename-context)$/.test(part)) throw plainError(`kubectl config ${part} is not simulated: say -n NAMESPACE with each command`);
    const text = part === undefined ? undefined : shown[part];
    if (text === undefined) throw usageError(`unknown command "${part ?? ''}"`, 'kubectl config');
    out.stdout += text();
  },
};

export const alpha: Command = {
  run(_, _environment, out) {
    out.stderr += 'No alpha commands are available in this version of kubectl\n';
  },
};
