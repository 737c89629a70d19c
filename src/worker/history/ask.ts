import { resourceInfo, type ApiObject } from '../../api/resources.ts';
import type { SchedulingDecision } from '../../cluster/notes.ts';
import type { LogLine } from '../../cluster/kubelet/cri.ts';
import { logSource } from '../../cluster/pod-logs.ts';
import { resumeKubectl, startKubectl } from '../../kubectl/kubectl.ts';
import { splitCommandLine } from '../../kubectl/words.ts';
import type { ApiClient, KubectlEnvironment, KubectlOutcome } from '../../kubectl/contract.ts';
import type { Answers, Question } from '../protocol.ts';
import { checkManifest } from './check.ts';
import { messagesBetween } from './messages-between.ts';
import type { Run } from './run.ts';
import type { Session } from './session.ts';
import { whyChain } from './why.ts';

type Handlers = { [K in Question['about']]: (session: Session, question: Extract<Question, { about: K }>) => Answers[K] };

const handlers: Handlers = {
  object: (session, { resource, namespace, name, at }) => {
    const { store } = session.run.cluster;
    return { object: store.get(`${resource}/${resourceInfo(resource).namespaced ? namespace : ''}/${name}`, store.revisionAt(at)) ?? null };
  },
  objects: (session, { resource, namespace, at }) => {
    const { store } = session.run.cluster;
    return { objects: store.list(resource, namespace, store.revisionAt(at)) as ApiObject[] };
  },
  changes: (session, { resource, namespace, name }) => ({
    at: session.run.cluster.store.versionsOf(`${resource}/${resourceInfo(resource).namespaced ? namespace : ''}/${name}`).map((version) => version.at),
  }),
  logs: (session, question) => logs(session, question),
  kubectl: (session, question) => askKubectl(session, question),
  why: (session, { lane, at }) => ({ chain: whyChain(session, lane, at) }),
  decision: (session, { podUid, at }) => decision(session, podUid, at),
  messages: (session, question) => messagesBetween(session.run, question),
  check: (session, { text, at }) => ({ problems: checkManifest(text, outsideClient(session, at), session.run.options.namespace) }),
};

/** Answers a question about a moment; the film is not changed by it. */
export function answer<K extends Question['about']>(session: Session, question: Extract<Question, { about: K }>): Answers[K] {
  return handlers[question.about as K](session, question);
}

/** A client that speaks to the cluster as it stood at a moment. */
function outsideClient(session: Session, at: number): ApiClient {
  const { cluster } = session.at(at);
  return {
    epochMs: session.scenario.epochMs + at,
    request: (request) => cluster.outside(request),
    startExec: () => 'none',
    execOutcome: () => undefined,
  };
}

/** How often a command that waits looks again. */
const lookAgainMs = 200;
/** The commands that wait, each as far as it was followed. A few: the page has one terminal. */
const followed = new WeakMap<Run, Map<string, { outcome: KubectlOutcome; at: number }>>();
const followedMost = 8;

function askKubectl(session: Session, { line, at, until = at, stdin, files }: Extract<Question, { about: 'kubectl' }>): Answers['kubectl'] {
  const known = followed.get(session.run) ?? new Map<string, { outcome: KubectlOutcome; at: number }>();
  followed.set(session.run, known);
  const key = JSON.stringify([line, at, stdin, files]);
  const environment = (moment: number): KubectlEnvironment => ({
    client: outsideClient(session, moment), namespace: session.run.cluster.options.namespace, ...(stdin === undefined ? {} : { stdin }), ...(files === undefined ? {} : { files }),
  });
  const before = known.get(key);
  let stood = before !== undefined && before.at <= until ? before : undefined;
  if (stood === undefined) {
    const words = splitCommandLine(line);
    stood = { outcome: startKubectl(words[0] === 'kubectl' ? words.slice(1) : words, environment(at)), at };
  }
  while (stood.outcome.status === 'waiting' && stood.at + lookAgainMs <= until) {
    const moment: number = stood.at + lookAgainMs;
    stood = { outcome: resumeKubectl(stood.outcome.state, environment(moment)), at: moment };
  }
  const { outcome } = stood;
  known.delete(key);
  if (outcome.status === 'waiting') known.set(key, stood);
  if (known.size > followedMost) known.delete(known.keys().next().value as string);
  return { stdout: outcome.stdout, stderr: outcome.stderr, exit: outcome.status === 'done' ? outcome.exit : 0, ...(outcome.status === 'waiting' ? { waiting: true } : {}) };
}

function logs(session: Session, { podUid, container, at, previous, tail }: Extract<Question, { about: 'logs' }>): Answers['logs'] {
  const { cluster } = session.at(at);
  const pod = cluster.store.list('pods').find((item) => item.metadata.uid === podUid);
  const node = pod?.spec.nodeName;
  const runtime = node === undefined ? undefined : cluster.simulation.contextOf(`kubelet/${node}`).runtime(node);
  if (pod === undefined || runtime === undefined) return { lines: [] };
  const source = logSource(pod, container, previous);
  // The newest instance may have said something that the API does not know of yet.
  const newest = runtime.containers(podUid).find((record) => record.name === container);
  const id = previous ? ('id' in source ? source.id : undefined) : newest?.id;
  const lines: readonly LogLine[] = id !== undefined && runtime.containers(podUid).some((record) => record.id === id) ? runtime.logs(id) : [];
  const { epochMs } = session.scenario;
  return { lines: lines.filter((line) => line.at - epochMs <= at).slice(-tail).map((line) => ({ ...line, at: line.at - epochMs })) };
}

function decision(session: Session, podUid: string, at: number): Answers['decision'] {
  let found: { decision: SchedulingDecision | null; at: number } = { decision: null, at };
  for (const record of session.run.records) {
    if (record.at > at) break;
    if (record.kind === 'scheduling' && (record.data as SchedulingDecision).podUid === podUid) found = { decision: record.data as SchedulingDecision, at: record.at };
  }
  return found;
}
