import type { Namespace } from '../../../../api/schema/types.ts';
import type { ApiRequest, Component, Context, WatchChange } from '../../../component.ts';
import { controller, createControllerState, enqueue, type ControllerState, type Step } from '../../controller.ts';
import { splitQueueKey } from '../../workqueue.ts';

const rootCa = 'kube-root-ca.crt';

/**
 * Every active namespace has a service account 'default' and the cluster's certificate.
 * Upstream: pkg/controller/serviceaccount (ServiceAccountsController) and pkg/controller/certificates/rootcacertpublisher.
 */
export const serviceAccount: Component<ControllerState> = controller<ControllerState>({
  reportsAs: 'serviceaccount-controller',
  watches: [{ resource: 'namespaces' }, { resource: 'serviceaccounts' }, { resource: 'configmaps' }],
  start: createControllerState,
  observe,
  sync,
  replied: (_state, _key, { response }) => response.code === 409 || response.code === 403 || response.code === 404,
});

function observe({ queue }: ControllerState, { resource, type, object }: WatchChange, context: Context): void {
  const { name, namespace } = object.metadata;
  if (resource === 'namespaces') {
    if (type !== 'DELETED') enqueue(queue, `/${name}`, context);
  } else if ((resource === 'serviceaccounts' && name === 'default' && type === 'DELETED') || (resource === 'configmaps' && name === rootCa && type !== 'ADDED')) {
    enqueue(queue, `/${namespace}`, context);
  }
}

const isActive = ({ metadata, status }: Namespace): boolean => metadata.deletionTimestamp === undefined && status?.phase !== 'Terminating';

function sync(_state: ControllerState, key: string, { view }: Context): Step[] {
  const { name: namespace } = splitQueueKey(key);
  const found = view.get('namespaces', undefined, namespace);
  if (found === undefined || !isActive(found)) return [];
  const requests: ApiRequest[] = [];
  if (view.get('serviceaccounts', namespace, 'default') === undefined) {
    requests.push({ verb: 'create', resource: 'serviceaccounts', namespace, object: { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default', namespace } } });
  }
  if (view.get('configmaps', namespace, rootCa) === undefined) {
    const source = view.get('configmaps', 'kube-system', rootCa);
    requests.push({
      verb: 'create', resource: 'configmaps', namespace,
      object: {
        apiVersion: 'v1', kind: 'ConfigMap',
        metadata: { name: rootCa, namespace, ...(source?.metadata.annotations === undefined ? {} : { annotations: source.metadata.annotations }) },
        data: source?.data ?? {},
      },
    });
  }
  return requests.length === 0 ? [] : [{ kind: 'create', requests }];
}
