import { podEnvironmentValue } from './field-value.ts';
import type { Container, ContainerState, ContainerStatus, Pod, PodTemplateSpec, Probe, ResourceRequirements, TopologySpreadConstraint } from '../../api/schema/types.ts';
import { qosClass } from '../../api/core-v1/pod-resources.ts';
import { goQuote } from '../../api/meta/go-text.ts';
import { compareText } from '../../sim/plain.ts';
import { annotationLines, controlledBy, formatLabelSelector, labelLines, line, none, orNone, quantities, rows, statusOf, time, timeIf, tolerationLines } from './lines.ts';
import type { Describer } from './look.ts';
import { volumeLines } from './volumes.ts';

/** Upstream: describe.go describePod. */
export const pods: Describer<'pods'> = (pod, { nowMs }) => {
  const { metadata, spec, status } = pod;
  const ending = metadata.deletionTimestamp !== undefined && status.phase !== 'Failed' && status.phase !== 'Succeeded';
  const seccomp = spec.securityContext?.seccompProfile;
  return [
    rows(0, {
      Name: metadata.name, Namespace: metadata.namespace, Priority: spec.priority, 'Priority Class Name': spec.priorityClassName || undefined,
      'Runtime Class Name': spec.runtimeClassName || undefined, 'Service Account': spec.serviceAccountName || undefined,
      Node: spec.nodeName ? `${spec.nodeName}/${status.hostIP ?? ''}` : none, 'Start Time': timeIf(status.startTime),
    }),
    labelLines('Labels', metadata.labels),
    annotationLines('Annotations', metadata.annotations),
    rows(0, {
      Status: statusOf(ending ? metadata.deletionTimestamp : undefined, status.phase, nowMs),
      'Termination Grace Period': ending ? `${metadata.deletionGracePeriodSeconds ?? 0}s` : undefined,
      Reason: status.reason || undefined, Message: status.message || undefined,
      SeccompProfile: seccomp?.type, LocalhostProfile: seccomp?.type === 'Localhost' ? seccomp.localhostProfile : undefined, IP: status.podIP ?? '',
    }),
    (status.podIPs ?? []).length === 0 ? rows(0, { IPs: none }) : `IPs:\n${(status.podIPs ?? []).map(({ ip }) => rows(1, { IP: ip })).join('')}`,
    controlledBy(pod),
    rows(0, { NominatedNodeName: status.nominatedNodeName || undefined }),
    spec.resources === undefined ? '' : `Resources:\n${resourceLines(spec.resources, 1)}`,
    ...containerGroups(pod),
    readinessGates(pod),
    (status.conditions ?? []).length === 0 ? '' : `Conditions:\n  Type\tStatus\n${(status.conditions ?? []).map(({ type, status: is }) => line(1, `${type} \t${is} `)).join('')}`,
    volumeLines(spec.volumes),
    rows(0, { 'QoS Class': status.qosClass ?? qosClass(pod) }),
    labelLines('Node-Selectors', spec.nodeSelector),
    tolerationLines('Tolerations', spec.tolerations),
    spreadLines(spec.topologySpreadConstraints, ''),
  ].join('');
};

function containerGroups(pod: Pod): string[] {
  const { spec, status } = pod;
  const init = spec.initContainers ?? [];
  const ephemeral = (spec.ephemeralContainers ?? []) as Container[];
  return [
    init.length === 0 ? '' : containers('Init Containers', init, status.initContainerStatuses, '', pod),
    containers('Containers', spec.containers, status.containerStatuses, '', pod),
    ephemeral.length === 0 ? '' : containers('Ephemeral Containers', ephemeral, status.ephemeralContainerStatuses, '', pod),
  ];
}

function readinessGates({ spec, status }: Pod): string {
  const gates = spec.readinessGates ?? [];
  if (gates.length === 0) return '';
  const state = (type: string) => status.conditions?.find((condition) => condition.type === type)?.status ?? none;
  return `Readiness Gates:\n  Type\tStatus\n${gates.map(({ conditionType }) => line(1, `${conditionType} \t${state(conditionType)} `)).join('')}`;
}

