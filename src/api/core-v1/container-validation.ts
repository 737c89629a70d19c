import { forbidden, invalid, notFound, notSupported, required, tooMany } from '../meta/field-error.ts';
import { ifOneOf, named, oneOf, present, ruled, unique, within, type Errors } from '../meta/check.ts';
import { configMapKeyProblems, dns1123LabelProblems, dns1123SubdomainProblems, envNameProblems, portNameProblems } from '../meta/names.ts';
import type { Container, ContainerPort, EnvFromSource, EnvVar, PodSpec, Volume, VolumeDevice, VolumeMount } from '../schema/types.ts';
import { envFieldPaths, validateFieldRef, validateResourceFieldRef } from './field-selector-validation.ts';
import { noBacksteps, relativePath } from './path-validation.ts';
import { isSidecar } from './pod-resources.ts';
import { validateLifecycle, validateProbe } from './probe-validation.ts';
import { validateResources } from './resource-validation.ts';
import { validateSecurityContext } from './security-validation.ts';

/** What the checks of one container need to know of its pod. */
export interface PodFacts {
  spec: PodSpec;
  volumes: ReadonlyMap<string, Volume>;
  claimNames: ReadonlySet<string>;
  graceSeconds: number;
  hostUsers: boolean;
}

const protocols = ['SCTP', 'TCP', 'UDP'];

function validatePorts(errors: Errors, path: string, ports: readonly ContainerPort[] = []): void {
  const names = new Set<string>();
  ports.forEach((port, index) => {
    const at = `${path}[${index}]`;
    if (port.name && ruled(errors, `${at}.name`, port.name, portNameProblems)) unique(errors, `${at}.name`, port.name, names);
    if (!port.containerPort) errors.push(required(`${at}.containerPort`));
    else within(errors, `${at}.containerPort`, port.containerPort, 1, 65_535);
    if (port.hostPort) within(errors, `${at}.hostPort`, port.hostPort, 1, 65_535);
    oneOf(errors, `${at}.protocol`, port.protocol, protocols);
  });
}

function validateKeyRef(errors: Errors, path: string, ref: { name?: string; key?: string }): void {
  ruled(errors, `${path}.name`, ref.name ?? '', dns1123SubdomainProblems);
  named(errors, `${path}.key`, ref.key, configMapKeyProblems);
}

function validateFileRef(errors: Errors, path: string, ref: { key?: string; volumeName?: string; path?: string }): void {
  named(errors, `${path}.key`, ref.key, envNameProblems);
  named(errors, `${path}.volumeName`, ref.volumeName, dns1123LabelProblems);
  if (present(errors, `${path}.path`, ref.path)) noBacksteps(errors, `${path}.path`, ref.path as string);
}

function validateEnvSource(errors: Errors, path: string, env: EnvVar): void {
  const from = env.valueFrom;
  if (from === undefined) return;
  if (from.fieldRef !== undefined) validateFieldRef(errors, `${path}.fieldRef`, from.fieldRef, envFieldPaths);
  if (from.resourceFieldRef !== undefined) validateResourceFieldRef(errors, `${path}.resourceFieldRef`, from.resourceFieldRef, false);
  if (from.configMapKeyRef !== undefined) validateKeyRef(errors, `${path}.configMapKeyRef`, from.configMapKeyRef);
  if (from.secretKeyRef !== undefined) validateKeyRef(errors, `${path}.secretKeyRef`, from.secretKeyRef);
  if (from.fileKeyRef !== undefined) validateFileRef(errors, `${path}.fileKeyRef`, from.fileKeyRef);
  const count = Object.keys(from).length;
  if (count === 0) errors.push(invalid(path, '', 'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`'));
  else if (env.value) errors.push(invalid(path, '', 'may not be specified when `value` is not empty'));
  else if (count > 1) errors.push(invalid(path, '', 'may not have more than one field specified at a time'));
}

