import { isTerminal } from '../../../api/print/pod-status.ts';
import type { ApiObject } from '../../../api/resources.ts';
import type { Pod, PodCondition } from '../../../api/schema/types.ts';
import { qosClass } from '../../../api/core-v1/pod-resources.ts';

/** Status of a pod that was just created: nothing but a phase and a class. Upstream: pkg/registry/core/pod/strategy.go PrepareForCreate. */
export function initialPodStatus(object: ApiObject): Pod['status'] {
  const pod = object as Pod;
  const gated = (pod.spec.schedulingGates?.length ?? 0) > 0;
  const condition: PodCondition = {
    type: 'PodScheduled', status: 'False', reason: 'SchedulingGated', message: 'Scheduling is blocked due to non-empty scheduling gates',
  };
  return { phase: 'Pending', ...(gated ? { conditions: [condition] } : {}), qosClass: qosClass(pod) };
}

/** Upstream: podStrategy.CheckGracefulDelete. */
export function podGracePeriod(object: ApiObject, asked: number | undefined): number {
  const pod = object as Pod;
  if (pod.spec.nodeName === undefined || pod.spec.nodeName === '' || isTerminal(pod)) return 0;
  const period = asked ?? pod.spec.terminationGracePeriodSeconds ?? 0;
  return period < 0 ? 1 : period;
}

/** A write to a pod's status never touches spec, owners or the deletion time. */
export function keepPodSpec(next: ApiObject, old: ApiObject): ApiObject {
  const { ownerReferences: _, ...metadata } = next.metadata;
  const { ownerReferences } = old.metadata;
  return {
    ...next,
    spec: (old as Pod).spec,
    metadata: { ...metadata, ...(ownerReferences === undefined ? {} : { ownerReferences }) },
  } as ApiObject;
}
