import { badRequest, internalStatus, isStatus, methodNotAllowed, noSuchPath } from '../../../api/meta/status.ts';
import type { ApiObject, NewObject, ResourceInfo } from '../../../api/resources.ts';
import type { Status } from '../../../api/schema/types.ts';
import type { ApiList, ApiRequest, ApiResponse, ApiVerb, Subresource } from '../../component.ts';
import type { ServerEnvironment } from '../environment.ts';
import { handleRequest } from '../server.ts';
import { emptyBody, readBody } from './body.ts';
import { discover, discoverAll } from './discovery.ts';
import { checkNodeRequest } from './node-requests.ts';
import { openApi } from './openapi.ts';
import { readOptions } from './options.ts';
import { handled, parsePath, type Target } from './paths.ts';
import { partialMetadata, tableOf } from './table.ts';
import { toWire } from './wire.ts';

export interface HttpRequest {
  method: string;
  path: string;
  query: Readonly<Record<string, string>>;
  headers: Readonly<Record<string, string>>;
  body?: unknown;
}

export interface HttpResponse {
  code: number;
  headers: Record<string, string>;
  body: unknown;
  warnings: string[];
}

const json = { 'Content-Type': 'application/json' };

const respond = (code: number, body: unknown, warnings: string[] = []): HttpResponse => ({ code, headers: { ...json }, body, warnings });
const plain = (code: number, body: string): HttpResponse => ({ code, headers: { 'Content-Type': 'text/plain; charset=utf-8' }, body, warnings: [] });
const refuse = (status: Status, warnings: string[] = []): HttpResponse => respond(status.code ?? 500, status, warnings);

