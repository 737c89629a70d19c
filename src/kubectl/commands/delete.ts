import { parseDuration } from '../../api/duration.ts';
import type { ApiObject } from '../../api/resources.ts';
import type { Status } from '../../api/schema/types.ts';
import { ask, getObject, pathOf, printedName } from '../api.ts';
import { resourceInfo, type ResourceName } from '../../api/resources.ts';
import { Failure, isFailure, plainError, statusError } from '../failure.ts';
import { flag, parseArguments, type FlagTable, type ParsedArguments } from '../flags.ts';
import type { Command, Printer } from '../registry.ts';
import { targetsOf, type Target } from '../targets.ts';
import type { KubectlEnvironment } from '../contract.ts';
import { withNamespace } from '../manifests.ts';
import { dryRunOf, dryRunSuffix, fileFlags } from '../report.ts';

const flags: FlagTable = {
  ...fileFlags, all: flag.bool(), selector: flag.text('l'), 'field-selector': flag.text(), 'all-namespaces': flag.bool('A'), force: flag.bool(), 'grace-period': flag.int(),
  now: flag.bool(), wait: flag.bool(), timeout: flag.duration(), 'ignore-not-found': flag.bool(), cascade: flag.text(undefined, 'background'), interactive: flag.bool('i'), raw: flag.text(),
};

interface Waits {
  objects: { resource: ResourceName; namespace: string; name: string; uid: string }[];
  failures: string;
  deadlineMs?: number;
}

/** kubectl delete: asks, prints, and waits until the objects are gone. Upstream: k8s.io/kubectl/pkg/cmd/delete. */
export const deleteCommand: Command = {
  run(args, environment, out) {
    const parsed = parseArguments(args, flags, 'kubectl delete');
    const place = withNamespace(environment, parsed);
    const targets = targetsOf(parsed.words, parsed, place);
    const options = deleteOptions(parsed, out);
    const waits: Waits = { objects: [], failures: '' };
    for (const target of targets) {
      try {
        if (target instanceof Failure) throw target;
        deleteOne(target, parsed, options, place, out, waits);
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        waits.failures += error.text;
      }
    }
    if (targets.length === 0) out.stdout += 'No resources found\n';
    const timeoutMs = parseDuration(parsed.text('timeout') ?? '0') ?? 0;
    if (timeoutMs > 0) waits.deadlineMs = environment.client.epochMs + timeoutMs;
    const waiting = (parsed.text('wait') ?? 'true') === 'true' && dryRunOf(parsed) === 'none';
    return waiting ? stillThere(waits, environment) : finish(waits);
  },
  resume: (state, environment) => stillThere(state as Waits, environment),
};

function finish({ failures }: Waits): undefined {
  if (failures !== '') throw new Failure(failures);
  return undefined;
}

function stillThere(waits: Waits, { client }: KubectlEnvironment): Waits | undefined {
  const objects = waits.objects.filter(({ resource, namespace, name, uid }) => getObject(client, resourceInfo(resource), namespace, name)?.metadata.uid === uid);
  if (objects.length === 0) return finish(waits);
  if (waits.deadlineMs !== undefined && client.epochMs >= waits.deadlineMs) {
    const first = objects[0] as Waits['objects'][number];
    throw new Failure(`${waits.failures}error: timed out waiting for the condition on ${resourceInfo(first.resource).plural}/${first.name}\n`);
  }
  return { ...waits, objects };
}

function deleteOptions(parsed: ParsedArguments, out: Printer): Record<string, unknown> {
  const cascade = parsed.text('cascade') ?? 'background';
  const policy = { background: 'Background', foreground: 'Foreground', orphan: 'Orphan', true: 'Background', false: 'Orphan' }[cascade];
  if (policy === undefined) throw plainError(`invalid cascade value (${cascade}). Must be "background", "foreground", or "orphan"`);
  const given = parsed.int('grace-period');
  let grace = given ?? -1;
  if (parsed.bool('now')) {
    if (given !== undefined && grace !== -1) throw plainError('--now and --grace-period cannot be specified together');
    grace = 1;
  }
  if (grace === 0 && !parsed.bool('force')) {
    // A grace period of zero without --force is raised to one second.
    grace = 1;
  } else if (parsed.bool('force') && given === undefined) {
    grace = 0;
  }
  if (parsed.bool('force')) {
    out.stderr += 'Warning: Immediate deletion does not wait for confirmation that the running resource has been terminated. The resource may continue to run on the cluster indefinitely.\n';
  }
  return { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: policy, ...(grace >= 0 ? { gracePeriodSeconds: grace } : {}) };
}

function deleteOne(target: Target, parsed: ParsedArguments, options: Record<string, unknown>, { client }: KubectlEnvironment, out: Printer, waits: Waits): void {
  const { info, namespace, name, source } = target;
  const dryRun = dryRunOf(parsed);
  const query: Record<string, string> = dryRun === 'server' ? { dryRun: 'All' } : {};
  const before = getObject(client, info, namespace, name);
  if (dryRun !== 'client' || before === undefined) {
    const response = ask(client, 'DELETE', pathOf(info, namespace, name), { query, body: options });
    if (response.code === 404 && parsed.bool('ignore-not-found')) return;
    if (isFailure(response)) throw statusError(response, source === undefined ? '' : `error when deleting "${source}": `);
    const answer = response.body as ApiObject | Status;
    const uid = 'details' in answer ? answer.details?.uid : (answer as ApiObject).metadata?.uid;
    waits.objects.push({ resource: info.resource, namespace, name, uid: uid ?? before?.metadata.uid ?? '' });
  }
  if (parsed.text('output') === 'name') {
    out.stdout += `${printedName(info, name)}\n`;
    return;
  }
  const verb = parsed.bool('force') && options.gracePeriodSeconds === 0 ? 'force deleted' : 'deleted';
  const kind = info.group === '' ? info.singular : `${info.singular}.${info.group}`;
  out.stdout += `${kind} "${name}" ${verb}${info.namespaced ? ` from ${namespace} namespace` : ''}${dryRunSuffix(parsed)}\n`;
}
