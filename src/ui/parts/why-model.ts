import type { ContainerValue, PodValue, ProbeMark, WhyStep } from '../../worker/protocol.ts';
import type { SimTime } from '../../sim/time.ts';
import type { Film } from '../model/film/film.ts';
import type { Said } from '../model/format.ts';
import { messages, type WhyMessage } from './why-messages.ts';

/** The state of a pod in one sentence. */
export function whySentence(film: Film, podUid: string, t: SimTime): Said<WhyMessage> {
  const value = film.valueAt(`pod/${podUid}`, t) as PodValue | undefined;
  if (value === undefined) return { key: 's-gone' };
  const containers = containersAt(film, podUid, t);
  const rule = rules.find((item) => item.holds(value, containers));
  return rule?.say({ film, podUid, t, value, containers }) ?? { key: 's-status', values: { status: value.status } };
}

interface Named {
  name: string;
  value: ContainerValue;
}

interface Known {
  film: Film;
  podUid: string;
  t: SimTime;
  value: PodValue;
  containers: readonly Named[];
}

interface Rule {
  holds: (value: PodValue, containers: readonly Named[]) => boolean;
  say: (known: Known) => Said<WhyMessage>;
}

function containersAt(film: Film, podUid: string, t: SimTime): Named[] {
  const found: Named[] = [];
  for (const data of film.lanesOfPod(podUid)) {
    const value = data.lane.kind === 'container' ? film.spanOf(data, t)?.value : undefined;
    if (value?.kind === 'container' && value.role !== 'pause') found.push({ name: data.lane.container ?? data.lane.label, value });
  }
  return found;
}

const status = (...words: string[]) => (value: PodValue) => words.some((word) => value.status === word || value.status.endsWith(`:${word}`));
const find = (containers: readonly Named[], test: (value: ContainerValue) => boolean) => containers.find((item) => test(item.value));
const lastFailed = (known: Known) => find(known.containers, (value) => (value.exitCode ?? 0) !== 0) ?? find(known.containers, (value) => value.tone === 'back-off' || value.tone === 'failed');

/** First match wins. */
const rules: readonly Rule[] = [
  { holds: (value) => value.tone === 'unknown', say: () => ({ key: 's-unknown' }) },
  { holds: (value) => value.tone === 'terminating', say: () => ({ key: 's-terminating' }) },
  { holds: status('Evicted'), say: ({ value }) => ({ key: 's-evicted', values: { message: value.message ?? '' } }) },
  { holds: status('OOMKilled'), say: (known) => ({ key: 's-oom', values: { container: lastFailed(known)?.name ?? '' } }) },
  { holds: status('CrashLoopBackOff'), say: crash },
  { holds: status('ImagePullBackOff', 'ErrImagePull', 'InvalidImageName', 'ErrImageNeverPull'), say: ({ containers }) => ({ key: 's-pull', values: { container: find(containers, (value) => value.state === 'waiting' && value.tone !== 'starting')?.name ?? containers[0]?.name ?? '' } }) },
  { holds: (value) => value.tone === 'back-off', say: crash },
  { holds: (value) => value.tone === 'succeeded', say: () => ({ key: 's-completed' }) },
  { holds: (value) => value.tone === 'failed' && value.phase === 'Failed', say: failed },
  { holds: (value) => value.tone === 'failed', say: stuck },
  { holds: (value) => value.node === undefined, say: ({ value }) => (value.message === undefined ? { key: 's-pending-plain' } : { key: 's-pending', values: { message: value.message } }) },
  { holds: (value) => value.status.startsWith('Init:'), say: () => ({ key: 's-init' }) },
  { holds: (value) => value.tone === 'starting' && value.status === 'Running', say: notReady },
  { holds: (value) => value.tone === 'starting', say: starting },
  { holds: (value) => value.tone === 'ready', say: ready },
  { holds: (value) => value.tone === 'not-ready', say: notReady },
];

function crash(known: Known): Said<WhyMessage> {
  const container = find(known.containers, (value) => value.tone === 'back-off') ?? known.containers[0];
  const code = lastExit(known, container?.name);
  const values = { container: container?.name ?? '' };
  return code === undefined ? { key: 's-crash-plain', values } : { key: 's-crash', values: { ...values, code } };
}

/** Exit code of a container's last end before `t`. */
function lastExit({ film, podUid, t, containers }: Known, name: string | undefined): number | undefined {
  const now = containers.find((item) => item.name === name)?.value.exitCode;
  if (now !== undefined || name === undefined) return now;
  const data = film.lanesOfPod(podUid).find(({ lane }) => lane.kind === 'container' && lane.container === name);
  if (data === undefined) return undefined;
  for (let index = data.spans.at.length - 1; index >= 0; index -= 1) {
    const value = film.value(data.spans.value[index] ?? -1);
    if ((data.spans.at[index] ?? 0) <= t && value?.kind === 'container' && value.state === 'terminated') return value.exitCode;
  }
  return undefined;
}

