import { forbidden, invalid, notFound, required, tooLong } from '../meta/field-error.ts';
import { ipRule, named, oneOf, present, ruled, sortedEntries, unique, within, type Errors } from '../meta/check.ts';
import { dns1123LabelProblems, dns1123SubdomainProblems, labelKeyProblems, subdomainWithUnderscoreProblems } from '../meta/names.ts';
import { validateLabels, validateObjectMeta } from '../meta/object-meta.ts';
import { compareQuantity } from '../quantity.ts';
import type { Container, Pod, PodDNSConfig, PodSpec, SecurityContext } from '../schema/types.ts';
import { validateAffinity, validateSpread, validateTolerations } from './affinity-validation.ts';
import { validateContainers, validateEphemeralContainers, validateImageSpace, validateInitContainers, type PodFacts } from './container-validation.ts';
import { containerRequests } from './pod-resources.ts';
import { validateResources } from './resource-validation.ts';
import { validateOs, validatePodSecurityContext } from './security-validation.ts';
import { validateVolumes } from './volume-validation.ts';

export const dnsPolicies = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'];

type Visit = (container: Container, path: string) => void;

/** Every container, init containers first. Upstream: podshelper.VisitContainersWithPath. */
export function eachContainer(spec: PodSpec, path: string, visit: Visit): void {
  spec.initContainers?.forEach((container, index) => visit(container, `${path}.initContainers[${index}]`));
  spec.containers?.forEach((container, index) => visit(container, `${path}.containers[${index}]`));
  spec.ephemeralContainers?.forEach((container, index) => visit(container as Container, `${path}.ephemeralContainers[${index}]`));
}

function validateClaims(errors: Errors, path: string, spec: PodSpec): Set<string> {
  const seen = new Set<string>();
  spec.resourceClaims?.forEach((claim, index) => {
    const at = `${path}[${index}]`;
    const name = claim.name ?? '';
    if (present(errors, `${at}.name`, name) && unique(errors, `${at}.name`, name, seen)) ruled(errors, `${at}.name`, name, dns1123LabelProblems);
    const value = { Name: name, ResourceClaimName: claim.resourceClaimName ?? null, ResourceClaimTemplateName: claim.resourceClaimTemplateName ?? null };
    const given = [claim.resourceClaimName, claim.resourceClaimTemplateName].filter((text) => text !== undefined);
    if (given.length > 1) errors.push(invalid(at, value, 'at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified'));
    if (given.length === 0) errors.push(invalid(at, value, 'must specify one of: `resourceClaimName`, `resourceClaimTemplateName`'));
    for (const field of ['resourceClaimName', 'resourceClaimTemplateName'] as const) {
      if (claim[field] !== undefined) ruled(errors, `${at}.${field}`, claim[field], dns1123SubdomainProblems);
    }
  });
  return new Set((spec.resourceClaims ?? []).map((claim) => claim.name).filter((name) => name));
}

/** Upstream: validatePodResources, validatePodResourceConsistency. */
function validatePodLevelResources(errors: Errors, path: string, spec: PodSpec, claimNames: ReadonlySet<string>): void {
  const resources = spec.resources;
  if (resources === undefined) return;
  const at = `${path}.resources`;
  if (spec.os?.name === 'windows') {
    errors.push(forbidden(at, 'may not be set for a windows pod'));
    return;
  }
  if (resources.claims !== undefined) errors.push(forbidden(`${at}.claims`, 'claims may not be set for Resources at pod-level'));
  validateResources(errors, at, resources, claimNames, 'pod');
  for (const [name, sum] of sortedEntries(containerRequests(spec))) {
    const request = resources.requests?.[name];
    if (request !== undefined && compareQuantity(sum, request) > 0) {
      errors.push(invalid(`${at}.requests[${name}]`, request, `must be greater than or equal to aggregate container requests of ${sum}`));
    }
  }
  spec.containers?.forEach((container, index) => {
    for (const [name, limit] of sortedEntries(container.resources?.limits)) {
      const podLimit = resources.limits?.[name];
      if (podLimit !== undefined && compareQuantity(limit, podLimit) > 0) {
        errors.push(invalid(`${at}.containers[${index}][${name}].limits`, limit, `must be less than or equal to pod limits of ${podLimit}`));
      }
    }
  });
}

