import type { ApiObject, NewObject, ObjectOf, ResourceName } from '../api/resources.ts';
import type { Status } from '../api/schema/types.ts';
import type { Random } from '../sim/random.ts';
import type { Actor, KernelContext } from '../sim/simulation.ts';
import type { SimTime } from '../sim/time.ts';
import type { IndexName } from './etcd/indexes.ts';
import type { Network } from './network.ts';
import type { RuntimeView } from './kubelet/cri.ts';
import type { Note, NoteKind } from './notes.ts';

/** Read access to the store at one revision. Objects are frozen: change a copy. */
export interface View {
  readonly revision: number;
  get<R extends ResourceName>(resource: R, namespace: string | undefined, name: string): ObjectOf<R> | undefined;
  /** Ordered by namespace and name. */
  list<R extends ResourceName>(resource: R, namespace?: string): ObjectOf<R>[];
  /** From a built-in index: cheap. See etcd/indexes.ts for what the values are. */
  by<R extends ResourceName>(resource: R, index: IndexName, value: string): ObjectOf<R>[];
  /** How many there are, without reading them. */
  count(resource: ResourceName, namespace?: string): number;
}

export type ApiVerb = 'get' | 'list' | 'create' | 'update' | 'patch' | 'delete' | 'deletecollection';

export type Subresource = 'status' | 'binding' | 'scale' | 'eviction' | 'ephemeralcontainers' | 'resize' | 'finalize' | 'token';

export interface RequestOptions {
  dryRun?: boolean;
  /** Server default Warn; kubectl sends Strict. */
  fieldValidation?: 'Strict' | 'Warn' | 'Ignore';
  fieldManager?: string;
  force?: boolean;
  propagationPolicy?: 'Background' | 'Foreground' | 'Orphan';
  gracePeriodSeconds?: number;
  preconditions?: { uid?: string; resourceVersion?: string };
  labelSelector?: string;
  fieldSelector?: string;
  limit?: number;
  continue?: string;
}

/** A request to the API server. From inside the cluster the object is already of its type (no decoding); from outside it is checked whole. */
export interface ApiRequest {
  verb: ApiVerb;
  resource: ResourceName;
  namespace?: string;
  name?: string;
  subresource?: Subresource;
  object?: NewObject | ApiObject;
  patch?: { type: 'json' | 'merge' | 'strategic' | 'apply'; body: unknown };
  options?: RequestOptions;
}

export interface ApiList<T extends ApiObject = ApiObject> {
  apiVersion: string;
  kind: string;
  metadata: { resourceVersion?: string; continue?: string; remainingItemCount?: number };
  items: T[];
}

/** What the server answers: 2xx with the object, else a Status. */
export interface ApiResponse {
  code: number;
  object?: ApiObject | ApiList;
  status?: Status;
  warnings?: string[];
}

/** Delivered to a component as event kind 'watch', payload { changes }: objects as of each change, in revision order. */
export interface WatchChange<R extends ResourceName = ResourceName> {
  type: 'ADDED' | 'MODIFIED' | 'DELETED';
  resource: R;
  /** The new state; for DELETED the last one. */
  object: ObjectOf<R>;
  /** The state before (MODIFIED). */
  previous?: ObjectOf<R>;
}

/**
 * What a component's informers follow. `node`: only pods bound to that node. `controller`: of pods only those without a controlling owner and those
 * of an owner of this kind; upstream hears of the others too and drops them at once.
 */
export interface Subscription {
  resource: ResourceName;
  node?: string;
  controller?: string;
}

/** Everything that a component may ask for or cause while it handles an event. */
export interface Context extends KernelContext {
  /** Wall clock of this moment, milliseconds since the Unix epoch. */
  readonly epochMs: number;
  /** metav1.Time and MicroTime of now. */
  readonly timestamp: string;
  readonly microTimestamp: string;
  /** The component's informer cache: as old as the last change delivered to it. Only what it subscribes to is meaningful here. */
  readonly view: View;
  /** A live read, as a GET to the API server. */
  readonly live: View;
  /**
   * Sends a request to the API server; it arrives a moment later. With `reply` the answer comes back as an event of that kind with payload
   * { ...reply.payload, response: ApiResponse }. Without, the answer is dropped.
   */
  api(request: ApiRequest, reply?: { kind: string; payload?: Record<string, unknown> }): void;
  /** Records an Event as client-go's recorder does (same text: count + 1; many alike: combined; spam filter). */
  event(event: EventInput): void;
  /** Notes a fact for the film. */
  note<K extends NoteKind>(kind: K, data: Note<K>): void;
  /** What runs on a node, asked directly (CRI status calls, /proc, sockets). Undefined for a node without a machine. */
  runtime(node: string): RuntimeView | undefined;
  readonly network: Network;
}

export interface EventInput {
  /** The object that it is about. */
  regarding: { apiVersion: string; kind: string; namespace?: string; name: string; uid?: string; resourceVersion?: string; fieldPath?: string };
  type: 'Normal' | 'Warning';
  reason: string;
  message: string;
  /** events.k8s.io style (the scheduler): action, related, reportingController. Others give none. */
  action?: string;
  related?: { apiVersion: string; kind: string; namespace?: string; name: string; uid?: string };
  /** Defaults to the component's own name. */
  component?: string;
  /** Set by kubelets: the node. */
  host?: string;
}

/** A component: an actor that watches the API. Its state is plain data; `handle` is synchronous. */
export interface Component<State = unknown> extends Actor<State, Context> {
  /** As it names itself in Events and managed fields: 'kubelet', 'default-scheduler'. */
  readonly reportsAs: string;
  readonly watches: readonly Subscription[];
  /** How long it lets changes gather before it looks at them, for one whose work is not urgent. Simplified: upstream looks at each at once. */
  readonly patienceMs?: number;
}

export type { Random, SimTime };
