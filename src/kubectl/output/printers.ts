import { printYaml } from '../../api/yaml/print.ts';
import { apiVersionOf, type ApiObject, type ResourceInfo } from '../../api/resources.ts';
import { printedName } from '../api.ts';
import { plainError } from '../failure.ts';
import { sortedDeep } from './sorted.ts';

/** Prints one object after another, as -o asks. */
export type Printing = (info: ResourceInfo, object: unknown) => string;

type Format = (argument: string) => Printing;
let others: () => Readonly<Record<string, Format>> = () => ({});

/** Makes the formats known that take an argument: 'jsonpath=', 'custom-columns='. */
export function registerFormats(more: () => Readonly<Record<string, Format>>): void {
  others = more;
}

const allowed = 'go-template,go-template-file,json,jsonpath,jsonpath-as-json,jsonpath-file,kyaml,name,template,templatefile,yaml';
const notHere = new Set(['go-template', 'go-template-file', 'template', 'templatefile', 'jsonpath-file', 'custom-columns-file', 'kyaml']);

/** How -o prints; undefined when it is not given. `extra`: formats that this command has beside the common ones. */
export function printingOf(output: string | undefined, showManagedFields: boolean, extra = ''): Printing | undefined {
  if (output === undefined || output === '' || output === 'wide') return undefined;
  const equals = output.indexOf('=');
  const name = equals < 0 ? output : output.slice(0, equals);
  const cleaned = (object: unknown) => (showManagedFields ? object : withoutManagedFields(object));
  if (name === 'name') return (info, object) => `${printedName(info, (object as ApiObject).metadata.name ?? '')}\n`;
  if (name === 'json') return (_, object) => jsonText(cleaned(object));
  if (name === 'yaml') {
    let count = 0;
    return (_, object) => `${count++ === 0 ? '' : '---\n'}${printYaml(cleaned(object))}`;
  }
  const format = Object.hasOwn(others(), name) ? others()[name] : undefined;
  if (format !== undefined) {
    const printing = format(equals < 0 ? '' : output.slice(equals + 1));
    return (info, object) => printing(info, cleaned(object));
  }
  if (notHere.has(name)) throw plainError(`-o ${name} is not simulated: use json, yaml, name, jsonpath or custom-columns`);
  throw plainError(`unable to match a printer suitable for the output format "${output}", allowed formats are: ${extra === '' ? allowed : extra}`);
}

export const allFormats = `custom-columns,custom-columns-file,${allowed.replace('yaml', 'wide,yaml').replace('kwide,yaml', 'kyaml')}`;

/** As Go's json.MarshalIndent writes it: keys in order, angle brackets and ampersands escaped. */
export const jsonText = (value: unknown, indent = 4): string =>
  `${JSON.stringify(sortedDeep(value), null, indent).replace(/[<>&\u2028\u2029]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)}\n`;

function withoutManagedFields(object: unknown): unknown {
  const { metadata, items } = object as { metadata?: Record<string, unknown>; items?: unknown[] };
  if (Array.isArray(items)) return { ...(object as object), items: items.map(withoutManagedFields) };
  if (metadata?.managedFields === undefined) return object;
  const { managedFields: _, ...rest } = metadata;
  return { ...(object as object), metadata: rest };
}

/** With kind and version in it, as the API gives single objects. */
export const typed = (info: ResourceInfo, object: ApiObject): ApiObject => ({ ...object, apiVersion: apiVersionOf(info), kind: info.kind });
