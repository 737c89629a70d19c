import { goValue } from '../../api/meta/go-text.ts';
import { apiVersionOf, type ApiObject, type ResourceInfo } from '../../api/resources.ts';
import { compareText } from '../../sim/plain.ts';
import { annotationLines, labelLines, line, rows } from './lines.ts';

type Plain = Readonly<Record<string, unknown>>;

const skipped = new Set(['.metadata.managedFields', '.metadata.name', '.metadata.namespace', '.metadata.labels', '.metadata.annotations']);

/** A kind that has no description of its own: all of its fields. Upstream: describe.go genericDescriber. */
export function generic(info: ResourceInfo, object: ApiObject): string {
  const { metadata } = object;
  return rows(0, { Name: metadata.name, Namespace: metadata.namespace ?? '' }) + labelLines('Labels', metadata.labels) + annotationLines('Annotations', metadata.annotations)
    + content({ ...object, apiVersion: apiVersionOf(info), kind: info.kind } as unknown as Plain, 0, '');
}

function content(value: Plain, level: number, path: string): string {
  return Object.keys(value).sort(compareText).map((field) => {
    const [here, item] = [`${path}.${field}`, value[field]];
    if (skipped.has(here)) return '';
    if (typeof item !== 'object' || item === null) return line(level, `${label(field)}:\t${goValue(item)}`);
    if (!Array.isArray(item)) return line(level, `${label(field)}:`) + content(item as Plain, level + 1, here);
    return line(level, `${label(field)}:`) + item.map((child: unknown) => (typeof child === 'object' && child !== null && !Array.isArray(child) ? content(child as Plain, level + 1, here) : line(level + 1, goValue(child)))).join('');
  }).join('');
}

const acronyms = new Set(['API', 'URL', 'UID', 'OSB', 'GUID']);

/** 'leaseDurationSeconds' -> 'Lease Duration Seconds'. Upstream: describe.go smartLabelFor. */
function label(field: string): string {
  if (/[^A-Za-z-]/.test(field)) return field;
  const parts = field.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|-/g) ?? [field];
  return parts.map((part) => (acronyms.has(part.toUpperCase()) ? part.toUpperCase() : `${part[0]?.toUpperCase() ?? ''}${part.slice(1)}`)).join(' ');
}
