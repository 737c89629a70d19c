import { parseScenario } from '../../scenarios/parse.ts';
import type { Input, Scenario } from '../../scenarios/schema.ts';
import type { SimTime } from '../../sim/time.ts';
import type { FilmDelta, SessionSource } from '../protocol.ts';
import { History } from './history.ts';
import { mergeInputs, Run, scenarioInputs } from './run.ts';

interface Branch {
  id: number;
  name: string;
  forkedFrom?: number;
  forkAt: SimTime;
  inputs: Input[];
}

/**
 * A film in the making: the scenario, the branches with their inputs, the run of the branch on screen, and its lanes.
 * Knows nothing of workers or pages; the same in a tab and in Node.
 */
export class Session {
  readonly scenario: Scenario;
  run: Run;
  private history: History;
  private branches: Branch[];
  private branchId = 0;
  private shownChanges = 0;
  private shownRecords = 0;
  private truncateFrom: SimTime | undefined = 0;
  private scratch: { run: Run; of: Run; changes: number } | undefined;

  constructor(readonly source: SessionSource) {
    this.scenario = { ...parseScenario(source.scenario), seed: source.seed };
    this.branches = [{ id: 0, name: 'main', forkAt: 0, inputs: [...source.inputs] }];
    this.run = this.newRun(this.branch.inputs);
    this.history = new History(this.scenario.epochMs);
  }

  get branch(): Branch {
    return this.branches.find((branch) => branch.id === this.branchId) as Branch;
  }

  private newRun(inputs: readonly Input[], saves = true): Run {
    return new Run(this.scenario, mergeInputs(scenarioInputs(this.scenario), inputs), 'playground', saves);
  }

  /** A user's act. Later acts of the user make it a new branch; what was simulated past it is run anew. Scripted steps stay. */
  input(input: Input): number {
    const { branch } = this;
    const kept = branch.inputs.filter((other) => other.at <= input.at);
    if (kept.length < branch.inputs.length) {
      const id = this.branches.length;
      this.branches.push({ id, name: `branch ${String.fromCharCode(65 + (id % 26))}`, forkedFrom: branch.id, forkAt: input.at, inputs: [...kept, input] });
      this.branchId = id;
    } else {
      branch.inputs = [...branch.inputs, input];
    }
    this.restart(input.at);
    return this.branchId;
  }

  /** How many commands the user had given by a time: the id of the next one. */
  commandCount(at: SimTime): number {
    return mergeInputs(scenarioInputs(this.scenario), this.branch.inputs).filter((input) => input.kind !== 'fault' && input.at <= at).length;
  }

  /** Runs on until a command has ended (at most a moment: those that wait are told as running), and says what it printed. */
  settleCommand(id: number): { stdout: string; stderr: string; exit: number | null } {
    const limit = this.run.now + 600;
    const find = () => this.run.cluster.userState.commands[id];
    while (this.run.now < limit && (find()?.exit ?? null) === null) this.run.runTo(Math.min(limit, this.run.now + 20));
    const command = find();
    return { stdout: command?.stdout ?? '', stderr: command?.stderr ?? '', exit: command?.exit ?? null };
  }

  switchBranch(id: number): void {
    if (!this.branches.some((branch) => branch.id === id) || id === this.branchId) return;
    this.branchId = id;
    const old = this.run;
    this.run = this.newRun(this.branch.inputs);
    this.showAnew();
    this.run.runTo(Math.min(old.now, this.scenario.untilMs), 50_000);
  }

  /** Runs again from the nearest saved moment before `at`, with the inputs as they are now. */
  private restart(at: SimTime): void {
    const old = this.run;
    const savepoint = old.savepointBefore(at);
    this.run = this.newRun(this.branch.inputs);
    if (savepoint !== undefined) this.run.resumeFrom(savepoint, old);
    this.run.runTo(at);
    this.showAnew();
  }

  private showAnew(): void {
    this.history = new History(this.scenario.epochMs);
    this.shownChanges = 0;
    this.shownRecords = 0;
    this.truncateFrom = 0;
    this.scratch = undefined;
  }

  /** A run that stands at a past moment, to ask anything of; it may be changed without harm to the film. */
  at(moment: SimTime): Run {
    const savepoint = this.run.savepointBefore(moment + 1);
    const run = this.scratchFrom(savepoint?.at ?? 0, moment) ?? this.newRun(this.branch.inputs, false);
    if (run !== this.scratch?.run && savepoint !== undefined) run.resumeFrom(savepoint, this.run);
    run.runTo(moment);
    this.scratch = { run, of: this.run, changes: run.cluster.store.changeCount };
    return run;
  }

  /** The run that answered last, if it stands between two moments and nothing was changed in it. */
  private scratchFrom(from: SimTime, to: SimTime): Run | undefined {
    if (this.scratch === undefined) return undefined;
    const { run, of, changes } = this.scratch;
    return of === this.run && run.now >= from && run.now <= to && run.cluster.store.changeCount === changes ? run : undefined;
  }

  /** What the film has gained since the last call. A moment that is not over yet is not told: its parts have an order. */
  takeDelta(): FilmDelta {
    const { store } = this.run.cluster;
    const { records, now, nextEventAt } = this.run;
    const head = nextEventAt === now ? now - 1 : now;
    // Both lists are in order of time; at the same time the object's change comes first.
    for (;;) {
      const change = shown(store.changeCount > this.shownChanges ? store.changeAt(this.shownChanges) : undefined, (item) => item.version.at <= head);
      const record = shown(records[this.shownRecords], (item) => item.at <= head);
      if (change === undefined && record === undefined) break;
      if (change !== undefined && (record === undefined || change.version.at <= record.at)) {
        this.history.change(change);
        this.shownChanges++;
      } else if (record !== undefined) {
        this.history.record(record);
        this.shownRecords++;
      }
    }
    const { epochMs, untilMs, title, seed } = this.scenario;
    const branches = this.branches.map((branch) => ({ ...branch, inputs: [...branch.inputs] }));
    const delta = this.history.film.take({ branch: this.branchId, epochMs, untilMs, title, seed }, Math.max(0, head), nextEventAt, branches, this.truncateFrom);
    this.truncateFrom = undefined;
    return delta;
  }
}

const shown = <T>(item: T | undefined, isOver: (item: T) => boolean): T | undefined => (item !== undefined && isOver(item) ? item : undefined);
