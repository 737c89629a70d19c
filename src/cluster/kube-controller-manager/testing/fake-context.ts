import type { ApiRequest, ApiResponse, Context, WatchChange } from '../../component.ts';
import { randomStream, createRandomState } from '../../../sim/random.ts';
import { copyPlain } from '../../../sim/plain.ts';
import type { SimEvent } from '../../../sim/queue.ts';
import type { Component } from '../../component.ts';

interface Scheduled {
  at: number;
  kind: string;
  payload: unknown;
  key?: string;
}

/** Drives one component by hand: requests are answered when the test says so. */
export class Driver<State> {
  now = 0;
  revision = 0;
  readonly requests: { request: ApiRequest; reply?: { kind: string; payload?: Record<string, unknown> } }[] = [];
  private scheduled: Scheduled[] = [];
  private state: State;
  private readonly random = createRandomState(1);
  private readonly context: Context;

  constructor(private readonly component: Component<State>) {
    const clock = { get: () => this.now };
    const view = Object.defineProperty({ get: () => undefined, list: () => [], by: () => [], count: () => 0 }, 'revision', { get: () => this.revision });
    this.context = Object.defineProperties({
      view,
      random: (purpose: string) => randomStream(this.random, purpose),
      schedule: ({ afterMs, kind, payload = null, key }: { afterMs: number; kind: string; payload?: unknown; key?: string }) => {
        if (key !== undefined) this.scheduled = this.scheduled.filter((event) => event.key !== key);
        this.scheduled.push({ at: this.now + afterMs, kind, payload, ...(key === undefined ? {} : { key }) });
      },
      cancel: (key: string) => { this.scheduled = this.scheduled.filter((event) => event.key !== key); },
      api: (request: ApiRequest, reply?: { kind: string; payload?: Record<string, unknown> }) => { this.requests.push({ request, ...(reply === undefined ? {} : { reply }) }); },
    }, { now: clock, epochMs: clock }) as unknown as Context;
    this.state = component.start(this.context);
  }

  private deliver(kind: string, payload: unknown): void {
    // What JSON cannot hold would be lost at a checkpoint.
    this.state = copyPlain(this.state);
    this.component.handle(this.state, { at: this.now, seq: 0, to: '', kind, payload, cause: 0 } as SimEvent, this.context);
  }

  changed(...changes: WatchChange[]): void {
    this.deliver('watch', { changes });
  }

  answer(index: number, response: ApiResponse): void {
    const reply = this.requests[index]?.reply;
    if (reply !== undefined) this.deliver(reply.kind, { ...reply.payload, response });
  }

  /** Runs what is due; returns the times at which something was. */
  runTo(at: number): number[] {
    const times: number[] = [];
    for (;;) {
      const next = this.scheduled.filter((event) => event.at <= at).sort((a, b) => a.at - b.at)[0];
      if (next === undefined) break;
      this.scheduled.splice(this.scheduled.indexOf(next), 1);
      this.now = next.at;
      times.push(next.at);
      this.deliver(next.kind, next.payload);
    }
    this.now = at;
    return times;
  }
}
