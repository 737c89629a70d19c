import { isTerminal } from '../../../api/print/pod-status.ts';
import type { ApiObject } from '../../../api/resources.ts';
import type { Pod, PodCondition } from '../../../api/schema/types.ts';
import { formatRfc3339 } from '../../../sim/time.ts';
import type { Call } from '../environment.ts';
import { preparePod } from '../../../api/core-v1/pod-prepare.ts';
import { qosClass } from '../../../api/core-v1/pod-resources.ts';

/** Status of a pod that was just created: nothing but a phase and a class. Upstream: pkg/registry/core/pod/strategy.go PrepareForCreate. */
export function initialPodStatus(object: ApiObject, call: Call): Pod['status'] {
  const pod = object as Pod;
  const gated = (pod.spec.schedulingGates?.length ?? 0) > 0;
  const condition: PodCondition = {
    type: 'PodScheduled', status: 'False', reason: 'SchedulingGated', message: 'Scheduling is blocked due to non-empty scheduling gates',
    lastTransitionTime: formatRfc3339(call.env.epochMs),
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

/** Selectors that follow the pod's own labels, fields behind gates that are off. The object is a fresh copy already. */
export function freshPod(object: ApiObject): ApiObject {
  preparePod(object as Pod);
  return object;
}
