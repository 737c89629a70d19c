import { forbidden, invalid, notSupported, required, tooLong, type FieldError } from '../../../api/meta/field-error.ts';
import { badRequest, invalidStatus, isStatus } from '../../../api/meta/status.ts';
import type { Status } from '../../../api/schema/types.ts';
import type { ApiVerb, RequestOptions } from '../../component.ts';

type Query = Readonly<Record<string, string>>;

const kinds: Partial<Record<ApiVerb, string>> = {
  create: 'CreateOptions', update: 'UpdateOptions', patch: 'PatchOptions', delete: 'DeleteOptions', deletecollection: 'DeleteOptions', list: 'ListOptions',
};

/** The request's options from its query and, for DELETE, its body. Upstream: apimachinery pkg/apis/meta/v1/validation. */
export function readOptions(verb: ApiVerb, query: Query, body: unknown, isApply: boolean): RequestOptions | Status {
  if (verb === 'get') return {};
  const options: RequestOptions & { dryRunList?: string[] } = {};
  const errors: FieldError[] = [];
  if (verb === 'list' || verb === 'deletecollection') {
    const refusal = readListOptions(query, options, errors, verb);
    if (refusal !== undefined) return refusal;
  }
  if (verb === 'delete' || verb === 'deletecollection') {
    const refusal = readDeleteOptions(query, body, options, errors);
    if (refusal !== undefined) return refusal;
  } else if (verb !== 'list') readWriteOptions(verb, query, options, errors, isApply);
  return errors.length === 0 ? options : invalidStatus({ kind: kinds[verb] ?? '', group: 'meta.k8s.io' }, '', errors);
}

function readDryRun(values: readonly string[], options: RequestOptions, errors: FieldError[]): void {
  if (values.some((value) => value !== 'All')) errors.push(notSupported('dryRun', values, ['All']));
  if (values.length > 0) options.dryRun = true;
}

function readWriteOptions(verb: ApiVerb, query: Query, options: RequestOptions, errors: FieldError[], isApply: boolean): void {
  const { fieldManager, fieldValidation, force } = query;
  if (verb === 'patch') {
    if (!isApply && force !== undefined) errors.push(forbidden('force', 'may not be specified for non-apply patch'));
    if (isApply && !fieldManager) errors.push(required('fieldManager', 'is required for apply patch'));
  }
  if (fieldManager !== undefined && fieldManager.length > 128) errors.push(tooLong('fieldManager', 128));
  if (query.dryRun !== undefined) readDryRun([query.dryRun], options, errors);
  if (fieldValidation) {
    if (!['Ignore', 'Warn', 'Strict'].includes(fieldValidation)) errors.push(notSupported('fieldValidation', fieldValidation, ['', 'Ignore', 'Strict', 'Warn']));
    options.fieldValidation = fieldValidation as 'Strict';
  }
  if (fieldManager) options.fieldManager = fieldManager;
  if (force === 'true' || force === '1') options.force = true;
}

const policies = ['Foreground', 'Background', 'Orphan', 'nil'];

function readDeleteOptions(query: Query, body: unknown, options: RequestOptions, errors: FieldError[]): Status | undefined {
  const given = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>;
  if (given.kind !== undefined && given.kind !== 'DeleteOptions') {
    return badRequest(`no kind ${JSON.stringify(given.kind)} is registered for version ${JSON.stringify(given.apiVersion ?? '')} in scheme "pkg/runtime/scheme.go:111"`);
  }
  const seconds = query.gracePeriodSeconds;
  if (body === undefined && seconds !== undefined && !/^[+-]?\d+$/.test(seconds)) {
    return badRequest(`strconv.ParseInt: parsing ${JSON.stringify(seconds)}: invalid syntax`);
  }
  const grace = given.gracePeriodSeconds ?? (seconds === undefined ? undefined : Number(seconds));
  if (typeof grace === 'number') options.gracePeriodSeconds = grace;
  const policy = given.propagationPolicy ?? query.propagationPolicy;
  const orphan = given.orphanDependents ?? (query.orphanDependents === undefined ? undefined : query.orphanDependents === 'true');
  if (typeof policy === 'string') {
    if (orphan !== undefined) errors.push(invalid('propagationPolicy', policy, 'orphanDependents and deletionPropagation cannot be both set'));
    else if (!policies.includes(policy)) errors.push(notSupported('propagationPolicy', policy, policies, false));
    else options.propagationPolicy = policy as 'Background';
  } else if (orphan !== undefined) options.propagationPolicy = orphan === true ? 'Orphan' : 'Background';
  const dryRun = Array.isArray(given.dryRun) ? (given.dryRun as string[]) : query.dryRun === undefined ? [] : [query.dryRun];
  readDryRun(dryRun, options, errors);
  if (typeof given.preconditions === 'object' && given.preconditions !== null) options.preconditions = given.preconditions;
  return undefined;
}

function readListOptions(query: Query, options: RequestOptions, errors: FieldError[], verb: ApiVerb): Status | undefined {
  const { labelSelector, fieldSelector, limit, resourceVersion, resourceVersionMatch: match } = query;
  if (labelSelector) options.labelSelector = labelSelector;
  if (fieldSelector) options.fieldSelector = fieldSelector;
  if (limit && Number(limit) > 0) options.limit = Number(limit);
  if (query.continue) options.continue = query.continue;
  if (verb !== 'list') return undefined;
  if (match) {
    if (!resourceVersion) errors.push(forbidden('resourceVersionMatch', 'resourceVersionMatch is forbidden unless resourceVersion is provided'));
    else if (match !== 'Exact' && match !== 'NotOlderThan') errors.push(notSupported('resourceVersionMatch', match, ['Exact', 'NotOlderThan', ''], false));
    else if (match === 'Exact' && resourceVersion === '0') {
      errors.push(forbidden('resourceVersionMatch', 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"'));
    }
  }
  if (query.sendInitialEvents !== undefined) errors.push(forbidden('sendInitialEvents', 'sendInitialEvents is forbidden for list'));
  if (errors.length > 0 || !resourceVersion || /^\d+$/.test(resourceVersion)) return undefined;
  const why = `strconv.ParseUint: parsing ${JSON.stringify(resourceVersion)}: invalid syntax`;
  return badRequest(`invalid resource version: resourceVersion: Invalid value: ${JSON.stringify(resourceVersion)}: ${why}`);
}

export { isStatus };
