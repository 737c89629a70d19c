import type { FilmDelta, Lane, LaneValue, SessionSource } from '../../protocol.ts';
import { Session } from '../session.ts';

/** What a page has after it has taken in all that the worker sent. */
export class WholeFilm {
  private lanes: Lane[] = [];
  private values: LaneValue[] = [];
  private spans: [lane: number, at: number, value: number][] = [];
  private marks: [lane: number, at: number, value: number][] = [];
  head = 0;

  take(delta: FilmDelta): this {
    if (delta.truncateFrom === 0) [this.lanes, this.values, this.spans, this.marks] = [[], [], [], []];
    this.lanes.push(...delta.lanes);
    this.values.push(...delta.values);
    for (const name of ['spans', 'marks'] as const) {
      const { lane, at, value } = delta[name];
      for (let i = 0; i < lane.length; i++) this[name].push([lane[i] as number, at[i] as number, value[i] as number]);
    }
    this.head = delta.head;
    return this;
  }

  /** Lane by lane, in words, so that two films can be laid side by side. */
  lines(until = Infinity): string[] {
    const word = (value: number) => (value < 0 ? '-' : JSON.stringify(this.values[value]));
    return this.lanes.flatMap((lane) => [
      `${lane.id} ${JSON.stringify(lane)}`,
      ...this.spans.filter(([index, at]) => index === lane.index && at <= until).map(([, at, value]) => `${lane.id} ${at} is ${word(value)}`),
      ...this.marks.filter(([index, at]) => index === lane.index && at <= until).map(([, at, value]) => `${lane.id} ${at} mark ${word(value)}`),
    ]);
  }
}

/** A session with its page: what the worker does with it, without the worker. */
export class TestSession {
  readonly session: Session;
  readonly film = new WholeFilm();

  constructor(source: Partial<SessionSource> & { scenario: string }) {
    this.session = new Session({ seed: 7, inputs: [], ...source });
  }

  /** Runs on in slices, as the worker does, and tells the page after each. */
  runTo(at: number, slice = 400): this {
    for (let done = false; !done;) {
      done = this.session.run.runTo(at, slice);
      this.film.take(this.session.takeDelta());
    }
    return this;
  }

  lines(until?: number): string[] {
    this.film.take(this.session.takeDelta());
    return this.film.lines(until);
  }
}