function validateDns(errors: Errors, path: string, config: PodDNSConfig | undefined, policy: string | undefined): void {
  if (policy === 'None') {
    if (config === undefined) {
      errors.push(required(path, 'must provide `dnsConfig` when `dnsPolicy` is None'));
      return;
    }
    if (!present(errors, `${path}.nameservers`, config.nameservers ?? [], 'must provide at least one DNS nameserver when `dnsPolicy` is None')) return;
  }
  const servers = config?.nameservers ?? [];
  const searches = config?.searches ?? [];
  if (servers.length > 3) errors.push(invalid(`${path}.nameservers`, servers, 'must not have more than 3 nameservers'));
  servers.forEach((server, index) => ruled(errors, `${path}.nameservers[${index}]`, server, ipRule));
  if (searches.length > 32) errors.push(invalid(`${path}.searches`, searches, 'must not have more than 32 search paths'));
  if (searches.join(' ').length > 2048) errors.push(invalid(`${path}.searches`, searches, 'must not have more than 2048 characters (including spaces) in the search list'));
  searches.forEach((search, index) => {
    if (search !== '.') ruled(errors, `${path}.searches[${index}]`, search.replace(/\.$/, ''), subdomainWithUnderscoreProblems);
  });
  config?.options?.forEach((option, index) => present(errors, `${path}.options[${index}]`, option.name, 'must not be empty'));
}

function validateHostUsers(errors: Errors, path: string, spec: PodSpec): void {
  if (spec.hostUsers !== false) return;
  for (const [field, name] of [['hostNetwork', 'hostNetwork'], ['hostPID', 'HostPID'], ['hostIPC', 'HostIPC']] as const) {
    if (spec[field] === true) errors.push(forbidden(`${path}.${name}`, 'when `hostUsers` is false'));
  }
  eachContainer(spec, path, (container, at) => {
    if ((container.volumeDevices ?? []).length > 0) errors.push(forbidden(`${at}.volumeDevices`, 'when `hostUsers` is false'));
  });
}

function validateHostNetworkPorts(errors: Errors, path: string, spec: PodSpec, isPod: boolean): void {
  if (spec.hostNetwork !== true) return;
  spec.containers?.forEach((container, index) => container.ports?.forEach((port, i) => {
    const hostPort = port.hostPort ?? 0;
    if ((isPod || hostPort !== 0) && hostPort !== (port.containerPort ?? 0)) {
      errors.push(invalid(`${path}.containers[${index}].ports[${i}].hostPort`, hostPort, 'must match `containerPort` when `hostNetwork` is true'));
    }
  }));
}

/** Simplified: the user names of Windows are not compared with the pod's. */
function validateHostProcess(errors: Errors, path: string, spec: PodSpec): void {
  const ofPod = spec.securityContext?.windowsOptions?.hostProcess;
  let count = 0;
  let all = 0;
  eachContainer(spec, path, (container, at) => {
    all += 1;
    const own = container.securityContext?.windowsOptions?.hostProcess;
    if (ofPod !== undefined && own !== undefined && ofPod !== own) {
      errors.push(invalid(`${at}.securityContext.windowsOptions.hostProcess`, own, `pod hostProcess value must be identical if both are specified, was ${ofPod}`));
    }
    if (own ?? ofPod ?? false) count += 1;
  });
  if (count === 0) return;
  if (count !== all) errors.push(invalid(path, '', 'If pod contains any hostProcess containers then all containers must be HostProcess containers'));
  if (spec.hostNetwork !== true) errors.push(invalid(`${path}.hostNetwork`, false, 'hostNetwork must be true if pod contains any hostProcess containers'));
}

function validateHostname(errors: Errors, path: string, spec: PodSpec): void {
  const name = spec.hostnameOverride;
  if (name === undefined) return;
  const at = `${path}.hostnameOverride`;
  if (spec.setHostnameAsFQDN === true) errors.push(forbidden(at, 'may not be specified when setHostnameAsFQDN is true'));
  if (spec.hostNetwork === true) {
    errors.push(forbidden(at, 'may not be specified when hostNetwork is true'));
    return;
  }
  if (name.length > 64) errors.push(tooLong(at, 64));
  ruled(errors, at, name, dns1123SubdomainProblems);
}

