import { printYaml } from '../../api/yaml/print.ts';
import { plainError } from '../failure.ts';
import { flag, parseArguments } from '../flags.ts';
import { readItems, withNamespace } from '../manifests.ts';
import { jsonText } from '../output/printers.ts';
import type { Command, CommandTable } from '../registry.ts';
import { choiceFlags, reporter, runEach } from '../report.ts';
import { fetchTarget, targetsOf } from '../targets.ts';
import { patchObject } from '../write.ts';
import { lastApplied, remembered } from './last-applied.ts';

/** kubectl apply view-last-applied and set-last-applied. Upstream: k8s.io/kubectl/pkg/cmd/apply. */
const view: Command = {
  run(args, environment, out) {
    const parsed = parseArguments(args, choiceFlags, 'kubectl apply view-last-applied');
    const output = parsed.text('output') ?? 'yaml';
    if (output !== 'yaml' && output !== 'json') throw plainError(`Unexpected -o output mode: ${output}, the flag 'output' must be one of yaml|json\nSee 'view-last-applied -h' for help and examples`);
    const place = withNamespace(environment, parsed);
    runEach(targetsOf(parsed.words, parsed, place, { bareIsAll: true }), (target) => {
      const text = fetchTarget(place, target).metadata.annotations?.[lastApplied];
      if (text === undefined) throw plainError(`no last-applied-configuration annotation found on resource: ${target.name}`);
      const value = JSON.parse(text) as unknown;
      out.stdout += output === 'json' ? jsonText(value) : printYaml(value);
    });
  },
};

const set: Command = {
  run(args, environment, out) {
    const parsed = parseArguments(args, { ...choiceFlags, 'create-annotation': flag.bool() }, 'kubectl apply set-last-applied');
    const place = withNamespace(environment, parsed);
    const report = reporter(parsed, out);
    runEach(readItems(parsed.list('filename'), place), (item) => {
      const { info, namespace } = item;
      const name = item.object.metadata?.name ?? '';
      const object = fetchTarget(place, { info, namespace, name });
      if (object.metadata.annotations?.[lastApplied] === undefined && !parsed.bool('create-annotation')) {
        throw plainError(`no last-applied-configuration annotation found on resource: ${name}, to create the annotation, run the command with --create-annotation`);
      }
      const text = remembered(item).metadata?.annotations?.[lastApplied];
      const after = patchObject({ parsed, client: place.client, out, manager: 'kubectl-last-applied' }, { info, namespace, name, object }, { metadata: { annotations: { [lastApplied]: text } } });
      report(info, after, 'configured');
    });
  },
};

export const applyParts: CommandTable = { 'apply view-last-applied': view, 'apply set-last-applied': set };
