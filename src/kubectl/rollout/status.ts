import type { ApiObject, ResourceName } from '../../api/resources.ts';
import type { DaemonSet, Deployment, StatefulSet } from '../../api/schema/types.ts';
import { plainError } from '../failure.ts';

/** Where a rollout stands: its line, and whether it is over. Upstream: polymorphichelpers/rollout_status.go. */
export interface RolloutStatus {
  text: string;
  done: boolean;
}

const going = (text: string): RolloutStatus => ({ text: `${text}\n`, done: false });
const over = (text: string): RolloutStatus => ({ text: `${text}\n`, done: true });

function deployment({ metadata, spec, status }: Deployment): RolloutStatus {
  const what = `deployment "${metadata.name}"`;
  if ((metadata.generation ?? 0) > (status.observedGeneration ?? 0)) return going('Waiting for deployment spec update to be observed...');
  if (status.conditions?.some(({ type, reason }) => type === 'Progressing' && reason === 'ProgressDeadlineExceeded')) throw plainError(`${what} exceeded its progress deadline`);
  const { replicas = 0, updatedReplicas: updated = 0, availableReplicas: available = 0 } = status;
  const waiting = `Waiting for ${what} rollout to finish:`;
  if (updated < (spec.replicas ?? 1)) return going(`${waiting} ${updated} out of ${spec.replicas ?? 1} new replicas have been updated...`);
  if (replicas > updated) return going(`${waiting} ${replicas - updated} old replicas are pending termination...`);
  if (available < updated) return going(`${waiting} ${available} of ${updated} updated replicas are available...`);
  return over(`${what} successfully rolled out`);
}

const rollingOnly = 'rollout status is only available for RollingUpdate strategy type';

function daemonSet({ metadata, spec, status }: DaemonSet): RolloutStatus {
  if (spec.updateStrategy?.type !== 'RollingUpdate') throw plainError(rollingOnly);
  const what = `daemon set "${metadata.name}"`;
  if ((metadata.generation ?? 0) > (status.observedGeneration ?? 0)) return going('Waiting for daemon set spec update to be observed...');
  const { updatedNumberScheduled: updated = 0, desiredNumberScheduled: desired = 0, numberAvailable: available = 0 } = status;
  if (updated < desired) return going(`Waiting for ${what} rollout to finish: ${updated} out of ${desired} new pods have been updated...`);
  if (available < desired) return going(`Waiting for ${what} rollout to finish: ${available} of ${desired} updated pods are available...`);
  return over(`${what} successfully rolled out`);
}

function statefulSet({ metadata, spec, status }: StatefulSet): RolloutStatus {
  if (spec.updateStrategy?.type !== 'RollingUpdate') throw plainError(rollingOnly);
  const { observedGeneration = 0, readyReplicas: ready = 0, updatedReplicas: updated = 0, currentReplicas: current = 0, updateRevision = '', currentRevision = '' } = status;
  if (observedGeneration === 0 || (metadata.generation ?? 0) > observedGeneration) return going('Waiting for statefulset spec update to be observed...');
  const replicas = spec.replicas ?? 1;
  if (ready < replicas) return going(`Waiting for ${replicas - ready} pods to be ready...`);
  const rolling = spec.updateStrategy.rollingUpdate;
  if (rolling !== undefined) {
    const wanted = replicas - (rolling.partition ?? 0);
    if (rolling.partition !== undefined && updated < wanted) return going(`Waiting for partitioned roll out to finish: ${updated} out of ${wanted} new pods have been updated...`);
    return over(`partitioned roll out complete: ${updated} new pods have been updated...`);
  }
  if (updateRevision !== currentRevision) return going(`waiting for statefulset rolling update to complete ${updated} pods at revision ${updateRevision}...`);
  return over(`statefulset rolling update complete ${current} pods at revision ${currentRevision}...`);
}

export const statusViewers: Readonly<Partial<Record<ResourceName, (object: ApiObject) => RolloutStatus>>> = {
  'deployments.apps': (object) => deployment(object as Deployment), 'daemonsets.apps': (object) => daemonSet(object as DaemonSet), 'statefulsets.apps': (object) => statefulSet(object as StatefulSet),
};
