import { applyDefaults } from '../../api/default.ts';
import { decodeStruct } from '../../api/decode.ts';
import { fieldsOf, type Field } from '../../api/fields.ts';
import { applyConflict, badRequest, isStatus } from '../../api/meta/status.ts';
import { apiVersionOf, type ApiObject } from '../../api/resources.ts';
import type { Status } from '../../api/schema/types.ts';
import { compareText, samePlain } from '../../sim/plain.ts';
import { formatRfc3339 } from '../../sim/time.ts';
import { createDecoded } from './create.ts';
import type { Call, Outcome } from './environment.ts';
import {
  comparePaths, isAtomic, itemKey, leavesOf, managersOf, ownedAfterUpdate, pathText, shapeOf, structOf, withManagers, type Leaves, type Manager, type Path,
} from './managed-fields.ts';
import { checkName, plainError, updateDecoded } from './update.ts';
import { stored, thaw } from './write.ts';

type Plain = Record<string, unknown>;

/** PATCH with application/apply-patch+yaml. Upstream: apiserver handlers/patch.go applyPatcher, apimachinery managedfields fieldmanager.go. */
export function apply(call: Call, body: unknown): Outcome {
  const config = readConfig(call, body);
  if (isStatus(config)) return config;
  const refusal = checkName(call, config);
  if (refusal !== undefined) return refusal;
  const old = stored(call);
  const struct = structOf(call.info);
  const asked = leavesOf(config, struct);
  if (old === undefined) {
    const object = thaw(config);
    applyDefaults(call.info, object);
    return createDecoded(call, object, (next) => withManagers(next, [entryOf(call, asked)]));
  }
  const managers = takeOver(call, old);
  const mine = managers.find((entry) => isMine(call, entry));
  const others = managers.filter((entry) => entry !== mine);
  const lost = conflicts(asked, leavesOf(old, struct), others);
  if (lost.length > 0 && call.options.force !== true) return refuse(lost);
  for (const { entry, path } of lost) entry.owned.delete(path);
  const gone = new Set([...(mine?.owned ?? [])].filter((path) => !asked.has(path) && !others.some(({ owned }) => owned.has(path))));
  const merged = thaw(without(merge(old as unknown as Plain, config as unknown as Plain, struct), struct, [], gone)) as unknown as ApiObject;
  applyDefaults(call.info, merged);
  const next = entryOf(call, asked);
  const kept = mine !== undefined && sameSet(mine.owned, next.owned) ? mine : next;
  return updateDecoded(call, merged, old, (result) => withManagers(result, mine === undefined ? [...managers, kept] : managers.map((entry) => (entry === mine ? kept : entry))));
}

const sameSet = (a: ReadonlySet<Path>, b: ReadonlySet<Path>): boolean => a.size === b.size && [...a].every((path) => b.has(path));

const isMine = (call: Call, entry: Manager): boolean => entry.operation === 'Apply' && entry.manager === call.options.fieldManager;

function entryOf(call: Call, asked: Leaves): Manager {
  return {
    manager: call.options.fieldManager ?? '', operation: 'Apply', apiVersion: apiVersionOf(call.info), time: formatRfc3339(call.env.epochMs), owned: new Set(asked.keys()),
  };
}

/** The managers before the apply. An object that nobody tracked belongs to "before-first-apply"; what kubectl applied the old way becomes its own. */
function takeOver(call: Call, old: ApiObject): Manager[] {
  const managers = managersOf(old);
  if (managers.length === 0) return ownedAfterUpdate(old, undefined, call.info, { manager: 'before-first-apply', time: formatRfc3339(call.env.epochMs) });
  const manager = call.options.fieldManager ?? '';
  if (manager !== 'kubectl' || managers.some((entry) => isMine(call, entry))) return managers;
  // Simplified: kubectl itself rewrites the old entry before it applies (csaupgrade).
  return managers.map((entry) => (entry.manager === 'kubectl-client-side-apply' ? { ...entry, manager, operation: 'Apply' } : entry));
}

function readConfig(call: Call, body: unknown): Outcome {
  const config = body as ApiObject | undefined;
  const expected = apiVersionOf(call.info);
  if (typeof config !== 'object' || config === null) return badRequest('error decoding YAML: the body is no object');
  const { apiVersion = '', kind = '' } = config;
  if (apiVersion === '' || kind === '') return badRequest(`invalid object type: ${apiVersion === '' ? '/' : apiVersion}, Kind=${kind}`);
  if (config.metadata?.managedFields !== undefined) return badRequest('metadata.managedFields must be nil');
  const struct = structOf(call.info);
  const decoded = decodeStruct(struct, config);
  const typed = (why: string) => plainError(`failed to create typed patch object (${config.metadata?.namespace ?? ''}/${config.metadata?.name ?? ''}; ${expected}, Kind=${call.info.kind}): ${why}`);
  const unknown = decoded.strict.map((text) => /unknown field "(.*)"/.exec(text)?.[1]).find((path) => path !== undefined);
  if (unknown !== undefined) return typed(`.${unknown}: field not declared in schema`);
  if (decoded.error !== undefined) return typed(decoded.error);
  const twice = duplicateKey(decoded.value, struct, '');
  if (twice !== undefined) return typed(twice);
  return { ...decoded.value, apiVersion, kind, metadata: decoded.value.metadata ?? {} } as unknown as ApiObject;
}

