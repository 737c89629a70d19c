import { formatRfc3339, formatRfc3339Micro, parseRfc3339 } from '../sim/time.ts';
import { embeddedHolder, goElementType, goFieldType, goStruct } from './go-types.ts';
import { fieldsOf, type Field } from './fields.ts';
import { goJson, goQuote } from './meta/go-text.ts';
import { badRequest } from './meta/status.ts';
import { keepsZero } from './pointers.ts';
import { formatQuantity, parseQuantity } from './quantity.ts';
import { apiVersionOf, type ApiObject, type ResourceInfo } from './resources.ts';
import type { Status } from './schema/types.ts';

export { nearestField, structAt } from './fields.ts';

export type FieldValidation = 'Strict' | 'Warn' | 'Ignore';

export type Decoded = { object: ApiObject; warnings: string[] } | { error: Status };

/**
 * A JSON value as an object of the resource: types checked, unknown fields dropped (or refused), quantities and times in their one form, what Go
 * would leave out left out. Defaults are not filled in. Upstream: apimachinery runtime/serializer/json with sigs.k8s.io/json.
 */
export function decode(info: ResourceInfo, value: unknown, mode: FieldValidation): Decoded {
  const refusal = checkKind(info, value);
  if (refusal !== undefined) return { error: badRequest(refusal) };
  const body = value as Record<string, unknown>;
  const result = decodeStruct(info.struct ?? info.kind, body);
  const handled = (why: string) => badRequest(`${info.kind} in version ${goQuote(info.version)} cannot be handled as a ${info.kind}: ${why}`);
  if (result.error !== undefined) return { error: handled(result.error) };
  if (mode === 'Strict' && result.strict.length > 0) return { error: handled(`strict decoding error: ${result.strict.join(', ')}`) };
  const object = { ...result.value, apiVersion: apiVersionOf(info), kind: info.kind } as unknown as ApiObject;
  return { object, warnings: mode === 'Warn' ? result.strict : [] };
}

const wordOf = (value: unknown): string => (Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value);

function checkKind(info: ResourceInfo, value: unknown): string | undefined {
  const unrecognized = (why: string) => {
    const text = goJson(value);
    const shown = text.length > 30 ? `${text.slice(0, 30)} ...` : text;
    return `the object provided is unrecognized (must be of type ${info.kind}): couldn't get version/kind; json parse error: ${why} (${shown})`;
  };
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return unrecognized(`json: cannot unmarshal ${wordOf(value)} into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`);
  }
  const { apiVersion, kind } = value as Record<string, unknown>;
  for (const [name, given] of [['apiVersion', apiVersion], ['kind', kind]] as const) {
    if (given !== undefined && given !== null && typeof given !== 'string') {
      return unrecognized(`json: cannot unmarshal ${wordOf(given)} into Go struct field .${name} of type string`);
    }
  }
  const expected = apiVersionOf(info);
  const version = (apiVersion ?? '') === '' ? expected : (apiVersion as string);
  const ofKind = (kind ?? '') === '' ? info.kind : (kind as string);
  if (version === expected && ofKind === info.kind) return undefined;
  return `${ofKind} in version ${goQuote(version.slice(version.indexOf('/') + 1))} cannot be handled as a ${info.kind}: no kind ${goQuote(ofKind)} is registered for version ${goQuote(version)} in scheme "pkg/runtime/scheme.go:111"`;
}

interface Walk {
  strict: string[];
  /** The first type mismatch: decoding goes on after it. */
  mismatch?: string;
  /** A value's own parser refused (quantity, time): decoding stops. */
  fatal?: string;
}

interface Place {
  /** Where the client sees it: 'spec.containers[0]'. */
  path: string;
  /** Where Go's decoder sees it: 'spec.containers', embedded structs named. */
  stack: string;
  struct: string;
  name: string;
  field: Field;
}

/** A plain value decoded as this struct; for patches and parts of objects as well. */
export function decodeStruct(struct: string, value: unknown): { value: Record<string, unknown>; strict: string[]; error?: string } {
  const walk: Walk = { strict: [] };
  const decoded = readStruct(walk, struct, value as Record<string, unknown>, '', '');
  const error = walk.fatal ?? walk.mismatch;
  return { value: decoded, strict: walk.strict, ...(error === undefined ? {} : { error }) };
}

function readStruct(walk: Walk, struct: string, value: Record<string, unknown>, path: string, stack: string): Record<string, unknown> {
  const fields = fieldsOf(struct);
  const result: Record<string, unknown> = {};
  for (const name of Object.keys(value)) {
    if (walk.fatal !== undefined) break;
    const field = fields?.get(name);
    const at = path === '' ? name : `${path}.${name}`;
    if (field === undefined) {
      walk.strict.push(`unknown field ${goQuote(at)}`);
      continue;
    }
    const given = value[name];
    if (given === null || given === undefined) continue;
    const holder = embeddedHolder(struct, name);
    const place: Place = {
      path: at, struct, name, field,
      stack: (stack === '' ? '' : `${stack}.`) + (holder === undefined ? name : `${holder}.${name}`),
    };
    const read = readField(walk, place, given);
    if (read !== undefined && (!isEmpty(read) || keepsZero(struct, name))) result[name] = read;
  }
  return result;
}

/** What Go's omitempty leaves out. A pointer to an empty struct stays. */
function isEmpty(value: unknown): boolean {
  return value === '' || value === 0 || value === false || (Array.isArray(value) && value.length === 0);
}

