import type { ApiObject, ResourceInfo } from '../../api/resources.ts';
import type { Status } from '../../api/schema/types.ts';
import type { Random } from '../../sim/random.ts';
import type { SimTime } from '../../sim/time.ts';
import type { ApiRequest, RequestOptions, Subresource } from '../component.ts';
import type { Change, Store } from '../etcd/store.ts';

/** What surrounds one request. The server keeps no state of its own beside the store. */
export interface ServerEnvironment {
  readonly store: Store;
  readonly now: SimTime;
  readonly epochMs: number;
  readonly cause: number;
  /** In whose name writes are made. */
  readonly actor: string;
  random(purpose: string): Random;
  /** Called after every write. */
  changed(change: Change): void;
}

/** Inside: a component of the cluster, whose objects are taken as typed and valid. */
export interface Caller {
  actor: string;
  inside: boolean;
}

/** One request on its way through the server. */
export interface Call {
  env: ServerEnvironment;
  info: ResourceInfo;
  caller: Caller;
  request: ApiRequest;
  options: RequestOptions;
  subresource: Subresource | undefined;
  namespace: string;
  name: string;
  dryRun: boolean;
  warnings: string[];
  /** Set when the request made a new object: the answer is 201. */
  created: boolean;
}

/** Either the object or why not. */
export type Outcome = ApiObject | Status;
