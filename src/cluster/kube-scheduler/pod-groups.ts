import { stableText } from '../../api/meta/hash.ts';
import { isEmptySelector, selectorMatches } from '../../api/meta/selectors.ts';
import type { LabelSelector, Pod, PodAffinityTerm } from '../../api/schema/types.ts';
import type { View } from '../component.ts';
import { takesRoom } from './pod-facts.ts';
import type { GroupTerm, PodGroup, SchedulerState, TermGroup, TermKind } from './state.ts';

/** Groups beyond this are forgotten, the longest unused first; counting one anew costs one look at the pods it selects. */
const maxGroups = 256;

type Namespaces = SchedulerState['namespaces'];

function inNamespace({ namespaces, namespaceSelector }: GroupTerm, namespace: string, known: Namespaces): boolean {
  if (namespaces === undefined && namespaceSelector === undefined) return true;
  return namespaces?.includes(namespace) === true || (namespaceSelector !== undefined && selectorMatches(namespaceSelector, known[namespace]));
}

export const termSelects = (term: GroupTerm, { metadata }: Pod, namespaces: Namespaces): boolean =>
  inNamespace(term, metadata.namespace ?? '', namespaces) && selectorMatches(term.selector, metadata.labels);

const groupSelects = (group: PodGroup, pod: Pod, namespaces: Namespaces): boolean =>
  (!group.skipTerminating || pod.metadata.deletionTimestamp === undefined) && group.terms.every((term) => termSelects(term, pod, namespaces));

/** The number of pods on each node that all terms select. */
export function podsPerNode(state: SchedulerState, view: View, terms: GroupTerm[], skipTerminating: boolean, now: number): Record<string, number> {
  const key = groupKey(terms, skipTerminating);
  let group = state.groups[key];
  if (group === undefined) {
    group = { terms, skipTerminating, byNode: {}, usedAt: now };
    forgetOldest(state);
    state.groups[key] = group;
    for (const place of placesOf(terms[0] as GroupTerm)) (state.groupsByLabel[place] ??= []).push(key);
    countGroup(state, view, group);
  }
  group.usedAt = now;
  return group.byNode;
}

const selectorTexts = new WeakMap<LabelSelector, string>();

/** Selectors from the store never change: their text is kept. */
function selectorText(selector: LabelSelector): string {
  if (!Object.isFrozen(selector)) return stableText(selector);
  let text = selectorTexts.get(selector);
  if (text === undefined) selectorTexts.set(selector, (text = stableText(selector)));
  return text;
}

const groupKey = (terms: readonly GroupTerm[], skipTerminating: boolean): string =>
  `${skipTerminating ? 'live' : 'all'} ${terms.map(({ namespaces, namespaceSelector, selector }) => `${namespaces?.join() ?? '*'} ${namespaceSelector === undefined ? '' : selectorText(namespaceSelector)} ${selectorText(selector)}`).join(' + ')}`;

/** Where the group is filed: a pod is asked only about the groups filed under one of its labels, or under ''. */
function placesOf({ namespaces, namespaceSelector, selector }: GroupTerm): string[] {
  const [pair] = Object.entries(selector.matchLabels ?? {});
  return namespaces === undefined || namespaceSelector !== undefined || pair === undefined ? [''] : namespaces.map((namespace) => `${namespace}/${pair[0]}=${pair[1]}`);
}

function countGroup(state: SchedulerState, view: View, group: PodGroup): void {
  const places = placesOf(group.terms[0] as GroupTerm);
  const pods = places[0] === '' ? view.list('pods') : places.flatMap((place) => view.by('pods', 'label', place));
  for (const pod of pods) {
    if (state.assumed[pod.metadata.uid] === undefined && takesRoom(pod) && groupSelects(group, pod, state.namespaces)) bump(group.byNode, pod.spec.nodeName as string, 1);
  }
  for (const uid in state.assumed) {
    const { pod, node } = state.assumed[uid] as { pod: Pod; node: string };
    if (groupSelects(group, pod, state.namespaces)) bump(group.byNode, node, 1);
  }
}

