import { parseYaml } from '../../api/yaml.ts';
import { ask, pathOf } from '../api.ts';
import { isFailure, notFound, plainError, statusError } from '../failure.ts';
import { flag, parseArguments } from '../flags.ts';
import { withNamespace } from '../manifests.ts';
import type { Command } from '../registry.ts';
import { choiceFlags, dryRunOf, reporter, runEach } from '../report.ts';
import { targetsOf } from '../targets.ts';
import { changeEach, patchObject, patchTypes, type Change, type PatchType } from '../write.ts';

/** kubectl patch TYPE NAME -p PATCH [--type strategic|merge|json]. Upstream: k8s.io/kubectl/pkg/cmd/patch. */
export const patchCommand: Command = {
  run(args, environment, out) {
    const parsed = parseArguments(args, { ...choiceFlags, patch: flag.texts('p'), type: flag.text(), subresource: flag.text(), 'patch-file': flag.text() }, 'kubectl patch');
    const type = (parsed.text('type') ?? 'strategic').toLowerCase() as PatchType;
    if (patchTypes[type] === undefined) throw plainError(`--type must be one of [${Object.keys(patchTypes).join(' ')}], not "${parsed.text('type') ?? ''}"`);
    const text = parsed.text('patch') ?? environment.files?.[parsed.text('patch-file') ?? ''];
    if (text === undefined) throw plainError('must specify --patch or --patch-file containing the contents of the patch');
    const body = read(text);
    changeEach(parsed.words, parsed, environment, out, 'kubectl-patch', {}, (found, change, report) => {
      const after = patchObject(change, found, body, type, parsed.text('subresource'));
      report(found.info, after, after.metadata.resourceVersion === found.object.metadata.resourceVersion && dryRunOf(parsed) === 'none' && change.out.stderr === '' ? 'patched (no change)' : 'patched');
    });
  },
};

/** As JSON: YAML is turned into it; what is neither goes to the server as it is. */
function read(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    if (/^\s*[{[]/.test(text)) return text;
  }
  try {
    const value = parseYaml(text);
    return typeof value === 'string' ? JSON.stringify(value) : value;
  } catch (error) {
    throw plainError(`unable to parse ${JSON.stringify(text)}: ${(error as Error).message}`);
  }
}

/** kubectl scale, through the scale subresource. Upstream: k8s.io/kubectl/pkg/cmd/scale. */
export const scale: Command = {
  run(args, environment, out) {
    const parsed = parseArguments(args, { ...choiceFlags, replicas: flag.int(), 'current-replicas': flag.int(), timeout: flag.duration(), 'resource-version': flag.text() }, 'kubectl scale');
    const count = parsed.int('replicas');
    if (count === undefined) throw plainError('required flag(s) "replicas" not set');
    if (count < 0) throw plainError('The --replicas=COUNT flag is required, and COUNT must be greater than or equal to 0');
    const place = withNamespace(environment, parsed);
    const targets = targetsOf(parsed.words, parsed, place);
    if (targets.length === 0) throw plainError('no objects passed to scale');
    const report = reporter(parsed, out);
    const change: Change = { parsed, client: place.client, out, manager: 'kubectl-scale' };
    runEach(targets, ({ info, namespace, name }) => {
      const now = ask(place.client, 'GET', pathOf(info, namespace, name, 'scale'));
      const object = now.body as { metadata: { name: string }; spec?: { replicas?: number } };
      const wanted = parsed.int('current-replicas');
      if (now.code === 404 && info.subresources.includes('scale')) throw notFound(info, name);
      if (isFailure(now)) throw statusError(now);
      if (wanted !== undefined && wanted !== -1 && object.spec?.replicas !== wanted) throw plainError(`Expected replicas to be ${wanted}, was ${object.spec?.replicas ?? 0}`);
      if (dryRunOf(parsed) !== 'client') patchObject(change, { info, namespace, name, object: object as never }, { spec: { replicas: count } }, 'merge', 'scale');
      report(info, object, 'scaled');
    });
  },
};
