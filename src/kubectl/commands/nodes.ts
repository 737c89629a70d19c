import type { Node, Taint } from '../../api/schema/types.ts';
import { plainError, usageError } from '../failure.ts';
import { flag, parseArguments, type ParsedArguments } from '../flags.ts';
import type { Command } from '../registry.ts';
import { choiceFlags } from '../report.ts';
import { changeEach, patchObject, type Change } from '../write.ts';
import type { Found } from '../targets.ts';
import { taintText } from '../describe/lines.ts';

/** Marks a node for pods to come, or not; what was done. Upstream: k8s.io/kubectl/pkg/drain/cordon.go. */
export function markNode(change: Change, found: Found, unschedulable: boolean): string {
  const word = unschedulable ? 'cordoned' : 'uncordoned';
  if (((found.object as Node).spec.unschedulable ?? false) === unschedulable) return `already ${word}`;
  patchObject(change, found, { spec: { unschedulable: unschedulable ? true : null } }, 'strategic');
  return word;
}

function schedulable(verb: string, unschedulable: boolean): Command {
  return {
    run(args, environment, out) {
      const parsed = parseArguments(args, choiceFlags, `kubectl ${verb}`);
      if (parsed.words.length === 0 && !parsed.has('selector')) throw usageError(`USAGE: ${verb} NODE [flags]`, `kubectl ${verb}`);
      if (parsed.words.length > 0 && parsed.has('selector')) throw plainError('cannot specify both a node name and a --selector option');
      changeEach(nodeWords(parsed), parsed, environment, out, `kubectl-${verb}`, {}, (found, change, report) => report(found.info, found.object, markNode(change, found, unschedulable)));
    },
  };
}

/** Names are of nodes, unless they say what they are. */
export const nodeWords = ({ words }: ParsedArguments): string[] => (words.some((word) => word.includes('/')) ? words : ['nodes', ...words]);

export const cordon = schedulable('cordon', true);
export const uncordon = schedulable('uncordon', false);

const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

interface TaintChange {
  remove: boolean;
  taint: Taint;
}

/** kubectl taint nodes NAME KEY=VALUE:EFFECT, KEY:EFFECT- or KEY-. Upstream: k8s.io/kubectl/pkg/cmd/taint. */
export const taint: Command = {
  run(args, environment, out) {
    const parsed = parseArguments(args, { ...choiceFlags, overwrite: flag.bool() }, 'kubectl taint');
    const isChange = (word: string) => /[:=]/.test(word) || word.endsWith('-');
    const first = parsed.words.findIndex(isChange);
    const [words, specs] = first < 0 ? [parsed.words, []] : [parsed.words.slice(0, first), parsed.words.slice(first)];
    const late = specs.find((word) => !isChange(word));
    if (late !== undefined) throw plainError(`all resources must be specified before taint changes: ${late}`);
    if (words.length === 0) throw plainError('one or more resources must be specified as <resource> <name>');
    if (specs.length === 0) throw plainError('at least one taint update is required');
    const changes = readTaints(specs);
    if (!/^(no|nodes?)(\/|$)/.test(words[0] as string)) throw plainError(`invalid resource type ${words[0]}, only node types are supported`);
    if (words.length < 2 && !(words[0] as string).includes('/') && !parsed.bool('all') && !parsed.has('selector')) throw plainError("at least one resource name must be specified since 'all' parameter is not set");
    changeEach(words, parsed, environment, out, 'kubectl-taint', {}, (found, change, report) => {
      const before = (found.object as Node).spec.taints ?? [];
      const { taints, operation } = changeTaints(before, changes, parsed, found.name);
      report(found.info, patchObject(change, found, { spec: { taints: taints.length === 0 ? null : taints } }), operation);
    });
  },
};

function readTaints(specs: readonly string[]): TaintChange[] {
  const changes: TaintChange[] = [];
  for (const spec of specs) {
    const remove = spec.endsWith('-');
    const [pair = '', effect = '', more] = (remove ? spec.slice(0, -1) : spec).split(':');
    const [key = '', value = ''] = pair.split('=');
    if (more !== undefined) throw usageError(`invalid taint spec: ${spec}`, 'kubectl taint');
    if (effect !== '' && !effects.includes(effect)) throw usageError(`invalid taint effect: ${effect}, unsupported taint effect`, 'kubectl taint');
    if (!remove && effect === '') throw usageError(`invalid taint spec: ${spec}`, 'kubectl taint');
    if (!remove && changes.some((other) => !other.remove && other.taint.key === key && other.taint.effect === effect)) {
      throw usageError(`duplicated taints with the same key and effect: {${key} ${value} ${effect} <nil>}`, 'kubectl taint');
    }
    changes.push({ remove, taint: { key, effect, ...(value === '' ? {} : { value }) } });
  }
  return changes;
}

function changeTaints(before: readonly Taint[], changes: readonly TaintChange[], parsed: ParsedArguments, node: string): { taints: Taint[]; operation: string } {
  const same = (a: Taint) => (b: Taint) => a.key === b.key && (a.effect === '' || a.effect === b.effect);
  const added = changes.filter(({ remove }) => !remove).map((change) => change.taint);
  const removed = changes.filter(({ remove }) => remove).map((change) => change.taint);
  const taken = added.filter((one) => before.some(same(one))).map(({ key }) => key);
  if (taken.length > 0 && !parsed.bool('overwrite')) throw plainError(`node ${node} already has ${taken.join(',')} taint(s) with same effect(s) and --overwrite is false`);
  const absent = removed.filter((one) => !before.some(same(one))).map((one) => `taint ${JSON.stringify(taintText(one))} not found`);
  if (absent.length > 0) throw plainError(absent.length === 1 ? (absent[0] as string) : `[${absent.join(', ')}]`);
  const kept = before.filter((one) => !added.some((other) => same(other)(one)) && !removed.some((other) => same(other)(one)));
  const operation = added.length > 0 && (removed.length > 0 || taken.length > 0) ? 'modified' : added.length > 0 ? 'tainted' : 'untainted';
  return { taints: [...added, ...kept], operation };
}
