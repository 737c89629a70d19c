import { withNamespace } from '../manifests.ts';
import type { KubectlEnvironment } from '../contract.ts';
import { Failure } from '../failure.ts';
import { flag, parseArguments } from '../flags.ts';
import type { Command } from '../registry.ts';
import { findObjects, listObjects, resourceList } from '../targets.ts';
import { describeObject } from './index.ts';
import type { Look } from './look.ts';

/** kubectl describe: by name, by prefix, by selector, or all. Upstream: k8s.io/kubectl/pkg/cmd/describe. */
export const describe: Command = {
  run(args, environment, out) {
    const parsed = parseArguments(args, {
      filename: flag.list('f'), selector: flag.text('l'), 'all-namespaces': flag.bool('A'), 'show-events': flag.bool(), 'chunk-size': flag.text(), recursive: flag.bool('R'), kustomize: flag.text('k'),
    }, 'kubectl describe');
    const place = withNamespace(environment, parsed);
    if (parsed.words.length === 0 && !parsed.has('filename')) throw new Failure('error: You must specify the type of resource to describe. Use "kubectl api-resources" for a complete list of supported resources.\n');
    const { found, failures } = findObjects(parsed.words, parsed, place);
    const showEvents = parsed.has('show-events') ? parsed.bool('show-events') : found.length < 2 && failures.length === 0;
    const look: Look = { client: place.client, nowMs: place.client.epochMs, showEvents };
    if (failures.length > 0 && parsed.words.length === 2 && failures.every(({ text }) => text.includes('(NotFound)'))) {
      out.stdout += matching(parsed.words[0] as string, parsed.words[1] as string, place, look, failures[0] as Failure);
      return;
    }
    out.stdout += found.map(({ info, object }) => describeObject(info, object, look)).join('\n\n');
    if (failures.length > 0) throw new Failure(failures.map(({ text }) => text).join(''));
    if (found.length === 0) out.stderr += parsed.bool('all-namespaces') ? 'No resources found\n' : `No resources found in ${place.namespace} namespace.\n`;
  },
};

function matching(word: string, prefix: string, place: KubectlEnvironment, look: Look, failure: Failure): string {
  const [info] = resourceList(word);
  const found = info === undefined ? [] : listObjects(place, info, {}).filter(({ metadata }) => metadata.name.startsWith(prefix));
  if (info === undefined || found.length === 0) throw failure;
  return found.map((object) => `${describeObject(info, object, look)}\n`).join('');
}
