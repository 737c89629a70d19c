import { alreadyExists, generateNameConflict, invalidStatus, isStatus } from '../../api/meta/status.ts';
import { validateCreate, warningsFor } from '../../api/validate.ts';
import type { ApiObject } from '../../api/resources.ts';
import { admit, validateAdmission } from './admission/chain.ts';
import type { Call, Outcome } from './environment.ts';
import { ownedAfterUpdate, withManagers } from './managed-fields.ts';
import { generateName, systemMetadata, writerOf } from './metadata.ts';
import { strategyOf } from './registry/table.ts';
import { checkNamespace, readObject, stored, write } from './write.ts';

/** Upstream: apiserver pkg/registry/generic/registry/store.go maxNameGenerationCreateAttempts. */
const maxGeneratedNames = 8;

/** POST. Upstream: apiserver pkg/endpoints/handlers/create.go, registry/generic/registry/store.go Create. */
export function create(call: Call): Outcome {
  const object = readObject(call, call.request.object);
  if (isStatus(object)) return object;
  return createDecoded(call, object);
}

/** `manage` says who owns the fields, if not the writer. */
export function createDecoded(call: Call, object: ApiObject, manage = ownAll(call)): Outcome {
  const wrongPlace = checkNamespace(call, object);
  if (wrongPlace !== undefined) return wrongPlace;
  const admitted = admit(call, object, undefined);
  if (isStatus(admitted)) return admitted;
  const base = admitted.metadata.name ? undefined : admitted.metadata.generateName;
  let next = prepare(call, admitted);
  for (let attempt = 0; base && attempt < maxGeneratedNames; attempt++) {
    next = withName(next, generateName(base, call));
    if (stored(call, next.metadata.name) === undefined) break;
  }
  // Addresses and ports are given out before the object is looked at as a whole.
  const ready = strategyOf(call.info.resource).beforeStore?.(next, undefined, call) ?? next;
  if (isStatus(ready)) return ready;
  next = ready;
  const refusal = check(call, next);
  if (refusal !== undefined) return refusal;
  const existing = stored(call, next.metadata.name);
  if (existing !== undefined) {
    if (base) return generateNameConflict(call.info, next.metadata.name);
    return alreadyExists(call.info, next.metadata.name, existing.metadata.deletionTimestamp !== undefined);
  }
  call.created = true;
  return write(call, manage(next), undefined);
}

const ownAll = (call: Call) => (object: ApiObject): ApiObject => (call.caller.inside ? object : withManagers(object, ownedAfterUpdate(object, undefined, call.info, writerOf(call))));

const withName = (object: ApiObject, name: string): ApiObject => ({ ...object, metadata: { ...object.metadata, name } });

/** Upstream: apiserver pkg/registry/rest/create.go BeforeCreate. */
function prepare(call: Call, object: ApiObject): ApiObject {
  const strategy = strategyOf(call.info.resource);
  let next: ApiObject = { ...object, metadata: systemMetadata(object.metadata, call, strategy) };
  if (strategy.hasStatus && strategy.initialStatus !== undefined) next = { ...next, status: strategy.initialStatus(next, call) } as ApiObject;
  return strategy.prepareForCreate?.(next, call) ?? next;
}

function check(call: Call, next: ApiObject): Outcome | undefined {
  const strategy = strategyOf(call.info.resource);
  if (!call.caller.inside) {
    const errors = [...validateCreate(call.info, next), ...(strategy.validate?.(next, undefined, call) ?? [])];
    if (errors.length > 0) return invalidStatus(call.info, next.metadata.name, errors);
    call.warnings.push(...warningsFor(call.info, next));
  }
  return validateAdmission(call, next, undefined);
}
