import { copyPlain, samePlain } from '../../sim/plain.ts';
import { forbidden, invalid, notSupported, required } from '../meta/field-error.ts';
import { present, ruled, sortedEntries, sortedMap, type Errors } from '../meta/check.ts';
import { goQuote } from '../meta/go-text.ts';
import { jsonDiff } from '../meta/line-diff.ts';
import { dns1123SubdomainProblems, labelKeyProblems } from '../meta/names.ts';
import { immutable, validateObjectMeta, validateObjectMetaUpdate } from '../meta/object-meta.ts';
import { innerForm } from '../inner-form.ts';
import { compareQuantity } from '../quantity.ts';
import type { Binding, Container, ContainerStatus, NodeSelectorTerm, Pod, PodSpec, ResourceRequirements } from '../schema/types.ts';
import { validateTolerations } from './affinity-validation.ts';
import { validateImageSpace } from './container-validation.ts';
import { isSidecar, qosClass } from './pod-resources.ts';
import { validatePodAnnotations, validatePodSpecOfPod } from './pod-validation.ts';

/** How pods may change. Upstream: pkg/apis/core/validation ValidatePodUpdate and its neighbours. */

const armorPrefix = 'container.apparmor.security.beta.kubernetes.io/';
const mirror = 'kubernetes.io/config.mirror';

function validateAnnotationChanges(errors: Errors, pod: Pod, old: Pod): void {
  const next = pod.metadata.annotations ?? {};
  const before = old.metadata.annotations ?? {};
  for (const [key, value] of sortedEntries(before)) {
    if (next[key] === value) continue;
    if (key.startsWith(armorPrefix)) errors.push(forbidden(`metadata.annotations[${key}]`, 'may not remove or update AppArmor annotations'));
    if (key === mirror) errors.push(forbidden(`metadata.annotations[${key}]`, 'may not remove or update mirror pod annotation'));
  }
  for (const [key] of sortedEntries(next)) {
    if (before[key] !== undefined) continue;
    if (key.startsWith(armorPrefix)) errors.push(forbidden(`metadata.annotations[${key}]`, 'may not add AppArmor annotations'));
    if (key === mirror) errors.push(forbidden(`metadata.annotations[${key}]`, 'may not add mirror pod annotation'));
  }
  validatePodAnnotations(errors, next, pod.spec);
}

/** False: the lists cannot be compared further. */
function validateImages(errors: Errors, path: string, next: readonly Container[] = [], old: readonly Container[] = []): boolean {
  if (next.length !== old.length) {
    errors.push(forbidden(path, 'pod updates may not add or remove containers'));
    return false;
  }
  next.forEach((container, index) => {
    present(errors, `${path}[${index}].image`, container.image);
    validateImageSpace(errors, `${path}[${index}]`, container.image);
  });
  return true;
}

function validateDeadline(errors: Errors, next: number | undefined, old: number | undefined): void {
  const path = 'spec.activeDeadlineSeconds';
  if (next === undefined) {
    if (old !== undefined) errors.push(invalid(path, null, 'must not update from a positive integer to nil value'));
    return;
  }
  if (next < 0 || next > 2_147_483_647) errors.push(invalid(path, next, 'must be between 0 and 2147483647, inclusive'));
  if (old !== undefined && old < next) errors.push(invalid(path, next, 'must be less than or equal to previous value'));
}

function validateTolerationChanges(errors: Errors, spec: PodSpec, old: PodSpec): void {
  const path = 'spec.tolerations';
  for (const before of old.tolerations ?? []) {
    const kept = (spec.tolerations ?? []).some((next) => samePlain({ ...before, tolerationSeconds: 0 }, { ...next, tolerationSeconds: 0 }));
    if (!kept) errors.push(forbidden(path, 'existing toleration can not be modified except its tolerationSeconds'));
  }
  validateTolerations(errors, path, spec.tolerations);
}

function validateGateChanges(errors: Errors, spec: PodSpec, old: PodSpec): void {
  spec.schedulingGates?.forEach((gate, index) => {
    if (!(old.schedulingGates ?? []).some((before) => before.name === gate.name)) {
      errors.push(forbidden(`spec.schedulingGates[${index}].name`, `only deletion is allowed, but found new scheduling gate '${gate.name}'`));
    }
  });
}

const required_ = 'requiredDuringSchedulingIgnoredDuringExecution';

