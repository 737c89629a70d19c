import type { ApiObject } from '../api/resources.ts';
import type { Namespace, Service } from '../api/schema/types.ts';
import { formatRfc3339 } from '../sim/time.ts';

const bootUid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

/** What a cluster holds before anybody did anything, oldest first. Made an hour before the film begins. Nodes are added by the kubelets. */
export function bootObjects(epochMs: number, namespaces: readonly string[]): ApiObject[] {
  const creationTimestamp = formatRfc3339(epochMs - 3_600_000);
  let count = 0;
  const metadata = (name: string, namespace?: string) => ({
    name,
    uid: bootUid(++count),
    resourceVersion: '',
    creationTimestamp,
    ...(namespace === undefined ? {} : { namespace }),
  });
  const all = ['default', 'kube-system', 'kube-public', 'kube-node-lease', ...namespaces.filter((name) => name !== 'default')];
  const made: ApiObject[] = all.map((name): Namespace => ({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { ...metadata(name), labels: { 'kubernetes.io/metadata.name': name } },
    spec: { finalizers: ['kubernetes'] },
    status: { phase: 'Active' },
  }));
  for (const namespace of all) {
    made.push({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: metadata('default', namespace) });
    made.push({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { ...metadata('kube-root-ca.crt', namespace), annotations: { 'kubernetes.io/description': 'Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.' } },
      data: { 'ca.crt': '-----BEGIN CERTIFICATE-----\nsimulated\n-----END CERTIFICATE-----\n' },
    } as ApiObject);
  }
  for (const [name, value] of [['system-cluster-critical', 2_000_000_000], ['system-node-critical', 2_000_001_000]] as const) {
    made.push({
      apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { ...metadata(name), generation: 1 },
      value, preemptionPolicy: 'PreemptLowerPriority', description: 'Used for system critical pods.',
    } as ApiObject);
  }
  made.push(service('kubernetes', 'default', '10.96.0.1', [{ name: 'https', port: 443, targetPort: 6443, protocol: 'TCP' }], metadata));
  made.push(service('kube-dns', 'kube-system', '10.96.0.10', [
    { name: 'dns', port: 53, targetPort: 53, protocol: 'UDP' }, { name: 'dns-tcp', port: 53, targetPort: 53, protocol: 'TCP' },
  ], metadata));
  return made;
}

function service(name: string, namespace: string, clusterIP: string, ports: Service['spec']['ports'] & object, metadata: (name: string, namespace: string) => Service['metadata']): Service {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { ...metadata(name, namespace), labels: name === 'kubernetes' ? { component: 'apiserver', provider: 'kubernetes' } : { 'k8s-app': 'kube-dns' } },
    spec: {
      clusterIP, clusterIPs: [clusterIP], internalTrafficPolicy: 'Cluster', ipFamilies: ['IPv4'], ipFamilyPolicy: 'SingleStack', ports, sessionAffinity: 'None', type: 'ClusterIP',
    },
    status: { loadBalancer: {} },
  };
}
