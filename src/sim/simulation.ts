import { assert, must } from './assert.ts';
import { copyPlain } from './plain.ts';
import { cancel, createQueue, nextTime, pop, push, type EventQueue, type SimEvent } from './queue.ts';
import { createRandomState, randomStream, type Random, type RandomState } from './random.ts';
import type { SimTime } from './time.ts';
import type { TraceRecord } from './trace.ts';

/** What a handler may do besides changing its own state. Everything is applied in the order in which it was asked for. */
export interface KernelContext {
  readonly now: SimTime;
  /** The event being handled: the cause of all that follows from it. */
  readonly cause: number;
  /** This actor's own stream for one purpose. */
  random(purpose: string): Random;
  /** Schedules an event, for this actor unless `to` is given. `afterMs` >= 0; with a key it replaces this receiver's earlier one. */
  schedule(event: { to?: string; afterMs: number; kind: string; payload?: unknown; key?: string }): void;
  cancel(key: string): void;
  note(kind: string, data: unknown): void;
}

/** One part of the simulated world. `handle` is a synchronous function of (state, event, context); state is plain data. */
export interface Actor<State, Context extends KernelContext = KernelContext> {
  start(context: Context): State;
  handle(state: State, event: SimEvent, context: Context): void;
}

/** All that decides the future of a run. Plain data; frozen parts are shared. */
export interface Checkpoint {
  now: SimTime;
  nextSeq: number;
  eventCount: number;
  queue: EventQueue;
  random: RandomState;
  states: Record<string, unknown>;
  world: unknown;
}

/** Shared structures that are not an actor's own (the store). They know how to be copied and put back. */
export interface World {
  checkpoint(): unknown;
  restore(saved: unknown): void;
}

export interface SimulationOptions<Context extends KernelContext> {
  seed: number;
  actors: Record<string, Actor<never, Context>>;
  world: World;
  /** Widens the kernel's context by what this kind of world offers to its actors. */
  contextFor(actor: string, kernel: Kernel): Context;
  onRecord?(record: TraceRecord): void;
  onEvent?(event: SimEvent): void;
}

/** One actor with what it is given and what it has come to. */
interface Slot<Context extends KernelContext> {
  actor: Actor<never, Context>;
  context: Context;
  state: unknown;
}

/** What moves while a simulation runs. One object for all contexts. */
interface Core {
  clock: SimTime;
  nextSeq: number;
  /** The event that is being handled. */
  current: number;
  queue: EventQueue;
  random: RandomState;
  onRecord: ((record: TraceRecord) => void) | undefined;
}

/** One actor's access to the kernel. A class, so that all actors' contexts have one shape: their code is compiled once. */
export class Kernel implements KernelContext {
  private readonly core: Core;
  protected readonly actor: string;
  private readonly streams = new Map<string, Random>();
  private streamsOf: RandomState | undefined;

  constructor(of: { core: Core; actor: string } | Kernel) {
    const { core, actor } = of as Kernel;
    this.core = core;
    this.actor = actor;
  }

  get now(): SimTime {
    return this.core.clock;
  }

  get cause(): number {
    return this.core.current;
  }

  /** A stream's functions are made once; a restored simulation has other streams. */
  random(purpose: string): Random {
    const { random } = this.core;
    if (this.streamsOf !== random) {
      this.streams.clear();
      this.streamsOf = random;
    }
    let stream = this.streams.get(purpose);
    if (stream === undefined) this.streams.set(purpose, (stream = randomStream(random, `${this.actor}/${purpose}`)));
    return stream;
  }

  schedule({ to = this.actor, afterMs, kind, payload = null, key }: { to?: string; afterMs: number; kind: string; payload?: unknown; key?: string }): void {
    const { core } = this;
    if (!Number.isInteger(afterMs) || afterMs < 0) assert(false, `${this.actor} schedules ${kind} after ${afterMs} ms`);
    const event: SimEvent = { at: core.clock + afterMs, seq: core.nextSeq++, to, kind, payload, cause: core.current };
    if (key !== undefined) event.key = key;
    push(core.queue, event);
  }

  cancel(key: string): void {
    cancel(this.core.queue, this.actor, key);
  }

