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
  contextFor(actor: string, kernel: KernelContext): Context;
  onRecord?(record: TraceRecord): void;
  onEvent?(event: SimEvent): void;
}

/** Runs actors over one queue. Same seed, same inputs: the same run, at any step size. */
export class Simulation<Context extends KernelContext> {
  private readonly options: SimulationOptions<Context>;
  private queue = createQueue();
  private random: RandomState;
  private states: Record<string, unknown> = {};
  private clock: SimTime = 0;
  private nextSeq = 1;
  private handled = 0;
  private current = 0;
  private contexts: Record<string, Context> = {};

  constructor(options: SimulationOptions<Context>) {
    this.options = options;
    this.random = createRandomState(options.seed);
    for (const name of Object.keys(options.actors)) this.contexts[name] = options.contextFor(name, this.kernelContext(name));
    for (const [name, actor] of Object.entries(options.actors)) {
      this.states[name] = actor.start(must(this.contexts[name], name));
    }
  }

  get now(): SimTime {
    return this.clock;
  }

  /** Events handled since the start: a measure of work done. */
  get eventCount(): number {
    return this.handled;
  }

  /** The state of an actor, to be read only. */
  stateOf<State>(actor: string): State | undefined {
    return this.states[actor] as State | undefined;
  }

  /** What an actor may ask for, outside of any event (its cause is then 0). */
  contextOf(actor: string): Context {
    return must(this.contexts[actor], actor);
  }

  /** Adds something from outside (a user's act, a fault) at a time that has not passed. */
  input(event: { at: SimTime; to: string; kind: string; payload: unknown }): void {
    assert(event.at >= this.clock, `input at ${event.at} is before now (${this.clock})`);
    push(this.queue, { ...event, seq: this.nextSeq++, cause: 0 });
  }

  /** Adds an actor while the run goes on (a node joins). */
  addActor(name: string, actor: Actor<never, Context>): void {
    assert(this.states[name] === undefined, `actor ${name} exists`);
    this.options.actors[name] = actor;
    const context = this.options.contextFor(name, this.kernelContext(name));
    this.contexts[name] = context;
    this.states[name] = actor.start(context);
  }

  get nextEventAt(): SimTime | undefined {
    return nextTime(this.queue);
  }

  /**
   * Handles all events up to and including `until`, at most `budget` of them.
   * Returns true when done; then the clock stands at `until`.
   */
  runUntil(until: SimTime, budget = Infinity): boolean {
    let left = budget;
    for (let at = nextTime(this.queue); at !== undefined && at <= until; at = nextTime(this.queue)) {
      if (left-- <= 0) return false;
      this.handleNext(at);
    }
    if (until > this.clock) this.clock = until;
    return true;
  }

  private handleNext(at: SimTime): void {
    const event = pop(this.queue);
    this.clock = at;
    this.current = event.seq;
    this.handled++;
    const actor = this.options.actors[event.to];
    this.options.onEvent?.(event);
    // A receiver that is gone (a removed node) hears nothing.
    if (actor !== undefined) actor.handle(this.states[event.to] as never, event, must(this.contexts[event.to], event.to));
    this.current = 0;
  }

  checkpoint(): Checkpoint {
    return copyPlain({
      now: this.clock,
      nextSeq: this.nextSeq,
      eventCount: this.handled,
      queue: this.queue,
      random: this.random,
      states: this.states,
      world: Object.freeze({ saved: this.options.world.checkpoint() }),
    });
  }

  restore(checkpoint: Checkpoint): void {
    const copy = copyPlain(checkpoint);
    this.clock = copy.now;
    this.nextSeq = copy.nextSeq;
    this.handled = copy.eventCount;
    this.queue = copy.queue;
    this.random = copy.random;
    this.states = copy.states;
    this.options.world.restore((copy.world as { saved: unknown }).saved);
  }

  private kernelContext(name: string): KernelContext {
    const simulation = this;
    return {
      get now() {
        return simulation.clock;
      },
      get cause() {
        return simulation.current;
      },
      random: (purpose) => randomStream(simulation.random, `${name}/${purpose}`),
      schedule: ({ to = name, afterMs, kind, payload = null, key }) => {
        assert(Number.isInteger(afterMs) && afterMs >= 0, `${name} schedules ${kind} after ${afterMs} ms`);
        const event: SimEvent = { at: simulation.clock + afterMs, seq: simulation.nextSeq++, to, kind, payload, cause: simulation.current };
        if (key !== undefined) event.key = key;
        push(simulation.queue, event);
      },
      cancel: (key) => cancel(simulation.queue, name, key),
      note: (kind, data) => {
        simulation.options.onRecord?.({ at: simulation.clock, cause: simulation.current, actor: name, kind, data });
      },
    };
  }
}
