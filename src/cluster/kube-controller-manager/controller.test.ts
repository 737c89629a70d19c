import { describe, expect, it } from 'vitest';
import type { ObjectOf } from '../../api/resources.ts';
import type { ApiResponse, WatchChange } from '../component.ts';
import { controller, createControllerState, enqueue, type ControllerState } from './controller.ts';
import { Driver } from './testing/fake-context.ts';

const change = (name: string): WatchChange => ({ type: 'MODIFIED', resource: 'configmaps', object: { metadata: { namespace: 'default', name } } as ObjectOf<'configmaps'> });
const written = (revision: number): ApiResponse => ({ code: 200, object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', uid: 'u', creationTimestamp: '', resourceVersion: String(revision) } } });
const refused: ApiResponse = { code: 500, status: { apiVersion: 'v1', kind: 'Status', metadata: {}, status: 'Failure' } as NonNullable<ApiResponse['status']> };

/** Writes once at each look. */
function counting() {
  let looks = 0;
  const driver = new Driver(controller<ControllerState>({
    reportsAs: 'test', watches: [{ resource: 'configmaps' }],
    start: createControllerState,
    observe: ({ queue }, { object }, context) => enqueue(queue, `default/${object.metadata.name}`, context),
    sync: () => {
      looks++;
      return [{ kind: 'write', requests: [{ verb: 'update', resource: 'configmaps', namespace: 'default', name: 'a' }] }];
    },
  }));
  return { driver, looks: () => looks };
}

describe('a controller', () => {
  it('looks once for many changes, and again for those that came meanwhile (C-1)', () => {
    const { driver, looks } = counting();
    driver.changed(change('a'), change('a'), change('a'));
    driver.runTo(10);
    expect(looks()).toBe(1);
    driver.changed(change('a'));
    driver.runTo(20);
    expect(looks()).toBe(1);
    driver.answer(0, written(0));
    driver.runTo(30);
    expect(looks()).toBe(2);
  });

  it('comes back after 5, 10, 20 ms when it fails (C-2)', () => {
    const { driver } = counting();
    driver.changed(change('a'));
    driver.runTo(100);
    const waits: number[] = [];
    for (let i = 0; i < 4; i++) {
      const from = driver.now;
      driver.answer(i, refused);
      waits.push((driver.runTo(from + 1000)[0] as number) - from);
    }
    expect(waits).toEqual([5, 10, 20, 40]);
  });

  it('waits until it sees its own write (C-3)', () => {
    const { driver, looks } = counting();
    driver.changed(change('a'));
    driver.runTo(10);
    driver.changed(change('a'));
    driver.answer(0, written(7));
    driver.runTo(1000);
    expect(looks()).toBe(1);
    driver.revision = 7;
    driver.changed(change('b'));
    driver.runTo(2000);
    expect(looks()).toBe(3);
  });
});