function validateFileRefVolumes(errors: Errors, path: string, spec: PodSpec): void {
  eachContainer(spec, path, (container, at) => container.env?.forEach((env, index) => {
    const name = env.valueFrom?.fileKeyRef?.volumeName;
    if (name === undefined) return;
    const volume = spec.volumes?.find((candidate) => candidate.name === name);
    const field = `${at}.env[${index}].valueFrom.fileKeyRef.volumeName`;
    if (volume === undefined) errors.push(notFound(field, name));
    else if (volume.emptyDir === undefined) errors.push(invalid(field, name, 'referenced volume must be of type emptyDir'));
  }));
}

function validateScheduling(errors: Errors, path: string, spec: PodSpec): void {
  spec.readinessGates?.forEach((gate, index) => ruled(errors, `${path}.readinessGates[${index}].conditionType`, gate.conditionType ?? '', labelKeyProblems));
  const gates = new Set<string>();
  spec.schedulingGates?.forEach((gate, index) => {
    ruled(errors, `${path}.schedulingGates[${index}]`, gate.name ?? '', labelKeyProblems);
    unique(errors, `${path}.schedulingGates[${index}]`, gate.name ?? '', gates);
  });
  validateSpread(errors, `${path}.topologySpreadConstraints`, spec.topologySpreadConstraints);
}

function validateNames(errors: Errors, path: string, spec: PodSpec): void {
  if (spec.serviceAccountName) ruled(errors, `${path}.serviceAccountName`, spec.serviceAccountName, dns1123SubdomainProblems);
  if (spec.nodeName) ruled(errors, `${path}.nodeName`, spec.nodeName, dns1123SubdomainProblems);
  within(errors, `${path}.activeDeadlineSeconds`, spec.activeDeadlineSeconds, 1, 2_147_483_647);
  if (spec.hostname) ruled(errors, `${path}.hostname`, spec.hostname, dns1123LabelProblems);
  if (spec.subdomain) ruled(errors, `${path}.subdomain`, spec.subdomain, dns1123LabelProblems);
  validateTolerations(errors, `${path}.tolerations`, spec.tolerations);
  spec.hostAliases?.forEach((alias, index) => {
    ruled(errors, `${path}.hostAliases[${index}].ip`, alias.ip ?? '', ipRule);
    alias.hostnames?.forEach((name, i) => ruled(errors, `${path}.hostAliases[${index}].hostnames[${i}]`, name, dns1123SubdomainProblems));
  });
  if (spec.priorityClassName) ruled(errors, `${path}.priorityClassName`, spec.priorityClassName, dns1123SubdomainProblems);
  if (spec.runtimeClassName !== undefined) ruled(errors, `${path}.runtimeClassName`, spec.runtimeClassName, dns1123SubdomainProblems);
  if (spec.preemptionPolicy !== undefined) oneOf(errors, `${path}.preemptionPolicy`, spec.preemptionPolicy, ['PreemptLowerPriority', 'Never'], false);
}

