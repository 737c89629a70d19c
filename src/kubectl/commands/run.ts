import { mergePatch } from '../../api/meta/patches.ts';
import { resourceInfo, type ApiObject } from '../../api/resources.ts';
import type { ContainerStatus, Pod } from '../../api/schema/types.ts';
import { ask, getObject, pathOf } from '../api.ts';
import type { KubectlEnvironment } from '../contract.ts';
import { Failure, isFailure, plainError } from '../failure.ts';
import { flag, parseArguments, type ParsedArguments } from '../flags.ts';
import { withNamespace } from '../manifests.ts';
import type { Command, Printer } from '../registry.ts';
import { dryRunOf, reporter, writeFlags } from '../report.ts';
import { createObject } from '../write.ts';
import { pairsAsMap } from './expose.ts';

const flags = {
  ...writeFlags, image: flag.text(), env: flag.texts(), labels: flag.text('l'), port: flag.text(), expose: flag.bool(), restart: flag.text(), command: flag.bool(), rm: flag.bool(), stdin: flag.bool('i'), tty: flag.bool('t'),
  attach: flag.bool(), quiet: flag.bool('q'), overrides: flag.text(), annotations: flag.texts(), 'image-pull-policy': flag.text(), privileged: flag.bool(), 'pod-running-timeout': flag.duration(),
  'leave-stdin-open': flag.bool(), 'save-config': flag.bool(), 'override-type': flag.text(), force: flag.bool(), 'grace-period': flag.int(), timeout: flag.duration(), cascade: flag.text(), wait: flag.bool(), filename: flag.list('f'),
};

const reference = /^(?:(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)*|\[[a-fA-F0-9:]+\])(?::\d+)?\/)?[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*)*(?::\w[\w.-]{0,127})?(?:@[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,})?$/;

interface RunState {
  args: readonly string[];
  namespace: string;
  name: string;
  printed: number;
}

/** kubectl run: one pod, and with -i or --attach its output until it ends. Upstream: k8s.io/kubectl/pkg/cmd/run. Simplified: nothing is typed into it. */
export const run: Command = {
  run(args, environment, out) {
    const parsed = parseArguments(args, flags, 'kubectl run');
    check(parsed);
    const place = withNamespace(environment, parsed);
    const [name = ''] = parsed.words;
    const change = { parsed, client: place.client, out, manager: 'kubectl-run' };
    const made = objectsFor(parsed, name, place.enforced === true ? place.namespace : undefined).map(({ resource, object }) => ({ info: resourceInfo(resource), object: createObject(change, resourceInfo(resource), place.namespace, object) }));
    if (attached(parsed)) return { args, namespace: place.namespace, name, printed: 0 } satisfies RunState;
    const report = reporter(parsed, out);
    for (const { info, object } of made) report(info, object, 'created');
    return undefined;
  },
  resume: (state, environment, out) => follow(state as RunState, environment, out),
};

const attached = (parsed: ParsedArguments): boolean => parsed.bool('attach') || (parsed.bool('stdin') && parsed.text('attach') !== 'false');

function check(parsed: ParsedArguments): void {
  const image = parsed.text('image');
  if (image === undefined) throw plainError('required flag(s) "image" not set');
  if (parsed.words.length === 0) throw plainError('NAME is required for run');
  if (!reference.test(image)) throw plainError(`invalid image name "${image}": invalid reference format`);
  if (parsed.bool('tty') && !parsed.bool('stdin')) throw plainError('-i/--stdin is required for containers with -t/--tty=true');
  if (parsed.bool('expose') && !parsed.has('port')) throw plainError('--port must be set when exposing a service');
  if (parsed.has('port') && !/^\d+$/.test(parsed.text('port') ?? '')) throw plainError('--port must be a number');
  if (parsed.bool('rm') && !attached(parsed)) throw plainError('--rm should only be used for attached containers');
  if (attached(parsed) && dryRunOf(parsed) !== 'none') throw plainError("--dry-run=[server|client] can't be used with attached containers options (--attach, --stdin, or --tty)");
  oneOf('restart policy', parsed.text('restart'), ['Always', 'OnFailure', 'Never']);
  oneOf('image pull policy', parsed.text('image-pull-policy'), ['Always', 'IfNotPresent', 'Never']);
}

function oneOf(what: string, given: string | undefined, allowed: readonly string[]): void {
  if (given !== undefined && !allowed.includes(given)) throw plainError(`invalid ${what}: ${given}, valid values are: ${allowed.join(', ')}`);
}

