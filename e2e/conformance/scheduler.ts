import { apiVersionOf, resourceOfKind, type ApiObject } from '../../src/api/resources.ts';
import type { Event, Node, Pod, PodCondition } from '../../src/api/schema/types.ts';
import { Cluster } from '../../src/cluster/cluster.ts';
import { controllers } from '../../src/cluster/kube-controller-manager/registry.ts';
import type { SchedulingDecision } from '../../src/cluster/notes.ts';
import { clusterOptions } from '../../src/cluster/options.ts';
import type { RestRequest } from '../../src/kubectl/contract.ts';
import { parseScenario } from '../../src/scenarios/parse.ts';
import { count, difference, emptyResult, guarded, type AreaResult } from './expect.ts';

interface RecordedPod {
  pod: string;
  outcome: 'bound' | 'unschedulable' | 'gated' | 'untouched';
  node?: string;
  condition?: PodCondition;
  nominatedNodeName?: string;
  events: { type: string; reason: string; action: string; note: string; reportingController: string }[];
  scores?: Record<string, Record<string, number>>;
  nodes?: Record<string, number>;
}

interface Request {
  name: string;
  method: RestRequest['method'];
  path: string;
  body?: unknown;
  type?: string;
}

/** One situation, and what a real scheduler made of it. */
interface Situation {
  id: string;
  nodes: Node[];
  objects?: (ApiObject & { status?: unknown; deleting?: boolean })[];
  existing: Pod[];
  pods: Pod[];
  steps?: Request[];
  outcome: {
    pods: RecordedPod[];
    victims?: { pod: string; conditions: PodCondition[]; events: RecordedPod['events'] }[];
    victimSets?: Record<string, number>;
    then?: { step: string; node: string | null; condition?: PodCondition }[];
  };
}

/** A cluster of an API server and a scheduler. */
class Stage {
  readonly cluster: Cluster;
  readonly decisions: SchedulingDecision[] = [];
  readonly uids = new Map<string, string>();

