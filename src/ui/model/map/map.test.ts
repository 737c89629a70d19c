import { describe, expect, it } from 'vitest';
import { Film } from '../film/film.ts';
import { FilmBuilder } from '../testing/film-builder.ts';
import { sampleFilm } from '../testing/sample.ts';
import { splitName } from '../format.ts';
import { chipAt } from './chip.ts';
import { footAt } from './foot.ts';
import { bestShape, chipBox, layoutMap } from './layout.ts';
import { neighbour, placesAt, reasonsOf } from './map.ts';
import { slotsOf } from './slots.ts';
import { wiresAt } from './wires.ts';

const film = new Film();
film.apply(sampleFilm());
const layout = layoutMap(film, { width: 744, height: 386, density: 'auto' });
const t = 101_300;

const foot = (uid: string, at = t) => {
  const chip = chipAt(film, uid, at);
  return chip === undefined ? undefined : footAt(film, chip, at);
};

describe('places', () => {
  it('keep a pod where it is for its whole life, and give a freed place to the next one', () => {
    const builder = new FilmBuilder();
    const pod = (uid: string) => ({ id: `pod/${uid}`, kind: 'pod' as const, label: uid, podUid: uid });
    const value = { kind: 'pod' as const, status: 'Running', tone: 'ready' as const, phase: 'Running', ready: 1, total: 1, restarts: 0, node: 'a' };
    builder.span(pod('x'), 0, value).span(pod('y'), 10, value).span(pod('x'), 20, undefined).span(pod('z'), 30, value).span(pod('w'), 40, value);
    const slots = slotsOf(builder.film(100));
    expect(['x', 'y', 'z', 'w'].map((uid) => slots.byPod.get(uid)?.index)).toEqual([0, 1, 0, 2]);
    expect(slots.sizes.get('a')).toBe(3);
  });

  it('put a pod into the queue until it is bound', () => {
    expect(placesAt(film, layout, t).queue).toEqual(['report-0']);
    expect(placesAt(film, layout, 200).queue).toContain('web-1');
    expect(placesAt(film, layout, 500).pods.find((pod) => pod.uid === 'web-1')?.zone).toBe('node');
  });

  it('fit the panel without shrinking where they can', () => {
    expect(layout).toMatchObject({ density: 'full', width: 744 });
    expect(layout.frames.get('node-1')?.box).toEqual({ x: 192, y: 0, w: 348, h: 386 });
    expect(chipBox(layout, 'web-1')).toEqual({ x: 202, y: 60, w: 160, h: 100 });
  });

  it('take more lines of frames rather than shrink them to nothing', () => {
    const shape = bestShape(Array.from({ length: 12 }, () => 30), 'square', { width: 744, height: 386 }, 150);
    expect(shape.lines).toBeGreaterThan(1);
    expect(shape.scale).toBeGreaterThan(0.6);
  });

  it('are walked by position', () => {
    const { pods } = placesAt(film, layout, t);
    expect(neighbour(pods, 'web-1', 1, 0)).toBe('cart-0');
    expect(neighbour(pods, 'web-1', 0, 1)).toBe('web-2');
    expect(neighbour(pods, undefined, 0, 1)).toBe(pods[0]?.uid);
  });
});

describe('chips', () => {
  it('say the headline, and the containers in start order', () => {
    const chip = chipAt(film, 'web-1', t);
    expect(chip).toMatchObject({ status: { key: 'status-not-ready' }, ready: '1/2', tone: 'not-ready' });
    expect(chip?.cells.map((cell) => `${cell.role} ${cell.tone}`)).toEqual(['pause ready', 'init succeeded', 'sidecar ready', 'app not-ready']);
    expect(chipAt(film, 'migrate-4c8tz', t)?.cells.map((cell) => cell.role)).toEqual(['app']);
  });

  it('end with probes and their next runs, or with one countdown', () => {
    expect(foot('web-1')).toMatchObject({ text: { key: 'failed-of', values: { n: 3, m: 3 } }, dials: [{ probe: 'startup', outcome: 'ok' }, { probe: 'liveness', outcome: 'ok' }, { probe: 'readiness', outcome: 'fail' }] });
    expect(foot('web-2')).toMatchObject({ text: { key: 'next-in', values: { time: '2.6 s' } } });
    expect(foot('web-0')).toMatchObject({ text: { key: 'sigterm-sent', values: { signal: 'SIGTERM' } }, left: '0:18' });
    expect(foot('cart-0')).toMatchObject({ text: { key: 'restarts', values: { count: 4 } }, left: '1:06' });
    expect(foot('cache-0')).toMatchObject({ text: { key: 'pulling', values: { time: '5.4 s' } } });
    expect(foot('thumb-6qx9p')).toMatchObject({ text: { key: 'exit-ran', values: { code: 0, time: '31 s' } } });
    expect(foot('search-0')).toMatchObject({ text: { key: 'evicted-in' }, left: '4:29' });
  });
});

describe('wires', () => {
  it('are live to ready endpoints, and end in a cross for the others', () => {
    const wires = wiresAt(film, layout, t, {});
    expect(wires.map((wire) => [wire.id.split('>')[1], wire.live, wire.cross !== undefined])).toEqual([['web-1', false, true], ['web-0', false, true], ['web-2', true, false]]);
  });
});

it('reads the reasons out of the scheduler\'s sentence', () => {
  expect(reasonsOf('0/3 nodes are available: 1 Insufficient cpu, 2 node(s) had untolerated taint(s). preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.'))
    .toEqual([{ nodes: 1, reason: 'Insufficient cpu' }, { nodes: 2, reason: 'untolerated taint(s)' }]);
});

it('shortens a generated name before the suffix that tells siblings apart', () => {
  expect(splitName('web-65b94647c5-rv9xk')).toEqual(['web-65b', '…rv9xk']);
  expect(splitName('web-65b94647c5-rv9xk', 0)).toEqual(['web', '…rv9xk']);
  expect(splitName('thumb-6qx9p')).toEqual(['thumb', '-6qx9p']);
  expect(splitName('redis')).toEqual(['redis', '']);
});
