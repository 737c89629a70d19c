import { resourceInfo, type ApiObject, type ObjectOf, type ResourceInfo, type ResourceName } from '../../api/resources.ts';
import type { Event } from '../../api/schema/types.ts';
import { since } from '../../api/print/format.ts';
import { parseRfc3339 } from '../../sim/time.ts';
import { ask, getObject, pathOf } from '../api.ts';
import type { ApiClient } from '../contract.ts';
import { isFailure } from '../failure.ts';
import { line, none } from './lines.ts';

/** What a description may ask about beside its object. */
export interface Look {
  client: ApiClient;
  nowMs: number;
  showEvents: boolean;
}

/** The description of an object; its events come after it unless it says that there are none. */
export type Describer<R extends ResourceName> = (object: ObjectOf<R>, look: Look) => string;
export type Describers = { [R in ResourceName]?: Describer<R> };

export function list<R extends ResourceName>({ client }: Look, resource: R, namespace = '', query: Record<string, string> = {}): ObjectOf<R>[] {
  const response = ask(client, 'GET', pathOf(resourceInfo(resource), namespace), { query });
  return isFailure(response) ? [] : (response.body as { items: ObjectOf<R>[] }).items;
}

export function get<R extends ResourceName>({ client }: Look, resource: R, namespace: string, name: string): ObjectOf<R> | undefined {
  return getObject(client, resourceInfo(resource), namespace, name) as ObjectOf<R> | undefined;
}

export const sortTime = (event: Event): number => (event.lastTimestamp ? (parseRfc3339(event.lastTimestamp) ?? 0) : -1);

/** '5s' or '5s (x3 over 2m)'. Upstream: describe.go DescribeEvents, cmd/events getInterval. */
export function eventAge({ series, eventTime, firstTimestamp, lastTimestamp, count = 0 }: Event, nowMs: number): string {
  const first = since(eventTime ?? firstTimestamp, nowMs);
  if (series !== undefined) return `${since(series.lastObservedTime, nowMs)} (x${series.count} over ${first})`;
  return count > 1 ? `${since(lastTimestamp, nowMs)} (x${count} over ${first})` : first;
}

/** The Events section of an object. Upstream: describe.go DescribeEvents, searchEvents. */
export function eventLines(look: Look, info: ResourceInfo, { metadata }: ApiObject): string {
  if (!look.showEvents) return '';
  const { name, namespace = '', uid } = metadata;
  // A kubelet writes its node's name where the uid belongs.
  const uids = info.resource === 'nodes' ? [uid, name] : [uid];
  const about = `involvedObject.kind=${info.kind},involvedObject.name=${name},involvedObject.namespace=${namespace}`;
  const events = uids.flatMap((id) => list(look, 'events', namespace, { fieldSelector: `${about},involvedObject.uid=${id}` }));
  if (events.length === 0) return `Events:\t${none}\n`;
  const shown = events.toSorted((a, b) => sortTime(a) - sortTime(b)).map((event) => {
    const { fieldPath } = event.involvedObject;
    const message = (event.message ?? '').trim();
    const source = event.source?.component || event.reportingComponent || '';
    return line(1, `${event.type ?? ''}\t${event.reason ?? ''}\t${eventAge(event, look.nowMs)}\t${source}\t${fieldPath ? `${fieldPath}: ` : ''}${message}`);
  });
  return `Events:\n  Type\tReason\tAge\tFrom\tMessage\n  ----\t------\t----\t----\t-------\n${shown.join('')}`;
}