function validateEnvFrom(errors: Errors, path: string, sources: readonly EnvFromSource[] = []): void {
  sources.forEach((source, index) => {
    const at = `${path}[${index}]`;
    if (source.prefix) ruled(errors, `${at}.prefix`, source.prefix, envNameProblems);
    const refs = (['configMapRef', 'secretRef'] as const).filter((kind) => source[kind] !== undefined);
    for (const kind of refs) named(errors, `${at}.${kind}.name`, source[kind]?.name, dns1123SubdomainProblems);
    if (refs.length === 0) errors.push(invalid(path, '', 'must specify one of: `configMapRef` or `secretRef`'));
    else if (refs.length > 1) errors.push(invalid(path, '', 'may not have more than one field specified at a time'));
  });
}

function validatePropagation(errors: Errors, path: string, mount: VolumeMount, privileged: boolean): void {
  ifOneOf(errors, `${path}.mountPropagation`, mount.mountPropagation, ['Bidirectional', 'HostToContainer', 'None']);
  if (mount.mountPropagation === 'Bidirectional' && !privileged) {
    errors.push(forbidden(`${path}.mountPropagation`, 'Bidirectional mount propagation is available only to privileged containers'));
  }
  const recursive = mount.recursiveReadOnly;
  if (recursive === undefined || recursive === 'Disabled') return;
  const at = `${path}.recursiveReadOnly`;
  if (recursive !== 'Enabled' && recursive !== 'IfPossible') errors.push(notSupported(at, recursive, ['Disabled', 'Enabled', 'IfPossible']));
  else {
    if (mount.readOnly !== true) errors.push(forbidden(at, 'may only be specified when readOnly is true'));
    if ((mount.mountPropagation ?? 'None') !== 'None') errors.push(forbidden(at, 'may only be specified when mountPropagation is None or not specified'));
  }
}

function validateMounts(errors: Errors, path: string, container: Container, volumes: PodFacts['volumes']): void {
  const paths = new Set<string>();
  const devices = container.volumeDevices ?? [];
  const privileged = container.securityContext?.privileged === true;
  (container.volumeMounts ?? []).forEach((mount, index) => {
    const at = `${path}[${index}]`;
    const { name = '', mountPath = '' } = mount;
    present(errors, `${at}.name`, name);
    if (!volumes.has(name)) errors.push(notFound(`${at}.name`, name));
    present(errors, `${at}.mountPath`, mountPath);
    if (paths.has(mountPath)) errors.push(invalid(`${at}.mountPath`, mountPath, 'must be unique'));
    paths.add(mountPath);
    if (devices.some((device) => device.name === name)) errors.push(invalid(`${at}.name`, name, 'must not already exist in volumeDevices'));
    if (devices.some((device) => device.devicePath === mountPath)) errors.push(invalid(`${at}.mountPath`, mountPath, 'must not already exist as a path in volumeDevices'));
    if (mount.subPath) relativePath(errors, `${path}.subPath`, mount.subPath);
    if (mount.subPathExpr) {
      if (mount.subPath) errors.push(invalid(`${at}.subPathExpr`, mount.subPathExpr, 'subPathExpr and subPath are mutually exclusive'));
      relativePath(errors, `${path}.subPathExpr`, mount.subPathExpr);
    }
    validatePropagation(errors, path, mount, privileged);
  });
}

function validateDevices(errors: Errors, path: string, devices: readonly VolumeDevice[] = [], mounts: readonly VolumeMount[] = [], volumes: PodFacts['volumes']): void {
  const names = new Set<string>();
  const paths = new Set<string>();
  devices.forEach(({ name = '', devicePath = '' }, index) => {
    const at = `${path}[${index}]`;
    const volume = volumes.get(name);
    present(errors, `${at}.name`, name);
    if (names.has(name)) errors.push(invalid(`${at}.name`, name, 'must be unique'));
    if (volume === undefined) errors.push(notFound(`${at}.name`, name));
    else if (volume.persistentVolumeClaim === undefined && volume.ephemeral === undefined) {
      errors.push(invalid(`${at}.name`, name, 'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode'));
    }
    present(errors, `${at}.devicePath`, devicePath);
    if (paths.has(devicePath)) errors.push(invalid(`${at}.devicePath`, devicePath, 'must be unique'));
    if (devicePath.split('/').includes('..')) errors.push(invalid(`${at}.devicePath`, devicePath, "can not contain backsteps ('..')"));
    else paths.add(devicePath);
    if (mounts.some((mount) => mount.name === name)) errors.push(invalid(`${at}.name`, name, 'must not already exist in volumeMounts'));
    if (mounts.some((mount) => mount.mountPath === devicePath)) errors.push(invalid(`${at}.devicePath`, devicePath, 'must not already exist as a path in volumeMounts'));
    if (name !== '') names.add(name);
  });
}