/** Of the list or map as a whole, or of the value or one item. */
function mismatch(walk: Walk, place: Place, given: unknown, whole = false, number = ''): undefined {
  const type = (whole ? goFieldType : goElementType)(place.struct, place.name, place.field);
  walk.mismatch ??= `json: cannot unmarshal ${wordOf(given)}${number} into Go struct field ${goStruct(place.struct)}.${place.stack} of type ${type}`;
}

function readField(walk: Walk, place: Place, given: unknown): unknown {
  const { field } = place;
  if (field.shape === 'one') return readElement(walk, place, given, place.path);
  if (field.shape === 'list') {
    if (!Array.isArray(given)) return mismatch(walk, place, given, true);
    return given.map((item, index) => readElement(walk, place, item, `${place.path}[${index}]`) ?? zeroOf(field.type));
  }
  if (typeof given !== 'object' || Array.isArray(given)) return mismatch(walk, place, given, true);
  const keys = Object.keys(given as object);
  if (keys.length === 0) return undefined;
  const map: Record<string, unknown> = {};
  for (const key of keys) {
    const item = (given as Record<string, unknown>)[key];
    map[key] = (item === null ? undefined : readElement(walk, place, item, `${place.path}[${key}]`)) ?? zeroOf(field.type);
  }
  return map;
}

const zeroOf = (type: string): unknown => ({ s: '', y: '', q: '0', i: 0, l: 0, n: 0, b: false } as Record<string, unknown>)[type] ?? {};

const integerLimits: Readonly<Record<string, number>> = { i: 2_147_483_647, l: 0x7fff_ffff_ffff_fc00, x: 2_147_483_647 };

function readElement(walk: Walk, place: Place, given: unknown, path: string): unknown {
  if (given === null || walk.fatal !== undefined) return undefined;
  const code = place.field.type;
  switch (code) {
    case 's': return typeof given === 'string' ? given : mismatch(walk, place, given);
    case 'b': return typeof given === 'boolean' ? given : mismatch(walk, place, given);
    case 'n': return typeof given === 'number' ? given : mismatch(walk, place, given);
    case 'x': case 'i': case 'l':
      if (code === 'x' && typeof given === 'string') return given;
      if (typeof given !== 'number') return mismatch(walk, place, given);
      if (!Number.isInteger(given) || Math.abs(given) > (integerLimits[code] as number)) return mismatch(walk, place, given, false, ` ${given}`);
      return given;
    case 'q': return readQuantity(walk, given);
    case 't': case 'u': return typeof given === 'string' ? readTime(walk, given, code) : mismatch(walk, place, given);
    case 'y': return typeof given === 'string' ? readBytes(walk, given) : mismatch(walk, place, given);
    case 'o': return given;
    default:
      if (typeof given !== 'object' || Array.isArray(given)) return mismatch(walk, place, given);
      return readStruct(walk, code, given as Record<string, unknown>, path, place.stack);
  }
}

function readQuantity(walk: Walk, given: unknown): string | undefined {
  const parsed = parseQuantity((typeof given === 'string' ? given : goJson(given)).trim());
  if (typeof parsed !== 'string') return formatQuantity(parsed);
  walk.fatal ??= parsed;
  return undefined;
}

function readTime(walk: Walk, given: string, code: 't' | 'u'): string | undefined {
  const layout = code === 't' ? '2006-01-02T15:04:05Z07:00' : '2006-01-02T15:04:05.000000Z07:00';
  const parsed = parseRfc3339(given);
  const fraction = /\.\d+/.exec(given)?.[0] ?? '';
  if (parsed !== undefined && (code === 't' || fraction.length === 7)) {
    return code === 't' ? formatRfc3339(parsed) : formatRfc3339Micro(parsed).replace(/\.\d+/, fraction);
  }
  const [rest, wanted] = parsed === undefined ? timeRest(given) : [given.slice(19), '.000000'];
  walk.fatal ??= rest === '' || wanted !== '' ? `parsing time ${goQuote(given)} as ${goQuote(layout)}: cannot parse ${goQuote(rest)} as ${goQuote(wanted)}` : `parsing time ${goQuote(given)}: extra text: ${goQuote(rest)}`;
  return undefined;
}

/** Where Go's time parser gives up, part by part of its layout. */
function timeRest(given: string): [rest: string, wanted: string] {
  let rest = given;
  for (const [pattern, wanted] of [
    [/^\d{4}/, '2006'], [/^-/, '-'], [/^\d\d/, '01'], [/^-/, '-'], [/^\d\d/, '02'], [/^T/, 'T'], [/^\d\d/, '15'], [/^:/, ':'],
    [/^\d\d/, '04'], [/^:/, ':'], [/^\d\d(\.\d+)?/, '05'],
  ] as const) {
    const match = pattern.exec(rest);
    if (match === null) return [rest, wanted];
    rest = rest.slice(match[0].length);
  }
  // All parts were found: what is left is too much.
  const zone = /^(Z|[+-]\d\d:\d\d)/.exec(rest);
  return zone === null ? [rest, 'Z07:00'] : [rest.slice(zone[0].length), ''];
}

function readBytes(walk: Walk, given: string): string | undefined {
  const text = given.replace(/[\r\n]/g, '');
  const wrong = /^[A-Za-z0-9+/]*/.exec(text)?.[0].length ?? 0;
  const tail = text.slice(wrong);
  if (text.length % 4 === 0 && (tail === '' || (tail === '=' && wrong % 4 === 3) || (tail === '==' && wrong % 4 === 2))) return text;
  const at = tail === '' || /^=+$/.test(tail) ? (wrong % 4 < 2 || tail === '' ? (tail === '' ? wrong - (wrong % 4) : wrong) : text.length) : wrong;
  walk.mismatch ??= `illegal base64 data at input byte ${at}`;
  return undefined;
}