/** Upstream: pkg/apis/core/validation ValidatePodSpec, in its order. */
export function validatePodSpec(errors: Errors, path: string, spec: PodSpec, podName: string, isPod: boolean): void {
  if (spec.terminationGracePeriodSeconds === undefined) errors.push(required(`${path}.terminationGracePeriodSeconds`));
  const volumes = validateVolumes(errors, `${path}.volumes`, spec.volumes, podName);
  const claimNames = validateClaims(errors, `${path}.resourceClaims`, spec);
  const facts: PodFacts = { spec, volumes, claimNames, graceSeconds: spec.terminationGracePeriodSeconds ?? 0, hostUsers: spec.hostUsers !== false };
  validateContainers(errors, `${path}.containers`, facts);
  validateInitContainers(errors, `${path}.initContainers`, facts);
  validateEphemeralContainers(errors, `${path}.ephemeralContainers`, facts);
  validatePodLevelResources(errors, path, spec, claimNames);
  validateHostNetworkPorts(errors, path, spec, isPod);
  oneOf(errors, `${path}.restartPolicy`, spec.restartPolicy, ['Always', 'OnFailure', 'Never'], false);
  oneOf(errors, `${path}.dnsPolicy`, spec.dnsPolicy, dnsPolicies, false);
  validateLabels(errors, `${path}.nodeSelector`, spec.nodeSelector);
  validatePodSecurityContext(errors, `${path}.securityContext`, spec);
  validateAffinity(errors, `${path}.affinity`, spec.affinity);
  validateDns(errors, `${path}.dnsConfig`, spec.dnsConfig, spec.dnsPolicy);
  validateScheduling(errors, path, spec);
  validateHostProcess(errors, path, spec);
  validateHostUsers(errors, path, spec);
  validateHostname(errors, path, spec);
  validateNames(errors, path, spec);
  if (spec.overhead !== undefined) validateResources(errors, `${path}.overhead`, { limits: spec.overhead }, new Set());
  if (spec.os !== undefined) {
    validateOs(errors, path, spec, (visit) => eachContainer(spec, path, (container, at) => {
      const context: SecurityContext | undefined = container.securityContext;
      if (context !== undefined) visit(context, `${at}.securityContext`);
    }));
  }
  if (spec.schedulingGroup !== undefined) named(errors, `${path}.schedulingGroup.podGroupName`, spec.schedulingGroup.podGroupName, dns1123SubdomainProblems);
  validateFileRefVolumes(errors, path, spec);
}

const deletionCost = 'controller.kubernetes.io/pod-deletion-cost';
const mirror = 'kubernetes.io/config.mirror';

/** Upstream: ValidatePodSpecificAnnotations. Simplified: the old seccomp and AppArmor annotations are not looked into. */
export function validatePodAnnotations(errors: Errors, annotations: Readonly<Record<string, string>> = {}, spec: PodSpec, path = 'metadata.annotations'): void {
  if (annotations[mirror] !== undefined && !spec.nodeName) {
    errors.push(invalid(`${path}[${mirror}]`, annotations[mirror], 'must set spec.nodeName if mirror pod annotation is set'));
  }
  const cost = annotations[deletionCost];
  if (cost !== undefined && (!/^(0|-?[1-9]\d*)$/.test(cost) || Math.abs(Number(cost)) > 2_147_483_647)) {
    errors.push(invalid(`${path}[${deletionCost}]`, cost, 'must be a 32bit integer'));
  }
}

/** What creating and changing a pod share. Upstream: validatePodMetadataAndSpec. */
export function validatePodSpecOfPod(errors: Errors, pod: Pod): void {
  const spec = pod.spec;
  validatePodAnnotations(errors, pod.metadata.annotations, spec);
  validatePodSpec(errors, 'spec', spec, pod.metadata.name ?? '', true);
  if (!spec.serviceAccountName) {
    spec.volumes?.forEach((volume, index) => volume.projected?.sources?.forEach((source, i) => {
      if (source.serviceAccountToken !== undefined) {
        errors.push(forbidden(`spec.volumes[${index}].projected.sources[${i}].serviceAccountToken`, 'must not be specified when serviceAccountName is not set'));
      }
    }));
  }
  spec.containers?.forEach((container, index) => validateImageSpace(errors, `spec.containers[${index}]`, container.image));
  spec.initContainers?.forEach((container, index) => validateImageSpace(errors, `spec.initContainers[${index}]`, container.image));
}

export function validatePodCreate(errors: Errors, pod: Pod): void {
  validateObjectMeta(errors, pod.metadata, true, dns1123SubdomainProblems);
  validatePodSpecOfPod(errors, pod);
  if ((pod.spec.ephemeralContainers ?? []).length > 0) errors.push(forbidden('spec.ephemeralContainers', 'cannot be set on create'));
  if (pod.spec.nodeName && (pod.spec.schedulingGates ?? []).length > 0) {
    errors.push(forbidden('spec.nodeName', 'cannot be set until all schedulingGates have been cleared'));
  }
}
