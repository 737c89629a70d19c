import { isTerminalPhase } from './pod-spec.ts';
import type { PodWorker } from './state.ts';
import { changesLater } from './volumes/mount.ts';

/**
 * The kubelet syncs every pod each 60 to 90 s. A pass over a pod that runs, is ready and has no volume that may change would see nothing: it is left out.
 */
export function needsResync(worker: PodWorker): boolean {
  const { status, pod } = worker;
  if (worker.work !== 'sync' || status === undefined || worker.resizePending !== undefined) return true;
  if (isTerminalPhase(status.phase)) return false;
  const all = [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])];
  const lasting = all.filter((item) => item.state?.terminated === undefined || item.state.terminated.exitCode !== 0);
  if (lasting.some((item) => !item.ready)) return true;
  if ((pod.spec.imagePullSecrets ?? []).length > 0) return true;
  return (pod.spec.volumes ?? []).some((volume) => changesLater(volume));
}
