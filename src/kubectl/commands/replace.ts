import { parseDuration } from '../../api/duration.ts';
import type { ApiObject } from '../../api/resources.ts';
import { ask, getObject, pathOf } from '../api.ts';
import type { ApiClient } from '../contract.ts';
import { isFailure, plainError, statusError } from '../failure.ts';
import { flag, parseArguments, type ParsedArguments } from '../flags.ts';
import { located, readItems, withNamespace, type Item } from '../manifests.ts';
import { resourceInfo, type ResourceName } from '../../api/resources.ts';
import type { Command, Printer } from '../registry.ts';
import { dryRunOf, fileFlags, reporter, runEach, warn, writeQuery } from '../report.ts';
import { filesOf } from './kustomize.ts';

const flags = {
  ...fileFlags, force: flag.bool(), 'grace-period': flag.int(), cascade: flag.text(undefined, 'background'), timeout: flag.duration(), wait: flag.bool(), subresource: flag.text(), 'save-config': flag.bool(), raw: flag.text(),
};

interface ReplaceState {
  args: readonly string[];
  going: { resource: ResourceName; namespace: string; name: string; uid: string }[];
  deadlineMs: number | null;
}

/** kubectl replace: the whole object anew, with --force by deleting it first. Upstream: k8s.io/kubectl/pkg/cmd/replace. */
export const replace: Command = {
  run(args, environment, out) {
    const parsed = parseArguments(args, flags, 'kubectl replace');
    if (!parsed.has('filename') && !parsed.has('kustomize')) throw plainError('must specify one of -f and -k');
    const place = withNamespace(environment, parsed);
    const items = filesOf(parsed, place, readItems);
    if (items.length === 0) throw plainError('no objects passed to replace');
    if (!parsed.bool('force')) {
      runEach(items, (item) => replaceOne(item, parsed, place.client, out));
      return undefined;
    }
    const going: ReplaceState['going'] = [];
    runEach(items, (item) => deleteFirst(item, parsed, place.client, out, going));
    const timeoutMs = parseDuration(parsed.text('timeout') ?? '0') ?? 0;
    return createAgain({ args, going, deadlineMs: timeoutMs > 0 ? environment.client.epochMs + timeoutMs : null }, environment, out);
  },
  resume: (state, environment, out) => createAgain(state as ReplaceState, environment, out),
};

function replaceOne({ info, namespace, object, source, ...rest }: Item, parsed: ParsedArguments, client: ApiClient, out: Printer): void {
  const name = object.metadata?.name ?? '';
  const current = getObject(client, info, namespace, name);
  const body = located({ info, namespace, object, source, ...rest });
  const resourceVersion = object.metadata?.resourceVersion ?? current?.metadata.resourceVersion;
  if (dryRunOf(parsed) === 'client') return reporter(parsed, out)(info, body, 'replaced');
  const response = ask(client, 'PUT', pathOf(info, namespace, name, parsed.text('subresource')), {
    query: writeQuery(parsed, 'kubectl-replace'), body: { ...body, metadata: { ...body.metadata, ...(resourceVersion === undefined ? {} : { resourceVersion }) } },
  });
  warn(out, response);
  if (isFailure(response)) throw statusError(response, `error when replacing "${source}": `);
  reporter(parsed, out)(info, response.body, 'replaced');
}

function deleteFirst({ info, namespace, object }: Item, parsed: ParsedArguments, client: ApiClient, out: Printer, going: ReplaceState['going']): void {
  const name = object.metadata?.name ?? '';
  const grace = parsed.int('grace-period') ?? 0;
  const before = getObject(client, info, namespace, name);
  if (before === undefined) return;
  const response = ask(client, 'DELETE', pathOf(info, namespace, name), { body: { apiVersion: 'v1', kind: 'DeleteOptions', gracePeriodSeconds: grace, propagationPolicy: 'Background' } });
  if (isFailure(response)) throw statusError(response);
  going.push({ resource: info.resource, namespace, name, uid: before.metadata.uid });
  out.stdout += `${info.group === '' ? info.singular : `${info.singular}.${info.group}`} "${name}" deleted${info.namespaced ? ` from ${namespace} namespace` : ''}\n`;
}

function createAgain(state: ReplaceState, environment: Parameters<Command['run']>[1], out: Printer): ReplaceState | undefined {
  const parsed = parseArguments(state.args, flags, 'kubectl replace');
  const { client } = environment;
  const going = state.going.filter(({ resource, namespace, name, uid }) => getObject(client, resourceInfo(resource), namespace, name)?.metadata.uid === uid);
  if (going.length > 0) {
    if (state.deadlineMs !== null && client.epochMs >= state.deadlineMs) throw plainError('timed out waiting for the condition');
    return { ...state, going };
  }
  const report = reporter(parsed, out);
  runEach(filesOf(parsed, withNamespace(environment, parsed), readItems), (item) => {
    const response = ask(client, 'POST', pathOf(item.info, item.namespace), { query: writeQuery(parsed, 'kubectl-replace'), body: located(item) as ApiObject });
    warn(out, response);
    if (isFailure(response)) throw statusError(response);
    report(item.info, response.body, 'replaced');
  });
  return undefined;
}
