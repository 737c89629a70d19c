import { goJson } from '../../api/meta/go-text.ts';
import type { ApiObject, NewObject } from '../../api/resources.ts';
import { ask, getObject, pathOf, printedName } from '../api.ts';
import { threeWayPatch } from '../apply-patch.ts';
import type { KubectlEnvironment, RestResponse } from '../contract.ts';
import { Failure, isFailure, plainError, statusError } from '../failure.ts';
import { flag, parseArguments, type FlagTable, type ParsedArguments } from '../flags.ts';
import type { Command, Printer } from '../registry.ts';
import { readItems, type Item } from '../manifests.ts';

const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

export const fileFlags: FlagTable = {
  filename: flag.list('f'), kustomize: flag.text('k'), recursive: flag.bool('R'), 'dry-run': flag.text(undefined, 'unchanged'), output: flag.text('o'),
  validate: flag.text(undefined, 'strict'), 'field-manager': flag.text(), 'show-managed-fields': flag.bool(),
};

const flags: FlagTable = {
  ...fileFlags, 'server-side': flag.bool(), 'force-conflicts': flag.bool(), force: flag.bool(), 'grace-period': flag.text(), overwrite: flag.bool(),
  prune: flag.bool(), selector: flag.text('l'), all: flag.bool(), wait: flag.bool(), timeout: flag.text(), cascade: flag.text(undefined, 'background'), 'save-config': flag.bool(),
};

/** kubectl apply -f: one document after another; one that fails does not stop the rest. */
export const apply: Command = {
  run(args, environment, out) {
    const parsed = parseArguments(args, flags, 'kubectl apply');
    if (parsed.has('kustomize')) throw plainError('kustomize is not simulated: apply its output with -f');
    if (!parsed.has('filename')) throw plainError('must specify one of -f and -k');
    if (parsed.bool('prune')) throw plainError('--prune is not simulated');
    const items = readItems(parsed.list('filename'), environment);
    if (items.length === 0) throw plainError('no objects passed to apply');
    runEach(items, (item) => applyOne(item, parsed, withNamespace(environment, parsed), out));
  },
};

export const withNamespace = (environment: KubectlEnvironment, parsed: ParsedArguments): KubectlEnvironment => {
  const namespace = parsed.text('namespace');
  return namespace === undefined ? environment : { ...environment, namespace };
};

/** Does each, gathers the failures, and fails at the end with all of their texts. */
export function runEach<T>(items: readonly (T | Failure)[], work: (item: T) => void): void {
  let failures = '';
  for (const item of items) {
    try {
      if (item instanceof Failure) throw item;
      work(item);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      failures += error.text;
    }
  }
  if (failures !== '') throw new Failure(failures);
}

/** --dry-run as a word: none, client, server. */
export function dryRunOf(parsed: ParsedArguments): 'none' | 'client' | 'server' {
  const value = parsed.text('dry-run');
  if (value === undefined || value === 'none') return 'none';
  if (value === 'client' || value === 'server') return value;
  if (value === 'unchanged') throw plainError('--dry-run flag without a value was specified. A value must be set: "none", "server", or "client".');
  throw plainError(`Invalid dry-run value (${value}). Must be "none", "server", or "client".`);
}

export const writeQuery = (parsed: ParsedArguments, manager: string): Record<string, string> => ({
  fieldManager: parsed.text('field-manager') ?? manager,
  fieldValidation: { warn: 'Warn', ignore: 'Ignore', false: 'Ignore' }[parsed.text('validate') ?? ''] ?? 'Strict',
  ...(dryRunOf(parsed) === 'server' ? { dryRun: 'All' } : {}),
});

export const dryRunSuffix = (parsed: ParsedArguments): string => ({ none: '', client: ' (dry run)', server: ' (server dry run)' })[dryRunOf(parsed)];

export function warn(out: Printer, response: RestResponse): void {
  for (const warning of response.warnings) out.stderr += `Warning: ${warning}\n`;
}

