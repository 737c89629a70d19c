import type { Change } from '../../cluster/etcd/store.ts';
import type { TraceRecord } from '../../sim/trace.ts';
import type { WhyStep } from '../protocol.ts';
import { ancestors } from './causes.ts';
import { factOfNote, factsOfChange, type Fact } from './facts.ts';
import type { Session } from './session.ts';

/** Steps shown at most; the chain itself may be longer. */
const stepsMax = 6;
const walkMax = 400;

interface Told {
  at: number;
  actor: string;
  seq: number;
  facts: Fact[];
}

/** How the fact that a lane shows at a moment came about, oldest first: a walk from the write or note back along the causes of events. */
export function whyChain(session: Session, lane: string, at: number): WhyStep[] {
  const subject = subjectOf(lane);
  const told = toldOf(session, at);
  const start = lastAbout(told, lane, subject);
  if (start === undefined) return [];
  const bySeq = new Map<number, Told[]>();
  for (const item of told) bySeq.set(item.seq, [...(bySeq.get(item.seq) ?? []), item]);
  const steps: WhyStep[] = [];
  const seen = new Set<string>();
  for (const seq of ancestors(session.run.causes, start.seq, walkMax)) {
    for (const item of [...(bySeq.get(seq) ?? [])].reverse()) {
      for (const { fact, values, subject: about } of [...item.facts].reverse()) {
        const own = about === undefined || subject === undefined || about === subject;
        const key = `${fact} ${JSON.stringify(values)}`;
        if (!own || item.at > at || seen.has(key) || steps.length >= stepsMax) continue;
        seen.add(key);
        steps.push({ at: item.at, actor: item.actor, fact, values });
      }
    }
    if (steps.length >= stepsMax) break;
  }
  return steps.reverse();
}

function subjectOf(lane: string): string | undefined {
  const [kind = '', first] = lane.split('/');
  if (kind === 'service' || kind === 'workload' || kind === 'inputs' || kind === 'requests') return undefined;
  return first;
}

function toldOf(session: Session, at: number): Told[] {
  const { store } = session.run.cluster;
  const changes: readonly Change[] = store.changesFrom(0).slice(0, store.changesUntil(at));
  const fromChanges = changes.map((change): Told => ({
    at: change.version.at, actor: change.version.actor, seq: change.version.cause, facts: factsOfChange(change),
  }));
  const fromNotes = session.run.records.filter((record: TraceRecord) => record.at <= at).map((record): Told => {
    const fact = factOfNote(record);
    return { at: record.at, actor: record.actor, seq: record.cause, facts: fact === undefined ? [] : [fact] };
  });
  return [...fromChanges, ...fromNotes].filter((item) => item.facts.length > 0).sort((a, b) => a.at - b.at || a.seq - b.seq);
}

/** Which facts a lane is made of, so that the walk starts at the newest of them. */
function lastAbout(told: readonly Told[], lane: string, subject: string | undefined): Told | undefined {
  const [kind = '', , detail, extra] = lane.split('/');
  const name = lane.split('/').at(-1) ?? '';
  const fits = ({ fact, values, subject: about }: Fact): boolean => {
    if (subject !== undefined && about !== subject) return false;
    switch (kind) {
      case 'condition': return fact === 'condition-changed' && values.type === detail;
      case 'container': return values.container === detail;
      case 'probe': return fact === 'probe-crossed' && values.container === detail && values.probe === extra;
      case 'node': return fact.startsWith('node-');
      case 'service': return fact.startsWith('endpoint-') && values.service === name;
      case 'workload': return String(values.name ?? '').endsWith(`/${name}`);
      default: return !fact.startsWith('step-') && !fact.startsWith('endpoint-');
    }
  };
  for (let i = told.length - 1; i >= 0; i--) {
    const item = told[i] as Told;
    if (item.facts.some(fits)) return item;
  }
  return undefined;
}
