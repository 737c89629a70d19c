import type { SimTime } from '../../sim/time.ts';
import type { FilmDelta, Lane, LaneValue } from '../protocol.ts';

/** What does not change while a film grows. */
export interface FilmHead {
  branch: number;
  epochMs: number;
  untilMs: SimTime;
  title: string;
  seed: number;
}

/** Collects spans and marks, each value once, and gives out what was added since the last time. */
export class FilmBuilder {
  private readonly lanes = new Map<string, Lane>();
  private readonly valueIndex = new Map<string, number>();
  private readonly currentValue: number[] = [];
  private valueCount = 0;
  private delta = emptyColumns();

  /** The index of a lane, made on first use. */
  lane(id: string, make: () => Omit<Lane, 'index' | 'id'>): number {
    const known = this.lanes.get(id);
    if (known !== undefined) return known.index;
    const lane: Lane = { index: this.lanes.size, id, ...make() };
    this.lanes.set(id, lane);
    this.currentValue[lane.index] = -1;
    this.delta.lanes.push(lane);
    return lane.index;
  }

  indexOf(id: string): number | undefined {
    return this.lanes.get(id)?.index;
  }

  private value(value: LaneValue): number {
    const text = JSON.stringify(value);
    const known = this.valueIndex.get(text);
    if (known !== undefined) return known;
    const index = this.valueCount++;
    this.valueIndex.set(text, index);
    this.delta.values.push(value);
    return index;
  }

  /** From `at` on the lane shows this value (null: nothing). Saying the same again adds nothing. */
  span(lane: number, at: SimTime, value: LaneValue | null): void {
    const index = value === null ? -1 : this.value(value);
    if (this.currentValue[lane] === index) return;
    this.currentValue[lane] = index;
    const { spans } = this.delta;
    spans.lane.push(lane);
    spans.at.push(at);
    spans.value.push(index);
  }

  mark(lane: number, at: SimTime, value: LaneValue): void {
    const { marks } = this.delta;
    marks.lane.push(lane);
    marks.at.push(at);
    marks.value.push(this.value(value));
  }

  get isEmpty(): boolean {
    const { lanes, spans, marks } = this.delta;
    return lanes.length + spans.at.length + marks.at.length === 0;
  }

  take(head: FilmHead, at: SimTime, nextEventAt: SimTime | undefined, branches: FilmDelta['branches'], truncateFrom?: SimTime): FilmDelta {
    const delta: FilmDelta = {
      ...head,
      head: at,
      ...(nextEventAt === undefined ? {} : { nextEventAt }),
      ...(truncateFrom === undefined ? {} : { truncateFrom }),
      ...this.delta,
      branches,
    };
    this.delta = emptyColumns();
    return delta;
  }
}

const emptyColumns = (): Pick<FilmDelta, 'lanes' | 'values' | 'spans' | 'marks'> => ({
  lanes: [],
  values: [],
  spans: { lane: [], at: [], value: [] },
  marks: { lane: [], at: [], value: [] },
});
