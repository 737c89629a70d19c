import type { Job, Pod, PodFailurePolicyOnExitCodesRequirement, PodFailurePolicyRule } from '../../../../api/schema/types.ts';

export interface Verdict {
  /** Counts towards the back-off limit. */
  counts: boolean;
  /** The Job fails at once, with this message. */
  failJob?: string;
  failIndex: boolean;
}

function exitCodeMatch(pod: Pod, { containerName, operator, values }: PodFailurePolicyOnExitCodesRequirement): { name: string; code: number } | undefined {
  for (const { name, state } of [...(pod.status.containerStatuses ?? []), ...(pod.status.initContainerStatuses ?? [])]) {
    if (containerName !== undefined && containerName !== name) continue;
    const code = state?.terminated?.exitCode;
    if (code === undefined || code === 0) continue;
    if (values.includes(code) === (operator === 'In')) return { name, code };
  }
  return undefined;
}

/** The text that a rule gives when it matches. */
function ruleMatch(pod: Pod, { onExitCodes, onPodConditions }: PodFailurePolicyRule, action: string, index: number): string | undefined {
  const { namespace, name } = pod.metadata;
  if (onExitCodes !== undefined) {
    const match = exitCodeMatch(pod, onExitCodes);
    return match === undefined ? undefined : `Container ${match.name} for pod ${namespace}/${name} failed with exit code ${match.code} matching ${action} rule at index ${index}`;
  }
  for (const { type, status = 'True' } of onPodConditions ?? []) {
    if (pod.status.conditions?.some((condition) => condition.type === type && condition.status === status) === true) {
      return `Pod ${namespace}/${name} has condition ${type} matching ${action} rule at index ${index}`;
    }
  }
  return undefined;
}

/** The first rule that matches decides. Upstream: pkg/controller/job/pod_failure_policy.go matchPodFailurePolicy. */
export function judge({ spec }: Job, pod: Pod): Verdict {
  for (const [index, rule] of (spec.podFailurePolicy?.rules ?? []).entries()) {
    const text = ruleMatch(pod, rule, rule.action, index);
    if (text === undefined) continue;
    switch (rule.action) {
      case 'Ignore': return { counts: false, failIndex: false };
      case 'FailIndex': return { counts: true, failIndex: true };
      case 'FailJob': return { counts: true, failIndex: false, failJob: text };
      default: return { counts: true, failIndex: false };
    }
  }
  return { counts: true, failIndex: false };
}
