import { displayStatus } from '../../api/print/pod-status.ts';
import { keyOf, type ObjectOf, type ResourceName } from '../../api/resources.ts';
import type { Event, Pod } from '../../api/schema/types.ts';
import { parseScenario, parseScenarioDuration } from '../../scenarios/parse.ts';
import type { Fault, Input, NodeSpec, Scenario } from '../../scenarios/schema.ts';
import { assert, must } from '../../sim/assert.ts';
import type { SimTime } from '../../sim/time.ts';
import { Run } from '../../worker/history/run.ts';
import { checkInvariants } from '../invariants.ts';
import type { CommandRecord } from '../user.ts';

export interface TestClusterOptions {
  /** How many, or what they are; default: the two of a scenario without nodes. */
  nodes?: number | NodeSpec[];
  seed?: number;
  images?: Scenario['images'];
  workloads?: Scenario['workloads'];
  /** Looks at what must always hold after every so many events; 0: never. */
  checkEvery?: number;
}

/** '30s', '1m30s', or milliseconds. */
export type Duration = string | number;

export const durationMs = (duration: Duration): number =>
  typeof duration === 'number' ? duration : must(parseScenarioDuration(duration), `not a duration: ${duration}`);

export const testCluster = (options: TestClusterOptions = {}): TestCluster => new TestCluster(options);

/** A cluster to drive by hand in a test: what is done is done at the moment at which it stands. */
export class TestCluster {
  readonly run: Run;
  readonly scenario: Scenario;
  /** All that was done so far. */
  readonly inputs: Input[] = [];
  private readonly checkEvery: number;

  constructor({ nodes, seed = 7, images = {}, workloads = [], checkEvery = 0 }: TestClusterOptions) {
    const list = typeof nodes === 'number' ? [{ name: 'node', count: nodes }] : nodes;
    this.scenario = { ...parseScenario('title: test'), seed, images, workloads, nodes: list ?? 'default' };
    this.run = new Run(this.scenario, this.inputs, 'playground', false);
    this.checkEvery = checkEvery;
  }

  get now(): SimTime {
    return this.run.now;
  }

  apply(yaml: string): this {
    this.inputs.push({ at: this.now, kind: 'apply', text: yaml });
    return this;
  }

  fault(fault: Fault): this {
    this.inputs.push({ at: this.now, kind: 'fault', fault });
    return this;
  }

  /** Starts a kubectl line; its outcome is in `commands` when it has one. */
  send(line: string, more: { stdin?: string; files?: Record<string, string> } = {}): this {
    this.inputs.push({ at: this.now, kind: 'kubectl', line: line.replace(/^kubectl /, ''), ...more });
    return this;
  }

  /** Runs a kubectl line to its end (or for `limit`) and says what it printed. */
  kubectl(line: string, limit: Duration = '2m'): { stdout: string; stderr: string; exit: number | null } {
    const index = this.commands.length;
    this.send(line).runUntil(() => this.commands[index]?.endedAt !== undefined, limit, 20);
    const { stdout, stderr, exit } = must(this.commands[index], line);
    return { stdout, stderr, exit };
  }

  get commands(): readonly CommandRecord[] {
    return this.run.cluster.userState.commands;
  }

  runFor(duration: Duration): this {
    return this.runTo(this.now + durationMs(duration));
  }

  runTo(at: SimTime): this {
    if (this.checkEvery === 0) {
      this.run.runTo(at);
      return this;
    }
    for (;;) {
      const arrived = this.run.runTo(at, this.checkEvery);
      const broken = checkInvariants(this.run.cluster);
      assert(broken.length === 0, `at ${this.now}: ${broken.join('\n')}`);
      if (arrived) return this;
    }
  }

  /** Runs until something is so, looking every `stepMs`; stands at `limit` from here if it never was. */
  runUntil(isSo: (cluster: this) => boolean, limit: Duration = '5m', stepMs = 100): this {
    const end = this.now + durationMs(limit);
    while (!isSo(this) && this.now < end) this.runTo(Math.min(end, this.now + stepMs));
    return this;
  }

  object<R extends ResourceName>(resource: R, name: string, namespace = 'default'): ObjectOf<R> | undefined {
    return this.run.cluster.store.get(keyOf(resource, namespace, name)) as ObjectOf<R> | undefined;
  }

  list<R extends ResourceName>(resource: R): ObjectOf<R>[] {
    return this.run.cluster.store.list(resource);
  }

  pod(name: string): TestPod {
    return new TestPod(this, name);
  }

  /** The pods whose names begin so, by name. */
  pods(prefix = ''): TestPod[] {
    return this.list('pods').filter((pod) => pod.metadata.name.startsWith(prefix)).map((pod) => this.pod(pod.metadata.name));
  }

  /** 'Reason: message', with ' (xN)' if it came more than once; in the order in which each came first. */
  events(about?: string): string[] {
    return this.list('events')
      .filter((event) => about === undefined || event.involvedObject.name === about)
      .sort((a, b) => Number(firstRevision(this, a)) - Number(firstRevision(this, b)))
      .map((event) => `${event.reason ?? ''}: ${event.message ?? ''}${(event.count ?? 1) > 1 ? ` (x${event.count})` : ''}`);
  }
}

const firstRevision = ({ run }: TestCluster, { metadata }: Event): number =>
  run.cluster.store.versionsOf(keyOf('events', metadata.namespace, metadata.name))[0]?.revision ?? 0;

/** One pod by name, as it is at the moment of asking. */
export class TestPod {
  constructor(private readonly cluster: TestCluster, readonly name: string) {}

  get object(): Pod | undefined {
    return this.cluster.object('pods', this.name);
  }

  private get must(): Pod {
    return must(this.object, `no pod ${this.name}`);
  }

  get exists(): boolean {
    return this.object !== undefined;
  }

  /** The STATUS column, '' when it is gone. */
  get status(): string {
    return this.object === undefined ? '' : displayStatus(this.object).status;
  }

  get phase(): string {
    return this.object?.status.phase ?? '';
  }

  /** The READY column. */
  get ready(): string {
    const { ready, total } = displayStatus(this.must);
    return `${ready}/${total}`;
  }

  get restarts(): number {
    return displayStatus(this.must).restarts;
  }

  get isReady(): boolean {
    return this.condition('Ready') === 'True';
  }

  get node(): string {
    return this.object?.spec.nodeName ?? '';
  }

  condition(type: string): string | undefined {
    return this.object?.status.conditions?.find((condition) => condition.type === type)?.status;
  }

  get events(): string[] {
    return this.cluster.events(this.name);
  }

  /** The STATUS column over time, each word once a change. */
  get statusHistory(): string[] {
    const words = this.cluster.run.cluster.store.versionsOf(keyOf('pods', 'default', this.name))
      .map(({ object }) => (object === undefined ? '' : displayStatus(object as Pod).status));
    return words.filter((word, index) => word !== words[index - 1]);
  }

  logs(container?: string, previous = false): string {
    return this.cluster.kubectl(`logs ${this.name}${container === undefined ? '' : ` -c ${container}`}${previous ? ' --previous' : ''}`).stdout;
  }
}
