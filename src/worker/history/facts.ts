import type { Deployment, EndpointSlice, Node, Pod, ReplicaSet } from '../../api/schema/types.ts';
import type { Change } from '../../cluster/etcd/store.ts';
import type { NoteKind, Notes } from '../../cluster/notes.ts';
import type { TraceRecord } from '../../sim/trace.ts';
import type { WhyStep } from '../protocol.ts';
import { containersOf } from './pods.ts';

/** One fact that a change or a note tells, before it gets its time and actor. */
export interface Fact {
  fact: string;
  values: WhyStep['values'];
  /** The pod, node or other subject that it is about; facts about others are left out of a chain. */
  subject?: string;
}

/** What a change of an object says, in facts. */
export function factsOfChange({ resource, type, version, previous }: Change): Fact[] {
  const object = version.object ?? previous;
  if (object === undefined) return [];
  const { name } = object.metadata;
  if (resource === 'pods') return podFacts(type, version.object as Pod | undefined, previous as Pod | undefined);
  if (resource === 'nodes') return nodeFacts(version.object as Node | undefined, previous as Node | undefined);
  if (resource === 'endpointslices.discovery.k8s.io') return endpointFacts(version.object as EndpointSlice | undefined, previous as EndpointSlice | undefined);
  if (resource === 'deployments.apps' || resource === 'replicasets.apps') {
    return workloadFacts(type, version.object as Deployment | ReplicaSet | undefined, previous as Deployment | ReplicaSet | undefined);
  }
  if (type === 'ADDED' && resource === 'services') return [{ fact: 'service-created', values: { name } }];
  return [];
}

function podFacts(type: Change['type'], pod: Pod | undefined, previous: Pod | undefined): Fact[] {
  const subject = (pod ?? previous)?.metadata.uid ?? '';
  const name = (pod ?? previous)?.metadata.name ?? '';
  const say = (fact: string, values: WhyStep['values'] = {}): Fact => ({ fact, values: { name, ...values }, subject });
  if (pod === undefined) return [say('pod-gone')];
  if (type === 'ADDED' || previous === undefined) return [say('pod-created', owner(pod))];
  const facts: Fact[] = [];
  if (!previous.metadata.deletionTimestamp && pod.metadata.deletionTimestamp) facts.push(say('pod-marked', { seconds: pod.metadata.deletionGracePeriodSeconds ?? 0 }));
  if (!previous.spec.nodeName && pod.spec.nodeName) facts.push(say('pod-bound', { node: pod.spec.nodeName }));
  const before = new Map(containersOf(previous).map((item) => [item.container.name, item.status]));
  for (const { container, status } of containersOf(pod)) {
    const old = before.get(container.name);
    const { waiting, running, terminated } = status?.state ?? {};
    const values = { container: container.name };
    if (running !== undefined && old?.containerID !== status?.containerID) facts.push(say('container-running', { ...values, restarts: status?.restartCount ?? 0 }));
    if (terminated !== undefined && old?.state?.terminated === undefined) facts.push(say('container-ended', { ...values, exitCode: terminated.exitCode, reason: terminated.reason ?? '' }));
    if (waiting?.reason !== undefined && waiting.reason !== old?.state?.waiting?.reason) facts.push(say('container-waits', { ...values, reason: waiting.reason, message: waiting.message ?? '' }));
  }
  for (const condition of pod.status.conditions ?? []) {
    const old = previous.status.conditions?.find((item) => item.type === condition.type);
    if (old?.status !== condition.status) {
      facts.push(say('condition-changed', { type: condition.type, to: condition.status, reason: condition.reason ?? '', message: condition.message ?? '' }));
    }
  }
  if (pod.status.phase !== previous.status.phase) facts.push(say('phase-changed', { from: previous.status.phase ?? '', to: pod.status.phase ?? '', reason: pod.status.reason ?? '' }));
  return facts;
}

function owner(pod: Pod): WhyStep['values'] {
  const reference = pod.metadata.ownerReferences?.find((item) => item.controller === true);
  return reference === undefined ? {} : { owner: `${reference.kind}/${reference.name}` };
}

