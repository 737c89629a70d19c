import { fieldsOf } from '../../../api/fields.ts';
import type { ApiObject, ResourceInfo } from '../../../api/resources.ts';

/**
 * Fields that Go's encoder writes even when they hold nothing: times without omitempty as null, plain texts as "", structs as {}.
 * 'field=null' and so on, by struct.
 */
const always: Readonly<Record<string, string>> = {
  PodCondition: 'lastProbeTime=null lastTransitionTime=null',
  NodeCondition: 'lastHeartbeatTime=null lastTransitionTime=null',
  JobCondition: 'lastProbeTime=null lastTransitionTime=null',
  Condition: 'lastTransitionTime=null message="" reason=""',
  ContainerStateRunning: 'startedAt=null',
  ContainerStateTerminated: 'startedAt=null finishedAt=null',
  ContainerStatus: 'imageID="" lastState={} state={}',
  Event: 'eventTime=null firstTimestamp=null lastTimestamp=null reportingComponent="" reportingInstance="" source={}',
  EndpointSlice: 'endpoints=null ports=null',
  Endpoint: 'conditions={}',
  HorizontalPodAutoscalerStatus: 'currentMetrics=null',
  NodeAddress: 'address="" type=""',
  NodeSystemInfo: 'architecture="" bootID="" containerRuntimeVersion="" kernelVersion="" kubeProxyVersion="" kubeletVersion="" machineID="" operatingSystem="" osImage="" systemUUID=""',
};

const fillers = new Map(Object.entries(always).map(([struct, text]) => [struct, text.split(' ').map((part) => {
  const equals = part.indexOf('=');
  return { field: part.slice(0, equals), value: JSON.parse(part.slice(equals + 1)) as unknown };
})]));

const reachable = new Map<string, boolean>();

/** Whether anything below a struct needs filling: most of a pod's spec does not. */
function reaches(struct: string): boolean {
  const known = reachable.get(struct);
  if (known !== undefined) return known;
  reachable.set(struct, false);
  const result = fillers.has(struct) || [...(fieldsOf(struct)?.values() ?? [])].some(({ type }) => reaches(type));
  reachable.set(struct, result);
  return result;
}

/** The object as it goes over the wire. Shared parts stay shared. */
export function toWire<T extends object = ApiObject>(info: ResourceInfo, object: T): T {
  return fill(object as Record<string, unknown>, info.struct ?? info.kind) as T;
}

function fill(value: Record<string, unknown>, struct: string): Record<string, unknown> {
  let result = value;
  const set = (field: string, next: unknown) => {
    if (result === value) result = { ...value };
    result[field] = next;
  };
  for (const filler of fillers.get(struct) ?? []) if (value[filler.field] === undefined) set(filler.field, filler.value);
  for (const [name, { type, shape }] of fieldsOf(struct) ?? []) {
    const part = value[name];
    if (typeof part !== 'object' || part === null || !reaches(type)) continue;
    const next = shape === 'list' && Array.isArray(part) ? part.map((item) => fill(item as Record<string, unknown>, type)) : shape === 'one' ? fill(part as Record<string, unknown>, type) : part;
    if (next !== part) set(name, next);
  }
  return result;
}