  constructor() {
    const options = clusterOptions({ ...parseScenario('title: scheduler'), nodes: [] }, 'recorded');
    this.cluster = new Cluster(options, { onRecord: ({ kind, data }) => void (kind === 'scheduling' && this.decisions.push(data as SchedulingDecision)) });
    for (const { name } of controllers) this.cluster.simulation.input({ at: 0, to: name, kind: 'fault', payload: { component: name, state: 'stop' } });
    this.run(100);
    this.post({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'other', labels: { team: 'b' } } } as unknown as ApiObject);
    this.post({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default', namespace: 'other' } });
  }

  run(ms: number): void {
    this.cluster.simulation.runUntil(this.cluster.simulation.now + ms);
  }

  ask(method: RestRequest['method'], path: string, body?: unknown, type = 'application/json'): ApiObject & { status?: object } {
    const { body: answer } = this.cluster.outside({ method, path, query: {}, headers: { 'content-type': type }, ...(body === undefined ? {} : { body }) });
    return answer as ApiObject;
  }

  post(object: { apiVersion: string; kind: string; metadata: { name: string; namespace?: string } }): ApiObject & { status?: object } {
    const made = this.ask('POST', collectionOf(object), object);
    if (made.metadata?.uid !== undefined) this.uids.set(`${object.kind}/${object.metadata.name}`, made.metadata.uid);
    return made;
  }

  putStatus(object: ApiObject & { status?: object }, status: object): void {
    const path = `${collectionOf(object)}/${object.metadata.name}`;
    this.ask('PUT', `${path}/status`, { ...this.ask('GET', path), status });
  }

  /** Texts with uids as the recording writes them. */
  named(text: string | undefined): string | undefined {
    let result = text;
    for (const [name, uid] of this.uids) result = result?.replaceAll(uid, `<uid of ${name.slice(name.indexOf('/') + 1)}>`);
    return result;
  }

  eventsOf(uid: string): RecordedPod['events'] {
    const events: Event[] = this.cluster.store.list('events').filter(({ involvedObject }) => involvedObject.uid === uid);
    return events.map(({ type = '', reason = '', action = '', message, reportingComponent = '' }) => ({ type, reason, action, note: this.named(message) ?? '', reportingController: reportingComponent }));
  }
}

function collectionOf({ apiVersion, kind, metadata }: { apiVersion: string; kind: string; metadata: { namespace?: string } }): string {
  const info = resourceOfKind(apiVersion, kind);
  if (info === undefined) return '/';
  const base = info.group === '' ? '/api/v1' : `/apis/${apiVersionOf(info)}`;
  return `${base}${info.namespaced ? `/namespaces/${metadata.namespace ?? 'default'}` : ''}/${info.plural}`;
}

function setUp(situation: Situation): Stage {
  const stage = new Stage();
  for (const { deleting, ...object } of situation.objects ?? []) {
    stage.post(object);
    if (object.status !== undefined) stage.putStatus(object as ApiObject, object.status as object);
    if (deleting === true) stage.ask('DELETE', `${collectionOf(object)}/${object.metadata.name}`);
  }
  for (const node of situation.nodes) {
    stage.post(node as ApiObject);
    // Admission taints every new node: the recorded ones had exactly the taints that they list.
    stage.ask('PATCH', `/api/v1/nodes/${node.metadata.name}`, { spec: { taints: node.spec.taints ?? null } }, 'application/merge-patch+json');
    stage.putStatus(node as ApiObject, node.status);
    stage.run(20);
  }
  for (const pod of situation.existing) addPod(stage, pod);
  stage.run(200);
  return stage;
}

/** Creates a pod; one that names its node runs there. `node`: where an earlier pod went. */
function addPod(stage: Stage, { status, ...pod }: Pod, node?: string): ApiObject {
  const namespace = pod.metadata.namespace ?? 'default';
  const ownerReferences = pod.metadata.ownerReferences?.map((owner) => ({ ...owner, uid: stage.uids.get(`${owner.kind}/${owner.name}`) ?? 'unknown' }));
  const made = stage.post({
    ...pod, metadata: { ...pod.metadata, namespace, ...(ownerReferences === undefined ? {} : { ownerReferences }) }, spec: { ...pod.spec, ...(node === undefined ? {} : { nodeName: node }) },
  } as unknown as ApiObject);
  if (pod.spec.nodeName !== undefined) {
    stage.putStatus(made, { ...made.status, phase: 'Running', startTime: '2026-01-01T00:00:00Z', ...status });
    if (pod.metadata.annotations?.['oracle/terminating'] !== undefined) {
      stage.ask('DELETE', `${collectionOf(made)}/${pod.metadata.name}`, { kind: 'DeleteOptions', apiVersion: 'v1', gracePeriodSeconds: 600 });
    }
  }
  stage.run(60);
  return made;
}

const scheduled = ({ status }: Pod): PodCondition | undefined => status.conditions?.find(({ type }) => type === 'PodScheduled');

function outcomeOf(pod: Pod): RecordedPod['outcome'] {
  if (pod.spec.nodeName !== undefined) return 'bound';
  const condition = scheduled(pod);
  return condition === undefined ? 'untouched' : condition.reason === 'SchedulingGated' ? 'gated' : 'unschedulable';
}

/** Any node with the largest total is a legal choice. */
function legalNodes({ scores, nodes, node }: RecordedPod): string[] {
  if (scores === undefined) return Object.keys(nodes ?? { [node ?? '']: 1 });
  const most = Math.max(...Object.values(scores).map(({ total = 0 }) => total));
  return Object.keys(scores).filter((name) => scores[name]?.total === most);
}

const withoutZeros = (scores: Record<string, number>) => Object.fromEntries(Object.entries(scores).filter(([, score]) => score !== 0));

type Check = (what: string, expected: unknown, actual: unknown) => void;

function compareBound(stage: Stage, pod: Pod, recorded: RecordedPod, check: Check): void {
  const { nodeName = '' } = pod.spec;
  check('node', legalNodes(recorded).includes(nodeName) ? nodeName : legalNodes(recorded).join(' or '), nodeName);
  const seen = stage.decisions[0]?.nodes ?? [];
  for (const [node, scores] of Object.entries(recorded.scores ?? {})) {
    const ours = seen.find((each) => each.node === node);
    check(`scores of ${node}`, withoutZeros(scores), withoutZeros({ ...ours?.scores, total: ours?.total ?? 0 }));
  }
}

function compareVictims(stage: Stage, { victims = [], victimSets = {} }: Situation['outcome'], check: Check): void {
  const ours = stage.cluster.store.list('pods').filter(({ status }) => status.conditions?.some(({ type }) => type === 'DisruptionTarget'));
  const names = (text: string) => text.split(/[,+ ]+/).sort().join();
  const taken = ours.map(({ metadata }) => metadata.name).sort().join();
  const sets = Object.keys(victimSets).map(names);
  check('victims', sets.includes(taken) || sets[0]?.split(',').length === taken.split(',').length ? taken : sets.join(' or '), taken);
  for (const pod of ours) {
    const recorded = victims.find((victim) => victim.pod === pod.metadata.name);
    if (recorded !== undefined) check(`reason of ${recorded.pod}`, recorded.conditions.map(({ reason }) => reason), pod.status.conditions?.filter(({ type }) => type === 'DisruptionTarget').map(({ reason }) => reason));
  }
}

/** Plays a situation up to one of its pods. Earlier pods go where the real scheduler put them. */
function play(situation: Situation, index: number, check: Check): void {
  const stage = setUp(situation);
  situation.pods.slice(0, index).forEach((pod, i) => {
    addPod(stage, pod, situation.outcome.pods[i]?.node);
    stage.run(1500);
  });
  stage.decisions.length = 0;
  const made = addPod(stage, situation.pods[index] as Pod);
  stage.run(1500);
  const path = `${collectionOf(made)}/${made.metadata.name}`;
  const pod = stage.ask('GET', path) as unknown as Pod;
  const recorded = situation.outcome.pods[index] as RecordedPod;
  check('outcome', recorded.outcome, outcomeOf(pod));
  if (recorded.outcome === 'bound') compareBound(stage, pod, recorded, check);
  else check('condition', [recorded.condition?.reason, anyNode(recorded.condition?.message)], [scheduled(pod)?.reason, anyNode(stage.named(scheduled(pod)?.message))]);
  const texts = (events: RecordedPod['events']) => events.map(({ note, ...event }) => ({ ...event, note: anyNode(note) }));
  check('events', texts(recorded.events), texts(stage.eventsOf(made.metadata.uid)));
  check('nomination', recorded.nominatedNodeName !== undefined, pod.status.nominatedNodeName !== undefined);
  if (index === situation.pods.length - 1 && situation.outcome.victims !== undefined) compareVictims(stage, situation.outcome, check);
  (situation.steps ?? []).forEach(({ method, path: target, body, type }, i) => {
    stage.ask(method, target, body, type);
    stage.run(1500);
    const then = stage.ask('GET', path) as unknown as Pod;
    const expected = situation.outcome.then?.[i];
    check(`after ${expected?.step}`, [expected?.node, expected?.condition?.message], [then.spec.nodeName ?? null, scheduled(then)?.message]);
  });
}

/** Among equal nodes the dice decides: which one it was is not compared in texts. */
const anyNode = (text: string | undefined): string | undefined =>
  text?.replace(/(on node|to) n\d+\b/g, '$1 <node>').replace(/(Successfully assigned \S+ to) \S+$/, '$1 <node>');

/** Every decision of every situation: where a pod went, why not elsewhere, each node's scores, what was said. */
export function decisions(area: string, lines: readonly Situation[]): AreaResult {
  const result = emptyResult(area);
  for (const situation of lines) {
    situation.outcome.pods.forEach((_, index) => {
      const check: Check = (what, expected, actual) => {
        const found = difference(expected, actual);
        count(result, `${situation.id}#${index} ${what}`, found === undefined ? undefined : `${JSON.stringify(expected)} | ours: ${JSON.stringify(actual)}`);
      };
      const thrown = guarded(() => void play(situation, index, check) as undefined);
      if (thrown !== undefined) count(result, `${situation.id}#${index}`, thrown);
    });
  }
  return result;
}