function failed(known: Known): Said<WhyMessage> {
  const container = lastFailed(known);
  if (container?.value.exitCode === undefined) return { key: 's-failed-plain' };
  return { key: 's-failed', values: { container: container.name, code: container.value.exitCode } };
}

/** Something is wrong that the kubelet tries again: a container that cannot be made, or one that has just ended. */
function stuck(known: Known): Said<WhyMessage> {
  const waiting = find(known.containers, (item) => item.state === 'waiting' && item.tone === 'failed');
  return waiting === undefined ? crash(known) : { key: 's-waiting', values: { container: waiting.name, reason: waiting.value.reason ?? '' } };
}

function starting({ value, containers }: Known): Said<WhyMessage> {
  const waiting = find(containers, (item) => item.state === 'waiting' && item.reason !== 'ContainerCreating' && item.reason !== 'PodInitializing' && item.reason !== undefined);
  return waiting === undefined ? { key: 's-creating', values: { node: value.node ?? '' } } : { key: 's-waiting', values: { container: waiting.name, reason: waiting.value.reason ?? '' } };
}

function ready({ film, podUid, t, value }: Known): Said<WhyMessage> {
  const one = value.total === 1;
  if (served(film, podUid, t)) return { key: one ? 's-ready-one' : 's-ready' };
  return { key: one ? 's-ready-one-alone' : 's-ready-alone' };
}

/** A Service counts it among its endpoints. */
function served(film: Film, podUid: string, t: SimTime): boolean {
  return film.servicesAt(t).some(({ value }) => value.endpoints.some((end) => end.podUid === podUid));
}

function notReady(known: Known): Said<WhyMessage> {
  const { film, podUid, t, containers } = known;
  const startup = find(containers, (value) => value.state === 'running' && !value.started);
  if (startup !== undefined && film.lane(`probe/${podUid}/${startup.name}/startup`) !== undefined) return { key: 's-startup' };
  const behind = find(containers, (value) => !value.ready && value.role !== 'init');
  const mark = behind === undefined ? undefined : film.marksBetween(`probe/${podUid}/${behind.name}/readiness`, 0, t).at(-1)?.value as ProbeMark | undefined;
  if (mark !== undefined && mark.outcome !== 'success' && mark.run >= mark.threshold && everReady(film, podUid, t)) return { key: served(film, podUid, t) ? 's-readiness' : 's-readiness-alone', values: { run: mark.run } };
  return { key: served(film, podUid, t) ? 's-not-ready' : 's-not-ready-alone', values: { container: behind?.name ?? '' } };
}

function everReady(film: Film, podUid: string, t: SimTime): boolean {
  return film.spansBetween(`condition/${podUid}/Ready`, 0, t).some(({ value }) => value.kind === 'condition' && value.status === 'True');
}

/** Steps below what a reader wants to know first: a container that was created is told by 'running'. */
const quiet = /^(step-|container-step-(created|started|removed)|volume-(mounted|unmounted)|pull-queued)/;

/** The links worth showing: the newest `most`, the quiet ones only where little else is known. */
export function worthTelling(chain: readonly WhyStep[], most: number): WhyStep[] {
  const changed = (step: WhyStep, type: string) => step.fact === 'condition-changed' && step.values.type === type;
  // Ready says it all where ContainersReady changes with it.
  const loud = chain.filter((step) => !quiet.test(step.fact) && !(changed(step, 'ContainersReady') && chain.some((other) => other.at === step.at && changed(other, 'Ready'))));
  return (loud.length >= 2 ? loud : chain).slice(-most);
}

/** A step of the engine's chain as words to be said. */
export function factSaid({ fact, values }: WhyStep, probeWord: (probe: string) => string): Said<WhyMessage> {
  const texts = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
  if (typeof values.probe === 'string') texts.probe = probeWord(values.probe);
  const key = keyOf(fact, values);
  if (key !== undefined) return { key, values: texts };
  const rest = Object.values(texts).filter((value) => value !== '').join(' ');
  return rest === '' ? fact : `${fact.replaceAll('-', ' ')}: ${rest}`;
}

const known: Readonly<Record<string, string>> = messages.en;

function keyOf(fact: string, values: WhyStep['values']): WhyMessage | undefined {
  const special = fact === 'pod-created' && values.owner !== undefined ? 'pod-created-by'
    : fact === 'container-running' && Number(values.restarts ?? 0) > 0 ? 'container-restarted'
    : fact === 'probe-crossed' ? `probe-crossed-${values.outcome}` : fact;
  return special in known ? (special as WhyMessage) : undefined;
}
