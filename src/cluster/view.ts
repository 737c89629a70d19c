import { keyOf, type ObjectOf, type ResourceName } from '../api/resources.ts';
import type { View } from './component.ts';
import type { Store } from './etcd/store.ts';

/** Reads the store as of a revision; the revision is asked for at each read, so one view object serves a component for its whole life. */
export function createView(store: Store, revision: () => number): View {
  return {
    get revision() {
      return revision();
    },
    get: <R extends ResourceName>(resource: R, namespace: string | undefined, name: string) =>
      store.get(keyOf(resource, namespace, name), revision()) as ObjectOf<R> | undefined,
    list: (resource, namespace) => store.list(resource, namespace, revision()),
    by: (resource, index, value) => store.by(resource, index, value, revision()),
    count: (resource, namespace) => store.count(resource, namespace),
  };
}
