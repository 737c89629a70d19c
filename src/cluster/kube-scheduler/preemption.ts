import { findCondition } from '../../api/meta/conditions.ts';
import { selectorMatches } from '../../api/meta/selectors.ts';
import type { Pod, PodDisruptionBudget } from '../../api/schema/types.ts';
import { parseRfc3339 } from '../../sim/time.ts';
import { copyNode, nodeOrder } from './cache.ts';
import { imaginePod, runFiltersWithNominated, type Outcome } from './cycle.ts';
import { fitError } from './failure-text.ts';
import { nameOf, type Cycle, type Rejection } from './framework.ts';
import { isOver, priorityOf } from './pod-facts.ts';
import type { NodeInfo } from './state.ts';

/** What preemption came to: its part of the message, and if it found room, whom to remove. */
export interface Preemption {
  text: string;
  node?: string;
  victims: Pod[];
  /** The nomination is no longer of use. */
  clearNomination: boolean;
}

interface Candidate {
  node: string;
  victims: Pod[];
  violations: number;
}

const notHelpful = 'Preemption is not helpful for scheduling';
const noVictims = 'No preemption victims found for incoming pod';
/** Upstream: DefaultPreemptionArgs minCandidateNodesPercentage, minCandidateNodesAbsolute. */
const minCandidates = 100;

/** Upstream: pkg/scheduler/framework/plugins/defaultpreemption, pkg/scheduler/framework/preemption. */
export function preempt(cycle: Cycle, { rejections, nodeCount }: Outcome, random: (bound: number) => number): Preemption {
  const none = (text: string, clearNomination = false): Preemption => ({ text: `preemption: ${text}`, victims: [], clearNomination });
  const ineligible = whyNotEligible(cycle, rejections);
  if (ineligible !== undefined) return none(ineligible);
  const names = nodeOrder(cycle.state);
  const potential = names.filter((name) => rejections.get(name)?.unresolvable === false);
  const reasons = new Map<string, readonly string[]>(names.map((name) => [name, [notHelpful]]));
  if (potential.length === 0) return none(fitError(nodeCount, reasons.values()), true);
  const budgets = cycle.view.list('poddisruptionbudgets.policy');
  const wanted = Math.max(Math.floor((potential.length * 10) / 100), minCandidates);
  const offset = random(potential.length);
  const candidates: Candidate[] = [];
  let clean = false;
  for (let i = 0; i < potential.length && !(candidates.length >= wanted && clean); i++) {
    const name = potential[(offset + i) % potential.length] as string;
    const result = dryRun(cycle, cycle.state.nodes[name] as NodeInfo, budgets);
    if ('victims' in result) {
      candidates.push(result);
      clean ||= result.violations === 0;
    } else reasons.set(name, result.reasons);
  }
  if (candidates.length === 0) return none(fitError(nodeCount, reasons.values()));
  const { node, victims } = choose(candidates);
  return { text: `preemption: found a potential placement for pod on node ${node}, preempting ${victims.length} victims`, node, victims, clearNomination: false };
}

/** Upstream: PodEligibleToPreemptOthers. */
function whyNotEligible({ pod, view }: Cycle, rejections: ReadonlyMap<string, Rejection>): string | undefined {
  if (pod.spec.preemptionPolicy === 'Never') return 'not eligible due to preemptionPolicy=Never.';
  const nominated = pod.status.nominatedNodeName;
  if (nominated === undefined || nominated === '' || rejections.get(nominated)?.unresolvable === true) return undefined;
  const waiting = view.by('pods', 'node', nominated).some((other) => priorityOf(other) < priorityOf(pod) && other.metadata.deletionTimestamp !== undefined && isPreempted(other));
  return waiting ? 'not eligible due to a terminating pod on the nominated node.' : undefined;
}

const isPreempted = ({ status }: Pod): boolean => {
  const target = findCondition(status.conditions, 'DisruptionTarget');
  return target?.status === 'True' && target.reason === 'PreemptionByScheduler';
};

function hasLower({ priorities }: NodeInfo, than: number): boolean {
  for (const priority in priorities) if (Number(priority) < than) return true;
  return false;
}

