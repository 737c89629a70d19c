import { badRequest, unsupportedMediaType } from '../../../api/meta/status.ts';
import type { ResourceInfo } from '../../../api/resources.ts';
import type { Status } from '../../../api/schema/types.ts';
import { parseManifest } from '../../../api/yaml.ts';
import { readJson } from './json-text.ts';

type Body = { value: unknown; warnings: string[] } | { error: Status };

const formats = 'the body of the request was in an unknown format - accepted media types include: application/json, application/yaml, application/vnd.kubernetes.protobuf';

/** A request's body as plain data. Text is parsed; keys given twice are refused or warned of. */
export function readBody(body: unknown, info: ResourceInfo, patch: string | undefined, validation: string | undefined, contentType: string): Body {
  const type = contentType.split(';')[0]?.trim() ?? '';
  const yaml = type.endsWith('yaml');
  if (patch === undefined && type !== '' && !yaml && type !== 'application/json') return { error: unsupportedMediaType(formats) };
  if (typeof body !== 'string') return body === undefined ? { value: undefined, warnings: [] } : { value: body, warnings: [] };
  if (body.trim() === '') return { value: undefined, warnings: [] };
  if (yaml) return { value: parseManifest(body)[0]?.value, warnings: [] };
  const { value, duplicates, error } = readJson(body);
  if (error !== undefined) return { error: badRequest(patch === undefined ? unrecognized(info, error, body) : patch === 'merge' ? 'invalid JSON patch' : error) };
  const texts = duplicates.map((path) => `duplicate field ${JSON.stringify(path)}`);
  if (texts.length === 0 || validation === 'Ignore') return { value, warnings: [] };
  if (validation !== 'Strict') return { value, warnings: texts };
  return { error: badRequest(`${info.kind} in version ${JSON.stringify(info.version)} cannot be handled as a ${info.kind}: strict decoding error: ${texts.join(', ')}`) };
}

function unrecognized(info: ResourceInfo, error: string, body: string): string {
  const shown = body === '' ? '<empty>' : body.length > 30 ? `${body.slice(0, 30)} ...` : body;
  return `the object provided is unrecognized (must be of type ${info.kind}): couldn't get version/kind; json parse error: ${error} (${shown})`;
}

/** What a POST without a body is told. */
export const emptyBody = (info: ResourceInfo): Status => badRequest(unrecognized(info, 'unexpected end of JSON input', ''));
