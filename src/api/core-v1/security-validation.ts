import { duplicate, forbidden, invalid, notSupported, required } from '../meta/field-error.ts';
import { ifOneOf, oneOf, ruled, within, type Errors } from '../meta/check.ts';
import { dns1123SubdomainProblems } from '../meta/names.ts';
import { innerForm } from '../inner-form.ts';
import { relativePath } from './path-validation.ts';
import type { AppArmorProfile, PodSecurityContext, PodSpec, SeccompProfile, SecurityContext, WindowsSecurityContextOptions } from '../schema/types.ts';

const idMax = 2_147_483_647;

function validateSeccomp(errors: Errors, path: string, profile: SeccompProfile | undefined): void {
  if (profile === undefined) return;
  const local = `${path}.localhostProfile`;
  if (!profile.type) errors.push(required(`${path}.type`, 'type is required when seccompProfile is set'));
  else oneOf(errors, `${path}.type`, profile.type, ['Localhost', 'RuntimeDefault', 'Unconfined']);
  if (profile.type === 'Localhost') {
    if (profile.localhostProfile === undefined) errors.push(required(local, 'must be set when seccomp type is Localhost'));
    else relativePath(errors, local, profile.localhostProfile);
  } else if (profile.localhostProfile !== undefined) {
    errors.push(invalid(local, { Type: profile.type ?? '', LocalhostProfile: profile.localhostProfile }, 'can only be set when seccomp type is Localhost'));
  }
}

function validateAppArmor(errors: Errors, path: string, profile: AppArmorProfile | undefined): void {
  if (profile === undefined) return;
  const local = `${path}.localhostProfile`;
  const name = profile.localhostProfile;
  switch (profile.type ?? '') {
    case 'Localhost':
      if (name === undefined) errors.push(required(local, 'must be set when AppArmor type is Localhost'));
      else if (name.trim() !== name) errors.push(invalid(local, name, 'must not be padded with whitespace'));
      else if (name === '') errors.push(required(local, 'must be set when AppArmor type is Localhost'));
      break;
    case 'RuntimeDefault': case 'Unconfined':
      if (name !== undefined) errors.push(invalid(local, name, 'can only be set when AppArmor type is Localhost'));
      break;
    case '':
      errors.push(required(`${path}.type`, 'type is required when appArmorProfile is set'));
      break;
    default:
      errors.push(notSupported(`${path}.type`, profile.type, ['Localhost', 'RuntimeDefault', 'Unconfined']));
  }
}

