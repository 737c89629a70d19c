import { goJson } from '../../api/meta/go-text.ts';
import { threeWayPatch } from '../../api/meta/patches.ts';
import type { ApiObject } from '../../api/resources.ts';
import type { Status } from '../../api/schema/types.ts';
import { ask, getObject, pathOf } from '../api.ts';
import type { KubectlEnvironment, RestResponse } from '../contract.ts';
import { isFailure, plainError, statusError, type Failure } from '../failure.ts';
import { flag, parseArguments, type FlagTable, type ParsedArguments } from '../flags.ts';
import { located, readItems, withNamespace, type Item } from '../manifests.ts';
import { partOf, type Command, type Printer } from '../registry.ts';
import { dryRunOf, fileFlags, reporter, runEach, validationOf, warn, writeQuery, type Reporter } from '../report.ts';
import { filesOf } from './kustomize.ts';
import { lastApplied, remembered } from './last-applied.ts';

const flags: FlagTable = {
  ...fileFlags, 'server-side': flag.bool(), 'force-conflicts': flag.bool(), force: flag.bool(), 'grace-period': flag.int(), overwrite: flag.bool(),
  prune: flag.bool(), selector: flag.text('l'), all: flag.bool(), wait: flag.bool(), timeout: flag.duration(), cascade: flag.text(undefined, 'background'), 'save-config': flag.bool(),
  'prune-allowlist': flag.list(), 'openapi-patch': flag.bool(),
};

/** kubectl apply -f: one document after another; one that fails does not stop the rest. */
export const apply: Command = {
  run(args, environment, out) {
    const part = args.find((arg) => !arg.startsWith('-'));
    if (part === 'view-last-applied' || part === 'set-last-applied') return partOf('apply', part)?.run(args.filter((arg) => arg !== part), environment, out);
    const parsed = parseArguments(args, flags, 'kubectl apply');
    checkFlags(parsed);
    const place = withNamespace(environment, parsed);
    const items = filesOf(parsed, place, readItems).filter((item) => selected(item, parsed.text('selector')));
    if (items.length === 0) throw plainError('no objects passed to apply');
    const report = reporter(parsed, out);
    runEach(items, (item) => applyOne(item, parsed, place, out, report));
    return undefined;
  },
};

function checkFlags(parsed: ParsedArguments): void {
  if (!parsed.has('filename') && !parsed.has('kustomize')) throw plainError('must specify one of -f and -k');
  validationOf(parsed);
  const [serverSide, force, dryRun] = [parsed.bool('server-side'), parsed.bool('force'), dryRunOf(parsed)];
  if (parsed.bool('force-conflicts') && !serverSide) throw plainError('--force-conflicts only works with --server-side');
  if (serverSide && dryRun === 'client') throw plainError("--dry-run=client doesn't work with --server-side (did you mean --dry-run=server instead?)");
  if (serverSide && force) throw plainError('--force cannot be used with --server-side');
  if (dryRun === 'server' && force) throw plainError('--dry-run=server cannot be used with --force');
  if (!parsed.bool('prune')) return;
  if (!parsed.bool('all') && !parsed.has('selector')) throw plainError('all resources selected for prune without explicitly passing --all. To prune all resources, pass the --all flag. If you did not mean to prune all resources, specify a label selector');
}

/** -l picks among the objects of the files. Simplified: equality alone. */
function selected(item: Item | Failure, selector: string | undefined): boolean {
  if (selector === undefined || !('object' in item)) return true;
  const labels = item.object.metadata?.labels ?? {};
  return selector.split(',').every((term) => {
    const [key = '', value = ''] = term.split(/==?/);
    return labels[key] === value;
  });
}

