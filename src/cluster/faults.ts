import type { Pod } from '../api/schema/types.ts';
import type { Fault } from '../scenarios/schema.ts';
import type { Cluster } from './cluster.ts';
import { controllers } from './kube-controller-manager/registry.ts';

export interface FaultEvent {
  to: string;
  kind: string;
  payload: unknown;
}

/** Whom a fault concerns: the events that make it happen. An unknown node or pod yields none. */
export function faultTargets(cluster: Cluster, fault: Fault): FaultEvent[] {
  if ('network' in fault) {
    const { node, network } = fault;
    const payload = { node, network };
    return [
      { to: 'kube-apiserver', kind: 'network', payload },
      { to: `container-runtime/${node}`, kind: 'fault', payload },
      { to: `kubelet/${node}`, kind: 'fault', payload },
    ];
  }
  if ('kubelet' in fault) return [{ to: `kubelet/${fault.node}`, kind: 'fault', payload: { kubelet: fault.kubelet } }];
  if ('sandbox' in fault) {
    const pod = findPod(cluster, fault.sandbox);
    return pod === undefined ? [] : [{ to: `container-runtime/${fault.node}`, kind: 'fault', payload: { sandbox: pod.metadata.uid } }];
  }
  if ('image' in fault) return cluster.nodes.map((node) => ({ to: `container-runtime/${node.name}`, kind: 'fault', payload: fault }));
  if ('component' in fault) return actorsOf(fault.component).map((to) => ({ to, kind: 'fault', payload: fault }));
  const pod = findPod(cluster, fault.pod);
  const node = pod?.spec.nodeName;
  if (pod === undefined || node === undefined) return [];
  const payload = { ...fault, podUid: pod.metadata.uid, container: fault.container ?? pod.spec.containers[0]?.name };
  return [{ to: 'probe' in fault ? `kubelet/${node}` : `container-runtime/${node}`, kind: 'fault', payload }];
}

/** The controller manager is one process with many loops. */
const actorsOf = (component: string): string[] => (component === 'kube-controller-manager' ? controllers.map(({ name }) => name) : [component]);

/** 'web' in the scenario's namespace, or 'shop/web'. */
function findPod(cluster: Cluster, name: string): Pod | undefined {
  const [namespace, pod] = name.includes('/') ? name.split('/') : [cluster.options.namespace, name];
  return cluster.store.get(`pods/${namespace ?? ''}/${pod ?? ''}`) as Pod | undefined;
}