/** The object with the annotation that remembers it. Upstream: kubectl/pkg/util/apply.go GetModifiedConfiguration. */
function remembered({ object, namespace, info }: Item): NewObject {
  const { [lastApplied]: _, ...annotations } = object.metadata?.annotations ?? {};
  const metadata = { ...object.metadata, annotations, ...(info.namespaced ? { namespace } : {}) };
  const text = `${goJson({ ...object, metadata })}\n`;
  return { ...object, metadata: { ...metadata, annotations: { ...annotations, [lastApplied]: text } } };
}

function applyOne(item: Item, parsed: ParsedArguments, environment: KubectlEnvironment, out: Printer): void {
  const { info, namespace, object, source } = item;
  const name = object.metadata?.name;
  if (parsed.bool('server-side')) return applyServerSide(item, parsed, environment, out);
  if (name === undefined || name === '') {
    if (object.metadata?.generateName !== undefined) throw plainError(`from ${object.metadata.generateName}: cannot use generate name with apply`);
  }
  const query = writeQuery(parsed, 'kubectl-client-side-apply');
  const print = (what: string) => {
    out.stdout += parsed.text('output') === 'name' ? `${printedName(info, name ?? '')}\n` : `${printedName(info, name ?? '')} ${what}${dryRunSuffix(parsed)}\n`;
  };
  const current = name === undefined ? undefined : getObject(environment.client, info, namespace, name);
  if (current === undefined) {
    if (dryRunOf(parsed) === 'client') return print('created');
    const response = ask(environment.client, 'POST', pathOf(info, namespace), { query, body: remembered(item) });
    if (isFailure(response)) throw statusError(response, `error when creating "${source}": `);
    warn(out, response);
    return print('created');
  }
  const patch = patchFor(item, current);
  if (Object.keys(patch).length === 0) return print('unchanged');
  if (dryRunOf(parsed) === 'client') return print('configured');
  const response = ask(environment.client, 'PATCH', pathOf(info, namespace, name), { query, body: patch, contentType: 'application/strategic-merge-patch+json' });
  if (isFailure(response)) throw patchError(response, item, patch, current);
  warn(out, response);
  print((response.body as ApiObject).metadata.resourceVersion === current.metadata.resourceVersion ? 'unchanged' : 'configured');
}

function patchFor(item: Item, current: ApiObject): Record<string, unknown> {
  const modified = remembered(item);
  const before = current.metadata.annotations?.[lastApplied];
  const original = before === undefined ? {} : (JSON.parse(before) as Record<string, unknown>);
  const patch = threeWayPatch(item.info.struct ?? item.info.kind, original, modified as Record<string, unknown>, current as unknown as Record<string, unknown>);
  delete patch.status;
  return patch;
}

/** Upstream: kubectl/pkg/cmd/apply/patcher.go patchSimple. */
function patchError(response: RestResponse, { info, source, object, namespace }: Item, patch: unknown, current: ApiObject): Failure {
  void current;
  const to = `Resource: "${info.group === '' ? '' : `${info.group}/`}${info.version}, Resource=${info.plural}", GroupVersionKind: "${info.group === '' ? '/' : `${info.group}/`}${info.version}, Kind=${info.kind}"\nName: "${object.metadata?.name ?? ''}", Namespace: "${namespace}"`;
  return statusError(response, `error when applying patch:\n${goJson(patch)}\nto:\n${to}\nfor: "${source}": error when patching "${source}": `);
}

function applyServerSide(item: Item, parsed: ParsedArguments, { client }: KubectlEnvironment, out: Printer): void {
  const { info, namespace, object } = item;
  const name = object.metadata?.name ?? '';
  const query = { ...writeQuery(parsed, 'kubectl'), ...(parsed.bool('force-conflicts') ? { force: 'true' } : {}) };
  const response = ask(client, 'PATCH', pathOf(info, namespace, name), { query, body: object, contentType: 'application/apply-patch+yaml' });
  if (isFailure(response)) throw statusError(response);
  warn(out, response);
  out.stdout += `${printedName(info, name)} serverside-applied${dryRunSuffix(parsed)}\n`;
}
