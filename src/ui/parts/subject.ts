import type { ResourceName } from '../../api/resources.ts';
import type { Lane, WorkloadValue } from '../../worker/protocol.ts';
import { film } from '../store/film.ts';

/** The API object behind a lane. */
export interface Subject {
  resource: ResourceName;
  kind: string;
  namespace: string;
  name: string;
  /** As kubectl takes it: 'pod', 'deployment.apps'. */
  word: string;
}

const words: Partial<Record<ResourceName, [kind: string, word: string]>> = {
  'deployments.apps': ['Deployment', 'deployment'], 'replicasets.apps': ['ReplicaSet', 'replicaset'], 'statefulsets.apps': ['StatefulSet', 'statefulset'], 'daemonsets.apps': ['DaemonSet', 'daemonset'],
  'jobs.batch': ['Job', 'job'], 'cronjobs.batch': ['CronJob', 'cronjob'],
};

export function subjectOf(lane: Lane | undefined): Subject | undefined {
  if (lane === undefined) return undefined;
  const namespace = lane.namespace ?? 'default';
  switch (lane.kind) {
    case 'pod': return { resource: 'pods', kind: 'Pod', namespace, name: lane.label, word: 'pod' };
    case 'node': return { resource: 'nodes', kind: 'Node', namespace: '', name: lane.label, word: 'node' };
    case 'service': return { resource: 'services', kind: 'Service', namespace, name: lane.label, word: 'service' };
    case 'workload': {
      const value = film().value(film().lanes.get(lane.id)?.spans.value[0] ?? -1) as WorkloadValue | undefined;
      const resource = value?.resource ?? (lane.id.split('/')[1] as ResourceName);
      const [kind, word] = words[resource] ?? [resource, resource];
      return { resource, kind, namespace, name: lane.label.replace(/^.*\//, ''), word };
    }
    default: return undefined;
  }
}