function spreadLines(constraints: readonly TopologySpreadConstraint[] = [], space: string): string {
  if (constraints.length === 0) return '';
  const lines = constraints.toSorted((a, b) => compareText(a.topologyKey, b.topologyKey)).map(({ topologyKey, whenUnsatisfiable, maxSkew, labelSelector }) =>
    `${topologyKey}:${whenUnsatisfiable} when max skew ${maxSkew} is exceeded${labelSelector === undefined ? '' : ` for selector ${formatLabelSelector(labelSelector)}`}\n`);
  return `${space}Topology Spread Constraints:\t${lines.join(`${space}\t`)}`;
}

/** Upstream: describe.go DescribePodTemplate. */
export function templateLines({ metadata, spec }: PodTemplateSpec): string {
  const init = spec?.initContainers ?? [];
  return [
    'Pod Template:\n',
    labelLines('  Labels', metadata?.labels),
    Object.keys(metadata?.annotations ?? {}).length > 0 ? annotationLines('  Annotations', metadata?.annotations) : '',
    rows(1, { 'Service Account': spec?.serviceAccountName || undefined }),
    init.length === 0 ? '' : containers('Init Containers', init, [], '  '),
    containers('Containers', spec?.containers ?? [], [], '  '),
    volumeLines(spec?.volumes, '  '),
    spreadLines(spec?.topologySpreadConstraints, '  '),
    rows(1, { 'Priority Class Name': spec?.priorityClassName || undefined }),
    labelLines('  Node-Selectors', spec?.nodeSelector),
    tolerationLines('  Tolerations', spec?.tolerations),
  ].join('');
}

function containers(label: string, list: readonly Container[], statuses: readonly ContainerStatus[] = [], space: string, pod?: Pod): string {
  return `${space}${label}:${list.length === 0 ? ' <none>' : ''}\n${list.map((container) => containerLines(container, statuses.find(({ name }) => name === container.name), space, pod)).join('')}`;
}

function containerLines(container: Container, status: ContainerStatus | undefined, space: string, pod: Pod | undefined): string {
  const ports = (field: 'containerPort' | 'hostPort') =>
    (container.ports ?? []).map((port) => `${port[field] ?? 0}/${port.protocol ?? ''}${port.name ? ` (${port.name})` : ''}`).join(', ');
  const [inside, host] = [ports('containerPort'), ports('hostPort')];
  const seccomp = container.securityContext?.seccompProfile;
  return [
    line(1, `${space === '' ? '' : ' '}${container.name}:`),
    rows(2, {
      'Container ID': status === undefined ? undefined : (status.containerID ?? ''), Image: container.image ?? '', 'Image ID': status === undefined ? undefined : (status.imageID ?? ''),
      [inside.includes(',') ? 'Ports' : 'Port']: orNone(inside), [host.includes(',') ? 'Host Ports' : 'Host Port']: orNone(host), SeccompProfile: seccomp?.type,
    }),
    rows(3, { LocalhostProfile: seccomp?.type === 'Localhost' ? seccomp.localhostProfile : undefined }),
    words('Command', container.command),
    words('Args', container.args),
    status === undefined ? '' : stateLines(status),
    resourceLines(container.resources, 2),
    rows(2, { Liveness: probeText(container.livenessProbe), Readiness: probeText(container.readinessProbe), Startup: probeText(container.startupProbe) }),
    sourcesLines(container),
    environmentLines(container, pod),
    mountLines(container),
  ].join('');
}

const words = (title: string, list: readonly string[] = []): string =>
  (list.length === 0 ? '' : `${line(2, `${title}:`)}${list.flatMap((word) => word.split('\n')).map((word) => line(3, word)).join('')}`);

function resourceLines(resources: ResourceRequirements | undefined, level: number): string {
  const side = (title: string, part: Readonly<Record<string, string>> = {}) => (Object.keys(part).length === 0 ? '' : `${line(level, `${title}:`)}${quantities(level + 1, part)}`);
  return `${side('Limits', resources?.limits)}${side('Requests', resources?.requests)}`;
}

function stateLines(status: ContainerStatus): string {
  const last = status.lastState?.terminated === undefined ? '' : stateOf('Last State', status.lastState);
  return `${stateOf('State', status.state ?? {})}${last}${rows(2, { Ready: status.ready ? 'True' : 'False', 'Restart Count': status.restartCount })}`;
}