  note(kind: string, data: unknown): void {
    const { core } = this;
    core.onRecord?.({ at: core.clock, cause: core.current, actor: this.actor, kind, data });
  }
}

/** Runs actors over one queue. Same seed, same inputs: the same run, at any step size. */
export class Simulation<Context extends KernelContext> {
  private readonly options: SimulationOptions<Context>;
  private readonly core: Core;
  private readonly slots = new Map<string, Slot<Context>>();
  private handled = 0;

  constructor(options: SimulationOptions<Context>) {
    this.options = options;
    this.core = { clock: 0, nextSeq: 1, current: 0, queue: createQueue(), random: createRandomState(options.seed), onRecord: options.onRecord };
    for (const name of Object.keys(options.actors)) this.place(name, must(options.actors[name], name));
    for (const slot of this.slots.values()) slot.state = slot.actor.start(slot.context);
  }

  private place(name: string, actor: Actor<never, Context>): Slot<Context> {
    const context = this.options.contextFor(name, new Kernel({ core: this.core, actor: name }));
    const slot: Slot<Context> = { actor, context, state: undefined };
    this.slots.set(name, slot);
    return slot;
  }

  get now(): SimTime {
    return this.core.clock;
  }

  /** Events handled since the start: a measure of work done. */
  get eventCount(): number {
    return this.handled;
  }

  /** The state of an actor, to be read only. */
  stateOf<State>(actor: string): State | undefined {
    return this.slots.get(actor)?.state as State | undefined;
  }

  /** What an actor may ask for, outside of any event (its cause is then 0). */
  contextOf(actor: string): Context {
    return must(this.slots.get(actor), actor).context;
  }

  /** Adds something from outside (a user's act, a fault) at a time that has not passed. */
  input(event: { at: SimTime; to: string; kind: string; payload: unknown }): void {
    assert(event.at >= this.now, `input at ${event.at} is before now (${this.now})`);
    push(this.core.queue, { ...event, seq: this.core.nextSeq++, cause: 0 });
  }

  /** Adds an actor while the run goes on (a node joins). */
  addActor(name: string, actor: Actor<never, Context>): void {
    assert(this.slots.get(name)?.state === undefined, `actor ${name} exists`);
    const slot = this.place(name, actor);
    slot.state = actor.start(slot.context);
  }

  get nextEventAt(): SimTime | undefined {
    return nextTime(this.core.queue);
  }

  /**
   * Handles all events up to and including `until`, at most `budget` of them.
   * Returns true when done; then the clock stands at `until`.
   */
  runUntil(until: SimTime, budget = Infinity): boolean {
    const { core } = this;
    let left = budget;
    for (let at = nextTime(core.queue); at !== undefined && at <= until; at = nextTime(core.queue)) {
      if (left-- <= 0) return false;
      this.handleNext(at);
    }
    if (until > core.clock) core.clock = until;
    return true;
  }

  private handleNext(at: SimTime): void {
    const { core } = this;
    const event = pop(core.queue);
    core.clock = at;
    core.current = event.seq;
    this.handled++;
    this.options.onEvent?.(event);
    const slot = this.slots.get(event.to);
    // A receiver that is gone (a removed node) hears nothing.
    if (slot !== undefined) slot.actor.handle(slot.state as never, event, slot.context);
    core.current = 0;
  }

  checkpoint(): Checkpoint {
    return copyPlain({
      now: this.core.clock,
      nextSeq: this.core.nextSeq,
      eventCount: this.handled,
      queue: this.core.queue,
      random: this.core.random,
      states: Object.fromEntries([...this.slots].map(([name, { state }]) => [name, state])),
      world: Object.freeze({ saved: this.options.world.checkpoint() }),
    });
  }

  restore(checkpoint: Checkpoint): void {
    const copy = copyPlain(checkpoint);
    const { core } = this;
    core.clock = copy.now;
    core.nextSeq = copy.nextSeq;
    core.queue = copy.queue;
    core.random = copy.random;
    this.handled = copy.eventCount;
    for (const [name, slot] of this.slots) slot.state = copy.states[name];
    this.options.world.restore((copy.world as { saved: unknown }).saved);
  }
}
