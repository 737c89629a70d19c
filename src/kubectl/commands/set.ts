import { isQuantity } from '../../api/quantity.ts';
import type { ApiObject } from '../../api/resources.ts';
import type { Container, EnvVar, PodSpec, Service } from '../../api/schema/types.ts';
import { getObject } from '../api.ts';
import type { KubectlEnvironment } from '../contract.ts';
import { notFound, plainError } from '../failure.ts';
import { flag, parseArguments, type FlagTable, type ParsedArguments } from '../flags.ts';
import { withNamespace } from '../manifests.ts';
import { matchingContainers, patchOfPodSpec, podSpecOf } from '../pod-template.ts';
import type { Command, Printer } from '../registry.ts';
import { choiceFlags } from '../report.ts';
import { needsResource, resourceList } from '../targets.ts';
import { changeEach, patchObject, type Change } from '../write.ts';
import { setHelp } from './group-help.ts';

const oneOrMore = 'one or more resources must be specified as <resource> <name> or <resource>/<name>';
const selectFlags: FlagTable = { ...choiceFlags, containers: flag.text('c') };

/** kubectl set image, env, resources, serviceaccount, selector. Upstream: k8s.io/kubectl/pkg/cmd/set. */
export const set: Command = {
  run(args, environment, out) {
    const part = args.find((arg) => !arg.startsWith('-'));
    const work = part === undefined ? undefined : parts[part];
    if (part === undefined) throw setHelp();
    if (work === undefined) throw plainError(`unknown command "${part}"\nSee 'kubectl set -h' for help and examples`);
    work(args.filter((_, index) => index !== args.indexOf(part)), environment, out);
  },
};

type Part = (args: readonly string[], environment: KubectlEnvironment, out: Printer) => void;

/** Changes the containers of pod templates: the new ones, or undefined where nothing is to do. */
function templatePart(name: string, done: string, flags: FlagTable, changesOf: (parsed: ParsedArguments, words: string[]) => { words: string[]; nothing?: string },
  change: (spec: PodSpec, parsed: ParsedArguments, words: string[], environment: KubectlEnvironment, object: ApiObject, out: Printer) => unknown): Part {
  return (args, environment, out) => {
    const parsed = parseArguments(args, { ...selectFlags, ...flags }, `kubectl set ${name}`);
    const { words, nothing = needsResource } = changesOf(parsed, parsed.words);
    changeEach(words, parsed, environment, out, `kubectl-set`, { nothing }, (found, how: Change, report) => {
      const spec = podSpecOf(found.object);
      if (spec === undefined) throw plainError(`the object is not a pod or does not have a pod template: ${found.info.kind}`);
      const patch = change(spec, parsed, parsed.words.filter((word) => !words.includes(word)), withNamespace(environment, parsed), found.object, out);
      if (patch === undefined) return;
      const after = patchObject(how, found, patchOfPodSpec(found.object, patch), 'strategic');
      if (after.metadata.resourceVersion !== found.object.metadata.resourceVersion || parsed.has('dry-run')) report(found.info, after, done);
    });
  };
}

const pairWords = (words: readonly string[]) => words.filter((word) => word.includes('='));
const withoutPairs = (_: ParsedArguments, words: string[]) => ({ words: words.filter((word) => !word.includes('=')) });

const image = templatePart('image', 'image updated', {}, withoutPairs, (spec, _, words) => {
  const groups = { containers: spec.containers, initContainers: spec.initContainers ?? [] };
  const patch: Record<string, { name: string; image: string }[]> = {};
  for (const pair of pairWords(words)) {
    const [name = '', ...rest] = pair.split('=');
    let found = false;
    for (const [group, containers] of Object.entries(groups)) {
      for (const container of matchingContainers(containers, name)) {
        found = true;
        if (container.image !== rest.join('=')) (patch[group] ??= []).push({ name: container.name, image: rest.join('=') });
      }
    }
    if (!found) throw plainError(`unable to find container named "${name}"`);
  }
  return Object.keys(patch).length === 0 ? undefined : patch;
});

const isEnv = (word: string) => word.includes('=') || word.endsWith('-');

const env = templatePart('env', 'env updated', { list: flag.bool(), from: flag.text(), prefix: flag.text(), overwrite: flag.bool(), resolve: flag.bool(), env: flag.texts('e'), keys: flag.list() },
  (_, words) => ({ words: words.filter((word) => !isEnv(word)), nothing: oneOrMore }),
  (spec, parsed, words, environment, object, out) => {
    const containers = matchingContainers(spec.containers, parsed.text('containers') ?? '*');
    const from = fromSource(parsed, environment);
    if (parsed.bool('list')) {
      for (const container of containers) out.stdout += `# ${object.kind} ${object.metadata.name}, container ${container.name}\n${(container.env ?? []).map(envText).join('')}`;
      return undefined;
    }
    const specs = [...words, ...parsed.list('env')];
    return { containers: containers.map((container) => ({ name: container.name, env: envPatch(container, specs, from) })) };
  });

