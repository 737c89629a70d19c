import { keyOf, type ApiObject } from '../../../api/resources.ts';
import type { Pod, PriorityClass } from '../../../api/schema/types.ts';
import { forbid, type Attributes, type Plugin } from './plugin.ts';

/** Upstream: plugin/pkg/admission/priority. */
export const priority: Plugin = {
  name: 'Priority',
  resources: ['pods', 'priorityclasses.scheduling.k8s.io'],
  admit: (attributes) => (attributes.call.info.resource === 'pods' ? admitPod(attributes) : attributes.object),
  validate: (attributes) => {
    const { call, object, old } = attributes;
    const added = object as PriorityClass;
    if (call.info.resource === 'pods' || added.globalDefault !== true || (old as PriorityClass | undefined)?.globalDefault === true) return undefined;
    const other = globalDefault(attributes);
    if (other === undefined || other.metadata.name === added.metadata.name) return undefined;
    return forbid(attributes, `PriorityClass ${other.metadata.name} is already marked as default. Only one default can exist`);
  },
};

const globalDefault = ({ call }: Attributes): PriorityClass | undefined =>
  call.env.store.list('priorityclasses.scheduling.k8s.io').filter((row) => row.globalDefault === true)
    .reduce<PriorityClass | undefined>((best, row) => (best === undefined || (row.value ?? 0) < (best.value ?? 0) ? row : best), undefined);

function admitPod(attributes: Attributes) {
  const { call, object, old } = attributes;
  const pod = object as Pod;
  if (old !== undefined) return keepPriority(pod, old as Pod);
  const named = pod.spec.priorityClassName;
  const known = named ? (call.env.store.get(keyOf('priorityclasses.scheduling.k8s.io', undefined, named)) as PriorityClass | undefined) : globalDefault(attributes);
  if (named && known === undefined) return forbid(attributes, `no PriorityClass with name ${named} was found`);
  const value = known?.value ?? 0;
  if (pod.spec.priority !== undefined && pod.spec.priority !== value) {
    return forbid(attributes, `the integer value of priority (${pod.spec.priority}) must not be provided in pod spec; priority admission controller computed ${value} from the given PriorityClass name`);
  }
  const policy = known?.preemptionPolicy ?? 'PreemptLowerPriority';
  if (pod.spec.preemptionPolicy !== undefined && pod.spec.preemptionPolicy !== policy) {
    return forbid(attributes, `the string value of PreemptionPolicy (${pod.spec.preemptionPolicy}) must not be provided in pod spec; priority admission controller computed ${policy} from the given PriorityClass name`);
  }
  return {
    ...pod,
    spec: { ...pod.spec, ...(known === undefined ? {} : { priorityClassName: known.metadata.name }), priority: value, preemptionPolicy: policy },
  } as ApiObject;
}

/** An update that leaves them out keeps the computed values. */
function keepPriority(pod: Pod, old: Pod): ApiObject {
  const { priority: value, preemptionPolicy } = old.spec;
  const spec = {
    ...pod.spec,
    ...(pod.spec.priority === undefined && value !== undefined ? { priority: value } : {}),
    ...(pod.spec.preemptionPolicy === undefined && preemptionPolicy !== undefined ? { preemptionPolicy } : {}),
  };
  return { ...pod, spec } as ApiObject;
}