function applyOne(item: Item, parsed: ParsedArguments, place: KubectlEnvironment, out: Printer, report: Reporter): void {
  const { info, namespace, object, source } = item;
  const { name = '', generateName } = object.metadata ?? {};
  if (name === '' && generateName !== undefined) throw plainError(`from ${generateName}: cannot use generate name with apply`);
  if (parsed.bool('server-side')) return applyServerSide(item, parsed, place, out, report);
  const query = writeQuery(parsed, 'kubectl-client-side-apply');
  const current = name === '' ? undefined : getObject(place.client, info, namespace, name);
  if (current === undefined) {
    if (dryRunOf(parsed) === 'client') return report(info, located(item), 'created');
    const response = ask(place.client, 'POST', pathOf(info, namespace), { query, body: remembered(item) });
    warn(out, response);
    if (isFailure(response)) throw statusError(response, `error when creating "${source}": `);
    return report(info, response.body, 'created');
  }
  if (current.metadata.annotations?.[lastApplied] === undefined) {
    out.stderr += `Warning: resource ${info.plural}/${name} is missing the ${lastApplied} annotation which is required by kubectl apply. kubectl apply should only be used on resources created declaratively by either kubectl create --save-config or kubectl apply. The missing annotation will be patched automatically.\n`;
  }
  if (current.metadata.deletionTimestamp !== undefined) out.stderr += `Warning: Detected changes to resource ${name} which is currently being deleted.\n`;
  const patch = patchFor(item, current);
  if (Object.keys(patch).length === 0) return report(info, current, 'unchanged');
  if (dryRunOf(parsed) === 'client') return report(info, current, 'configured');
  const response = ask(place.client, 'PATCH', pathOf(info, namespace, name), { query, body: patch, contentType: 'application/strategic-merge-patch+json' });
  warn(out, response);
  if (isFailure(response)) throw patchError(response, item, patch);
  const changed = (response.body as ApiObject).metadata.resourceVersion !== current.metadata.resourceVersion || dryRunOf(parsed) === 'server';
  report(info, response.body, changed ? 'configured' : 'unchanged');
}

export function patchFor(item: Item, current: ApiObject): Record<string, unknown> {
  const before = current.metadata.annotations?.[lastApplied];
  const original = before === undefined ? {} : (JSON.parse(before) as Record<string, unknown>);
  const patch = threeWayPatch(original, remembered(item), current, item.info.struct ?? item.info.kind);
  delete patch.status;
  return patch;
}

/** Upstream: kubectl/pkg/cmd/apply/patcher.go patchSimple. */
function patchError(response: RestResponse, { info, source, object, namespace }: Item, patch: unknown): Failure {
  const group = info.group === '' ? '' : `${info.group}/`;
  const to = `Resource: "${group}${info.version}, Resource=${info.plural}", GroupVersionKind: "${group || '/'}${info.version}, Kind=${info.kind}"\nName: "${object.metadata?.name ?? ''}", Namespace: "${namespace}"`;
  return statusError(response, `error when applying patch:\n${goJson(patch)}\nto:\n${to}\nfor: "${source}": error when patching "${source}": `);
}

function applyServerSide(item: Item, parsed: ParsedArguments, { client }: KubectlEnvironment, out: Printer, report: Reporter): void {
  const { info, namespace, object } = item;
  const query = { ...writeQuery(parsed, 'kubectl'), force: String(parsed.bool('force-conflicts')) };
  const response = ask(client, 'PATCH', pathOf(info, namespace, object.metadata?.name ?? ''), { query, body: located(item), contentType: 'application/apply-patch+yaml' });
  warn(out, response);
  if (response.code === 409) throw plainError(conflictText(response.body as Status));
  if (isFailure(response)) throw statusError(response);
  report(info, response.body, 'serverside-applied');
}

/** Upstream: kubectl/pkg/cmd/apply/apply.go applyOneObject. */
const conflictText = ({ message = '' }: Status): string => `${message}
Please review the fields above--they currently have other managers. Here
are the ways you can resolve this warning:
* If you intend to manage all of these fields, please re-run the apply
  command with the \`--force-conflicts\` flag.
* If you do not intend to manage all of the fields, please edit your
  manifest to remove references to the fields that should keep their
  current managers.
* You may co-own fields by updating your manifest to match the existing
  value; in this case, you'll become the manager if the other manager(s)
  stop managing the field (remove it from their configuration).
See https://kubernetes.io/docs/reference/using-api/server-side-apply/#conflicts`;
