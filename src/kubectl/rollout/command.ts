import { parseDuration } from '../../api/duration.ts';
import { resourceInfo, type ResourceInfo, type ResourceName } from '../../api/resources.ts';
import type { Deployment } from '../../api/schema/types.ts';
import { formatRfc3339 } from '../../sim/time.ts';
import { getObject, printedName } from '../api.ts';
import type { KubectlEnvironment } from '../contract.ts';
import { rolloutHelp } from '../commands/group-help.ts';
import type { Look } from '../describe/look.ts';
import { templateLines } from '../describe/pod.ts';
import { Failure, plainError } from '../failure.ts';
import { flag, parseArguments, type FlagTable, type ParsedArguments } from '../flags.ts';
import { withNamespace, type Place } from '../manifests.ts';
import type { Command, Printer } from '../registry.ts';
import { choiceFlags, failTogether, reporter } from '../report.ts';
import { alignTabs } from '../table.ts';
import { findObjects, type Found } from '../targets.ts';
import { patchObject, type Change } from '../write.ts';
import { changeCauseKey, revisionsOf, type Revision } from './revisions.ts';
import { statusViewers } from './status.ts';
import { rollBack } from './undo.ts';

const flags: FlagTable = {
  ...choiceFlags, watch: flag.bool('w'), revision: flag.int(), 'to-revision': flag.int(), timeout: flag.duration(),
};

/** kubectl rollout. Upstream: k8s.io/kubectl/pkg/cmd/rollout. */
export const rollout: Command = {
  run(args, environment, out) {
    const part = args.find((arg) => !arg.startsWith('-'));
    if (part === undefined) {
      out.stdout += rolloutHelp().text;
      throw new Failure('');
    }
    const work = parts[part];
    if (work === undefined) throw plainError(`unknown command "${part}"\nSee 'kubectl rollout -h' for help and examples`);
    const parsed = parseArguments(args.filter((_, index) => index !== args.indexOf(part)), flags, `kubectl rollout ${part}`);
    if (parsed.words.length === 0 && !parsed.has('filename')) throw plainError('required resource not specified');
    const place = withNamespace(environment, parsed);
    const { found, failures } = findObjects(parsed.words, parsed, place);
    if (failures.length > 0) failTogether(failures);
    if (found.length === 0) out.stderr += `No resources found in ${place.namespace} namespace.\n`;
    return work(found, parsed, place, out);
  },
  resume: (state, environment, out) => watchStatus(state as StatusState, environment, out),
};

type Part = (found: readonly Found[], parsed: ParsedArguments, place: Place, out: Printer) => unknown;

interface StatusState {
  objects: { resource: ResourceName; namespace: string; name: string }[];
  watch: boolean;
  /** The version that was spoken of last. */
  seen: string;
  deadlineMs?: number;
  timeoutMs: number;
}

const status: Part = (found, parsed, place, out) => {
  for (const { info } of found) if (statusViewers[info.resource] === undefined) throw plainError(`no status viewer has been implemented for ${kindOf(info)}`);
  const timeoutMs = parseDuration(parsed.text('timeout') ?? '0') ?? 0;
  const state: StatusState = {
    objects: found.map(({ info, namespace, name }) => ({ resource: info.resource, namespace, name })), watch: parsed.text('watch') !== 'false', seen: '', timeoutMs,
    ...(timeoutMs > 0 ? { deadlineMs: place.client.epochMs + timeoutMs } : {}),
  };
  return watchStatus(state, place, out);
};

const kindOf = (info: ResourceInfo): string => `${info.kind}${info.group === '' ? '' : `.${info.group}`}`;

/** One object after the other, each until its rollout is over. */
function watchStatus(state: StatusState, { client }: KubectlEnvironment, out: Printer): StatusState | undefined {
  const [first, ...rest] = state.objects;
  if (first === undefined) return undefined;
  const object = getObject(client, resourceInfo(first.resource), first.namespace, first.name);
  if (object === undefined) throw plainError('object has been deleted');
  const version = object.metadata.resourceVersion ?? '';
  if (version !== state.seen) {
    const shown = statusViewers[first.resource]?.(object);
    out.stdout += shown?.text ?? '';
    if (shown?.done !== false || !state.watch) {
      const { deadlineMs: _, ...next } = state;
      return watchStatus({ ...next, objects: rest, seen: '', ...(state.timeoutMs > 0 ? { deadlineMs: client.epochMs + state.timeoutMs } : {}) }, { client, namespace: '' }, out);
    }
  }
  if (state.deadlineMs !== undefined && client.epochMs >= state.deadlineMs) throw plainError('timed out waiting for the condition');
  return { ...state, seen: version };
}

