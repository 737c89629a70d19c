import { applyDefaults } from '../../api/default.ts';
import { decodeStruct } from '../../api/decode.ts';
import { errorBody, invalid } from '../../api/meta/field-error.ts';
import { goJson, goValue } from '../../api/meta/go-text.ts';
import { jsonPatch, mergePatch, strategicMergePatch, type JsonPatchOperation } from '../../api/meta/patches.ts';
import { badRequest, invalidStatus, isStatus, notFoundStatus } from '../../api/meta/status.ts';
import { apiVersionOf, type ApiObject } from '../../api/resources.ts';
import type { Status } from '../../api/schema/types.ts';
import { compareText } from '../../sim/plain.ts';
import { apply } from './apply.ts';
import type { Call, Outcome } from './environment.ts';
import { checkName, plainError, updateDecoded } from './update.ts';
import { stored, thaw } from './write.ts';

/** PATCH. Upstream: apiserver pkg/endpoints/handlers/patch.go. */
export function patch(call: Call): Outcome {
  const { patch: asked } = call.request;
  if (asked === undefined) return badRequest('patch is missing');
  if (asked.type === 'apply') return apply(call, asked.body);
  const old = stored(call);
  if (old === undefined) return notFoundStatus(call.info, call.name);
  const patched = patchedObject(call, old);
  if (isStatus(patched)) return patched;
  const refusal = checkName(call, patched);
  return refusal ?? updateDecoded(call, patched, old);
}

/** The object with the patch applied, decoded and defaulted; any struct, so that scale can be patched as well. */
export function patchedObject(call: Call, old: ApiObject, struct = call.info.struct ?? call.info.kind): Outcome {
  const { type, body } = call.request.patch as { type: 'json' | 'merge' | 'strategic'; body: unknown };
  const result = patchedValue(type, old, body, struct);
  if (isStatus(result)) return result;
  const value = result as ApiObject;
  // What is shared with the stored object is frozen; a component's own write needs no second look.
  if (call.caller.inside) return value;
  const expected = struct === call.info.kind ? apiVersionOf(call.info) : old.apiVersion;
  const wrong = (why: string) => refusePatch(type, body, value, why);
  if ((value.kind || old.kind) !== old.kind || (value.apiVersion || expected) !== expected) return wrong(wrongKind(value, old, call));
  const decoded = decodeStruct(struct, value);
  if (decoded.error !== undefined) return wrong(decoded.error);
  const mode = call.options.fieldValidation ?? 'Warn';
  // Without a version the strict decoder knows no field at all.
  if (!value.apiVersion) decoded.strict.unshift(...Object.keys(value).filter((key) => key !== 'apiVersion' && key !== 'kind').sort(compareText).map((key) => `unknown field ${JSON.stringify(key)}`));
  if (mode === 'Strict' && decoded.strict.length > 0) return wrong(`strict decoding error: ${decoded.strict.join(', ')}`);
  if (mode === 'Warn') call.warnings.push(...decoded.strict);
  const object = thaw({ ...decoded.value, apiVersion: old.apiVersion, kind: old.kind }) as unknown as ApiObject;
  if (struct === (call.info.struct ?? call.info.kind)) applyDefaults(call.info, object);
  return object;
}

function patchedValue(type: 'json' | 'merge' | 'strategic', old: ApiObject, body: unknown, struct: string): unknown {
  if (type === 'merge') {
    return typeof body === 'object' && body !== null && !Array.isArray(body) ? mergePatch(old, body) : badRequest('invalid JSON patch');
  }
  if (type === 'json') {
    if (!Array.isArray(body)) return badRequest('error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp');
    const result = jsonPatch(old, body as JsonPatchOperation[]);
    return 'error' in result ? rejected : result.value;
  }
  const result = strategicMergePatch(old, body, struct);
  if (!('error' in result)) return result.value;
  return result.error.startsWith('invalid patch format') ? badRequest(result.error) : plainError(result.error);
}

const rejected: Status = {
  kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure',
  message: 'the server rejected our request due to an error in our request', reason: 'Invalid', details: {}, code: 422,
};

function refusePatch(type: string, body: unknown, value: ApiObject, why: string): Status {
  const shown = type === 'strategic' ? goValue(body) : goJson(inGoOrder(value));
  const error = invalid('patch', shown, why);
  return { ...invalidStatus({ kind: '', group: '' }, '', [error]), details: { causes: [{ reason: error.type, message: errorBody(error), field: error.field }] } };
}

const metadataOrder = [
  'name', 'generateName', 'namespace', 'uid', 'resourceVersion', 'generation', 'creationTimestamp', 'deletionTimestamp', 'deletionGracePeriodSeconds', 'labels', 'annotations',
  'ownerReferences', 'finalizers', 'managedFields',
];

/** As the patch library leaves it: the outermost keys sorted, the metadata in the order of its struct. */
function inGoOrder(value: ApiObject): unknown {
  const rank = (key: string) => metadataOrder.indexOf(key) + 1 || metadataOrder.length + 1;
  const metadata = Object.fromEntries(Object.entries(value.metadata ?? {}).sort(([a], [b]) => rank(a) - rank(b)));
  return Object.fromEntries(Object.entries({ ...value, metadata }).sort(([a], [b]) => compareText(a, b)));
}

function wrongKind(value: ApiObject, old: ApiObject, call: Call): string {
  return value.apiVersion === old.apiVersion
    ? `converting (${call.info.version}.${value.kind}) to (core.${old.kind}): unknown conversion`
    : `no kind "${value.kind}" is registered for version "${value.apiVersion}" in scheme "pkg/runtime/scheme.go:111"`;
}