function duplicateKey(value: Plain, struct: string, at: string): string | undefined {
  for (const [name, field] of fieldsOf(struct) ?? []) {
    const part = value[name];
    if (typeof part !== 'object' || part === null) continue;
    const shape = shapeOf(struct, name, field, part);
    const items = shape === 'keyed' ? (part as Plain[]) : [];
    const seen = new Set<string>();
    for (const item of items) {
      const key = itemKey(item, field);
      if (seen.has(key)) return `${at}.${name}: duplicate entries for key ${pathText(JSON.stringify([key]))}`;
      seen.add(key);
    }
    const inner = shape === 'struct' ? duplicateKey(part as Plain, field.type, `${at}.${name}`)
      : items.map((item) => duplicateKey(item, field.type, `${at}.${name}${pathText(JSON.stringify([itemKey(item, field)]))}`)).find((text) => text !== undefined);
    if (inner !== undefined) return inner;
  }
  return undefined;
}

/** Fields that the apply would change and that another manager owns. */
function conflicts(asked: Leaves, live: Leaves, others: readonly Manager[]): { entry: Manager; path: Path }[] {
  const found: { entry: Manager; path: Path }[] = [];
  for (const [path, value] of asked) {
    if (!live.has(path) || samePlain(live.get(path), value)) continue;
    for (const entry of others) if (entry.owned.has(path)) found.push({ entry, path });
  }
  return found.sort((a, b) => compareText(a.entry.manager, b.entry.manager) || comparePaths(a.path, b.path));
}

function refuse(lost: readonly { entry: Manager; path: Path }[]): Status {
  const causes = lost.map(({ entry, path }) => ({ manager: entry.manager, field: pathText(path) }));
  const [first] = causes;
  if (causes.length === 1 && first !== undefined) return applyConflict(causes, `Apply failed with 1 conflict: conflict with ${JSON.stringify(first.manager)}: ${first.field}`);
  const managers = [...new Set(causes.map(({ manager }) => manager))];
  const blocks = managers.map((manager) => `conflicts with ${JSON.stringify(manager)}:\n${causes.filter((cause) => cause.manager === manager).map(({ field }) => `- ${field}`).join('\n')}`);
  return applyConflict(causes, `Apply failed with ${causes.length} conflicts: ${blocks.join('\n')}`);
}

/** The live object with what the configuration says; list items are matched by key, new ones come last. */
function merge(live: Plain, config: Plain, struct: string): Plain {
  const result: Plain = { ...live };
  for (const [name, field] of fieldsOf(struct) ?? []) {
    const [part, before] = [config[name], live[name]];
    if (part === undefined || part === null) continue;
    const shape = shapeOf(struct, name, field, part);
    if (shape === 'struct') result[name] = merge((before ?? {}) as Plain, part as Plain, field.type);
    else if (shape === 'map') result[name] = { ...(before as Plain | undefined), ...(part as Plain) };
    else if (shape === 'set') result[name] = [...new Set([...((before ?? []) as unknown[]), ...(part as unknown[])])];
    else if (shape === 'keyed') {
      const wanted = new Map((part as Plain[]).map((item) => [itemKey(item, field), item]));
      const items = ((before ?? []) as Plain[]).map((item) => {
        const key = itemKey(item, field);
        const other = wanted.get(key);
        wanted.delete(key);
        return other === undefined ? item : merge(item, other, field.type);
      });
      result[name] = [...items, ...wanted.values()];
    } else if (!isEmptyStruct(struct, name, field, part) || before === undefined) result[name] = part;
  }
  return result;
}

/** An empty struct or map asks for nothing in it, unless it changes as a whole. */
const isEmptyStruct = (struct: string, name: string, field: Field, part: unknown): boolean =>
  typeof part === 'object' && part !== null && !Array.isArray(part) && Object.keys(part).length === 0
  && (field.shape === 'map' || fieldsOf(field.type) !== undefined) && !isAtomic(struct, name, field);

/** The object without the fields that nobody asks for any more. */
function without(value: Plain, struct: string, at: readonly string[], gone: ReadonlySet<Path>): Plain {
  if (gone.size === 0) return value;
  const result: Plain = {};
  for (const name of Object.keys(value)) {
    const part = value[name];
    const field = fieldsOf(struct)?.get(name);
    const path = [...at, `f:${name}`];
    const isGone = (...steps: string[]) => gone.has(JSON.stringify([...path, ...steps]));
    const shape = field === undefined ? 'leaf' : shapeOf(struct, name, field, part);
    let next: unknown = part;
    if (field === undefined || shape === 'leaf') next = isGone() ? undefined : part;
    else if (shape === 'struct') next = without(part as Plain, field.type, path, gone);
    else if (shape === 'map') {
      const entries = Object.entries(part as Plain).filter(([key]) => !isGone(`f:${key}`));
      next = entries.length === 0 ? undefined : Object.fromEntries(entries);
    } else if (shape === 'set') next = (part as unknown[]).filter((item) => !isGone(`v:${JSON.stringify(item)}`));
    else {
      next = (part as Plain[]).filter((item) => !isGone(itemKey(item, field), '.')).map((item) => without(item, field.type, [...path, itemKey(item, field)], gone));
    }
    if (next !== undefined && !(Array.isArray(next) && next.length === 0 && shape !== 'leaf')) result[name] = next;
  }
  return result;
}
