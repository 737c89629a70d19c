import type { ApiObject } from '../../api/resources.ts';
import type { Node, PodSpec, Taint } from '../../api/schema/types.ts';
import { ask, pathOf, printedName } from '../api.ts';
import type { KubectlEnvironment } from '../contract.ts';
import { Failure, isFailure, plainError, statusError } from '../failure.ts';
import { flag, parseArguments, type FlagTable, type ParsedArguments } from '../flags.ts';
import type { Command, Printer } from '../registry.ts';
import { fetchTarget, targetsOf, type Target } from '../targets.ts';
import { dryRunOf, dryRunSuffix, fileFlags, runEach, withNamespace } from './apply.ts';

const selection: FlagTable = {
  ...fileFlags, all: flag.bool(), selector: flag.text('l'), 'field-selector': flag.text(), 'all-namespaces': flag.bool('A'), overwrite: flag.bool(), list: flag.bool(),
  'resource-version': flag.text(), local: flag.bool(), record: flag.bool(),
};

function patch({ client }: KubectlEnvironment, target: Target, body: unknown, parsed: ParsedArguments, type = 'application/merge-patch+json', subresource?: string): ApiObject {
  const query: Record<string, string> = dryRunOf(parsed) === 'server' ? { dryRun: 'All' } : {};
  const response = ask(client, 'PATCH', pathOf(target.info, target.namespace, target.name, subresource), { query, body, contentType: type });
  if (isFailure(response)) throw statusError(response);
  return response.body as ApiObject;
}

function say(out: Printer, target: Target, what: string, parsed: ParsedArguments): void {
  out.stdout += parsed.text('output') === 'name' ? `${printedName(target.info, target.name)}\n` : `${printedName(target.info, target.name)} ${what}${dryRunSuffix(parsed)}\n`;
}

/** label and annotate: KEY=VALUE sets, KEY- takes away. Upstream: k8s.io/kubectl/pkg/cmd/label, annotate. */
function keyValues(field: 'labels' | 'annotations', word: string): Command {
  return {
    run(args, environment, out) {
      const parsed = parseArguments(args, selection, `kubectl ${word}`);
      const isChange = (text: string) => /^[^/=]*[^=]*=/.test(text) || (text.endsWith('-') && !text.startsWith('-'));
      const first = parsed.words.findIndex((text, index) => index > 0 && isChange(text));
      const changes = first < 0 ? [] : parsed.words.slice(first);
      const words = first < 0 ? parsed.words : parsed.words.slice(0, first);
      const place = withNamespace(environment, parsed);
      const targets = targetsOf(words, parsed, place, { nothing: 'one or more resources must be specified as <resource> <name> or <resource>/<name>' });
      if (changes.length === 0 && !parsed.bool('list')) throw plainError(`at least one ${word === 'label' ? 'label' : 'annotation'} update is required`);
      runEach(targets, (target) => changeKeys(target, field, word, changes, parsed, place, out));
    },
  };
}

function changeKeys(target: Target, field: 'labels' | 'annotations', word: string, changes: string[], parsed: ParsedArguments, environment: KubectlEnvironment, out: Printer): void {
  const object = fetchTarget(environment, target);
  const now = object.metadata[field] ?? {};
  const wanted: Record<string, string | null> = {};
  for (const change of changes) {
    const equals = change.indexOf('=');
    if (equals < 0) {
      const key = change.slice(0, -1);
      if (now[key] === undefined) out.stdout += `${word} "${key}" not found.\n`;
      else wanted[key] = null;
      continue;
    }
    const [key, value] = [change.slice(0, equals), change.slice(equals + 1)];
    if (now[key] !== undefined && now[key] !== value && !parsed.bool('overwrite')) throw plainError(`'${key}' already has a value (${now[key]}), and --overwrite is false`);
    wanted[key] = value;
  }
  const removes = Object.values(wanted).includes(null);
  const past = { label: removes ? 'unlabeled' : 'labeled', annotate: 'annotated' }[word] as string;
  const changed = Object.entries(wanted).some(([key, value]) => (now[key] ?? null) !== value);
  if (changed && dryRunOf(parsed) !== 'client') patch(environment, target, { metadata: { [field]: wanted } }, parsed);
  say(out, target, changed || word === 'annotate' ? past : 'not labeled', parsed);
}