function validateResizePolicy(errors: Errors, path: string, container: Container, podRestartPolicy: string | undefined): void {
  const seen = new Set<string>();
  (container.resizePolicy ?? []).forEach(({ resourceName = '', restartPolicy = '' }, index) => {
    unique(errors, `${path}[${index}]`, resourceName, seen);
    oneOf(errors, path, resourceName, ['cpu', 'memory']);
    oneOf(errors, path, restartPolicy, ['NotRequired', 'RestartContainer']);
    if (podRestartPolicy === 'Never' && restartPolicy !== 'NotRequired') errors.push(invalid(path, restartPolicy, "must be 'NotRequired' when pod `restartPolicy` is 'Never'"));
  });
}

export const pullPolicies = ['Always', 'IfNotPresent', 'Never'];

/** Upstream: validateContainerCommon. */
export function validateContainerCommon(errors: Errors, path: string, container: Container, pod: PodFacts): void {
  named(errors, `${path}.name`, container.name, dns1123LabelProblems);
  present(errors, `${path}.image`, container.image);
  oneOf(errors, `${path}.terminationMessagePolicy`, container.terminationMessagePolicy, ['File', 'FallbackToLogsOnError'], false);
  validatePorts(errors, `${path}.ports`, container.ports);
  (container.env ?? []).forEach((env, index) => {
    named(errors, `${path}.env[${index}].name`, env.name, envNameProblems);
    validateEnvSource(errors, `${path}.env[${index}].valueFrom`, env);
  });
  validateEnvFrom(errors, `${path}.envFrom`, container.envFrom);
  validateMounts(errors, `${path}.volumeMounts`, container, pod.volumes);
  validateDevices(errors, `${path}.volumeDevices`, container.volumeDevices, container.volumeMounts, pod.volumes);
  oneOf(errors, `${path}.imagePullPolicy`, container.imagePullPolicy, pullPolicies);
  validateResources(errors, `${path}.resources`, container.resources, pod.claimNames);
  validateResizePolicy(errors, `${path}.resizePolicy`, container, pod.spec.restartPolicy);
  validateSecurityContext(errors, `${path}.securityContext`, container.securityContext, pod.hostUsers);
}

function validateRestartRules(errors: Errors, path: string, container: Container): void {
  const rules = container.restartPolicyRules ?? [];
  const policy = container.restartPolicy;
  if (policy === undefined) {
    if (rules.length > 0) errors.push(required(`${path}.restartPolicy`, 'must specify restartPolicy when restart rules are used'));
  } else if (!['Always', 'Never', 'OnFailure'].includes(policy)) errors.push(notSupported(`${path}.restartPolicy`, policy, ['Always', 'Never', 'OnFailure']));
  if (rules.length > 20) errors.push(tooMany(`${path}.restartPolicyRules`, rules.length, 20));
  rules.forEach((rule, index) => {
    const at = `${path}.restartPolicyRules[${index}]`;
    ifOneOf(errors, `${at}.action`, rule.action ?? '', ['Restart', 'RestartAllContainers']);
    if (rule.exitCodes === undefined) {
      errors.push(required(`${at}.exitCodes`, 'must be specified'));
      return;
    }
    ifOneOf(errors, `${at}.exitCodes.operator`, rule.exitCodes.operator ?? '', ['In', 'NotIn']);
    const count = rule.exitCodes.values?.length ?? 0;
    if (count > 255) errors.push(tooMany(`${at}.exitCodes.values`, count, 255));
  });
}

const probes = ['livenessProbe', 'readinessProbe', 'startupProbe'] as const;

function validateRunning(errors: Errors, path: string, container: Container, pod: PodFacts): void {
  validateLifecycle(errors, `${path}.lifecycle`, container.lifecycle, pod.graceSeconds, pod.spec.os?.name);
  for (const kind of probes) validateProbe(errors, path, kind, container[kind], pod.graceSeconds);
}

