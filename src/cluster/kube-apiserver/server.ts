import { methodNotAllowed, isStatus } from '../../api/meta/status.ts';
import { resourceInfo } from '../../api/resources.ts';
import type { ApiRequest, ApiResponse } from '../component.ts';
import { create } from './create.ts';
import { deleteCollection, deleteOne } from './delete.ts';
import type { Call, Caller, Outcome, ServerEnvironment } from './environment.ts';
import { patch } from './patch.ts';
import { get, list } from './read.ts';
import { strategyOf } from './registry/table.ts';
import { handleSubresource } from './subresources.ts';
import { update } from './update.ts';

export type { Caller, ServerEnvironment } from './environment.ts';

/** One request, answered at this instant. Everything that changes the cluster passes here. */
export function handleRequest(env: ServerEnvironment, request: ApiRequest, caller: Caller): ApiResponse {
  const info = resourceInfo(request.resource);
  const options = request.options ?? {};
  const call: Call = {
    env, info, caller, request, options,
    subresource: request.subresource,
    namespace: info.namespaced ? (request.namespace ?? '') : '',
    name: request.name ?? '',
    dryRun: options.dryRun === true,
    warnings: [],
    created: false,
  };
  const { deprecation } = strategyOf(info.resource);
  if (deprecation !== undefined && !caller.inside) call.warnings.push(deprecation);
  const response = call.subresource === undefined ? handleVerb(call) : handleSubresource(call);
  return call.warnings.length === 0 ? response : { ...response, warnings: [...new Set(call.warnings)] };
}

function handleVerb(call: Call): ApiResponse {
  switch (call.request.verb) {
    case 'get': return get(call);
    case 'list': return list(call);
    case 'create': return answer(call, create(call));
    case 'update': return answer(call, update(call));
    case 'patch': return answer(call, patch(call));
    case 'delete': return deleteOne(call);
    case 'deletecollection': return deleteCollection(call);
    default: return answer(call, methodNotAllowed());
  }
}

function answer(call: Call, outcome: Outcome): ApiResponse {
  return isStatus(outcome) ? { code: outcome.code ?? 500, status: outcome } : { code: call.created ? 201 : 200, object: outcome };
}