function onlyAdds(next: NodeSelectorTerm, old: NodeSelectorTerm): boolean {
  const count = (term: NodeSelectorTerm) => (term.matchExpressions ?? []).length + (term.matchFields ?? []).length;
  if (count(old) === 0) return count(next) === 0;
  return (['matchExpressions', 'matchFields'] as const).every((field) => {
    const before = old[field] ?? [];
    return samePlain((next[field] ?? []).slice(0, before.length), before);
  });
}

/** A gated pod's placement may be narrowed. What was checked here is set back to the old value in `munged`. */
function validateGatedPlacement(errors: Errors, munged: PodSpec, old: PodSpec): void {
  if (!samePlain(munged.nodeSelector ?? {}, old.nodeSelector ?? {})) {
    for (const [key, value] of sortedEntries(old.nodeSelector)) {
      if (munged.nodeSelector?.[key] !== value) {
        errors.push(invalid('spec.nodeSelector', sortedMap(munged.nodeSelector), 'only additions to spec.nodeSelector are allowed (no mutations or deletions)'));
      }
    }
  }
  restore(munged, 'nodeSelector', old.nodeSelector);
  const path = `spec.affinity.nodeAffinity.${required_}.nodeSelectorTerms`;
  const oldNode = old.affinity?.nodeAffinity;
  const nextNode = munged.affinity?.nodeAffinity;
  if (samePlain(oldNode, nextNode)) return;
  if (oldNode?.[required_] !== undefined) {
    const before = oldNode[required_].nodeSelectorTerms;
    const after = nextNode?.[required_]?.nodeSelectorTerms ?? [];
    const shown = (term: NodeSelectorTerm) => innerForm('NodeSelectorTerm', term);
    if (before.length > 0 && before.length !== after.length) {
      errors.push(invalid(path, after.length === 0 ? null : after.map(shown), 'no additions/deletions to non-empty NodeSelectorTerms list are allowed'));
    } else {
      before.forEach((term, index) => {
        const next = after[index] as NodeSelectorTerm;
        if (!onlyAdds(next, term)) errors.push(invalid(`${path}[${index}]`, shown(next), 'only additions are allowed (no mutations or deletions)'));
      });
    }
  }
  const { nodeAffinity: _, ...rest } = munged.affinity ?? {};
  const affinity = oldNode === undefined ? rest : { ...rest, nodeAffinity: oldNode };
  restore(munged, 'affinity', old.affinity === undefined && Object.keys(affinity).length === 0 ? undefined : affinity);
}

function restore<K extends keyof PodSpec>(spec: PodSpec, field: K, value: PodSpec[K] | undefined): void {
  if (value === undefined) delete spec[field];
  else spec[field] = value;
}

const changeable = '`spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)';

export function validatePodUpdate(errors: Errors, pod: Pod, old: Pod): void {
  validateObjectMetaUpdate(errors, pod.metadata, old.metadata);
  validateObjectMeta(errors, pod.metadata, true, dns1123SubdomainProblems);
  validatePodSpecOfPod(errors, pod);
  validateAnnotationChanges(errors, pod, old);
  const next = pod.spec;
  const before = old.spec;
  if (!validateImages(errors, 'spec.containers', next.containers, before.containers)) return;
  if (!validateImages(errors, 'spec.initContainers', next.initContainers, before.initContainers)) return;
  validateDeadline(errors, next.activeDeadlineSeconds, before.activeDeadlineSeconds);
  validateTolerationChanges(errors, next, before);
  validateGateChanges(errors, next, before);
  if (samePlain(next, before)) return;
  const munged = copyPlain({ ...next });
  const withOldImage = (container: Container, index: number, list: readonly Container[] | undefined): Container => {
    const { image: _, ...rest } = container;
    const image = list?.[index]?.image;
    return image === undefined ? rest : { ...rest, image };
  };
  munged.containers = munged.containers.map((container, index) => withOldImage(container, index, before.containers));
  if (munged.initContainers !== undefined) munged.initContainers = munged.initContainers.map((container, index) => withOldImage(container, index, before.initContainers));
  for (const field of ['activeDeadlineSeconds', 'schedulingGates', 'tolerations'] as const) restore(munged, field, before[field]);
  if ((before.terminationGracePeriodSeconds ?? 0) < 0 && munged.terminationGracePeriodSeconds === 1) restore(munged, 'terminationGracePeriodSeconds', before.terminationGracePeriodSeconds);
  if ((before.schedulingGates ?? []).length > 0) validateGatedPlacement(errors, munged, before);
  if (!samePlain(munged, before)) errors.push(forbidden('spec', `pod updates may not change fields other than ${changeable}\n${jsonDiff(innerForm('PodSpec', before), innerForm('PodSpec', munged))}`));
}