export const label = keyValues('labels', 'label');
export const annotate = keyValues('annotations', 'annotate');

/** kubectl scale, through the scale subresource. */
export const scale: Command = {
  run(args, environment, out) {
    const parsed = parseArguments(args, { ...selection, replicas: flag.text(), 'current-replicas': flag.text(), timeout: flag.text() }, 'kubectl scale');
    const replicas = parsed.text('replicas');
    if (replicas === undefined) throw plainError('required flag(s) "replicas" not set');
    const count = Number(replicas);
    if (count < 0) throw plainError('The --replicas=COUNT flag is required, and COUNT must be greater than or equal to 0');
    const place = withNamespace(environment, parsed);
    runEach(targetsOf(parsed.words, parsed, place, { nothing: 'one or more resources must be specified as <resource> <name> or <resource>/<name>' }), (target) => {
      const object = fetchTarget(place, target) as ApiObject & { spec: { replicas?: number } };
      const current = parsed.text('current-replicas');
      if (current !== undefined && object.spec.replicas !== Number(current)) throw plainError(`Expected replicas to be ${current}, was ${object.spec.replicas ?? 0}`);
      if (dryRunOf(parsed) !== 'client') patch(place, target, { spec: { replicas: count } }, parsed, 'application/merge-patch+json', 'scale');
      say(out, target, 'scaled', parsed);
    });
  },
};

/** cordon and uncordon. */
function schedulable(unschedulable: boolean): Command {
  const word = unschedulable ? 'cordoned' : 'uncordoned';
  return {
    run(args, environment, out) {
      const parsed = parseArguments(args, selection, `kubectl ${unschedulable ? 'cordon' : 'uncordon'}`);
      runEach(targetsOf(['nodes', ...parsed.words], parsed, environment), (target) => {
        const node = fetchTarget(environment, target) as Node;
        if ((node.spec.unschedulable ?? false) === unschedulable) return say(out, target, `already ${word}`, parsed);
        if (dryRunOf(parsed) !== 'client') patch(environment, target, { spec: { unschedulable: unschedulable ? true : null } }, parsed);
        say(out, target, word, parsed);
      });
    },
  };
}

export const cordon = schedulable(true);
export const uncordon = schedulable(false);

const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

/** kubectl taint nodes NAME KEY=VALUE:EFFECT, KEY:EFFECT- or KEY-. */
export const taint: Command = {
  run(args, environment, out) {
    const parsed = parseArguments(args, selection, 'kubectl taint');
    const first = parsed.words.findIndex((word, index) => index > 0 && (/[:=]/.test(word) || word.endsWith('-')));
    if (first < 0) throw plainError('at least one taint update is required');
    const changes = parsed.words.slice(first).map(parseTaint);
    runEach(targetsOf(parsed.words.slice(0, first), parsed, environment, { nothing: 'one or more resources must be specified as <resource> <name> or <resource>/<name>' }), (target) => {
      const node = fetchTarget(environment, target) as Node;
      const taints = changes.reduce((list, change) => changeTaint(list, change, parsed, target.name), node.spec.taints ?? []);
      if (dryRunOf(parsed) !== 'client') patch(environment, target, { spec: { taints: taints.length === 0 ? null : taints } }, parsed);
      say(out, target, changes.every((change) => change.remove) ? 'untainted' : changes.some((change) => change.remove) ? 'modified' : 'tainted', parsed);
    });
  },
};

interface TaintChange {
  remove: boolean;
  taint: Taint;
}

function parseTaint(text: string): TaintChange {
  const remove = text.endsWith('-');
  const [pair = '', effect = ''] = (remove ? text.slice(0, -1) : text).split(':');
  const [key = '', value] = pair.split('=');
  if (effect !== '' && !effects.includes(effect)) throw new Failure(`error: invalid taint effect: ${effect}, unsupported taint effect\nSee 'kubectl taint -h' for help and examples\n`);
  if (!remove && effect === '') throw new Failure(`error: invalid taint spec: ${text}, a taint must have an effect\nSee 'kubectl taint -h' for help and examples\n`);
  return { remove, taint: { key, effect, ...(value === undefined || value === '' ? {} : { value }) } };
}

