import { labelValueProblems } from '../../api/meta/names.ts';
import { compareText } from '../../sim/plain.ts';
import { plainError } from '../failure.ts';
import { flag, parseArguments, type FlagTable } from '../flags.ts';
import type { Command } from '../registry.ts';
import { choiceFlags } from '../report.ts';
import { changeEach, patchObject } from '../write.ts';

const flags: FlagTable = { ...choiceFlags, overwrite: flag.bool(), list: flag.bool(), 'resource-version': flag.text() };
const oneOrMore = 'one or more resources must be specified as <resource> <name> or <resource>/<name>';
const changeCause = 'kubernetes.io/change-cause';

type Field = 'labels' | 'annotations';

/** label and annotate: KEY=VALUE sets, KEY- takes away. Upstream: k8s.io/kubectl/pkg/cmd/label, annotate. */
function keyValues(field: Field, verb: string, noun: string): Command {
  return {
    run(args, environment, out) {
      const parsed = parseArguments(args, flags, `kubectl ${verb}`);
      const isChange = (text: string) => text.includes('=') || text.endsWith('-');
      const first = parsed.words.findIndex((text, index) => isChange(text) && (index > 0 || parsed.has('filename')));
      const [words, changes] = first < 0 ? [parsed.words, []] : [parsed.words.slice(0, first), parsed.words.slice(first)];
      const wanted = readChanges(changes, field, noun);
      if (words.length === 0 && !parsed.has('filename')) throw plainError(oneOrMore);
      if (changes.length === 0 && !parsed.bool('list')) throw plainError(`at least one ${noun} update is required`);
      changeEach(words, parsed, environment, out, `kubectl-${verb}`, {}, (found, change, report) => {
        const now = found.object.metadata[field] ?? {};
        if (parsed.bool('list')) {
          out.stdout += Object.keys(now).sort(compareText).map((key) => `${key}=${now[key]}\n`).join('');
          return;
        }
        if (field === 'labels') for (const [key, value] of Object.entries(wanted)) if (value === null && now[key] === undefined) out.stdout += `label "${key}" not found.\n`;
        if (!parsed.bool('overwrite')) refuseOverwrites(now, wanted, field);
        const added = Object.entries(wanted).some(([key, value]) => value !== null && now[key] !== value);
        const removed = Object.entries(wanted).some(([key, value]) => value === null && now[key] !== undefined);
        const after = added || removed ? patchObject(change, found, { metadata: { [field]: wanted } }) : found.object;
        report(found.info, after, field === 'annotations' ? 'annotated' : added && removed ? 'modified' : added ? 'labeled' : removed ? 'unlabeled' : 'not labeled');
      });
    },
  };
}

function readChanges(changes: readonly string[], field: Field, noun: string): Record<string, string | null> {
  const wanted: Record<string, string | null> = {};
  const both: string[] = [];
  for (const change of changes) {
    const equals = change.indexOf('=');
    if (equals < 0 && !change.endsWith('-')) throw plainError(`unknown ${noun} spec: ${change}`);
    const key = equals < 0 ? change.slice(0, -1) : change.slice(0, equals);
    const value = equals < 0 ? null : change.slice(equals + 1);
    const problem = field === 'labels' && value !== null ? labelValueProblems(value) : [];
    if (field === 'labels' && value?.includes('=')) throw plainError(`invalid label spec: ${change}`);
    if (problem.length > 0) throw plainError(`invalid label value: ${JSON.stringify(change)}: ${problem.join(';')}`);
    if (wanted[key] !== undefined && (wanted[key] === null) !== (value === null)) both.push(key);
    wanted[key] = value;
  }
  if (both.length > 0) throw plainError(field === 'labels' ? 'can not both modify and remove a label in the same command' : `can not both modify and remove the following annotation(s) in the same command: ${both.join(', ')}`);
  return wanted;
}

function refuseOverwrites(now: Readonly<Record<string, string>>, wanted: Readonly<Record<string, string | null>>, field: Field): void {
  const taken = Object.entries(wanted).filter(([key, value]) => value !== null && now[key] !== undefined && now[key] !== value && (field === 'labels' || key !== changeCause))
    .map(([key]) => `'${key}' already has a value (${now[key]})`);
  if (taken.length === 0) return;
  if (field === 'annotations') throw plainError(`--overwrite is false but found the following declared annotation(s): ${taken.join('; ')}`);
  const texts = taken.map((text) => `${text}, and --overwrite is false`);
  throw plainError(texts.length === 1 ? (texts[0] as string) : `[${texts.join(', ')}]`);
}

export const label = keyValues('labels', 'label', 'label');
export const annotate = keyValues('annotations', 'annotate', 'annotation');
