import { parseDuration, formatDuration } from '../../api/duration.ts';
import { controllerOf } from '../../api/meta/owners.ts';
import { resourceInfo } from '../../api/resources.ts';
import type { Pod, Status } from '../../api/schema/types.ts';
import { compareText } from '../../sim/plain.ts';
import { parseRfc3339 } from '../../sim/time.ts';
import { ask, getObject, pathOf } from '../api.ts';
import type { ApiClient, KubectlEnvironment } from '../contract.ts';
import { Failure, isFailure, usageError } from '../failure.ts';
import { flag, parseArguments, type ParsedArguments } from '../flags.ts';
import type { Command, Printer } from '../registry.ts';
import { choiceFlags, dryRunOf, failTogether, reporter } from '../report.ts';
import { findObjects, listObjects } from '../targets.ts';
import { markNode, nodeWords } from './nodes.ts';

const flags = {
  ...choiceFlags, force: flag.bool(), 'ignore-daemonsets': flag.bool(), 'delete-emptydir-data': flag.bool(), 'delete-local-data': flag.bool(), 'grace-period': flag.int(), timeout: flag.duration(),
  'disable-eviction': flag.bool(), 'pod-selector': flag.text(), 'skip-wait-for-delete-timeout': flag.int(), 'chunk-size': flag.int(),
};

const retryMs = 5000;
const lookMs = 1000;

/** A pod on its way out: asked at `askAtMs`, or gone from then on. */
interface Leaving {
  namespace: string;
  name: string;
  uid: string;
  asked: boolean;
  nextMs: number;
}

interface DrainState {
  args: readonly string[];
  nodes: string[];
  pods: Leaving[] | null;
  errors: string[];
  failed: { node: string; error: string }[];
  deadlineMs: number | null;
}

/** kubectl drain. Upstream: k8s.io/kubectl/pkg/cmd/drain, pkg/drain. */
export const drain: Command = {
  run(args, environment, out) {
    const parsed = parseArguments(args, flags, 'kubectl drain');
    if (parsed.words.length === 0 && !parsed.has('selector')) throw usageError('USAGE: drain NODE [flags]', 'kubectl drain');
    const { found, failures } = findObjects(nodeWords(parsed), parsed, environment);
    failTogether(failures);
    const report = reporter(parsed, out);
    for (const item of found) report(item.info, item.object, markNode({ parsed, client: environment.client, out, manager: 'kubectl-drain' }, item, true));
    return goOn({ args, nodes: found.map(({ name }) => name), pods: null, errors: [], failed: [], deadlineMs: null }, environment, out);
  },
  resume(state, environment, out) {
    const copy = JSON.parse(JSON.stringify(state)) as DrainState;
    return goOn(copy, environment, out);
  },
};

/** One node after the other; returns the state while pods are on their way. */
function goOn(state: DrainState, environment: KubectlEnvironment, out: Printer): DrainState | undefined {
  const parsed = parseArguments(state.args, flags, 'kubectl drain');
  while (state.nodes.length > 0) {
    const node = state.nodes[0] as string;
    const error = drainNode(state, node, parsed, environment, out);
    if (error === 'waiting') return state;
    state.nodes.shift();
    Object.assign(state, { pods: null, errors: [], deadlineMs: null });
    if (error === undefined) reporter(parsed, out)(resourceInfo('nodes'), { metadata: { name: node } }, 'drained');
    else {
      out.stderr += `error: unable to drain node "${node}" due to error: ${error}, continuing command...\n`;
      state.failed.push({ node, error });
    }
  }
  if (state.failed.length === 0) return undefined;
  out.stderr += `There are pending nodes to be drained:\n${state.failed.map(({ node }) => ` ${node}\n`).join('')}`;
  throw new Failure(state.failed.flatMap(({ error }) => split(error)).map((text) => `${text}\n`).join(''));
}

const joined = (errors: readonly string[]): string => (errors.length === 1 ? (errors[0] as string) : `[${errors.join(', ')}]`);
const split = (error: string): string[] => (error.startsWith('[') ? error.slice(1, -1).split(/, (?=cannot delete|error when)/) : [error]);