function changeTaint(list: Taint[], { remove, taint: wanted }: TaintChange, parsed: ParsedArguments, node: string): Taint[] {
  const same = (other: Taint) => other.key === wanted.key && (wanted.effect === '' || other.effect === wanted.effect);
  if (remove) {
    if (!list.some(same)) throw plainError(`taint "${wanted.key}${wanted.effect === '' ? '' : `:${wanted.effect}`}" not found`);
    return list.filter((other) => !same(other));
  }
  if (list.some(same) && !parsed.bool('overwrite')) throw plainError(`node ${node} already has ${wanted.key} taint(s) with same effect(s) and --overwrite is false`);
  return [...list.filter((other) => !same(other)), wanted];
}

/** kubectl patch TYPE NAME -p PATCH [--type strategic|merge|json]. */
export const patchCommand: Command = {
  run(args, environment, out) {
    const parsed = parseArguments(args, { ...selection, patch: flag.texts('p'), type: flag.text(), subresource: flag.text(), 'patch-file': flag.text() }, 'kubectl patch');
    const type = parsed.text('type') ?? 'strategic';
    const types: Record<string, string> = { strategic: 'application/strategic-merge-patch+json', merge: 'application/merge-patch+json', json: 'application/json-patch+json' };
    if (types[type] === undefined) throw plainError(`--type must be one of [json merge strategic], not "${type}"`);
    const text = parsed.text('patch');
    if (text === undefined) throw plainError('must specify --patch or --patch-file containing the contents of the patch');
    let body: unknown;
    try {
      body = JSON.parse(text);
    } catch (error) {
      throw plainError(`unable to parse "${text}": ${(error as Error).message}`);
    }
    const place = withNamespace(environment, parsed);
    runEach(targetsOf(parsed.words, parsed, place), (target) => {
      const before = fetchTarget(place, target);
      const after = patch(place, target, body, parsed, types[type], parsed.text('subresource'));
      say(out, target, before.metadata.resourceVersion === after.metadata.resourceVersion ? 'patched (no change)' : 'patched', parsed);
    });
  },
};

/** kubectl set image TYPE/NAME CONTAINER=IMAGE. */
export const set: Command = {
  run(args, environment, out) {
    const parsed = parseArguments(args, selection, 'kubectl set');
    const [what, ...words] = parsed.words;
    if (what !== 'image') throw plainError(`kubectl set ${what ?? ''} is not simulated: use set image, patch or apply`);
    const changes = words.filter((word) => word.includes('=')).map((word) => [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)] as const);
    const place = withNamespace(environment, parsed);
    runEach(targetsOf(words.filter((word) => !word.includes('=')), parsed, place, { nothing: 'one or more resources must be specified as <resource> <name> or <resource>/<name>' }), (target) => {
      const object = fetchTarget(place, target);
      const inPod = object.kind === 'Pod';
      const spec = (inPod ? (object as unknown as { spec: PodSpec }).spec : (object as unknown as { spec: { template: { spec: PodSpec } } }).spec.template.spec);
      const containers = changes.flatMap(([name, image]) => {
        const found = spec.containers.filter((container) => name === '*' || container.name === name);
        if (found.length === 0 && !(spec.initContainers ?? []).some((container) => container.name === name)) throw plainError(`unable to find container named "${name}"`);
        return found.map((container) => ({ name: container.name, image, changed: container.image !== image }));
      });
      if (!containers.some((container) => container.changed)) return;
      const change = { containers: containers.map(({ name, image }) => ({ name, image })) };
      patch(place, target, inPod ? { spec: change } : { spec: { template: { spec: change } } }, parsed, 'application/strategic-merge-patch+json');
      say(out, target, 'image updated', parsed);
    });
  },
};
