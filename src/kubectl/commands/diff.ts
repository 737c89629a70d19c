import { lineDiff } from '../../api/meta/line-diff.ts';
import { printYaml } from '../../api/yaml/print.ts';
import { apiVersionOf, type ApiObject } from '../../api/resources.ts';
import { formatRfc3339 } from '../../sim/time.ts';
import { ask, getObject, pathOf } from '../api.ts';
import { Failure, isFailure, statusError } from '../failure.ts';
import { flag, parseArguments, type ParsedArguments } from '../flags.ts';
import { readItems, withNamespace, type Item, type Place } from '../manifests.ts';
import type { Command } from '../registry.ts';
import { fileFlags } from '../report.ts';
import { patchFor } from './apply.ts';
import { filesOf } from './kustomize.ts';
import { remembered } from './last-applied.ts';

const flags = { ...fileFlags, 'server-side': flag.bool(), 'force-conflicts': flag.bool(), prune: flag.bool(), selector: flag.text('l'), 'show-managed-fields': flag.bool(), concurrency: flag.int() };

/** kubectl diff: what apply would change, as diff -u shows it; the exit code is 1 when there is something. Upstream: k8s.io/kubectl/pkg/cmd/diff. */
export const diff: Command = {
  run(args, environment, out) {
    try {
      const parsed = parseArguments(args, flags, 'kubectl diff');
      if (!parsed.has('filename') && !parsed.has('kustomize')) throw new Failure('error: must specify one of -f and -k\n');
      const place = withNamespace(environment, parsed);
      const texts = filesOf(parsed, place, readItems).map((item) => {
        if (item instanceof Failure) throw item;
        return diffOne(item, place, parsed);
      });
      out.stdout += texts.join('');
      if (texts.some((text) => text !== '')) throw new Failure('', 1);
    } catch (error) {
      // What goes wrong is told apart from what differs.
      if (error instanceof Failure && error.text !== '') throw new Failure(error.text, 2);
      throw error;
    }
  },
};

function diffOne(item: Item, { client }: Place, parsed: ParsedArguments): string {
  const { info, namespace, object, source } = item;
  const name = object.metadata?.name ?? '';
  const live = getObject(client, info, namespace, name);
  const query = { dryRun: 'All', fieldManager: 'kubectl-client-side-apply' };
  const patch = live === undefined ? undefined : patchFor(item, live);
  const response = patch === undefined ? ask(client, 'POST', pathOf(info, namespace), { query, body: remembered(item) })
    : ask(client, 'PATCH', pathOf(info, namespace, name), { query, body: patch, contentType: 'application/strategic-merge-patch+json' });
  if (isFailure(response)) throw statusError(response, live === undefined ? `error when creating "${source}": ` : '');
  const linesOf = (one: ApiObject | undefined) => (one === undefined ? [] : printYaml(cleaned(one, parsed)).slice(0, -1).split('\n'));
  const merged = response.body as ApiObject;
  const hunks = lineDiff(linesOf(live), linesOf({ ...merged, metadata: withoutApplied(merged, live) }));
  if (hunks === '') return '';
  const file = `${apiVersionOf(info).replace('/', '.')}.${info.kind}.${namespace}.${name}`;
  const [left, right] = [`/tmp/LIVE-0/${file}`, `/tmp/MERGED-0/${file}`];
  const time = formatRfc3339(client.epochMs).replace('T', ' ').replace('Z', '.000000000 +0000');
  return `diff -u -N ${left} ${right}\n--- ${left}\t${time}\n+++ ${right}\t${time}\n${hunks}`;
}

const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

/** The annotation is left as it is: it says nothing that the rest does not say. */
function withoutApplied({ metadata }: ApiObject, live: ApiObject | undefined): ApiObject['metadata'] {
  const { annotations = {}, resourceVersion: _, ...rest } = metadata;
  const { [lastApplied]: _1, ...others } = annotations;
  const before = live?.metadata.annotations?.[lastApplied];
  const kept = before === undefined ? others : { ...others, [lastApplied]: before };
  const version = live?.metadata.resourceVersion;
  return { ...rest, ...(Object.keys(kept).length === 0 ? {} : { annotations: kept }), ...(version === undefined ? {} : { resourceVersion: version }) } as ApiObject['metadata'];
}

function cleaned(object: ApiObject, parsed: ParsedArguments): ApiObject {
  if (parsed.bool('show-managed-fields')) return object;
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}