function drainNode(state: DrainState, node: string, parsed: ParsedArguments, { client }: KubectlEnvironment, out: Printer): string | 'waiting' | undefined {
  if (state.pods === null) {
    const chosen = podsToDelete(client, node, parsed);
    if (chosen.errors.length > 0) return joined(chosen.errors);
    if (chosen.warnings !== '') out.stderr += `Warning: ${chosen.warnings}\n`;
    if (dryRunOf(parsed) === 'client') {
      out.stdout += chosen.pods.map(({ metadata }) => `evicting pod ${metadata.namespace}/${metadata.name} (dry run)\n`).join('');
      return undefined;
    }
    const timeoutMs = parseDuration(parsed.text('timeout') ?? '0') ?? 0;
    state.deadlineMs = timeoutMs > 0 ? client.epochMs + timeoutMs : null;
    state.pods = chosen.pods.map(({ metadata }) => ({ namespace: metadata.namespace ?? '', name: metadata.name, uid: metadata.uid, asked: false, nextMs: 0 }));
  }
  // All are asked before the first is waited for, as they are side by side upstream.
  const over = state.pods.filter((pod) => isOver(pod, state, parsed, client, out));
  state.pods = state.pods.filter((pod) => !over.includes(pod) && !(pod.asked && (hasLeft(pod, parsed, client, out) || isLate(pod, state, client))));
  if (state.pods.length > 0) return 'waiting';
  if (state.errors.length === 0) return undefined;
  const error = joined(state.errors);
  const pending = podsToDelete(client, node, parsed).pods;
  if (pending.length > 0) out.stderr += `There are pending pods in node "${node}" when an error occurred: ${error}\n${pending.map(({ metadata }) => `pod/${metadata.name}\n`).join('')}`;
  return error;
}

const timeIsUp = ({ deadlineMs }: DrainState, { epochMs }: ApiClient): boolean => deadlineMs !== null && epochMs >= deadlineMs;

function isLate({ namespace, name }: Leaving, state: DrainState, client: ApiClient): boolean {
  if (!timeIsUp(state, client)) return false;
  state.errors.push(`error when waiting for pod "${name}" in namespace "${namespace}" to terminate: context deadline exceeded`);
  return true;
}

/** Asks for a pod's end when it is time to; true when nothing is left to wait for. */
function isOver(pod: Leaving, state: DrainState, parsed: ParsedArguments, client: ApiClient, out: Printer): boolean {
  if (pod.asked || client.epochMs < pod.nextMs) return false;
  const evicting = !parsed.bool('disable-eviction');
  if (evicting) out.stdout += `evicting pod ${pod.namespace}/${pod.name}${dryRunOf(parsed) === 'server' ? ' (server dry run)' : ''}\n`;
  if (evicting && timeIsUp(state, client)) {
    // Upstream sees that between two tries alone.
    state.errors.push(`error when evicting pods/"${pod.name}" -n "${pod.namespace}": global timeout reached: ${formatDuration(parseDuration(parsed.text('timeout') ?? '0') ?? 0)}`);
    return true;
  }
  const answer = evicting ? evict(pod, parsed, client) : remove(pod, parsed, client);
  if (answer.code === 404) return true;
  if (answer.code === 429) {
    out.stderr += `error when evicting pods/"${pod.name}" -n "${pod.namespace}" (will retry after 5s): ${messageOf(answer.body)}\n`;
    pod.nextMs = client.epochMs + retryMs;
    return false;
  }
  if (isFailure(answer)) {
    state.errors.push(`error when evicting pods/"${pod.name}" -n "${pod.namespace}": ${messageOf(answer.body)}`);
    return true;
  }
  pod.asked = true;
  return dryRunOf(parsed) === 'server';
}

function hasLeft(pod: Leaving, parsed: ParsedArguments, client: ApiClient, out: Printer): boolean {
  if (client.epochMs < pod.nextMs) return false;
  const now = getObject(client, resourceInfo('pods'), pod.namespace, pod.name);
  if (now?.metadata.uid !== pod.uid) {
    out.stdout += `pod/${pod.name} ${parsed.bool('disable-eviction') ? 'deleted' : 'evicted'}\n`;
    return true;
  }
  const skipAfter = parsed.int('skip-wait-for-delete-timeout') ?? 0;
  const since = now.metadata.deletionTimestamp === undefined ? undefined : parseRfc3339(now.metadata.deletionTimestamp);
  pod.nextMs = client.epochMs + lookMs;
  if (skipAfter === 0 || since === undefined || client.epochMs - since <= skipAfter * 1000) return false;
  out.stdout += `Skip waiting for pod ${pod.name} to be deleted, as its deletion timestamp is more than ${skipAfter} seconds ago.\n`;
  return true;
}

