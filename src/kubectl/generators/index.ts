import { resourceInfo } from '../../api/resources.ts';
import type { Status } from '../../api/schema/types.ts';
import { parseDuration } from '../../api/duration.ts';
import { ask, pathOf } from '../api.ts';
import { pairsAsMap, portOf } from '../commands/expose.ts';
import { secretHelp } from '../commands/group-help.ts';
import { isFailure, plainError, usageError } from '../failure.ts';
import { flag, parseArguments } from '../flags.ts';
import { withNamespace } from '../manifests.ts';
import type { Command, CommandTable } from '../registry.ts';
import { generatorCommand, generatorFlags, type Generator } from './generator.ts';
import { configMap, secrets } from './keys.ts';
import { ingress, services } from './network.ts';
import { cronJob, deployment, job } from './workloads.ts';

const namespace: Generator = { verb: 'namespace', resource: 'namespaces', flags: {}, build: () => ({ apiVersion: 'v1', kind: 'Namespace', spec: {}, status: {} }) };

const serviceAccount: Generator = { verb: 'serviceaccount', resource: 'serviceaccounts', flags: {}, doing: 'failed to create serviceaccount', build: () => ({ apiVersion: 'v1', kind: 'ServiceAccount' }) };

const quota: Generator = {
  verb: 'quota', resource: 'resourcequotas', flags: { hard: flag.text(), scopes: flag.text() }, doing: 'failed to create quota',
  build(_, parsed) {
    const hard = Object.fromEntries((parsed.text('hard') ?? '').split(',').filter(Boolean).map((pair) => {
      const [name = '', value, more] = pair.split('=');
      if (value === undefined || more !== undefined) throw plainError(`Invalid argument syntax ${pair}, expected <resource>=<value>`);
      return [name, value];
    }));
    const scopes = parsed.text('scopes')?.split(',');
    if (scopes?.includes('') === true) throw plainError('invalid resource quota scope ""');
    return { apiVersion: 'v1', kind: 'ResourceQuota', spec: { ...(Object.keys(hard).length === 0 ? {} : { hard }), ...(scopes === undefined ? {} : { scopes }) }, status: {} };
  },
};

const disruptionBudget: Generator = {
  verb: 'poddisruptionbudget', resource: 'poddisruptionbudgets.policy', flags: { selector: flag.text(), 'min-available': flag.text(), 'max-unavailable': flag.text() }, doing: 'failed to create poddisruptionbudgets',
  build(_, parsed) {
    const [selector, least, most] = [parsed.text('selector'), parsed.text('min-available'), parsed.text('max-unavailable')];
    if (selector === undefined) throw plainError('a selector must be specified');
    if (least === undefined && most === undefined) throw plainError('one of min-available or max-unavailable must be specified');
    if (least !== undefined && most !== undefined) throw plainError('min-available and max-unavailable cannot be both specified');
    return {
      apiVersion: 'policy/v1', kind: 'PodDisruptionBudget',
      spec: { ...(least === undefined ? {} : { minAvailable: portOf(least) }), ...(most === undefined ? {} : { maxUnavailable: portOf(most) }), selector: { matchLabels: pairsAsMap(selector) } },
      status: { currentHealthy: 0, desiredHealthy: 0, disruptionsAllowed: 0, expectedPods: 0 },
    };
  },
};

const priorityClass: Generator = {
  verb: 'priorityclass', resource: 'priorityclasses.scheduling.k8s.io', doing: 'failed to create priorityclass', required: ['value'],
  flags: { value: flag.int32(), 'global-default': flag.bool(), description: flag.text(), 'preemption-policy': flag.text() },
  build: (_, parsed) => ({
    apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', value: parsed.int('value') ?? 0, preemptionPolicy: parsed.text('preemption-policy') ?? 'PreemptLowerPriority',
    ...(parsed.bool('global-default') ? { globalDefault: true } : {}), ...(parsed.has('description') ? { description: parsed.text('description') } : {}),
  }),
};

/** A kind that has kinds of its own: 'create secret generic', 'create service nodeport'. */
const nested = (verb: string, kinds: Readonly<Record<string, Generator>>): Command => ({
  run(args, environment, out) {
    const kind = args.find((arg) => !arg.startsWith('-'));
    const generator = kinds[kind ?? ''];
    if (kind === undefined && verb === 'secret') throw secretHelp();
    if (generator === undefined) throw usageError(`unknown command "${kind ?? ''}"`, `kubectl create ${verb}`);
    return generatorCommand(generator).run(args.filter((_, index) => index !== args.indexOf(kind as string)), environment, out);
  },
});

const token: Command = {
  run(args, environment, out) {
    const parsed = parseArguments(args, { ...generatorFlags, audience: flag.texts(), duration: flag.duration(), 'bound-object-kind': flag.text(), 'bound-object-name': flag.text(), 'bound-object-uid': flag.text() }, 'kubectl create token');
    const [name] = parsed.words;
    if (name === undefined) throw usageError(`exactly one NAME is required, got ${parsed.words.length}`, 'kubectl create token');
    const place = withNamespace(environment, parsed);
    const seconds = parsed.has('duration') ? (parseDuration(parsed.text('duration') ?? '') ?? 0) / 1000 : undefined;
    const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { audiences: parsed.list('audience'), ...(seconds === undefined ? {} : { expirationSeconds: seconds }) } };
    const response = ask(place.client, 'POST', pathOf(resourceInfo('serviceaccounts'), place.namespace, name, 'token'), { body });
    if (isFailure(response)) throw plainError(`failed to create token: ${(response.body as Status).message ?? ''}`);
    out.stdout += `${(response.body as { status?: { token?: string } }).status?.token ?? ''}\n`;
  },
};

const absent = (kind: string): Command => ({
  run() {
    throw plainError(`kubectl create ${kind} is not simulated: everybody may do everything here`);
  },
});

const simple: Readonly<Record<string, Generator>> = {
  configmap: configMap, cm: configMap, cronjob: cronJob, cj: cronJob, deployment, deploy: deployment, ingress, ing: ingress, job, namespace, ns: namespace, poddisruptionbudget: disruptionBudget, pdb: disruptionBudget,
  priorityclass: priorityClass, pc: priorityClass, quota, resourcequota: quota, serviceaccount: serviceAccount, sa: serviceAccount,
};

/** The parts of 'kubectl create', by what the user types. */
export const generatorCommands: CommandTable = Object.fromEntries([
  ...Object.entries(simple).map(([word, generator]): [string, Command] => [word, generatorCommand(generator)]),
  ...['secret'].map((word): [string, Command] => [word, nested('secret', secrets)]),
  ...['service', 'svc'].map((word): [string, Command] => [word, nested('service', services)]),
  ['token', token] as [string, Command],
  ...['role', 'rolebinding', 'clusterrole', 'clusterrolebinding'].map((word): [string, Command] => [word, absent(word)]),
].map(([word, command]) => [`create ${word as string}`, command as Command]));
