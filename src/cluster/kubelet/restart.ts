import type { ContainerRestartRule, Pod } from '../../api/schema/types.ts';
import type { ContainerStatusRecord } from './cri.ts';
import { newestRecord, type AnyContainer } from './pod-spec.ts';

/** The rule of a container that an exit code meets. Upstream: pkg/api/v1/pod/util.go findMatchingContainerRestartRule. */
export function matchingRule(container: AnyContainer, exitCode: number): ContainerRestartRule | undefined {
  return container.restartPolicyRules?.find(({ exitCodes }) => {
    if (exitCodes === undefined) return false;
    const listed = exitCodes.values?.includes(exitCode) ?? false;
    return exitCodes.operator === 'In' ? listed : !listed;
  });
}

/** Whether a container that exited may run again. Upstream: pkg/api/v1/pod/util.go ContainerShouldRestart. */
export function mayRestart(container: AnyContainer, pod: Pod, exitCode: number): boolean {
  if (container.restartPolicy !== undefined) {
    const rule = matchingRule(container, exitCode);
    if (rule !== undefined) return rule.action === 'Restart' || rule.action === 'RestartAllContainers';
  }
  const policy = container.restartPolicy ?? pod.spec.restartPolicy ?? 'Always';
  return policy === 'Always' || (policy === 'OnFailure' && exitCode !== 0);
}

/** Upstream: pkg/kubelet/container/helpers.go ShouldContainerBeRestarted. */
export function shouldStart(container: AnyContainer, pod: Pod, records: readonly ContainerStatusRecord[]): boolean {
  if (pod.metadata.deletionTimestamp !== undefined) return false;
  const record = newestRecord(records, container.name);
  if (record === undefined || record.state === 'unknown' || record.state === 'created') return true;
  return record.state === 'exited' && mayRestart(container, pod, record.exitCode);
}

/** A killed container is started again unless its policy is Never. */
export const restartsAfterKill = (container: AnyContainer, pod: Pod): boolean =>
  (container.restartPolicy ?? pod.spec.restartPolicy ?? 'Always') !== 'Never';

export const hasRestartAllRule = (pod: Pod): boolean =>
  [...(pod.spec.initContainers ?? []), ...pod.spec.containers].some((container) => container.restartPolicyRules?.some((rule) => rule.action === 'RestartAllContainers'));