function stateOf(title: string, { running, waiting, terminated }: ContainerState): string {
  if (running !== undefined) return rows(2, { [title]: 'Running' }) + rows(3, { Started: time(running.startedAt) });
  if (terminated === undefined) return rows(2, { [title]: 'Waiting' }) + rows(3, { Reason: waiting?.reason || undefined });
  const { reason, message, exitCode, signal, startedAt, finishedAt } = terminated;
  return rows(2, { [title]: 'Terminated' }) + rows(3, {
    Reason: reason || undefined, Message: message || undefined, 'Exit Code': exitCode, Signal: signal || undefined, Started: time(startedAt), Finished: time(finishedAt),
  });
}

/** Upstream: describe.go DescribeProbe. */
export function probeText(probe: Probe | undefined): string | undefined {
  if (probe === undefined) return undefined;
  const { exec, httpGet, tcpSocket, grpc } = probe;
  const numbers = `delay=${probe.initialDelaySeconds ?? 0}s timeout=${probe.timeoutSeconds ?? 0}s period=${probe.periodSeconds ?? 0}s successThreshold=${probe.successThreshold ?? 0} failureThreshold=${probe.failureThreshold ?? 0}`;
  if (exec !== undefined) return `exec [${(exec.command ?? []).join(' ')}] ${numbers}`;
  if (httpGet !== undefined) {
    const path = httpGet.path ?? '';
    return `http-get ${(httpGet.scheme ?? 'HTTP').toLowerCase()}://${httpGet.host ?? ''}:${httpGet.port}${path === '' || path.startsWith('/') ? '' : '/'}${path} ${numbers}`;
  }
  if (tcpSocket !== undefined) return `tcp-socket ${tcpSocket.host ?? ''}:${tcpSocket.port} ${numbers}`;
  return grpc === undefined ? `unknown ${numbers}` : `grpc <pod>:${grpc.port} ${grpc.service ?? ''} ${numbers}`;
}

function sourcesLines({ envFrom = [] }: Container): string {
  if (envFrom.length === 0) return '';
  return line(2, 'Environment Variables from:') + envFrom.map(({ prefix, configMapRef, secretRef }) => {
    const ref = configMapRef ?? secretRef;
    return line(3, `${ref?.name ?? ''}\t${configMapRef === undefined ? 'Secret' : 'ConfigMap'}${prefix ? ` with prefix '${prefix}'` : ''}\tOptional: ${ref?.optional ?? false}`);
  }).join('');
}

function environmentLines(container: Container, pod: Pod | undefined): string {
  const { env = [] } = container;
  return line(2, `Environment:${env.length === 0 ? `\t${none}` : ''}`) + env.map(({ name, value = '', valueFrom }) => {
    if (valueFrom === undefined) return value.split('\n').map((text, index) => line(3, `${index === 0 ? `${name}:` : ''}\t${text}`)).join('');
    const { fieldRef, resourceFieldRef, secretKeyRef, configMapKeyRef } = valueFrom;
    const key = secretKeyRef ?? configMapKeyRef;
    if (fieldRef || resourceFieldRef) return line(3, `${name}:\t${podEnvironmentValue(valueFrom, container, pod)}`);
    return key ? line(3, `${name}:\t<set to the key '${key.key}' ${secretKeyRef ? 'in secret' : 'of config map'} '${key.name ?? ''}'>\tOptional: ${key.optional ?? false}`) : '';
  }).join('');
}

function mountLines({ volumeMounts = [], volumeDevices = [] }: Container): string {
  const empty = volumeMounts.length === 0 ? `\t${none}` : '';
  return line(2, `Mounts:${empty}`)
    + volumeMounts.toSorted((a, b) => compareText(a.mountPath, b.mountPath))
      .map(({ mountPath, name, readOnly, subPath }) => line(3, `${mountPath} from ${name} (${readOnly ? 'ro' : 'rw'}${subPath ? `,path=${goQuote(subPath)}` : ''})`)).join('')
    + (volumeDevices.length === 0 ? '' : line(2, `Devices:${empty}`) + volumeDevices.map(({ devicePath, name }) => line(3, `${devicePath} from ${name}`)).join(''));
}
