import { setCondition } from '../../api/meta/conditions.ts';
import { badRequest, forbiddenStatus, isStatus, notFoundStatus, tooManyRequests } from '../../api/meta/status.ts';
import { selectorMatches } from '../../api/meta/selectors.ts';
import { resourceInfo, type ApiObject } from '../../api/resources.ts';
import type { Pod, PodDisruptionBudget, Status } from '../../api/schema/types.ts';
import { formatRfc3339 } from '../../sim/time.ts';
import type { ApiResponse } from '../component.ts';
import { deleteObject } from './delete.ts';
import type { Call } from './environment.ts';
import { plainError } from './update.ts';
import { stored, write } from './write.ts';

interface Eviction {
  metadata?: { name?: string };
  deleteOptions?: { gracePeriodSeconds?: number; dryRun?: string[]; preconditions?: { uid?: string; resourceVersion?: string } };
}

/** POST .../eviction. Upstream: pkg/registry/core/pod/storage/eviction.go. */
export function evict(call: Call): ApiResponse {
  const eviction = (call.request.object ?? {}) as Eviction;
  if (!call.caller.inside && eviction.metadata?.name !== call.name) return refuse(badRequest('name in URL does not match name in Eviction object'));
  const pod = stored(call) as Pod | undefined;
  if (pod === undefined) return refuse(notFoundStatus(call.info, call.name));
  const { gracePeriodSeconds, preconditions, dryRun } = eviction.deleteOptions ?? {};
  const one: Call = {
    ...call,
    subresource: undefined,
    dryRun: call.dryRun || dryRun?.includes('All') === true,
    options: { ...call.options, ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }), ...(preconditions === undefined ? {} : { preconditions }) },
  };
  const blocked = ignoresBudgets(pod) ? undefined : spendBudget(one, pod);
  if (blocked !== undefined) return refuse(blocked);
  const outcome = markAndDelete(one, pod);
  if (isStatus(outcome) && outcome.status === 'Failure') return refuse(outcome);
  return { code: 201, status: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 } };
}

const refuse = (status: Status): ApiResponse => ({ code: status.code ?? 400, status });

/** Upstream: canIgnorePDB. */
const ignoresBudgets = ({ status, metadata }: Pod): boolean =>
  status.phase === 'Succeeded' || status.phase === 'Failed' || status.phase === 'Pending' || metadata.deletionTimestamp !== undefined;

/** The pod says why it goes before it goes. Upstream: addConditionAndDeletePod. */
function markAndDelete(call: Call, pod: Pod) {
  const { preconditions } = call.options;
  if (preconditions?.uid !== undefined && preconditions.uid !== pod.metadata.uid) return deleteObject(call, pod as ApiObject);
  const conditions = setCondition(pod.status.conditions, {
    type: 'DisruptionTarget', status: 'True', reason: 'EvictionByEvictionAPI', message: 'Eviction API: evicting', lastTransitionTime: formatRfc3339(call.env.epochMs),
  });
  return deleteObject(call, write(call, { ...pod, status: { ...pod.status, conditions } } as ApiObject, pod as ApiObject));
}

/** Takes one disruption from the pod's budget, or says why not. */
function spendBudget(call: Call, pod: Pod): Status | undefined {
  const budgets = call.env.store.list('poddisruptionbudgets.policy', call.namespace)
    .filter(({ spec }) => selectorMatches(spec?.selector, pod.metadata.labels));
  if (budgets.length > 1) return plainError('This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.');
  const budget = budgets[0];
  if (budget === undefined) return undefined;
  const status = budget.status;
  if (!isReady(pod)) {
    const { currentHealthy = 0, desiredHealthy = 0 } = status ?? {};
    if (budget.spec?.unhealthyPodEvictionPolicy === 'AlwaysAllow' || (currentHealthy >= desiredHealthy && desiredHealthy > 0)) return undefined;
  }
  return checkAndDecrement(call, pod, budget);
}

const violates = "Cannot evict pod as it would violate the pod's disruption budget.";

function checkAndDecrement(call: Call, pod: Pod, budget: PodDisruptionBudget): Status | undefined {
  const { name, generation = 0 } = budget.metadata;
  const status = budget.status ?? { currentHealthy: 0, desiredHealthy: 0, disruptionsAllowed: 0, expectedPods: 0 };
  const allowed = status.disruptionsAllowed ?? 0;
  const cause = (message: string) => [{ reason: 'DisruptionBudget', message }];
  if ((status.observedGeneration ?? 0) < generation) {
    return tooManyRequests(violates, 10, cause(`The disruption budget ${name} is still being processed by the server.`));
  }
  if (allowed < 0) return forbiddenStatus(resourceInfo('poddisruptionbudgets.policy'), name, 'pdb disruptions allowed is negative');
  if (allowed === 0) {
    return tooManyRequests(violates, 0, cause(`The disruption budget ${name} needs ${status.desiredHealthy} healthy pods and has ${status.currentHealthy} currently`));
  }
  if (call.dryRun) return undefined;
  const left = allowed - 1;
  const now = formatRfc3339(call.env.epochMs);
  const conditions = left > 0 ? status.conditions : setCondition(status.conditions, {
    type: 'DisruptionAllowed', status: 'False', reason: 'InsufficientPods', message: '', lastTransitionTime: now, observedGeneration: generation,
  });
  const next = {
    ...budget,
    status: { ...status, disruptionsAllowed: left, disruptedPods: { ...status.disruptedPods, [pod.metadata.name]: now }, ...(conditions === undefined ? {} : { conditions }) },
  };
  write({ ...call, info: resourceInfo('poddisruptionbudgets.policy') }, next as ApiObject, budget as ApiObject);
  return undefined;
}

const isReady = ({ status }: Pod): boolean => status.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True') === true;
