import { describe, expect, it } from 'vitest';
import { Film } from '../film/film.ts';
import { sampleFilm } from '../testing/sample.ts';
import { barsOf, ghostBars, stripsOf } from './bars.ts';
import { hitAt } from './hit.ts';
import { momentEntries } from './moment-list.ts';
import { following, panBy, rulerSteps, zoomAt } from './scale.ts';
import { summarize } from './summary.ts';
import { flagsOf, signalsOf, ticksOf } from './ticks.ts';
import { denseMetrics, toTime, toX, type Track } from './track.ts';
import { buildTracks, tracksBetween, type TrackOptions } from './tracks.ts';
import { valueAtPlayhead } from './value.ts';

const film = new Film();
film.apply(sampleFilm());

const options: TrackOptions = { metrics: denseMetrics, selectedPod: 'web-1', detail: new Map(), pinned: new Set(), showAll: false, filter: '' };
const rows = (more: Partial<TrackOptions> = {}) => buildTracks(film, { ...options, ...more }).tracks;
const track = (id: string): Track => {
  const found = rows().find((row) => row.id === id);
  if (found === undefined) throw new Error(`no row ${id}`);
  return found;
};

describe('tracks', () => {
  it('show the selected pod in full and of the others only what is of note', () => {
    expect(rows().slice(0, 12).map((row) => `${row.kind} ${row.label}`)).toEqual([
      'pod web-1', 'container wait-db', 'container log', 'container app', 'probe startup', 'probe liveness', 'probe readiness', 'condition Initialized', 'condition Ready', 'events events',
      'pod cart-0', 'container app',
    ]);
    expect(rows().filter((row) => row.podUid === 'web-2')).toHaveLength(1);
    expect(rows().filter((row) => row.podUid === 'web-0').map((row) => row.kind)).toEqual(['pod', 'signals']);
  });

  it('follow what was closed or pinned by hand before the selection', () => {
    expect(rows({ detail: new Map([['web-1', 'closed']]) })[1]?.label).toBe('cart-0');
    expect(rows({ pinned: new Set(['report-0']) })[0]).toMatchObject({ label: 'report-0', pinned: true });
    expect(rows({ filter: 'cache' }).filter((row) => row.kind === 'pod').map((row) => row.label)).toEqual(['cache-0']);
  });

  it('give a row to a node only once something happened to it', () => {
    expect(rows().filter((row) => row.kind === 'node').map((row) => row.label)).toEqual(['node-2']);
  });

  it('are found by their place without walking the list', () => {
    const list = buildTracks(film, options);
    expect(tracksBetween(list, 36, 36.1).map((row) => row.label)).toEqual(['log']);
    expect(tracksBetween(list, 0, 20).map((row) => row.label)).toEqual(['web-1']);
  });

  it('on a projector are six, the telling ones', () => {
    expect(rows({ limit: 6 }).map((row) => row.label)).toEqual(['web-1', 'readiness', 'liveness', 'startup', 'cart-0', 'svc/web']);
  });
});

describe('values at the playhead', () => {
  const at = (id: string, t: number) => valueAtPlayhead(film, track(id), t);
  it('say what held at that moment', () => {
    expect(at('pod/web-1', 101_300)).toMatchObject({ said: '1/2', tone: 'not-ready' });
    expect(at('probe/web-1/app/readiness', 101_300)).toEqual({ said: '3/3', hot: true });
    expect(at('probe/web-1/app/readiness', 60_000)).toEqual({ said: '0/3', hot: false });
    expect(at('container/cart-0/app', 101_300).said).toEqual({ key: 'retry-in', values: { left: '1:06' } });
    expect(at('condition/web-1/Ready', 101_300)).toEqual({ said: 'False', hot: true });
    expect(at('requests/load', 101_300).said).toEqual({ key: 'per-second', values: { count: 12 } });
    expect(at('signals/web-0', 101_300).said).toBe('SIGTERM');
  });
});

describe('bars', () => {
  it('draw a finished init container as its run with a check, and nothing after it', () => {
    expect(barsOf(film, track('container/web-1/wait-db'), 0, 112_000).map((bar) => [bar.from, bar.until, bar.tone])).toEqual([[400, 2300, 'starting'], [2300, 9800, 'succeeded']]);
  });

  it('begin a back-off with the exit and name its length, the long form first', () => {
    const bar = barsOf(film, track('container/cart-0/app'), 44_000, 50_000)[0];
    expect(bar).toMatchObject({ exit: true, tone: 'back-off', labels: [{ key: 'back-off', values: { wait: '40 s' } }, '40 s'] });
  });

  it('end at what is simulated, and join neighbours that look the same', () => {
    expect(stripsOf(film, track('condition/web-1/Ready'), 0, 200_000).map((strip) => [strip.from, strip.until, strip.status])).toEqual([
      [900, 25_300, 'False'], [25_300, 100_300, 'True'], [100_300, 110_400, 'False'], [110_400, 112_000, 'True'],
    ]);
  });

  it('of another branch begin at the fork', () => {
    const forked = new Film();
    forked.apply(sampleFilm());
    forked.apply({ ...sampleFilm(), branch: 1, truncateFrom: 0, branches: [{ id: 0, name: 'main', forkAt: 0, inputs: [] }, { id: 1, name: 'branch B', forkedFrom: 0, forkAt: 88_000, inputs: [] }] });
    const ghost = buildTracks(forked, options).tracks[1];
    expect(ghost).toMatchObject({ kind: 'ghost', label: 'main' });
    expect(ghost === undefined ? [] : ghostBars(forked, ghost).map((bar) => bar.from)).toEqual([88_000, 100_300, 110_400]);
  });
});

