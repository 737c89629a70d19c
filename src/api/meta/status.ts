import type { ResourceInfo } from '../resources.ts';
import type { Status, StatusCause, StatusDetails } from '../schema/types.ts';
import { aggregateText, errorBody, type FieldError } from './field-error.ts';
import { goQuote } from './go-text.ts';

/** Upstream: apimachinery pkg/api/errors/errors.go. */
function failure(code: number, reason: string, message: string, details?: StatusDetails): Status {
  return {
    kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message,
    ...(reason === '' ? {} : { reason }), ...(details === undefined ? {} : { details }), code,
  };
}

/** What errors need to know of a resource: a row of the resource table fits. */
export type ResourceRef = Pick<ResourceInfo, 'plural' | 'group' | 'kind'>;

const qualified = (word: string, group: string) => (group === '' ? word : `${word}.${group}`);
const detailsOf = (kind: string, group: string, name: string): StatusDetails => ({
  ...(name === '' ? {} : { name }), ...(group === '' ? {} : { group }), kind,
});
const about = (info: ResourceRef, name: string) => detailsOf(info.plural, info.group, name);
const titled = (info: ResourceRef, name: string) => `${qualified(info.plural, info.group)} ${goQuote(name)}`;

export const notFoundStatus = (info: ResourceRef, name: string): Status => failure(404, 'NotFound', `${titled(info, name)} not found`, about(info, name));

export const alreadyExists = (info: ResourceRef, name: string, beingDeleted = false): Status =>
  failure(409, 'AlreadyExists', `${beingDeleted ? 'object is being deleted: ' : ''}${titled(info, name)} already exists`, about(info, name));

/** After eight generated names that are all taken. */
export const generateNameConflict = (info: ResourceRef, name: string): Status =>
  failure(409, 'AlreadyExists', `${titled(info, name)} already exists, the server was not able to generate a unique name for the object`, {
    ...about(info, name), retryAfterSeconds: 1,
  });

export const staleObject = 'the object has been modified; please apply your changes to the latest version and try again';

export const conflict = (info: ResourceRef, name: string, why: string = staleObject): Status =>
  failure(409, 'Conflict', `Operation cannot be fulfilled on ${titled(info, name)}: ${why}`, about(info, name));

/** Server-side apply met fields of other managers. */
export function applyConflict(causes: readonly { manager: string; field: string }[], message: string): Status {
  return failure(409, 'Conflict', message, {
    causes: causes.map(({ manager, field }) => ({ reason: 'FieldManagerConflict', message: `conflict with ${goQuote(manager)}`, field })),
  });
}

export function invalidStatus(info: Pick<ResourceInfo, 'kind' | 'group'>, name: string, errors: readonly FieldError[]): Status {
  const causes: StatusCause[] = errors.map((error) => ({ reason: error.type, message: errorBody(error), field: error.field }));
  return failure(422, 'Invalid', `${qualified(info.kind, info.group)} ${goQuote(name)} is invalid: ${aggregateText(errors)}`, {
    ...detailsOf(info.kind, info.group, name), causes,
  });
}

/** Without a name (generateName not yet resolved) the text has none. */
export const forbiddenStatus = (info: ResourceRef, name: string, why: string, causes?: StatusCause[]): Status =>
  failure(403, 'Forbidden', `${name === '' ? qualified(info.plural, info.group) : titled(info, name)} is forbidden: ${why}`, {
    ...about(info, name), ...(causes === undefined ? {} : { causes }),
  });

export const badRequest = (message: string): Status => failure(400, 'BadRequest', message);

export const tooManyRequests = (message: string, retryAfterSeconds: number, causes?: StatusCause[]): Status =>
  failure(429, 'TooManyRequests', message, {
    ...(causes === undefined ? {} : { causes }), ...(retryAfterSeconds > 0 ? { retryAfterSeconds } : {}),
  });

export const expired = (message: string): Status => failure(410, 'Expired', message);

export const timeoutStatus = (message: string, retryAfterSeconds = 0): Status =>
  failure(504, 'Timeout', `Timeout: ${message}`, retryAfterSeconds > 0 ? { retryAfterSeconds } : {});

export const internalStatus = (why: string): Status =>
  failure(500, 'InternalError', `Internal error occurred: ${why}`, { causes: [{ message: why }] });

/** The generic texts of a server that knows no such path or verb. */
export const noSuchPath = (): Status => failure(404, 'NotFound', 'the server could not find the requested resource', {});

export const methodNotAllowed = (message = 'the server does not allow this method on the requested resource'): Status =>
  failure(405, 'MethodNotAllowed', message, {});

export const unsupportedMediaType = (message: string): Status => failure(415, 'UnsupportedMediaType', message);

export const goneStatus = (message: string): Status => failure(410, 'Gone', message);

export const isStatus = (value: unknown): value is Status => typeof value === 'object' && value !== null && (value as Status).kind === 'Status';

/** The answer to a DELETE that left nothing to return. */
export const deletedStatus = (info: ResourceRef, name: string, uid: string): Status => ({
  kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details: { ...about(info, name), uid },
});