/** May a container start again after it ended so? */
function mayRestart(container: Container | undefined, spec: PodSpec, exitCode: number): boolean {
  for (const rule of container?.restartPolicyRules ?? []) {
    const listed = (rule.exitCodes?.values ?? []).includes(exitCode);
    if (listed === (rule.exitCodes?.operator === 'In')) return true;
  }
  const policy = container?.restartPolicy ?? spec.restartPolicy;
  return policy === 'Always' || (policy === 'OnFailure' && exitCode !== 0);
}

const restartsAll = (spec: PodSpec) =>
  [...(spec.containers ?? []), ...(spec.initContainers ?? [])].some((container) => container.restartPolicyRules?.some((rule) => rule.action === 'RestartAllContainers'));

/** What has ended stays ended where the policy says so. The index is that of the old list. */
function validateTransitions(errors: Errors, path: string, next: readonly ContainerStatus[] = [], old: readonly ContainerStatus[] = [], allowed: (name: string, exitCode: number) => boolean): void {
  old.forEach((before, index) => {
    const ended = before.state?.terminated;
    if (ended === undefined) return;
    const after = next.find((status) => status.name === before.name);
    if (after !== undefined && after.state?.terminated === undefined && !allowed(before.name, ended.exitCode ?? 0)) {
      errors.push(forbidden(`${path}[${index}].state`, 'may not be transitioned to non-terminated state'));
    }
  });
}

const systemConditions = ['PodScheduled', 'Ready', 'Initialized'];

export function validatePodStatusUpdate(errors: Errors, pod: Pod, old: Pod): void {
  validateAnnotationChanges(errors, pod, old);
  const next = pod.status ?? {};
  const before = old.status ?? {};
  next.conditions?.forEach((condition, index) => {
    if (!systemConditions.includes(condition.type)) ruled(errors, `status.conditions[${index}].Type`, condition.type ?? '', labelKeyProblems);
  });
  if (pod.spec.nodeName !== old.spec.nodeName) errors.push(forbidden('status.nodeName', 'may not be changed directly'));
  const nominated = next.nominatedNodeName;
  if (nominated && nominated !== before.nominatedNodeName) {
    ruled(errors, 'status.nominatedNodeName', nominated, dns1123SubdomainProblems);
    if (old.spec.nodeName) errors.push(forbidden('status.nominatedNodeName', 'may not be set on pods that are already bound to a node'));
  }
  immutable(errors, 'status.qosClass', next.qosClass ?? '', before.qosClass ?? '');
  const spec = old.spec;
  if (!restartsAll(spec)) {
    const find = (list: readonly Container[] | undefined, name: string) => list?.find((container) => container.name === name);
    validateTransitions(errors, 'status.containerStatuses', next.containerStatuses, before.containerStatuses, (name, code) => mayRestart(find(spec.containers, name), spec, code));
    validateTransitions(errors, 'status.initContainerStatuses', next.initContainerStatuses, before.initContainerStatuses, (name, code) => {
      const container = find(spec.initContainers, name);
      return (container !== undefined && isSidecar(container)) || mayRestart(container, spec, code);
    });
  }
  validateTransitions(errors, 'status.ephemeralContainerStatuses', next.ephemeralContainerStatuses, before.ephemeralContainerStatuses, () => false);
}

/** The ephemeralcontainers subresource. */
export function validateEphemeralUpdate(errors: Errors, pod: Pod, old: Pod): void {
  validateObjectMetaUpdate(errors, pod.metadata, old.metadata);
  validatePodSpecOfPod(errors, pod);
  const path = 'spec.ephemeralContainers';
  for (const before of old.spec.ephemeralContainers ?? []) {
    const next = pod.spec.ephemeralContainers?.find((container) => container.name === before.name);
    if (next === undefined) errors.push(forbidden(path, `existing ephemeral containers ${goQuote(before.name)} may not be removed\n`));
    else if (!samePlain(next, before)) errors.push(forbidden(path, `existing ephemeral containers ${goQuote(before.name)} may not be changed\n${jsonDiff(innerForm('EphemeralContainer', before), innerForm('EphemeralContainer', next))}`));
  }
}

