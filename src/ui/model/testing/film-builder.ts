import type { FilmDelta, Lane, LaneValue } from '../../../worker/protocol.ts';
import type { SimTime } from '../../../sim/time.ts';
import { Film } from '../film/film.ts';

type LaneDraft = Omit<Lane, 'index'>;

/** Collects lanes, spans and marks in any order and hands them out as one delta. For tests and previews. */
export class FilmBuilder {
  readonly #lanes: Lane[] = [];
  readonly #indexOf = new Map<string, number>();
  readonly #values: LaneValue[] = [];
  readonly #spans: [number, SimTime, number][] = [];
  readonly #marks: [number, SimTime, number][] = [];

  lane(lane: LaneDraft): number {
    const known = this.#indexOf.get(lane.id);
    if (known !== undefined) return known;
    const index = this.#lanes.length;
    this.#lanes.push({ index, ...lane });
    this.#indexOf.set(lane.id, index);
    return index;
  }

  span(lane: LaneDraft, at: SimTime, value: LaneValue | undefined): this {
    this.#spans.push([this.lane(lane), Math.round(at), value === undefined ? -1 : this.#value(value)]);
    return this;
  }

  mark(lane: LaneDraft, at: SimTime, value: LaneValue): this {
    this.#marks.push([this.lane(lane), Math.round(at), this.#value(value)]);
    return this;
  }

  delta(head: SimTime, more: Partial<FilmDelta> = {}): FilmDelta {
    return {
      branch: 0, head, epochMs: 1_767_603_600_000, untilMs: head, title: 'Sample', seed: 7, lanes: this.#lanes, values: this.#values,
      spans: columns(this.#spans), marks: columns(this.#marks), branches: [{ id: 0, name: 'main', forkAt: 0, inputs: [] }], ...more,
    };
  }

  film(head: SimTime, more: Partial<FilmDelta> = {}): Film {
    const film = new Film();
    film.apply(this.delta(head, more));
    return film;
  }

  #value(value: LaneValue): number {
    return this.#values.push(value) - 1;
  }
}

function columns(rows: [number, SimTime, number][]): FilmDelta['spans'] {
  const sorted = rows.toSorted((a, b) => a[1] - b[1]);
  return { lane: sorted.map((row) => row[0]), at: sorted.map((row) => row[1]), value: sorted.map((row) => row[2]) };
}
