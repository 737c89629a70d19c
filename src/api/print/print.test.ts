import { describe, expect, it } from 'vitest';
import type { ContainerStatus, Pod } from '../schema/types.ts';
import { displayStatus, tone } from './pod-status.ts';
import { cellsOf, columnsOf } from './table.ts';
import { resources } from '../resources.ts';

const container = (state: ContainerStatus['state'], more: Partial<ContainerStatus> = {}): ContainerStatus =>
  ({ name: 'app', image: 'x', imageID: '', ready: false, restartCount: 0, ...(state === undefined ? {} : { state }), ...more });

function pod(status: Partial<Pod['status']>, more: { spec?: Partial<Pod['spec']>; deleted?: boolean } = {}): Pod {
  return {
    apiVersion: 'v1', kind: 'Pod',
    metadata: { name: 'web', uid: 'u', resourceVersion: '1', creationTimestamp: '2026-01-05T09:00:00Z', ...(more.deleted ? { deletionTimestamp: '2026-01-05T09:01:00Z' } : {}) },
    spec: { containers: [{ name: 'app', image: 'x' }], nodeName: 'node-a', ...more.spec },
    status: { phase: 'Running', ...status },
  } as Pod;
}

const ready = { type: 'Ready', status: 'True' };
const running = { running: { startedAt: '2026-01-05T09:00:00Z' } };

describe('the STATUS column', () => {
  const cases: [string, Pod, string, string][] = [
    ['a pod without a node is pending', pod({ phase: 'Pending' }, { spec: { nodeName: undefined as never } }), 'Pending', 'pending'],
    ['a waiting reason names the status', pod({ phase: 'Pending', containerStatuses: [container({ waiting: { reason: 'ContainerCreating' } })] }), 'ContainerCreating', 'starting'],
    ['a ready container runs', pod({ conditions: [ready], containerStatuses: [container(running, { ready: true, started: true })] }), 'Running', 'ready'],
    ['a started container that is not ready', pod({ containerStatuses: [container(running, { started: true })] }), 'Running', 'not-ready'],
    ['a container whose startup probe still runs', pod({ containerStatuses: [container(running, { started: false })] }), 'Running', 'not-ready'],
    ['a back-off', pod({ containerStatuses: [container({ waiting: { reason: 'CrashLoopBackOff' } })] }), 'CrashLoopBackOff', 'back-off'],
    ['an exit without a reason', pod({ containerStatuses: [container({ terminated: { exitCode: 3 } })] }), 'ExitCode:3', 'failed'],
    ['an end by signal without a reason', pod({ containerStatuses: [container({ terminated: { exitCode: 137, signal: 9 } })] }), 'Signal:9', 'failed'],
    ['a deleted pod', pod({ conditions: [ready] }, { deleted: true }), 'Terminating', 'terminating'],
    ['a deleted pod that had ended keeps its word', pod({ phase: 'Succeeded', containerStatuses: [container({ terminated: { exitCode: 0, reason: 'Completed' } })] }, { deleted: true }), 'Completed', 'succeeded'],
    ['a reason of the whole pod', pod({ phase: 'Failed', reason: 'Evicted' }), 'Evicted', 'failed'],
  ];
  it.each(cases)('%s', (_title, object, status, colour) => {
    expect([displayStatus(object).status, tone(object)]).toEqual([status, colour]);
  });

  it('counts init containers until they are through, sidecars for ever', () => {
    const spec = { initContainers: [{ name: 'a', image: 'x' }, { name: 'side', image: 'x', restartPolicy: 'Always' }] };
    const done = container({ terminated: { exitCode: 0 } }, { name: 'a', restartCount: 2 });
    const initializing = pod({ phase: 'Pending', initContainerStatuses: [done, container({ waiting: { reason: 'PodInitializing' } }, { name: 'side' })] }, { spec });
    expect(displayStatus(initializing)).toMatchObject({ status: 'Init:1/2', ready: 0, total: 2, restarts: 2 });
    const side = container(running, { name: 'side', ready: true, started: true, restartCount: 1 });
    const through = pod({ conditions: [ready], initContainerStatuses: [done, side], containerStatuses: [container(running, { ready: true })] }, { spec });
    expect(displayStatus(through)).toMatchObject({ status: 'Running', ready: 2, total: 2, restarts: 1 });
  });

  it('lets the first container speak, and an error outweigh a completion', () => {
    const ended = (exitCode: number, reason: string, name: string) => container({ terminated: { exitCode, reason } }, { name });
    const spec = { containers: [{ name: 'a', image: 'x' }, { name: 'b', image: 'x' }] };
    expect(displayStatus(pod({ containerStatuses: [ended(0, 'Completed', 'a'), ended(1, 'Error', 'b')] }, { spec })).status).toBe('Error');
    expect(displayStatus(pod({ containerStatuses: [ended(0, 'Completed', 'a'), container(running, { name: 'b', ready: true })] }, { spec })).status).toBe('NotReady');
  });
});

describe('tables', () => {
  it('has a column for every cell', () => {
    const empty = {
      apiVersion: 'v1', kind: 'X', metadata: { name: 'n' }, template: {}, involvedObject: {},
      spec: { template: {}, jobTemplate: { spec: { template: {} } }, scaleTargetRef: {}, containers: [] }, status: {},
    };
    for (const { resource } of resources) expect([resource, cellsOf(resource, empty as never, 0).length]).toEqual([resource, columnsOf(resource).length]);
  });

  it('shows how long ago the last restart was', () => {
    const again = container(running, { ready: true, restartCount: 3, lastState: { terminated: { exitCode: 1, finishedAt: '2026-01-05T09:00:00Z' } } });
    const cells = cellsOf('pods', pod({ conditions: [ready], containerStatuses: [again] }), 1_767_603_600_000 + 65_000);
    expect(cells.slice(0, 5)).toEqual(['web', '1/1', 'Running', '3 (65s ago)', '65s']);
  });
});
