import type { NodeOptions } from '../options.ts';

/** One node as its kubelet knows it from flags. */
export type KubeletOptions = NodeOptions;

/** The address of a node on the cluster's own network. */
export const nodeAddress = (node: Pick<KubeletOptions, 'index'>): string =>
  `172.30.${Math.floor((node.index + 11) / 256)}.${(node.index + 11) % 256}`;

/** The loops' periods. Upstream: pkg/kubelet/kubelet.go, pod_workers.go, apis/config/v1beta1/defaults.go. */
export const relistPeriodMs = 1000;
export const syncTickMs = 1000;
export const resyncMs = 60_000;
export const errorBackOffMs = 10_000;
export const networkBackOffMs = 1000;
export const minimumGraceMs = 2000;
export const backOffInitialMs = 10_000;
export const backOffMaxMs = 300_000;
export const volumeTimeoutMs = 123_000;
export const garbagePeriodMs = 60_000;
