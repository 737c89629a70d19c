import type { ApiObject } from '../../api/resources.ts';
import type { SimEvent } from '../../sim/queue.ts';
import type { ApiRequest, ApiResponse, Component, Context, EventInput, Subscription, WatchChange } from '../component.ts';
import { createQueueState, enqueue, enqueueAfter, enqueueRateLimited, type QueueState } from './workqueue.ts';

/** Requests that are sent together; the next step follows when all are answered. */
export interface Step {
  kind: string;
  /** Empty: the controller builds them when the step's turn comes. */
  requests: ApiRequest[];
  data?: unknown;
}

interface Work {
  steps: Step[];
  /** The step under way; `steps` holds those after it. */
  step?: Step;
  open: number;
  failed: boolean;
  revision: number;
}

export interface ControllerState {
  queue: QueueState;
  work: Record<string, Work>;
}

export interface Reply {
  step: Step;
  request: ApiRequest;
  response: ApiResponse;
}

/** A control loop as client-go's pattern has it: changes become keys, a key is worked on by one worker at a time, failures come back later and later. */
export interface ControllerSpec<State extends ControllerState> {
  readonly reportsAs: string;
  readonly watches: readonly Subscription[];
  start(context: Context): State;
  observe(state: State, change: WatchChange, context: Context): void;
  /** What is to be done for a key now. */
  sync(state: State, key: string, context: Context): Step[];
  build?(state: State, key: string, step: Step, context: Context): ApiRequest[];
  /** An answer came. True: it counts as success whatever its code. */
  replied?(state: State, key: string, reply: Reply, context: Context): boolean | void;
  /** A step failed: what is still to be done of the rest. */
  afterFailure?(state: State, key: string, step: Step, rest: Step[]): Step[];
  other?(state: State, event: SimEvent, context: Context): void;
}

export const createControllerState = (): ControllerState => ({ queue: createQueueState(), work: {} });

export function controller<State extends ControllerState>(spec: ControllerSpec<State>): Component<State> {
  return {
    reportsAs: spec.reportsAs,
    watches: spec.watches,
    start: (context) => spec.start(context),
    handle: (state, event, context) => {
      const payload = event.payload as { key: string; changes: WatchChange[]; index: number; response: ApiResponse };
      switch (event.kind) {
        case 'watch':
          for (const change of payload.changes) spec.observe(state, change, context);
          return wakeCaughtUp(state, context);
        case 'sync':
          return take(spec, state, payload.key, context);
        case 'later':
        case 'retry':
          return enqueue(state.queue, payload.key, context);
        case 'reply':
          return answered(spec, state, payload, context);
        default:
          return spec.other?.(state, event, context);
      }
    },
  };
}

/** The object an Event is about. */
export function regarding(object: ApiObject): EventInput['regarding'] {
  const { name, namespace, uid, resourceVersion } = object.metadata;
  return { apiVersion: object.apiVersion, kind: object.kind, name, uid, resourceVersion, ...(namespace === undefined ? {} : { namespace }) };
}

export const failed = (response: ApiResponse): boolean => response.code >= 400;

export const errorText = (response: ApiResponse): string => response.status?.message ?? '';

export const namespaceTerminating = (response: ApiResponse): boolean =>
  response.status?.details?.causes?.some((cause) => cause.reason === 'NamespaceTerminating') ?? false;

export { enqueue, enqueueAfter };

function take<State extends ControllerState>(spec: ControllerSpec<State>, state: State, key: string, context: Context): void {
  const { queue } = state;
  delete queue.queued[key];
  const awaited = queue.awaits[key];
  if (state.work[key] !== undefined || (awaited !== undefined && awaited > context.view.revision)) {
    queue.dirty[key] = true;
    return;
  }
  delete queue.awaits[key];
  delete queue.dirty[key];
  const work: Work = { steps: spec.sync(state, key, context), open: 0, failed: false, revision: 0 };
  state.work[key] = work;
  proceed(spec, state, key, work, context);
}

/** Starts the next step that has something to send, or ends the work. */
function proceed<State extends ControllerState>(spec: ControllerSpec<State>, state: State, key: string, work: Work, context: Context): void {
  for (let step = work.steps.shift(); step !== undefined; step = work.steps.shift()) {
    if (step.requests.length === 0) step.requests = spec.build?.(state, key, step, context) ?? [];
    if (step.requests.length === 0) continue;
    work.step = step;
    work.open = step.requests.length;
    step.requests.forEach((request, index) => context.api(request, { kind: 'reply', payload: { key, index } }));
    return;
  }
  finish(state, key, work, context);
}

function answered<State extends ControllerState>(
  spec: ControllerSpec<State>, state: State, { key, index, response }: { key: string; index: number; response: ApiResponse }, context: Context,
): void {
  const work = state.work[key];
  const step = work?.step;
  if (work === undefined || step === undefined) return;
  const request = step.requests[index] as ApiRequest;
  const fine = spec.replied?.(state, key, { step, request, response }, context) === true || !failed(response);
  if (!fine) work.failed = true;
  else if (spec.watches.some((watch) => watch.resource === request.resource)) {
    const revision = Number((response.object as ApiObject | undefined)?.metadata?.resourceVersion ?? 0);
    if (revision > work.revision) work.revision = revision;
  }
  if (--work.open > 0) return;
  if (work.failed) work.steps = spec.afterFailure?.(state, key, step, work.steps) ?? [];
  proceed(spec, state, key, work, context);
}

function finish(state: ControllerState, key: string, work: Work, context: Context): void {
  const { queue } = state;
  delete state.work[key];
  if (work.revision > context.view.revision) queue.awaits[key] = work.revision;
  if (work.failed) enqueueRateLimited(queue, key, context);
  else delete queue.failures[key];
  if (queue.dirty[key] !== undefined && queue.awaits[key] === undefined) enqueue(queue, key, context);
}

function wakeCaughtUp({ queue }: ControllerState, context: Context): void {
  for (const key in queue.awaits) {
    if ((queue.awaits[key] as number) > context.view.revision) continue;
    delete queue.awaits[key];
    if (queue.dirty[key] !== undefined) enqueue(queue, key, context);
  }
}
