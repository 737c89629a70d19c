import { apiVersionOf, resourceOfKind, resources, type ApiObject, type ResourceInfo } from '../api/resources.ts';
import type { ApiClient, RestRequest, RestResponse } from './contract.ts';
import { isFailure, statusError } from './failure.ts';

/** The path of a resource, or of one object in it. */
export function pathOf(info: ResourceInfo, namespace: string, name?: string, subresource?: string): string {
  const root = info.group === '' ? `/api/${info.version}` : `/apis/${apiVersionOf(info)}`;
  const place = info.namespaced && namespace !== '' ? `/namespaces/${namespace}` : '';
  return `${root}${place}/${info.plural}${name === undefined ? '' : `/${name}`}${subresource === undefined ? '' : `/${subresource}`}`;
}

export interface Ask {
  query?: Record<string, string>;
  accept?: string;
  body?: unknown;
  contentType?: string;
}

export function ask(client: ApiClient, method: RestRequest['method'], path: string, { query = {}, accept, body, contentType }: Ask = {}): RestResponse {
  const headers: Record<string, string> = { Accept: accept ?? 'application/json' };
  if (body !== undefined) headers['Content-Type'] = contentType ?? 'application/json';
  return client.request({ method, path, query, headers, ...(body === undefined ? {} : { body }) });
}

/** GET of one object; undefined when there is none. Throws what kubectl prints for other errors. */
export function getObject(client: ApiClient, info: ResourceInfo, namespace: string, name: string): ApiObject | undefined {
  const response = ask(client, 'GET', pathOf(info, namespace, name));
  if (response.code === 404) return undefined;
  if (isFailure(response)) throw statusError(response);
  return response.body as ApiObject;
}

/** A word for a resource as users type it: 'po', 'pod', 'Pods', 'deployments.apps', 'deployment.v1.apps'. */
export function resourceOfWord(word: string): ResourceInfo | undefined {
  const lower = word.toLowerCase();
  const [name, ...rest] = lower.split('.');
  const group = /^v\d/.test(rest[0] ?? '') ? rest.slice(1).join('.') : rest.join('.');
  return resources.find((info) => {
    if (rest.length > 0 && info.group !== group) return false;
    return info.plural === name || info.singular === name || info.shortNames.includes(name as string);
  });
}

/** 'pod/web', 'deployment.apps/web', 'job.batch/x': how kubectl names an object in its output. */
export function printedName(info: ResourceInfo, name: string): string {
  return `${info.singular}${info.group === '' ? '' : `.${info.group}`}/${name}`;
}

export { resourceOfKind };
