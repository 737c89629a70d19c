import type { Container, Lifecycle, Pod, PodSpec, Probe, Volume } from '../schema/types.ts';
import { canonicalQuantity, parseQuantity, formatQuantity } from '../quantity.ts';
import { containerRequests } from './pod-resources.ts';

type Plain = Record<string, unknown>;

/** Sets what is absent. */
export function fill<T extends object>(object: T, values: { [K in keyof T]?: unknown }): void {
  for (const key in values) (object as Plain)[key] ??= values[key];
}

/** The tag of an image decides: none, with no digest either, or latest means Always. Upstream: SetDefaults_Container. */
export function pullPolicyOf(image: string): 'Always' | 'IfNotPresent' {
  if (image.includes('@')) return 'IfNotPresent';
  const tag = /:([^/:]*)$/.exec(image)?.[1];
  return tag === undefined || tag === 'latest' ? 'Always' : 'IfNotPresent';
}

function defaultHttpGet(handler: Probe | Lifecycle['postStart']): void {
  if (handler?.httpGet !== undefined) fill(handler.httpGet, { path: '/', scheme: 'HTTP' });
}

function defaultProbe(probe: Probe | undefined): void {
  if (probe === undefined) return;
  fill(probe, { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 });
  defaultHttpGet(probe);
  if (probe.grpc !== undefined) fill(probe.grpc, { service: '' });
}

/** Quantities finer than a thousandth are rounded up. Upstream: SetDefaults_ResourceList. */
export function roundResources(...lists: (Record<string, string> | undefined)[]): void {
  for (const list of lists) {
    for (const name in list) {
      const parsed = parseQuantity(list[name] as string);
      if (typeof parsed === 'string' || parsed.nano % 1_000_000n === 0n) continue;
      const up = parsed.nano > 0n ? parsed.nano / 1_000_000n + 1n : parsed.nano / 1_000_000n - 1n;
      list[name] = formatQuantity({ nano: up * 1_000_000n, format: parsed.format });
    }
  }
}

export function defaultContainer(container: Container): void {
  fill(container, {
    resources: {}, terminationMessagePath: '/dev/termination-log', terminationMessagePolicy: 'File', imagePullPolicy: pullPolicyOf(container.image ?? ''),
  });
  roundResources(container.resources?.limits, container.resources?.requests);
  for (const port of container.ports ?? []) fill(port, { protocol: 'TCP' });
  for (const env of container.env ?? []) if (env.valueFrom?.fieldRef !== undefined) fill(env.valueFrom.fieldRef, { apiVersion: 'v1' });
  for (const env of container.env ?? []) {
    if (env.valueFrom?.resourceFieldRef !== undefined) fill(env.valueFrom.resourceFieldRef, { divisor: '0' });
    if (env.valueFrom?.fileKeyRef !== undefined) fill(env.valueFrom.fileKeyRef, { optional: false });
  }
  for (const probe of [container.livenessProbe, container.readinessProbe, container.startupProbe]) defaultProbe(probe);
  defaultHttpGet(container.lifecycle?.postStart);
  defaultHttpGet(container.lifecycle?.preStop);
}

function defaultDownwardItems(items: { fieldRef?: { apiVersion?: string; fieldPath: string }; resourceFieldRef?: { divisor?: string; resource: string } }[] | undefined): void {
  for (const item of items ?? []) {
    if (item.fieldRef !== undefined) fill(item.fieldRef, { apiVersion: 'v1' });
    if (item.resourceFieldRef !== undefined) fill(item.resourceFieldRef, { divisor: '0' });
  }
}

