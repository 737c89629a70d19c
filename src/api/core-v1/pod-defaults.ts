import type { Container, Lifecycle, PersistentVolumeClaimSpec, Pod, PodSpec, Probe, Volume } from '../schema/types.ts';
import { canonicalQuantity, parseQuantity, formatQuantity } from '../quantity.ts';
import { containerRequests } from './pod-resources.ts';

type Plain = Record<string, unknown>;

/** Sets what is absent. */
export function fill<T extends object>(object: T, values: { [K in keyof T]?: unknown }): void {
  for (const key in values) (object as Plain)[key] ??= values[key];
}

/** An image reference that parses: [host[:port]/]path[:tag][@digest]. Upstream: github.com/distribution/reference. */
const reference =
  /^((?:[a-zA-Z0-9][-.a-zA-Z0-9]*(?::\d+)?\/)?[a-z0-9]+(?:(?:\.|__?|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:\.|__?|-+)[a-z0-9]+)*)*)(?::(\w[\w.-]{0,127}))?(?:@([A-Za-z]\w*(?:[-_+.][A-Za-z]\w*)*:[0-9a-fA-F]{32,}))?$/;

/** The tag of an image decides: none, with no digest either, or latest means Always. Upstream: SetDefaults_Container. */
export function pullPolicyOf(image: string): 'Always' | 'IfNotPresent' {
  const match = reference.exec(image);
  const [, name, tag, digest] = match ?? [];
  if (name === undefined || name.length > 255) return 'IfNotPresent';
  return tag === 'latest' || (tag === undefined && digest === undefined) ? 'Always' : 'IfNotPresent';
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
  const sleep = container.lifecycle?.preStop?.sleep ?? container.lifecycle?.postStart?.sleep;
  if (sleep !== undefined) fill(sleep, { seconds: 0 });
}

function defaultDownwardItems(items: { fieldRef?: { apiVersion?: string; fieldPath: string }; resourceFieldRef?: { divisor?: string; resource: string } }[] | undefined): void {
  for (const item of items ?? []) {
    if (item.fieldRef !== undefined) fill(item.fieldRef, { apiVersion: 'v1' });
    if (item.resourceFieldRef !== undefined) fill(item.resourceFieldRef, { divisor: '0' });
  }
}

export function defaultClaimSpec(spec: PersistentVolumeClaimSpec): void {
  fill(spec, { volumeMode: 'Filesystem', resources: {} });
  roundResources(spec.resources?.limits, spec.resources?.requests);
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
    template.metadata ??= {};
    defaultClaimSpec(template.spec as PersistentVolumeClaimSpec);
  }
  if (volume.iscsi !== undefined) fill(volume.iscsi, { iscsiInterface: 'default' });
  if (volume.rbd !== undefined) fill(volume.rbd, { pool: 'rbd', user: 'admin', keyring: '/etc/ceph/keyring' });
  if (volume.scaleIO !== undefined) fill(volume.scaleIO, { storageMode: 'ThinProvisioned', fsType: 'xfs' });
  if (volume.azureDisk !== undefined) fill(volume.azureDisk, { cachingMode: 'ReadWrite', kind: 'Shared', fsType: 'ext4', readOnly: false });
  if (volume.projected !== undefined && volume.projected.sources === undefined) (volume.projected as unknown as Plain).sources = null;
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
  roundResources(spec.overhead, spec.resources?.limits, spec.resources?.requests);
  for (const term of spec.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []) fill(term, { preference: {} });
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
  for (const name in resources.limits) if (supportedPodResource(name)) requests[name] ??= resources.limits[name] as string;
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
