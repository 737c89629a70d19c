import { badRequest, isStatus, notFoundStatus } from '../../api/meta/status.ts';
import type { ApiResponse } from '../component.ts';
import { deleteObject } from './delete.ts';
import type { Call } from './environment.ts';
import { stored } from './write.ts';

/** POST .../eviction. Upstream: pkg/registry/core/pod/storage/eviction.go. */
export function evict(call: Call): ApiResponse {
  const eviction = (call.request.object ?? {}) as { metadata?: { name?: string }; deleteOptions?: { gracePeriodSeconds?: number; preconditions?: { uid?: string; resourceVersion?: string } } };
  const named = eviction.metadata?.name ?? '';
  if (!call.caller.inside && named !== call.name) {
    return refuse(badRequest('name in URL does not match name in Eviction object'));
  }
  const pod = stored(call);
  if (pod === undefined) return refuse(notFoundStatus(call.info, call.name));
  const { gracePeriodSeconds, preconditions } = eviction.deleteOptions ?? {};
  const outcome = deleteObject({
    ...call, subresource: undefined,
    options: { ...call.options, ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }), ...(preconditions === undefined ? {} : { preconditions }) },
  }, pod);
  if (isStatus(outcome) && outcome.status === 'Failure') return refuse(outcome);
  return { code: 201, status: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 } };
}

const refuse = (status: ReturnType<typeof badRequest>): ApiResponse => ({ code: status.code ?? 400, status });