const lookOf = ({ client }: KubectlEnvironment): Look => ({ client, nowMs: client.epochMs, showEvents: false });

const history: Part = (found, parsed, place, out) => {
  const wanted = parsed.int('revision') ?? 0;
  if (wanted < 0) throw plainError(`revision must be a positive integer: ${wanted}`);
  for (const item of found) {
    const revisions = revisionsOf(lookOf(place), item);
    if (revisions === undefined) throw plainError(`no history viewer has been implemented for "${kindOf(item.info)}"`);
    out.stdout += `${printedName(item.info, item.name)} ${wanted > 0 ? `with revision #${wanted}` : ''}\n${historyText(revisions, wanted)}\n`;
  }
};

function historyText(revisions: readonly Revision[], wanted: number): string {
  if (revisions.length === 0) return 'No rollout history found.';
  if (wanted === 0) return alignTabs(`REVISION\tCHANGE-CAUSE\n${revisions.map(({ number, cause }) => `${number}\t${cause || '<none>'}\n`).join('')}`, 0, 2);
  const revision = revisions.find(({ number }) => number === wanted);
  if (revision === undefined) throw plainError('unable to find the specified revision');
  const { metadata, ...rest } = revision.template;
  const annotations = { ...metadata?.annotations, ...(revision.cause === '' || revision.annotations === undefined ? {} : { [changeCauseKey]: revision.cause }) };
  return templateLines({ ...rest, metadata: { ...metadata, annotations } as NonNullable<typeof metadata> });
}

function each(found: readonly Found[], parsed: ParsedArguments, place: Place, out: Printer, work: (item: Found, change: Change) => string): void {
  const report = reporter(parsed, out);
  const failures: Failure[] = [];
  for (const item of found) {
    try {
      report(item.info, item.object, work(item, { parsed, client: place.client, out, manager: 'kubectl-rollout' }));
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      failures.push(error);
    }
  }
  failTogether(failures);
}

const undo: Part = (found, parsed, place, out) => each(found, parsed, place, out, (item, change) => {
  const applied = item.object.metadata.annotations?.['kubectl.kubernetes.io/last-applied-configuration'];
  if (applied !== undefined) out.stderr += undoWarning(`${item.info.plural}/${item.name}`);
  return rollBack(change, lookOf(place), item, parsed.int('to-revision') ?? 0);
});

const undoWarning = (what: string): string =>
  `Warning: resource ${what} was previously managed with 'kubectl apply'. Rolling back will not update the kubectl.kubernetes.io/last-applied-configuration annotation, which may cause unexpected behavior on future 'kubectl apply' operations. Consider using 'kubectl apply' with your previous configuration file instead.\n`;

/** A word of the verb and what it does to a Deployment; the others may be restarted alone. */
function template(verb: string, done: string, refuse: (paused: boolean) => string | undefined, patch: (nowMs: number) => unknown): Part {
  return (found, parsed, place, out) => each(found, parsed, place, out, (item, change) => {
    const { info, object, name } = item;
    const able = info.resource === 'deployments.apps' || (verb === 'restarting' && (info.resource === 'statefulsets.apps' || info.resource === 'daemonsets.apps'));
    const why = able ? refuse((object as Deployment).spec.paused === true) : `${verb} is not supported`;
    if (why !== undefined) throw plainError(`${info.resource} "${name}" ${why}`);
    patchObject(change, item, patch(place.client.epochMs), 'strategic');
    return done;
  });
}

const parts: Readonly<Record<string, Part>> = {
  status, history, undo,
  pause: template('pausing', 'paused', (paused) => (paused ? 'is already paused' : undefined), () => ({ spec: { paused: true } })),
  resume: template('resuming', 'resumed', (paused) => (paused ? undefined : 'is not paused'), () => ({ spec: { paused: null } })),
  restart: template('restarting', 'restarted', (paused) => (paused ? "can't restart paused deployment (run rollout resume first)" : undefined),
    (nowMs) => ({ spec: { template: { metadata: { annotations: { 'kubectl.kubernetes.io/restartedAt': formatRfc3339(nowMs) } } } } })),
};