function forgetOldest(state: SchedulerState): void {
  const keys = Object.keys(state.groups);
  if (keys.length < maxGroups) return;
  const oldest = keys.reduce((a, b) => ((state.groups[b] as PodGroup).usedAt < (state.groups[a] as PodGroup).usedAt ? b : a));
  forget(state, oldest);
}

function forget(state: SchedulerState, gone: string): void {
  for (const place of placesOf((state.groups[gone] as PodGroup).terms[0] as GroupTerm)) {
    const kept = (state.groupsByLabel[place] ?? []).filter((key) => key !== gone);
    if (kept.length === 0) delete state.groupsByLabel[place];
    else state.groupsByLabel[place] = kept;
  }
  delete state.groups[gone];
}

function bump(counts: Record<string, number>, node: string, by: number): void {
  const next = (counts[node] ?? 0) + by;
  if (next === 0) delete counts[node];
  else counts[node] = next;
}

/** Counts a pod on a node in (or out of) every group and term that it belongs to. */
export function fileInGroups(state: SchedulerState, pod: Pod, node: string, sign: 1 | -1): void {
  const { namespace, labels } = pod.metadata;
  const ask = (place: string) => {
    for (const key of state.groupsByLabel[place] ?? []) {
      const group = state.groups[key] as PodGroup;
      if (groupSelects(group, pod, state.namespaces)) bump(group.byNode, node, sign);
    }
  };
  for (const key in labels) ask(`${namespace}/${key}=${labels[key]}`);
  ask('');
  for (const own of affinityTermsOf(pod)) {
    const key = stableText([own.kind, own.weight, own.topologyKey, own.term]);
    const group: TermGroup = (state.terms[key] ??= { ...own, byNode: {} });
    bump(group.byNode, node, sign);
    if (sign < 0 && Object.keys(group.byNode).length === 0) delete state.terms[key];
  }
}

type OwnTerm = Omit<TermGroup, 'byNode'>;

/** All inter-pod terms that a pod carries. */
export function affinityTermsOf(pod: Pod): OwnTerm[] {
  const { podAffinity, podAntiAffinity } = pod.spec.affinity ?? {};
  if (podAffinity === undefined && podAntiAffinity === undefined) return noTerms;
  const of = (kind: TermKind, term: PodAffinityTerm, weight: number): OwnTerm => ({ kind, weight, topologyKey: term.topologyKey, term: groupTerm(term, pod) });
  return [
    ...(podAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []).map((term) => of('required-affinity', term, 1)),
    ...(podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []).map((term) => of('required-anti', term, 1)),
    ...(podAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(({ podAffinityTerm, weight }) => of('preferred-affinity', podAffinityTerm, weight)),
    ...(podAntiAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(({ podAffinityTerm, weight }) => of('preferred-anti', podAffinityTerm, weight)),
  ];
}

const noTerms: OwnTerm[] = [];

/** A term's namespaces are those named and those that a selector picks; without either the pod's own. An empty selector picks all. */
function groupTerm({ labelSelector, namespaces = [], namespaceSelector }: PodAffinityTerm, { metadata }: Pod): GroupTerm {
  const selector: LabelSelector = labelSelector ?? { matchExpressions: [{ key: 'kubernetes.io/none', operator: 'In', values: [] }] };
  if (namespaceSelector === undefined) return { namespaces: namespaces.length === 0 ? [metadata.namespace ?? ''] : [...namespaces], selector };
  return isEmptySelector(namespaceSelector) ? { selector } : { namespaces: [...namespaces], namespaceSelector, selector };
}

/** A namespace came or its labels changed: what was counted by them is counted anew when it is needed. */
export function putNamespace(state: SchedulerState, name: string, labels: Record<string, string>): void {
  state.namespaces[name] = labels;
  for (const key in state.groups) if ((state.groups[key] as PodGroup).terms.some(({ namespaceSelector }) => namespaceSelector !== undefined)) forget(state, key);
}
