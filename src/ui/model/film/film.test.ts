import { describe, expect, it } from 'vitest';
import type { FilmDelta, Lane, LaneValue, PodValue } from '../../../worker/protocol.ts';
import { Film } from './film.ts';

const pod = (status: string, phase = 'Running'): PodValue => ({ kind: 'pod', status, tone: 'ready', phase, ready: 1, total: 1, restarts: 0 });
const lane = (index: number, id: string, kind: Lane['kind'], podUid?: string): Lane => ({ index, id, kind, label: id, ...(podUid === undefined ? {} : { podUid }) });

const delta = (more: Partial<FilmDelta>): FilmDelta => ({
  branch: 0, head: 100, epochMs: 0, untilMs: 100, title: '', seed: 1, lanes: [], values: [],
  spans: { lane: [], at: [], value: [] }, marks: { lane: [], at: [], value: [] }, branches: [], ...more,
});

const probe = (crosses: boolean): LaneValue => ({ kind: 'probe', outcome: 'failure', run: 1, threshold: 3, crosses, message: '', tookMs: 1 });

function small(): Film {
  const film = new Film();
  film.apply(delta({
    lanes: [lane(0, 'pod/u', 'pod', 'u'), lane(1, 'probe/u/app/liveness', 'probe', 'u'), lane(2, 'node/a', 'node')],
    values: [pod('Pending', 'Pending'), pod('Running'), { kind: 'probe-series', periodMs: 10 }, probe(true), probe(false)],
    spans: { lane: [0, 0, 1, 0], at: [0, 20, 25, 80], value: [0, 1, 2, -1] },
    marks: { lane: [1, 1], at: [47, 57], value: [4, 3] },
  }));
  return film;
}

describe('the film', () => {
  it('answers what held at a moment, and nothing after the lane ended', () => {
    const film = small();
    expect(film.spanAt('pod/u', 19)).toMatchObject({ from: 0, until: 20, value: { status: 'Pending' } });
    expect(film.valueAt('pod/u', 20)).toMatchObject({ status: 'Running' });
    expect(film.valueAt('pod/u', 80)).toBeUndefined();
    expect(film.podsAt(50).map((p) => p.lane.id)).toEqual(['pod/u']);
    expect(film.podsAt(90)).toEqual([]);
  });

  it('expands a steady series until the next recorded result', () => {
    expect(small().probeTicks('probe/u/app/liveness', 0, 100).map((tick) => [tick.at, tick.mark?.run])).toEqual([[25, undefined], [35, undefined], [45, undefined], [47, 1], [57, 1]]);
  });

  it('steps over visible moments only', () => {
    const film = small();
    expect(film.moments().map((m) => m.at)).toEqual([0, 20, 57, 80]);
    expect(film.nextMoment(20)).toBe(57);
    expect(film.nextTransition(20, 'u')).toBe(80);
    expect(film.previousMoment(20)).toBe(0);
    expect(film.stepsAt(57)).toEqual({ step: 3, steps: 4 });
  });

  it('keeps moments sorted when a delta brings older ones', () => {
    const film = small();
    film.apply(delta({ spans: { lane: [0], at: [90], value: [1] }, marks: { lane: [1], at: [30], value: [3] } }));
    expect(film.moments().map((m) => m.at)).toEqual([0, 20, 30, 57, 80, 90]);
  });

  it('forgets everything from a fork on, and keeps the old future of a pod as a ghost', () => {
    const film = small();
    film.apply(delta({ branch: 1, truncateFrom: 50, branches: [{ id: 1, name: 'B', forkedFrom: 0, forkAt: 50, inputs: [] }], values: [pod('Error', 'Failed')], spans: { lane: [0], at: [60], value: [5] } }));
    expect(film.valueAt('pod/u', 90)).toMatchObject({ status: 'Error' });
    expect(film.moments().map((m) => m.at)).toEqual([0, 20, 60]);
    expect(film.ghosts.get('pod/u')).toMatchObject([{ branch: 0, from: 50, until: 100, spans: [{ at: 50, value: { status: 'Running' } }, { at: 80, value: undefined }] }]);
  });

  it('keeps ghosts as well when the new branch is sent anew from zero', () => {
    const film = small();
    const branches = [{ id: 0, name: 'main', forkAt: 0, inputs: [] }, { id: 1, name: 'B', forkedFrom: 0, forkAt: 30, inputs: [] }];
    film.apply(delta({ branch: 1, truncateFrom: 0, branches, lanes: [lane(0, 'pod/u', 'pod', 'u')], values: [pod('Running')], spans: { lane: [0], at: [0], value: [0] } }));
    expect(film.ghosts.get('pod/u')?.[0]).toMatchObject({ from: 30, spans: [{ at: 30 }, { at: 80 }] });
    film.apply(delta({ branch: 0, truncateFrom: 0, branches }));
    expect(film.ghosts.get('pod/u')?.map((ghost) => ghost.branch)).toEqual([1]);
  });

  it('drops a foreseen series when something is known earlier', () => {
    const film = small();
    film.apply(delta({ spans: { lane: [1, 1], at: [90, 70], value: [2, -1] }, head: 120 }));
    expect(film.spanAt('probe/u/app/liveness', 110)).toBeUndefined();
  });

  it('is empty after a truncation from zero', () => {
    const film = small();
    film.apply(delta({ truncateFrom: 0, head: 0 }));
    expect([film.lanes.size, film.values.length, film.moments().length]).toEqual([0, 0, 0]);
  });
});
