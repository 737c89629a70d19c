import type { Container, EphemeralContainer, PodSpec, SecurityContext } from '../../../api/schema/types.ts';
import { compareText } from '../../../sim/plain.ts';

/** One control that a pod breaks: 'privileged', and which part of it how. */
export interface Finding {
  reason: string;
  detail: string;
}

type AnyContainer = Container | EphemeralContainer;

interface Check {
  /** The checks run in the order of their names. */
  id: string;
  level: 'baseline' | 'restricted';
  /** Baseline checks that this stricter one stands for. */
  replaces?: string;
  run(spec: PodSpec, containers: readonly AnyContainer[]): Finding | undefined;
}

const quoted = (names: readonly string[]): string => names.map((name) => JSON.stringify(name)).join(', ');
const many = (word: string, names: readonly string[]): string => `${word}${names.length === 1 ? '' : 's'} ${quoted(names)}`;
const named = (containers: readonly AnyContainer[]): string => many('container', containers.map(({ name }) => name));
const unique = (texts: readonly string[]): string[] => [...new Set(texts)].sort(compareText);
const context = (container: AnyContainer): SecurityContext => container.securityContext ?? {};
const finding = (reason: string, detail: string): Finding | undefined => (detail === '' ? undefined : { reason, detail });

/** 'container "a" must not ...' if any container does. */
const simple = (reason: string, text: string, bad: (context: SecurityContext) => boolean): Check['run'] => (_spec, containers) => {
  const found = containers.filter((container) => bad(context(container)));
  return found.length === 0 ? undefined : { reason, detail: `${named(found)} ${text}` };
};

/** The pod itself and containers that set what must not be: 'pod and container "b"'. */
const setters = (pod: boolean, containers: readonly AnyContainer[]): string =>
  [...(pod ? ['pod'] : []), ...(containers.length > 0 ? [named(containers)] : [])].join(' and ');

const defaultCapabilities = new Set([
  'AUDIT_WRITE', 'CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'FSETID', 'KILL', 'MKNOD', 'NET_BIND_SERVICE', 'SETFCAP', 'SETGID', 'SETPCAP', 'SETUID', 'SYS_CHROOT',
]);

function added(containers: readonly AnyContainer[], allowed: (name: string) => boolean): string {
  const bad = (container: AnyContainer) => (context(container).capabilities?.add ?? []).filter((name) => !allowed(name));
  const found = containers.filter((container) => bad(container).length > 0);
  return found.length === 0 ? '' : `${named(found)} must not include ${quoted(unique(found.flatMap(bad)))} in securityContext.capabilities.add`;
}

const volumeTypes = ['configMap', 'csi', 'downwardAPI', 'emptyDir', 'ephemeral', 'image', 'persistentVolumeClaim', 'projected', 'secret'];
const safeSysctls = new Set([
  'kernel.shm_rmid_forced', 'net.ipv4.ip_local_port_range', 'net.ipv4.tcp_syncookies', 'net.ipv4.ping_group_range', 'net.ipv4.ip_unprivileged_port_start',
  'net.ipv4.ip_local_reserved_ports', 'net.ipv4.tcp_keepalive_time', 'net.ipv4.tcp_fin_timeout', 'net.ipv4.tcp_keepalive_intvl', 'net.ipv4.tcp_keepalive_probes',
  'net.ipv4.tcp_rmem', 'net.ipv4.tcp_wmem',
]);
const seLinuxTypes = new Set(['', 'container_t', 'container_init_t', 'container_kvm_t', 'container_engine_t']);

function hosts(container: AnyContainer): string[] {
  const { livenessProbe, readinessProbe, startupProbe, lifecycle } = container;
  return [livenessProbe, readinessProbe, startupProbe, lifecycle?.postStart, lifecycle?.preStop]
    .flatMap((handler) => [handler?.httpGet?.host, handler?.tcpSocket?.host])
    .filter((host): host is string => host !== undefined && !['', '127.0.0.1', '::1'].includes(host));
}

