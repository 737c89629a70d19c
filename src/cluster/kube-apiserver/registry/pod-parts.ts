import { podRequestAmounts, qosClass } from '../../../api/core-v1/pod-resources.ts';
import { duplicate, forbidden, invalid, notFound, required, type FieldError } from '../../../api/meta/field-error.ts';
import { forbiddenStatus } from '../../../api/meta/status.ts';
import { resourceValue } from '../../../api/quantity.ts';
import { keyOf, type ApiObject } from '../../../api/resources.ts';
import type { Container, EphemeralContainer, Node, Pod, Status } from '../../../api/schema/types.ts';
import { compareText, samePlain } from '../../../sim/plain.ts';
import type { Call } from '../environment.ts';

/** What the subresources of a pod take of the object that is sent: one part, all else stays. */
export function takePart(call: Call, next: ApiObject, old: ApiObject): ApiObject {
  const asked = (next as Pod).spec;
  const pod = old as Pod;
  if (call.subresource === 'ephemeralcontainers') {
    const { ephemeralContainers: _, ...spec } = pod.spec;
    return { ...pod, spec: { ...spec, ...(asked.ephemeralContainers === undefined ? {} : { ephemeralContainers: asked.ephemeralContainers }) } } as ApiObject;
  }
  const resized = (containers: Container[] | undefined, from: Container[] | undefined) => containers?.map((container) => {
    const other = from?.find(({ name }) => name === container.name);
    if (other === undefined) return container;
    const { resources: _1, resizePolicy: _2, ...rest } = container;
    const resizePolicy = other.resizePolicy ?? container.resizePolicy;
    return { ...rest, ...(other.resources === undefined ? {} : { resources: other.resources }), ...(resizePolicy === undefined ? {} : { resizePolicy }) };
  });
  const initContainers = resized(pod.spec.initContainers, asked.initContainers);
  return {
    ...pod,
    spec: { ...pod.spec, containers: resized(pod.spec.containers, asked.containers), ...(initContainers === undefined ? {} : { initContainers }) },
  } as ApiObject;
}

export function validatePart(call: Call, next: ApiObject, old: ApiObject): FieldError[] {
  return call.subresource === 'resize' ? resizeErrors(next as Pod, old as Pod) : ephemeralErrors(next as Pod, old as Pod);
}

/** Upstream: pkg/apis/core/validation ValidatePodResize. */
function resizeErrors(next: Pod, old: Pod): FieldError[] {
  const errors: FieldError[] = [];
  if (qosClass(next) !== qosClass(old)) errors.push(invalid('spec', old.status.qosClass ?? qosClass(old), 'Pod QOS Class may not change as a result of resizing'));
  for (const field of ['initContainers', 'containers'] as const) {
    for (const [index, container] of (next.spec[field] ?? []).entries()) {
      const before = old.spec[field]?.[index];
      const path = `spec.${field}[${index}].resources`;
      for (const side of ['requests', 'limits'] as const) {
        const gone = Object.keys(before?.resources?.[side] ?? {}).some((name) => container.resources?.[side]?.[name] === undefined);
        if (gone) errors.push(forbidden(`${path}.${side}`, `resource ${side} cannot be removed`));
      }
    }
  }
  if (errors.length === 0 && !samePlain(otherResources(next), otherResources(old))) errors.push(forbidden('spec', 'only cpu and memory resources are mutable'));
  return errors;
}

function otherResources({ spec }: Pod): unknown {
  const others = (amounts: Record<string, string> | undefined) => Object.entries(amounts ?? {}).filter(([name]) => name !== 'cpu' && name !== 'memory');
  return [...(spec.initContainers ?? []), ...spec.containers].map(({ resources }) => [others(resources?.requests), others(resources?.limits)]);
}

/** Upstream: plugin/pkg/admission/podresize and nodedeclaredfeatures: what the node can never give is refused at once. */
export function checkResizeOnNode(call: Call, next: ApiObject, old: ApiObject): Status | undefined {
  const pod = next as Pod;
  const before = old as Pod;
  if (call.subresource !== 'resize' || !pod.spec.nodeName) return undefined;
  const inits = (pod.spec.initContainers ?? []).some((container, index) =>
    container.restartPolicy !== 'Always' && !samePlain(container.resources, before.spec.initContainers?.[index]?.resources));
  if (inits) {
    return forbiddenStatus(call.info, call.name,
      `pod update requires features InPlacePodVerticalScalingInitContainers which are not available on node ${JSON.stringify(pod.spec.nodeName)}`);
  }
  const node = call.env.store.get(keyOf('nodes', undefined, pod.spec.nodeName)) as Node | undefined;
  const wanted = podRequestAmounts(pod);
  for (const name of ['cpu', 'memory']) {
    const allocatable = node?.status?.allocatable?.[name];
    if (allocatable === undefined || (wanted[name] ?? 0) <= resourceValue(name, allocatable)) continue;
    return forbiddenStatus(call.info, call.name,
      `node didn't have enough allocatable resources: ${name}, requested: ${wanted[name]}, allocatable: ${resourceValue(name, allocatable)}`);
  }
  return undefined;
}

const notForEphemeral = ['ports', 'resources', 'livenessProbe', 'readinessProbe', 'startupProbe', 'lifecycle', 'resizePolicy'] as const;

/** Upstream: pkg/apis/core/validation ValidatePodEphemeralContainersUpdate, validateEphemeralContainers. Simplified: the text of a change shows no difference. */
function ephemeralErrors(next: Pod, old: Pod): FieldError[] {
  const path = 'spec.ephemeralContainers';
  const containers = next.spec.ephemeralContainers ?? [];
  const before = old.spec.ephemeralContainers ?? [];
  const taken = new Set([...next.spec.containers, ...(next.spec.initContainers ?? [])].map(({ name }) => name));
  const errors = containers.flatMap((container, index) => containerErrors(container, `${path}[${index}]`, taken, next));
  for (const known of [...before].sort((a, b) => compareText(a.name, b.name))) {
    const now = containers.find(({ name }) => name === known.name);
    if (now === undefined) errors.push(forbidden(path, `existing ephemeral containers ${JSON.stringify(known.name)} may not be removed\n`));
    else if (!samePlain(now, known)) errors.push(forbidden(path, `existing ephemeral containers ${JSON.stringify(known.name)} may not be changed\n`));
  }
  return errors;
}

function containerErrors(container: EphemeralContainer, path: string, taken: Set<string>, pod: Pod): FieldError[] {
  const errors: FieldError[] = [];
  if (!container.name) errors.push(required(`${path}.name`));
  else if (taken.has(container.name)) errors.push(duplicate(`${path}.name`, container.name));
  taken.add(container.name);
  if (!container.image) errors.push(required(`${path}.image`));
  const target = container.targetContainerName;
  const known = [...pod.spec.containers, ...(pod.spec.initContainers ?? [])].some(({ name }) => name === target);
  if (target && !known) errors.push(notFound(`${path}.targetContainerName`, target));
  for (const field of notForEphemeral) {
    const value = container[field as 'ports'];
    const set = field === 'resources' ? Object.keys(value ?? {}).length > 0 : value !== undefined;
    if (set) errors.push(forbidden(`${path}.${field}`, 'cannot be set for an Ephemeral Container'));
  }
  return errors;
}