describe('marks', () => {
  it('that lie nearer than 8 px are one tick, failure wins, and the count is kept', () => {
    const ticks = ticksOf(film, track('probe/web-1/app/readiness'), 88_000, 112_000, 122_000 / 844);
    expect(ticks.map((tick) => [tick.at, tick.outcome, tick.count, tick.note])).toEqual([
      [90_200, 'failure', 1, undefined], [95_200, 'failure', 1, undefined], [100_200, 'failure', 2, '3/3'], [105_300, 'failure', 1, undefined], [110_300, 'success', 1, undefined],
    ]);
  });

  it('of a long steady series cost as much as the screen is wide', () => {
    expect(ticksOf(film, track('probe/web-1/app/liveness'), 0, 112_000, 10_000).length).toBeLessThan(3);
  });

  it('of events nearer than 12 px are one flag with their number', () => {
    const flags = flagsOf(film, track('events/web-1'), 0, 112_000, 122_000 / 844);
    expect(flags.reduce((sum, flag) => sum + flag.count, 0)).toBe(20);
    expect(flags[0]).toEqual({ at: 400, count: 5, warning: false });
  });

  it('of signals show the hook, the signal and what is still to come', () => {
    expect(signalsOf(film, track('signals/web-0'))).toEqual({
      hooks: [{ name: 'preStop', from: 89_000, until: 99_000, ended: true, failed: false }],
      letters: [{ at: 99_000, letter: 'T', planned: false }, { at: 119_000, letter: 'K', planned: true }], waits: [{ from: 99_000, until: 119_000 }],
    });
  });

  it('under the pointer are found before the span', () => {
    expect(hitAt(film, track('probe/web-1/app/readiness'), 100_250, 100)?.marks).toHaveLength(2);
    expect(hitAt(film, track('probe/web-1/app/liveness'), 39_200, 100)).toMatchObject({ at: 39_100, steady: true });
    expect(hitAt(film, track('pod/web-1'), 50_000, 100)?.span).toMatchObject({ from: 25_300 });
  });
});

describe('the window', () => {
  const view = { from: 20_000, until: 142_000, widthPx: 844 };
  it('keeps the moment under the pointer when it zooms', () => {
    const later = { ...view, from: 600_000, until: 722_000 };
    for (const factor of [1.5, 0.7, 8]) {
      const at = toTime(later, 300);
      expect(toX(zoomAt(later, at, factor), at)).toBeCloseTo(300);
    }
  });

  it('never shows what was before the film', () => {
    expect(panBy(view, -500_000)).toMatchObject({ from: 0, until: 122_000 });
  });

  it('lets the playhead stand at three quarters while playing', () => {
    const moved = following(view, 130_000);
    expect(toX(moved, 130_000)).toBeCloseTo(0.75 * 844);
    expect(following(view, 60_000)).toBe(view);
  });

  it('labels round times', () => {
    expect(rulerSteps(122_000 / 844)).toEqual({ major: 10_000, minor: 2000, decimals: 0 });
    expect(rulerSteps(1).decimals).toBe(1);
  });
});

describe('a range', () => {
  it('is summed: probes of the selected pod, its ready time, all requests', () => {
    expect(summarize(film, 88_000, 100_300, 'web-1')).toMatchObject({ ms: 12_300, passed: 2, failed: 4, readyMs: 12_300, requestsFailed: 72 });
  });
});

describe('the list of moments', () => {
  it('folds steady successes and tells the rest in order', () => {
    const list = momentEntries(film, 'web-1').filter((entry) => entry.at > 25_000 && entry.at <= 100_400);
    const titles = list.map((entry) => (typeof entry.title === 'string' ? entry.title : entry.title.key));
    expect(titles).toEqual([
      'probe-passed', 'probe-passed', 'condition-becomes', 'condition-becomes', 'joined-service', 'probes-folded', 'db outage', 'delete web-0', 'probe-passed', 'probe-failed', 'probe-failed', 'probe-passed',
      'probe-failed', 'again', 'condition-becomes', 'condition-becomes', 'left-service',
    ]);
    expect(list.find((entry) => entry.foldUntil !== undefined)).toMatchObject({ at: 29_100, foldUntil: 85_200, title: { values: { count: 18 } } });
  });
});
