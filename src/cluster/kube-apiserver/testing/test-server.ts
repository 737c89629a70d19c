import type { ApiObject } from '../../../api/resources.ts';
import { resources } from '../../../api/resources.ts';
import { createRandomState, randomStream } from '../../../sim/random.ts';
import { defaultEpochMs } from '../../../sim/time.ts';
import type { ApiRequest, ApiResponse } from '../../component.ts';
import { Store } from '../../etcd/store.ts';
import type { ServerEnvironment } from '../environment.ts';
import { handleHttp, type HttpResponse } from '../http/handler.ts';
import { handleRequest } from '../server.ts';

/** An API server over an empty store, with the namespace default and its service account. */
export interface TestServer {
  store: Store;
  env: ServerEnvironment;
  advance(ms: number): void;
  /** A request from outside. */
  ask(request: ApiRequest): ApiResponse;
  /** A request from a component. */
  inside(request: ApiRequest): ApiResponse;
  http(method: string, path: string, body?: unknown, headers?: Record<string, string>): HttpResponse;
  put(object: ApiObject): void;
}

export function createTestServer(): TestServer {
  const store = new Store();
  const random = createRandomState(1);
  let now = 0;
  const env: ServerEnvironment = {
    store,
    get now() {
      return now;
    },
    get epochMs() {
      return defaultEpochMs + now;
    },
    cause: 1,
    actor: 'user',
    random: (purpose) => randomStream(random, purpose),
    changed: () => {},
  };
  const put = (object: ApiObject) => {
    const info = resources.find((row) => row.kind === object.kind);
    if (info !== undefined) store.put(info.resource, object, { at: now, cause: 0, actor: 'boot' });
  };
  const metadata = (name: string, namespace?: string) => ({
    name, uid: `uid-${name}`, resourceVersion: '', creationTimestamp: '2026-01-05T08:00:00Z', ...(namespace === undefined ? {} : { namespace }),
  });
  put({ apiVersion: 'v1', kind: 'Namespace', metadata: metadata('default'), spec: { finalizers: ['kubernetes'] }, status: { phase: 'Active' } } as ApiObject);
  put({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: metadata('default', 'default') });
  return {
    store,
    env,
    advance: (ms) => {
      now += ms;
    },
    ask: (request) => handleRequest(env, request, { actor: 'user', inside: false }),
    inside: (request) => handleRequest(env, request, { actor: 'component', inside: true }),
    http: (method, path, body, headers = {}) => {
      const [plain = '', query = ''] = path.split('?');
      const pairs = query === '' ? [] : query.split('&').map((pair) => pair.split('=').map(decodeURIComponent) as [string, string]);
      return handleHttp(env, { method, path: plain, query: Object.fromEntries(pairs), headers, body });
    },
    put,
  };
}

export const podManifest = (name: string, spec: object = {}, metadata: object = {}) => ({
  apiVersion: 'v1', kind: 'Pod', metadata: { name, ...metadata }, spec: { containers: [{ name: 'app', image: 'nginx:1.25' }], ...spec },
});