const messageOf = (body: unknown): string => (body as Status).message ?? '';

function options(parsed: ParsedArguments): Record<string, unknown> {
  const grace = parsed.int('grace-period') ?? -1;
  return { ...(grace >= 0 ? { gracePeriodSeconds: grace } : {}), ...(dryRunOf(parsed) === 'server' ? { dryRun: ['All'] } : {}) };
}

function evict(pod: Leaving, parsed: ParsedArguments, client: ApiClient) {
  const dry = dryRunOf(parsed) === 'server';
  const body = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: pod.name, namespace: pod.namespace }, deleteOptions: options(parsed) };
  return ask(client, 'POST', pathOf(resourceInfo('pods'), pod.namespace, pod.name, 'eviction'), { body, ...(dry ? { query: { dryRun: 'All' } } : {}) });
}

const remove = (pod: Leaving, parsed: ParsedArguments, client: ApiClient) =>
  ask(client, 'DELETE', pathOf(resourceInfo('pods'), pod.namespace, pod.name), { body: { apiVersion: 'v1', kind: 'DeleteOptions', ...options(parsed) }, ...(dryRunOf(parsed) === 'server' ? { query: { dryRun: 'All' } } : {}) });

/** Whether a pod goes: with a warning, not at all, or what forbids it. Upstream: pkg/drain/filters.go. */
type Verdict = { go: boolean; warning?: string; error?: string };

function podsToDelete(client: ApiClient, node: string, parsed: ParsedArguments): { pods: Pod[]; errors: string[]; warnings: string } {
  const selector = parsed.text('pod-selector');
  const all = listObjects({ client, namespace: '' }, resourceInfo('pods'), { everywhere: true, fields: `spec.nodeName=${node}`, ...(selector === undefined ? {} : { selector }) }) as Pod[];
  const judged = all.map((pod) => ({ pod, verdict: judge(client, pod, parsed) }));
  const texts = (part: 'error' | 'warning') => {
    const groups = new Map<string, string[]>();
    for (const { pod, verdict } of judged) {
      const text = verdict[part];
      if (text !== undefined) groups.set(text, [...(groups.get(text) ?? []), `${pod.metadata.namespace}/${pod.metadata.name}`]);
    }
    return [...groups].sort(([a], [b]) => compareText(a, b)).map(([text, names]) => `${text}: ${names.join(', ')}`);
  };
  return { pods: judged.filter(({ verdict }) => verdict.go).map(({ pod }) => pod), errors: texts('error').map((text) => `cannot delete ${text}`), warnings: texts('warning').sort((a, b) => compareText(b, a)).join('; ') };
}

function judge(client: ApiClient, pod: Pod, parsed: ParsedArguments): Verdict {
  const { metadata, spec, status } = pod;
  const skipAfter = parsed.int('skip-wait-for-delete-timeout') ?? 0;
  const going = metadata.deletionTimestamp === undefined ? undefined : parseRfc3339(metadata.deletionTimestamp);
  if (skipAfter > 0 && going !== undefined && client.epochMs - going > skipAfter * 1000) return { go: false };
  const owner = controllerOf(pod);
  const over = status.phase === 'Succeeded' || status.phase === 'Failed';
  const force = parsed.bool('force');
  if (owner?.kind === 'DaemonSet' && !over) {
    const found = getObject(client, resourceInfo('daemonsets.apps'), metadata.namespace ?? '', owner.name);
    if (found === undefined) {
      const gone = `daemonsets.apps "${owner.name}" not found`;
      return force ? { go: true, warning: gone } : { go: false, error: gone };
    }
    return parsed.bool('ignore-daemonsets') ? { go: false, warning: 'ignoring DaemonSet-managed Pods' } : { go: false, error: 'DaemonSet-managed Pods (use --ignore-daemonsets to ignore)' };
  }
  if (metadata.annotations?.['kubernetes.io/config.mirror'] !== undefined) return { go: false };
  const local = spec.volumes?.some((volume) => volume.emptyDir !== undefined) === true && !over;
  const mayLose = parsed.bool('delete-emptydir-data') || parsed.bool('delete-local-data');
  if (local && !mayLose) return { go: false, error: 'Pods with local storage (use --delete-emptydir-data to override)' };
  if (over || owner !== undefined) return { go: true };
  return force ? { go: true, warning: 'deleting Pods that declare no controller' } : { go: false, error: 'Pods that declare no controller (use --force to override)' };
}

