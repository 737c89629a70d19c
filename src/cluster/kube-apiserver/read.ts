import { badRequest, isStatus, notFoundStatus } from '../../api/meta/status.ts';
import { parseFieldSelector, parseSelector, requirementsMatch, type FieldRequirement, type Requirement } from '../../api/meta/selectors.ts';
import { apiVersionOf, type ApiObject, type ResourceName } from '../../api/resources.ts';
import type { Event, Pod, Status } from '../../api/schema/types.ts';
import type { ApiList, ApiResponse } from '../component.ts';
import type { Call } from './environment.ts';
import { decodeBase64, encodeBase64 } from './base64.ts';
import { stored } from './write.ts';

export function get(call: Call): ApiResponse {
  const object = stored(call);
  return object === undefined ? { code: 404, status: notFoundStatus(call.info, call.name) } : { code: 200, object };
}

export function list(call: Call): ApiResponse {
  const selected = selectObjects(call);
  return isStatus(selected) ? { code: selected.code ?? 400, status: selected } : { code: 200, object: selected };
}

/** A page of the objects that the selectors match, as of one revision. */
export function selectObjects(call: Call): ApiList | Status {
  const { options, env, info } = call;
  const matches = matcherOf(info.resource, options.labelSelector, options.fieldSelector);
  if (typeof matches !== 'function') return matches;
  const from = options.continue === undefined ? undefined : readToken(options.continue);
  if (from !== undefined && isStatus(from)) return from;
  const revision = from?.revision ?? env.store.revision;
  const namespace = info.namespaced && call.namespace !== '' ? call.namespace : undefined;
  let items = (env.store.list(info.resource, namespace, revision) as ApiObject[]).filter(matches);
  if (from !== undefined) items = items.filter((object) => placeOf(object) > from.after);
  const metadata: ApiList['metadata'] = { resourceVersion: String(revision) };
  const limit = options.limit ?? 0;
  if (limit > 0 && items.length > limit) {
    const rest = items.length - limit;
    items = items.slice(0, limit);
    metadata.continue = writeToken({ revision, after: placeOf(items[limit - 1] as ApiObject) });
    if (options.labelSelector === undefined && options.fieldSelector === undefined) metadata.remainingItemCount = rest;
  }
  return { kind: `${info.kind}List`, apiVersion: apiVersionOf(info), metadata, items };
}

const placeOf = ({ metadata }: ApiObject): string => `${metadata.namespace ?? ''}/${metadata.name}`;

interface Token {
  revision: number;
  after: string;
}

/** Opaque to clients: where to go on, and at which revision. */
const writeToken = ({ revision, after }: Token): string => encodeBase64(JSON.stringify({ v: 'meta.k8s.io/v1', rv: revision, start: after }));

function readToken(token: string): Token | Status {
  const bad = (why: string) => badRequest(`invalid continue token: continue key is not valid: ${why}`);
  const text = decodeBase64(token);
  if (typeof text === 'number') return bad(`illegal base64 data at input byte ${text}`);
  if (text[0] !== '{') return bad(`invalid character '${text[0] ?? ''}' looking for beginning of value`);
  const { rv, start } = JSON.parse(text) as { rv: number; start: string };
  return { revision: rv, after: start };
}

/** Decides for each object whether it is meant, or says what is wrong with the selectors. */
export function matcherOf(
  resource: ResourceName, labelSelector: string | undefined, fieldSelector: string | undefined,
): ((object: ApiObject) => boolean) | Status {
  const labels: Requirement[] | { error: string } = labelSelector ? parseSelector(labelSelector) : [];
  if ('error' in labels) return badRequest(/expected: (',' or 'end|identifier after)/.test(labels.error) ? labels.error : `unable to parse requirement: ${labels.error}`);
  const fields: FieldRequirement[] | { error: string } = fieldSelector ? parseFieldSelector(fieldSelector) : [];
  if ('error' in fields) return badRequest(fields.error);
  const readers: { read: (object: ApiObject) => string; term: FieldRequirement }[] = [];
  for (const term of fields) {
    const read = fieldReader(resource, term.field);
    if (typeof read !== 'function') return read;
    readers.push({ read, term });
  }
  return (object) =>
    requirementsMatch(labels, object.metadata.labels) && readers.every(({ read, term }) => (read(object) === term.value) === term.equal);
}

type FieldReader = (object: ApiObject) => string;

const common: Readonly<Record<string, FieldReader>> = {
  'metadata.name': ({ metadata }) => metadata.name,
  'metadata.namespace': ({ metadata }) => metadata.namespace ?? '',
};

/** What can be selected beside name and name space. Upstream: pkg/apis/*\/v1/conversion.go AddFieldLabelConversionFunc and each kind's ToSelectableFields. */
const selectable: Partial<Record<ResourceName, readonly string[]>> = {
  pods: [
    'spec.nodeName', 'spec.restartPolicy', 'spec.schedulerName', 'spec.serviceAccountName', 'spec.hostNetwork', 'status.phase', 'status.podIP',
    'status.podIPs', 'status.nominatedNodeName',
  ],
  nodes: ['spec.unschedulable'],
  namespaces: ['status.phase'],
  secrets: ['type'],
  services: ['spec.clusterIP', 'spec.type'],
  replicationcontrollers: ['status.replicas'],
  'replicasets.apps': ['status.replicas'],
  'jobs.batch': ['status.successful'],
  events: [
    'involvedObject.kind', 'involvedObject.namespace', 'involvedObject.name', 'involvedObject.uid', 'involvedObject.apiVersion',
    'involvedObject.resourceVersion', 'involvedObject.fieldPath', 'reason', 'reportingComponent', 'source', 'type',
  ],
};

/** Groups whose conversion names every field that it does not know in the same words. */
const terse: readonly ResourceName[] = ['pods', 'nodes', 'namespaces', 'secrets', 'services', 'replicationcontrollers', 'events', 'jobs.batch', 'replicasets.apps'];

const special: Readonly<Record<string, FieldReader>> = {
  'pods spec.hostNetwork': (object) => String((object as Pod).spec.hostNetwork === true),
  'pods status.podIPs': (object) => ((object as Pod).status.podIPs ?? []).map(({ ip }) => ip).join(','),
  'events source': (object) => (object as Event).source?.component || (object as Event).reportingComponent || '',
  'nodes spec.unschedulable': (object) => String((object as { spec?: { unschedulable?: boolean } }).spec?.unschedulable === true),
  'jobs.batch status.successful': (object) => String((object as { status?: { succeeded?: number } }).status?.succeeded ?? 0),
};

function fieldReader(resource: ResourceName, field: string): FieldReader | Status {
  const known = common[field] ?? special[`${resource} ${field}`];
  if (known !== undefined) return known;
  if (selectable[resource]?.includes(field) === true) {
    const path = field.split('.');
    return (object) => {
      let value: unknown = object;
      for (const part of path) value = (value as Record<string, unknown> | undefined)?.[part];
      return value === undefined ? '' : String(value);
    };
  }
  return badRequest(terse.includes(resource)
    ? `field label not supported: ${field}`
    : `${JSON.stringify(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`);
}
