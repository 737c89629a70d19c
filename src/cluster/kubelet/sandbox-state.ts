import type { Pod } from '../../api/schema/types.ts';
import type { SandboxStatus } from './cri.ts';

/** What PodReadyToStartContainers says of a pod's sandbox. */
export type SandboxState = 'ready' | 'none' | 'not-ready';

export function sandboxState(pod: Pod, { sandboxes }: { sandboxes: readonly SandboxStatus[] }): SandboxState {
  const latest = sandboxes[0];
  if (latest === undefined) return 'none';
  return latest.state === 'ready' && (pod.spec.hostNetwork === true || latest.ip !== undefined) ? 'ready' : 'not-ready';
}