function defaultVolume(volume: Volume): void {
  if (Object.keys(volume).every((key) => key === 'name')) volume.emptyDir = {};
  for (const source of [volume.secret, volume.configMap, volume.downwardAPI, volume.projected]) if (source !== undefined) fill(source, { defaultMode: 420 });
  defaultDownwardItems(volume.downwardAPI?.items);
  if (volume.hostPath !== undefined) fill(volume.hostPath, { type: '' });
  if (volume.image !== undefined) fill(volume.image, { pullPolicy: pullPolicyOf(volume.image.reference ?? '') });
  if (volume.ephemeral?.volumeClaimTemplate !== undefined) {
    const template = volume.ephemeral.volumeClaimTemplate as unknown as Plain;
    template.spec ??= {};
    fill(template.spec as Plain, { volumeMode: 'Filesystem', resources: {} });
  }
  if (volume.iscsi !== undefined) fill(volume.iscsi, { iscsiInterface: 'default' });
  if (volume.rbd !== undefined) fill(volume.rbd, { pool: 'rbd', user: 'admin', keyring: '/etc/ceph/keyring' });
  if (volume.scaleIO !== undefined) fill(volume.scaleIO, { storageMode: 'ThinProvisioned', fsType: 'xfs' });
  if (volume.azureDisk !== undefined) fill(volume.azureDisk, { cachingMode: 'ReadWrite', kind: 'Shared', fsType: 'ext4', readOnly: false });
  for (const source of volume.projected?.sources ?? []) {
    if (source.serviceAccountToken !== undefined) fill(source.serviceAccountToken, { expirationSeconds: 3600 });
    defaultDownwardItems(source.downwardAPI?.items);
  }
}

export const allContainers = (spec: PodSpec): Container[] => [...(spec.containers ?? []), ...(spec.initContainers ?? []), ...((spec.ephemeralContainers ?? []) as Container[])];

/** What pods and pod templates share. Upstream: pkg/apis/core/v1/defaults.go SetDefaults_PodSpec. */
export function defaultPodSpec(spec: PodSpec): void {
  fill(spec, { restartPolicy: 'Always', terminationGracePeriodSeconds: 30, dnsPolicy: 'ClusterFirst', securityContext: {}, schedulerName: 'default-scheduler' });
  // The old name of the field is kept equal, whichever was given.
  const account = spec.serviceAccountName ?? spec.serviceAccount;
  if (account !== undefined) Object.assign(spec, { serviceAccountName: account, serviceAccount: account });
  allContainers(spec).forEach(defaultContainer);
  spec.volumes?.forEach(defaultVolume);
  roundResources(spec.overhead);
}

function requestsFromLimits(container: Container): void {
  const limits = container.resources?.limits;
  if (limits === undefined || container.resources === undefined) return;
  container.resources.requests = { ...container.resources.requests };
  fill(container.resources.requests, limits);
}

const supportedPodResource = (name: string) => name === 'cpu' || name === 'memory' || name.startsWith('hugepages-');

/** Requests at the pod's level come from what its containers ask for, else from its limits. Upstream: defaultPodRequests. */
function defaultPodResources(spec: PodSpec): void {
  const resources = spec.resources;
  if (resources === undefined) return;
  const requests: Record<string, string> = { ...resources.requests };
  const sums = containerRequests(spec);
  for (const name in sums) if (supportedPodResource(name) && !name.startsWith('hugepages-')) requests[name] ??= canonicalQuantity(sums[name] as string);
  for (const name in resources.limits) requests[name] ??= resources.limits[name] as string;
  if (Object.keys(requests).length > 0) resources.requests = requests;
}

export function defaultPod(pod: Pod): void {
  const spec = (pod.spec ??= {} as PodSpec);
  (pod as unknown as Plain).status ??= {};
  defaultPodSpec(spec);
  fill(spec, { enableServiceLinks: true });
  [...(spec.containers ?? []), ...(spec.initContainers ?? [])].forEach(requestsFromLimits);
  defaultPodResources(spec);
  if (spec.hostNetwork !== true) return;
  for (const container of [...(spec.containers ?? []), ...(spec.initContainers ?? [])]) {
    for (const port of container.ports ?? []) if (port.hostPort === undefined && port.containerPort) port.hostPort = port.containerPort;
  }
}
