import { podLimits, podRequests } from '../../../api/core-v1/pod-resources.ts';
import { compareQuantity, quantityToMilli, quantityToNumber, resourceValue } from '../../../api/quantity.ts';
import type { ApiObject } from '../../../api/resources.ts';
import type { Container, LimitRangeItem, PersistentVolumeClaim, Pod } from '../../../api/schema/types.ts';
import { compareText } from '../../../sim/plain.ts';
import { forbid, type Attributes, type Plugin } from './plugin.ts';

type Amounts = Readonly<Record<string, string>>;

/** Upstream: plugin/pkg/admission/limitranger. */
export const limitRanger: Plugin = {
  name: 'LimitRanger',
  resources: ['pods', 'persistentvolumeclaims'],
  admit: (attributes) => {
    const { call, object, old } = attributes;
    if (call.info.resource !== 'pods' || old !== undefined) return object;
    let pod = object as Pod;
    for (const items of ranges(attributes)) pod = withDefaults(pod, items);
    return pod as ApiObject;
  },
  validate: (attributes) => {
    if (attributes.old !== undefined && attributes.call.info.resource === 'pods') return undefined;
    for (const items of ranges(attributes)) {
      const errors = attributes.call.info.resource === 'pods' ? podErrors(attributes.object as Pod, items) : claimErrors(attributes.object as PersistentVolumeClaim, items);
      const texts = [...new Set(errors)];
      if (texts.length > 0) return forbid(attributes, texts.length === 1 ? (texts[0] as string) : `[${texts.join(', ')}]`);
    }
    return undefined;
  },
};

const ranges = ({ call }: Attributes): LimitRangeItem[][] => call.env.store.list('limitranges', call.namespace).map(({ spec }) => spec?.limits ?? []);

/** Requests and limits that a container leaves out. */
function withDefaults(pod: Pod, items: readonly LimitRangeItem[]): Pod {
  const requests: Record<string, string> = {};
  const limits: Record<string, string> = {};
  for (const item of items) {
    if (item.type !== 'Container') continue;
    Object.assign(requests, item.defaultRequest);
    Object.assign(limits, item.default);
  }
  const notes: string[] = [];
  const fill = (kind: string) => (container: Container): Container => {
    const resources = { ...container.resources };
    for (const [side, defaults, word] of [['requests', requests, 'request'], ['limits', limits, 'limit']] as const) {
      const missing = Object.keys(defaults).filter((name) => resources[side]?.[name] === undefined).sort(compareText);
      if (missing.length === 0) continue;
      resources[side] = { ...resources[side], ...Object.fromEntries(missing.map((name) => [name, defaults[name] as string])) };
      notes.push(`${missing.join(', ')} ${word} for ${kind} ${container.name}`);
    }
    return { ...container, resources };
  };
  const containers = (pod.spec.containers ?? []).map(fill('container'));
  const initContainers = pod.spec.initContainers?.map(fill('init container'));
  if (notes.length === 0) return pod;
  const annotations = { ...pod.metadata.annotations, 'kubernetes.io/limit-ranger': `LimitRanger plugin set: ${notes.join('; ')}` };
  return { ...pod, metadata: { ...pod.metadata, annotations }, spec: { ...pod.spec, containers, ...(initContainers === undefined ? {} : { initContainers }) } };
}

function podErrors(pod: Pod, items: readonly LimitRangeItem[]): string[] {
  return items.flatMap((item) => {
    if (item.type === 'Pod') return constraints(item, podRequests(pod), podLimits(pod));
    if (item.type !== 'Container') return [];
    return [...(pod.spec.containers ?? []), ...(pod.spec.initContainers ?? [])].flatMap(({ resources }) => constraints(item, resources?.requests ?? {}, resources?.limits ?? {}));
  });
}

function constraints(item: LimitRangeItem, requests: Amounts, limits: Amounts): string[] {
  const errors: string[] = [];
  for (const name of Object.keys(item.min ?? {}).sort(compareText)) {
    const text = `minimum ${name} usage per ${item.type} is ${item.min?.[name]}`;
    const [least, request, limit] = [item.min?.[name], requests[name], limits[name]];
    if (request === undefined) errors.push(`${text}.  No request is specified`);
    else if (compareQuantity(request, least) < 0) errors.push(`${text}, but request is ${request}`);
    else if (limit !== undefined && compareQuantity(limit, least) < 0) errors.push(`${text}, but limit is ${limit}`);
  }
  for (const name of Object.keys(item.max ?? {}).sort(compareText)) {
    const text = `maximum ${name} usage per ${item.type} is ${item.max?.[name]}`;
    const [most, request, limit] = [item.max?.[name], requests[name], limits[name]];
    if (limit === undefined) errors.push(`${text}.  No limit is specified`);
    else if (compareQuantity(limit, most) > 0) errors.push(`${text}, but limit is ${limit}`);
    else if (request !== undefined && compareQuantity(request, most) > 0) errors.push(`${text}, but request is ${request}`);
  }
  for (const name of Object.keys(item.maxLimitRequestRatio ?? {}).sort(compareText)) {
    const error = ratioError(item, name, requests[name], limits[name]);
    if (error !== undefined) errors.push(error);
  }
  return errors;
}

function ratioError(item: LimitRangeItem, name: string, request: string | undefined, limit: string | undefined): string | undefined {
  const enforced = item.maxLimitRequestRatio?.[name] as string;
  const text = `${name} max limit to request ratio per ${item.type} is ${enforced}`;
  const asked = resourceValue(name, request);
  const most = resourceValue(name, limit);
  if (asked === 0) return `${text}, but no request is specified or request is 0`;
  if (most === 0) return `${text}, but no limit is specified or limit is 0`;
  const allowed = quantityToNumber(enforced) <= 1024 ? quantityToMilli(enforced) / 1000 : quantityToNumber(enforced);
  return most / asked > allowed ? `${text}, but provided ratio is ${(most / asked).toFixed(6)}` : undefined;
}

function claimErrors(claim: PersistentVolumeClaim, items: readonly LimitRangeItem[]): string[] {
  const request = claim.spec.resources?.requests?.['storage'] ?? '0';
  return items.flatMap((item) => {
    if (item.type !== 'PersistentVolumeClaim') return [];
    const errors: string[] = [];
    const { min, max } = { min: item.min?.['storage'], max: item.max?.['storage'] };
    if (min !== undefined && compareQuantity(request, min) < 0) errors.push(`minimum storage usage per ${item.type} is ${min}, but request is ${request}`);
    if (max !== undefined && compareQuantity(request, max) > 0) errors.push(`maximum storage usage per ${item.type} is ${max}, but request is ${request}`);
    return errors;
  });
}
