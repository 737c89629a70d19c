import { fieldsOf, type Field } from '../../api/fields.ts';
import type { ApiObject, ResourceInfo } from '../../api/resources.ts';
import type { ManagedFieldsEntry } from '../../api/schema/types.ts';
import { compareText, samePlain } from '../../sim/plain.ts';

/**
 * Who owns which field of an object. A path is the list of fieldsV1 steps ('f:spec', 'k:{"name":"a"}', 'v:"x"', '.') as one JSON text.
 * Upstream: sigs.k8s.io/structured-merge-diff, apimachinery util/managedfields.
 */
export type Path = string;
type Plain = Record<string, unknown>;

/** Every leaf of an object with its value; an item of a keyed list counts by itself too ('.'). */
export type Leaves = Map<Path, unknown>;

/** Never owned: the server's own, and what names the object. */
const unowned: Readonly<Record<string, readonly string[]>> = {
  '': ['apiVersion', 'kind', 'status'],
  '["f:metadata"]': [
    'name', 'namespace', 'uid', 'resourceVersion', 'generation', 'creationTimestamp', 'selfLink', 'deletionTimestamp', 'deletionGracePeriodSeconds', 'managedFields',
    'generateName',
  ],
};

/** Structs and maps that change as a whole. */
const atomic = new Set([
  'LabelSelector', 'ObjectReference', 'LocalObjectReference', 'SecretKeySelector', 'ConfigMapKeySelector', 'ObjectFieldSelector', 'ResourceFieldSelector',
  'NodeSelector', 'NodeSelectorTerm', 'TypedLocalObjectReference', 'SecretReference', 'CrossVersionObjectReference', 'PodSpec.nodeSelector', 'ServiceSpec.selector',
  'ReplicationControllerSpec.selector',
]);

/** Lists whose items have more than one key. */
const doubleKeys: Readonly<Record<string, readonly string[]>> = {
  ContainerPort: ['containerPort', 'protocol'], ServicePort: ['port', 'protocol'], TopologySpreadConstraint: ['topologyKey', 'whenUnsatisfiable'],
};
const keyDefaults: Readonly<Record<string, string>> = { protocol: 'TCP' };

const isObject = (value: unknown): value is Plain => typeof value === 'object' && value !== null && !Array.isArray(value);

export const structOf = (info: ResourceInfo): string => info.struct ?? info.kind;

/** '{"name":"a"}': how a keyed list's item is known. */
export function itemKey(item: unknown, { type, mergeKey }: Field): string {
  const keys = doubleKeys[type] ?? [mergeKey as string];
  const entries = keys.filter((key) => (item as Plain)[key] !== undefined || keyDefaults[key] !== undefined);
  return `k:${JSON.stringify(Object.fromEntries(entries.map((key) => [key, (item as Plain)[key] ?? keyDefaults[key]])))}`;
}

export const isAtomic = (struct: string, name: string, { type }: Field): boolean => atomic.has(type) || atomic.has(`${struct}.${name}`);

/** What a field is to an owner: a struct or map to go into, a list with keys, a set, or one value. */
export function shapeOf(struct: string, name: string, field: Field, value: unknown): 'struct' | 'map' | 'keyed' | 'set' | 'leaf' {
  if (isAtomic(struct, name, field)) return 'leaf';
  if (field.shape === 'list' && Array.isArray(value)) return field.mergeKey === undefined ? 'leaf' : field.mergeKey === '' ? 'set' : 'keyed';
  if (!isObject(value) || Object.keys(value).length === 0) return 'leaf';
  return field.shape === 'map' ? 'map' : fieldsOf(field.type) === undefined ? 'leaf' : 'struct';
}

export function leavesOf(object: object, struct: string): Leaves {
  const leaves: Leaves = new Map();
  collect(object as Plain, struct, [], leaves);
  return leaves;
}

function collect(value: Plain, struct: string, at: readonly string[], into: Leaves): void {
  const skipped = unowned[at.length === 0 ? '' : JSON.stringify(at)] ?? [];
  for (const [name, field] of fieldsOf(struct) ?? []) {
    const part = value[name];
    if (part === undefined || part === null || skipped.includes(name)) continue;
    const path = [...at, `f:${name}`];
    const shape = shapeOf(struct, name, field, part);
    if (shape === 'struct') collect(part as Plain, field.type, path, into);
    else if (shape === 'map') for (const key of Object.keys(part as Plain)) into.set(JSON.stringify([...path, `f:${key}`]), (part as Plain)[key]);
    else if (shape === 'set') for (const item of part as unknown[]) into.set(JSON.stringify([...path, `v:${JSON.stringify(item)}`]), item);
    else if (shape === 'leaf') into.set(JSON.stringify(path), part);
    else {
      for (const item of part as Plain[]) {
        const inside = [...path, itemKey(item, field)];
        into.set(JSON.stringify([...inside, '.']), null);
        collect(item, field.type, inside, into);
      }
    }
  }
}