const resizable = ['cpu', 'memory'];

/** The resources with what may be resized taken from the old ones. */
function munge(next: ResourceRequirements | undefined, old: ResourceRequirements | undefined): Record<string, Record<string, string>> {
  const list = (side: 'limits' | 'requests') => Object.fromEntries([
    ...Object.entries(next?.[side] ?? {}).filter(([name]) => !resizable.includes(name)),
    ...Object.entries(old?.[side] ?? {}).filter(([name]) => resizable.includes(name)),
  ]);
  return { limits: list('limits'), requests: list('requests') };
}

const sameResources = (a: Record<string, Record<string, string>>, b: ResourceRequirements | undefined): boolean => (['limits', 'requests'] as const).every((side) => {
  const left = a[side] ?? {};
  const right = b?.[side] ?? {};
  const names = new Set([...Object.keys(left), ...Object.keys(right)]);
  return [...names].every((name) => left[name] !== undefined && right[name] !== undefined && compareQuantity(left[name], right[name]) === 0);
});

function validateContainerResize(errors: Errors, path: string, next: Container, old: Container): void {
  for (const side of ['requests', 'limits'] as const) {
    const gone = Object.keys(old.resources?.[side] ?? {}).some((name) => next.resources?.[side]?.[name] === undefined);
    if (gone) errors.push(forbidden(`${path}.resources.${side}`, `resource ${side} cannot be removed`));
  }
}

function sameBut(next: Container, old: Container): boolean {
  const { resources: _1, ...a } = next;
  const { resources: _2, ...b } = old;
  return samePlain(a, b) && sameResources(munge(next.resources, old.resources), old.resources);
}

/** The resize subresource: cpu and memory of running containers. */
export function validateResize(errors: Errors, pod: Pod, old: Pod): void {
  validateObjectMetaUpdate(errors, pod.metadata, old.metadata);
  validatePodSpecOfPod(errors, pod);
  if ((old.status?.qosClass ?? qosClass(old)) !== qosClass(pod)) errors.push(invalid('spec', pod.status?.qosClass ?? '', 'Pod QOS Class may not change as a result of resizing'));
  const lists = ['containers', 'initContainers'] as const;
  const start = errors.length;
  for (const field of lists) {
    const next = pod.spec[field] ?? [];
    const before = old.spec[field] ?? [];
    if (next.length !== before.length) errors.push(forbidden(`spec.${field}`, `${field} may not be added or removed on resize`));
    else before.forEach((container, index) => {
      if (next[index]?.name !== container.name) errors.push(forbidden(`spec.${field}[${index}].name`, `${field} may not be renamed or reordered on resize`));
    });
  }
  if (errors.length > start) return;
  const pairs = (field: (typeof lists)[number]) => (old.spec[field] ?? []).map((before, index) => [pod.spec[field]?.[index] as Container, before, index] as const);
  for (const [next, before, index] of pairs('initContainers')) validateContainerResize(errors, `spec.initContainers[${index}]`, next, before);
  for (const [next, before, index] of pairs('containers')) validateContainerResize(errors, `spec.containers[${index}]`, next, before);
  for (const [next, before] of pairs('containers')) if (!sameBut(next, before)) errors.push(forbidden('spec', 'only cpu and memory resources are mutable'));
  for (const [next, before, index] of pairs('initContainers')) {
    if (!sameBut(next, before)) errors.push(forbidden(`spec.initContainers[${index}]`, 'only cpu and memory resources for init or sidecar containers are mutable'));
  }
  if (errors.length > 0) return;
  const rest = ({ containers: _1, initContainers: _2, resources: _3, ...spec }: PodSpec) => spec;
  if (!samePlain(rest(pod.spec), rest(old.spec))) errors.push(forbidden('spec', 'only cpu and memory resources are mutable'));
}

/** Upstream: ValidatePodBinding. */
export function validateBinding(errors: Errors, binding: Binding): void {
  const target = binding.target;
  if (target?.kind && target.kind !== 'Node') errors.push(notSupported('target.kind', target.kind, ['Node', '<empty>'], false));
  if (!target?.name) errors.push(required('target.name'));
}