function seLinux(spec: PodSpec, containers: readonly AnyContainer[]): Finding | undefined {
  const bad = (options: { type?: string; user?: string; role?: string } | undefined) =>
    options !== undefined && (!seLinuxTypes.has(options.type ?? '') || (options.user ?? '') !== '' || (options.role ?? '') !== '');
  const podOptions = spec.securityContext?.seLinuxOptions;
  const found = containers.filter((container) => bad(context(container).seLinuxOptions));
  if (!bad(podOptions) && found.length === 0) return undefined;
  const all = [...(bad(podOptions) ? [podOptions] : []), ...found.map((container) => context(container).seLinuxOptions)];
  const types = unique(all.map((options) => options?.type ?? '').filter((type) => !seLinuxTypes.has(type)));
  const data = [
    ...(types.length > 0 ? [many('type', types)] : []),
    ...(all.some((options) => options?.user) ? ['user may not be set'] : []),
    ...(all.some((options) => options?.role) ? ['role may not be set'] : []),
  ];
  return { reason: 'seLinuxOptions', detail: `${setters(bad(podOptions), found)} set forbidden securityContext.seLinuxOptions: ${data.join('; ')}` };
}

const profiles = ['RuntimeDefault', 'Localhost'];

function seccomp(strict: boolean): Check['run'] {
  const bad = (type: string | undefined) => type !== undefined && (strict ? !profiles.includes(type) : type === 'Unconfined');
  return (spec, containers) => {
    const podType = spec.securityContext?.seccompProfile?.type;
    const typeOf = (container: AnyContainer) => context(container).seccompProfile?.type;
    const found = containers.filter((container) => bad(typeOf(container)));
    if (bad(podType) || found.length > 0) {
      const values = unique([...(bad(podType) ? [podType as string] : []), ...found.map((container) => typeOf(container) as string)]);
      return { reason: 'seccompProfile', detail: `${setters(bad(podType), found)} must not set securityContext.seccompProfile.type to ${quoted(values)}` };
    }
    const without = strict && podType === undefined ? containers.filter((container) => typeOf(container) === undefined) : [];
    return finding('seccompProfile', without.length === 0 ? '' : `pod or ${named(without)} must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"`);
  };
}

function runAsNonRoot(spec: PodSpec, containers: readonly AnyContainer[]): Finding | undefined {
  if (spec.hostUsers === false) return undefined;
  const pod = spec.securityContext?.runAsNonRoot;
  const found = containers.filter((container) => context(container).runAsNonRoot === false);
  const reason = 'runAsNonRoot != true';
  if (pod === false || found.length > 0) return { reason, detail: `${setters(pod === false, found)} must not set securityContext.runAsNonRoot=false` };
  const without = pod === true ? [] : containers.filter((container) => context(container).runAsNonRoot === undefined);
  return finding(reason, without.length === 0 ? '' : `pod or ${named(without)} must set securityContext.runAsNonRoot=true`);
}

