import { parseDuration } from '../../api/duration.ts';
import { resourceInfo, type ApiObject, type ResourceName } from '../../api/resources.ts';
import { getObject } from '../api.ts';
import type { KubectlEnvironment } from '../contract.ts';
import { Failure, notFound, plainError } from '../failure.ts';
import { flag, parseArguments } from '../flags.ts';
import { withNamespace, type Place } from '../manifests.ts';
import { findValues, parseRelaxed, TemplateFault, valueText } from '../output/jsonpath.ts';
import type { Command, Printer } from '../registry.ts';
import { choiceFlags, failTogether, reporter } from '../report.ts';
import { findObjects } from '../targets.ts';

interface WaitState {
  args: readonly string[];
  objects: { resource: ResourceName; namespace: string; name: string; uid: string }[] | null;
  failures: string[];
  deadlineMs: number;
  /** --timeout=0: each is looked at once. */
  once: boolean;
}

const flags = { ...choiceFlags, for: flag.texts(), timeout: flag.duration() };

/** kubectl wait. Upstream: k8s.io/kubectl/pkg/cmd/wait. Simplified: looks again instead of watching. */
export const wait: Command = {
  run(args, environment, out) {
    const parsed = parseArguments(args, flags, 'kubectl wait');
    conditionsOf(parsed.list('for'));
    const timeoutMs = parseDuration(parsed.text('timeout') ?? '30s') ?? 0;
    return goOn({ args, objects: null, failures: [], deadlineMs: environment.client.epochMs + (timeoutMs < 0 ? 168 * 3_600_000 : timeoutMs), once: timeoutMs === 0 }, environment, out);
  },
  resume: (state, environment, out) => goOn(state as WaitState, environment, out),
};

function goOn(state: WaitState, environment: KubectlEnvironment, out: Printer): WaitState | undefined {
  const parsed = parseArguments(state.args, flags, 'kubectl wait');
  const place = withNamespace(environment, parsed);
  const asked = parsed.list('for');
  const late = place.client.epochMs >= state.deadlineMs;
  let { objects } = state;
  if (objects === null) {
    const { found, failures } = findObjects(parsed.words, parsed, place);
    const [forDelete, forCreate] = [isFor(asked, 'delete'), isFor(asked, 'create')];
    if (forCreate && found.length === 0 && failures.every(({ text }) => text.includes('(NotFound)'))) {
      if (late) throw plainError('timed out waiting for the condition');
      return state;
    }
    const grave = forDelete ? failures.filter(({ text }) => !text.includes('(NotFound)')) : failures;
    failTogether(grave);
    if (found.length === 0 && !forDelete) throw plainError('no matching resources found');
    objects = found.map(({ info, namespace, name, object }) => ({ resource: info.resource, namespace, name, uid: object.metadata.uid }));
  }
  return waitFor({ ...state, objects: [...objects], failures: [...state.failures] }, conditionsOf(asked), place, out, late);
}

const isFor = (asked: readonly string[], word: string): boolean => asked.some((text) => text.toLowerCase() === word);

/** The objects in turn: the first that is not as it should be holds up the rest, until the time is over. */
function waitFor(state: WaitState, conditions: readonly Condition[], place: Place, out: Printer, late: boolean): WaitState | undefined {
  const objects = state.objects ?? [];
  const report = reporter(parseArguments(state.args, flags, 'kubectl wait'), out);
  while (objects.length > 0) {
    const { resource, namespace, name, uid } = objects[0] as (typeof objects)[number];
    const info = resourceInfo(resource);
    const object = getObject(place.client, info, namespace, name);
    // Once the time is over for one, those after it are not looked at.
    const met = (state.once || state.failures.length === 0 || !late) && conditions.every((condition) => condition(object, uid));
    if (!met && !late && (object !== undefined || conditions.length === 0)) return { ...state, objects };
    objects.shift();
    if (met) report(info, object ?? { metadata: { name } }, 'condition met');
    else state.failures.push(object === undefined ? notFound(info, name).text : `error: ${state.once ? 'condition not met for' : 'timed out waiting for the condition on'} ${info.plural}/${name}\n`);
  }
  failTogether(state.failures.map((text) => new Failure(text)));
  return undefined;
}

type Condition = (object: ApiObject | undefined, uid: string) => boolean;

function conditionsOf(asked: readonly string[]): Condition[] {
  if (asked.length === 0) throw plainError('unrecognized condition: []');
  return asked.map((text): Condition => {
    if (text.toLowerCase() === 'delete') return (object, uid) => object?.metadata.uid !== uid;
    if (text.toLowerCase() === 'create') return (object) => object !== undefined;
    if (text.startsWith('condition=')) return statusCondition(text.slice('condition='.length));
    if (text.startsWith('jsonpath=')) return pathCondition(text.slice('jsonpath='.length));
    throw plainError(`unrecognized condition: ${JSON.stringify(text)}`);
  });
}

interface WithConditions {
  status?: { observedGeneration?: number; conditions?: { type?: string; status?: string; observedGeneration?: number }[] };
}

function statusCondition(text: string): Condition {
  const [name = '', wanted = 'true'] = text.split('=');
  return (object) => {
    const { status } = (object ?? {}) as WithConditions;
    const found = status?.conditions?.find(({ type = '' }) => type.toLowerCase() === name.toLowerCase());
    const observed = found?.observedGeneration ?? status?.observedGeneration;
    if (observed !== undefined && (object?.metadata.generation ?? 0) > observed) return false;
    return found?.status?.toLowerCase() === wanted.toLowerCase();
  };
}

function pathCondition(text: string): Condition {
  const parts = text.split(/(?<!=)=(?!=)/);
  if (parts.length > 2) throw plainError("jsonpath wait format must be --for=jsonpath='{.status.readyReplicas}'=3 or --for=jsonpath='{.status.readyReplicas}'");
  const wanted = parts[1]?.replace(/^['"]+|['"]+$/g, '');
  if (wanted === '') throw plainError("jsonpath wait has to have a value after equal sign, like --for=jsonpath='{.status.readyReplicas}'=3");
  try {
    const template = parseRelaxed(parts[0] ?? '');
    return (object) => {
      const values = object === undefined ? [] : findValues(template, object);
      return wanted === undefined ? values.length > 0 : values.length === 1 && valueText(values[0]) === wanted;
    };
  } catch (error) {
    if (!(error instanceof TemplateFault)) throw error;
    throw plainError(error.message);
  }
}