/** The REST surface: one HTTP request, answered whole. A watch answers like a list here: whoever streams uses http/watch.ts. */
export function handleHttp(env: ServerEnvironment, request: HttpRequest): HttpResponse {
  const { path, method } = request;
  const accept = header(request, 'accept');
  if (/^\/(healthz|livez|readyz)(\/|$)/.test(path)) return plain(200, 'ok');
  if (method === 'GET' && accept.includes('as=APIGroupDiscoveryList') && /^\/apis?\/?$/.test(path)) {
    return { ...respond(200, discoverAll(path)), headers: { 'Content-Type': 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList' } };
  }
  const found = discover(path) ?? openApi(path);
  if (found !== undefined) return method === 'GET' ? respond(200, found) : refuse(methodNotAllowed());
  const target = parsePath(path);
  if (target === undefined) return plain(404, '404 page not found\n');
  if (target === 'unknown') return refuse(noSuchPath());
  if (nodeSubresources.includes(target.subresource)) return serveNode(env, request, target);
  const verb = verbOf(method, target);
  if (verb === undefined || !handled.has(target.subresource)) return refuse(methodNotAllowed());
  return serve(env, request, target, verb, accept);
}

const nodeSubresources = ['log', 'exec', 'attach', 'portforward'];

/** Nothing here speaks to nodes: what passes the checks is for whoever owns them. */
function serveNode(env: ServerEnvironment, request: HttpRequest, target: Target): HttpResponse {
  const checked = checkNodeRequest(env, target, request.query);
  if ('status' in checked) return refuse(checked.status);
  if ('empty' in checked) return plain(204, '');
  return refuse(internalStatus('no connection to the node'));
}

export function header(request: HttpRequest, name: string): string {
  const key = Object.keys(request.headers).find((candidate) => candidate.toLowerCase() === name);
  return key === undefined ? '' : (request.headers[key] ?? '');
}

/** What a method means here; undefined: not allowed. */
function verbOf(method: string, { info, name, namespace, subresource }: Target): ApiVerb | undefined {
  const whole = name === '';
  switch (method) {
    case 'GET': return whole ? 'list' : 'get';
    case 'POST': return subresource === '' ? (whole && (!info.namespaced || namespace !== '') ? 'create' : undefined)
      : ['binding', 'eviction', 'token'].includes(subresource) ? 'create' : undefined;
    case 'PUT': return whole ? undefined : 'update';
    case 'PATCH': return whole ? undefined : 'patch';
    case 'DELETE': return subresource !== '' ? undefined : !whole ? 'delete' : !info.namespaced || namespace !== '' ? 'deletecollection' : undefined;
    default: return undefined;
  }
}

const patchTypes: Readonly<Record<string, 'json' | 'merge' | 'strategic' | 'apply'>> = {
  'application/json-patch+json': 'json',
  'application/merge-patch+json': 'merge',
  'application/strategic-merge-patch+json': 'strategic',
  'application/apply-patch+yaml': 'apply',
};

function serve(env: ServerEnvironment, request: HttpRequest, target: Target, verb: ApiVerb, accept: string): HttpResponse {
  const form = formOf(accept);
  if (isStatus(form)) return refuse(form);
  const { info, namespace, name, subresource } = target;
  const type = verb === 'patch' ? patchTypes[header(request, 'content-type').split(';')[0]?.trim() ?? ''] : undefined;
  if (verb === 'patch' && type === undefined) {
    return refuse({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message: '415: Unsupported Media Type', reason: 'UnsupportedMediaType', details: {}, code: 415 });
  }
  const body = verb === 'get' || verb === 'list' ? { value: undefined, warnings: [] } : readBody(request.body, info, type, request.query.fieldValidation, header(request, 'content-type'));
  if ('error' in body) return refuse(body.error);
  if (body.value === undefined && (verb === 'create' || verb === 'update')) return refuse(emptyBody(info));
  const options = readOptions(verb, request.query, body.value, type === 'apply');
  if (isStatus(options)) return refuse(options);
  const agent = header(request, 'user-agent').split('/')[0];
  if (agent && options.fieldManager === undefined && type !== 'apply') options.fieldManager = agent;
  const call: ApiRequest = {
    verb, resource: info.resource, namespace, name, options,
    ...(subresource === '' ? {} : { subresource: subresource as Subresource }),
    ...(verb === 'create' || verb === 'update' ? { object: body.value as NewObject } : {}),
    ...(type === undefined ? {} : { patch: { type, body: body.value } }),
  };
  const response = handleRequest(env, call, { actor: env.actor, inside: false });
  return render(info, response, form, request.query, env.epochMs, [...body.warnings, ...(response.warnings ?? [])]);
}

type Form = 'object' | 'table' | 'metadata';

/** What of the accepted forms to answer in. Upstream: apiserver pkg/endpoints/handlers/negotiation. */
function formOf(accept: string): Form | Status {
  if (accept === '' || accept === '*/*') return 'object';
  const offers = accept.split(',').map((offer) => offer.trim());
  for (const offer of offers) {
    if (!/^(application\/(json|yaml|vnd\.kubernetes\.protobuf|\*)|\*\/\*)/.test(offer)) continue;
    const as = /;\s*as=([A-Za-z]+)/.exec(offer)?.[1];
    if (as === undefined) return 'object';
    if (as === 'Table') return 'table';
    if (as.startsWith('PartialObjectMetadata')) return 'metadata';
  }
  const notAcceptable = (message: string, details?: object): Status =>
    ({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason: 'NotAcceptable', ...(details === undefined ? {} : { details }), code: 406 });
  return accept.includes('as=')
    ? notAcceptable('only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf')
    : notAcceptable('406: Not Acceptable\n\nAvailable representations: application/json, application/yaml, application/vnd.kubernetes.protobuf', {});
}

function render(
  info: ResourceInfo, { code, object, status }: ApiResponse, form: Form, query: Readonly<Record<string, string>>, nowEpochMs: number, warnings: string[],
): HttpResponse {
  if (object === undefined) return respond(code, status, warnings);
  if (form === 'table') {
    const included = query.includeObject || 'Metadata';
    if (!['Metadata', 'Object', 'None'].includes(included)) {
      return refuse(badRequest(`Unable to convert to Table as requested: includeObject: Invalid value: ${JSON.stringify(included)}: must be 'Metadata', 'Object', 'None', or empty`));
    }
    return respond(code, tableOf(info, object, included as 'Metadata', nowEpochMs), warnings);
  }
  const isList = 'items' in object;
  if (form === 'metadata') {
    const body = isList ? { kind: 'PartialObjectMetadataList', apiVersion: 'meta.k8s.io/v1', metadata: object.metadata, items: (object as ApiList).items.map(partialMetadata) }
      : partialMetadata(object as ApiObject);
    return respond(code, body, warnings);
  }
  return respond(code, isList ? withoutKinds(info, object as ApiList) : object.kind === info.kind ? toWire(info, object) : object, warnings);
}

/** The items of a typed list carry neither kind nor apiVersion. */
const withoutKinds = (info: ResourceInfo, list: ApiList): object => ({
  ...list,
  items: list.items.map((object) => {
    const { kind: _1, apiVersion: _2, ...rest } = toWire(info, object);
    return rest;
  }),
});