function objectsFor(parsed: ParsedArguments, name: string, namespace: string | undefined): { resource: 'pods' | 'services'; object: ApiObject }[] {
  const labels = parsed.has('labels') ? pairsAsMap(parsed.text('labels') as string) : { run: name };
  const words = [...parsed.words.slice(1), ...parsed.command];
  const env = parsed.list('env').map((pair) => {
    const equals = pair.indexOf('=');
    if (equals < 1) throw plainError(`invalid env: ${pair}`);
    return { name: pair.slice(0, equals), value: pair.slice(equals + 1) };
  });
  const annotations = Object.fromEntries(parsed.list('annotations').map((pair) => pair.split('=') as [string, string]));
  const pull = parsed.text('image-pull-policy');
  const container = {
    name, image: parsed.text('image') as string, resources: {},
    ...(words.length === 0 ? {} : parsed.bool('command') ? { command: words } : { args: words }),
    ...(env.length === 0 ? {} : { env }), ...(pull === undefined ? {} : { imagePullPolicy: pull }),
    ...(parsed.has('port') ? { ports: [{ containerPort: Number(parsed.text('port')) }] } : {}),
    ...(parsed.bool('privileged') ? { securityContext: { privileged: true } } : {}),
    ...(parsed.bool('stdin') ? { stdin: true, stdinOnce: true } : {}), ...(parsed.bool('tty') ? { tty: true } : {}),
  };
  const metadata = { name, labels, ...(namespace === undefined ? {} : { namespace }) };
  const pod = {
    apiVersion: 'v1', kind: 'Pod', metadata: { ...metadata, ...(parsed.has('annotations') ? { annotations } : {}) },
    spec: { containers: [container], dnsPolicy: 'ClusterFirst', restartPolicy: parsed.text('restart') ?? 'Always' }, status: {},
  };
  const overrides = parsed.text('overrides');
  const made: { resource: 'pods' | 'services'; object: ApiObject }[] = [{ resource: 'pods', object: (overrides === undefined ? pod : mergePatch(pod, parseOverrides(overrides))) as ApiObject }];
  if (parsed.bool('expose')) {
    const port = Number(parsed.text('port'));
    const { labels: _, ...named } = metadata;
    made.push({ resource: 'services', object: { apiVersion: 'v1', kind: 'Service', metadata: named, spec: { ports: [{ port, protocol: 'TCP', targetPort: port }], selector: labels }, status: { loadBalancer: {} } } as unknown as ApiObject });
  }
  return made;
}

function parseOverrides(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw plainError(`Invalid JSON in --overrides`);
  }
}

/** Prints what the container has written since the last look, until it ends. */
function follow(state: RunState, { client }: KubectlEnvironment, out: Printer): RunState | undefined {
  const parsed = parseArguments(state.args, flags, 'kubectl run');
  const info = resourceInfo('pods');
  const pod = getObject(client, info, state.namespace, state.name) as Pod | undefined;
  if (pod === undefined) throw plainError(`pods "${state.name}" not found`);
  const status = pod.status.containerStatuses?.[0];
  if (status?.state?.running === undefined && status?.state?.terminated === undefined) return state;
  const log = ask(client, 'GET', pathOf(info, state.namespace, state.name, 'log'), { query: { container: pod.spec.containers[0]?.name ?? '' } });
  const text = isFailure(log) ? '' : String(log.body);
  out.stdout += text.slice(state.printed);
  if (status.state.terminated === undefined || (pod.spec.restartPolicy !== 'Always' && pod.status.phase === 'Running')) return { ...state, printed: text.length };
  if (parsed.bool('rm')) {
    ask(client, 'DELETE', pathOf(info, state.namespace, state.name), { body: { apiVersion: 'v1', kind: 'DeleteOptions' } });
    out.stdout += `pod "${state.name}" deleted from ${state.namespace} namespace\n`;
  }
  if (pod.spec.restartPolicy === 'Never' && pod.status.phase === 'Failed') throw exitOf(state, status);
  return undefined;
}

function exitOf({ namespace, name }: RunState, { state }: ContainerStatus): Failure {
  const { reason = '', message = '', exitCode = 1 } = state?.terminated ?? {};
  return new Failure(`pod ${namespace}/${name} terminated (${reason})\n${message === '' ? '' : `${message}\n`}`, exitCode);
}