/** Simplified: of the rules for Windows user names only the plain ones. */
function validateWindowsOptions(errors: Errors, path: string, options: WindowsSecurityContextOptions | undefined): void {
  if (options === undefined) return;
  if (options.gmsaCredentialSpecName !== undefined) ruled(errors, `${path}.gmsaCredentialSpecName`, options.gmsaCredentialSpecName, dns1123SubdomainProblems);
  if (options.gmsaCredentialSpec === '') errors.push(invalid(`${path}.gmsaCredentialSpec`, '', 'gmsaCredentialSpec cannot be an empty string'));
  const user = options.runAsUserName;
  if (user === '') errors.push(invalid(`${path}.runAsUserName`, '', 'runAsUserName cannot be an empty string'));
  else if (user !== undefined && /["/:;|=,+*?<>@[\]]/.test(user)) {
    errors.push(invalid(`${path}.runAsUserName`, user, 'runAsUserName\'s User cannot contain the following characters: "/\\:;|=,+*?<>@[]'));
  }
}

/** Upstream: ValidateSecurityContext. */
export function validateSecurityContext(errors: Errors, path: string, context: SecurityContext | undefined, hostUsers: boolean): void {
  if (context === undefined) return;
  within(errors, `${path}.runAsUser`, context.runAsUser, 0, idMax);
  within(errors, `${path}.runAsGroup`, context.runAsGroup, 0, idMax);
  ifOneOf(errors, `${path}.procMount`, context.procMount, ['Default', 'Unmasked']);
  if (hostUsers && context.procMount === 'Unmasked') errors.push(invalid(`${path}.procMount`, context.procMount, '`hostUsers` must be false to use `Unmasked`'));
  validateSeccomp(errors, `${path}.seccompProfile`, context.seccompProfile);
  if (context.allowPrivilegeEscalation === false) {
    const value = innerForm('SecurityContext', context);
    if (context.privileged === true) errors.push(invalid(path, value, 'cannot set `allowPrivilegeEscalation` to false and `privileged` to true'));
    for (const capability of context.capabilities?.add ?? []) {
      if (capability === 'CAP_SYS_ADMIN') errors.push(invalid(path, value, 'cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN'));
    }
  }
  validateWindowsOptions(errors, `${path}.windowsOptions`, context.windowsOptions);
  validateAppArmor(errors, `${path}.appArmorProfile`, context.appArmorProfile);
}

const sysctlPattern = '^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$';
const sysctlRegExp = new RegExp(sysctlPattern);

function validateSysctls(errors: Errors, path: string, context: PodSecurityContext, spec: PodSpec): void {
  const names = new Set<string>();
  (context.sysctls ?? []).forEach(({ name = '' }, index) => {
    const at = `${path}[${index}].name`;
    if (name === '') errors.push(required(at));
    else if (name.length > 253 || !sysctlRegExp.test(name)) errors.push(invalid(at, name, `must have at most 253 characters and match regex ${sysctlPattern}`));
    else if (names.has(name)) errors.push(duplicate(at, name));
    const dotted = name.replace(/\//g, '.');
    if (spec.hostNetwork === true && dotted.startsWith('net.')) errors.push(invalid(at, name, "may not be specified when 'hostNetwork' is true"));
    else if (spec.hostIPC === true && /^(fs\.mqueue\.|kernel\.(shm|msg|sem))/.test(dotted)) errors.push(invalid(at, name, "may not be specified when 'hostIPC' is true"));
    names.add(name);
  });
}

/** Upstream: validatePodSpecSecurityContext. */
export function validatePodSecurityContext(errors: Errors, path: string, spec: PodSpec): void {
  const context = spec.securityContext ?? {};
  within(errors, `${path}.fsGroup`, context.fsGroup, 0, idMax);
  within(errors, `${path}.runAsUser`, context.runAsUser, 0, idMax);
  within(errors, `${path}.runAsGroup`, context.runAsGroup, 0, idMax);
  (context.supplementalGroups ?? []).forEach((group, index) => within(errors, `${path}.supplementalGroups[${index}]`, group, 0, idMax));
  if (spec.shareProcessNamespace === true && spec.hostPID === true) {
    // The inner form of the pod keeps both fields in the security context; the printed path says spec.
    errors.push(invalid('spec.shareProcessNamespace', true, 'ShareProcessNamespace and HostPID cannot both be enabled'));
  }
  validateSysctls(errors, `${path}.sysctls`, context, spec);
  ifOneOf(errors, `${path}.fsGroupChangePolicy`, context.fsGroupChangePolicy, ['Always', 'OnRootMismatch']);
  validateSeccomp(errors, `${path}.seccompProfile`, context.seccompProfile);
  validateWindowsOptions(errors, `${path}.windowsOptions`, context.windowsOptions);
  validateAppArmor(errors, `${path}.appArmorProfile`, context.appArmorProfile);
  ifOneOf(errors, `${path}.supplementalGroupsPolicy`, context.supplementalGroupsPolicy, ['Merge', 'Strict']);
  ifOneOf(errors, `${path}.seLinuxChangePolicy`, context.seLinuxChangePolicy, ['MountOption', 'Recursive']);
}

const windowsForbidsInPod: readonly [string, (spec: PodSpec) => unknown][] = [
  ['securityContext.appArmorProfile', (spec) => spec.securityContext?.appArmorProfile],
  ['securityContext.seLinuxOptions', (spec) => spec.securityContext?.seLinuxOptions],
  ['hostUsers', (spec) => spec.hostUsers],
  ['hostPID', (spec) => spec.hostPID || undefined],
  ['hostIPC', (spec) => spec.hostIPC || undefined],
  ...(['seccompProfile', 'fsGroup', 'fsGroupChangePolicy', 'sysctls'] as const).map((field): [string, (spec: PodSpec) => unknown] => [`securityContext.${field}`, (spec) => spec.securityContext?.[field]]),
  ['shareProcessNamespace', (spec) => spec.shareProcessNamespace],
  ...(['runAsUser', 'runAsGroup', 'supplementalGroups', 'supplementalGroupsPolicy', 'seLinuxChangePolicy'] as const).map((field): [string, (spec: PodSpec) => unknown] => [`securityContext.${field}`, (spec) => spec.securityContext?.[field]]),
];
const windowsForbidsInContainer = ['appArmorProfile', 'seLinuxOptions', 'seccompProfile', 'capabilities', 'readOnlyRootFilesystem', 'privileged', 'allowPrivilegeEscalation', 'procMount', 'runAsUser', 'runAsGroup'] as const;

/** The operating system's name and what it rules out. Upstream: validateOS, validateLinux, validateWindows. */
export function validateOs(errors: Errors, path: string, spec: PodSpec, eachContext: (visit: (context: SecurityContext, path: string) => void) => void): void {
  const name = spec.os?.name ?? '';
  if (name === '') errors.push(required(`${path}.os.name`));
  else if (name === 'linux') {
    const text = 'windows options cannot be set for a linux pod';
    if (spec.securityContext?.windowsOptions !== undefined) errors.push(forbidden(`${path}.securityContext.windowsOptions`, text));
    eachContext((context, at) => {
      if (context.windowsOptions !== undefined) errors.push(forbidden(`${at}.windowsOptions`, text));
    });
  } else if (name === 'windows') {
    const text = 'cannot be set for a windows pod';
    for (const [field, read] of windowsForbidsInPod) if (read(spec) !== undefined) errors.push(forbidden(`${path}.${field}`, text));
    eachContext((context, at) => {
      for (const field of windowsForbidsInContainer) if (context[field] !== undefined) errors.push(forbidden(`${at}.${field}`, text));
    });
  } else errors.push(notSupported(`${path}.os`, name, ['linux', 'windows']));
}