/** Upstream: pod-security-admission policy/check_*.go; sorted by id, as the real registry runs them. */
const checks: readonly Check[] = [
  {
    id: 'appArmorProfile', level: 'baseline', run: (spec, containers) => {
      const pod = spec.securityContext?.appArmorProfile?.type === 'Unconfined';
      const found = containers.filter((container) => context(container).appArmorProfile?.type === 'Unconfined');
      return finding('forbidden AppArmor profile', pod || found.length > 0 ? `${setters(pod, found)} must not set AppArmor profile type to "Unconfined"` : '');
    },
  },
  { id: 'capabilities_baseline', level: 'baseline', run: (_spec, containers) => finding('non-default capabilities', added(containers, (name) => defaultCapabilities.has(name))) },
  {
    id: 'hostNamespaces', level: 'baseline', run: (spec) => finding('host namespaces', [
      ...(spec.hostNetwork ? ['hostNetwork=true'] : []), ...(spec.hostPID ? ['hostPID=true'] : []), ...(spec.hostIPC ? ['hostIPC=true'] : []),
    ].join(', ')),
  },
  {
    id: 'hostPathVolumes', level: 'baseline', run: (spec) => {
      const found = (spec.volumes ?? []).filter(({ hostPath }) => hostPath !== undefined).map(({ name }) => name);
      return finding('hostPath volumes', found.length === 0 ? '' : many('volume', found));
    },
  },
  {
    id: 'hostPorts', level: 'baseline', run: (_spec, containers) => {
      const portsOf = (container: AnyContainer) => (container.ports ?? []).flatMap(({ hostPort }) => (hostPort ? [String(hostPort)] : []));
      const found = containers.filter((container) => portsOf(container).length > 0);
      const ports = unique(found.flatMap(portsOf));
      return finding('hostPort', found.length === 0 ? '' : `${named(found)} use${found.length === 1 ? 's' : ''} hostPort${ports.length === 1 ? '' : 's'} ${ports.join(', ')}`);
    },
  },
  {
    id: 'hostProbesAndHostLifecycle', level: 'baseline', run: (_spec, containers) => {
      const found = containers.filter((container) => hosts(container).length > 0);
      const names = unique(found.flatMap(hosts));
      return finding('probe or lifecycle host', found.length === 0 ? '' : `${named(found)} use${found.length === 1 ? 's' : ''} probe or lifecycle ${many('host', names)}`);
    },
  },
  { id: 'privileged', level: 'baseline', run: simple('privileged', 'must not set securityContext.privileged=true', ({ privileged }) => privileged === true) },
  {
    id: 'procMount', level: 'baseline',
    run: (spec, containers) => (spec.hostUsers === false ? undefined : procMount(spec, containers)),
  },
  { id: 'seLinuxOptions', level: 'baseline', run: seLinux },
  { id: 'seccompProfile_baseline', level: 'baseline', run: seccomp(false) },
  { id: 'sysctls', level: 'baseline', run: (spec) => finding('forbidden sysctls', (spec.securityContext?.sysctls ?? []).map(({ name }) => name).filter((name) => !safeSysctls.has(name)).join(', ')) },
  {
    id: 'windowsHostProcess', level: 'baseline', run: (spec, containers) => {
      const pod = spec.securityContext?.windowsOptions?.hostProcess === true;
      const found = containers.filter((container) => context(container).windowsOptions?.hostProcess === true);
      return finding('hostProcess', pod || found.length > 0 ? `${setters(pod, found)} must not set securityContext.windowsOptions.hostProcess=true` : '');
    },
  },
  {
    id: 'allowPrivilegeEscalation', level: 'restricted',
    run: simple('allowPrivilegeEscalation != false', 'must set securityContext.allowPrivilegeEscalation=false', ({ allowPrivilegeEscalation }) => allowPrivilegeEscalation !== false),
  },
  {
    id: 'capabilities_restricted', level: 'restricted', replaces: 'capabilities_baseline', run: (_spec, containers) => {
      const keeping = containers.filter((container) => !(context(container).capabilities?.drop ?? []).includes('ALL'));
      const parts = [keeping.length === 0 ? '' : `${named(keeping)} must set securityContext.capabilities.drop=["ALL"]`, added(containers, (name) => name === 'NET_BIND_SERVICE')];
      return finding('unrestricted capabilities', parts.filter((part) => part !== '').join('; '));
    },
  },
  { id: 'procMount_restricted', level: 'restricted', replaces: 'procMount', run: (spec, containers) => procMount(spec, containers) },
  {
    id: 'restrictedVolumes', level: 'restricted', replaces: 'hostPathVolumes', run: (spec) => {
      const typeOf = (volume: object) => Object.keys(volume).find((key) => key !== 'name') ?? 'unknown';
      const found = (spec.volumes ?? []).filter((volume) => !volumeTypes.includes(typeOf(volume)));
      const use = found.length === 1 ? 'uses' : 'use';
      return finding('restricted volume types', found.length === 0 ? '' : `${many('volume', found.map(({ name }) => name))} ${use} restricted volume ${many('type', unique(found.map(typeOf)))}`);
    },
  },
  { id: 'runAsNonRoot', level: 'restricted', run: runAsNonRoot },
  {
    id: 'runAsUser', level: 'restricted', run: (spec, containers) => {
      if (spec.hostUsers === false) return undefined;
      const pod = spec.securityContext?.runAsUser === 0;
      const found = containers.filter((container) => context(container).runAsUser === 0);
      return finding('runAsUser=0', pod || found.length > 0 ? `${setters(pod, found)} must not set runAsUser=0` : '');
    },
  },
  { id: 'seccompProfile_restricted', level: 'restricted', replaces: 'seccompProfile_baseline', run: seccomp(true) },
];

const procMount = simple('procMount', 'must not set securityContext.procMount to "Unmasked"', ({ procMount: mount }) => mount !== undefined && mount !== 'Default');

/** What a pod breaks at a level, in order. */
export function findings(level: 'baseline' | 'restricted', spec: PodSpec): Finding[] {
  const chosen = checks.filter((check) => check.level === 'baseline' || level === 'restricted');
  const replaced = new Set(chosen.flatMap(({ replaces }) => replaces ?? []));
  const containers = [...(spec.initContainers ?? []), ...(spec.containers ?? []), ...(spec.ephemeralContainers ?? [])];
  return chosen.filter(({ id }) => !replaced.has(id)).flatMap((check) => check.run(spec, containers) ?? []);
}
