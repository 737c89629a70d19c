import type { Container, PodSpec, Quantity } from '../schema/types.ts';
import { addQuantity, maxQuantity, quantitySign, resourceValue } from '../quantity.ts';

export type Resources = Readonly<Record<string, Quantity>>;

/** An init container that runs along with the main ones. */
export const isSidecar = (container: Pick<Container, 'restartPolicy'>): boolean => container.restartPolicy === 'Always';

type Side = 'requests' | 'limits';
type Totals = Record<string, Quantity>;

function add(into: Totals, resources: Resources | undefined): void {
  for (const name in resources) into[name] = into[name] === undefined ? (resources[name] as string) : addQuantity(into[name], resources[name]);
}

function raise(into: Totals, resources: Resources): void {
  for (const name in resources) into[name] = maxQuantity(into[name], resources[name]);
}

/**
 * What the containers need at any moment: the sum of the main containers and sidecars, or what an init container needs together with the sidecars
 * that started before it. Upstream: component-helpers resource.AggregateContainerRequests.
 */
function aggregate(spec: PodSpec, side: Side): Totals {
  const totals: Totals = {};
  for (const container of spec.containers ?? []) add(totals, container.resources?.[side]);
  const sidecars: Totals = {};
  const peak: Totals = {};
  for (const container of spec.initContainers ?? []) {
    if (isSidecar(container)) {
      add(totals, container.resources?.[side]);
      add(sidecars, container.resources?.[side]);
      raise(peak, sidecars);
    } else {
      const moment: Totals = { ...sidecars };
      add(moment, container.resources?.[side]);
      raise(peak, moment);
    }
  }
  raise(totals, peak);
  return totals;
}

/** Without the overhead and the pod-level amounts. */
export const containerRequests = (spec: PodSpec): Resources => aggregate(spec, 'requests');

function effective(spec: PodSpec, side: Side): Resources {
  const totals = { ...aggregate(spec, side), ...spec.resources?.[side] };
  if (side === 'requests') add(totals, spec.overhead);
  else for (const name in spec.overhead) if (totals[name] !== undefined) totals[name] = addQuantity(totals[name], spec.overhead[name]);
  return totals;
}

/** Specs from the store never change: their sums are kept. */
const sums = { requests: new WeakMap<PodSpec, Resources>(), limits: new WeakMap<PodSpec, Resources>() };
const amounts = new WeakMap<PodSpec, Readonly<Record<string, number>>>();

function remembered(spec: PodSpec, side: Side): Resources {
  if (!Object.isFrozen(spec)) return effective(spec, side);
  let result = sums[side].get(spec);
  if (result === undefined) sums[side].set(spec, (result = effective(spec, side)));
  return result;
}

type WithSpec = { spec: PodSpec };

/** The effective requests, as the scheduler and quotas count them. Upstream: component-helpers resource.PodRequests. */
export const podRequests = (pod: WithSpec): Resources => remembered(pod.spec, 'requests');
export const podLimits = (pod: WithSpec): Resources => remembered(pod.spec, 'limits');

/** The same as numbers: cpu in thousandths, all else in whole units. */
export function podRequestAmounts(pod: WithSpec): Readonly<Record<string, number>> {
  const known = amounts.get(pod.spec);
  if (known !== undefined) return known;
  const requests = podRequests(pod);
  const result: Record<string, number> = {};
  for (const name in requests) result[name] = resourceValue(name, requests[name]);
  if (Object.isFrozen(pod.spec)) amounts.set(pod.spec, result);
  return result;
}

export type QosClass = 'Guaranteed' | 'Burstable' | 'BestEffort';

const counted = ['cpu', 'memory'];

/** Upstream: pkg/apis/core/v1/helper/qos ComputePodQOS. Pod-level resources alone decide where they are set. */
export function qosClass(pod: WithSpec): QosClass {
  const { spec } = pod;
  const requests: Totals = {};
  const limits: Totals = {};
  let guaranteed = true;
  const parts = spec.resources !== undefined ? [spec.resources] : [...(spec.containers ?? []), ...(spec.initContainers ?? [])].map((container) => container.resources ?? {});
  for (const part of parts) {
    for (const name of counted) {
      if (quantitySign(part.requests?.[name]) > 0) add(requests, { [name]: part.requests?.[name] as string });
      if (quantitySign(part.limits?.[name]) > 0) add(limits, { [name]: part.limits?.[name] as string });
      else guaranteed = false;
    }
  }
  if (Object.keys(requests).length === 0 && Object.keys(limits).length === 0) return 'BestEffort';
  const same = Object.keys(requests).length === Object.keys(limits).length && Object.keys(requests).every((name) => addQuantity(requests[name], '0') === addQuantity(limits[name], '0'));
  return guaranteed && same ? 'Guaranteed' : 'Burstable';
}