/** The same host port twice cannot work. Upstream: AccumulateUniqueHostPorts. */
function validateHostPorts(errors: Errors, path: string, containers: readonly Container[]): void {
  const seen = new Set<string>();
  containers.forEach((container, index) => container.ports?.forEach((port, i) => {
    if (port.hostPort) unique(errors, `${path}[${index}].ports[${i}].hostPort`, `${port.protocol ?? ''}/${port.hostIP ?? ''}/${port.hostPort}`, seen);
  }));
}

export function validateContainers(errors: Errors, path: string, pod: PodFacts): void {
  const containers = pod.spec.containers ?? [];
  if (!present(errors, path, containers)) return;
  const names = new Set<string>();
  containers.forEach((container, index) => {
    const at = `${path}[${index}]`;
    validateContainerCommon(errors, at, container, pod);
    unique(errors, `${at}.name`, container.name ?? '', names);
    validateRunning(errors, at, container, pod);
    validateRestartRules(errors, at, container);
  });
  validateHostPorts(errors, path, containers);
}

export function validateInitContainers(errors: Errors, path: string, pod: PodFacts): void {
  const names = new Set((pod.spec.containers ?? []).map((container) => container.name ?? ''));
  (pod.spec.initContainers ?? []).forEach((container, index) => {
    const at = `${path}[${index}]`;
    validateContainerCommon(errors, at, container, pod);
    validateRestartRules(errors, at, container);
    if (container.name) unique(errors, `${at}.name`, container.name, names);
    else if (names.has('')) errors.push({ type: 'FieldValueDuplicate', field: `${at}.name`, value: '', detail: '' });
    validateHostPorts(errors, path, [container]);
    if (isSidecar(container)) validateRunning(errors, at, container, pod);
    else {
      for (const field of ['lifecycle', ...probes] as const) {
        if (container[field] !== undefined) errors.push(forbidden(`${at}.${field}`, 'may not be set for init containers without restartPolicy=Always'));
      }
      container.resizePolicy?.forEach((policy, i) => {
        if (policy.restartPolicy === 'RestartContainer') {
          errors.push(invalid(`${at}.resizePolicy[${i}].restartPolicy`, policy.restartPolicy, "must not be set to 'RestartContainer' for non-sidecar initContainers"));
        }
      });
    }
  });
}

const ephemeralFields = new Set('name image command args workingDir env envFrom volumeMounts volumeDevices imagePullPolicy terminationMessagePath terminationMessagePolicy stdin stdinOnce tty securityContext resources targetContainerName'.split(' '));

/** Upstream: validateEphemeralContainers. */
export function validateEphemeralContainers(errors: Errors, path: string, pod: PodFacts): void {
  const others = new Set([...(pod.spec.containers ?? []), ...(pod.spec.initContainers ?? [])].map((container) => container.name));
  const names = new Set(others);
  (pod.spec.ephemeralContainers ?? []).forEach((ephemeral, index) => {
    const at = `${path}[${index}]`;
    validateContainerCommon(errors, at, ephemeral as Container, pod);
    validateImageSpace(errors, at, ephemeral.image);
    unique(errors, `${at}.name`, ephemeral.name, names);
    const target = ephemeral.targetContainerName;
    if (target && !others.has(target)) errors.push(notFound(`${at}.targetContainerName`, target));
    for (const field in ephemeral) {
      if (!ephemeralFields.has(field) || (field === 'resources' && Object.keys(ephemeral.resources ?? {}).length > 0)) {
        errors.push(forbidden(`${at}.${field}`, 'cannot be set for an Ephemeral Container'));
      }
    }
    ephemeral.volumeMounts?.forEach((mount, i) => {
      for (const field of ['subPath', 'subPathExpr'] as const) {
        if (mount[field]) errors.push(forbidden(`${at}.volumeMounts[${i}].${field}`, 'cannot be set for an Ephemeral Container'));
      }
    });
  });
}

/** For pods only, not for templates. */
export function validateImageSpace(errors: Errors, path: string, image = ''): void {
  if (image.trim() !== image) errors.push(invalid(`${path}.image`, image, 'must not have leading or trailing whitespace'));
}
