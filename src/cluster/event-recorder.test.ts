import { describe, expect, it } from 'vitest';
import { createRandomState, randomStream } from '../sim/random.ts';
import { defaultEpochMs } from '../sim/time.ts';
import type { EventInput } from './component.ts';
import { createRecorder, recordEvent } from './event-recorder.ts';

const random = randomStream(createRandomState(1), 'events');

function fixture() {
  const state = createRecorder();
  let now = defaultEpochMs;
  const base: EventInput = {
    regarding: { apiVersion: 'v1', kind: 'Pod', namespace: 'default', name: 'web', uid: 'u1', fieldPath: 'spec.containers{app}' },
    type: 'Warning', reason: 'Unhealthy', message: 'Readiness probe failed', component: 'kubelet', host: 'node-a',
  };
  return {
    state,
    record: (more: Partial<EventInput> = {}) => recordEvent(state, { ...base, ...more }, { epochMs: now, actor: 'kubelet/node-a', random }),
    advance: (ms: number) => {
      now += ms;
    },
  };
}

describe('recording events', () => {
  it('creates the first and counts up the same text (E-1, E-2)', () => {
    const { record, advance } = fixture();
    const first = record();
    expect(first).toMatchObject({
      verb: 'create', resource: 'events', namespace: 'default',
      object: { count: 1, source: { component: 'kubelet', host: 'node-a' }, reportingComponent: 'kubelet', reportingInstance: 'node-a', firstTimestamp: '2026-01-05T09:00:00Z' },
    });
    const name = first?.object?.metadata?.name;
    expect(name).toMatch(/^web\.[0-9a-f]{16}$/);
    advance(5000);
    expect(record()).toMatchObject({ verb: 'patch', name, patch: { body: { count: 2, lastTimestamp: '2026-01-05T09:00:05Z', message: 'Readiness probe failed' } } });
  });

  it('combines ten different texts of one reason within ten minutes (E-3)', () => {
    const { record } = fixture();
    for (let i = 0; i < 9; i++) record({ message: `try ${i}` });
    expect(record({ message: 'try 9' })).toMatchObject({ verb: 'create', object: { message: '(combined from similar events): try 9' } });
    expect(record({ message: 'try 10' })).toMatchObject({ verb: 'patch', patch: { body: { count: 2, message: '(combined from similar events): try 10' } } });
  });

  it('swallows what comes after 25 of one type, lets one through every five minutes, and counts all (E-4)', () => {
    const { record, advance } = fixture();
    const sent = Array.from({ length: 30 }, () => record()).filter((request) => request !== undefined);
    expect(sent).toHaveLength(25);
    expect(record({ type: 'Normal', reason: 'Pulled', message: 'x' })).toBeDefined();
    advance(300_000);
    expect(record()).toMatchObject({ patch: { body: { count: 31 } } });
    expect(record()).toBeUndefined();
  });

  it('keeps the scheduler\'s events as series (E-5)', () => {
    const { record, advance } = fixture();
    const failed = { reason: 'FailedScheduling', action: 'Scheduling', component: 'default-scheduler' };
    const first = record(failed);
    expect(first?.object).toMatchObject({ action: 'Scheduling', eventTime: '2026-01-05T09:00:00.000000Z', reportingComponent: 'default-scheduler', source: {} });
    expect(first?.object).not.toHaveProperty('count');
    expect(record(failed)).toMatchObject({ verb: 'patch', patch: { body: { series: { count: 2 } } } });
    expect(record(failed)).toBeUndefined();
    advance(360_001);
    expect(record(failed)?.verb).toBe('create');
  });

  it('forgets the oldest beyond its bound (E-6)', () => {
    const { record, state } = fixture();
    for (let i = 0; i < 5000; i++) record({ regarding: { apiVersion: 'v1', kind: 'Pod', namespace: 'default', name: `p${i}`, uid: `u${i}` } });
    expect(Object.keys(state.sent.entries)).toHaveLength(state.sent.size);
    expect(state.sent.size).toBeLessThanOrEqual(4096);
    expect(Object.keys(state.sent.entries).at(-1)).toContain('u4999');
    expect(JSON.parse(JSON.stringify(state))).toEqual(state);
  });
});