export interface Manager {
  manager: string;
  operation: 'Apply' | 'Update';
  apiVersion: string;
  time?: string;
  subresource?: string;
  owned: Set<Path>;
}

export function managersOf(object: ApiObject): Manager[] {
  return (object.metadata.managedFields ?? []).map(({ fieldsV1, ...entry }) => ({ ...entry, owned: unpack((fieldsV1 ?? {}) as Plain) })) as Manager[];
}

/** The object with these managers; those who own nothing any more are left out. */
export function withManagers(object: ApiObject, managers: readonly Manager[]): ApiObject {
  const entries = managers.filter(({ owned }) => owned.size > 0).map(({ owned, subresource, ...entry }): ManagedFieldsEntry => ({
    ...entry, fieldsType: 'FieldsV1', fieldsV1: pack(owned), ...(subresource === undefined ? {} : { subresource }),
  }));
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata: { ...metadata, ...(entries.length > 0 ? { managedFields: entries } : {}) } } as ApiObject;
}

function pack(owned: ReadonlySet<Path>): Plain {
  const root: Plain = {};
  for (const path of [...owned].sort(compareText)) {
    let node = root;
    for (const step of JSON.parse(path) as string[]) node = (node[step] ??= {}) as Plain;
  }
  return root;
}

function unpack(node: Plain, at: readonly string[] = [], into: Set<Path> = new Set()): Set<Path> {
  for (const step of Object.keys(node)) {
    const inside = node[step] as Plain;
    if (Object.keys(inside).length === 0) into.add(JSON.stringify([...at, step]));
    else unpack(inside, [...at, step], into);
  }
  return into;
}

/** After an ordinary write: the writer owns what it changed, and nobody else does. */
export function ownedAfterUpdate(next: ApiObject, old: ApiObject | undefined, info: ResourceInfo, writer: { manager: string; time: string; subresource?: string }): Manager[] {
  const struct = structOf(info);
  const before: Leaves = old === undefined ? new Map() : leavesOf(old, struct);
  const after = leavesOf(next, struct);
  const changed = [...after.keys()].filter((path) => !before.has(path) || !samePlain(before.get(path), after.get(path)));
  const managers = old === undefined ? [] : managersOf(old);
  const isWriter = (entry: Manager) => entry.operation === 'Update' && entry.manager === writer.manager && entry.subresource === writer.subresource;
  for (const entry of managers) {
    for (const path of entry.owned) if (!after.has(path)) entry.owned.delete(path);
    if (!isWriter(entry)) for (const path of changed) entry.owned.delete(path);
  }
  if (changed.length === 0) return managers;
  const own = managers.find(isWriter);
  if (own === undefined) {
    const apiVersion = info.group === '' ? info.version : `${info.group}/${info.version}`;
    return [...managers, { ...writer, operation: 'Update', apiVersion, owned: new Set(changed) }];
  }
  for (const path of changed) own.owned.add(path);
  own.time = writer.time;
  return managers;
}

/** '.spec.template.spec.containers[name="a"].image' */
export function pathText(path: Path): string {
  return (JSON.parse(path) as string[]).map((step) => {
    if (step.startsWith('f:')) return `.${step.slice(2)}`;
    if (step.startsWith('v:')) return `[=${step.slice(2)}]`;
    if (!step.startsWith('k:')) return '';
    const key = JSON.parse(step.slice(2)) as Plain;
    return `[${Object.keys(key).sort(compareText).map((name) => `${name}=${JSON.stringify(key[name])}`).join(',')}]`;
  }).join('');
}

/** Leaves of a level before what lies deeper, each by name: the order in which conflicts are listed. */
export function comparePaths(a: Path, b: Path): number {
  const left = JSON.parse(a) as string[];
  const right = JSON.parse(b) as string[];
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    if (left[i] === right[i]) continue;
    const [leftEnds, rightEnds] = [i === left.length - 1, i === right.length - 1];
    if (leftEnds !== rightEnds) return leftEnds ? -1 : 1;
    return compareText(left[i] as string, right[i] as string);
  }
  return left.length - right.length;
}