/** Upstream: SelectVictimsOnNode. */
function dryRun(cycle: Cycle, node: NodeInfo, budgets: readonly PodDisruptionBudget[]): Candidate | { reasons: readonly string[] } {
  const { pod, state } = cycle;
  const name = nameOf(node);
  if (!hasLower(node, priorityOf(pod))) return { reasons: [noVictims] };
  const imagined = copyNode(node);
  const present = cycle.view.by('pods', 'node', name).filter((other) => !isOver(other) && state.assumed[other.metadata.uid] === undefined);
  for (const uid in state.assumed) {
    const assumed = state.assumed[uid] as { node: string; pod: Pod };
    if (assumed.node === name) present.push(assumed.pod);
  }
  const lower = present.filter((other) => priorityOf(other) < priorityOf(pod));
  for (const other of lower) imaginePod(cycle, imagined, other, -1);
  const gone = new Set(lower);
  const rejection = runFiltersWithNominated(cycle, imagined);
  let violations = 0;
  if (rejection === undefined) {
    const sorted = [...lower].sort(moreImportant);
    const { violating, others } = splitByBudgets(sorted, budgets);
    const reprieve = (other: Pod): boolean => {
      imaginePod(cycle, imagined, other, 1);
      if (runFiltersWithNominated(cycle, imagined) === undefined) {
        gone.delete(other);
        return true;
      }
      imaginePod(cycle, imagined, other, -1);
      return false;
    };
    for (const other of violating) if (!reprieve(other)) violations++;
    for (const other of others) reprieve(other);
  }
  for (const other of gone) imaginePod(cycle, imagined, other, 1);
  if (rejection !== undefined) return { reasons: rejection.reasons };
  return { node: name, victims: lower.filter((other) => gone.has(other)).sort(moreImportant), violations };
}

const startOf = ({ status }: Pod): number => (status.startTime === undefined ? Infinity : (parseRfc3339(status.startTime) ?? Infinity));

/** Upstream: pkg/scheduler/util MoreImportantPod. */
const moreImportant = (a: Pod, b: Pod): number => priorityOf(b) - priorityOf(a) || (startOf(a) === startOf(b) ? 0 : startOf(a) - startOf(b));

/** Pods whose removal a budget does not allow. Upstream: filterPodsWithPDBViolation. */
function splitByBudgets(pods: readonly Pod[], budgets: readonly PodDisruptionBudget[]): { violating: Pod[]; others: Pod[] } {
  const allowed = budgets.map(({ status }) => status?.disruptionsAllowed ?? 0);
  const violating: Pod[] = [];
  const others: Pod[] = [];
  for (const pod of pods) {
    let violates = false;
    budgets.forEach(({ metadata, spec, status }, i) => {
      if (metadata.namespace !== pod.metadata.namespace || !selectorMatches(spec?.selector, pod.metadata.labels)) return;
      if (Object.keys(pod.metadata.labels ?? {}).length === 0 || status?.disruptedPods?.[pod.metadata.name] !== undefined) return;
      allowed[i] = (allowed[i] as number) - 1;
      if ((allowed[i] as number) < 0) violates = true;
    });
    (violates ? violating : others).push(pod);
  }
  return { violating, others };
}

/** Upstream: pickOneNodeForPreemption: each rule leaves the best, the next decides among them. */
function choose(candidates: readonly Candidate[]): Candidate {
  const highest = ({ victims }: Candidate) => Math.max(...victims.map(priorityOf));
  const earliestStart = (candidate: Candidate) => {
    const top = highest(candidate);
    return Math.min(...candidate.victims.filter((pod) => priorityOf(pod) === top).map(startOf));
  };
  const rules: ((candidate: Candidate) => number)[] = [
    ({ violations }) => violations,
    highest,
    ({ victims }) => victims.reduce((sum, pod) => sum + priorityOf(pod) + 2_147_483_648, 0),
    ({ victims }) => victims.length,
    (candidate) => -earliestStart(candidate),
  ];
  let best = [...candidates];
  for (const rule of rules) {
    const least = Math.min(...best.map(rule));
    best = best.filter((candidate) => rule(candidate) === least);
    if (best.length === 1) break;
  }
  return best[0] as Candidate;
}
