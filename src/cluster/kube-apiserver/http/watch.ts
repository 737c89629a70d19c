import type { ApiObject, ResourceInfo } from '../../../api/resources.ts';
import { isStatus } from '../../../api/meta/status.ts';
import type { Status } from '../../../api/schema/types.ts';
import type { Change } from '../../etcd/store.ts';
import { matcherOf } from '../read.ts';
import { parsePath } from './paths.ts';
import { partialMetadata, tableOf } from './table.ts';
import { toWire } from './wire.ts';

/** What a watch request asks for. */
export interface WatchParams {
  info: ResourceInfo;
  namespace: string;
  labelSelector?: string;
  fieldSelector?: string;
  /** Changes after this revision; undefined: the present objects first, as ADDED. */
  fromRevision?: number;
  allowBookmarks: boolean;
  /** The list first, closed by a bookmark with the annotation k8s.io/initial-events-end. */
  sendInitialEvents: boolean;
  timeoutMs?: number;
}

/** A number or any word but 0 and false turns it on, as the real server reads it. */
const isOn = (text: string | undefined): boolean => text !== undefined && text !== '' && text !== '0' && text !== 'false';

/** The watch that a request is, if it is one. */
export function watchParams(path: string, query: Readonly<Record<string, string>>): WatchParams | undefined {
  const target = parsePath(path);
  if (target === undefined || target === 'unknown' || !(isOn(query.watch) || path.includes('/watch/'))) return undefined;
  const fieldSelector = [query.fieldSelector, target.name === '' ? '' : `metadata.name=${target.name}`].filter(Boolean).join(',');
  const from = query.resourceVersion;
  return {
    info: target.info,
    namespace: target.namespace,
    ...(query.labelSelector ? { labelSelector: query.labelSelector } : {}),
    ...(fieldSelector === '' ? {} : { fieldSelector }),
    ...(from !== undefined && /^[1-9]\d*$/.test(from) ? { fromRevision: Number(from) } : {}),
    allowBookmarks: isOn(query.allowWatchBookmarks),
    sendInitialEvents: isOn(query.sendInitialEvents),
    ...(query.timeoutSeconds === undefined ? {} : { timeoutMs: Number(query.timeoutSeconds) * 1000 }),
  };
}

export interface WatchEvent {
  type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  object: object;
}

/** Decides once what a watcher sees of a change: an object that begins or ceases to match comes and goes. */
export function createWatchFilter(params: WatchParams): ((change: Change) => WatchEvent | undefined) | Status {
  const matches = matcherOf(params.info.resource, params.labelSelector, params.fieldSelector);
  if (typeof matches !== 'function') return matches;
  return ({ resource, version, previous }) => {
    if (resource !== params.info.resource) return undefined;
    const at = (object: ApiObject | undefined) =>
      object !== undefined && (params.namespace === '' || object.metadata.namespace === params.namespace) && matches(object);
    const [before, after] = [at(previous), at(version.object)];
    if (after) return { type: before ? 'MODIFIED' : 'ADDED', object: version.object as object };
    if (!before) return undefined;
    // The state in which it last matched, with the revision of its end.
    const last = previous as ApiObject;
    return { type: 'DELETED', object: { ...last, metadata: { ...last.metadata, resourceVersion: String(version.revision) } } };
  };
}

/** An event in the form that the client accepts: whole, as a Table or as metadata. */
export function toWatchEvent(event: WatchEvent, info: ResourceInfo, accept: string, nowEpochMs: number): WatchEvent {
  if (isStatus(event.object) || event.type === 'ERROR') return event;
  if (accept.includes('as=Table')) return { type: event.type, object: tableOf(info, event.object as ApiObject, 'Metadata', nowEpochMs) };
  if (accept.includes('as=PartialObjectMetadata')) return { type: event.type, object: partialMetadata(event.object as ApiObject) };
  return { type: event.type, object: toWire(info, event.object) };
}

export function bookmark(info: ResourceInfo, revision: number, initialEventsEnd = false): WatchEvent {
  const annotations = initialEventsEnd ? { annotations: { 'k8s.io/initial-events-end': 'true' } } : {};
  const apiVersion = info.group === '' ? info.version : `${info.group}/${info.version}`;
  return { type: 'BOOKMARK', object: { kind: info.kind, apiVersion, metadata: { resourceVersion: String(revision), creationTimestamp: null, ...annotations } } };
}