function nodeFacts(node: Node | undefined, previous: Node | undefined): Fact[] {
  const subject = (node ?? previous)?.metadata.name ?? '';
  if (node === undefined || previous === undefined) return [];
  const facts: Fact[] = [];
  for (const condition of node.status.conditions ?? []) {
    const old = previous.status.conditions?.find((item) => item.type === condition.type);
    if (old !== undefined && old.status !== condition.status) facts.push({ fact: 'node-condition', subject, values: { node: subject, type: condition.type, to: condition.status, reason: condition.reason ?? '' } });
  }
  const keys = (of: Node) => (of.spec.taints ?? []).map((taint) => `${taint.key}:${taint.effect}`);
  for (const taint of keys(node)) if (!keys(previous).includes(taint)) facts.push({ fact: 'node-tainted', subject, values: { node: subject, taint } });
  if (node.spec.unschedulable !== previous.spec.unschedulable) facts.push({ fact: node.spec.unschedulable === true ? 'node-cordoned' : 'node-uncordoned', subject, values: { node: subject } });
  return facts;
}

function endpointFacts(slice: EndpointSlice | undefined, previous: EndpointSlice | undefined): Fact[] {
  const service = (slice ?? previous)?.metadata.labels?.['kubernetes.io/service-name'] ?? '';
  const stateOf = (of: EndpointSlice | undefined) => new Map((of?.endpoints ?? []).map((end) => [end.targetRef?.uid ?? '', end]));
  const before = stateOf(previous);
  const facts: Fact[] = [];
  for (const [uid, end] of stateOf(slice)) {
    const values = { service, address: end.addresses[0] ?? '' };
    const old = before.get(uid);
    if (old?.conditions?.ready !== end.conditions?.ready) facts.push({ fact: end.conditions?.ready === true ? 'endpoint-ready' : 'endpoint-not-ready', subject: uid, values });
    before.delete(uid);
  }
  for (const [uid, end] of before) facts.push({ fact: 'endpoint-left', subject: uid, values: { service, address: end.addresses[0] ?? '' } });
  return facts;
}

function workloadFacts(type: Change['type'], object: Deployment | ReplicaSet | undefined, previous: Deployment | ReplicaSet | undefined): Fact[] {
  if (object === undefined) return [];
  const name = `${object.kind}/${object.metadata.name}`;
  if (type === 'ADDED' || previous === undefined) return [{ fact: 'workload-created', values: { name, replicas: object.spec.replicas ?? 0 } }];
  if (object.spec.replicas !== previous.spec.replicas) return [{ fact: 'workload-scaled', values: { name, from: previous.spec.replicas ?? 0, to: object.spec.replicas ?? 0 } }];
  return object.metadata.generation !== previous.metadata.generation ? [{ fact: 'workload-changed', values: { name } }] : [];
}

type Tell = { [K in NoteKind]?: (note: Notes[K]) => Fact | undefined };

const tell: Tell = {
  'probe-result': (note) => (note.crosses ? { fact: 'probe-crossed', subject: note.podUid, values: { probe: note.probe, container: note.container, outcome: note.outcome, run: note.run, threshold: note.threshold, message: note.message } } : undefined),
  hook: (note) => ({ fact: `hook-${note.phase}`, subject: note.podUid, values: { hook: note.hook, container: note.container, message: note.message ?? '' } }),
  signal: (note) => ({ fact: 'signal-sent', subject: note.podUid, values: { signal: note.signal, container: note.container } }),
  grace: (note) => ({ fact: 'grace-began', subject: note.podUid, values: { seconds: note.seconds } }),
  pull: (note) => ({ fact: `pull-${note.phase}`, ...(note.podUid === undefined ? {} : { subject: note.podUid }), values: { image: note.image, message: note.message ?? '' } }),
  volume: (note) => (note.phase === 'mounting' ? undefined : { fact: `volume-${note.phase}`, subject: note.podUid, values: { volume: note.volume, message: note.message ?? '' } }),
  'pod-step': (note) => ({ fact: `step-${note.step}`, subject: note.podUid, values: { detail: note.detail ?? '' } }),
  'container-step': (note) => ({ fact: `container-step-${note.step}`, subject: note.podUid, values: { container: note.container, exitCode: note.exitCode ?? 0, reason: note.reason ?? '' } }),
  'back-off': (note) => ({ fact: 'back-off', subject: note.podUid, values: { container: note.container, seconds: note.windowMs / 1000, of: note.of } }),
  scheduling: (note) => ({ fact: `scheduling-${note.outcome}`, subject: note.podUid, values: { node: note.node ?? '', message: note.message ?? '', tied: note.tied?.length ?? 0 } }),
  input: (note) => ({ fact: 'input', values: { summary: note.summary } }),
};

/** What a component's note says, if it belongs into a chain. */
export function factOfNote(record: TraceRecord): Fact | undefined {
  const say = tell[record.kind as NoteKind] as ((note: unknown) => Fact | undefined) | undefined;
  return say?.(record.data);
}