const envText = ({ name, value = '', valueFrom }: EnvVar): string => {
  const { configMapKeyRef, secretKeyRef, fieldRef, resourceFieldRef } = valueFrom ?? {};
  if (configMapKeyRef) return `# ${name} from configmap ${configMapKeyRef.name ?? ''}, key ${configMapKeyRef.key}\n`;
  if (secretKeyRef) return `# ${name} from secret ${secretKeyRef.name ?? ''}, key ${secretKeyRef.key}\n`;
  if (fieldRef) return `# ${name} from field path ${fieldRef.fieldPath}\n`;
  return resourceFieldRef ? `# ${name} from resource field ${resourceFieldRef.resource}\n` : `${name}=${value}\n`;
};

function envPatch({ env: now = [] }: Container, specs: readonly string[], from: readonly EnvVar[]): unknown[] {
  return [...from, ...specs.map((spec) => {
    const equals = spec.indexOf('=');
    return equals < 0 ? { $patch: 'delete', name: spec.slice(0, -1) } : { name: spec.slice(0, equals), value: spec.slice(equals + 1) };
  }).filter((item) => !('$patch' in item) || now.some(({ name }) => name === item.name))];
}

/** --from=configmap/NAME or secret/NAME: a variable for each key. */
function fromSource(parsed: ParsedArguments, { client, namespace }: KubectlEnvironment): EnvVar[] {
  const from = parsed.text('from');
  if (from === undefined) return [];
  const [word = '', name = ''] = from.split('/');
  const [info] = resourceList(word);
  if (info === undefined || (info.resource !== 'configmaps' && info.resource !== 'secrets')) throw plainError(`unsupported resource specified in --from`);
  const object = getObject(client, info, namespace, name) as { data?: Record<string, string> } | undefined;
  if (object === undefined) throw notFound(info, name);
  const prefix = parsed.text('prefix') ?? '';
  const wanted = parsed.list('keys');
  return Object.keys(object.data ?? {}).sort((a, b) => (a < b ? -1 : 1)).filter((key) => wanted.length === 0 || wanted.includes(key)).map((key) => ({
    name: `${prefix}${key.toUpperCase().replace(/[^A-Z0-9_]/g, '_')}`,
    valueFrom: info.resource === 'secrets' ? { secretKeyRef: { name, key } } : { configMapKeyRef: { name, key } },
  }));
}

function amounts(text: string | undefined): Record<string, string> | undefined {
  if (text === undefined) return undefined;
  return Object.fromEntries(text.split(',').map((pair) => {
    const [name = '', value] = pair.split('=');
    if (value === undefined) throw plainError(`invalid argument syntax "${pair}", expected <resource>=<quantity>`);
    if (!isQuantity(value)) throw plainError("quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'");
    return [name, value];
  }));
}

const resources = templatePart('resources', 'resource requirements updated', { limits: flag.text(), requests: flag.text() }, (parsed, words) => {
  if (!parsed.has('limits') && !parsed.has('requests')) throw plainError('you must specify an update to requests or limits (in the form of --requests/--limits)');
  amounts(parsed.text('limits'));
  amounts(parsed.text('requests'));
  return { words };
}, (spec, parsed) => {
  const [limits, requests] = [amounts(parsed.text('limits')), amounts(parsed.text('requests'))];
  const containers = matchingContainers(spec.containers, parsed.text('containers') ?? '*');
  return { containers: containers.map(({ name }) => ({ name, resources: { ...(limits === undefined ? {} : { limits }), ...(requests === undefined ? {} : { requests }) } })) };
});

const serviceAccount = templatePart('serviceaccount', 'serviceaccount updated', {}, (_, words) => {
  if (words.length === 0) throw plainError('serviceaccount is required');
  return { words: words.slice(0, -1) };
}, (_, parsed) => ({ serviceAccountName: parsed.words.at(-1) ?? '' }));

const selector: Part = (args, environment, out) => {
  const parsed = parseArguments(args, choiceFlags, 'kubectl set selector');
  const pairs = pairWords(parsed.words);
  if (pairs.length === 0) throw plainError('one or more resources must be specified as <resource> <name> or <resource>/<name>');
  changeEach(parsed.words.filter((word) => !word.includes('=')), parsed, environment, out, 'kubectl-set', { nothing: oneOrMore }, (found, change, report) => {
    if (found.info.resource !== 'services') throw plainError('setting a selector is only supported for Services');
    const now = (found.object as Service).spec.selector ?? {};
    const wanted = Object.fromEntries(pairs.map((pair) => pair.split('=') as [string, string]));
    const gone = Object.fromEntries(Object.keys(now).filter((key) => wanted[key] === undefined).map((key) => [key, null]));
    report(found.info, patchObject(change, found, { spec: { selector: { ...gone, ...wanted } } }), 'selector updated');
  });
};

const parts: Readonly<Record<string, Part>> = { image, env, resources, serviceaccount: serviceAccount, sa: serviceAccount, selector };
