import { Cluster } from '../../cluster/cluster.ts';
import { clusterOptions, type ClusterOptions } from '../../cluster/options.ts';
import type { Input, Scenario } from '../../scenarios/schema.ts';
import type { Checkpoint } from '../../sim/simulation.ts';
import type { SimTime } from '../../sim/time.ts';
import type { TraceRecord } from '../../sim/trace.ts';
import { createCauses, noteCause, type CauseLog } from './causes.ts';
import { MessageLog, type LogPlace } from './messages.ts';

/** A saved moment of a run, with how far its inputs and its trace had come. */
export interface Savepoint {
  at: SimTime;
  checkpoint: Checkpoint;
  inputsDone: number;
  records: number;
  messages: LogPlace;
}

const eventsBetweenSavepoints = 2000;
const savepointsMax = 48;

/** A scenario's steps as inputs, in time order. */
export function scenarioInputs(scenario: Scenario): Input[] {
  return scenario.steps.map((step, index): Input => {
    if ('fault' in step) return { at: step.atMs, kind: 'fault', fault: step.fault };
    const { atMs, kubectl, stdin, files } = step;
    return { at: atMs, kind: 'kubectl', line: kubectl, step: index, ...(stdin === undefined ? {} : { stdin }), ...(files === undefined ? {} : { files }) };
  });
}

/** Scenario steps and the user's inputs in one list; at the same time the scenario's come first. */
export function mergeInputs(scripted: readonly Input[], own: readonly Input[]): Input[] {
  return [...scripted.map((input) => ({ input, rank: 0 })), ...own.map((input) => ({ input, rank: 1 }))]
    .map((entry, order) => ({ ...entry, order }))
    .sort((a, b) => a.input.at - b.input.at || a.rank - b.rank || a.order - b.order)
    .map(({ input }) => input);
}

/**
 * One run of a cluster with its inputs. An input is handled after everything that was due at its time, whether it was known from the start or
 * came while the run stood there: so a link plays exactly what was seen live.
 */
export class Run {
  readonly cluster: Cluster;
  records: TraceRecord[] = [];
  readonly options: ClusterOptions;
  /** What the components said to each other; kept by the run that the film shows. */
  messages = new MessageLog();
  private causeLog = createCauses();
  private readonly inputs: readonly Input[];
  private inputsDone = 0;
  private savepoints: Savepoint[] = [];
  private eventsAtLastSave = 0;

  constructor(scenario: Scenario, inputs: readonly Input[], registry: ClusterOptions['registry'], private readonly saves = true) {
    this.options = clusterOptions(scenario, registry);
    this.inputs = inputs;
    this.cluster = new Cluster(this.options, {
      onRecord: (record) => this.records.push(record),
      // A run that nobody asks anything of keeps no causes.
      onEvent: (event) => {
        if (!this.saves) return;
        noteCause(this.causeLog, event);
        this.messages.note(event, this.causeLog.at[event.cause] ?? 0, this.cluster.serverState.watchers);
      },
    });
  }

  /** Which event scheduled which. */
  get causes(): CauseLog {
    return this.causeLog;
  }

  get now(): SimTime {
    return this.cluster.simulation.now;
  }

  get nextEventAt(): SimTime | undefined {
    const input = this.inputs[this.inputsDone]?.at;
    const event = this.cluster.simulation.nextEventAt;
    if (input === undefined) return event;
    return event === undefined ? input : Math.min(input, event);
  }

  /** Runs up to and including `until`, at most `budget` events at a time. True when it stands there. */
  runTo(until: SimTime, budget = Infinity): boolean {
    const { simulation } = this.cluster;
    const start = simulation.eventCount;
    for (;;) {
      const input = this.inputs[this.inputsDone];
      const target = input === undefined ? until : Math.min(until, input.at);
      const left = budget - (simulation.eventCount - start);
      if (left <= 0) return false;
      const slice = this.saves ? Math.min(left, eventsBetweenSavepoints) : left;
      const arrived = simulation.runUntil(target, slice);
      if (this.saves && simulation.eventCount - this.eventsAtLastSave >= eventsBetweenSavepoints) this.save();
      if (!arrived) continue;
      if (input === undefined || input.at > until) return true;
      simulation.input({ at: input.at, to: 'user', kind: 'input', payload: input });
      this.inputsDone++;
    }
  }

  save(): Savepoint {
    const { simulation } = this.cluster;
    const savepoint: Savepoint = { at: simulation.now, checkpoint: simulation.checkpoint(), inputsDone: this.inputsDone, records: this.records.length, messages: this.messages.place };
    this.eventsAtLastSave = simulation.eventCount;
    this.savepoints.push(savepoint);
    // Thin out from the old end: every second one goes, so that the newest past is always near.
    if (this.savepoints.length > savepointsMax) this.savepoints = this.savepoints.filter((_, index) => index % 2 === 1 || index > savepointsMax / 2);
    return savepoint;
  }

  /** The newest savepoint whose moment is before `at` (strictly: what happened at `at` is to be run again), if any. */
  savepointBefore(at: SimTime): Savepoint | undefined {
    for (let i = this.savepoints.length - 1; i >= 0; i--) {
      const savepoint = this.savepoints[i] as Savepoint;
      if (savepoint.at < at) return savepoint;
    }
    return undefined;
  }

  /** Puts a fresh run where another one of the same beginning was. Earlier records are taken over; savepoints too. */
  resumeFrom(savepoint: Savepoint, source: Run): void {
    this.cluster.adopt(source.cluster, savepoint.checkpoint);
    this.records = source.records.slice(0, savepoint.records);
    const { nextSeq } = savepoint.checkpoint;
    this.causeLog = { cause: source.causes.cause.slice(0, nextSeq), at: source.causes.at.slice(0, nextSeq) };
    if (this.saves) this.messages = source.messages.copyOf(savepoint.messages, savepoint.at);
    this.inputsDone = savepoint.inputsDone;
    this.savepoints = source.savepoints.filter((other) => other.at <= savepoint.at);
    this.eventsAtLastSave = this.cluster.simulation.eventCount;
  }
}
